import { ApplicationFailure } from "@temporalio/common";

import type { FailureType } from "../domain/ground/failure-types.ts";
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

/** The failure that a workflow sees for an error of a port. Anything else goes through as it is, retryable. */
export function failureOf(error: unknown): unknown {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof LedgerUnavailableError || error instanceof LedgerFullError) {
    return ApplicationFailure.create({ type: "LedgerUnavailable", message: error.message, cause: error });
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
    nonRetryable: type !== "RateLimited" && type !== "PlatformUnavailable",
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
