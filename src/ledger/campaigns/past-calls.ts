import { sql } from "drizzle-orm";

import { firstRow, type Db } from "../ground/connection.ts";

/** What calls of an agent for a brand came to. */
export interface PastCalls {
  /** Campaigns that were looked at, the newest of those that called anybody. */
  campaigns: number;
  /** Ended attempts by what they came to. */
  dispositions: Record<string, number>;
  /** As far as the platform said. */
  talkSeconds: number;
  /** Contacts with an attempt or more. */
  dialed: number;
  spentMicros: number;
}

/** What is older says less of the next campaign than what is newer. */
const NEWEST_CAMPAIGNS = 10;

/**
 * Reads attempts of them by index: for a look before a start, not for a loop.
 *
 * @param input.atMost about so many calls of them are read, of batches from everywhere among them; absent: all
 */
export async function readPastCalls(
  db: Db,
  { brand, agentId, atMost }: { brand: string; agentId: string; atMost?: number },
): Promise<PastCalls> {
  const row = await firstRow<{
    campaigns: number;
    dispositions: Record<string, number> | null;
    talk_seconds: number;
    dialed: number;
    spent: number;
  }>(
    db,
    sql`with newest as (
          select id, attempt_count from campaigns
          where brand = ${brand} and spec ->> 'agent_id' = ${agentId} and not standing and attempt_count > 0
          order by created_at desc limit ${NEWEST_CAMPAIGNS}),
        share as (
          select case when ${atMost ?? null}::int is null then 1 else greatest(1, ceil(sum(attempt_count) / ${atMost ?? 1}::float8)) end::int as one_of
          from newest),
        ended as (
          select a.contact_id, a.disposition, a.duration_seconds, a.cost_micros
          from newest n cross join share s join batches b on b.campaign_id = n.id join attempts a on a.batch_id = b.id
          -- Ids of batches are random.
          where a.state = 'ended' and (get_byte(uuid_send(b.id), 14) * 256 + get_byte(uuid_send(b.id), 15)) % s.one_of = 0)
        select (select count(*) from newest)::int as campaigns,
          (select jsonb_object_agg(d.disposition, d.n) from
            (select e.disposition, count(*) as n from ended e group by 1) d) as dispositions,
          (select coalesce(sum(e.duration_seconds), 0) from ended e)::float8 as talk_seconds,
          (select count(distinct e.contact_id) from ended e)::int as dialed,
          (select coalesce(sum(e.cost_micros), 0) from ended e)::bigint as spent`,
  );
  if (!row) throw new Error("sums have no row");
  return {
    campaigns: row.campaigns,
    dispositions: row.dispositions ?? {},
    talkSeconds: row.talk_seconds,
    dialed: row.dialed,
    spentMicros: row.spent,
  };
}
