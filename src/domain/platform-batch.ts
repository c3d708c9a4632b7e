import { normaliseWord } from "./call-outcome.ts";

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

/** Whether the platform shows that a start took effect, by its word or by what it counts. */
export function showsBegun(facts: PlatformBatchFacts): boolean {
  const phase = phaseOfBatch(facts);
  if (phase === "dialing" || phase === "paused" || phase === "terminal") return true;
  return countsSome(facts.active) || countsSome(facts.processed) || facts.startedAt !== undefined;
}

/** Whether a count shows that there is something, or can't be read (NaN): then there may be. */
export function countsSome(count: number | undefined): boolean {
  return count !== undefined && !(count <= 0);
}
