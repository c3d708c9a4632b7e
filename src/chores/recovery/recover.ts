import { randomUUID } from "node:crypto";

import { readBatch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { requireRecovery } from "../../ledger/ground/installation.ts";
import {
  adoptBatch,
  finishRecovery,
  noteRefusedRecovery,
  RecoveryRefusedError,
  stopForRecovery,
} from "../../ledger/recovery/recovery.ts";
import { noteUnbookedDials } from "../../ledger/campaigns/unbooked-dials.ts";
import { momentOf, NotFoundError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { deleteUnstarted } from "../../activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import {
  findLostBatches,
  mergeView,
  numbersOf,
  oldestFirst,
  saysNotBegun,
  stillToDialIn,
  type LostBatch,
} from "../../activities/campaigns/found-batches.ts";
import { MOST_WALKS } from "../../activities/campaigns/steady-listing.ts";
import { ask } from "../../activities/ground/asking.ts";
import { onLedgersTime, WrongClockError } from "../../activities/ground/clock-check.ts";
import { tendBatch } from "../../activities/campaigns/tend-batch.ts";

/*
 * Recovery, in an order that leaves every contact free to be booked when its turn comes:
 *
 * 1. All dialing is held, from before anything is read until all of it is booked.
 * 2. Batches that the ledger knows to have been started come to their end first: whatever was dialed to one of
 *    their people since, came after them. Those that it has as never started give their people back.
 * 3. What had not begun is deleted. What has begun by then counts with those that the ledger does not know of.
 * 4. Then come those, oldest first, each settled before the next is booked: a contact's next
 *    attempt may stand in it.
 * 5. Whoever was dialed and can't be booked keeps dialing held, and is told of; so does a batch that may begin yet.
 */

export interface RecoveryReport {
  /** Batches of ours on the platform. */
  looked: number;
  /** Batches that the ledger had under way when it was written, and that have come to their end now. */
  settledBatches: number;
  /** Batches that the ledger did not know to have been started, and numbers of theirs booked as dialed. */
  adoptedBatches: number;
  adoptedAttempts: number;
  /** Numbers of those batches that are no contacts of their campaigns: of lists that were imported since. */
  strangers: number;
  /** Batches that were never begun and are deleted. */
  deleted: number;
  /** Begun batches of campaigns that the ledger does not have: stopped, and named here for people to look at. */
  foreign: string[];
  /** Schedules of which runs were passed over, since they may have been made. */
  passedOverSchedules: number;
}

/** How long recovery waits for a batch to be settled. */
const SETTLE_BOUND_MS = 3 * 60 * 60_000;

const UNDER_WAY = "`outdial recover` was begun and has not come to its end: run it again";

/**
 * Books what the platform dialed that this ledger does not know of, then lets dialing go on.
 *
 * Safe to repeat: a batch that was taken over is known from then on.
 *
 * @throws RecoveryRefusedError where something that was dialed can't be booked, or the clock is wrong; dialing stays held.
 */
export async function recover(given: ActivityDeps, input: { actor: string }): Promise<RecoveryReport> {
  await requireRecovery(given.ledger.db, UNDER_WAY, given.now());
  const deps = await byRightClock(given);
  const found = await findLostBatches(deps);
  const report: RecoveryReport = {
    looked: found.looked,
    settledBatches: 0,
    adoptedBatches: 0,
    adoptedAttempts: 0,
    strangers: 0,
    deleted: 0,
    foreign: [],
    passedOverSchedules: 0,
  };
  const begun = found.lost.filter((batch) => batch.begun);
  // Nobody watches over these: they take no new dial from here on, and wait for their turn.
  for (const batch of begun) await ask(deps, "pause", batch.platformBatchId);
  await settleKnown(deps, begun, report);
  const left = found.unreadable.map((id) => `batch ${id}: it is listed and can't be read`);
  if (found.withoutId > 0) left.push(`${found.withoutId} rows of the list of batches: they have no id`);
  if (!found.isSteady) {
    left.push(
      `the list of batches: rows went from it, or came into its midst, in each of ${MOST_WALKS} walks through it, so that a batch may have been passed over`,
    );
  }
  const unstarted = found.lost.filter((batch) => !batch.begun);
  const late = await discardLost(deps, unstarted, { report, left });
  for (const batch of oldestFirst([...begun, ...late])) left.push(...(await bookLost(deps, batch, report)));
  left.push(...(await weighNameless(deps, found.nameless)));
  if (left.length > 0) await refuse(deps, input.actor, left, report);
  // It may have taken hours.
  const { now } = await byRightClock(given);
  const finish = { actor: input.actor, summary: { ...report }, nowMs: now() };
  return { ...report, ...(await finishRecovery(deps.ledger, finish)) };
}

/**
 * What was known before its end is taken as booked: an end that clocks come to later would hide until then that a ledger
 * was restored once more.
 */
async function byRightClock(deps: ActivityDeps): Promise<ActivityDeps> {
  try {
    return await onLedgersTime(deps);
  } catch (error) {
    if (!(error instanceof WrongClockError)) throw error;
    throw new RecoveryRefusedError(
      `dialing stays held, because ${error.message}. Run recover again once they are right`,
    );
  }
}

async function settleKnown(
  deps: ActivityDeps,
  begun: readonly LostBatch[],
  report: RecoveryReport,
): Promise<void> {
  const except = new Set(begun.filter((batch) => batch.inLedger).map((batch) => batch.batchId));
  const started = await stopForRecovery(deps.ledger, { except, nowMs: deps.now() });
  // One look at each tells it to stop; only then is the first one waited for.
  for (const batchId of started) await tendBatch(deps, { batchId });
  for (const batchId of started) await settle(deps, batchId);
  report.settledBatches = started.length;
}

/**
 * Deletes what had not begun when it was looked at, which may be hours ago: a start that was in the air may have come
 * meanwhile. Only what is seen to be gone counts as deleted; of the rest nobody is let go.
 *
 * @returns those that have begun since.
 */
async function discardLost(
  deps: ActivityDeps,
  unstarted: readonly LostBatch[],
  { report, left }: { report: RecoveryReport; left: string[] },
): Promise<LostBatch[]> {
  const late: LostBatch[] = [];
  for (const batch of unstarted) {
    const { platformBatchId } = batch;
    const fate = await discard(deps, platformBatchId);
    if (fate === "gone") report.deleted += 1;
    else if (fate === "kept") left.push(`batch ${platformBatchId}: it is not deleted`);
    else {
      await ask(deps, "pause", platformBatchId);
      late.push({ ...batch, begun: true, view: mergeView(fate, batch.view) });
    }
  }
  return late;
}

/** @returns the batch as it shows where it has begun. */
async function discard(deps: ActivityDeps, platformBatchId: string): Promise<"gone" | "kept" | BatchCall> {
  if (await deleteUnstarted(deps, platformBatchId)) return "gone";
  try {
    const view = await deps.platform.batchCalls.get(platformBatchId);
    return saysNotBegun(view) ? "kept" : view;
  } catch (error) {
    if (error instanceof NotFoundError) return "gone";
    if (!(error instanceof PlatformError)) throw error;
    return "kept";
  }
}

/** Takes a lost batch over and to its end. What keeps it from being booked whole is handed back. */
async function bookLost(deps: ActivityDeps, batch: LostBatch, report: RecoveryReport): Promise<string[]> {
  const { view, platformBatchId, campaignId } = batch;
  if (!(await readCampaign(deps.ledger.db, campaignId))) {
    report.foreign.push(platformBatchId);
    // It was lost whole, and may still be dialing: nobody else would stop it.
    await ask(deps, "cancel", platformBatchId);
    // A callback of a campaign that the ledger has may be among them: it is not made again by itself. And who was
    // called so was called lately.
    const { phones } = await numbersOf(deps, platformBatchId, view.total);
    const dialedUntilMs = momentOf(view.completed_at);
    await noteUnbookedDials(deps.ledger.db, { platformBatchId, phones, dialedUntilMs, nowMs: deps.now() });
    return [];
  }
  const { phones, unclear } = await numbersOf(deps, platformBatchId, view.total);
  if (unclear > 0)
    return [`batch ${platformBatchId}: ${unclear} of its items show no number, nor do their calls`];
  const batchId = await freeBatchId(deps, batch);
  const found = {
    batchId,
    campaignId,
    platformBatchId,
    agentId: view.agent_id ?? "unknown",
    fromNumber: view.from_number ?? "unknown",
    createdAtMs: Math.min(deps.now(), batch.createdAtMs ?? deps.now()),
    dialed: phones,
    dialedUntilMs: momentOf(view.completed_at),
  };
  const adoption = await adoptBatch(deps.ledger, found, deps.now());
  if (adoption.kind === "blocked") {
    const { numbers } = adoption;
    return [`batch ${platformBatchId}: ${numbers} of its numbers are still under way in other batches`];
  }
  if (adoption.kind === "adopted") {
    report.adoptedBatches += 1;
    report.adoptedAttempts += adoption.adopted;
    report.strangers += adoption.strangers;
  }
  await settle(deps, batchId);
  return [];
}

/** Its own id, unless the ledger has started that as another platform batch since it was restored: both count. */
async function freeBatchId(deps: ActivityDeps, { batchId, platformBatchId }: LostBatch): Promise<string> {
  const known = await readBatch(deps.ledger.db, batchId);
  const isAnother = known?.startSentAtMs !== undefined && known.platformBatchId !== platformBatchId;
  return isAnother ? randomUUID() : batchId;
}

/** Nobody can tell whose these are. They matter where they dialed somebody whom this ledger would still dial. */
async function weighNameless(deps: ActivityDeps, batches: readonly BatchCall[]): Promise<string[]> {
  const left: string[] = [];
  for (const batch of batches) {
    const whom = await stillToDialIn(deps, batch);
    if (whom === undefined) continue;
    const id = batch.batch_call_id;
    left.push(`batch ${id}: it has no name, so nobody can tell whose it is, and it carries ${whom}`);
  }
  return left;
}

/** Named in a message at most; the audit has all. */
const LEFT_SHOWN = 10;

async function refuse(
  deps: ActivityDeps,
  actor: string,
  left: readonly string[],
  report: RecoveryReport,
): Promise<never> {
  await noteRefusedRecovery(deps.ledger.db, { actor, detail: { ...report, left }, nowMs: deps.now() });
  const more = left.length > LEFT_SHOWN ? `; and ${left.length - LEFT_SHOWN} more` : "";
  throw new RecoveryRefusedError(
    `dialing stays held, because the platform dialed, or may dial yet, what can't be booked: ${left.slice(0, LEFT_SHOWN).join("; ")}${more}. Run recover again once the platform shows more; a batch that is not of this installation may be deleted there. Where neither helps, carry on with a new data folder or database, and a list of those who were not called`,
  );
}

/** Takes a batch to its end, as its workflow would. */
async function settle(deps: ActivityDeps, batchId: string): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_BOUND_MS;
  for (;;) {
    const step = await tendBatch(deps, { batchId });
    if (step.next === "done") return;
    if (performance.now() >= deadlineMs) {
      throw new RecoveryRefusedError(
        `batch ${batchId} could not be settled in ${SETTLE_BOUND_MS / 3_600_000} hours: dialing stays held; run recover again`,
      );
    }
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(step.waitMs, 5_000));
    });
  }
}
