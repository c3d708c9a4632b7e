import http from "node:http";
import { finished, Readable } from "node:stream";

import type { Trust } from "./trust.ts";

/*
 * One HTTP request and its answer, over Node's own client: a command asks once or twice and ends, and a library for
 * more than that would take longer to load than the command to run.
 */

interface WireRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | Readable | undefined;
  /**
   * How long the answer may take to begin once all was sent, and each further part of it to come; 0: as long as it
   * takes. Milliseconds.
   */
  answerWithinMs: number;
  signal: AbortSignal | undefined;
}

interface WireAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** To be read to its end. */
  body: Readable;
}

export interface Exchange {
  /** @throws SilentError, UploadError, the signal's reason, or what the connection failed of. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** It was connected to, took the request, and did not answer in time, or nothing came any more of its answer. */
export class SilentError extends Error {
  override readonly name = "SilentError";
}

/** What was to be sent could not be read; the cause says why. */
export class UploadError extends Error {
  override readonly name = "UploadError";
}

const CONNECT_WITHIN_MS = 10_000;

/** One for the command, one for polling beside it. */
const CONNECTIONS = 2;

export function openExchange({ protocol, hostname, port }: URL, trust?: Trust): Exchange {
  const agentOptions = { keepAlive: true, maxSockets: CONNECTIONS };
  // TLS is loaded where it is spoken.
  const open = async () => {
    if (protocol === "http:") return { request: http.request, agent: new http.Agent(agentOptions) };
    const https = await import("node:https");
    const { verifying } = await import("./trust.ts");
    const verified = trust ? await verifying(hostname, trust) : {};
    return { request: https.request, agent: new https.Agent({ ...agentOptions, ...verified }) };
  };
  let opened: ReturnType<typeof open> | undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    async send(wanted) {
      opened ??= open();
      const { request, agent } = await opened;
      const { method, path, headers, body, signal } = wanted;
      const length = typeof body === "string" ? { "content-length": Buffer.byteLength(body) } : {};
      const options = { host, port, method, path, headers: { ...headers, ...length }, agent };
      return answerTo(request({ ...options, ...(signal && { signal }) }), wanted);
    },
    async close() {
      // Whoever sent has heard of what could not be opened.
      const used = await opened?.catch(() => undefined);
      used?.agent.destroy();
    },
  };
}

function answerTo(request: http.ClientRequest, wanted: WireRequest): Promise<WireAnswer> {
  const { body, answerWithinMs } = wanted;
  return new Promise((resolve, reject) => {
    const timers: NodeJS.Timeout[] = [];
    const endWithin = (ms: number, error: Error) => {
      const timer = setTimeout(() => request.destroy(error), ms);
      timers.push(timer);
      return timer;
    };
    const endTimers = () => {
      for (const timer of timers) clearTimeout(timer);
    };
    request.once("socket", (socket) => {
      if (!socket.connecting) return;
      const late = new Error(`no connection within ${CONNECT_WITHIN_MS / 1_000} s`);
      const timer = endWithin(CONNECT_WITHIN_MS, late);
      socket.once("encrypted" in socket ? "secureConnect" : "connect", () => clearTimeout(timer));
    });
    request.once("finish", () => {
      if (answerWithinMs > 0) endWithin(answerWithinMs, new SilentError("no answer"));
    });
    request.once("response", (response) => {
      endTimers();
      // Whoever answers before all was sent wants no more of it.
      response.once("end", () => {
        if (!request.writableFinished) request.destroy();
      });
      const heard = answerWithinMs > 0 ? asItComes(response, answerWithinMs) : response;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: heard });
    });
    // Behind the answer it is the answer's stream that fails.
    request.on("error", (error) => {
      endTimers();
      reject(error);
    });
    if (typeof body === "object") upload(body, request);
    else request.end(body);
  });
}

/**
 * An answer that fails once nothing of it came for so long while more of it was wanted. Whoever wants no more of it does
 * not wait for its next part.
 */
function asItComes(response: http.IncomingMessage, withinMs: number): Readable {
  const silent = `nothing came of the answer for ${withinMs / 1_000} seconds: see whether the system still runs, and try again`;
  let silence: NodeJS.Timeout | undefined;
  const heard = new Readable({
    read() {
      clearTimeout(silence);
      silence = setTimeout(() => heard.destroy(new SilentError(silent)), withinMs);
      response.resume();
    },
    destroy(error, done) {
      clearTimeout(silence);
      if (!response.readableEnded) response.destroy();
      done(error);
    },
  });
  response.pause();
  response.on("data", (part) => {
    clearTimeout(silence);
    if (!heard.push(part)) response.pause();
  });
  response.once("end", () => {
    clearTimeout(silence);
    heard.push(null);
  });
  response.once("error", (error) => heard.destroy(error));
  return heard;
}

function upload(body: Readable, request: http.ClientRequest): void {
  finished(body, { writable: false }, (error) => {
    if (error) request.destroy(new UploadError("the upload broke off", { cause: error }));
  });
  request.once("close", () => body.destroy());
  body.pipe(request);
}
