import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import { lockBatch, moveBatch, requestStop, type Batch } from "../../ledger/campaigns/batches.ts";
import { isEverythingStopped } from "../../ledger/campaigns/stopping.ts";
import { PlatformError } from "../../platform/index.ts";
import { ask } from "../ground/asking.ts";
import { closeIfSettled } from "./batch-settling.ts";
import { giveUp } from "./batch-troubles.ts";
import type { ActivityDeps } from "../deps.ts";
import { recordTerminal } from "../../ledger/campaigns/batch-steps.ts";

/*
 * What holds for every batch that can't be seen, whether it is said not to be there (vanished-batch.ts), is not told of
 * (unanswered-batch.ts), or what is told of it makes no sense (unreadable-batch.ts). It may be dialing all the same.
 *
 * 1. A stop needs no look: it is asked for when it is due, and again at each look, since nothing shows its effect.
 * 2. One that will be given up is asked to stop half of that time before: nobody watches it after that.
 * 3. Given up, its people count as dialed (I1), and its slots are free (I6).
 */

/** Takes it back where its time is over, it was asked to stop before, or everything is to stop. */
export async function stopWhereDue(deps: ActivityDeps, batch: Batch): Promise<void> {
  const reason = batch.stopReason ?? (await reasonNow(deps, batch));
  if (reason !== undefined) await stopUnseen(deps, batch, reason);
}

/** Why a batch has to stop, as far as the ledger and the clock tell. */
export async function reasonNow(deps: ActivityDeps, batch: Batch): Promise<StopReason | undefined> {
  if (batch.dialByMs !== undefined && deps.now() >= batch.dialByMs) return "window";
  return (await isEverythingStopped(deps.ledger.db)) ? "stop_all" : undefined;
}

/** Takes it back blindly, which makes nobody's phone ring. */
export async function stopUnseen(deps: ActivityDeps, batch: Batch, reason: StopReason): Promise<void> {
  if (batch.platformBatchId === undefined) return;
  // Before its campaign's lock, which may be long in coming: no new call begins meanwhile.
  for (const what of ["pause", "cancel"] as const) await ask(deps, what, batch.platformBatchId);
  if (batch.stopReason === undefined) await requestStopOf(deps, batch.id, reason);
}

/** Writes down that it is to stop, and why. */
export function requestStopOf(deps: ActivityDeps, batchId: string, reason: StopReason): Promise<void> {
  return deps.ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return;
    await requestStop(tx, { campaign: locked.campaign, batchIds: [batchId], reason, nowMs: deps.now() });
  });
}

/** A wait that goes beyond no stop which comes due in it. */
export function waitUntilDue({ now }: ActivityDeps, { dialByMs, stopReason }: Batch, waitMs: number): number {
  const untilDueMs = (dialByMs ?? 0) - now();
  return stopReason === undefined && untilDueMs > 0 ? Math.min(waitMs, untilDueMs) : waitMs;
}

/** Lets go of a batch about which nothing more will be known. False where it can't be closed yet. */
export async function letGo(deps: ActivityDeps, batch: Batch, why: string): Promise<boolean> {
  const { db } = deps.ledger;
  if (batch.state === "starting" || batch.state === "running")
    await moveBatch(db, batch.id, batch.state, "draining");
  await recordTerminal(db, batch.id, deps.now());
  const left = await listUnended(db, batch.id);
  const phones = left.map((attempt) => attempt.phone);
  await giveUp(deps, batch, phones, why);
  return closeIfSettled(deps, batch);
}

/** Whether the platform answers what has nothing to do with one batch. */
export async function answersOtherwise({ platform }: ActivityDeps): Promise<boolean> {
  try {
    await platform.batchCalls.active();
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return false;
  }
}
