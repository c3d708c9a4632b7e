import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { noteAskAgain, putsOffOtherwise } from "./asking-again.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { listUnsettled, requestStop } from "./batches.ts";
import { amendCampaign, type Campaign } from "./campaigns.ts";
import type { Db } from "../ground/connection.ts";

/**
 * Puts a changed spec in force under the campaign's lock. Batches that the new policy would not allow are asked
 * to stop: those past the new window, and the newest ones while more slots are held than there now are. Contacts that
 * the old policy had put off are asked about again by the next plannings.
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
  const asksAgain = putsOffOtherwise(campaign.spec, spec) && (await noteAskAgain(tx, campaign.id));
  const amended: Campaign = {
    ...campaign,
    ...(asksAgain && { asksAgain }),
    spec,
    policyVersion,
    concurrency: spec.concurrency,
  };
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
