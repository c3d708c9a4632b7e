import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import {
  amendSpec,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  type AmendResult,
  type CommandResult,
} from "../../ledger/campaigns/commands.ts";
import { listUnsettled } from "../../ledger/campaigns/batches.ts";
import type { ActivityDeps } from "../deps.ts";
import { haltBatches, type HaltReport } from "./halt-batches.ts";

export interface CommandActivityInput {
  campaignId: string;
  commandId: string;
  actor: string;
  reason: string | undefined;
  /** What was asked for under that id: another command under it is refused. */
  request?: string;
}

export interface HaltResult {
  state: CommandResult["state"];
  inFlight: HaltReport;
}

/** Safe to retry: a campaign that is paused stays paused, and its batches are asked again to stop. */
export async function pauseCampaignActivity(
  deps: ActivityDeps,
  input: CommandActivityInput,
): Promise<HaltResult> {
  const result = await pauseCampaign(deps.ledger, { ...input, nowMs: deps.now() });
  wakeCallbacks(deps, result);
  return { state: result.state, inFlight: await haltBatches(deps, result.stoppedBatchIds) };
}

/** Safe to retry: as pausing. */
export async function cancelCampaignActivity(
  deps: ActivityDeps,
  input: CommandActivityInput,
): Promise<HaltResult> {
  const result = await cancelCampaign(deps.ledger, { ...input, nowMs: deps.now() });
  wakeCallbacks(deps, result);
  return { state: result.state, inFlight: await haltBatches(deps, result.stoppedBatchIds) };
}

/** Safe to retry: resuming a running campaign changes nothing. */
export async function resumeCampaignActivity(
  deps: ActivityDeps,
  input: CommandActivityInput,
): Promise<CommandResult> {
  const result = await resumeCampaign(deps.ledger, { ...input, nowMs: deps.now() });
  wakeCallbacks(deps, result);
  return result;
}

/** Safe to retry: the same spec again is no difference. */
export async function amendCampaignActivity(
  deps: ActivityDeps,
  input: CommandActivityInput & { spec: CampaignSpec },
): Promise<AmendResult> {
  const amended = await amendSpec(deps.ledger, {
    ...input,
    dialByMarginMs: deps.pace.dialByMarginMs,
    nowMs: deps.now(),
  });
  await haltBatches(deps, amended.stoppedBatchIds);
  // The others have a new time to stop by, perhaps.
  const { callbackCampaignIds = [] } = amended;
  for (const campaignId of [input.campaignId, ...callbackCampaignIds]) {
    for (const batch of await listUnsettled(deps.ledger.db, campaignId)) deps.wake.batch(batch.id);
  }
  wakeCallbacks(deps, amended);
  return amended;
}

/** The campaign's own workflow looks again after each command; those of its callbacks are told. */
function wakeCallbacks({ wake }: ActivityDeps, { callbackCampaignIds = [] }: CommandResult): void {
  for (const campaignId of callbackCampaignIds) wake.campaign(campaignId);
}
