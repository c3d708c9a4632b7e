import { continueAsNew } from "@temporalio/workflow";

import { engine } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

export interface KeyRotationWorkflowInput {
  rotationId: string;
}

/**
 * One rotation of the platform's key. How far it is stands in the ledger and on disk; this is the clock between the
 * steps, and no key ever comes here. A key that is refused is people's to mend.
 */
export function keyRotationWorkflow({ rotationId }: KeyRotationWorkflowInput): Promise<string | undefined> {
  return takeTurns({
    look: async () => {
      const turn = await engine.tendKeyRotation({ rotationId });
      if (turn.next === "done") return { over: "for_good" };
      return { waitMs: turn.waitMs, waitsFor: "processes to use the new key, or the old one's time to pass" };
    },
    failure: "a rotation of the key could not be taken further",
    ids: { rotationId },
    goOn: () => continueAsNew<typeof keyRotationWorkflow>({ rotationId }),
  });
}
