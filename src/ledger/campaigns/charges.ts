import { sql } from "drizzle-orm";

import { moneyDayAt } from "../../domain/campaigns/money-day.ts";
import { DAY_MS } from "../../domain/time/local-day.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * What calls really cost, by the platform's own ledger. Its entries come in whatever order, some of them twice: each is
 * kept once by its id, and a call costs the sum of its entries, without its sign. What was taken for its cost
 * before, at its end or from earlier entries, is corrected by the difference.
 */

/** An entry that is about a call. */
export interface Charge {
  entryId: string;
  callId: string;
  /** What is taken stands below nothing in some ledgers, and above it in others; what is given back, on the other side. */
  micros: number;
}

/** How many entries of the platform's ledger were read, as it counts them; undefined: none ever. */
export async function readChargesRead(db: Db): Promise<number | undefined> {
  const row = await firstRow<{ n: number | null }>(db, sql`select charges_read as n from installation`);
  return row?.n ?? undefined;
}

/** Whether calls were made of late that it may say something of. */
export async function wantsCharges(db: Db, nowMs: number): Promise<boolean> {
  const found = await rows(
    db,
    // Brand by brand, which the index begins with: whatever was spent in years is not read for that.
    sql`select 1 as one from brands g cross join lateral (
          select 1 from spending p
          where p.brand = g.id and p.stretch >= ${at(moneyDayAt(nowMs - DAY_MS).beginsAtMs)} and p.calls > 0 limit 1) s limit 1`,
  );
  return found.length > 0;
}

/** @param input.read entries of the platform's ledger that were read by now */
export async function keepCharges(
  ledger: Ledger,
  { charges, read, nowMs }: { charges: readonly Charge[]; read: number; nowMs: number },
): Promise<void> {
  await ledger.transaction(async (tx) => {
    if (charges.length > 0)
      await rows(
        tx,
        sql`insert into charges (entry_id, call_id, micros, seen_at)
            select r."entryId", r."callId", r.micros, ${at(nowMs)}
            from jsonb_to_recordset(${json(charges)}) as r("entryId" text, "callId" text, micros bigint)
            on conflict do nothing`,
      );
    await rows(tx, sql`update installation set charges_read = ${read}::bigint`);
  });
}

/** Calls corrected in one transaction. */
const BOOKED_AT_ONCE = 500;

/**
 * Puts what was kept in the place of what calls were taken to have cost. Of calls that are not over, or of nobody here,
 * it stays.
 *
 * @returns how many calls it corrected; the most at once: there may be more.
 */
export async function bookCharges(
  ledger: Ledger,
  nowMs: number,
): Promise<{ calls: number; isMore: boolean }> {
  return ledger.transaction(async (tx) => {
    // Without the lock of their campaigns: what is over is changed besides by who notes another version of its agent
    // (agents.ts), in the order of ids as well. In one order, as the stretches below.
    const found = await rows<{
      id: number;
      call_id: string;
      account: string;
      brand: string;
      stretch: string;
      before: number;
      told_before: number;
      micros: number;
      /** Those that are in the sum now; others that come meanwhile have their turn. */
      entries: string[];
    }>(
      tx,
      sql`select a.id, a.call_id, coalesce(c.parent_id, c.id) as account, c.brand, b.money_stretch::text as stretch,
            coalesce(a.cost_micros, 0)::bigint as before,
            case when a.cost_told then coalesce(a.cost_micros, 0) else 0 end::bigint as told_before, t.micros, t.entries
          from attempts a join batches b on b.id = a.batch_id join campaigns c on c.id = a.campaign_id
            cross join lateral (select abs(sum(h.micros))::bigint as micros, array_agg(h.entry_id) filter (where h.booked_at is null) as entries
              from charges h where h.call_id = a.call_id) t
          where a.state = 'ended' and a.call_id in (select u.call_id from charges u where u.booked_at is null)
          order by a.id limit ${BOOKED_AT_ONCE} for update of a`,
    );
    if (found.length === 0) return { calls: 0, isMore: false };
    const calls = json(found);
    await rows(
      tx,
      sql`update attempts a set cost_micros = r.micros, cost_told = true
          from jsonb_to_recordset(${calls}) as r(id bigint, micros bigint) where a.id = r.id`,
    );
    await rows(
      tx,
      sql`update charges h set booked_at = ${at(nowMs)}
          where h.entry_id in ${listOf(
            found.flatMap(({ entries }) => entries),
            "text",
          )}`,
    );
    await rows(
      tx,
      sql`insert into spending as s (campaign_id, stretch, leased_at, brand, spent_micros, told_micros, calls)
          select r.account, r.stretch, r.stretch, min(r.brand), sum(r.micros - r.before)::bigint, sum(r.micros - r.told_before)::bigint, 0
          from jsonb_to_recordset(${calls}) as r(account uuid, stretch timestamptz, brand text, micros bigint, before bigint, told_before bigint)
          group by r.account, r.stretch order by r.account, r.stretch
          on conflict (campaign_id, stretch) do update set spent_micros = s.spent_micros + excluded.spent_micros,
            told_micros = s.told_micros + excluded.told_micros`,
    );
    return { calls: found.length, isMore: found.length === BOOKED_AT_ONCE };
  });
}

/** An entry whose call is nobody's here is of somebody else who uses the account. */
const FOREIGN_FOR_MS = 2 * DAY_MS;

/** Entries of a call come within minutes of each other. */
const BOOKED_FOR_MS = 30 * DAY_MS;

/** Forgets what is of no use any more. */
export async function forgetCharges(db: Db, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`delete from charges where entry_id in (
          select entry_id from charges
          where seen_at < ${at(nowMs - FOREIGN_FOR_MS)} and (booked_at is null or seen_at < ${at(nowMs - BOOKED_FOR_MS)})
          order by seen_at limit 5000)`,
  );
}
