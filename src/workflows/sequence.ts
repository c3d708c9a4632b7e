import { condition, continueAsNew, isCancellation, log, workflowInfo } from "@temporalio/workflow";

import type { EnrolmentStep } from "../activities/sequences/advance.ts";
import { actorsBeside, engine } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface SequenceWorkflowInput {
  enrolmentId: string;
}

/** After a failure that retrying does not mend. People mend it meanwhile. */
const AFTER_FAILURE_MS = 60_000;

/** Between two tries where there are several actions: whoever has one in hands already is done in that time, mostly. */
const BETWEEN_TRIES_MS = 1_000;

/** Then it is looked at again, at the latest: the ledger says so, too (enrolment-turns.ts). */
const TRIES_MS = 5 * 60_000;

/**
 * Has a person's actions tried. Where somebody stands in a sequence, what it knows and what it waits for are the
 * ledger's, and its turns need no workflow; this runs while something of it is to be tried, and ends when there is
 * nothing. What came while the last turn was taken is looked at, too: a person may have had an action done again.
 */
export function sequenceWorkflow({ enrolmentId }: SequenceWorkflowInput): Promise<string | undefined> {
  return takeTurns({
    look: async (isWoken) => {
      const startedAtMs = workflowInfo().startTime.getTime();
      const step = await engine.advanceEnrolment({ enrolmentId, startedAtMs });
      if (step.next === "done") return { over: "unless_woken" };
      if (step.next === "sleep") return { over: "unless_woken", leaves: sleepOf(step) };
      await act(step, isWoken);
      return { waitMs: 0 };
    },
    failure: "an enrolment could not take its turn",
    ids: { enrolmentId },
    goOn: () => continueAsNew<typeof sequenceWorkflow>({ enrolmentId }),
  });
}

/** For people who look into Temporal. */
function sleepOf({ untilMs, waitsFor }: Extract<EnrolmentStep, { next: "sleep" }>): string {
  const until = untilMs === undefined ? "" : `, until ${new Date(untilMs).toISOString()} at the latest`;
  return `sleeps, and waits for ${waitsFor ?? "the next try of an action"}${until}`;
}

/**
 * Tries an action until it is over, something else has to be looked at, or it is not tried again soon. When it is
 * tried again stands in its row.
 */
async function act(
  { actionId, isAwaited }: Extract<EnrolmentStep, { next: "act" }>,
  isWoken: () => boolean,
): Promise<void> {
  const actors = actorsBeside(workflowInfo().taskQueue);
  const untilMs = Date.now() + TRIES_MS;
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
    if (waitMs === undefined || Date.now() + waitMs > untilMs) return;
    if (!isAwaited) {
      // Another action may be due before this one is again. What can't be tried at all is not asked for in one go.
      await condition(isWoken, isFailed ? waitMs : Math.min(waitMs, BETWEEN_TRIES_MS));
      return;
    }
    if (await condition(isWoken, Math.max(waitMs, 1))) return;
    if (workflowInfo().continueAsNewSuggested) return;
  }
}
