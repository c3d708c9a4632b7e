import { sql } from "drizzle-orm";

import { earliestStretchMs, moneyDayAt, type MoneyDay } from "../../domain/campaigns/money-day.ts";
import { rows, type Db } from "../ground/connection.ts";
import { from, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at, json } from "../ground/sql.ts";

/*
 * What is spent and held of budgets of brands: sums over the stretches of spending since a total counts, and over those
 * that were leased from on the day that it is by the zone of the budget. Brand by brand, whichever these are: the index of
 * spending begins with them, and whatever was spent before is not read.
 */

export const BUDGET = record({
  id: number,
  /** Undefined: of all brands together. */
  brand: optional(text),
  totalMicros: optional(number),
  perDayMicros: optional(number),
  /** By whose midnight the day ends. */
  zone: text,
  /** The total counts from this day of UTC on. */
  fromDay: from("from_day::text", text),
  fromDayMs: from("from_day::timestamp at time zone 'UTC'", moment),
  /** What was spent of that day before it did. */
  spentBeforeMicros: number,
  createdAtMs: moment,
});

export interface Budget extends RecordOf<typeof BUDGET> {}

/** A budget with what is spent and held of it. */
export interface BudgetUse extends Budget {
  day: MoneyDay;
  /** Since the total counts. */
  spentMicros: number;
  heldMicros: number;
  daySpentMicros: number;
  dayHeldMicros: number;
}

/** Those that bind a brand: its own, and that of all of them together. */
export async function readBudgetsOver(db: Db, brand: string, nowMs: number): Promise<BudgetUse[]> {
  const budgets = await rows(
    db,
    sql`select ${BUDGET.columns} from budgets where removed_at is null and (brand is null or brand = ${brand}) order by id`,
    BUDGET,
  );
  return withUse(db, budgets, nowMs);
}

/** Of each of them what is spent and held. */
export async function withUse(db: Db, budgets: readonly Budget[], nowMs: number): Promise<BudgetUse[]> {
  if (budgets.length === 0) return [];
  const days = budgets.map(({ zone }) => moneyDayAt(nowMs, zone));
  const asked = budgets.map(({ id, brand, totalMicros, fromDayMs }, index) => {
    const day = days[index] ?? moneyDayAt(nowMs);
    const earliestMs = earliestStretchMs(day);
    return {
      id,
      brand,
      total: new Date(fromDayMs),
      day: new Date(day.beginsAtMs),
      // Of one without a total nothing is read that is older than its day.
      since: new Date(totalMicros === undefined ? earliestMs : Math.min(fromDayMs, earliestMs)),
    };
  });
  const sums = await rows<{ id: number; held: number; spent: number; day_held: number; day_spent: number }>(
    db,
    sql`select r.id, s.held, s.spent, s.day_held, s.day_spent
        from jsonb_to_recordset(${json(asked)}) as r(id bigint, brand text, total timestamptz, day timestamptz, since timestamptz)
        cross join lateral (
          select coalesce(sum(p.held_micros) filter (where p.stretch >= r.total), 0)::bigint as held,
            coalesce(sum(p.spent_micros) filter (where p.stretch >= r.total), 0)::bigint as spent,
            coalesce(sum(p.held_micros) filter (where p.leased_at >= r.day), 0)::bigint as day_held,
            coalesce(sum(p.spent_micros) filter (where p.leased_at >= r.day), 0)::bigint as day_spent
          from brands g join spending p on p.brand = g.id and p.stretch >= r.since
          where r.brand is null or g.id = r.brand) s`,
  );
  const sumsOf = new Map(sums.map((one) => [one.id, one]));
  return budgets.map((budget, index) => {
    const {
      held = 0,
      spent = 0,
      day_held: dayHeld = 0,
      day_spent: daySpent = 0,
    } = sumsOf.get(budget.id) ?? {};
    return {
      ...budget,
      day: days[index] ?? moneyDayAt(nowMs),
      spentMicros: spent - budget.spentBeforeMicros,
      heldMicros: held,
      daySpentMicros: daySpent,
      dayHeldMicros: dayHeld,
    };
  });
}

/** What is spent of a day of UTC by now, of a brand or of all of them. */
export async function spentOfDay(
  db: Db,
  brand: string | undefined,
  { beginsAtMs }: MoneyDay,
): Promise<number> {
  const [sum] = await rows<{ spent: number }>(
    db,
    sql`select coalesce(sum(p.spent_micros), 0)::bigint as spent
        from brands g join spending p on p.brand = g.id and p.stretch >= ${at(beginsAtMs)}
        where ${brand ?? null}::text is null or g.id = ${brand ?? null}::text`,
  );
  return sum?.spent ?? 0;
}
