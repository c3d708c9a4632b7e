/**
 * The states of a schedule's run.
 */
export const SCHEDULE_RUN_STATES = [
  /** It is due, and the one before it has still to end. */
  "waiting",
  "running",
  /** A later one takes its place: its campaign is being cancelled, and its calls that are up end. */
  "cancelling",
  "done",
  /** It was begun, and did not come to a good end. */
  "failed",
  /** A later one took its place. */
  "cancelled",
  /** By the overlap policy it was not to be made. */
  "skipped",
  /** Nothing could begin it in time. */
  "missed",
] as const;

export type ScheduleRunState = (typeof SCHEDULE_RUN_STATES)[number];

/** Whether it has something under way. */
export function isUnderWay(state: ScheduleRunState): boolean {
  return state === "running" || state === "cancelling";
}

export type OverlapPolicy = "skip" | "buffer_one" | "cancel_other" | "allow";

/** What becomes of a run that is due while others are open. */
export type Admission =
  | { kind: "begin" }
  | { kind: "wait"; cancelUnderWay: boolean; dropWaiting: boolean }
  | { kind: "skip" };

/**
 * Decides about a run that came due.
 *
 * @param open what is there of the same schedule already
 */
export function admit(policy: OverlapPolicy, open: { underWay: number; waiting: number }): Admission {
  if (policy === "allow" || open.underWay + open.waiting === 0) return { kind: "begin" };
  switch (policy) {
    case "skip":
      return { kind: "skip" };
    case "buffer_one":
      return open.waiting > 0
        ? { kind: "skip" }
        : { kind: "wait", cancelUnderWay: false, dropWaiting: false };
    case "cancel_other":
      // The newest is the one that counts.
      return { kind: "wait", cancelUnderWay: true, dropWaiting: true };
  }
}
