import { listedDigits, mayBeAmong } from "../../domain/campaigns/called-numbers.ts";
import { addRead, judge } from "../../domain/campaigns/evidence.ts";
import type { Reading } from "../../domain/campaigns/findings.ts";
import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { lockBatch, returnAttempts, type Batch, type Undialed } from "../../ledger/campaigns/batches.ts";
import { EndlessListError, NotFoundError, type BatchCall } from "../../platform/index.ts";
import { lookAt, platformIdOf, readCalls } from "./batch-reading.ts";
import { settleByWord, settleUnknown } from "./batch-settling.ts";
import type { BatchStep } from "./batch-step.ts";
import { giveUp, noteTrouble } from "./batch-troubles.ts";
import { askToDelete } from "./deleting.ts";
import type { ActivityDeps } from "../deps.ts";
import { recordProven, recordRead } from "../../ledger/campaigns/batch-steps.ts";

/*
 * What proves, at the end of a batch that may have dialed, that somebody was not dialed (I1).
 *
 * 1. The batch is seen to be over before the first read begins, or to dial nobody and not to be cancelled.
 * 2. Two reads, a quiet time apart, each paged until empty, both have the item with a known undialed word, no
 *    call, no count; or as one that the platform refused to call (`readRefusal`), with a count of 0. Where two disagree, a third decides (domain/campaigns/evidence.ts). What the ledger holds of a dial
 *    is not unmade by any of them.
 * 3. The calls listed for the batch show none to the number, and no call whose number can't be told; and the
 *    platform is not known to leave a batch's calls out of that listing.
 * 4. A batch whose start was never seen, or that is not over, is deleted before anybody of it is dialed again, so
 *    that a start that takes effect late finds nothing to start. One that is not let go of proves nothing. That it is
 *    not there is believed at once where the delete was answered with yes. Otherwise a replica or a gateway may say so:
 *    it has to last (vanished-batch.ts), and where the delete was refused nothing is believed at all.
 * 5. A listing that can't be paged to its end proves nothing. Where it is the items', whoever it does not show
 *    as dialed waits until it shows that, or until a bound has passed.
 * Whoever fails one of these counts as dialed: `unknown`, final; `failed`, where the platform refused to call them and no
 * list of calls says anything.
 */

const CALLED = "a call of its batch is, or may be, to this number";
const DISPROVEN = "its item is not in the listing, or shows something else each time that it is read";
const UNLISTABLE = "its batch's items can't be listed to their end, and nothing came of it in time";

/** One look at a batch that is over, and what it saw. */
export interface EndLook {
  batch: Batch;
  view: BatchCall;
  reading: Reading;
  /** The items were read to their end. */
  isProof: boolean;
  /** When the reading began. Unix milliseconds. */
  beganMs: number;
  /** Calls of it are up, or wait to be processed. */
  waiting: boolean;
  /** Its end was seen so long ago that nobody of it is waited for any more. */
  overdue: boolean;
}

/**
 * Decides of those whose items show no dial, as far as the reads so far allow.
 *
 * @returns what to do before anything else; undefined: they are decided.
 */
export async function prove(deps: ActivityDeps, look: EndLook): Promise<BatchStep | undefined> {
  const { pace } = deps;
  const { batch, view, reading, beganMs } = look;
  const quietLeftMs = batch.readAtMs === undefined ? 0 : batch.readAtMs + pace.quietMs - beganMs;
  if (quietLeftMs > 0) return { next: "tend", waitMs: quietLeftMs };
  const evidence = addRead(batch.evidence, reading);
  const { proven, disproven, open } = judge(evidence, reading);
  const readAgain = async (): Promise<BatchStep> => {
    await recordRead(deps.ledger.db, batch.id, {
      read: evidence,
      atMs: deps.now(),
      beforeMs: batch.readAtMs,
    });
    return { next: "tend", waitMs: pace.quietMs };
  };
  if (mustBeDeleted(batch, view)) {
    // It can only be read as long as it is there.
    if (open.length > 0) return readAgain();
    // Somebody of it was called after all: deleting it now would lose what the call says.
    if (look.waiting && !look.overdue) return { next: "tend", waitMs: pace.processingLookMs };
    return deleteAndSettle(deps, look, proven);
  }
  await giveBack(deps, batch, proven, reading.refused);
  await settleUnknown(deps, batch, disproven, DISPROVEN);
  return open.length > 0 ? readAgain() : undefined;
}

/** Whoever is not shown as dialed by a listing without an end waits until it shows that, or a bound has passed. */
export async function settleWithoutProof(deps: ActivityDeps, look: EndLook): Promise<BatchStep | undefined> {
  const { batch, view, reading } = look;
  const later: BatchStep = { next: "tend", waitMs: deps.pace.processingLookMs };
  const trouble = { trouble: "unreadable", detail: "the listing of its items leads to no end" } as const;
  await noteTrouble(deps, batch, trouble);
  if (!look.overdue) return later;
  const left = undecidedOf(reading);
  if (mustBeDeleted(batch, view)) return deleteAndSettle(deps, look, []);
  await giveUp(deps, batch, left, UNLISTABLE);
  return undefined;
}

function undecidedOf({ undialed, missing }: Reading): string[] {
  return [...undialed, ...missing];
}

/**
 * A start that was never seen may still take effect, and one that is not over may go on: a batch that is gone can't be
 * started or resumed.
 */
function mustBeDeleted(batch: Batch, view: BatchCall): boolean {
  return batch.startSeenAtMs === undefined || phaseOfBatch(view) !== "terminal";
}

/**
 * Deletes a batch of doubtful start before anybody of it is given back. Where the platform does not let go of it, it may
 * still be started: after a bound all count as dialed, and it holds their slots no longer.
 *
 * @param proven whom the reads prove, as far as items can
 * @returns what to do next where it is still there; undefined: all are decided.
 */
async function deleteAndSettle(
  deps: ActivityDeps,
  look: EndLook,
  proven: readonly string[],
): Promise<BatchStep | undefined> {
  const { batch, reading, isProof } = look;
  const { db } = deps.ledger;
  const undecided = undecidedOf(reading);
  // What its calls show may be gone with it.
  const { uncalled, called, isListed } = await splitByCalls(deps, batch, proven);
  await recordProven(db, batch.id, undialedOf(uncalled, reading.refused));
  let isKept = false;
  try {
    const answer = await askToDelete(deps, batch);
    // A look that fails now leaves that to the next one.
    isKept = answer.kind === "deleted";
    const isShown = (await lookAt(deps, batch)) !== undefined;
    if (isShown || answer.kind === "refused" || answer.kind === "put_off") {
      isKept = false;
      return await waitForDelete(deps, look, answer.said);
    }
    isKept = true;
    if (answer.kind !== "deleted") {
      await noteTrouble(deps, batch, { trouble: "vanished", detail: answer.said });
      return { next: "tend", waitMs: deps.pace.quietMs };
    }
    await giveBack(deps, batch, uncalled, reading.refused);
    await settleCalled(deps, batch, { called, isListed, refused: reading.refused });
    const others = undecided.filter((phone) => !proven.includes(phone));
    if (isProof) await settleUnknown(deps, batch, others, DISPROVEN);
    else await giveUp(deps, batch, others, UNLISTABLE);
    return undefined;
  } finally {
    // By itself, without the batch being gone, it proves nothing.
    if (!isKept) await recordProven(db, batch.id, undefined);
  }
}

/** It is there, or may be: people can delete it. After a bound all of it count as dialed. */
async function waitForDelete(
  deps: ActivityDeps,
  { batch, reading, overdue }: EndLook,
  detail: string,
): Promise<BatchStep | undefined> {
  const lastsMs = await noteTrouble(deps, batch, { trouble: "not_deleted", detail });
  if (lastsMs < deps.pace.vanishedMs && !overdue) return { next: "tend", waitMs: deps.pace.processingLookMs };
  const why = "the platform does not let go of it, and its start was never seen";
  await giveUp(deps, batch, undecidedOf(reading), why);
  return undefined;
}

/**
 * Gives attempts back whose items two reads agree on, unless the batch's calls say otherwise.
 *
 * @param refused whom of them the platform refused to call, with why
 */
async function giveBack(
  deps: ActivityDeps,
  batch: Batch,
  agreed: readonly string[],
  refused: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  if (agreed.length === 0) return;
  const { uncalled, called, isListed } = await splitByCalls(deps, batch, agreed);
  const nowMs = deps.now();
  const returned = await deps.ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batch.id);
    if (!locked) return 0;
    return returnAttempts(tx, {
      campaign: locked.campaign,
      batchId: batch.id,
      phones: uncalled,
      refused,
      nowMs,
      dueAtMs: nowMs,
    });
  });
  deps.meter?.returned(returned);
  // A placement that was taken back meanwhile is excluded now, and somebody may wait for that.
  deps.outbox.kick();
  await settleCalled(deps, batch, { called, isListed, refused });
}

/** As they are kept: once their batch is gone, nothing else tells whom the platform refused to call. */
function undialedOf(phones: readonly string[], refused: ReadonlyMap<string, string>): Undialed[] {
  return phones.map((phone) => {
    const why = refused.get(phone);
    return why === undefined ? { phone } : { phone, refused: why };
  });
}

/** The same of those who were proven undialed before their batch was deleted, by a look that did not come to its end. */
export function giveBackUndialed(
  deps: ActivityDeps,
  batch: Batch,
  undialed: readonly Undialed[],
): Promise<void> {
  const refused = undialed.flatMap(({ phone, refused: why }) =>
    why === undefined ? [] : [[phone, why] as const],
  );
  return giveBack(
    deps,
    batch,
    undialed.map(({ phone }) => phone),
    new Map(refused),
  );
}

/**
 * Ends those who can't be given back. Where no list of calls says anything, the word of an item that the platform refused
 * is what there is, as it would be of any other that failed.
 */
async function settleCalled(
  deps: ActivityDeps,
  batch: Batch,
  {
    called,
    isListed,
    refused,
  }: { called: readonly string[]; isListed: boolean; refused: ReadonlyMap<string, string> },
): Promise<void> {
  const byWord = called.flatMap((phone) => {
    const why = isListed ? undefined : refused.get(phone);
    return why === undefined ? [] : [{ phone, why }];
  });
  const worded = new Set(byWord.map(({ phone }) => phone));
  await settleByWord(deps, batch, byWord);
  await settleUnknown(
    deps,
    batch,
    called.filter((phone) => !worded.has(phone)),
    CALLED,
  );
}

/** Who of these the calls of their batch show no call to, and who was called, or may have been. */
async function splitByCalls(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
): Promise<{ uncalled: string[]; called: string[]; isListed: boolean }> {
  if (phones.length === 0) return { uncalled: [], called: [], isListed: true };
  const numbers = await numbersCalled(deps, batch);
  const uncalled = numbers ? phones.filter((phone) => !mayBeAmong(numbers, phone)) : [];
  const called = phones.filter((phone) => !uncalled.includes(phone));
  return { uncalled, called, isListed: numbers !== undefined };
}

/**
 * The numbers of a batch's calls, as digits. Undefined where the listing shows nothing by not having one: it leaves
 * calls out, leads to no end, or has a call of which nobody can tell whom it was to.
 */
async function numbersCalled(deps: ActivityDeps, batch: Batch): Promise<Set<string> | undefined> {
  // It is known to leave calls out.
  if (deps.profile?.callsListingProves === false) return undefined;
  try {
    const { numbers } = await readCalls(deps, platformIdOf(batch), { proof: true });
    const digits = numbers.map(listedDigits).filter((one) => one !== undefined);
    return digits.length === numbers.length ? new Set(digits) : undefined;
  } catch (error) {
    // A listing that does not know the batch shows as little as one without an end.
    if (error instanceof EndlessListError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}
