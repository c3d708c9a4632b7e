import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { at, ms } from "../ground/sql.ts";

/** What of a campaign's calls fell into a stretch of time. */
export interface Bucket {
  fromMs: number;
  /** Calls that began in it. */
  dials: number;
  /** Of these, so many were answered. */
  answered: number;
  /** Calls that were up at its end. */
  up: number;
}

export interface TimelineQuestion {
  campaignId: string;
  /** A whole number of buckets before `untilMs`. */
  fromMs: number;
  untilMs: number;
  bucketMs: number;
}

/** A call that has not been seen to end by then is taken to be over: nobody talks for that long. */
const LONGEST_CALL_MS = 4 * 3_600_000;

/**
 * A campaign's calls over time, from the batches that were planned within the stretch or a little before it: an index
 * holds them by that time. What it costs follows from the calls of the stretch, whatever the campaign's size.
 */
export async function readTimeline(db: Db, question: TimelineQuestion): Promise<Bucket[]> {
  const { campaignId, fromMs, untilMs, bucketMs } = question;
  const many = Math.round((untilMs - fromMs) / bucketMs);
  const found = await rows<{ n: number; began: number; answered: number; ended: number }>(
    db,
    sql`with calls as (
          select ${ms(sql`a.started_at`)} as began_ms,
                 ${ms(sql`coalesce(a.ended_at, a.settled_at)`)} as ended_ms,
                 a.disposition = 'answered' as answered
          from batches b cross join lateral (select * from attempts where batch_id = b.id offset 0) a
          where b.campaign_id = ${campaignId}::uuid and b.planned_at >= ${at(fromMs - LONGEST_CALL_MS)}
            and b.planned_at < ${at(untilMs)} and a.started_at is not null and a.state <> 'returned'
        ), moved as (
          select floor((began_ms - ${fromMs}::float8) / ${bucketMs}::float8)::int as n,
                 1 as began, answered::int as answered, 0 as ended
          from calls where began_ms < ${untilMs}::float8
          union all
          select floor((ended_ms - ${fromMs}::float8) / ${bucketMs}::float8)::int, 0, 0, 1
          from calls where ended_ms < ${untilMs}::float8
        )
        select greatest(n, -1) as n, sum(began)::int as began, sum(answered)::int as answered, sum(ended)::int as ended
        from moved group by greatest(n, -1)`,
  );
  const byBucket = new Map(found.map((row) => [row.n, row]));
  const before = byBucket.get(-1);
  let up = (before?.began ?? 0) - (before?.ended ?? 0);
  return Array.from({ length: many }, (_, n) => {
    const { began = 0, answered = 0, ended = 0 } = byBucket.get(n) ?? {};
    up += began - ended;
    return { fromMs: fromMs + n * bucketMs, dials: began, answered, up };
  });
}

/** What keeps the people of a set of zones from being called at this moment. */
export interface ZoneHold {
  /** Empty: it is about the whole campaign. */
  zones: string[];
  places: string[];
  reason: string;
  detail: string;
  sinceMs: number;
}

/** Of a list of the whole world there are some hundred sets. */
export const MOST_ZONE_HOLDS = 200;

/** What holds people back now, set of zones by set of zones. An index holds exactly what is still so. */
export async function readZoneHolds(db: Db, campaignId: string): Promise<ZoneHold[]> {
  return rows<ZoneHold>(
    db,
    sql`select coalesce(z.zones, '{}') as zones, coalesce(z.places, '{}') as places, h.reason, h.detail,
               ${ms(sql`h.from_at`)} as "sinceMs"
        from holds h left join zone_sets z on z.id = h.zone_set_id
        where h.campaign_id = ${campaignId}::uuid and h.until_at is null
        order by h.zone_set_id nulls first, h.reason limit ${MOST_ZONE_HOLDS}`,
  );
}
