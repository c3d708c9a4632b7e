import { sql } from "drizzle-orm";

import { policyOf, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { numberKindOf, numberProblem } from "../../domain/policy/number-kind.ts";
import { noteAskAgain, putsOffOtherwise } from "./asking-again.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { listUnsettled, requestStop, requestStopOfAll } from "./batches.ts";
import { amendCampaign, type Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";

/**
 * Puts a changed spec in force under the campaign's lock. Batches that the new policy would not allow are asked
 * to stop: those past the new window, those that call numbers which may not be called any more, all of them where it asks for other consent, and the newest ones while more slots are held than there now are. Contacts that
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
  const differences = specDifference(campaign.spec, spec);
  const isOtherwise = (name: string) => differences.some(({ field }) => field === name);
  const stoppedBatchIds = [
    ...(await boundByWindow(tx, amended, input)),
    ...(isOtherwise("numbers") ? await stopNotAllowed(tx, amended, input.nowMs) : []),
    ...(isOtherwise("consent") && spec.consent ? await stopToAsk(tx, amended, input.nowMs) : []),
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

/** Everybody who is on a batch is asked about again before they are on the next. */
function stopToAsk(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  return requestStopOfAll(tx, { campaign, reason: "policy", nowMs });
}

async function stopNotAllowed(tx: Db, campaign: Campaign, nowMs: number): Promise<string[]> {
  const { numbers } = policyOf(campaign.spec, campaign.policyVersion);
  const open = await rows<{ batch_id: string; phone: string }>(
    tx,
    sql`select batch_id, phone from attempts where state = 'open'
          and batch_id in (select id from batches where campaign_id = ${campaign.id}::uuid and state <> 'settled')`,
  );
  const not = open.filter(({ phone }) => numberProblem(numberKindOf(phone), numbers) !== undefined);
  const batchIds = [...new Set(not.map(({ batch_id }) => batch_id))];
  await requestStop(tx, { campaign, batchIds, reason: "policy", nowMs });
  return batchIds;
}
