import { sql } from "drizzle-orm";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { listUnsettled, requestStop } from "./batches.ts";
import { amendCampaign, type Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";

/**
 * Puts a changed spec in force under the campaign's lock. Batches that the new policy would not allow are asked
 * to stop: those past the new window, and the newest ones while more slots are held than there now are. Contacts that
 * the old policy had put off are asked about again.
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
  await askAgain(tx, input);
  const amended: Campaign = { ...campaign, spec, policyVersion, concurrency: spec.concurrency };
  const stoppedBatchIds = [
    ...(await boundByWindow(tx, amended, input)),
    ...(await stopBeyondConcurrency(tx, amended, input.nowMs)),
  ];
  return { amended, stoppedBatchIds };
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

/** What the policy puts single contacts off by: each by what was called, or called us, before. */
const PUTS_OFF: ReadonlySet<string> = new Set(["frequency", "least_gap", "inbound", "retry"]);

/**
 * Whoever is put off by the gate was due, so that they are due now. A retry that is still to come is no refusal, and
 * stays where it is.
 */
async function askAgain(
  tx: Db,
  { campaign, spec, nowMs }: { campaign: Campaign; spec: CampaignSpec; nowMs: number },
): Promise<void> {
  if (!specDifference(campaign.spec, spec).some(({ field }) => PUTS_OFF.has(field))) return;
  await rows(
    tx,
    sql`update contacts c set due_at = ${at(nowMs)}
        where c.lane_id in (select id from lanes where campaign_id = ${campaign.id}::uuid)
          and c.state = 'open' and c.due_at > ${at(nowMs)}
          and exists (select 1 from refusals f where f.contact_id = c.id and f.until_at = c.due_at)`,
  );
}
