/**
 * planned: in the ledger only. created: the platform has it and does not dial it. starting: the one start
 * request was permitted and may have been sent. running: seen begun. draining: takes no new dial any more and
 * is looked at until its end is observed. settled: every attempt is ended or returned.
 */
export const BATCH_STATES = ["planned", "created", "starting", "running", "draining", "settled"] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** Why a batch is to take no new dial. */
export const STOP_REASONS = [
  "pause",
  "cancel",
  "stop_all",
  "window",
  "campaign_end",
  "suppression",
  "withdrawal",
  "concurrency",
  "policy",
  "money",
  "platform_refused",
  "start_not_seen",
  "paused_elsewhere",
  "no_progress",
  "recovery",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

const MOVES: Readonly<Record<BatchState, readonly BatchState[]>> = {
  planned: ["created", "draining"],
  created: ["starting", "draining"],
  // Back to created only where the answer itself says that nothing happened: 429, 404, or a connection never made.
  starting: ["created", "running", "draining"],
  running: ["draining", "settled"],
  draining: ["settled"],
  settled: [],
};

export function canMoveBatch(from: BatchState, to: BatchState): boolean {
  return MOVES[from].includes(to);
}

/** A batch that never had a start request permitted can have dialed nobody. */
export function neverStarted(state: BatchState, startSentAtMs: number | undefined): boolean {
  return state === "planned" || state === "created" || startSentAtMs === undefined;
}

/** Whether the last moment has come at which anybody of a batch may be dialed. */
export function isPastDialBy({ dialByMs }: { dialByMs: number | undefined }, nowMs: number): boolean {
  return dialByMs !== undefined && nowMs >= dialByMs;
}
