import type { Finding, Reading, UnendedAttempt } from "../domain/findings.ts";
import { policyOf } from "../domain/campaign-spec.ts";
import { listUnended } from "../ledger/attempts.ts";
import type { Batch } from "../ledger/batches.ts";
import { readCampaign } from "../ledger/campaigns.ts";
import { closeBatch, settleFindings, type SettleResult } from "../ledger/settling.ts";
import {
  callFactsOf,
  platformIdOf,
  readCalls,
  readItems,
  readView,
  type BatchView,
} from "./batch-reading.ts";
import type { ActivityDeps } from "./deps.ts";
import { isRefusal } from "./platform-refusal.ts";

/** Calls that one look reads whole, at most; the next look goes on. */
const MAX_CALLS_PER_LOOK = 20;

/** A moment before every end: nothing is late then. */
const NOBODY_OVERDUE = 0;

export interface Settled {
  attempts: UnendedAttempt[];
  view: BatchView;
  reading: Reading;
  result: SettleResult | undefined;
}

/** Reads a batch's items, and its calls where an outcome depends on them, and writes what they say. */
export async function settleFromItems(
  deps: ActivityDeps,
  batch: Batch,
  options: { proof: boolean; signal?: AbortSignal },
): Promise<Settled> {
  const attempts = await listUnended(deps.ledger.db, batch.id);
  const view: BatchView = { items: [], calls: new Map() };
  if (attempts.length > 0) view.items = await readItems(deps, platformIdOf(batch), attempts, options);
  const policy = await analysisPolicy(deps, batch);
  // Whoever has waited long enough is given up only once the calls were asked.
  let reading = readView(deps, view, attempts, policy, NOBODY_OVERDUE);
  if (reading.wantCalls.length > 0) {
    const { facts } = await readCalls(deps, platformIdOf(batch), { ...options, proof: false });
    for (const [id, call] of facts) view.calls.set(id, call);
    reading = readView(deps, view, attempts, policy, NOBODY_OVERDUE);
  }
  if (reading.wantAnalysis.length > 0) {
    await readWholeCalls(deps, view, reading.wantAnalysis.slice(0, MAX_CALLS_PER_LOOK));
  }
  reading = readView(deps, view, attempts, policy, deps.now());
  const result = await settleFindings(deps.ledger, {
    batchId: batch.id,
    findings: reading.findings,
    nowMs: deps.now(),
  });
  announce(deps, batch, result);
  return { attempts, view, reading, result };
}

/** Wakes whom a settling concerns. Each of them looks by itself later, too. */
export function announce(deps: ActivityDeps, batch: Batch, result: SettleResult | undefined): void {
  if (result?.wakeCampaign) deps.wake.campaign(batch.campaignId);
  if (result?.tellsOthers) deps.outbox.kick();
  for (const batchId of result?.stoppedBatches ?? []) deps.wake.batch(batchId);
}

/** Reads calls whole, which is where their analysis stands. One that can't be read now is left for later. */
export async function readWholeCalls(
  deps: ActivityDeps,
  view: BatchView,
  callIds: readonly string[],
): Promise<void> {
  for (const callId of callIds) {
    try {
      view.calls.set(callId, callFactsOf(await deps.platform.calls.get(callId)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      deps.log.warn({ callId, error: error.message }, "a call whose analysis a rule waits for can't be read");
    }
  }
}

async function analysisPolicy(deps: ActivityDeps, batch: Batch) {
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  if (!campaign) throw new Error(`batch ${batch.id} has no campaign`);
  return policyOf(campaign.spec, campaign.policyVersion);
}

/** Ends attempts whose fate stays unknown. They count as dialed (I1) and are not dialed again. */
export async function settleUnknown(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
  reason: string,
): Promise<void> {
  if (phones.length === 0) return;
  deps.log.warn({ batchId: batch.id, attempts: phones.length, reason }, "attempts end as unknown");
  const findings = phones.map((phone): Finding => ({
    phone,
    itemId: undefined,
    callId: undefined,
    itemStatus: undefined,
    errorText: undefined,
    startedAtMs: undefined,
    endedAtMs: undefined,
    durationSeconds: undefined,
    outcome: { kind: "ended", disposition: "unknown", reason },
  }));
  const result = await settleFindings(deps.ledger, { batchId: batch.id, findings, nowMs: deps.now() });
  announce(deps, batch, result);
}

/** Closes the batch where nothing of it is open any more, and wakes its campaign up. */
export async function closeIfSettled(deps: ActivityDeps, batch: Batch): Promise<boolean> {
  const closed = await closeBatch(deps.ledger, batch.id, deps.now());
  if (closed) deps.wake.campaign(batch.campaignId);
  return closed;
}
