import { continueAsNew, setWorkflowOptions, workflowInfo } from "@temporalio/workflow";

import type { BatchStep } from "../activities/campaigns/batch-step.ts";
import type { BatchInput } from "../activities/campaigns/create-batch.ts";
import { engine } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface BatchWorkflowInput {
  batchId: string;
  /**
   * When the planning that handed it over saw it in the ledger. It may be started any time later: the plan waits in
   * Temporal until a worker is there. Unix milliseconds; absent: as its start.
   */
  plannedAtMs?: number | undefined;
  /** Where an earlier run left off; absent at the beginning, and after a loss of Temporal's data. */
  step?: BatchStep;
}

/** After a failure that retrying does not mend: a key that is refused, say. People mend it meanwhile. */
const AFTER_FAILURE_MS = 10_000;

const WAITS_FOR = {
  create: "the next try of its create",
  start: "the next try of its start",
  tend: "its calls to end, and the next look at them",
} as const;

/**
 * A batch's life: create, start once, look until it is settled. Which step comes next, and when, stands in the
 * ledger and comes back from each activity; this is the clock between them.
 */
export function batchWorkflow(input: BatchWorkflowInput): Promise<string | undefined> {
  const { batchId, plannedAtMs } = input;
  let next = input.step?.next ?? "create";
  /** Whether that is what an activity said, as opposed to where every batch begins. */
  let told = input.step !== undefined;
  return takeTurns({
    look: async () => {
      if (next === "done") return { over: "for_good" };
      const startedAtMs = plannedAtMs ?? workflowInfo().startTime.getTime();
      const step = await take(next, { batchId, lastStep: told ? next : undefined, startedAtMs });
      told = true;
      ({ next } = step);
      return next === "done" ? { over: "for_good" } : { waitMs: step.waitMs, waitsFor: WAITS_FOR[next] };
    },
    failure: "a step of a batch failed",
    ids: { batchId },
    afterFailureMs: AFTER_FAILURE_MS,
    goOn: () => continueAsNew<typeof batchWorkflow>({ batchId, plannedAtMs, step: { next, waitMs: 0 } }),
  });
}

// Its calls are up: it ends on the build on which it began. From workers that are not told apart by build the server takes
// no such word.
setWorkflowOptions(
  () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: "PINNED" } : {}),
  batchWorkflow,
);

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
