import { sql } from "drizzle-orm";

import { createWindowMemo } from "../../domain/policy/calling-window.ts";
import { policyOf, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { decideZones } from "../../domain/policy/policy-gate.ts";
import { listUnsettled, requestStop } from "./batches.ts";
import { amendCampaign, type Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";

/**
 * Puts a changed spec in force under the campaign's lock. Batches that the new policy would not allow are asked
 * to stop: those past the new window, and the newest ones while more slots are held than there now are.
 */
export async function putInForce(
  tx: Db,
  input: {
    campaign: Campaign;
    spec: CampaignSpec;
    actor: string;
    commandId?: string;
    dialByMarginMs: number;
    nowMs: number;
  },
): Promise<{ amended: Campaign; stoppedBatchIds: string[] }> {
  const { campaign, spec } = input;
  const policyVersion = await amendCampaign(tx, input);
  const amended: Campaign = { ...campaign, spec, policyVersion, concurrency: spec.concurrency };
  const stoppedBatchIds = [
    ...(await stopOutsideWindow(tx, amended, input)),
    ...(await stopBeyondConcurrency(tx, amended, input.nowMs)),
  ];
  return { amended, stoppedBatchIds };
}

/** Sooner ends of permission move `dial_by` forward; those that have passed stop their batches. */
async function stopOutsideWindow(
  tx: Db,
  campaign: Campaign,
  input: { nowMs: number; dialByMarginMs: number },
): Promise<string[]> {
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const windowOf = createWindowMemo(policy.window);
  const zonesByBatch = await rows<{ batch_id: string; zones: string[] }>(
    tx,
    sql`select distinct a.batch_id, z.key, z.zones
        from attempts a join contacts c on c.id = a.contact_id join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
        where a.state = 'open' and a.batch_id in (select id from batches where campaign_id = ${campaign.id}::uuid and state <> 'settled')`,
  );
  const untilMs = new Map<string, number>();
  for (const { batch_id, zones } of zonesByBatch) {
    const decision = decideZones({ facts: { zones }, policy, nowMs: input.nowMs, windowOf });
    const limitMs = decision.kind === "dial" ? decision.untilMs - input.dialByMarginMs : input.nowMs;
    untilMs.set(batch_id, Math.min(untilMs.get(batch_id) ?? Number.POSITIVE_INFINITY, limitMs));
  }
  for (const [batchId, limitMs] of untilMs) {
    if (!Number.isFinite(limitMs)) continue;
    await rows(
      tx,
      sql`update batches set dial_by = least(coalesce(dial_by, ${at(limitMs)}), ${at(limitMs)}) where id = ${batchId}::uuid`,
    );
  }
  const late = [...untilMs].filter(([, limitMs]) => limitMs <= input.nowMs).map(([batchId]) => batchId);
  await requestStop(tx, { campaign, batchIds: late, reason: "window", nowMs: input.nowMs });
  return late;
}

async function stopBeyondConcurrency(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  const unsettled = await listUnsettled(tx, campaign.id);
  let held = unsettled.reduce((sum, batch) => sum + (batch.stopReason === undefined ? batch.held : 0), 0);
  const batchIds: string[] = [];
  for (const batch of unsettled.reverse()) {
    if (held <= campaign.concurrency) break;
    if (batch.stopReason !== undefined) continue;
    batchIds.push(batch.id);
    held -= batch.held;
  }
  await requestStop(tx, { campaign, batchIds, reason: "concurrency", nowMs });
  return batchIds;
}
