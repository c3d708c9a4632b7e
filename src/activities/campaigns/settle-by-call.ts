import { readCall, type CallFacts } from "../../domain/campaigns/call-outcome.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { UnendedAttempt } from "../../domain/campaigns/findings.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { settleFindings } from "../../ledger/campaigns/settling.ts";
import { readView } from "./batch-reading.ts";
import { announce, MAX_CALLS_PER_LOOK, readWholeCalls } from "./batch-settling.ts";
import type { ActivityDeps } from "../deps.ts";

/*
 * What attempts came to by their calls alone: for those whose item, or whose batch, tells nothing any more. A call that is
 * over settles its attempt, whatever its item says.
 */

/** Settles attempts by their calls, and by what their items said last: that is not asked for any more. */
export async function settleByCalls(
  deps: ActivityDeps,
  batch: Batch,
  attempts: readonly UnendedAttempt[],
  calls: Map<string, CallFacts>,
): Promise<void> {
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  if (!campaign) return;
  const { findings } = readView(
    deps,
    { items: [], calls },
    attempts.map((attempt) => ({ ...attempt, seenDialed: true, refusals: 0 })),
    policyOf(campaign.spec, campaign.policyVersion),
    deps.now(),
  );
  const result = await settleFindings(deps.ledger, { batchId: batch.id, findings, nowMs: deps.now() });
  await announce(deps, batch, result);
}

/**
 * Settles those of these people whose calls are over by their calls, before they are given up.
 *
 * @returns who is not to be given up: they are settled, or their calls gave no answer in this look, or are asked for in the
 * next. No answer is waited for no longer than three times as long as any call lasts, from when the attempt was planned.
 */
export async function settleByTheirCalls(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
): Promise<Set<string>> {
  const wanted = new Set(phones);
  const callIdOf = ({ callId }: UnendedAttempt) => callId ?? "";
  const withCalls = (await listUnended(deps.ledger.db, batch.id)).filter(
    ({ phone, callId }) => callId !== undefined && wanted.has(phone),
  );
  const calls = new Map<string, CallFacts>();
  const asked = withCalls.slice(0, MAX_CALLS_PER_LOOK).map(callIdOf);
  const answered = new Set((await readWholeCalls(deps, { calls }, asked)).answered);
  const over = withCalls.filter((attempt) => {
    const call = calls.get(callIdOf(attempt));
    return call !== undefined && readCall(call) !== undefined;
  });
  if (over.length > 0) await settleByCalls(deps, batch, over, calls);
  const givenUpBeforeMs = deps.now() - 3 * deps.pace.callBoundMs;
  const later = withCalls.filter(
    (attempt) => !answered.has(callIdOf(attempt)) && attempt.plannedAtMs > givenUpBeforeMs,
  );
  return new Set([...over, ...later].map(({ phone }) => phone));
}
