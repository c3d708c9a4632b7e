import { readCall, type CallFacts } from "../../domain/campaigns/call-outcome.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { UnendedAttempt } from "../../domain/campaigns/findings.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { settleFindings } from "../../ledger/campaigns/settling.ts";
import {
  AbortedError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PlatformError,
  UnexpectedResponseError,
} from "../../platform/index.ts";
import { callFactsOf, readView } from "./batch-reading.ts";
import { announce } from "./batch-settling.ts";
import type { ActivityDeps } from "../deps.ts";

/*
 * What an attempt came to by its call alone: for those whose item, or whose batch, tells nothing any more. A call that is
 * over settles its attempt, whatever its item says.
 */

/** So many calls are read in one look; the next one goes on. */
const MAX_CALLS_PER_LOOK = 20;

/** A call itself. Undefined: there is none of that id, or none that we may ask about. */
export async function readCallAlone(
  deps: Pick<ActivityDeps, "platform">,
  callId: string | undefined,
): Promise<CallFacts | undefined> {
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

/** Settles an attempt by its call, and by what its item said last: that is not asked for any more. */
export async function settleByCall(
  deps: ActivityDeps,
  batch: Batch,
  attempt: UnendedAttempt,
  call: CallFacts,
): Promise<void> {
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  if (!campaign) return;
  const { findings } = readView(
    deps,
    { items: [], calls: new Map([[call.callId, call]]) },
    [{ ...attempt, callId: call.callId, seenDialed: true, refusals: 0 }],
    policyOf(campaign.spec, campaign.policyVersion),
    deps.now(),
  );
  const result = await settleFindings(deps.ledger, { batchId: batch.id, findings, nowMs: deps.now() });
  await announce(deps, batch, result);
}

/**
 * Settles those of these people whose calls are over, each by its call, before they are given up.
 *
 * @returns who is not to be given up: they are settled, or their calls can't be asked about now. That ends, too: three
 * times as long as any call lasts after it was planned.
 */
export async function settleByTheirCalls(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
): Promise<Set<string>> {
  const wanted = new Set(phones);
  const attempts = await listUnended(deps.ledger.db, batch.id);
  const withCalls = attempts.filter(({ phone, callId }) => callId !== undefined && wanted.has(phone));
  const kept = new Set(withCalls.slice(MAX_CALLS_PER_LOOK).map(({ phone }) => phone));
  for (const attempt of withCalls.slice(0, MAX_CALLS_PER_LOOK)) {
    try {
      const call = await readCallAlone(deps, attempt.callId);
      if (!call || readCall(call) === undefined) continue;
      await settleByCall(deps, batch, attempt, call);
      kept.add(attempt.phone);
    } catch (error) {
      if (!(error instanceof PlatformError) || error instanceof AbortedError) throw error;
      const { callId } = attempt;
      deps.log.warn({ callId, error: error.message }, "a call of somebody who is given up can't be read");
      if (deps.now() - attempt.plannedAtMs < 3 * deps.pace.callBoundMs) kept.add(attempt.phone);
    }
  }
  return kept;
}
