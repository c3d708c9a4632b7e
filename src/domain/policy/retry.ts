import { isRetryable, type Disposition } from "./disposition.ts";
import type { DialingPolicy } from "./dialing-policy.ts";

export type Aftermath =
  | { kind: "retry"; dueAtMs: number }
  /** `reason` says why no further attempt follows. */
  | { kind: "final"; reason: FinalReason };

/** Why a contact is done. Stands in the report. */
export type FinalReason =
  | "reached"
  | "not_retryable"
  | "max_attempts"
  | "max_per_disposition"
  | "no_delay_set";

export interface EndedAttempt {
  disposition: Disposition;
  endedAtMs: number;
  /** Attempts of this contact so far, this one included. */
  attempts: number;
  /** Those that came to the same disposition, this one included. */
  sameDisposition: number;
}

/**
 * Whether an ended attempt is followed by another, and when.
 *
 * One cap for all: delays never add attempts, and the platform itself is told to retry nothing. An `unknown`
 * outcome is never retried (I1).
 */
export function afterAttempt(ended: EndedAttempt, policy: DialingPolicy): Aftermath {
  const { disposition } = ended;
  if (disposition === "answered" || disposition === "callback_requested")
    return { kind: "final", reason: "reached" };
  if (!isRetryable(disposition)) return { kind: "final", reason: "not_retryable" };
  if (ended.attempts >= policy.maxAttempts) return { kind: "final", reason: "max_attempts" };
  const perDisposition = policy.maxPerDisposition[disposition];
  if (perDisposition !== undefined && ended.sameDisposition >= perDisposition) {
    return { kind: "final", reason: "max_per_disposition" };
  }
  const delayMs = policy.delaysMs[disposition];
  if (delayMs === undefined) return { kind: "final", reason: "no_delay_set" };
  return { kind: "retry", dueAtMs: ended.endedAtMs + delayMs };
}
