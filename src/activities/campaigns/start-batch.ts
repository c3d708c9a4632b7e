import { setTimeout as delay } from "node:timers/promises";

import { isPastDialBy } from "../../domain/campaigns/batch-state.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { foreseeTurn } from "../../ledger/campaigns/start-turns.ts";
import { adoptBegun, permitStart, type StartPermission } from "../../ledger/campaigns/starting.ts";
import { isEverythingStopped } from "../../ledger/campaigns/stopping.ts";
import { ConflictError, NotFoundError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { hasBegun, lookAt, platformIdOf } from "./batch-reading.ts";
import { DONE, noteStep, stepOf, type BatchStep } from "./batch-step.ts";
import { batchStep, noteStepFailure } from "../ground/failing-steps.ts";
import { endTrouble, noteTrouble } from "./batch-troubles.ts";
import { clockDisagreement } from "../ground/clock-check.ts";
import { readOwnBatch, retryIn, type BatchInput } from "./create-batch.ts";
import type { ActivityDeps } from "../deps.ts";
import { isRefusal, pauseOrWaitForCredit, stopOne } from "./platform-refusal.ts";
import { recordBegun, recordNotStarted, recordStartRefusal } from "../../ledger/campaigns/batch-steps.ts";

/*
 * The one start of a batch (I1). It is sent again only where its own answer says that nothing happened, each time after
 * a new check of policy:
 *
 * 1. 429, or a connection that was never made.
 * 2. 404: a part of the platform does not know yet what another has created. The platform has to show the batch, as not
 *    begun, before another start is sent; and that goes on for a bounded time.
 * Whatever else it is answered, or where it is not answered, it is never sent again: tend-batch.ts looks what became
 * of it.
 */

/**
 * Sends the batch's start request, if policy still permits it.
 *
 * Safe to retry: the transaction that permits the start lets one caller through; a retry finds the batch `starting` and
 * goes on to look at it.
 */
export async function startBatch(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  return noteStep(deps, input.batchId, await start(deps, input));
}

async function start(deps: ActivityDeps, input: BatchInput): Promise<BatchStep> {
  const known = await readOwnBatch(deps, input);
  if (!known) return DONE;
  const unready = await lookBeforeAnother(deps, known);
  if (unready) return unready;
  const heldForMs = deps.heldForMs?.() ?? 0;
  if (heldForMs > 0 && known.state === "created" && known.stopReason === undefined)
    return startWhenHeard(deps, known, heldForMs);
  const { permission, askedAtMs } = await permitInTurn(deps, input.batchId);
  switch (permission.kind) {
    case "missing":
      return DONE;
    case "not_its_turn":
      return { next: "start", waitMs: Math.max(0, permission.waitMs - WAITS_HERE_MS) };
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
  const isStopped = await isEverythingStopped(deps.ledger.db);
  // Nor is a permission one of another hour: this machine may have slept since, or waited for the ledger's locks.
  if (isStopped || deps.now() - askedAtMs > PERMISSION_HOLDS_MS) {
    await recordNotStarted(deps.ledger.db, batch.id);
    return { next: "start", waitMs: 0 };
  }
  try {
    // Permitted now: a permission that waits is none.
    await deps.platform.batchCalls.start(platformIdOf(batch), { atOnce: true, retry: "none" });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return afterRefusal(deps, batch, error);
  }
  count(deps, batch, "begun");
  await recordBegun(deps.ledger.db, batch.id, deps.now());
  if (batch.trouble !== undefined) await endTrouble(deps, batch.id);
  const begun = await readBatch(deps.ledger.db, batch.id);
  return begun ? stepOf(begun, deps.pace, deps.now()) : DONE;
}

/** A start is sent in the moment in which it is permitted: what the platform would refuse is not asked for. */
async function startWhenHeard(deps: ActivityDeps, batch: Batch, heldForMs: number): Promise<BatchStep> {
  const detail = `the platform wants no request for ${Math.ceil(heldForMs / 1_000)} s (429)`;
  await noteTrouble(deps, batch, { trouble: "not_started", detail });
  return { next: "start", waitMs: Math.ceil(heldForMs) };
}

function count(
  { meter, now }: ActivityDeps,
  { size: calls, linesFreeSinceMs }: Batch,
  result: "begun" | "unclear" | "not_begun",
): void {
  const idleMs = linesFreeSinceMs === undefined ? undefined : now() - linesFreeSinceMs;
  meter?.started({ result, calls, idleMs });
}

/** Turns that come sooner than that are waited for here: a timer's own delay would be a part of every turn. */
const WAITS_HERE_MS = 1_000;

/** So often at most, since another batch may be quicker each time. */
const WAITS_HERE = 5;

/** For so long what a permission was given by counts as what is so now. A batch is to have dialed well before its hour ends. */
const PERMISSION_HOLDS_MS = 15_000;

/** Asks for the start's permission when it is its turn, or says how long that takes. */
async function permitInTurn(
  deps: ActivityDeps,
  batchId: string,
): Promise<{ permission: StartPermission; askedAtMs: number }> {
  const { ledger, rate, pace } = deps;
  const blockedBy = await clockDisagreement(deps);
  for (let wait = 1; ; wait += 1) {
    const foreseenMs = rate ? await foreseeTurn(ledger.db, { batchId, rate, nowMs: deps.now() }) : 0;
    const askedAtMs = deps.now();
    const permission: StartPermission =
      foreseenMs > 0
        ? { kind: "not_its_turn", waitMs: foreseenMs }
        : await permitStart(ledger, { batchId, blockedBy, pace, rate, nowMs: askedAtMs });
    if (permission.kind !== "not_its_turn") return { permission, askedAtMs };
    if (permission.waitMs > WAITS_HERE_MS || wait > WAITS_HERE) return { permission, askedAtMs };
    await delay(permission.waitMs);
  }
}

/**
 * The start's answer says that nothing happened. Where somebody stopped the batch while its start was on its way, it was
 * refused for that, which says nothing of the platform: then what is next.
 */
async function takeBack(
  { ledger: { db } }: ActivityDeps,
  { id }: Batch,
  unknownBy?: string,
): Promise<BatchStep | undefined> {
  const isBack = await recordNotStarted(db, id, unknownBy);
  const isStopped = !isBack || (await readBatch(db, id))?.stopReason !== undefined;
  return isStopped ? { next: "tend", waitMs: 0 } : undefined;
}

/** What follows a start that was not confirmed, by what its answer says of its effect. */
async function afterRefusal(deps: ActivityDeps, batch: Batch, error: PlatformError): Promise<BatchStep> {
  deps.log.warn(
    { batchId: batch.id, error: error.message, effect: error.effect },
    "a start was not confirmed",
  );
  const isUnclear = error.effect !== "did_not_happen" || error instanceof ConflictError;
  count(deps, batch, isUnclear ? "unclear" : "not_begun");
  // A conflict may be the platform's way of saying that it has begun already: look.
  if (isUnclear) {
    if (error instanceof ConflictError) await recordStartRefusal(deps.ledger.db, batch.id, error.message);
    return { next: "tend", waitMs: deps.pace.lookMs };
  }
  if (error instanceof NotFoundError) return afterUnknown(deps, batch, error);
  const stopped = await takeBack(deps, batch);
  if (stopped) return stopped;
  if (isRefusal(error)) {
    await pauseOrWaitForCredit(deps, batch, error);
    return { next: "tend", waitMs: 0 };
  }
  await noteStepFailure(deps, batchStep(batch.id, "start"), error);
  await noteTrouble(deps, batch, { trouble: "not_started", detail: error.message });
  return { next: "start", waitMs: retryIn(deps, error, Math.max(1, batch.startNo - QUICK_STARTS)) };
}

/** Starts that are put off are sent again soon, so often: lines stand idle meanwhile. Then ever less. */
const QUICK_STARTS = 12;

/** The platform does not know the batch that it was to start. */
async function afterUnknown(deps: ActivityDeps, batch: Batch, error: NotFoundError): Promise<BatchStep> {
  const view = await lookAt(deps, batch);
  // It begins although it was said not to be there: what was sent may have arrived twice.
  if (view && hasBegun(view)) {
    deps.meter?.adopted(batch.size);
    return { next: "tend", waitMs: 0 };
  }
  return (await takeBack(deps, batch, error.message)) ?? startLater(deps, batch, error.message);
}

/**
 * Whether another start may be sent, after one that the platform did not know the batch of.
 *
 * @returns what to do instead; undefined: it may, as far as that goes.
 */
async function lookBeforeAnother(deps: ActivityDeps, batch: Batch): Promise<BatchStep | undefined> {
  if (batch.state !== "created" || batch.startRefusal === undefined) return undefined;
  const view = await lookIfShown(deps, batch);
  if (!view) {
    // One that was asked to stop meanwhile, or whose time is over, is not waited for.
    const isOver = batch.stopReason !== undefined || isPastDialBy(batch, deps.now());
    return isOver ? undefined : startLater(deps, batch, batch.startRefusal);
  }
  if (!hasBegun(view)) return undefined;
  await adoptBegun(deps.ledger, { batchId: batch.id, nowMs: deps.now() });
  deps.meter?.adopted(batch.size);
  return { next: "tend", waitMs: 0 };
}

/**
 * What was created a moment ago shows within seconds, wherever it is asked for. What does not within the time that a
 * doubtful start has is taken back: nobody of it was dialed, and another batch will carry them.
 */
async function startLater(deps: ActivityDeps, batch: Batch, refusal: string): Promise<BatchStep> {
  const { pace } = deps;
  await noteTrouble(deps, batch, { trouble: "not_started", detail: refusal });
  if (deps.now() - (batch.createdAtMs ?? 0) < pace.startDoubtMs)
    return { next: "start", waitMs: pace.lookMs };
  await stopOne(deps, batch.id);
  deps.wake.campaign(batch.campaignId);
  return { next: "tend", waitMs: 0 };
}

/** Undefined also where the platform can't tell, this one batch or any: it has not shown it. */
async function lookIfShown(deps: ActivityDeps, batch: Batch): Promise<BatchCall | undefined> {
  try {
    return await lookAt(deps, batch);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    deps.log.warn({ batchId: batch.id, error: error.message }, "a batch that is to be started is not shown");
    return undefined;
  }
}
