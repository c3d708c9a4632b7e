import { readCall, type CallFacts } from "../../domain/campaigns/call-outcome.ts";
import type { UnendedAttempt } from "../../domain/campaigns/findings.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { raiseAttention } from "../../ledger/ground/attention.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import {
  listOverdueAttempts,
  listProcessingCampaigns,
  stillUnended,
  type OverdueAttempt,
} from "../../ledger/campaigns/missing-ends.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  UnexpectedResponseError,
} from "../../platform/index.ts";
import { callFactsOf } from "../../activities/campaigns/batch-reading.ts";
import { closeIfSettled, settleUnknown } from "../../activities/campaigns/batch-settling.ts";
import { settleByCalls } from "../../activities/campaigns/settle-by-call.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { batchStep } from "../../activities/ground/failing-steps.ts";
import { tendBatch } from "../../activities/campaigns/tend-batch.ts";
import { alone } from "./alone.ts";
import type { Tally } from "./tally.ts";

/*
 * Calls whose end never came: no event, a status that stays as it is, a processing that goes on for ever.
 *
 * 1. Their batches are looked at first: mostly the platform knows, and nobody had asked.
 * 2. Then each call is read by itself. One that is over settles its attempt, whatever its item says.
 * 3. One that is still up is ended: it lasts longer than any call does.
 * 4. Only what stays without an end for the same time again ends as unknown. It counts as dialed (I1).
 */

/** Of each kind, those that are up and those that are processed, looked at in one pass; the next one goes on. */
const CALLS_A_PASS = 200;

/** A call that is over is waited for this long, in its campaign's own wait or without one, and this much longer. */
const PROCESSING_AT_LEAST_MS = 10 * 60_000;

export async function settleCallsWithoutEnd(deps: ActivityDeps, tally: Tally): Promise<void> {
  const { ledger, pace } = deps;
  const nowMs = deps.now();
  const overdue = await listOverdueAttempts(ledger.db, {
    upBeforeMs: nowMs - pace.callBoundMs,
    unseenBeforeMs: nowMs - 2 * pace.callBoundMs,
    processingBeforeMs: await waitedForSince(deps, nowMs),
    limit: CALLS_A_PASS,
  });
  if (overdue.length === 0) return;
  for (const batchId of new Set(overdue.map((attempt) => attempt.batchId))) {
    tally.looked.add(batchId);
    await alone(deps, batchStep(batchId, "tend"), () => tendBatch(deps, { batchId }));
  }
  const open = await stillUnended(
    ledger.db,
    overdue.map((attempt) => attempt.id),
  );
  for (const attempt of overdue) {
    if (!open.has(attempt.id)) continue;
    await alone(deps, batchStep(attempt.batchId, "end"), () => settleOne(deps, attempt));
  }
  const left = await stillUnended(ledger.db, [...open]);
  for (const attempt of overdue) {
    const kind = attempt.state === "open" ? "calls_up" : "calls_processing";
    tally.found(kind);
    if (!left.has(attempt.id)) tally.settled(kind);
  }
}

/** Of campaigns that wait for calls to be processed: since when a call has to be over, so that it was given its time. */
async function waitedForSince(deps: ActivityDeps, nowMs: number): Promise<Map<string, number>> {
  const { db } = deps.ledger;
  const leastMs = Math.min(PROCESSING_AT_LEAST_MS, deps.pace.callBoundMs);
  const since = new Map<string, number>();
  for (const campaignId of await listProcessingCampaigns(db, nowMs - leastMs)) {
    const campaign = await readCampaign(db, campaignId);
    const waitMs = campaign ? policyOf(campaign.spec, campaign.policyVersion).analysisWaitMs : 0;
    since.set(campaignId, nowMs - Math.max(leastMs, waitMs + deps.pace.batchLookMs));
  }
  return since;
}

async function settleOne(deps: ActivityDeps, attempt: OverdueAttempt): Promise<void> {
  const batch = await readBatch(deps.ledger.db, attempt.batchId);
  if (!batch) return;
  let call = await readFacts(deps, attempt.callId);
  if (call && readCall(call) === undefined && attempt.callId !== undefined) {
    await endCall(deps, attempt.callId);
    call = await readFacts(deps, attempt.callId);
  }
  if (call && readCall(call) !== undefined && attempt.callId !== undefined)
    await settleByCalls(deps, batch, [unendedOf(attempt)], new Map([[attempt.callId, call]]));
  else if (deps.now() - attempt.sinceMs > 2 * deps.pace.callBoundMs) await giveUp(deps, batch, attempt);
  await closeIfSettled(deps, batch);
}

async function readFacts(deps: ActivityDeps, callId: string | undefined): Promise<CallFacts | undefined> {
  if (callId === undefined) return undefined;
  try {
    return callFactsOf(await deps.platform.calls.get(callId));
  } catch (error) {
    if (isNoCall(error)) return undefined;
    throw error;
  }
}

/** It is not there, is not ours to see, or its id is none that can be asked about. */
function isNoCall(error: unknown): boolean {
  return (
    error instanceof NotFoundError ||
    error instanceof ForbiddenError ||
    error instanceof InvalidRequestError ||
    error instanceof UnexpectedResponseError
  );
}

/** Safe to repeat: a call that is over stays over. */
async function endCall(deps: ActivityDeps, callId: string): Promise<void> {
  try {
    await deps.platform.calls.end(callId);
    deps.log.warn({ callId }, "a call that was up for longer than any call is was ended");
  } catch (error) {
    // It is over, or is not ours to end: what it came to is looked up all the same.
    if (
      !(error instanceof NotFoundError || error instanceof ForbiddenError || error instanceof ConflictError)
    )
      throw error;
  }
}

/** As the ledger has it. */
function unendedOf({ itemStatus, errorText, sinceMs, state, ...attempt }: OverdueAttempt): UnendedAttempt {
  return {
    phone: attempt.phone,
    itemId: attempt.itemId,
    callId: attempt.callId,
    told: itemStatus === undefined ? undefined : { status: itemStatus, errorText },
    state,
    endedAtMs: state === "provisional" ? sinceMs : undefined,
    plannedAtMs: attempt.plannedAtMs,
    attemptNo: attempt.attemptNo,
    seenDialed: true,
    refusals: 0,
  };
}

async function giveUp(deps: ActivityDeps, batch: Batch, attempt: OverdueAttempt): Promise<void> {
  await settleUnknown(deps, batch, [attempt.phone], "no end of its call was ever seen");
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  await raiseAttention(deps.ledger.db, {
    kind: "no_end",
    subject: `attempt ${attempt.id}`,
    brand: campaign?.brand ?? "default",
    summary: `a call of campaign ${campaign?.name ?? batch.campaignId} never came to an end that anybody could see`,
    remedy:
      "its outcome is `unknown` and it is not dialed again: look at the call on the platform, then resolve this",
    nowMs: deps.now(),
  });
  deps.outbox.kick();
}
