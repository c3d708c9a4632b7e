import { sql } from "drizzle-orm";

import { MONEY_ZONE, moneyDayAt } from "../../domain/campaigns/money-day.ts";
import { usdOf } from "../../domain/campaigns/money.ts";
import type { NewEvent } from "../ground/write-events.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";
import { tellCampaigns } from "./blacking-out.ts";
import { BUDGET, spentOfDay, withUse, type Budget, type BudgetUse } from "./brand-caps.ts";

/*
 * What a brand, or all of them together, may spend. One of each at most; a new one takes the old one's place and goes on
 * counting where that began. It binds from its commit on: whoever permits a start reads it in that transaction (I2).
 */

export interface NewBudget extends Pick<Budget, "brand" | "totalMicros" | "perDayMicros"> {
  /** By whose midnight its day ends; absent: UTC. */
  zone?: string | undefined;
}

const ofBrand = (brand: string | undefined) =>
  sql`removed_at is null and brand is not distinct from ${brand ?? null}::text`;

/**
 * Sets what a brand may spend, from the commit of this transaction on.
 *
 * @param input.zone absent: as before; at first the day is one of UTC
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
    const today = moneyDayAt(nowMs);
    const zone = input.zone ?? before?.zone ?? MONEY_ZONE;
    const goesOn = before && !restart;
    const fromDay = goesOn ? before.fromDay : today.date;
    const spentBefore = goesOn ? before.spentBeforeMicros : await spentOfDay(tx, brand, today);
    const [budget] = await rows(
      tx,
      sql`insert into budgets (brand, total_micros, per_day_micros, zone, from_day, spent_before_micros, created_at)
          values (${brand ?? null}, ${totalMicros ?? null}::bigint, ${perDayMicros ?? null}::bigint, ${zone}, ${fromDay}::date, ${spentBefore}::bigint, ${at(nowMs)})
          returning ${BUDGET.columns}`,
      BUDGET,
    );
    if (budget === undefined) throw new Error("a budget that was written has no row");
    const detail = { after: shown(budget), before: before ? shown(before) : null };
    const event: NewEvent = {
      type: "budget.set",
      brand,
      data: { actor, total_usd: usdOrNull(totalMicros), per_day_usd: usdOrNull(perDayMicros) },
    };
    await writeAudit(tx, { nowMs, actor, action: "budget.set", detail, event });
    return { budget, campaignIds: await tellCampaigns(tx, brand, nowMs) };
  });
}

function usdOrNull(micros: number | undefined): number | null {
  return micros === undefined ? null : usdOf(micros);
}

function shown({ brand, totalMicros, perDayMicros, zone, fromDay }: Budget): object {
  return {
    brand: brand ?? null,
    total_micros: totalMicros ?? null,
    per_day_micros: perDayMicros ?? null,
    zone,
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
      event: { type: "budget.removed", brand, data: { actor, reason } },
    });
    return { budget, campaignIds: await tellCampaigns(tx, brand, nowMs) };
  });
}

/** By brand, that of all of them first. */
export async function listBudgets(db: Db, nowMs: number, brand?: string): Promise<BudgetUse[]> {
  const budgets = await rows(
    db,
    sql`select ${BUDGET.columns} from budgets where removed_at is null
          and (${brand ?? null}::text is null or brand = ${brand ?? null}::text) order by brand nulls first`,
    BUDGET,
  );
  return withUse(db, budgets, nowMs);
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

/**
 * What a campaign and its callbacks hold and have spent.
 *
 * @param zone by whose clocks it is today
 */
export async function readSpending(
  db: Db,
  accountId: string,
  nowMs: number,
  zone = MONEY_ZONE,
): Promise<Spending> {
  const { beginsAtMs } = moneyDayAt(nowMs, zone);
  const [own] = await rows<Spending>(
    db,
    sql`select coalesce(sum(held_micros), 0)::bigint as "heldMicros", coalesce(sum(spent_micros), 0)::bigint as "spentMicros",
          coalesce(sum(told_micros), 0)::bigint as "toldMicros", coalesce(sum(calls), 0)::int as calls,
          coalesce(sum(held_micros) filter (where leased_at >= ${at(beginsAtMs)}), 0)::bigint as "dayHeldMicros",
          coalesce(sum(spent_micros) filter (where leased_at >= ${at(beginsAtMs)}), 0)::bigint as "daySpentMicros"
        from spending where campaign_id = ${accountId}::uuid`,
  );
  if (!own) throw new Error("sums have no row");
  return own;
}

/** What all campaigns hold for calls under way, in millionths of a US dollar. */
export async function readHeld(db: Db): Promise<number> {
  const [all] = await rows<{ held: number }>(
    db,
    sql`select coalesce(sum(held_micros), 0)::bigint as held from spending where held_micros <> 0`,
  );
  return all?.held ?? 0;
}
