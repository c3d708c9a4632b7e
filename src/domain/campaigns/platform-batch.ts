import { normaliseWord } from "../ground/normalise-word.ts";

/** What the platform's word for a batch means for us. The words are not documented: unrecognised is an answer. */
export type PlatformBatchPhase = "not_begun" | "dialing" | "paused" | "terminal" | "unrecognised";

const PHASE_OF_WORD: Readonly<Record<string, PlatformBatchPhase>> = {
  pending: "not_begun",
  draft: "not_begun",
  created: "not_begun",
  scheduled: "not_begun",
  // "Start or resume; queues for pickup": a queued batch dials as soon as it is picked up.
  queued: "dialing",
  starting: "dialing",
  started: "dialing",
  running: "dialing",
  active: "dialing",
  in_progress: "dialing",
  processing: "dialing",
  resuming: "dialing",
  pausing: "dialing",
  cancelling: "dialing",
  canceling: "dialing",
  paused: "paused",
  completed: "terminal",
  complete: "terminal",
  cancelled: "terminal",
  canceled: "terminal",
  stopped: "terminal",
  failed: "terminal",
  error: "terminal",
  finished: "terminal",
  ended: "terminal",
  done: "terminal",
};

export interface PlatformBatchFacts {
  status: string | undefined;
  active: number | undefined;
  processed: number | undefined;
  startedAt: string | undefined;
}

export function phaseOfBatch(facts: Pick<PlatformBatchFacts, "status">): PlatformBatchPhase {
  const word = normaliseWord(facts.status ?? "");
  return Object.hasOwn(PHASE_OF_WORD, word) ? (PHASE_OF_WORD[word] ?? "unrecognised") : "unrecognised";
}

/** Whether a count shows that there is something, or can't be read (NaN): then there may be. */
export function countsSome(count: number | undefined): boolean {
  return count !== undefined && !(count <= 0);
}

/** Whether it counts calls, up or over. */
export function countsDials({
  active,
  processed,
}: Pick<PlatformBatchFacts, "active" | "processed">): boolean {
  return countsSome(active) || countsSome(processed);
}

/** Whether the platform shows that a start took effect, by its word or by what it counts. */
export function showsBegun(facts: PlatformBatchFacts): boolean {
  const phase = phaseOfBatch(facts);
  if (phase === "dialing" || phase === "paused" || phase === "terminal") return true;
  return countsDials(facts) || facts.startedAt !== undefined;
}

/**
 * Whether it was taken up by a dialer, as far as the platform shows that. `queued` is a word for what was accepted and
 * waits ("start queues for pickup"): it may dial at any moment, and has dialed nobody.
 */
export function showsPickedUp(facts: PlatformBatchFacts): boolean {
  if (countsDials(facts) || facts.startedAt !== undefined) return true;
  return showsBegun(facts) && normaliseWord(facts.status ?? "") !== "queued";
}
