import { continueAsNew, workflowInfo } from "@temporalio/workflow";

import { actorsBeside, engine, loadersBeside } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface ScheduleRunWorkflowInput {
  runId: string;
}

/**
 * One run of a schedule, from its beginning to its end. How far it is stands in the ledger; this is the clock between
 * the looks, and holds nothing but ids.
 */
export function scheduleRunWorkflow({ runId }: ScheduleRunWorkflowInput): Promise<string | undefined> {
  const { taskQueue } = workflowInfo();
  const actors = actorsBeside(taskQueue);
  const loaders = loadersBeside(taskQueue);
  let refused: string | undefined;
  return takeTurns({
    look: async () => {
      const step = await engine.advanceScheduleRun({ runId, refused });
      switch (step.next) {
        case "done":
          return { over: "for_good" };
        case "start": {
          refused = undefined;
          const started = await loaders.startRecurringRun({ scheduleRunId: runId });
          if ("refused" in started) ({ refused } = started);
          return { waitMs: 0 };
        }
        case "act": {
          const { waitMs } = await actors.performAction({ actionId: step.actionId });
          return { waitMs: waitMs ?? 0, waitsFor: "its automation to end, or the next try of it" };
        }
        case "wait":
          return { waitMs: step.waitMs, waitsFor: "its campaign to end" };
      }
    },
    failure: "a schedule's run could not be taken further",
    ids: { runId },
    goOn: () => continueAsNew<typeof scheduleRunWorkflow>({ runId }),
  });
}
