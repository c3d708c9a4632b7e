import {
  InvalidRequestError,
  UnprocessableError,
  type OperationEntry,
  type PlatformError,
  type RequestInput,
} from "../../platform/index.ts";
import { CliError } from "../errors.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { fieldsOf, type Field } from "./fields.ts";
import { kebab } from "./words.ts";

/**
 * What the platform, or the client before it, refused: one message with the remedy; fields on lines of their
 * own, with the options that set them. Bad input ends with 2, a refusal with 1.
 */
export function failureOf(
  error: PlatformError,
  entry: OperationEntry,
  { body, query }: RequestInput,
): CliError {
  const exitCode = exitCodeOf(error);
  const { fieldErrors } = error;
  if (fieldErrors.length === 0) {
    return new CliError(`${error.message}${remedyText(error, entry)}`, exitCode, forPrograms(error));
  }
  const fields = fieldsOf(entry);
  const given = new Set([body, query].flatMap((part) => Object.keys(part ?? {})));
  const lines = fieldErrors.map(({ field, message }) => {
    const known = fieldNamed(fields, field);
    const flag = known === undefined ? "" : ` (${known.flag})`;
    const isAbsent = error instanceof InvalidRequestError && known?.isRequired && !given.has(known.name);
    return `  ${field}${flag}: ${isAbsent && !field.includes(".") ? "is needed" : message}`;
  });
  const who = error instanceof InvalidRequestError ? "not sent" : `refused by the platform (${error.status})`;
  return new CliError(
    `${kebab(entry.resource)} ${kebab(entry.action)}, ${who}:\n${lines.join("\n")}\n\`outdial platform ${kebab(entry.resource)} ${kebab(entry.action)} --help\` says what each field takes`,
    exitCode,
    forPrograms(error),
  );
}

/** The client's code of it, and what a program decides by before it sends anything again. */
function forPrograms(error: PlatformError) {
  const { code, status, effect, requestId, retryAfterMs, fieldErrors } = error;
  return {
    cause: error,
    code: `platform_${code}`,
    facts: {
      effect,
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      ...(fieldErrors.length > 0 && { errors: fieldErrors }),
    },
  };
}

function exitCodeOf(error: PlatformError): ExitCode {
  if (error instanceof InvalidRequestError || error instanceof UnprocessableError) return EXIT.badInput;
  return error.code === "aborted" ? EXIT.interrupted : EXIT.failed;
}

/** `contacts.3.phone_number` and FastAPI's `body.contacts` both belong to `contacts`. */
function fieldNamed(fields: readonly Field[], dotted: string): Field | undefined {
  const [first, second] = dotted.split(".");
  const name = (first === "body" || first === "query") && second !== undefined ? second : first;
  // An agent's name travels under another name (contract 2.2).
  return (
    fields.find((field) => field.name === name) ??
    (name === "name" ? fields.find((field) => field.name === "agent_name") : undefined)
  );
}

function remedyText(error: PlatformError, entry: OperationEntry): string {
  const remedy = remedyOf(error, entry);
  return remedy === undefined ? "" : `: ${remedy}`;
}

/** RFC 9110, 15.5.14: the platform's contract has no word for it. */
const CONTENT_TOO_LARGE = 413;

function remedyOf(error: PlatformError, { resource, body }: OperationEntry): string | undefined {
  if (error.effect === "may_have_happened") {
    return `look with \`outdial platform ${kebab(resource)}\` before you do it again`;
  }
  if (error.status === CONTENT_TOO_LARGE) {
    return body === "multipart" ? "make the file smaller, or split it" : "send less at once";
  }
  switch (error.code) {
    case "unauthorized":
      return "set PLATFORM_API_KEY to a valid key of this platform, and check its address allowlist";
    case "forbidden":
      return "give the key a scope for this, or use another key";
    case "payment_required":
      return "add credit on the platform, or unlock what it names";
    case "not_found":
      return "check the ids, and that the key is of the organization that has them";
    case "conflict":
      return "its present state does not allow it: look at it first";
    case "rate_limited":
      return `try again ${error.retryAfterMs === undefined ? "later" : `in ${Math.ceil(error.retryAfterMs / 1_000)} s`}`;
    case "internal_error":
    case "bad_gateway":
    case "unavailable":
    case "gateway_timeout":
      return "try again, and if it stays so, ask whoever runs the platform";
    case "connection":
    case "timeout":
    case "redirected":
      return "check PLATFORM_BASE_URL, the network and any proxy";
    case "unexpected_status":
    case "unexpected_response":
      return "check PLATFORM_BASE_URL; `outdial doctor` looks at it";
    case "invalid_request":
    case "unprocessable":
      return `\`outdial platform ${kebab(resource)} --help\` says what is taken`;
    case "aborted":
      return undefined;
  }
}
