import type { Step } from "../../ledger/ground/failing-steps.ts";
import { LedgerFullError, LedgerUnavailableError } from "../../ledger/ground/connection.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import { readClock } from "../../ledger/ground/clock.ts";

/**
 * Does one thing of a pass. That it fails ends nothing but itself: it is counted, and the pass goes on with the next.
 *
 * @returns whether it was done.
 * @throws LedgerUnavailableError, LedgerFullError since nothing of the pass can be done then.
 */
export async function alone(deps: ActivityDeps, step: Step, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    if (error instanceof LedgerFullError) throw error;
    // A lock that somebody holds for too long is a matter of one campaign.
    if (error instanceof LedgerUnavailableError) await readClock(deps.ledger.db);
    deps.log.warn(
      { step: `${step.verb} ${step.of} ${step.id}`, error: String(error) },
      "the sweeper goes on without it",
    );
    await noteStepFailure(deps, step, error);
    return false;
  }
  await noteStepSuccess(deps, step, { asked: false });
  return true;
}
