import { ApplicationFailure } from "@temporalio/common";

import { UnknownCampaignError } from "../ledger/campaigns/commands.ts";
import { LedgerFullError, LedgerUnavailableError } from "../ledger/ground/connection.ts";
import { RequestReusedError } from "../ledger/ground/request-keys.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  PlatformError,
  RateLimitedError,
  UnauthorizedError,
  UnprocessableError,
} from "../platform/index.ts";
import { CommandRefusedError } from "../ledger/ground/command-refused.ts";

/**
 * Types of the failures that activities hand to workflows. The names stand in histories: they never change
 * their meaning.
 */
export const NOT_RETRYABLE_FAILURES = [
  "InvalidRequest",
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "Conflict",
  "PaymentRequired",
  "OutcomeUnknown",
] as const;

export const RETRYABLE_FAILURES = ["RateLimited", "PlatformUnavailable", "LedgerUnavailable"] as const;

type FailureType = (typeof NOT_RETRYABLE_FAILURES)[number] | (typeof RETRYABLE_FAILURES)[number];

/** The ledger was waited for, and has just come back: not all at the same moment. */
const AFTER_LEDGER_MS = 250;
const AFTER_LEDGER_SPREAD_MS = 1_000;

/**
 * The failure that a workflow sees for an error of a port. Anything else goes through as it is, retryable.
 *
 * @param waited a ledger that was away was waited for
 */
export function failureOf(error: unknown, { waited = false }: { waited?: boolean } = {}): unknown {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof LedgerUnavailableError || error instanceof LedgerFullError) {
    return ApplicationFailure.create({
      type: "LedgerUnavailable",
      message: error.message,
      cause: error,
      ...(waited && { nextRetryDelay: AFTER_LEDGER_MS + Math.floor(Math.random() * AFTER_LEDGER_SPREAD_MS) }),
    });
  }
  if (
    error instanceof CommandRefusedError ||
    error instanceof RequestReusedError ||
    error instanceof UnknownCampaignError
  ) {
    const type: FailureType = error instanceof UnknownCampaignError ? "NotFound" : "Conflict";
    return ApplicationFailure.create({ type, message: error.message, nonRetryable: true, cause: error });
  }
  if (!(error instanceof PlatformError)) return error;
  const type = typeOf(error);
  return ApplicationFailure.create({
    type,
    message: error.message,
    nonRetryable: (NOT_RETRYABLE_FAILURES as readonly FailureType[]).includes(type),
    cause: error,
    ...(error.retryAfterMs !== undefined && { nextRetryDelay: error.retryAfterMs }),
  });
}

function typeOf(error: PlatformError): FailureType {
  if (error instanceof InvalidRequestError || error instanceof UnprocessableError) return "InvalidRequest";
  if (error instanceof UnauthorizedError) return "Unauthorized";
  if (error instanceof ForbiddenError) return "Forbidden";
  if (error instanceof NotFoundError) return "NotFound";
  if (error instanceof ConflictError) return "Conflict";
  if (error instanceof PaymentRequiredError) return "PaymentRequired";
  if (error instanceof RateLimitedError) return "RateLimited";
  // Nobody may repeat by themselves what may have happened.
  if (error.effect === "may_have_happened") return "OutcomeUnknown";
  return "PlatformUnavailable";
}
