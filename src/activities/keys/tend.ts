import { readKeyRotation, type KeyRotation } from "../../ledger/keys/key-rotations.ts";
import { noteLook } from "../../ledger/ground/look-by.ts";
import { UnauthorizedError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { askAndStore } from "./ask-and-store.ts";
import { BY_HAND, tell, type StepResult } from "./giving-up.ts";
import { retire, takeBack } from "./retire.ts";
import { switchOver } from "./switch-over.ts";
import { verify } from "./verify.ts";

/*
 * 1. The new key is in the memory of one process from the platform's answer until `stage` returns, and nowhere but in
 *    files of the key's folder after that. Workflows, ledger, logs and errors hold ids and beginnings.
 * 2. The new key is stored beside the old one before it is used, and used only after it was seen to work. So there
 *    is a key that works in the file at every instant, and a key that does not is never put there.
 * 3. A try to get a new key is claimed before the request is sent, and its answer is stored under the rotation's lock
 *    by whoever still holds the newest claim. Who lost it (a crash, a lost answer) left a key behind that nobody
 *    has; it is taken back at the end, when the key in use is known for certain.
 * 4. The file and the ledger can't change in one step. Where the process dies between them, the file is right, and
 *    the ledger is brought in line with it.
 */

/** What the rotation's workflow does next. */
export type KeyRotationTurn = { next: "done" } | { next: "wait"; waitMs: number };

/** Each state has a step or two at most: whoever takes more is going round in circles, slowly. */
const MOST_STEPS = 12;

/**
 * Takes a rotation as far as it goes now.
 *
 * Safe to retry, and to be done by two: what was stored is found again, a new key that was not is asked for again
 * within the old one's grace, and every move is a compare-and-set.
 */
export async function tendKeyRotation(
  deps: ActivityDeps,
  { rotationId }: { rotationId: string },
): Promise<KeyRotationTurn> {
  const turn = await tend(deps, rotationId);
  const { ledger, now } = deps;
  if (turn.next === "wait")
    await noteLook(ledger.db, "key_rotation", rotationId, { nowMs: now(), waitMs: turn.waitMs });
  return turn;
}

async function tend(deps: ActivityDeps, rotationId: string): Promise<KeyRotationTurn> {
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const rotation = await readKeyRotation(deps.ledger.db, rotationId);
    if (!rotation || rotation.endedAtMs !== undefined) {
      deps.keys?.inUse.file?.drop(rotationId);
      return { next: "done" };
    }
    const result = await stepOrTell(deps, rotation);
    if (result !== "again") return { next: "wait", waitMs: result.waitMs };
  }
  return { next: "wait", waitMs: deps.pace.lookMs };
}

/** A key in use that is refused is for people to mend: nothing here makes another one without it. */
async function stepOrTell(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  try {
    return await step(deps, rotation);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await tell(deps.ledger.db, deps, rotation, {
      what: `the platform refuses the key in use, and the rotation waits: ${error.message}`,
      remedy: BY_HAND,
    });
    return { waitMs: deps.pace.refusedLookMs };
  }
}

function step(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  switch (rotation.state) {
    case "rotating":
      return askAndStore(deps, rotation);
    case "stored":
      return switchOver(deps, rotation);
    case "switched":
      return verify(deps, rotation);
    case "verified":
    case "done":
      return retire(deps, rotation);
    case "failed":
      return takeBack(deps, rotation);
  }
}
