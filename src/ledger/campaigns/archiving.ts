import { sql } from "drizzle-orm";

import { writeAudit } from "../ground/audit.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { rows, type Ledger } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";
import { lockCallbacksOf, lockCampaign, type Campaign } from "./campaigns.ts";
import { UnknownCampaignError } from "./commands.ts";

interface ArchiveInput {
  campaignId: string;
  actor: string;
  reason: string | undefined;
  nowMs: number;
}

/**
 * Has lists of campaigns pass over one that is over, and over its callbacks. It stays whatever else it was: its name and
 * its runs, its calls that caps count, its evidence. Safe to give twice.
 *
 * @returns since when it is archived. Unix milliseconds
 * @throws CommandRefusedError where it is not over, or callbacks are to come; UnknownCampaignError
 */
export function archiveCampaign(ledger: Ledger, input: ArchiveInput): Promise<number> {
  return ledger.transaction(async (tx) => {
    const campaign = required(await lockCampaign(tx, input.campaignId), input.campaignId);
    if (campaign.archivedAtMs !== undefined) return campaign.archivedAtMs;
    if (campaign.endedAtMs === undefined)
      throw new CommandRefusedError(
        `campaign "${campaign.name}" is ${campaign.state}: one that is not over can't be archived; cancel it first, or wait for its end`,
      );
    const callbacks = await lockCallbacksOf(tx, campaign.id);
    if (callbacks.length > 0)
      throw new CommandRefusedError(
        `callbacks of campaign "${campaign.name}" are not over: they are made first, or cancelled as "${callbacks[0]?.name ?? ""}"`,
      );
    const { nowMs, actor, reason } = input;
    await rows(
      tx,
      sql`update campaigns set archived_at = ${at(nowMs)} where id = ${campaign.id}::uuid or parent_id = ${campaign.id}::uuid`,
    );
    const detail = { reason: reason ?? null };
    await writeAudit(tx, { nowMs, actor, action: "campaign.archive", campaignId: campaign.id, detail });
    return nowMs;
  });
}

/** Has them show it again. Safe to give twice. @throws UnknownCampaignError */
export function unarchiveCampaign(ledger: Ledger, input: ArchiveInput): Promise<void> {
  return ledger.transaction(async (tx) => {
    const campaign = required(await lockCampaign(tx, input.campaignId), input.campaignId);
    if (campaign.archivedAtMs === undefined) return;
    const { nowMs, actor, reason } = input;
    await rows(
      tx,
      sql`update campaigns set archived_at = null where id = ${campaign.id}::uuid or parent_id = ${campaign.id}::uuid`,
    );
    const detail = { reason: reason ?? null };
    await writeAudit(tx, { nowMs, actor, action: "campaign.unarchive", campaignId: campaign.id, detail });
  });
}

function required(campaign: Campaign | undefined, campaignId: string): Campaign {
  if (!campaign) throw new UnknownCampaignError(`there is no campaign ${campaignId}`);
  return campaign;
}
