import { phaseOfBatch } from "../domain/platform-batch.ts";
import {
  lockBatch,
  moveBatch,
  lastStartsNeverShowed,
  readBatch,
  recordFirstRead,
  recordProven,
  recordTerminal,
  recordVanished,
  returnAttempts,
  type Batch,
} from "../ledger/batches.ts";
import { listUnended } from "../ledger/attempts.ts";
import type { Reading } from "../domain/findings.ts";
import { ConflictError, EndlessListError, NotFoundError, type BatchCall } from "../platform/index.ts";
import { readBatchName } from "./batch-name.ts";
import { digitsOf, platformIdOf, readCalls } from "./batch-reading.ts";
import { closeIfSettled, settleFromItems, settleUnknown } from "./batch-settling.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { deleteUnstarted } from "./create-batch.ts";
import type { ActivityDeps } from "./deps.ts";
import { pauseForPeople } from "./platform-refusal.ts";

/*
 * The end of a batch that may have dialed, and what proves that somebody was not dialed (I1).
 *
 * 1. The batch is seen to be over before the first read begins.
 * 2. Two reads, a quiet time apart, each paged until empty, both have the item with a known undialed word, no
 *    call, no count.
 * 3. The calls listed for the batch show none to the number, and no call whose number can't be told; and the
 *    platform is not known to leave a batch's calls out of that listing.
 * 4. A batch whose start was never seen is deleted before anybody of it is dialed again, so that a start that
 *    takes effect late finds nothing to start.
 * 5. A listing that can't be paged to its end proves nothing. Where it is the items', whoever it does not show
 *    as dialed waits until it shows that, or until a bound has passed.
 * Whoever fails one of these counts as dialed: `unknown`, final.
 */

/** Batches looked through for one that was created without an answer; what is missed dials nobody. */
const ORPHANS_LOOKED_AT = 500;

/** Takes a batch that never had a start request off the platform. Its attempts were given back already. */
export async function discardUnstarted(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  if (batch.platformBatchId !== undefined) await deleteUnstarted(deps, batch.platformBatchId);
  await deleteOrphans(deps, batch);
  await closeIfSettled(deps, batch);
  return DONE;
}

/** Settles a batch that the platform shows as over, or as never begun and not to be cancelled. */
export async function settleTerminal(deps: ActivityDeps, batch: Batch, view: BatchCall): Promise<BatchStep> {
  const { pace } = deps;
  await recordTerminal(deps.ledger.db, batch.id, deps.now());
  const { reading, isProof } = await settleAtEnd(deps, batch);
  if (await closeIfSettled(deps, batch)) return end(deps, batch);
  const waiting = reading.up.length + reading.wantCalls.length + reading.wantAnalysis.length;
  const undecided = [...reading.undialed, ...reading.missing];
  const read = (await readBatch(deps.ledger.db, batch.id)) ?? batch;
  const overdue = deps.now() - (read.terminalSeenAtMs ?? deps.now()) >= pace.callBoundMs;
  if (undecided.length > 0) {
    if (!isProof && !overdue) return { next: "tend", waitMs: pace.processingLookMs };
    if (isProof) {
      if (read.firstReadAtMs === undefined) {
        await recordFirstRead(deps.ledger.db, batch.id, reading.undialed, deps.now());
        return { next: "tend", waitMs: pace.quietMs };
      }
      const quietLeftMs = read.firstReadAtMs + pace.quietMs - deps.now();
      if (quietLeftMs > 0) return { next: "tend", waitMs: quietLeftMs };
    }
    const agreed = isProof ? reading.undialed.filter((phone) => read.firstRead?.includes(phone)) : [];
    const others = undecided.filter((phone) => !agreed.includes(phone));
    if (mustBeDeleted(read, view)) {
      // Somebody of it was called after all: deleting it now would lose what the call says.
      if (waiting > 0 && !overdue) return { next: "tend", waitMs: pace.processingLookMs };
      await recordProven(deps.ledger.db, batch.id, agreed);
      if (!(await deleteDoubtful(deps, read))) return { next: "tend", waitMs: pace.lookMs };
    }
    await giveBack(deps, read, agreed);
    const doubt = isProof
      ? "its item is not in the listing, or changed between two reads"
      : "its batch's items can't be listed to their end, and nothing came of it in time";
    await settleUnknown(deps, read, others, doubt);
  }
  if (overdue) await settleUnknown(deps, read, reading.up, "still not over long after its batch ended");
  if (await closeIfSettled(deps, read)) return end(deps, read);
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

/** A start that was never seen may still take effect: a batch that is gone can't be started. */
function mustBeDeleted(batch: Batch, view: BatchCall): boolean {
  return batch.startSeenAtMs === undefined || phaseOfBatch(view) === "not_begun";
}

/** Deletes it and sees it gone. False where the platform does not let go of it: it may be dialing. */
async function deleteDoubtful(deps: ActivityDeps, batch: Batch): Promise<boolean> {
  const id = platformIdOf(batch);
  try {
    await deps.platform.batchCalls.delete(id);
  } catch (error) {
    if (error instanceof ConflictError) return false;
    if (!(error instanceof NotFoundError)) throw error;
  }
  try {
    await deps.platform.batchCalls.get(id);
    return false;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    throw error;
  }
}

/** Gives attempts back whose items two reads agree on, unless the batch's calls say otherwise. */
async function giveBack(deps: ActivityDeps, batch: Batch, agreed: readonly string[]): Promise<void> {
  if (agreed.length === 0) return;
  const called = await numbersCalled(deps, batch);
  const unclear = called === undefined || called.has("");
  const proven = unclear ? [] : agreed.filter((phone) => !called.has(digitsOf(phone)));
  const disproven = agreed.filter((phone) => !proven.includes(phone));
  const nowMs = deps.now();
  await deps.ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batch.id);
    if (!locked) return;
    await returnAttempts(tx, {
      campaign: locked.campaign,
      batchId: batch.id,
      phones: proven,
      nowMs,
      dueAtMs: nowMs,
    });
  });
  // A placement that was taken back meanwhile is excluded now, and somebody may wait for that.
  deps.outbox.kick();
  await settleUnknown(deps, batch, disproven, "a call of its batch is, or may be, to this number");
}

/** The numbers of a batch's calls, as digits. Undefined where the listing shows nothing by having none. */
async function numbersCalled(deps: ActivityDeps, batch: Batch): Promise<Set<string> | undefined> {
  // It is known to leave calls out.
  if (deps.profile?.callsListingProves === false) return undefined;
  try {
    const { numbers } = await readCalls(deps, platformIdOf(batch), { proof: true });
    return new Set(numbers.map(digitsOf));
  } catch (error) {
    if (error instanceof EndlessListError) return undefined;
    throw error;
  }
}

/**
 * Settles a batch that the platform does not know any more. Nobody of it can be proven undialed, except where
 * it was proven before we deleted it ourselves.
 */
export async function settleVanished(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  const { ledger, pace } = deps;
  const nowMs = deps.now();
  if (batch.proven === undefined) {
    await recordVanished(ledger.db, batch.id, nowMs);
    // A gateway that is set up wrongly says so, too, of every batch at once; people mend that.
    const isGone = nowMs - (batch.vanishedAtMs ?? nowMs) >= pace.vanishedMs;
    if (!isGone) return { next: "tend", waitMs: pace.processingLookMs };
  }
  if (batch.state === "starting") await moveBatch(ledger.db, batch.id, "starting", "draining");
  await recordTerminal(ledger.db, batch.id, nowMs);
  if (batch.proven !== undefined) await giveBack(deps, batch, batch.proven);
  const left = await listUnended(deps.ledger.db, batch.id);
  await settleUnknown(
    deps,
    batch,
    left.map((attempt) => attempt.phone),
    "its batch vanished from the platform",
  );
  await closeVanished(deps, batch);
  return end(deps, batch);
}

async function closeVanished(deps: ActivityDeps, batch: Batch): Promise<void> {
  if (await closeIfSettled(deps, batch)) return;
  throw new Error(`batch ${batch.id} vanished and can't be closed as ${batch.state}`);
}

async function end(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  await deleteOrphans(deps, batch);
  await pauseWhereStartsFail(deps, batch);
  return DONE;
}

/** So many batches one after the other whose starts never showed are no bad luck any more. */
const MOST_UNSEEN_STARTS = 5;

/** Making the same batch over and over helps nobody: a person has to look. */
async function pauseWhereStartsFail(deps: ActivityDeps, batch: Batch): Promise<void> {
  if (batch.stopReason !== "start_not_seen" || batch.startSeenAtMs !== undefined) return;
  const { startRefusal } = batch;
  if (startRefusal !== undefined) {
    await pauseForPeople(deps, batch, `the platform does not start its batches: ${startRefusal}`);
  } else if (await lastStartsNeverShowed(deps.ledger.db, batch.campaignId, MOST_UNSEEN_STARTS)) {
    const reason = `${MOST_UNSEEN_STARTS} batches in a row were asked to start and did not show as begun: check the platform`;
    await pauseForPeople(deps, batch, reason);
  }
}

/** Deletes batches that were created for this one without an answer. None of them was ever started. */
export async function deleteOrphans(deps: ActivityDeps, batch: Batch): Promise<void> {
  const expected = batch.platformBatchId === undefined ? 0 : 1;
  if (batch.createNo <= expected) return;
  let lookedAt = 0;
  // What has no id can't be deleted, and was never started.
  for await (const other of deps.platform.batchCalls.iterate({ limit: 100 }, { onUnreadable() {} })) {
    lookedAt += 1;
    if (lookedAt > ORPHANS_LOOKED_AT) break;
    const name = readBatchName(other.name);
    if (name?.batchId !== batch.id || other.batch_call_id === batch.platformBatchId) continue;
    await deleteUnstarted(deps, other.batch_call_id);
  }
}
