/** Contract 3.3, with the values seen in published clients. */
export type BatchStatus = "pending" | "queued" | "running" | "paused" | "completed" | "cancelled" | "failed";

/**
 * What can happen to a batch. `pickup` is a dialer taking a queued batch up, `refuse` its finding the agent or the
 * number gone, `drain` the last item's end, `starve` credits running out.
 */
export type BatchEvent =
  | "start"
  | "pause"
  | "resume"
  | "cancel"
  | "pickup"
  | "refuse"
  | "drain"
  | "starve"
  | "delete";

const TRANSITIONS: Readonly<Record<BatchStatus, Partial<Record<BatchEvent, BatchStatus>>>> = {
  pending: { start: "queued", cancel: "cancelled", delete: "pending" },
  queued: {
    pause: "paused",
    cancel: "cancelled",
    pickup: "running",
    refuse: "failed",
    drain: "completed",
    delete: "queued",
  },
  running: { pause: "paused", cancel: "cancelled", drain: "completed", starve: "paused" },
  paused: {
    start: "queued",
    resume: "queued",
    cancel: "cancelled",
    drain: "completed",
    delete: "paused",
  },
  completed: { delete: "completed" },
  cancelled: { delete: "cancelled" },
  failed: { delete: "failed" },
};

/** The status that an event leads to; null if it does not fit the present one (409 for a caller). */
export function nextBatchStatus(status: BatchStatus, event: BatchEvent): BatchStatus | null {
  return TRANSITIONS[status][event] ?? null;
}

/** Whether nothing will be dialed any more. */
export function isOver(status: BatchStatus): boolean {
  return status === "completed" || status === "cancelled" || status === "failed";
}
