import { isRetryable, type Disposition } from "./disposition.ts";
import type { DialingPolicy } from "./dialing-policy.ts";
import type { OpeningsAhead, Whereabouts } from "./openings-ahead.ts";
import { otherPartMs } from "./other-part.ts";
import { waitAfter, type RetryWait } from "./retry-delay.ts";
import { DAY_MS } from "../time/local-day.ts";

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
  /** Where the contact may be. Asked for only where the policy looks ahead (`looksAhead`), as is the next. */
  where: Whereabouts;
  /** When it was called, this attempt last. Unix milliseconds. */
  calledMs: readonly number[];
}

/** What whether another attempt follows depends on; when it is due, on more. */
export type EndedAs = Pick<EndedAttempt, "disposition" | "attempts" | "sameDisposition">;

/** What is waited for before the next attempt, or why there is none. */
export function nextWait(
  { disposition, attempts, sameDisposition }: EndedAs,
  policy: Pick<DialingPolicy, "maxAttempts" | "maxPerDisposition" | "delays">,
): RetryWait | FinalReason {
  if (disposition === "answered" || disposition === "callback_requested") return "reached";
  if (!isRetryable(disposition)) return "not_retryable";
  if (attempts >= policy.maxAttempts) return "max_attempts";
  const perDisposition = policy.maxPerDisposition[disposition];
  if (perDisposition !== undefined && sameDisposition >= perDisposition) return "max_per_disposition";
  const delay = policy.delays[disposition];
  return (delay && waitAfter(delay, sameDisposition)) ?? "no_delay_set";
}

/**
 * Whether an ended attempt is followed by another, and when.
 *
 * One cap for all: delays never add attempts, and the platform itself is told to retry nothing. An `unknown`
 * outcome is never retried (I1). When it is due may lie outside the window all the same: the gate is asked then (I2).
 *
 * @param ahead the openings of the policy's window, with the blackouts that are in force.
 */
export function afterAttempt(ended: EndedAttempt, policy: DialingPolicy, ahead: OpeningsAhead): Aftermath {
  const wait = nextWait(ended, policy);
  if (typeof wait === "string") return { kind: "final", reason: wait };
  return { kind: "retry", dueAtMs: dueAtMs(wait, ended, ahead) };
}

function dueAtMs({ kind, afterMs }: RetryWait, ended: EndedAttempt, ahead: OpeningsAhead): number {
  const earliestMs = ended.endedAtMs + afterMs;
  switch (kind) {
    case "delay":
      return earliestMs;
    case "next_window":
      // What does not close for a day does not open on the next one either.
      return nextOpeningMs(ended.where, earliestMs, ahead) ?? earliestMs + DAY_MS;
    case "other_part_of_day":
      // A window within one part of the day has no other.
      return otherPartMs(ahead, ended.where, earliestMs, ended.calledMs) ?? earliestMs;
  }
}

function nextOpeningMs(where: Whereabouts, fromMs: number, ahead: OpeningsAhead): number | undefined {
  for (const { startMs, endMs, opens } of ahead.openings(where, fromMs)) {
    if (opens) return startMs;
    if (endMs > fromMs + DAY_MS) return undefined;
  }
  return undefined;
}
