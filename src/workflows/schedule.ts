import { continueAsNew } from "@temporalio/workflow";

import { engine } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface ScheduleWorkflowInput {
  scheduleId: string;
}

/** From a look until its answer is taken up: a worker and the queues between, mostly less. */
const SLACK_MS = 1_000;

/**
 * A schedule's timer: has the ledger decide what is due, and waits as long as it says. It is over when nothing of the
 * schedule is due here any more, because it was paused or removed, and is started again when it is. Runs are workflows
 * of their own.
 */
export function scheduleWorkflow({ scheduleId }: ScheduleWorkflowInput): Promise<string | undefined> {
  return takeTurns({
    look: async () => {
      const askedMs = Date.now();
      const step = await engine.decideDueTimes({ scheduleId });
      if (step.next === "done") return { over: "unless_woken" };
      // Where a worker died with the answer in its hands, due times went on coming until another one took it up. How
      // much of that was before the answer nobody knows: what is looked at too early is looked at again.
      const lostMs = Math.max(0, Date.now() - askedMs - SLACK_MS);
      return { waitMs: Math.max(0, step.waitMs - lostMs), waitsFor: step.waitsFor };
    },
    failure: "what is due of a schedule could not be decided",
    ids: { scheduleId },
    goOn: () => continueAsNew<typeof scheduleWorkflow>({ scheduleId }),
  });
}
