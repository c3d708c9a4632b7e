import { sql } from "drizzle-orm";

import { moneyDay } from "../../domain/campaigns/money.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { from, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at } from "../ground/sql.ts";
import { tellCampaigns } from "./blacking-out.ts";

/*
 * What a brand, or all of them together, may spend. One of each at most; a new one takes the old one's place and goes on
 * counting where that began. It binds from its commit on: whoever permits a start reads it in that transaction (I2).
 */

const BUDGET = record({
  id: number,
  /** Undefined: of all brands together. */
  brand: optional(text),
  totalMicros: optional(number),
  perDayMicros: optional(number),
  /** The total counts from this day of UTC on. */
  fromDay: from("from_day::text", text),
  /** What was spent of that day before it did. */
  spentBeforeMicros: number,
  createdAtMs: moment,
});

export interface Budget extends RecordOf<typeof BUDGET> {}

export type NewBudget = Pick<Budget, "brand" | "totalMicros" | "perDayMicros">;

const ofBrand = (brand: string | undefined) =>
  sql`removed_at is null and brand is not distinct from ${brand ?? null}::text`;

/**
 * Sets what a brand may spend, from the commit of this transaction on.
 *
 * @param input.restart the total counts from now on, whatever was spent before
 * @returns campaigns that are to look again.
 */
export function setBudget(
  ledger: Ledger,
  input: NewBudget & { restart: boolean; actor: string; nowMs: number },
): Promise<{ budget: Budget; campaignIds: string[] }> {
  const { brand, totalMicros, perDayMicros, restart, actor, nowMs } = input;
  return ledger.transaction(async (tx) => {
    await rows(tx, sql`lock table budgets in share row exclusive mode`);
    if (brand !== undefined)
      await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
    const [before] = await rows(
      tx,
      sql`update budgets set removed_at = ${at(nowMs)}, removed_reason = 'it was set anew' where ${ofBrand(brand)}
          returning ${BUDGET.columns}`,
      BUDGET,
    );
    const today = moneyDay(nowMs);
    const goesOn = before && !restart;
    const fromDay = goesOn ? before.fromDay : today;
    const spentBefore = goesOn
      ? sql`${before.spentBeforeMicros}::bigint`
      : sql`(select coalesce(sum(p.spent_micros), 0) from spending p
             where (${brand ?? null}::text is null or p.brand = ${brand ?? null}::text) and p.day = ${today}::date)`;
    const [budget] = await rows(
      tx,
      sql`insert into budgets (brand, total_micros, per_day_micros, from_day, spent_before_micros, created_at)
          values (${brand ?? null}, ${totalMicros ?? null}::bigint, ${perDayMicros ?? null}::bigint, ${fromDay}::date, ${spentBefore}, ${at(nowMs)})
          returning ${BUDGET.columns}`,
      BUDGET,
    );
    if (budget === undefined) throw new Error("a budget that was written has no row");
    const detail = { after: shown(budget), before: before ? shown(before) : null };
    await writeAudit(tx, { nowMs, actor, action: "budget.set", detail });
    return { budget, campaignIds: await tellCampaigns(tx, brand, nowMs) };
  });
}

function shown({ brand, totalMicros, perDayMicros, fromDay }: Budget): object {
  return {
    brand: brand ?? null,
    total_micros: totalMicros ?? null,
    per_day_micros: perDayMicros ?? null,
    from: fromDay,
  };
}

/** Takes one back; undefined where the brand has none. Its row and the reason stay. */
export function removeBudget(
  ledger: Ledger,
  input: { brand: string | undefined; reason: string; actor: string; nowMs: number },
): Promise<{ budget: Budget; campaignIds: string[] } | undefined> {
  const { brand, reason, actor, nowMs } = input;
  return ledger.transaction(async (tx) => {
    const [budget] = await rows(
      tx,
      sql`update budgets set removed_at = ${at(nowMs)}, removed_reason = ${reason} where ${ofBrand(brand)}
          returning ${BUDGET.columns}`,
      BUDGET,
    );
    if (budget === undefined) return undefined;
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "budget.remove",
      detail: { ...shown(budget), reason },
    });
    return { budget, campaignIds: await tellCampaigns(tx, brand, nowMs) };
  });
}

/** A budget with what is spent and held of it, on the day that it is. */
const BUDGET_USE = record(
  {
    id: number,
    brand: optional(text),
    totalMicros: optional(number),
    perDayMicros: optional(number),
    fromDay: from("b.from_day::text", text),
    spentBeforeMicros: number,
    createdAtMs: moment,
    /** Since the total counts. */
    spentMicros: from("s.spent - b.spent_before_micros", number),
    heldMicros: from("s.held", number),
    daySpentMicros: from("s.day_spent", number),
    dayHeldMicros: from("s.day_held", number),
  },
  "b",
);

export interface BudgetUse extends RecordOf<typeof BUDGET_USE> {}

/** By brand, that of all of them first. */
export function listBudgets(db: Db, nowMs: number): Promise<BudgetUse[]> {
  const day = moneyDay(nowMs);
  return rows(
    db,
    sql`select ${BUDGET_USE.columns} from budgets b cross join lateral (
          select coalesce(sum(p.held_micros), 0)::bigint as held, coalesce(sum(p.spent_micros), 0)::bigint as spent,
            coalesce(sum(p.held_micros) filter (where p.day = ${day}::date), 0)::bigint as day_held,
            coalesce(sum(p.spent_micros) filter (where p.day = ${day}::date), 0)::bigint as day_spent
          from spending p where (b.brand is null or p.brand = b.brand) and p.day >= b.from_day) s
        where b.removed_at is null order by b.brand nulls first`,
    BUDGET_USE,
  );
}

export interface Spending {
  spentMicros: number;
  heldMicros: number;
  /** Of what is spent: by the platform's word. */
  toldMicros: number;
  daySpentMicros: number;
  dayHeldMicros: number;
  calls: number;
}

/** What a campaign and its callbacks hold and have spent. */
export async function readSpending(db: Db, accountId: string, nowMs: number): Promise<Spending> {
  const day = moneyDay(nowMs);
  const [own] = await rows<Spending>(
    db,
    sql`select coalesce(sum(held_micros), 0)::bigint as "heldMicros", coalesce(sum(spent_micros), 0)::bigint as "spentMicros",
          coalesce(sum(told_micros), 0)::bigint as "toldMicros", coalesce(sum(calls), 0)::int as calls,
          coalesce(sum(held_micros) filter (where day = ${day}::date), 0)::bigint as "dayHeldMicros",
          coalesce(sum(spent_micros) filter (where day = ${day}::date), 0)::bigint as "daySpentMicros"
        from spending where campaign_id = ${accountId}::uuid`,
  );
  if (!own) throw new Error("sums have no row");
  return own;
}
