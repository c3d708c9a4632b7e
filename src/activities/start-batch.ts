import { recordBegun, recordNotStarted, recordStartRefusal, readBatch } from "../ledger/batches.ts";
import { permitStart } from "../ledger/starting.ts";
import { isEverythingStopped } from "../ledger/stopping.ts";
import { ConflictError, NotFoundError, PlatformError } from "../platform/index.ts";
import { platformIdOf } from "./batch-reading.ts";
import { DONE, stepOf, type BatchStep } from "./batch-step.ts";
import { batchStep, noteStepFailure } from "./failing-steps.ts";
import { clockDisagreement } from "./clock-check.ts";
import { readOwnBatch, type BatchInput } from "./create-batch.ts";
import type { ActivityDeps } from "./deps.ts";
import { isRefusal, pauseOnRefusal, stopOne } from "./platform-refusal.ts";

/**
 * Sends the batch's one start request, if policy still permits it.
 *
 * Safe to retry: the transaction that permits the start lets one caller through, ever; a retry finds the batch
 * `starting` and goes on to look at it. The request is sent again only where its own answer, or the lack of a
 * connection, says that nothing happened (I1).
 */
export async function startBatch(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  if (!(await readOwnBatch(deps, input))) return DONE;
  const blockedBy = await clockDisagreement(deps);
  const permission = await permitStart(deps.ledger, {
    batchId: input.batchId,
    blockedBy,
    pace: deps.pace,
    nowMs: deps.now(),
  });
  switch (permission.kind) {
    case "missing":
      return DONE;
    case "elsewhere":
      return stepOf(permission.batch, deps.pace, deps.now());
    case "stopped":
      deps.wake.campaign(permission.campaignId);
      deps.outbox.kick();
      return { next: "tend", waitMs: 0 };
    case "permitted":
      break;
  }
  const { batch } = permission;
  // A stop that was written down while the permission was on its way to the ledger: nothing has been sent yet.
  if (await isEverythingStopped(deps.ledger.db)) {
    await recordNotStarted(deps.ledger.db, batch.id);
    return { next: "start", waitMs: 0 };
  }
  try {
    await deps.platform.batchCalls.start(platformIdOf(batch));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    deps.log.warn(
      { batchId: batch.id, error: error.message, effect: error.effect },
      "a start was not confirmed",
    );
    // A conflict may be the platform's way of saying that it has begun already: look.
    if (error.effect !== "did_not_happen" || error instanceof ConflictError) {
      if (error instanceof ConflictError) await recordStartRefusal(deps.ledger.db, batch.id, error.message);
      return { next: "tend", waitMs: deps.pace.lookMs };
    }
    await recordNotStarted(deps.ledger.db, batch.id);
    if (!isRefusal(error)) {
      await noteStepFailure(deps, batchStep(batch.id, "start"), error);
      return { next: "start", waitMs: Math.max(error.retryAfterMs ?? 0, deps.pace.lookMs) };
    }
    // The platform forgot what it created: nobody of it was dialed, and another batch will carry them.
    if (error instanceof NotFoundError) await stopOne(deps, batch.id);
    else await pauseOnRefusal(deps, batch, error);
    return { next: "tend", waitMs: 0 };
  }
  await recordBegun(deps.ledger.db, batch.id, deps.now());
  const begun = await readBatch(deps.ledger.db, batch.id);
  return begun ? stepOf(begun, deps.pace, deps.now()) : DONE;
}
