import { sql } from "drizzle-orm";

import { isOver } from "../../domain/campaigns/campaign-state.ts";
import { writeAudit } from "../ground/audit.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { moveCampaign } from "./campaign-moves.ts";
import { readCampaign, type Campaign } from "./campaigns.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import { at } from "../ground/sql.ts";

/**
 * An import that was touched this recently, since the campaign started, is still going on: its campaign does not
 * end under it. One that was in part when the campaign started was allowed to stay so.
 */
const IMPORT_GRACE_MS = 10 * 60_000;

/**
 * Ends a campaign that has no batch under way and nothing left to do. Under the lock that appending takes, too:
 * nobody slips past.
 *
 * @param input.atOnce how many contacts it excludes at most; `isLeft`: there were more, call it again.
 */
export async function endIfThrough(
  tx: Db,
  campaign: Campaign,
  { atOnce, nowMs }: { atOnce: number; nowMs: number },
): Promise<{ isLeft: boolean }> {
  if (campaign.state === "draining") {
    const reason = campaign.ending === "cancelled" ? "cancelled" : "campaign_ended";
    const gone = await rows<EndedContact>(
      tx,
      sql`with gone as (
          update contacts set state = 'excluded', held = false, reason = ${reason}, ended_at = ${at(nowMs)}
          where id in (select c.id from lanes l join contacts c on c.lane_id = l.id and c.state = 'open'
                       where l.campaign_id = ${campaign.id}::uuid limit ${atOnce}) returning campaign_id, id, enrolment_id),
          told as (${contactsFinished(sql`select campaign_id, id from gone`, nowMs)})
          select enrolment_id from gone`,
    );
    await bookTallies(tx, campaign, { open: -gone.length, excluded: gone.length });
    await tellEnded(tx, gone, nowMs);
    if (gone.length === atOnce) return { isLeft: true };
    await end(tx, campaign, campaign.ending ?? "completed", nowMs);
    return THROUGH;
  }
  if (campaign.state !== "running" || campaign.tallies.open > 0 || campaign.tallies.leased > 0)
    return THROUGH;
  if (campaign.standing) {
    if (await isOverWithParent(tx, campaign)) await end(tx, campaign, "completed", nowMs);
    return THROUGH;
  }
  // The next planning closes its breaker first, which has its callbacks go on: their locks come before those of lines.
  if (campaign.breaker === "probing") return THROUGH;
  const importing = await firstRow(
    tx,
    sql`select 1 as one from imports where campaign_id = ${campaign.id}::uuid and completed_at is null
          and updated_at >= ${at(Math.max(nowMs - IMPORT_GRACE_MS, campaign.startedAtMs ?? 0))} limit 1`,
  );
  if (!importing) await end(tx, campaign, "completed", nowMs);
  return THROUGH;
}

const THROUGH = { isLeft: false };

/** Callbacks end once their campaign has, as a list does; a callback that comes later makes a new campaign for it. */
async function isOverWithParent(tx: Db, { parentId }: Campaign): Promise<boolean> {
  const parent = parentId === undefined ? undefined : await readCampaign(tx, parentId);
  return parent !== undefined && isOver(parent.state);
}

async function end(tx: Db, campaign: Campaign, to: "completed" | "cancelled", nowMs: number): Promise<void> {
  const { tallies } = campaign;
  if (tallies.open !== 0 || tallies.leased !== 0) {
    throw new Error(
      `campaign ${campaign.id} can't end with ${tallies.open} open and ${tallies.leased} leased contacts`,
    );
  }
  await moveCampaign(tx, {
    campaignId: campaign.id,
    from: [campaign.state],
    to,
    actor: "engine",
    // Why it was to end. What a running one says is why it was resumed, or started.
    reason: campaign.state === "draining" ? campaign.stateReason : undefined,
    nowMs,
  });
  await writeAudit(tx, {
    nowMs,
    actor: "engine",
    action: "campaign.report",
    campaignId: campaign.id,
    detail: { ...tallies },
  });
  campaign.state = to;
}
