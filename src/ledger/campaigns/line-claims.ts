import { sql } from "drizzle-orm";

import type { LinePriority, Waiting } from "../../domain/campaigns/account-lines.ts";
import { DEFAULT_HOLD_MS } from "../../domain/campaigns/batch-sizing.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { at, listOf, ms } from "../ground/sql.ts";
import { wakeLater } from "./wake-ups.ts";

/*
 * What campaigns hold and want of the account's lines (domain/campaigns/account-lines.ts). Each writes down what it
 * wants when it plans; what it holds is what its batches hold. A want may be out of date: whoever is told of idle lines
 * plans, and says anew what it wants. One that does not plan is passed over until it does.
 */

/** Whoever was told of idle lines and has not planned within this is passed over. */
const OFFER_STANDS_MS = 5_000;

interface ClaimRow {
  id: string;
  brand: string;
  weight: number;
  priority: LinePriority;
  standing: boolean;
  held: number;
  waiting: number;
  served_ms: number | null;
  offered: boolean;
  open_count: number;
  concurrency: number;
  hold_ms: number | null;
}

/** Of all campaigns that hold lines or wait for some. */
export async function readLineClaims(db: Db): Promise<Waiting[]> {
  const found = await rows<ClaimRow>(
    db,
    sql`with holding as (
          select campaign_id, sum(held)::int as held from batches where state <> 'settled' group by campaign_id)
        select c.id, c.brand, coalesce((c.spec->>'weight')::int, 1) as weight, coalesce(c.spec->>'priority', 'normal') as priority, c.standing, coalesce(h.held, 0) as held,
          case when c.state = 'running' then c.waiting else 0 end as waiting, ${ms(sql`c.served_at`)} as served_ms,
          c.offered_at is not null as offered, c.open_count, c.concurrency,
          case when c.hold_count > 0 then c.hold_ms_sum / c.hold_count end as hold_ms
        from campaigns c left join holding h on h.campaign_id = c.id
        where c.id in (select campaign_id from holding where held > 0 union all
                       select id from campaigns where state = 'running' and ended_at is null and waiting > 0)`,
  );
  return found.map((row) => ({
    id: row.id,
    brand: row.brand,
    weight: row.weight,
    priority: row.priority,
    isUrgent: row.standing,
    held: row.held,
    waiting: row.waiting,
    servedAtMs: row.served_ms ?? undefined,
    isOffered: row.offered,
    work: { due: row.open_count, limit: row.concurrency, holdMs: row.hold_ms ?? DEFAULT_HOLD_MS },
  }));
}

/** Writes down who is being told of idle lines, but for those whose row somebody has at the moment. */
export async function noteOffered(db: Db, campaignIds: readonly string[], nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update campaigns set offered_at = ${at(nowMs)} where id in (
          select id from campaigns where id in ${listOf(campaignIds, "uuid")} and offered_at is null
          order by id for update skip locked)`,
  );
}

/** Passes over whoever was told of idle lines and does not plan, and makes sure that it does some time. */
export function withdrawClaims(ledger: Ledger, nowMs: number): Promise<number> {
  return ledger.transaction((tx) => withdrawIn(tx, nowMs));
}

async function withdrawIn(tx: Db, nowMs: number): Promise<number> {
  const passedOver = await rows<{ id: string }>(
    tx,
    sql`update campaigns set waiting = 0, offered_at = null where id in (
          select id from campaigns where state = 'running' and ended_at is null and offered_at < ${at(nowMs - OFFER_STANDS_MS)}
          order by id for update skip locked)
        returning id`,
  );
  await wakeLater(
    tx,
    passedOver.map(({ id }) => id),
    nowMs,
  );
  return passedOver.length;
}
