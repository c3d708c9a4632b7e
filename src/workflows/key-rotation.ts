import {
  condition,
  continueAsNew,
  isCancellation,
  log,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";

import type { KeyRotationTurn } from "../activities/keys/tend.ts";
import { wakeSignal } from "./messages.ts";
import { engine } from "./proxies.ts";

export interface KeyRotationWorkflowInput {
  rotationId: string;
}

/** After a failure that retrying does not mend, such as a key that is refused. People mend it meanwhile. */
const AFTER_FAILURE_MS = 60_000;

/**
 * One rotation of the platform's key. How far it is stands in the ledger and on disk; this is the clock between the
 * steps, and no key ever comes here.
 */
export async function keyRotationWorkflow({ rotationId }: KeyRotationWorkflowInput): Promise<void> {
  let woken = false;
  setHandler(wakeSignal, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const turn = await tend(rotationId);
    if (turn.next === "done") return;
    await condition(() => woken, turn.waitMs);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof keyRotationWorkflow>({ rotationId });
  }
}

async function tend(rotationId: string): Promise<KeyRotationTurn> {
  try {
    return await engine.tendKeyRotation({ rotationId });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.error("a rotation of the key could not be taken further", { rotationId, error });
    return { next: "wait", waitMs: AFTER_FAILURE_MS };
  }
}
