import { withdrawContacts, type Withdrawal, type WithdrawInput } from "../ledger/campaigns/withdrawing.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

const NOTHING: InFlight = { batches: 0, callsUp: 0, uncertain: 0 };

/**
 * Withdraws people from a campaign, and answers when batches that were dialing one of them start no new call. Safe to
 * give twice. Neither Temporal nor a worker is needed.
 *
 * @throws UnknownCampaignError; CommandRefusedError for the calls of a sequence, and for callbacks.
 */
export async function withdraw(
  { ledger, now, wake, outbox, haltBatches }: CommandPorts,
  input: Omit<WithdrawInput, "nowMs">,
): Promise<Withdrawal & { inFlightNow: InFlight }> {
  const withdrawal = await withdrawContacts(ledger, { ...input, nowMs: now() });
  const { campaignIds, stoppedBatchIds } = withdrawal;
  // Sooner than the outbox would, which makes sure of it.
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  if (campaignIds.length > 0) outbox.kick();
  const inFlightNow = stoppedBatchIds.length === 0 ? NOTHING : await haltBatches(stoppedBatchIds);
  return { ...withdrawal, inFlightNow };
}
