import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { at, json } from "../ground/sql.ts";
import type { Campaign } from "./campaigns.ts";

/** Long enough that batches of a slow campaign fall into it, and short enough to be "now". */
export const PACE_MS = 5 * 60_000;

export interface ListedFigures {
  /** What it and its callbacks spent; of callbacks: what the campaign that they are of did. */
  spentMicros: number;
  /** Calls whose start was sent within `PACE_MS`. */
  begun: number;
}

/**
 * What a list says of each of its campaigns beside their own rows, in two statements however many they are. One reads a
 * row for each day on which one of them called, the other what began on the platform within the last minutes, over all
 * campaigns: an index holds each.
 */
export async function readListedFigures(
  db: Db,
  campaigns: readonly Pick<Campaign, "id" | "parentId">[],
  nowMs: number,
): Promise<(campaign: Pick<Campaign, "id" | "parentId">) => ListedFigures> {
  if (campaigns.length === 0) return () => ({ spentMicros: 0, begun: 0 });
  const accounts = [...new Set(campaigns.map(accountOf))];
  const spent = await rows<{ id: string; micros: number }>(
    db,
    sql`select campaign_id::text as id, sum(spent_micros)::bigint as micros from spending
        where campaign_id in (select id::uuid from jsonb_array_elements_text(${json(accounts)}) as of(id))
        group by campaign_id`,
  );
  const begun = await rows<{ id: string; calls: number }>(
    db,
    sql`select campaign_id::text as id, sum(size - returned)::int as calls from batches
        where start_sent_at >= ${at(nowMs - PACE_MS)} and start_sent_at <= ${at(nowMs)} group by campaign_id`,
  );
  const microsOf = new Map(spent.map(({ id, micros }) => [id, micros]));
  const callsOf = new Map(begun.map(({ id, calls }) => [id, calls]));
  return (campaign) => ({
    spentMicros: microsOf.get(accountOf(campaign)) ?? 0,
    begun: callsOf.get(campaign.id) ?? 0,
  });
}

function accountOf({ id, parentId }: Pick<Campaign, "id" | "parentId">): string {
  return parentId ?? id;
}
