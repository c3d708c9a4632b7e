import type { Readable } from "node:stream";
import { Agent, errors } from "undici";

import { onAbort } from "../platform/abort.ts";
import { Exchange, type Received } from "../platform/exchange.ts";
import { parseAllowList } from "./allow-list.ts";
import { guardedConnector, lookupByMachine, type Lookup } from "./connector.ts";
import { OutboundError, OutboundRefusedError, type OutboundErrorKind } from "./errors.ts";
import type { Outbound, OutboundAnswer, OutboundRequest } from "./outbound.ts";
import { nextHop, withoutQuery } from "./redirects.ts";
import { checkRequest } from "./request-check.ts";
import { parseHttpDate } from "../platform/http-date.ts";

interface OutboundOptions {
  /** Hosts, addresses and ranges that may be private. */
  allow: readonly string[];
  /** Given by tests alone: the machine's resolver can't be made to lie. */
  lookup?: Lookup;
}

/** Receivers are many and small; a slow one gets no more of our sockets than this. */
const CONNECTIONS_PER_ORIGIN = 16;

/** Longer than any receiver is worth waiting for; one setting must not hold a worker's slot for hours. */
const LONGEST_EXCHANGE_MS = 300_000;

/** Enough to tell what a receiver complains about; it is kept with the action. */
const MAX_ANSWER_BYTES = 65_536;

const MAX_ANSWER_HEADER_BYTES = 16_384;

/** An address that moved within its host, and one more for the way from http to https and its final slash. */
const MAX_REDIRECTS = 3;

/**
 * As the platform's client: dropped by us before the usual server drops it, since a request written into a
 * connection that is just being closed is one of unknown effect. A connection is checked when it is made, so
 * this is also for how long a name that moved is not noticed.
 */
const KEEP_ALIVE_MS = 4_000;

/**
 * Sends requests to public addresses, and to those that `allow` names. Each connection is checked (guard.ts),
 * everything is bounded, nothing is decompressed, no proxy is taken from the environment.
 *
 * A redirect is followed only where it keeps method and body (307, 308) and stays at the same origin, or goes from
 * http to https of the same host; three times at most. Any other comes back as the answer: what was signed or
 * secured for one receiver is not handed to another.
 *
 * @throws RangeError where an entry of `allow` can't be read.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const agent = new Agent({
    connect: guardedConnector(parseAllowList(options.allow), options.lookup ?? lookupByMachine),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Whatever the receiver proposes.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_ANSWER_HEADER_BYTES,
    // The time of the whole exchange bounds both, and it is never longer.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  let closing: Promise<void> | undefined;
  return {
    request: async (request) => {
      let url = checkRequest(request);
      if (closing !== undefined) throw new OutboundError(url.hostname, "closed", "closed", false);
      const endsAtMs = performance.now() + Math.min(request.timeoutMs, LONGEST_EXCHANGE_MS);
      for (let redirects = 0; ; redirects += 1) {
        const answer = await sendOnce(agent, url, request, endsAtMs);
        const next = nextHop(url, answer);
        if (next === undefined || redirects === MAX_REDIRECTS) return withoutQuery(url, answer);
        url = next;
      }
    },
    // Not gracefully: a receiver that is slow on purpose must not keep a process from ending.
    close: () => (closing ??= agent.destroy()),
  };
}

/** One request and its answer; a redirect is an answer here. */
async function sendOnce(
  agent: Agent,
  url: URL,
  request: OutboundRequest,
  endsAtMs: number,
): Promise<OutboundAnswer> {
  const host = url.hostname;
  const { signal } = request;
  if (signal?.aborted === true) throw new OutboundError(host, "aborted", "aborted", false);
  const exchange = new Exchange();
  const giveUp = (kind: OutboundErrorKind, code: string) =>
    exchange.giveUp(new OutboundError(host, kind, code, exchange.sent));
  const timer = setTimeout(
    () => giveUp("timeout", "no answer in time"),
    Math.max(0, endsAtMs - performance.now()),
  );
  const forget = onAbort(signal, () => giveUp("aborted", "aborted"));
  try {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { "user-agent": "outdial", ...lowerCased(request.headers) },
        body: request.body ?? null,
      },
      exchange,
    );
    return await readAnswer(await exchange.answered, request.answerBytes ?? MAX_ANSWER_BYTES);
  } catch (error) {
    throw toOutboundError(host, error, exchange.sent);
  } finally {
    clearTimeout(timer);
    forget();
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function readAnswer({ status, headers, body }: Received, mostBytes: number): Promise<OutboundAnswer> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "set-cookie") kept[name] = value;
  }
  // Not decompressed: a few bytes can stand for gigabytes.
  const compressed = (kept["content-encoding"] ?? "identity").toLowerCase() !== "identity";
  const text = compressed ? "" : await readBeginning(body, mostBytes);
  body.destroy();
  const retryAfterMs = status === 429 || status === 503 ? parseRetryAfter(kept, Date.now()) : undefined;
  return { status, headers: kept, body: text, retryAfterMs };
}

/**
 * The beginning of a body, as far as it comes in time. What happens to it after the status can't change what the
 * receiver said: a body that breaks off is no reason to deliver again.
 */
async function readBeginning(body: Readable, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const piece: Buffer = chunk;
      chunks.push(piece.subarray(0, mostBytes - bytes));
      bytes += piece.length;
      if (bytes >= mostBytes) break;
    }
  } catch {
    // Whatever ended it: what came is what there is.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true });
  // PostgreSQL's texts hold no NUL.
  return text.replaceAll("\0", "\uFFFD");
}

/** What a failure of undici or of the guard is to our callers. */
export function toOutboundError(host: string, error: unknown, sent: boolean): Error {
  if (error instanceof OutboundError || error instanceof OutboundRefusedError) return error;
  if (error instanceof errors.ConnectTimeoutError) {
    return new OutboundError(host, "timeout", "no connection in time", sent);
  }
  const code = codeOf(error);
  const unreadable = error instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW";
  // Without the cause: it may carry what was sent or received.
  return new OutboundError(host, unreadable ? "not_http" : "connection", code, sent);
}

/** Node's or undici's code of an error; a word without values in it. */
function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "connection failed";
}

/** Deliveries are tried over days; a receiver can ask for one of them, not for our patience with it. */
const MAX_MS = 86_400_000;

/**
 * Reads Retry-After (RFC 9110 10.2.3): seconds, or a date, which is taken relative to the answer's own `Date`.
 *
 * @returns milliseconds from 0 to a day; undefined where there is none or it makes no sense.
 */
function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  const dateMs = parseHttpDate(text);
  if (dateMs === undefined) return undefined;
  const fromMs = parseHttpDate(headers["date"]) ?? nowMs;
  return Math.min(Math.max(dateMs - fromMs, 0), MAX_MS);
}
