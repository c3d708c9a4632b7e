import { sql } from "drizzle-orm";

import { firstRow, type Db } from "../ground/connection.ts";
import { at, ms } from "../ground/sql.ts";

/** Somebody with so many calls. */
export interface OftenCalled {
  phone: string;
  calls: number;
  campaigns: number;
  lastMs: number;
}

export interface OftenQuestion {
  /** Absent: of every brand. */
  brand: string | undefined;
  sinceMs: number;
  /** So many calls, or more. */
  calls: number;
  limit: number;
}

export interface OftenAnswer {
  people: OftenCalled[];
  /** All who had as many calls, `people` those with most. */
  total: number;
  /** Calls that were looked at; the newest, where there are more. */
  looked: number;
  /** When the batch of the oldest of them began; undefined: all since the moment that was asked for were looked at. */
  backToMs: number | undefined;
}

/** Some tenths of a second of PostgreSQL, whatever is asked for. */
const MOST_BATCHES = 5_000;

/**
 * Who was called how often since a moment, by whichever campaign or sequence: calls that count as dialed, and those that
 * may be under way. Reads the batches that began since by index, the newest of them, and their attempts.
 */
export async function readOftenCalled(
  db: Db,
  { brand, sinceMs, calls, limit }: OftenQuestion,
  mostBatches = MOST_BATCHES,
): Promise<OftenAnswer> {
  const row = await firstRow<{
    people: OftenCalled[] | null;
    total: number;
    looked: number;
    batches: number;
    oldestMs: number | null;
  }>(
    db,
    sql`with newest as materialized (
          select id, campaign_id, start_sent_at from batches
          where start_sent_at >= ${at(sinceMs)} order by start_sent_at desc limit ${mostBatches}
        ), called as materialized (
          select a.phone, a.campaign_id, coalesce(a.started_at, n.start_sent_at) as at
          from newest n cross join lateral (select * from attempts one where one.batch_id = n.id offset 0) a
          where a.state in ('open', 'provisional', 'ended')
            and (${brand ?? null}::text is null
              or exists (select 1 from campaigns p where p.id = n.campaign_id and p.brand = ${brand ?? null}::text))
        ), often as (
          select c.phone, count(*)::int as calls, count(distinct c.campaign_id)::int as campaigns,
                 ${ms(sql`max(c.at)`)} as "lastMs"
          from called c group by c.phone having count(*) >= ${calls}::int
        ), most as (
          select * from often o order by o.calls desc, o."lastMs" desc, o.phone limit ${limit}
        )
        select (select jsonb_agg(jsonb_build_object('phone', m.phone, 'calls', m.calls, 'campaigns', m.campaigns, 'lastMs', m."lastMs")
                                 order by m.calls desc, m."lastMs" desc, m.phone) from most m) as people,
          (select count(*) from often)::int as total, (select count(*) from called)::int as looked,
          (select count(*) from newest)::int as batches,
          ${ms(sql`(select min(n.start_sent_at) from newest n)`)} as "oldestMs"`,
  );
  if (!row) throw new Error("counts have no row");
  return {
    people: row.people ?? [],
    total: row.total,
    looked: row.looked,
    backToMs: row.batches === mostBatches ? (row.oldestMs ?? undefined) : undefined,
  };
}
