import type { Batch } from "../ledger/batches.ts";
import type { Pace } from "./deps.ts";

/** What a batch's workflow does next, and how long it may wait for a wake-up before that. */
export interface BatchStep {
  next: "create" | "start" | "tend" | "done";
  waitMs: number;
}

export const DONE: BatchStep = { next: "done", waitMs: 0 };

/** The step that fits a batch as the ledger has it: workflows that were lost take up where it stands. */
export function stepOf(batch: Batch, pace: Pace, nowMs: number): BatchStep {
  switch (batch.state) {
    case "planned":
      return { next: "create", waitMs: 0 };
    case "created":
      return { next: "start", waitMs: 0 };
    case "starting":
      return { next: "tend", waitMs: pace.lookMs };
    case "running": {
      if (batch.stopReason) return { next: "tend", waitMs: 0 };
      const untilStopMs = batch.dialByMs === undefined ? pace.batchLookMs : batch.dialByMs - nowMs;
      return { next: "tend", waitMs: Math.max(0, Math.min(untilLookMs(batch, pace, nowMs), untilStopMs)) };
    }
    case "draining":
      return { next: "tend", waitMs: 0 };
    case "settled":
      return DONE;
  }
}

/** One that was accepted is looked at once it should be dialed, and again soon while nothing shows that it is. */
function untilLookMs({ startSentAtMs, startSeenAtMs }: Batch, pace: Pace, nowMs: number): number {
  if (startSeenAtMs === undefined) return pace.processingLookMs;
  const untilDoubtMs = (startSentAtMs ?? nowMs) + pace.startDoubtMs - nowMs;
  return untilDoubtMs > 0 ? Math.min(pace.batchLookMs, untilDoubtMs) : pace.batchLookMs;
}
