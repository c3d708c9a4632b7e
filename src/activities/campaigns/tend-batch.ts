import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import { countsSome, phaseOfBatch, type PlatformBatchPhase } from "../../domain/campaigns/platform-batch.ts";
import { lockBatch, moveBatch, readBatch, requestStop, type Batch } from "../../ledger/campaigns/batches.ts";
import { isEverythingStopped } from "../../ledger/campaigns/stopping.ts";
import { PlatformError, UnexpectedResponseError, type BatchCall } from "../../platform/index.ts";
import { ask } from "../ground/asking.ts";
import { lookForBeginning, type Beginning } from "./beginning.ts";
import { hasBegun, lookAt, platformIdOf } from "./batch-reading.ts";
import { DONE, noteStep, stepOf, type BatchStep } from "./batch-step.ts";
import { endTrouble } from "./batch-troubles.ts";
import { closeIfSettled, settleFromItems } from "./batch-settling.ts";
import { readOwnBatch, type BatchInput } from "./create-batch.ts";
import type { ActivityDeps } from "../deps.ts";
import { afterEnd, discardUnstarted, settleTerminal } from "./end-of-batch.ts";
import { pauseOnRefusal } from "./platform-refusal.ts";
import { stopOnPlatform } from "./stop-on-platform.ts";
import { settleUnanswered } from "./unanswered-batch.ts";
import { reasonNow, stopUnseen, stopWhereDue, waitUntilDue } from "./unseen-batch.ts";
import { tendUnreadable } from "./unreadable-batch.ts";
import { settleVanished } from "./vanished-batch.ts";
import { isLedgerRight, onLedgersTime, WrongClockError } from "../ground/clock-check.ts";
import { needsPeople } from "../ground/platform-refusals.ts";
import {
  forgetReads,
  recordBegun,
  recordProven,
  recordSeenBegun,
  recordVanished,
} from "../../ledger/campaigns/batch-steps.ts";

/**
 * Tends it by the ledger's time: whoever looks at it measures by what others wrote how far two reads are apart (I1), and
 * for how long its end is known. Where this machine's clock is not the ledger's nothing of that is decided: it is stopped
 * where its hours are over, and the look is left to others.
 *
 * @throws WrongClockError
 */
export async function tendBatchOnTime(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  try {
    return await tendBatch(await onLedgersTime(deps), input);
  } catch (error) {
    if (error instanceof WrongClockError) await stopInDoubt(deps, input.batchId, error);
    throw error;
  }
}

/** Where the platform's clock says that the ledger's is right, by that; else by the later of the two. */
async function stopInDoubt(deps: ActivityDeps, batchId: string, wrong: WrongClockError): Promise<void> {
  const batch = await readBatch(deps.ledger.db, batchId);
  if (batch?.startSentAtMs === undefined || batch.state === "settled") return;
  const onTime = { ...deps, now: () => deps.now() + wrong.aheadMs };
  const byTheLater = { ...deps, now: () => Math.max(deps.now(), onTime.now()) };
  const isCertain = isLedgerRight(deps.platform, wrong);
  const reason = batch.stopReason ?? (await reasonNow(isCertain ? onTime : byTheLater, batch));
  // What is written of it is by the ledger's time all the same: others hold it against theirs.
  if (reason !== undefined) await stopUnseen(onTime, batch, reason);
}

/**
 * Looks at a batch that was permitted to start, or is to go, and takes the one step that fits what is seen:
 * note that it has begun, stop it, prove and settle its end.
 *
 * Safe to retry: what the platform is asked here (pause, cancel, delete) never makes anybody's phone ring, and
 * what is written only ever goes forward.
 */
export async function tendBatch(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  return noteStep(deps, input.batchId, await tendOwn(deps, input));
}

async function tendOwn(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  const known = await readOwnBatch(deps, input);
  if (!known) return DONE;
  if (known.state === "planned" || known.state === "created") return stepOf(known, deps.pace, deps.now());
  // Its follower may have closed it.
  const step = known.state === "settled" ? DONE : await tend(deps, known);
  return step.next === "done" ? leave(deps, known) : step;
}

/** The one way out, whoever closed it, and however. One that is not closed is looked at again. */
async function leave(deps: ActivityDeps, known: Batch): Promise<BatchStep> {
  const batch = (await readBatch(deps.ledger.db, known.id)) ?? known;
  if (batch.state !== "settled") return { next: "tend", waitMs: deps.pace.processingLookMs };
  try {
    await afterEnd(deps, batch);
  } catch (error) {
    // Nothing of it is open, and what is left on the platform was never started: nobody has to be called for that.
    if (!needsPeople(error)) throw error;
  }
  return DONE;
}

async function tend(deps: ActivityDeps, known: Batch): Promise<BatchStep> {
  try {
    return await lookAndStep(deps, known);
  } catch (error) {
    // Not every look says that there is no such batch: what began when one did is over.
    if (error instanceof PlatformError && known.trouble === "vanished") await endTrouble(deps, known.id);
    if (error instanceof UnexpectedResponseError) return tendUnreadable(deps, known, error);
    if (!needsPeople(error)) {
      const step = error instanceof PlatformError && (await settleUnanswered(deps, known, error));
      if (step) return step;
      throw error;
    }
    await pauseOnRefusal(deps, known, error);
    const batch = (await readBatch(deps.ledger.db, known.id)) ?? known;
    if (batch.startSentAtMs !== undefined) await stopWhereDue(deps, batch);
    return { next: "tend", waitMs: waitUntilDue(deps, batch, deps.pace.refusedLookMs) };
  }
}

async function lookAndStep(deps: ActivityDeps, known: Batch): Promise<BatchStep> {
  if (known.state === "draining" && known.startSentAtMs === undefined) return discardUnstarted(deps, known);
  const view = await lookAt(deps, known);
  if (view === undefined) return settleVanished(deps, known);
  // What was to be deleted is there: it may dial, and what was read of it before shows nothing of that.
  if (known.proven !== undefined) await recordProven(deps.ledger.db, known.id, undefined);
  if (known.trouble === "vanished") await endTrouble(deps, known.id);
  const phase = phaseOfBatch(view);
  const beginning = await lookForBeginning(deps, known, view);
  await noteBeginning(deps, known, view, beginning);
  const batch = await advance(deps, known, view, { phase, beginning });
  if (batch.state === "settled") return DONE;
  const step: BatchStep =
    batch.state === "starting"
      ? { next: "tend", waitMs: deps.pace.lookMs }
      : await stepAsSeen(deps, batch, view, { phase, beginning });
  // Only now: what stands behind it may be what can't be read.
  if (known.vanishedAtMs !== undefined) {
    await recordVanished(deps.ledger.db, known.id, undefined);
    const { trouble } = (await readBatch(deps.ledger.db, known.id)) ?? known;
    if (trouble === "unreadable") await endTrouble(deps, known.id);
  }
  return step;
}

/** Writes down what is seen of a start that was in doubt. */
async function noteBeginning(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
  beginning: Beginning,
): Promise<void> {
  if (batch.state === "starting") return;
  const { db } = deps.ledger;
  const phase = phaseOfBatch(view);
  if (batch.startSeenAtMs === undefined) {
    // One that is over may count as processed whom nobody dialed.
    const isDialed = beginning.isDialed && phase !== "terminal";
    const dials = countsSome(view.active) || view.started_at !== undefined || isDialed;
    if (dials) await recordSeenBegun(db, batch.id, deps.now());
  }
  // It was taken for over, and is not: what was read of it says nothing of what comes.
  if (phase === "dialing" && batch.terminalSeenAtMs !== undefined) await forgetReads(db, batch.id);
}

async function stepAsSeen(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
  { phase, beginning }: { phase: PlatformBatchPhase; beginning: Beginning },
): Promise<BatchStep> {
  if (phase === "terminal") return settleTerminal(deps, batch, view);
  if (batch.state === "draining") return stopOnPlatform(deps, batch, view);
  const { result } = await settleFromItems(deps, batch, { proof: false });
  if (await closeIfSettled(deps, batch)) return DONE;
  // One of its numbers is suppressed, and whoever did that may not have come to this batch.
  if (result?.stoppedBatches.includes(batch.id)) return { next: "tend", waitMs: 0 };
  return stepOf(batch, deps.pace, deps.now(), beginning.isDialed);
}

/** Moves the batch's state as far as what is seen allows, and asks it to stop where it has to. */
async function advance(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
  seen: { phase: PlatformBatchPhase; beginning: Beginning },
): Promise<Batch> {
  const nowMs = deps.now();
  if (batch.state === "starting" && hasBegun(view)) {
    await recordBegun(deps.ledger.db, batch.id, nowMs);
  }
  const reason = batch.stopReason ?? (await reasonToStop(deps, batch, view, seen));
  if (reason !== undefined && batch.stopReason === undefined) {
    deps.log.warn({ batchId: batch.id, campaignId: batch.campaignId, reason }, "a batch is stopped");
    // Before its campaign's lock, which may be long in coming: no new call begins meanwhile.
    if (seen.phase === "dialing") await ask(deps, "pause", platformIdOf(batch));
    await deps.ledger.transaction(async (tx) => {
      const locked = await lockBatch(tx, batch.id);
      if (locked) await requestStop(tx, { campaign: locked.campaign, batchIds: [batch.id], reason, nowMs });
    });
  }
  const current = (await readBatch(deps.ledger.db, batch.id)) ?? batch;
  if (current.stopReason !== undefined && (current.state === "starting" || current.state === "running")) {
    await moveBatch(deps.ledger.db, batch.id, current.state, "draining");
    return (await readBatch(deps.ledger.db, batch.id)) ?? current;
  }
  return current;
}

async function reasonToStop(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
  { phase, beginning }: { phase: PlatformBatchPhase; beginning: Beginning },
): Promise<StopReason | undefined> {
  const nowMs = deps.now();
  // Whoever stopped everything may not have come to this batch.
  if (phase !== "terminal" && (await isEverythingStopped(deps.ledger.db))) return "stop_all";
  if (batch.dialByMs !== undefined && nowMs >= batch.dialByMs && phase !== "terminal") return "window";
  // Somebody paused it on the platform. It is never resumed: its contacts come back in new batches.
  if (phase === "paused") return "paused_elsewhere";
  if (beginning.stop !== undefined) return beginning.stop;
  if (batch.state !== "starting" || hasBegun(view)) return undefined;
  return nowMs - (batch.startSentAtMs ?? nowMs) >= deps.pace.startDoubtMs ? "start_not_seen" : undefined;
}
