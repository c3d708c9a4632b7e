import type { Batch } from "../../ledger/campaigns/batches.ts";
import { noteLook } from "../../ledger/ground/look-by.ts";
import type { ActivityDeps, Pace } from "../deps.ts";

/** What a batch's workflow does next, and how long it may wait for a wake-up before that. */
export interface BatchStep {
  next: "create" | "start" | "tend" | "done";
  waitMs: number;
}

export const DONE: BatchStep = { next: "done", waitMs: 0 };

/** Says in the ledger by when a batch has to have taken its next step. */
export async function noteStep(
  { ledger, now }: Pick<ActivityDeps, "ledger" | "now">,
  batchId: string,
  step: BatchStep,
): Promise<BatchStep> {
  if (step.next !== "done")
    await noteLook(ledger.db, "batch", batchId, { nowMs: now(), waitMs: step.waitMs });
  return step;
}

/**
 * The step that fits a batch as the ledger has it: workflows that were lost take up where it stands.
 *
 * @param isDialed somebody of it was seen to be dialed
 */
export function stepOf(batch: Batch, pace: Pace, nowMs: number, isDialed = false): BatchStep {
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
      return {
        next: "tend",
        waitMs: Math.max(0, Math.min(untilLookMs(batch, pace, nowMs, isDialed), untilStopMs)),
      };
    }
    case "draining":
      return { next: "tend", waitMs: 0 };
    case "settled":
      return DONE;
  }
}

/**
 * One that was accepted is looked at once it should be dialed, and again soon while nothing shows that it is, or while
 * the platform does not do what it should for it: bounds are counted from that, and reached only by a look.
 */
function untilLookMs(batch: Batch, pace: Pace, nowMs: number, isDialed: boolean): number {
  const { startSentAtMs, startSeenAtMs, trouble } = batch;
  if (startSeenAtMs === undefined || trouble !== undefined) return pace.processingLookMs;
  const untilDoubtMs = (startSentAtMs ?? nowMs) + pace.startDoubtMs - nowMs;
  if (untilDoubtMs > 0) return Math.min(pace.batchLookMs, untilDoubtMs);
  return isDialed ? pace.batchLookMs : pace.processingLookMs;
}
