import { continueAsNew, workflowInfo } from "@temporalio/workflow";

import { keepersBeside } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface AutomationWorkflowInput {
  automationId: string;
}

/**
 * Brings an automation to what is declared, and runs again what people ask for. Where it stands and which step is
 * next are the ledger's; this is the clock between the steps, and ends when there is nothing to do.
 */
export async function automationWorkflow({
  automationId,
}: AutomationWorkflowInput): Promise<string | undefined> {
  const keepers = keepersBeside(workflowInfo().taskQueue);
  return takeTurns({
    look: async () => {
      const step = await keepers.tendAutomation({ automationId });
      if (step.next === "done") return { over: "unless_woken" };
      return { waitMs: step.waitMs, waitsFor: "the platform, or the next try of a step" };
    },
    failure: "an automation could not take its step",
    ids: { automationId },
    goOn: () => continueAsNew<typeof automationWorkflow>({ automationId }),
  });
}
