import type { z } from "zod";

/** One entry of a 422 answer, as FastAPI writes them. */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What the platform answers when it refuses (contract 7): a status, and `detail` as text or a list of field errors. */
export class ApiError extends Error {
  readonly statusCode: number;
  readonly detail: string | readonly FieldError[];
  /** Sent with the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    detail: string | readonly FieldError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === "string" ? detail : "Invalid input");
    this.statusCode = statusCode;
    this.detail = detail;
    this.headers = headers;
  }
}

/** Contract 7: `Retry-After` in whole seconds. */
export function rateLimited(waitSeconds: number): ApiError {
  return new ApiError(429, "Rate limit reached", { "retry-after": String(waitSeconds) });
}

export function notFound(what: string): ApiError {
  return new ApiError(404, `${what} not found`);
}

export function conflict(detail: string): ApiError {
  return new ApiError(409, detail);
}

export function paymentRequired(): ApiError {
  return new ApiError(402, "Insufficient credits: add credits to place calls");
}

/** A 422 about one field of the request. */
export function unprocessable(loc: readonly (string | number)[], msg: string, type: string): ApiError {
  return new ApiError(422, [{ loc, msg, type }]);
}

/** The field errors behind a failed parse, `part` being where the data came from: body, query or path. */
export function fieldErrors(part: string, error: z.ZodError): readonly FieldError[] {
  return error.issues.map((issue) => ({
    loc: [part, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))],
    msg: issue.message,
    type: typeOf(issue),
  }));
}

/** Pydantic's names for what zod found. */
function typeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "missing" : `${issue.expected}_type`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? "too_short" : "greater_than_equal";
    case "too_big":
      return issue.origin === "string" || issue.origin === "array" ? "too_long" : "less_than_equal";
    case "invalid_format":
      return "string_pattern_mismatch";
    case "invalid_value":
      return "enum";
    case "unrecognized_keys":
      return "extra_forbidden";
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "not_multiple_of":
    case "custom":
      return "value_error";
  }
}
