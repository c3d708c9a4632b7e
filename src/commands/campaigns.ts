import { listUnsettled } from "../ledger/campaigns/batches.ts";
import {
  amendSpec,
  approveCampaign,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  type AmendResult,
  type Amendment,
  type CommandInput,
  type CommandResult,
} from "../ledger/campaigns/commands.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

/*
 * What people tell a campaign that was started, whoever tells it: a transaction of the ledger, from whose commit on it
 * holds; then what runs is halted on the platform, and whoever has to look again is told. Neither Temporal nor a worker
 * is needed: the outbox, written in that transaction, makes sure of the rest.
 */

const GIVE = {
  pause: pauseCampaign,
  cancel: cancelCampaign,
  resume: resumeCampaign,
  approve: approveCampaign,
} as const;

type Given = Omit<CommandInput, "nowMs" | "ensured">;

/**
 * Pauses, resumes, approves of or cancels a campaign, and its callbacks with it. Safe to give twice.
 *
 * @returns once no new dial can begin against it, with what is still in flight.
 * @throws CommandRefusedError where it does not fit the campaign's state, UnknownCampaignError, RequestReusedError.
 */
export async function tellCampaign(
  ports: CommandPorts,
  command: keyof typeof GIVE,
  given: Given,
): Promise<CommandResult & { inFlight: InFlight }> {
  const result = await GIVE[command](ports.ledger, { ...given, ensured: true, nowMs: ports.now() });
  return { ...result, inFlight: await carryOut(ports, given.campaignId, result) };
}

/**
 * Puts a changed spec in force. Batches that it would not allow are halted; the others learn until when they may dial.
 *
 * @throws CommandRefusedError where it makes it another campaign or does not fit its state; as `tellCampaign`.
 */
export async function amendCampaign(ports: CommandPorts, given: Given & Amendment): Promise<AmendResult> {
  const { dialByMarginMs } = ports.pace;
  const result = await amendSpec(ports.ledger, {
    ...given,
    dialByMarginMs,
    ensured: true,
    nowMs: ports.now(),
  });
  await carryOut(ports, given.campaignId, result);
  for (const campaignId of toldOf(given.campaignId, result)) {
    for (const batch of await listUnsettled(ports.ledger.db, campaignId)) ports.wake.batch(batch.id);
  }
  return result;
}

async function carryOut(ports: CommandPorts, campaignId: string, result: CommandResult): Promise<InFlight> {
  // Sooner than the outbox would, which makes sure of it.
  for (const told of toldOf(campaignId, result)) ports.wake.campaign(told);
  ports.outbox.kick();
  return ports.haltBatches(result.stoppedBatchIds);
}

function toldOf(campaignId: string, { callbackCampaignIds = [] }: CommandResult): string[] {
  return [campaignId, ...callbackCampaignIds];
}
