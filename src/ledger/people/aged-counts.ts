import { sql } from "drizzle-orm";

import type { Cutoffs, RetentionKind } from "../../domain/ground/retention.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import { readProgressOf } from "../ground/retention.ts";
import { at } from "../ground/sql.ts";
import { isOver } from "./aging.ts";

/** Further than this nobody counts before they decide: reads of some milliseconds each. */
export const COUNTED_AT_MOST = 10_000;

/**
 * How much of each kind is older than it is to be kept, as far as it is counted. What something under way still reads is
 * among it. Kinds that are kept for good are left out.
 */
export async function countAged(db: Db, cutoffs: Cutoffs): Promise<Partial<Record<RetentionKind, number>>> {
  const counts: Partial<Record<RetentionKind, number>> = {};
  for (const { kind, count } of COUNTS) {
    const before = cutoffs[kind];
    if (before !== undefined) counts[kind] = Math.min((await count(db, before))?.n ?? 0, COUNTED_AT_MOST + 1);
  }
  return counts;
}

interface Count {
  n: number;
}

/** In the order of an index, so that no more is read than is counted. */
const MOST = COUNTED_AT_MOST + 1;

const COUNTS: readonly {
  kind: RetentionKind;
  count: (db: Db, before: number) => Promise<Count | undefined>;
}[] = [
  {
    kind: "contacts",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from campaigns p cross join lateral (
              select 1 from contacts c where c.campaign_id = p.id and c.ended_at is not null and c.cleared_at is null
                and c.ended_at < ${at(before)} order by c.ended_at limit ${MOST}) c
            where ${isOver(before)} limit ${MOST}) n`,
      ),
  },
  {
    kind: "attempts",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from campaigns p cross join lateral (
              (select 1 from contacts c where c.campaign_id = p.id and c.cleared_at is not null and c.phone like '+%'
                 and c.ended_at < ${at(before)} order by c.ended_at limit ${MOST})
              union all
              (select 1 from contacts c where c.campaign_id = p.id and c.ended_at is not null and c.cleared_at is null
                 and c.ended_at < ${at(before)} order by c.ended_at limit ${MOST})) c
            where ${isOver(before)} limit ${MOST}) n`,
      ),
  },
  {
    kind: "analysis",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (
              (select 1 from attempts a where (a.kept is not null or a.error_text is not null) and a.planned_at < ${at(before)} order by a.planned_at limit ${MOST})
              union all
              (select 1 from follow_ups f where f.labels is not null and f.created_at < ${at(before)} order by f.created_at limit ${MOST})
              union all
              (select 1 from actions n where n.schedule_run_id is null and not n.spec ? 'forgotten'
                 and not (n.kind = 'recording' and n.external_id is not null) and n.created_at < ${at(before)} order by n.created_at limit ${MOST})) n`,
      ),
  },
  {
    kind: "recordings",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from actions n where n.kind = 'recording' and n.external_id is not null
              and n.created_at < ${at(before)} order by n.created_at limit ${MOST}) n`,
      ),
  },
  {
    kind: "platform_calls",
    count: async (db, before) => {
      const place = (await readProgressOf(db)).get("platform_calls")?.place ?? "0";
      return firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select a.call_id, a.planned_at from attempts a
              where a.id > ${Number(place.split(" ")[0])} order by a.id limit ${MOST}) n
            where n.call_id is not null and n.planned_at < ${at(before)}`,
      );
    },
  },
  {
    kind: "enrolments",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from enrolments e where e.ended_at is not null and e.phone like '+%'
              and e.ended_at < ${at(before)} limit ${MOST}) n`,
      ),
  },
  {
    kind: "deliveries",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from deliveries d where d.body is not null and d.state in ('done', 'ignored')
              and d.received_at < ${at(before)} and d.ended_at < ${at(before)} limit ${MOST}) n`,
      ),
  },
  {
    kind: "events",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select e.at from events e order by e.era, e.tx, e.id limit ${MOST}) n
            where n.at < ${at(before)}`,
      ),
  },
  {
    kind: "audit",
    count: (db, before) =>
      firstRow<Count>(
        db,
        sql`select count(*)::int as n from (select 1 from audit a where a.at < ${at(before)} limit ${MOST}) n`,
      ),
  },
];
