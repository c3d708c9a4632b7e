import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { z } from "zod";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import { VERSION, VERSION_HEADER } from "../../http/version.ts";
import { ApiProblemError, ApiUnreachableError } from "./errors.ts";
import { openExchange, SilentError, UploadError } from "./exchange.ts";
import { TrustFileError, type Trust } from "./trust.ts";

export interface ApiAddress {
  /** May have a path prefix. */
  url: string;
  token: string | undefined;
  /** Of an https address. */
  trust?: Trust;
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
  /** The schema is loaded when there is an answer to read: a command needs few of all that there are. */
  ask<T>(schema: () => Promise<z.ZodType<T>>, request: ApiRequest): Promise<T>;
  /** For what is too large to be held: the caller reads the stream to its end. */
  open(request: ApiRequest): Promise<Readable>;
  close(): Promise<void>;
}

/** Commands wait up to a minute for Temporal before they answer that it does not. */
const ANSWER_WITHIN_MS = 90_000;

/** A report of a large campaign reads every contact. */
export const SLOW_ANSWER_MS = 10 * 60_000;

/** Who the audit says gave the commands. */
export const ACTOR = "cli";

export function openTransport(address: ApiAddress): Transport {
  const base = new URL(address.url);
  const exchange = openExchange(base, address.trust);
  const send = async (request: ApiRequest) => {
    const { method = "GET", path, query = {}, body, stream, answerWithinMs = ANSWER_WITHIN_MS } = request;
    const { signal } = request;
    const json = body === undefined ? undefined : JSON.stringify(body);
    try {
      return await exchange.send({
        method,
        path: `${base.pathname.replace(/\/$/, "")}${path}${queryString(query)}`,
        headers: {
          "x-outdial-actor": ACTOR,
          ...(address.token !== undefined && { authorization: `Bearer ${address.token}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(stream && { "content-type": stream.contentType }),
        },
        body: stream?.readable ?? json,
        answerWithinMs,
        signal,
      });
    } catch (error) {
      throw wireError(error, address.url, signal);
    }
  };
  return {
    async ask(schema, request) {
      const { status, headers, body } = await send(request);
      const text = await readAll(body, address.url);
      const who = { url: address.url, status, version: versionIn(headers) };
      if (status >= 300) throw await problemIn(who, text);
      const parsed = (await schema()).safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      throw new ApiProblemError(unreadable(who));
    },
    async open(request) {
      const { status, headers, body } = await send(request);
      if (status < 300) return body;
      const who = { url: address.url, status, version: versionIn(headers) };
      throw await problemIn(who, await readAll(body, address.url));
    },
    close: () => exchange.close(),
  };
}

async function readAll(body: Readable, url: string): Promise<string> {
  try {
    return await text(body);
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
  // A file that could not be read to its end says nothing about the system.
  if (error instanceof UploadError) return error.cause;
  if (error instanceof SilentError) {
    return new ApiUnreachableError(
      `the system at ${url} does not answer: look at its log, or end it and start it again`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof TrustFileError) return new ApiUnreachableError(error.message, { cause: error });
  if (isUntrusted(error)) {
    return new ApiUnreachableError(
      `the certificate of ${url} is not trusted here (${reasonWords(error)}): set OUTDIAL_API_CA to the certificate of who signed it, and name the system as its certificate does`,
      { cause: error },
    );
  }
  return new ApiUnreachableError(
    `no running system answers at ${url} (${reasonWords(error)}): start one with \`outdial server\`, or set OUTDIAL_API_URL to where it is`,
    { cause: error },
  );
}

/** Codes of what makes a certificate none that is taken, as OpenSSL and Node.js call it. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|ALTNAME/;

function isUntrusted(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNTRUSTED.test(String(error.code));
}

/** Who answered. */
interface Answerer {
  url: string;
  status: number;
  /** Undefined: no Outdial, or one that does not say. */
  version: string | undefined;
}

function versionIn(headers: IncomingHttpHeaders): string | undefined {
  const version = headers[VERSION_HEADER];
  return typeof version === "string" ? version : undefined;
}

/** Refusals that a system of another version gives to what it does not know. */
const OF_ANOTHER_VERSION: ReadonlySet<string> = new Set(["not_found", "invalid_request"]);

async function problemIn(who: Answerer, text: string): Promise<ApiProblemError | ApiUnreachableError> {
  const { problemSchema } = await import("../../http/wire/problem.ts");
  const json = parseJson(text);
  const parsed = problemSchema.safeParse(json);
  if (!parsed.success)
    return isEnding(who, json) ? endingError(who.url) : new ApiProblemError(unreadable(who));
  const { data } = parsed;
  const note = OF_ANOTHER_VERSION.has(data.code) ? versionNote(who) : undefined;
  return new ApiProblemError(note === undefined ? data : { ...data, detail: `${data.detail} (${note})` });
}

/** What Fastify says, and no route of ours, once its process has begun to end. */
function isEnding({ status }: Answerer, json: unknown): boolean {
  return (
    status === 503 && typeof json === "object" && json !== null && Reflect.get(json, "statusCode") === 503
  );
}

/** As good as gone: whoever can do without it goes on as if nobody had answered. */
function endingError(url: string): ApiUnreachableError {
  return new ApiUnreachableError(
    `the system at ${url} is just ending: start one with \`outdial server\`, or set OUTDIAL_API_URL to where one runs`,
  );
}

/** Undefined where both are of one version, or nobody can tell. */
function versionNote({ url, version }: Answerer): string | undefined {
  return version === undefined || version === VERSION
    ? undefined
    : `the system at ${url} is Outdial ${version}, and this command ${VERSION}`;
}

function unreadable(who: Answerer) {
  const { url, status } = who;
  const note = versionNote(who);
  return {
    title: "Unreadable",
    status,
    code: "unreadable",
    detail:
      note === undefined
        ? `what answers at ${url} is no Outdial of this version (status ${status}): set OUTDIAL_API_URL to where your system is, and see that both are the same version`
        : `the answer can't be read, since ${note}: use the same version of both`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
