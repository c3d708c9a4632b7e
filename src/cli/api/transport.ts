import type { Readable } from "node:stream";
import { errors as undiciErrors, Pool } from "undici";
import type { z } from "zod";

import { problemSchema } from "../../http/wire/problem.ts";
import { ApiProblemError, ApiUnreachableError } from "./errors.ts";

export interface ApiAddress {
  /** May have a path prefix. */
  url: string;
  token: string | undefined;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  stream?: { contentType: string; readable: Readable };
  /** How long the answer may take to begin; 0: as long as it takes. Milliseconds. */
  answerWithinMs?: number;
  signal?: AbortSignal;
}

/** Requests to a running system, and its answers checked or its problems thrown. */
export interface Transport {
  ask<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<T>;
  /** For what is too large to be held: the caller reads the stream to its end. */
  open(request: ApiRequest): Promise<Readable>;
  close(): Promise<void>;
}

/** Commands wait up to a minute for Temporal before they answer that it does not. */
const ANSWER_WITHIN_MS = 90_000;

const CONNECT_WITHIN_MS = 10_000;

/** A report of a large campaign reads every contact. */
export const SLOW_ANSWER_MS = 10 * 60_000;

/** One for the command, one for polling beside it. */
const CONNECTIONS = 2;

/** Who the audit says gave the commands. */
const ACTOR = "cli";

export function openTransport(address: ApiAddress): Transport {
  const base = new URL(address.url);
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_WITHIN_MS },
    // Rows may be far apart in a download: the server's own bounds stand behind it.
    bodyTimeout: 0,
  });
  const send = async (request: ApiRequest) => {
    const {
      method = "GET",
      path,
      query = {},
      body,
      stream,
      answerWithinMs = ANSWER_WITHIN_MS,
      signal,
    } = request;
    const json = body === undefined ? undefined : JSON.stringify(body);
    try {
      return await pool.request({
        method,
        path: `${base.pathname.replace(/\/$/, "")}${path}${queryString(query)}`,
        headers: {
          "x-outdial-actor": ACTOR,
          ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(stream && { "content-type": stream.contentType }),
        },
        body: stream?.readable ?? json ?? null,
        headersTimeout: answerWithinMs,
        ...(signal && { signal }),
      });
    } catch (error) {
      throw wireError(error, address.url, signal);
    }
  };
  return {
    async ask(schema, request) {
      const answer = await send(request);
      const text = await readAll(answer.body, address.url);
      if (answer.statusCode >= 300) throw problemIn(answer.statusCode, text);
      const parsed = schema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      throw new ApiProblemError(unreadable(answer.statusCode, parsed.error.message));
    },
    async open(request) {
      const answer = await send(request);
      if (answer.statusCode < 300) return answer.body;
      throw problemIn(answer.statusCode, await readAll(answer.body, address.url));
    },
    close: () => pool.destroy(),
  };
}

async function readAll(body: { text(): Promise<string> }, url: string): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    throw wireError(error, url, undefined);
  }
}

function queryString(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? "" : `?${given.toString()}`;
}

/** What the caller gave up is its own affair; anything else on the wire means that nobody is there. */
function wireError(error: unknown, url: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof undiciErrors.HeadersTimeoutError) {
    return new ApiUnreachableError(
      `the system at ${url} does not answer: look at its log, or end it and start it again`,
      {
        cause: error,
      },
    );
  }
  const why = error instanceof Error ? error.message || error.name : String(error);
  return new ApiUnreachableError(
    `no running system answers at ${url} (${why}): start one with \`outdial server\`, or set OUTDIAL_API_URL to where it is`,
    { cause: error },
  );
}

function problemIn(status: number, text: string): ApiProblemError {
  const parsed = problemSchema.safeParse(parseJson(text));
  return new ApiProblemError(parsed.success ? parsed.data : unreadable(status, text.slice(0, 200)));
}

function unreadable(status: number, what: string) {
  return {
    title: "Unreadable",
    status,
    code: "unreadable",
    detail: `what answers is no Outdial of this version (status ${status}: ${what}): check OUTDIAL_API_URL, and that both are the same version`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
