import { CallerRefusedError } from "../commands/caller-refused.ts";
import { ImportError } from "../contacts/import-errors.ts";
import { CampaignNotOverError } from "../ledger/campaigns/campaign-specs.ts";
import { UnknownCampaignError } from "../ledger/campaigns/commands.ts";
import { LedgerFullError, LedgerUnavailableError } from "../ledger/ground/connection.ts";
import { AppendRefusedError } from "../ledger/campaigns/imports.ts";
import { RecoveryRefusedError } from "../ledger/recovery/recovery.ts";
import { RequestReusedError } from "../ledger/ground/request-keys.ts";
import {
  ConnectionError,
  ForbiddenError,
  PlatformError,
  TimeoutError,
  UnauthorizedError,
} from "../platform/index.ts";
import { Problem } from "./problem.ts";
import { CommandRefusedError } from "../ledger/ground/command-refused.ts";
import { ListIsOlderError } from "../ledger/ground/listed-numbers.ts";

/** The answer to whatever a route threw. Nothing of an unexpected error is told; it goes to the log. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return (
    problemOfLedger(error) ??
    problemOfPlatform(error) ??
    problemOfRequest(error) ??
    new Problem(
      {
        status: 500,
        code: "internal_error",
        detail:
          "the request failed for a reason that nobody foresaw: the log of the system has it. What was acknowledged before still stands",
      },
      { cause: error },
    )
  );
}

function problemOfLedger(error: unknown): Problem | undefined {
  if (error instanceof UnknownCampaignError) return refused(404, "unknown_campaign", error);
  if (error instanceof RequestReusedError) return refused(409, "idempotency_key_reused", error);
  if (error instanceof CampaignNotOverError) return refused(409, "campaign_exists", error);
  if (error instanceof ListIsOlderError) return refused(409, "list_is_older", error);
  if (
    error instanceof CommandRefusedError ||
    error instanceof AppendRefusedError ||
    error instanceof RecoveryRefusedError
  )
    return refused(409, "command_refused", error);
  if (error instanceof CallerRefusedError)
    return new Problem(
      { status: 422, code: "caller_refused", detail: error.message, errors: error.errors },
      { cause: error },
    );
  if (error instanceof LedgerUnavailableError) return refused(503, "ledger_unavailable", error);
  if (error instanceof LedgerFullError) return refused(507, "ledger_full", error);
  if (error instanceof ImportError) {
    return new Problem(
      {
        status: 422,
        code: "invalid_list",
        detail: error.line === undefined ? error.message : `line ${error.line}: ${error.message}`,
        extra: { list_code: error.code, ...(error.line !== undefined && { line: error.line }) },
      },
      { cause: error },
    );
  }
  return undefined;
}

function refused(
  status: number,
  code:
    | "unknown_campaign"
    | "campaign_exists"
    | "command_refused"
    | "list_is_older"
    | "idempotency_key_reused"
    | "ledger_unavailable"
    | "ledger_full",
  error: Error,
): Problem {
  return new Problem({ status, code, detail: error.message }, { cause: error });
}

function problemOfPlatform(error: unknown): Problem | undefined {
  if (!(error instanceof PlatformError)) return undefined;
  if (error instanceof UnauthorizedError) {
    return platformProblem(
      502,
      "platform_key_refused",
      error,
      "the platform refuses the key: set PLATFORM_API_KEY, or the file that PLATFORM_API_KEY_FILE names, to one that is valid and has not expired",
    );
  }
  if (error instanceof ForbiddenError) {
    return platformProblem(
      502,
      "platform_key_refused",
      error,
      "the platform's key lacks a scope: give it agents:read, phone_numbers:read, calls:read and batch_calls:delete, or all",
    );
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return platformProblem(
      503,
      "platform_unreachable",
      error,
      "the platform does not answer: check PLATFORM_BASE_URL and the way there, then try again",
    );
  }
  return platformProblem(
    502,
    "platform_failed",
    error,
    "the platform failed: try again, and if it stays so, ask whoever runs it",
  );
}

function platformProblem(
  status: number,
  code: "platform_key_refused" | "platform_unreachable" | "platform_failed",
  error: PlatformError,
  what: string,
): Problem {
  return new Problem({ status, code, detail: `${what} (${error.message})` }, { cause: error });
}

/** What Fastify's parser found wrong with a body. */
const BODY_WORDS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY:
    "the body is empty: send JSON, or leave the content type out where there is nothing to send",
  FST_ERR_CTP_INVALID_JSON_BODY:
    "the body is not JSON, or has a field called __proto__ (or constructor, with a prototype in it), which is not taken",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    "the body is not as long as its Content-Length says: send it again, whole",
};

function bodyWords(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  return BODY_WORDS[code] ?? "the request is not well-formed: check its headers and its body";
}

/** What Fastify and its plugins found wrong with the request itself. */
function problemOfRequest(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  switch (error.statusCode) {
    case 400:
      return new Problem(
        { status: 400, code: "invalid_request", detail: bodyWords(error) },
        { cause: error },
      );
    case 413:
      return new Problem({
        status: 413,
        code: "too_large",
        detail:
          "the body is larger than this request takes: send less at once, or a list to the route for lists",
      });
    case 415:
      return new Problem({
        status: 415,
        code: "unsupported_media_type",
        detail:
          "the content type is missing, malformed or not taken here: send application/json; a trigger takes a form, too, and a list is text/csv or application/x-ndjson",
      });
    case 429:
      return new Problem({
        status: 429,
        code: "rate_limited",
        detail: "too many requests came from this address: wait as long as Retry-After says",
      });
    default:
      return undefined;
  }
}
