import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import type { EnrolmentStep } from "../activities/sequences/advance.ts";
import { wakeSignal } from "./messages.ts";
import { actorsBeside, engine } from "./proxies.ts";

export interface SequenceWorkflowInput {
  enrolmentId: string;
}

/** After a failure that retrying does not mend. People mend it meanwhile. */
const AFTER_FAILURE_MS = 60_000;

/** Between two tries where there are several actions: whoever has one in hands already is done in that time, mostly. */
const BETWEEN_TRIES_MS = 1_000;

/**
 * One person's way through a sequence. Where it stands, what it knows and what it waits for are the ledger's; this
 * is the clock between its turns, and holds nothing but ids and waits. Asleep it is one timer.
 */
export async function sequenceWorkflow({ enrolmentId }: SequenceWorkflowInput): Promise<void> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const step = await advance(enrolmentId);
    if (step.next === "act") await act(step, () => woken);
    // What came while the last turn was taken is looked at, too: a person may have had an action done again.
    else if (step.next === "done") {
      if (!woken) return;
    } else if (step.waitMs === undefined) await condition(() => woken);
    else if (step.waitMs > 0) await condition(() => woken, step.waitMs);
    // A wake-up says only "look", and the next run begins by looking: none is lost with this one.
    if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof sequenceWorkflow>({ enrolmentId });
  }
}

async function advance(enrolmentId: string): Promise<EnrolmentStep> {
  try {
    return await engine.advanceEnrolment({ enrolmentId, startedAtMs: workflowInfo().startTime.getTime() });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("an enrolment could not take its turn", { enrolmentId, error });
    return { next: "wait", waitMs: AFTER_FAILURE_MS };
  }
}

/** Tries an action until it is over, or something else has to be looked at. When it is tried again stands in its row. */
async function act(
  { actionId, isAwaited }: Extract<EnrolmentStep, { next: "act" }>,
  isWoken: () => boolean,
): Promise<void> {
  const actors = actorsBeside(workflowInfo().taskQueue);
  for (;;) {
    let waitMs: number | undefined;
    let isFailed = false;
    try {
      ({ waitMs } = await actors.performAction({ actionId }));
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error("an action of an enrolment could not be tried", { actionId, error });
      waitMs = AFTER_FAILURE_MS;
      isFailed = true;
    }
    if (waitMs === undefined) return;
    if (!isAwaited) {
      // Another action may be due before this one is again. What can't be tried at all is not asked for in one go.
      await condition(isWoken, isFailed ? waitMs : Math.min(waitMs, BETWEEN_TRIES_MS));
      return;
    }
    if (await condition(isWoken, Math.max(waitMs, 1))) return;
    if (workflowInfo().continueAsNewSuggested) return;
  }
}
