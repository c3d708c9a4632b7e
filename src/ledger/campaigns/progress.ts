import { sql } from "drizzle-orm";

import { budgetCapsOf } from "../../domain/campaigns/budget-spec.ts";
import { isOver } from "../../domain/campaigns/campaign-state.ts";
import type { TransferPace } from "../../domain/campaigns/transfer-pacing.ts";
import { readOpenAfterwards } from "./afterwards.ts";
import { readAgents, type CampaignAgent } from "./agents.ts";
import { readSpending, type Spending } from "./budgets.ts";
import { readCampaign, type Campaign } from "./campaigns.ts";
import { readTransferPace } from "./transfer-lines.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { json } from "../ground/sql.ts";

/** Why contacts that are due are not dialed now, those of all zone sets with the same reason and end together. */
export interface OpenHold {
  reason: string;
  detail: string;
  /** 0: the whole campaign. */
  zoneSets: number;
}

export interface Progress {
  campaign: Campaign;
  heldSlots: number;
  liveBatches: number;
  holds: OpenHold[];
  agents: CampaignAgent[];
  /** What follows its calls and is open, and callbacks to come. */
  followUps: number;
  callbacks: number;
  spending: Spending;
  /** What those who take transferred calls leave it; undefined: they bound nothing. */
  transferPace: TransferPace | undefined;
}

/** A campaign of very many zones has as many holds; a screen shows a few. */
const MAX_HOLDS = 20;

/** What batches that are under way hold. An index holds exactly these batches. */
export async function readHeldSlots(
  db: Db,
  campaignId: string,
): Promise<{ heldSlots: number; liveBatches: number }> {
  const row = await firstRow<{ held: number; live: number }>(
    db,
    sql`select coalesce(sum(held), 0)::int as held, count(*)::int as live
        from batches where campaign_id = ${campaignId}::uuid and state <> 'settled'`,
  );
  return { heldSlots: row?.held ?? 0, liveBatches: row?.live ?? 0 };
}

/** The same of several campaigns, their lines alone; of those that are not there nothing is held. */
export async function readHeldSlotsOf(
  db: Db,
  campaignIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (campaignIds.length === 0) return new Map();
  const found = await rows<{ id: string; held: number }>(
    db,
    sql`select campaign_id::text as id, sum(held)::int as held from batches
        where campaign_id in (select id::uuid from jsonb_array_elements_text(${json(campaignIds)}) as of(id))
          and state <> 'settled'
        group by campaign_id`,
  );
  return new Map(found.map(({ id, held }) => [id, held]));
}

/**
 * Where a campaign stands, in a few probes of an index: cheap enough to be asked every second.
 * Undefined where there is no such campaign.
 */
export async function readProgress(
  db: Db,
  campaignId: string,
  nowMs = Date.now(),
): Promise<Progress | undefined> {
  const campaign = await readCampaign(db, campaignId);
  if (!campaign) return undefined;
  const held = await readHeldSlots(db, campaignId);
  const holds = await rows<OpenHold>(
    db,
    sql`select reason, detail, count(zone_set_id)::int as "zoneSets"
        from holds where campaign_id = ${campaignId}::uuid and until_at is null
        group by reason, detail order by min(from_at), reason, detail limit ${MAX_HOLDS}`,
  );
  const agents = await readAgents(db, campaign);
  const spending = await readSpending(
    db,
    campaign.parentId ?? campaign.id,
    nowMs,
    budgetCapsOf(campaign.spec.budget).zone,
  );
  const transferPace = isOver(campaign.state) ? undefined : await readTransferPace(db, campaign);
  return {
    campaign,
    ...held,
    holds,
    agents,
    spending,
    transferPace,
    ...(await readOpenAfterwards(db, campaignId)),
  };
}
