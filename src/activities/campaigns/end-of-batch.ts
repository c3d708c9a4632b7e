import type { Reading } from "../../domain/campaigns/findings.ts";
import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import { lastNeverDialed } from "../../ledger/campaigns/batch-troubles.ts";
import { resolveStalledWhereRunning } from "../../ledger/campaigns/campaign-stalls.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { EndlessListError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { readBatchName } from "./batch-name.ts";
import { closeIfSettled, releaseIdleSlots, settleFromItems } from "./batch-settling.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { endTrouble, giveUp } from "./batch-troubles.ts";
import { deleteUnstarted } from "./create-batch.ts";
import type { ActivityDeps } from "../deps.ts";
import { pauseForPeople } from "./platform-refusal.ts";
import { prove, settleWithoutProof, type EndLook } from "./proving.ts";
import { needsPeople } from "../ground/platform-refusals.ts";
import { recordTerminal } from "../../ledger/campaigns/batch-steps.ts";

/*
 * The end of a batch: what became of its people is settled, and what is left of it on the platform goes. Who counts as
 * not dialed is proving.ts's.
 */

/** Batches looked through for one that was created without an answer; what is missed dials nobody. */
const ORPHANS_LOOKED_AT = 500;

/**
 * Takes a batch that never had a start request off the platform. Its attempts were given back already; one of which
 * something is known that contradicts that counts as dialed.
 */
export async function discardUnstarted(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  if (batch.platformBatchId !== undefined) await deleteUnstarted(deps, batch.platformBatchId);
  const left = await listUnended(deps.ledger.db, batch.id);
  const phones = left.map((attempt) => attempt.phone);
  await giveUp(deps, batch, phones, "a call of it is known, though its batch was never started");
  // What can't be written now keeps it open: it is looked at again.
  return (await closeIfSettled(deps, batch)) ? DONE : { next: "tend", waitMs: deps.pace.processingLookMs };
}

/** Settles a batch that the platform shows as over, or as never begun and not to be cancelled. */
export async function settleTerminal(deps: ActivityDeps, batch: Batch, view: BatchCall): Promise<BatchStep> {
  const { pace } = deps;
  await recordTerminal(deps.ledger.db, batch.id, deps.now());
  const beganMs = deps.now();
  const { reading, isProof } = await settleAtEnd(deps, batch);
  if (await closeIfSettled(deps, batch)) return DONE;
  // One that has not begun may do so yet.
  if (phaseOfBatch(view) === "terminal") await releaseIdleSlots(deps, batch, reading, view.active || 0);
  const waiting = reading.up.length + reading.wantCalls.length + reading.wantAnalysis.length;
  const read = (await readBatch(deps.ledger.db, batch.id)) ?? batch;
  const overdue = deps.now() - (read.terminalSeenAtMs ?? deps.now()) >= pace.callBoundMs;
  const look: EndLook = { batch: read, view, reading, isProof, beganMs, waiting: waiting > 0, overdue };
  if (reading.undialed.length + reading.missing.length > 0) {
    const step = await (isProof ? prove(deps, look) : settleWithoutProof(deps, look));
    if (step) return step;
  }
  if (overdue) await giveUp(deps, read, reading.up, "calls of it were still not over long after its end");
  if (await closeIfSettled(deps, read)) return DONE;
  return { next: "tend", waitMs: waiting > 0 ? pace.processingLookMs : pace.lookMs };
}

/** Settles what the items say. Where they can't be listed to their end, their rows hold, and prove nothing. */
async function settleAtEnd(
  deps: ActivityDeps,
  batch: Batch,
): Promise<{ reading: Reading; isProof: boolean }> {
  try {
    const { reading } = await settleFromItems(deps, batch, { proof: true });
    return { reading, isProof: true };
  } catch (error) {
    if (!(error instanceof EndlessListError)) throw error;
    deps.log.warn({ batchId: batch.id, error: error.message }, "the items of a batch prove nothing");
    const { reading } = await settleFromItems(deps, batch, { proof: false });
    return { reading, isProof: false };
  }
}

/**
 * Whoever closed it: people need not look at it any more, and what was created for it without an answer goes. Where it
 * is one more of which nobody was called, they have to look at its campaign. Safe to repeat.
 */
export async function afterEnd(deps: ActivityDeps, batch: Batch): Promise<void> {
  await endTrouble(deps, batch.id);
  if (batch.startSeenAtMs !== undefined && batch.stopReason === undefined)
    await resolveStalledWhereRunning(deps.ledger.db, batch.campaignId, deps.now());
  await pauseWhereNobodyIsDialed(deps, batch);
  await deleteOrphans(deps, batch);
}

/** So many batches one after the other that dialed nobody are no bad luck any more. */
const MOST_UNDIALED = 5;

/** Making the same batch over and over helps nobody: a person has to look. */
async function pauseWhereNobodyIsDialed(deps: ActivityDeps, batch: Batch): Promise<void> {
  const reason = whyNotDialed(batch);
  if (reason === undefined) return;
  const { startRefusal } = batch;
  // Whoever resumes the campaign is not overruled by another look at the same batch.
  const commandId = `undialed-${batch.id}`;
  if (batch.stopReason === "start_not_seen" && startRefusal !== undefined) {
    const what = `the platform does not start its batches: ${startRefusal}`;
    await pauseForPeople(deps, batch, what, commandId);
  } else if (await lastNeverDialed(deps.ledger.db, batch.campaignId, MOST_UNDIALED)) {
    const what = `${MOST_UNDIALED} batches in a row ${reason}: check the platform`;
    await pauseForPeople(deps, batch, what, commandId);
  }
}

/** What may be true of one batch after the other without anybody being called. */
function whyNotDialed({ stopReason, startSeenAtMs, startRefusal }: Batch): string | undefined {
  if (stopReason === "start_not_seen" && startSeenAtMs === undefined)
    return "were asked to start and did not show as begun";
  if (stopReason === "platform_refused" && startRefusal !== undefined)
    return `were created, and the platform did not know them when they were to start (${startRefusal})`;
  return stopReason === "no_progress" ? "were asked to begin, and no call of them was ever seen" : undefined;
}

/**
 * Deletes batches that were created for this one without an answer. None of them was ever started: one that is missed
 * now dials nobody, and is found later (chores/recovery/orphans.ts).
 */
async function deleteOrphans(deps: ActivityDeps, batch: Batch): Promise<void> {
  const expected = batch.platformBatchId === undefined ? 0 : 1;
  if (batch.createNo <= expected) return;
  let lookedAt = 0;
  try {
    // What has no id can't be deleted, and was never started.
    for await (const other of deps.platform.batchCalls.iterate({ limit: 100 }, { onUnreadable() {} })) {
      lookedAt += 1;
      if (lookedAt > ORPHANS_LOOKED_AT) break;
      const name = readBatchName(other.name);
      if (name?.batchId !== batch.id || other.batch_call_id === batch.platformBatchId) continue;
      await deleteUnstarted(deps, other.batch_call_id);
    }
  } catch (error) {
    if (needsPeople(error) || !(error instanceof PlatformError)) throw error;
    deps.log.warn({ batchId: batch.id, error: error.message }, "a batch's orphans can't be looked for now");
  }
}
