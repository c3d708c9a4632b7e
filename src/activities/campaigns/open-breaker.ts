import { breakCampaign } from "../../ledger/campaigns/breaking.ts";
import type { ActivityDeps } from "../deps.ts";

/** Pauses a campaign whose newest calls open its breaker, and has whoever tends its batches stop them. Safe to repeat. */
export async function openBreaker(
  deps: Pick<ActivityDeps, "ledger" | "wake" | "log" | "now">,
  campaignId: string,
): Promise<void> {
  const broken = await breakCampaign(deps.ledger, { campaignId, nowMs: deps.now() });
  if (!broken) return;
  deps.log.warn({ campaignId, reason: broken.reason }, "campaign paused by its breaker");
  for (const id of broken.stoppedBatchIds) deps.wake.batch(id);
  for (const id of [campaignId, ...broken.callbackCampaignIds]) deps.wake.campaign(id);
}
