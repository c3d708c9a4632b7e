/** What an attempt came to. The words are the product's: they stand in specs, reports and the ledger. */
export const DISPOSITIONS = [
  "answered",
  "voicemail",
  "no_answer",
  "busy",
  "failed",
  "invalid_number",
  "opted_out",
  "callback_requested",
  "unknown",
] as const;

export type Disposition = (typeof DISPOSITIONS)[number];

/** Dispositions that a spec may give a retry delay. Every other one ends its contact. */
export const RETRYABLE_DISPOSITIONS = ["no_answer", "busy", "voicemail", "failed"] as const;

export type RetryableDisposition = (typeof RETRYABLE_DISPOSITIONS)[number];

/** Somebody was spoken with, or nobody knows whether: what a bound on conversations counts. */
export const CONVERSATIONS = [
  "answered",
  "callback_requested",
  "opted_out",
  "unknown",
] as const satisfies readonly Disposition[];

/** Whether somebody was, or may have been, spoken with. */
export function isConversation(disposition: Disposition): boolean {
  return (CONVERSATIONS as readonly string[]).includes(disposition);
}

export function isRetryable(disposition: Disposition): disposition is RetryableDisposition {
  return (RETRYABLE_DISPOSITIONS as readonly string[]).includes(disposition);
}
