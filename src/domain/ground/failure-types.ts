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

export type FailureType = (typeof NOT_RETRYABLE_FAILURES)[number] | (typeof RETRYABLE_FAILURES)[number];
