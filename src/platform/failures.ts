import { effectOfSilence, effectOfStatus } from "./effect.ts";
import { readErrorBody } from "./error-body.ts";
import {
  AbortedError,
  ConnectionError,
  EndlessListError,
  type ErrorFacts,
  errorClassOf,
  type PlatformError,
  RateLimitedError,
  TimeoutError,
  UnexpectedResponseError,
} from "./errors.ts";
import type { AnswerHeaders } from "./exchange.ts";
import { parseRetryAfter } from "./retry-after.ts";
import type { HeldBack } from "./limiter.ts";
import type { Limits, WireFailure } from "./transport.ts";
import type { Endpoint } from "./endpoint.ts";

/** An answer's headers, as far as this client reads them. */
export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

/** The error of an answer with an unsuccessful status. */
export function statusError(
  endpoint: Endpoint,
  answer: Answer,
  body: string | undefined,
  mask: (text: string) => string,
): PlatformError {
  const { status, headers } = answer;
  const { detail, fieldErrors } = readErrorBody(body, mask);
  const redirected = status >= 300 && status < 400;
  const facts: ErrorFacts = {
    endpoint,
    problem: redirected
      ? `answered ${status} with a redirect${destination(headers.location, mask)}, which is not followed`
      : `answered ${status}`,
    effect: effectOfStatus(endpoint.access, status),
    status,
    detail,
    fieldErrors,
    requestId: requestIdOf(headers),
    retryAfterMs: parseRetryAfter(headers["retry-after"], { date: headers.date, nowMs: Date.now() }),
  };
  return new (errorClassOf(status))(facts);
}

/** The error of a successful answer that is not what it must be. A write has most likely happened. */
export function unexpectedResponse(
  endpoint: Endpoint,
  answer: Answer | undefined,
  problem: string,
): PlatformError {
  return new UnexpectedResponseError({
    endpoint,
    problem: answer === undefined ? problem : `answered ${answer.status}, but ${problem}`,
    effect: effectOfSilence(endpoint.access, true),
    status: answer?.status,
    requestId: answer && requestIdOf(answer.headers),
  });
}

/** The error of a list whose answers are as documented, and lead to no end. */
export function endlessList(endpoint: Endpoint, problem: string): PlatformError {
  return new EndlessListError({ endpoint, problem, effect: effectOfSilence(endpoint.access, true) });
}

/** The error of a list some of whose rows have no id, for whoever needs all of them. */
export function unreadableRows(endpoint: Endpoint, rows: number): PlatformError {
  const problem = `the list has ${rows === 1 ? "a row" : `${rows} rows`} without an id`;
  return unexpectedResponse(endpoint, undefined, problem);
}

/** The error of a request that got no answer. */
export function wireError(endpoint: Endpoint, failure: WireFailure): PlatformError {
  const { kind, code, sent, cause } = failure;
  const facts = { endpoint, effect: effectOfSilence(endpoint.access, sent), sent, cause };
  switch (kind) {
    case "connection": {
      const problem = sent ? `connection lost (${code})` : `could not connect (${code})`;
      return new ConnectionError({ ...facts, problem });
    }
    case "timeout":
      return new TimeoutError({ ...facts, problem: `timed out: ${code}${sent ? "" : ", nothing was sent"}` });
    case "aborted":
    case "source":
      return new AbortedError({ ...facts, problem: code });
    case "not_http":
      return unexpectedResponse(endpoint, undefined, `the answer is not HTTP (${code})`);
  }
}

/** The error of a request that the limiter did not let begin: nothing was sent. */
export function heldBackError(
  endpoint: Endpoint,
  { why, retryAfterMs }: HeldBack,
  { wholeMs, signal }: Limits,
): PlatformError {
  const facts = { endpoint, effect: effectOfSilence(endpoint.access, false), sent: false };
  switch (why) {
    case "held": {
      const seconds = Math.ceil(retryAfterMs / 1_000);
      const problem = `held back for ${seconds} s more, as the platform asked; nothing was sent`;
      return new RateLimitedError({ ...facts, problem, retryAfterMs: Math.ceil(retryAfterMs) });
    }
    case "full":
      return new RateLimitedError({ ...facts, problem: "too many requests are waiting; nothing was sent" });
    case "late":
      return new TimeoutError({
        ...facts,
        problem: `held back for ${Math.round(wholeMs)} ms, nothing was sent`,
      });
    case "aborted":
      return new AbortedError({ ...facts, problem: "aborted by the caller", cause: signal?.reason });
  }
}

/** The error of a request to a client that was closed. */
export function closedError(endpoint: Endpoint): PlatformError {
  const effect = effectOfSilence(endpoint.access, false);
  return new AbortedError({ endpoint, problem: "the client is closed", effect });
}

const REQUEST_ID_HEADERS = ["x-request-id", "x-correlation-id", "request-id"] as const;

/** The platform's id of a request, if it sends one; only what is fit for a log line. */
export function requestIdOf(headers: AnswerHeaders): string | undefined {
  const present = REQUEST_ID_HEADERS.map((name) => headers[name]);
  return present.find((value) => value !== undefined && /^[\x21-\x7e]{1,128}$/.test(value));
}

/** Where a redirect points to, without its query, which may carry a secret. */
function destination(location: string | undefined, mask: (text: string) => string): string {
  const target = location?.split(/[?#]/)[0]?.slice(0, 200);
  return target === undefined || target === "" ? "" : ` to ${mask(target)}`;
}
