import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import {
  ApiConnectionError,
  ApiProblem,
  createClient,
  type AnswerOf,
  type Operations,
  type Sent,
} from "../../api/index.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import { VERSION, VERSION_HEADER } from "../../http/version.ts";
import { answeredBy, ApiProblemError, ApiUnreachableError } from "./errors.ts";
import { openExchange, type Exchange, SilentError, UploadError } from "./exchange.ts";
import { TrustFileError, type Trust } from "./trust.ts";

/*
 * Commands ask with the client that others have, `outdial/api`, over an exchange of their own: by the authorities that a
 * context names, with a bound on how long an answer may take to begin, and with words for people where nobody answers.
 */

export interface ApiAddress {
  /** May have a path prefix. */
  url: string;
  token: string | undefined;
  /** Of an https address. */
  trust?: Trust;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Name = keyof Operations;

/** What is asked. What an operation does not take of it, the system says: it is what a person gave. */
interface Asked {
  path?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface Bounds {
  /** How long the answer may take to begin; 0: as long as it takes. Milliseconds. */
  answerWithinMs?: number;
}

/** The client, for what is not known to be what an operation takes. */
interface LooseClient<Key extends Name> {
  send(name: Key, asked: Asked): Promise<Sent<AnswerOf<Key>>>;
}

/** Requests to a running system, and its answers, or its problems thrown. */
export interface Transport {
  ask<Key extends Name>(name: Key, asked?: Asked, bounds?: Bounds): Promise<AnswerOf<Key>>;
  /** For what is too large to be held: the caller reads the stream to its end. */
  open(name: Name, asked?: Asked, bounds?: Bounds): Promise<Readable>;
  close(): Promise<void>;
}

/** Commands wait up to a minute for Temporal before they answer that it does not. */
const ANSWER_WITHIN_MS = 90_000;

/** A report of a large campaign reads every contact. */
export const SLOW_ANSWER_MS = 10 * 60_000;

/** Who the audit says gave the commands. */
export const ACTOR = "cli";

export function openTransport(address: ApiAddress): Transport {
  const exchange = openExchange(new URL(address.url), address.trust);
  const send = async <Key extends Name>(name: Key, asked: Asked, { answerWithinMs }: Bounds) => {
    const who: Answerer = { url: address.url, status: 0, version: undefined };
    try {
      // Whoever gave a command gives it again, and sees what came of it.
      const client = createClient({
        baseUrl: address.url,
        ...(address.token !== undefined && { token: address.token }),
        retries: 0,
        fetch: fetchOver(exchange, who, answerWithinMs ?? ANSWER_WITHIN_MS),
      });
      const { data } = await (client as unknown as LooseClient<Key>).send(name, asked);
      if (!isOurs(who, data)) throw new ApiProblemError(unreadable(who));
      answeredBy.note = versionNote(who);
      return data;
    } catch (error) {
      throw errorOf(error, who, asked.signal);
    }
  };
  return {
    ask: (name, asked = {}, bounds = {}) => send(name, asked, bounds),
    async open(name, asked = {}, bounds = {}) {
      const answer: unknown = await send(name, asked, bounds);
      if (!(answer instanceof Response)) throw new TypeError(`${name} answers with no text`);
      return answer.body ? Readable.fromWeb(answer.body) : Readable.from([]);
    },
    close: () => exchange.close(),
  };
}

/** What the caller gave up is its own affair; anything else on the wire means that nobody is there. */
function wireError(error: unknown, url: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ApiUnreachableError) return error;
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

/** What a person is told. */
function errorOf(error: unknown, who: Answerer, signal: AbortSignal | undefined): unknown {
  if (error instanceof ApiProblemError) return error;
  if (error instanceof ApiConnectionError) return wireError(error.cause, who.url, signal);
  if (error instanceof TypeError) {
    // What was asked for could not be written down, such as a thing without a name.
    const { message: detail } = error;
    return new ApiProblemError({ title: "Bad Request", status: 400, code: "invalid_request", detail });
  }
  // An answer that broke off.
  if (!(error instanceof ApiProblem)) return wireError(error, who.url, signal);
  if (error.code === "unreadable") return new ApiProblemError(unreadable(who));
  const { title } = error.body;
  const note = OF_ANOTHER_VERSION.has(error.code) ? versionNote(who) : undefined;
  return new ApiProblemError({
    ...error.body,
    title: typeof title === "string" ? title : error.code,
    status: error.status,
    code: error.code,
    detail: note === undefined ? error.detail : `${error.detail} (${note})`,
  });
}

/** `fetch`, as far as the client needs it. @param who is told who answered */
function fetchOver(exchange: Exchange, who: Answerer, answerWithinMs: number): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const { method = "GET", body, signal } = init;
    const { "idempotency-key": _, ...headers } = Object.fromEntries(new Headers(init.headers));
    const answer = await exchange.send({
      method,
      path: `${pathname}${search}`,
      headers: { ...headers, "x-outdial-actor": ACTOR },
      body: bodyOf(body),
      answerWithinMs,
      signal: signal ?? undefined,
    });
    who.status = answer.status;
    who.version = versionIn(answer.headers);
    const { status } = answer;
    const shown = { status, headers: textsOf(answer.headers) };
    if (status === 204 || status === 304) {
      answer.body.resume();
      return new Response(null, shown);
    }
    if (status !== 503) return new Response(webOf(answer.body), shown);
    const said = await text(answer.body);
    if (isEnding(said)) throw endingError(who.url);
    return new Response(said, shown);
  };
}

/** Every answer says its version, but for those of probes, which strangers may ask. */
function isOurs({ version }: Answerer, data: unknown): boolean {
  if (version !== undefined) return true;
  return typeof data === "object" && data !== null && Reflect.get(data, "ok") === true;
}

/** A list is read as it is sent; whatever else is sent is text. */
function bodyOf(body: unknown): string | Readable | undefined {
  if (body instanceof Readable || typeof body === "string") return body;
  if (body === undefined || body === null) return undefined;
  throw new TypeError("commands send text, and lists as they are read");
}

function textsOf(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
}

/** Node's own types know two streams of that name, which are one. */
function webOf(body: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(body) as ReadableStream<Uint8Array>;
}

/** What Fastify says, and no route of ours, once its process has begun to end. */
function isEnding(said: string): boolean {
  try {
    const json: unknown = JSON.parse(said);
    return typeof json === "object" && json !== null && Reflect.get(json, "statusCode") === 503;
  } catch {
    return false;
  }
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
