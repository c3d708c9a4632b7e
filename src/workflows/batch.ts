import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import type { BatchStep } from "../activities/campaigns/batch-step.ts";
import type { BatchInput } from "../activities/campaigns/create-batch.ts";
import { wakeSignal } from "./messages.ts";
import { engine } from "./proxies.ts";

export interface BatchWorkflowInput {
  batchId: string;
  /** Where an earlier run left off; absent at the beginning, and after a loss of Temporal's data. */
  step?: BatchStep;
}

/** After a failure that retrying does not mend: a key that is refused, say. People mend it meanwhile. */
const AFTER_FAILURE_MS = 10_000;

/**
 * A batch's life: create, start once, look until it is settled. Which step comes next, and when, stands in the
 * ledger and comes back from each activity; this is the clock between them.
 */
export async function batchWorkflow(input: BatchWorkflowInput): Promise<void> {
  const { batchId } = input;
  let step: BatchStep = input.step ?? { next: "create", waitMs: 0 };
  /** Whether the step is what an activity said, as opposed to where every batch begins. */
  let told = false;
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  while (step.next !== "done") {
    if (step.waitMs > 0) await condition(() => woken, step.waitMs);
    woken = false;
    try {
      step = await take(step.next, { batchId, lastStep: input.step || told ? step.next : undefined });
      told = true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error("a step of a batch failed", { batchId, step: step.next, error });
      step = { next: step.next, waitMs: AFTER_FAILURE_MS };
    }
    if (step.next !== "done" && workflowInfo().continueAsNewSuggested) {
      return continueAsNew<typeof batchWorkflow>({ batchId, step });
    }
  }
}

function take(next: Exclude<BatchStep["next"], "done">, batch: BatchInput): Promise<BatchStep> {
  switch (next) {
    case "create":
      return engine.createBatch(batch);
    case "start":
      return engine.startBatch(batch);
    case "tend":
      return engine.tendBatch(batch);
  }
}
