import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import type { AutomationStep } from "../activities/automations/writing.ts";
import { wakeSignal } from "./messages.ts";
import { keepersBeside } from "./proxies.ts";

export interface AutomationWorkflowInput {
  automationId: string;
}

/** After a failure that retrying does not mend. People mend it meanwhile. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Brings an automation to what is declared, and runs again what people ask for. Where it stands and which step is
 * next are the ledger's; this is the clock between the steps, and ends when there is nothing to do.
 */
export async function automationWorkflow({ automationId }: AutomationWorkflowInput): Promise<void> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const step = await tend(automationId);
    // What came while the last step was taken is looked at, too.
    if (step.next === "done") {
      if (!woken) return;
    } else if (step.waitMs > 0) await condition(() => woken, step.waitMs);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof automationWorkflow>({ automationId });
  }
}

async function tend(automationId: string): Promise<AutomationStep> {
  try {
    return await keepersBeside(workflowInfo().taskQueue).tendAutomation({ automationId });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("an automation could not take its step", { automationId, error });
    return { next: "wait", waitMs: AFTER_FAILURE_MS };
  }
}
