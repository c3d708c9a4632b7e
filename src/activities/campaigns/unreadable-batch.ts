import { listUnended } from "../../ledger/campaigns/attempts.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { UnexpectedResponseError } from "../../platform/index.ts";
import { ask } from "../ground/asking.ts";
import { platformIdOf } from "./batch-reading.ts";
import { settleFromItems } from "./batch-settling.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import type { ActivityDeps } from "../deps.ts";
import { letGo, reasonNow, requestStopOf } from "./unseen-batch.ts";
import { recordVanished } from "../../ledger/campaigns/batch-steps.ts";

/*
 * A batch whose record, or whose items, can't be read: what the platform answers about it makes no sense.
 *
 * 1. What can be read of the two still holds: items settle their people, whatever the record says.
 * 2. It is taken back blindly where it has to stop. That makes nobody's phone ring.
 * 3. It is told to people, and looked at again. After as long as any call lasts it has to stop, and only after twice as
 *    long its people end as unknown:
 *    they count as dialed (I1), and nobody else waits for their slots any longer (I6).
 */

/** Does what can be done without the answer. @throws error where that was not enough, so that it is tried again. */
export async function tendUnreadable(
  deps: ActivityDeps,
  known: Batch,
  error: UnexpectedResponseError,
): Promise<BatchStep> {
  const { ledger, pace } = deps;
  const batch = await markedSince(deps, known);
  const isUp = await settleWhatCanBeRead(deps, batch);
  const left = await listUnended(ledger.db, batch.id);
  const nowMs = deps.now();
  const isOver = nowMs - sinceMs(batch, nowMs) >= 2 * pace.callBoundMs;
  if (left.length > 0 && batch.stopRequestedAtMs !== undefined) {
    await ask(deps, "pause", platformIdOf(batch));
    if (!isUp || isOver) await ask(deps, "cancel", platformIdOf(batch));
  }
  if (left.length > 0 && !isOver) throw error;
  const why = `what the platform says of it could never be read (${error.message})`;
  if (await letGo(deps, batch, why)) return DONE;
  throw error;
}

/** Since when it should have been over, or could not be read: each of them is told by something else that lasts. */
function sinceMs({ vanishedAtMs, terminalSeenAtMs, stopRequestedAtMs }: Batch, nowMs: number): number {
  return Math.min(vanishedAtMs ?? nowMs, terminalSeenAtMs ?? nowMs, stopRequestedAtMs ?? nowMs);
}

/** The batch as of now, asked to stop where its time is over: since when it can't be read is noted at the first time. */
async function markedSince(deps: ActivityDeps, known: Batch): Promise<Batch> {
  const { ledger, pace } = deps;
  const nowMs = deps.now();
  await recordVanished(ledger.db, known.id, nowMs);
  // It will be given up: nobody watches it after that.
  const isLate = nowMs - (known.vanishedAtMs ?? nowMs) >= pace.callBoundMs;
  const reason = (await reasonNow(deps, known)) ?? (isLate ? "no_progress" : undefined);
  if (reason !== undefined && known.stopReason === undefined) await requestStopOf(deps, known.id, reason);
  return (await readBatch(ledger.db, known.id)) ?? known;
}

/** Whether somebody of it is seen to be up. */
async function settleWhatCanBeRead(deps: ActivityDeps, batch: Batch): Promise<boolean> {
  try {
    const { reading } = await settleFromItems(deps, batch, { proof: false });
    return reading.up.length > 0;
  } catch (error) {
    if (!(error instanceof UnexpectedResponseError)) throw error;
    return false;
  }
}
