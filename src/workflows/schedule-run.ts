import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import type { ScheduleRunStep } from "../activities/schedules/advance-run.ts";
import { wakeSignal } from "./messages.ts";
import { actorsBeside, engine, loadersBeside } from "./proxies.ts";

export interface ScheduleRunWorkflowInput {
  runId: string;
}

/** After a failure that retrying does not mend. People mend it meanwhile. */
const AFTER_FAILURE_MS = 60_000;

/**
 * One run of a schedule, from its beginning to its end. How far it is stands in the ledger; this is the clock between
 * the looks, and holds nothing but ids.
 */
export async function scheduleRunWorkflow({ runId }: ScheduleRunWorkflowInput): Promise<void> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  let refused: string | undefined;
  for (;;) {
    woken = false;
    const step = await advance(runId, refused);
    if (step.next === "done") return;
    let waitMs: number;
    if (step.next === "start") ({ refused, waitMs } = await start(runId));
    else waitMs = step.next === "act" ? await act(step.actionId) : step.waitMs;
    if (waitMs > 0) await condition(() => woken, waitMs);
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof scheduleRunWorkflow>({ runId });
  }
}

async function advance(runId: string, refused: string | undefined): Promise<ScheduleRunStep> {
  try {
    return await engine.advanceScheduleRun({ runId, refused });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("a schedule's run could not be looked at", { runId, error });
    return { next: "wait", waitMs: AFTER_FAILURE_MS };
  }
}

async function start(scheduleRunId: string): Promise<{ refused: string | undefined; waitMs: number }> {
  try {
    const started = await loadersBeside(workflowInfo().taskQueue).startRecurringRun({ scheduleRunId });
    return { refused: "refused" in started ? started.refused : undefined, waitMs: 0 };
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("the campaign of a schedule's run could not be made", { scheduleRunId, error });
    return { refused: undefined, waitMs: AFTER_FAILURE_MS };
  }
}

/** One try, or one look at what a try began. Says when to look again. */
async function act(actionId: string): Promise<number> {
  try {
    const { waitMs } = await actorsBeside(workflowInfo().taskQueue).performAction({ actionId });
    return waitMs ?? 0;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("the automation of a schedule's run could not be tried", { actionId, error });
    return AFTER_FAILURE_MS;
  }
}
