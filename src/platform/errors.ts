import type { Endpoint } from "./endpoint.ts";

/**
 * What a failed request may have done on the platform.
 * `none`: it was a read, there was nothing to do.
 * `did_not_happen`: a write that provably had no effect; sending it again is safe.
 * `may_have_happened`: a write whose effect is unknown; look before sending it again.
 */
export type Effect = "none" | "did_not_happen" | "may_have_happened";

/** Stable words for programs; the classes below say the same to `instanceof`. */
export type PlatformErrorCode =
  | "invalid_request"
  | "unauthorized"
  | "payment_required"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "unprocessable"
  | "rate_limited"
  | "internal_error"
  | "bad_gateway"
  | "unavailable"
  | "gateway_timeout"
  | "redirected"
  | "unexpected_status"
  | "unexpected_response"
  | "connection"
  | "timeout"
  | "aborted";

/** One field that was refused, by this client before sending or by the platform (contract 7, status 422). */
export interface FieldError {
  /** Dotted path, for example `contacts.3.phone_number`. */
  readonly field: string;
  readonly message: string;
}

/** What an error is made of. Texts that came from the platform arrive here masked (masking.ts). */
export interface ErrorFacts {
  readonly endpoint: Pick<Endpoint, "method" | "route"> | undefined;
  /** What went wrong, in words that may be shown and logged. */
  readonly problem: string;
  readonly effect: Effect;
  readonly status?: number | undefined;
  readonly detail?: string | undefined;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Field errors that fit into a message a person reads; all of them are on the error. */
const FIELD_ERRORS_SHOWN = 5;

/**
 * Everything this client throws. The message names method, route template and status, never the key,
 * a URL or a whole phone number, so that it can go to a log as it is.
 */
export abstract class PlatformError extends Error {
  abstract readonly code: PlatformErrorCode;
  readonly method: Endpoint["method"] | undefined;
  /** The route template, for example `/v1/batch-calls/{batch_id}`. */
  readonly route: string | undefined;
  readonly effect: Effect;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** What the platform said about it, masked and cut to a bounded length. */
  readonly detail: string | undefined;
  readonly fieldErrors: readonly FieldError[];
  /** The platform's id of the request, for a support ticket. */
  readonly requestId: string | undefined;
  /** How long the platform asked us to wait, bounded (retry-after.ts). */
  readonly retryAfterMs: number | undefined;

  constructor(facts: ErrorFacts) {
    super(messageOf(facts), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.method = facts.endpoint?.method;
    this.route = facts.endpoint?.route;
    this.effect = facts.effect;
    this.status = facts.status;
    this.detail = facts.detail;
    this.fieldErrors = facts.fieldErrors ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

function messageOf(facts: ErrorFacts): string {
  const where = facts.endpoint === undefined ? "" : `${facts.endpoint.method} ${facts.endpoint.route}: `;
  const detail = facts.detail === undefined ? "" : `: ${facts.detail}`;
  const fieldErrors = facts.fieldErrors ?? [];
  const shown = fieldErrors.slice(0, FIELD_ERRORS_SHOWN).map((one) => `${one.field}: ${one.message}`);
  const more = fieldErrors.length > shown.length ? `; and ${fieldErrors.length - shown.length} more` : "";
  const fields = shown.length === 0 ? "" : ` (${shown.join("; ")}${more})`;
  return `${where}${facts.problem}${detail}${fields}${effectNote(facts)}`;
}

function effectNote({ effect }: ErrorFacts): string {
  switch (effect) {
    case "none":
      return "";
    case "did_not_happen":
      return " [did not happen]";
    case "may_have_happened":
      return " [may have happened]";
  }
}

/** What was asked breaks the contract's rules; found before anything was sent. `fieldErrors` name the fields. */
export class InvalidRequestError extends PlatformError {
  readonly code = "invalid_request";
}

/** 401: missing, invalid or expired key, or an address outside its allowlist. */
export class UnauthorizedError extends PlatformError {
  readonly code = "unauthorized";
}

/** 402: something must first be unlocked or paid for. */
export class PaymentRequiredError extends PlatformError {
  readonly code = "payment_required";
}

/** 403: the key's scopes do not allow the operation. */
export class ForbiddenError extends PlatformError {
  readonly code = "forbidden";
}

/** 404: the resource does not exist. */
export class NotFoundError extends PlatformError {
  readonly code = "not_found";
}

/** 409: the operation does not fit the resource's present state. */
export class ConflictError extends PlatformError {
  readonly code = "conflict";
}

/** 422: invalid input; `fieldErrors` carry what the platform said. */
export class UnprocessableError extends PlatformError {
  readonly code = "unprocessable";
}

/** 429: rate limit reached; `retryAfterMs` where the platform said when. */
export class RateLimitedError extends PlatformError {
  readonly code = "rate_limited";
}

/** 500. */
export class InternalServerError extends PlatformError {
  readonly code = "internal_error";
}

/** 502. */
export class BadGatewayError extends PlatformError {
  readonly code = "bad_gateway";
}

/** 503. */
export class UnavailableError extends PlatformError {
  readonly code = "unavailable";
}

/** 504. */
export class GatewayTimeoutError extends PlatformError {
  readonly code = "gateway_timeout";
}

/** 3xx: redirects are never followed, since they would carry the key to an address nobody configured. */
export class RedirectedError extends PlatformError {
  readonly code = "redirected";
}

/** Any other status that is not a success. */
export class UnexpectedStatusError extends PlatformError {
  readonly code = "unexpected_status";
}

/** An answer that is not what it must be: not JSON, not the documented record, too large, not HTTP, a list that never ends. */
export class UnexpectedResponseError extends PlatformError {
  readonly code = "unexpected_response";
}

/** A list that can't be read to its end: it repeats its rows, or goes on beyond the pages asked for. */
export class EndlessListError extends UnexpectedResponseError {}

/** Facts of a failure on the wire. */
export interface WireFacts extends ErrorFacts {
  readonly sent: boolean;
}

/** The connection could not be made (refused, DNS, TLS), or was lost. */
export class ConnectionError extends PlatformError {
  readonly code = "connection";
  /** False: not a byte of the request was written. */
  readonly sent: boolean;

  constructor(facts: WireFacts) {
    super(facts);
    this.sent = facts.sent;
  }
}

/** A bound on waiting was reached: for a connection, for the answer to begin, or for the whole request. */
export class TimeoutError extends PlatformError {
  readonly code = "timeout";
  /** False: not a byte of the request was written. */
  readonly sent: boolean;

  constructor(facts: WireFacts) {
    super(facts);
    this.sent = facts.sent;
  }
}

/**
 * The caller's signal was aborted (`cause` is its reason), the client was closed, or what was being uploaded
 * could not be read.
 */
export class AbortedError extends PlatformError {
  readonly code = "aborted";
}

const STATUS_CLASSES = new Map<number, new (facts: ErrorFacts) => PlatformError>([
  [401, UnauthorizedError],
  [402, PaymentRequiredError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, UnprocessableError],
  [429, RateLimitedError],
  [500, InternalServerError],
  [502, BadGatewayError],
  [503, UnavailableError],
  [504, GatewayTimeoutError],
]);

/** The error class of a status that is not a success. */
export function errorClassOf(status: number): new (facts: ErrorFacts) => PlatformError {
  const documented = STATUS_CLASSES.get(status);
  if (documented !== undefined) return documented;
  return status >= 300 && status < 400 ? RedirectedError : UnexpectedStatusError;
}
