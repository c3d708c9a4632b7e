import { sql } from "drizzle-orm";

import { agentsOf } from "../../domain/campaigns/campaign-spec.ts";
import { budgetCapsOf, type BudgetCaps } from "../../domain/campaigns/budget-spec.ts";
import {
  ASSUMED_MINUTE_MICROS,
  callsWithin,
  capText,
  expectedCallMicros,
  leftMicros,
  usdText,
  type Cap,
} from "../../domain/campaigns/money.ts";
import { moneyDayAt, stretchBegunMs, type MoneyDay } from "../../domain/campaigns/money-day.ts";
import { raiseAttention, resolveAttention, rewordAttention } from "../ground/attention.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import type { DialingSwitches } from "../ground/installation.ts";
import { at, listOf } from "../ground/sql.ts";
import { lockForAll } from "./account-locks.ts";
import { readBudgetsOver, type BudgetUse } from "./brand-caps.ts";
import type { Campaign, ShortOf } from "./campaigns.ts";
import type { Planning } from "./planning-lanes.ts";

/*
 * What a campaign may spend (domain/campaigns/money.ts has the rules). Asked where attempts are leased, and again where
 * a start is permitted (I2). Sums are over a row or a few a day of each campaign, never over calls.
 */

/** A balance that is older says nothing any more: whoever has none says so by refusing. */
const BALANCE_HOLDS_MS = 10 * 60_000;

/** What others hold comes free within minutes, and nobody tells of it. */
const HELD_LOOK_MS = 60_000;

/**
 * An account that pays for fewer calls than this is leased from in turn. One that pays for more is leased from side by
 * side: a planning leases 2,000 at most, so that it takes several at once, all at their most, to get beyond its end.
 */
const CREDIT_BINDS_BELOW = 10_000;

export interface MoneyLeft {
  /** What is to be held for each call, and what a minute of one is taken to cost. */
  callMicros: number;
  minuteMicros: number;
  /** When the stretch of spending began whose money it is. */
  stretchMs: number;
  /** How many calls there is money for. */
  calls: number;
  /** Why there is none for a single one. */
  short: WantOfMoney | undefined;
  /** Why there is none for more than those, once so many of them are leased; undefined: nothing bounds them. */
  boundAfter: (leased: number) => WantOfMoney | undefined;
}

export interface WantOfMoney {
  reason: ShortOf;
  detail: string;
  /** When that is looked at again; undefined: once somebody changes it. */
  lookMs: number | undefined;
}

/**
 * What there is for a campaign. Where a budget binds it, or the account has little left, plannings of all campaigns take
 * turns from here on, so that no two hold the same money.
 */
export async function readMoneyLeft(
  tx: Db,
  campaign: Campaign,
  { switches, nowMs }: { switches: DialingSwitches; nowMs: number },
): Promise<MoneyLeft> {
  const said = budgetCapsOf(campaign.spec.budget);
  const isBound = said.totalMicros !== undefined || said.perDayMicros !== undefined;
  const inTurn = isBound || switches.hasBudgets;
  if (inTurn) await lockForAll(tx, "money");
  const day = moneyDayAt(nowMs, said.zone);
  let own = await readOwn(tx, campaign, day);
  let callMicros = expectedOf(own, said, campaign);
  let credit = creditFor({ switches, callMicros, heldMicros: own.all_held, nowMs });
  if (!inTurn && credit.calls > 0 && credit.calls < CREDIT_BINDS_BELOW) {
    await lockForAll(tx, "money");
    // What others hold by now: they may have held it while this waited.
    own = await readOwn(tx, campaign, day);
    callMicros = expectedOf(own, said, campaign);
    credit = creditFor({ switches, callMicros, heldMicros: own.all_held, nowMs });
  }
  const brands = switches.hasBudgets ? await readBudgetsOver(tx, campaign.brand, nowMs) : [];
  const caps = [...capsOf("the campaign", said, useOf(own, day)), ...brands.flatMap(brandCaps)];
  const { calls, by } = callsWithin(caps, callMicros);
  const boundAfter = (leased: number) => {
    const micros = leased * callMicros;
    return by && calls <= credit.calls
      ? wantBy(by, { micros, callMicros, nowMs })
      : credit.boundAfter(micros);
  };
  return {
    callMicros,
    minuteMicros: own.minute ?? ASSUMED_MINUTE_MICROS,
    stretchMs: stretchBegunMs(nowMs, daysOf(said, day, brands)),
    calls: Math.min(calls, credit.calls),
    short: Math.min(calls, credit.calls) < 1 ? boundAfter(0) : undefined,
    boundAfter,
  };
}

/** The days that a lease is counted on. */
function daysOf({ perDayMicros }: BudgetCaps, own: MoneyDay, brands: readonly BudgetUse[]): MoneyDay[] {
  return [
    ...(perDayMicros === undefined ? [] : [own]),
    ...brands.flatMap(({ perDayMicros: ofBrand, day }) => (ofBrand === undefined ? [] : [day])),
  ];
}

function expectedOf(own: Own, { expectPerCallMicros }: BudgetCaps, { tallies }: Campaign): number {
  return expectedCallMicros({
    calls: own.calls,
    spentMicros: own.spent,
    saidMicros: expectPerCallMicros,
    perMinuteMicros: own.minute ?? undefined,
    perCallMicros: own.per_call ?? undefined,
    underWay: tallies.leased,
  });
}

/** @param leasing.micros what was held of it since it was read */
function wantBy(cap: Cap, leasing: { micros: number; callMicros: number; nowMs: number }): WantOfMoney {
  const { micros, callMicros, nowMs } = leasing;
  const heldMicros = cap.heldMicros + micros;
  const looksMs = [...(heldMicros > 0 ? [nowMs + HELD_LOOK_MS] : []), ...(cap.day ? [cap.day.endsAtMs] : [])];
  const lookMs = looksMs.length > 0 ? Math.min(...looksMs) : undefined;
  return { reason: "budget", detail: capText({ ...cap, heldMicros }, callMicros), lookMs };
}

interface Credit {
  calls: number;
  /** @param micros what was held of it since it was read */
  boundAfter: (micros: number) => WantOfMoney | undefined;
}

/** How many calls the platform's account can pay for, as far as it is known what that has. */
function creditFor(input: {
  switches: DialingSwitches;
  callMicros: number;
  heldMicros: number;
  nowMs: number;
}): Credit {
  const { switches, callMicros, heldMicros, nowMs } = input;
  const { noCreditAtMs, noCreditReason, balanceMicros, balanceAtMs = Number.NEGATIVE_INFINITY } = switches;
  const lookMs = nowMs + HELD_LOOK_MS;
  if (noCreditAtMs !== undefined) {
    const detail = `the platform's account has no credit since ${new Date(noCreditAtMs).toISOString()} (${noCreditReason ?? ""}): add credit, and it goes on by itself; \`outdial budget check\` has that looked at at once`;
    return { calls: 0, boundAfter: () => ({ reason: "credit", detail, lookMs }) };
  }
  if (balanceMicros === undefined || nowMs - balanceAtMs > BALANCE_HOLDS_MS)
    return { calls: Number.POSITIVE_INFINITY, boundAfter: () => undefined };
  const calls = Math.max(0, Math.floor((balanceMicros - heldMicros) / callMicros));
  const boundAfter = (micros: number) => ({
    reason: "credit" as const,
    detail: `the platform's account has ${usdText(balanceMicros)}, of which ${usdText(heldMicros + micros)} are held for calls under way, and a call is expected to cost ${usdText(callMicros)}: add credit, and it goes on by itself`,
    lookMs,
  });
  return { calls, boundAfter };
}

/** Whether more is held and spent than there is to spend: since a cap was lowered, or calls cost more than was held. */
export async function isOverspent(
  tx: Db,
  campaign: Campaign,
  { switches, nowMs }: { switches: DialingSwitches; nowMs: number },
): Promise<boolean> {
  const said = budgetCapsOf(campaign.spec.budget);
  const isBound = said.totalMicros !== undefined || said.perDayMicros !== undefined;
  const day = moneyDayAt(nowMs, said.zone);
  const caps = [
    ...(isBound ? capsOf("the campaign", said, useOf(await readOwn(tx, campaign, day), day)) : []),
    ...(switches.hasBudgets ? (await readBudgetsOver(tx, campaign.brand, nowMs)).flatMap(brandCaps) : []),
  ];
  return caps.some((cap) => leftMicros(cap) < 0);
}

type Use = Pick<BudgetUse, "day" | "spentMicros" | "heldMicros" | "daySpentMicros" | "dayHeldMicros">;

function capsOf(
  of: string,
  { totalMicros, perDayMicros }: Pick<BudgetCaps, "totalMicros" | "perDayMicros">,
  { day, spentMicros, heldMicros, daySpentMicros, dayHeldMicros }: Use,
): Cap[] {
  return [
    ...(totalMicros === undefined
      ? []
      : [{ of, day: undefined, limitMicros: totalMicros, spentMicros, heldMicros }]),
    ...(perDayMicros === undefined
      ? []
      : [{ of, day, limitMicros: perDayMicros, spentMicros: daySpentMicros, heldMicros: dayHeldMicros }]),
  ];
}

function brandCaps(budget: BudgetUse): Cap[] {
  return capsOf(budget.brand === undefined ? "all brands" : `brand ${budget.brand}`, budget, budget);
}

function useOf({ held, spent, day_held, day_spent }: Own, day: MoneyDay): Use {
  return { day, spentMicros: spent, heldMicros: held, daySpentMicros: day_spent, dayHeldMicros: day_held };
}

interface Own {
  held: number;
  spent: number;
  day_held: number;
  day_spent: number;
  calls: number;
  minute: number | null;
  per_call: number | null;
  /** By all campaigns. */
  all_held: number;
}

/** What the campaign and its callbacks hold and have spent. */
async function readOwn(tx: Db, { id, parentId, spec }: Campaign, { beginsAtMs }: MoneyDay): Promise<Own> {
  // Of variants with agents of their own, the dearest: a cap is not missed for the others.
  const agents = listOf([...agentsOf(spec).keys()], "text");
  const own = await firstRow<Own>(
    tx,
    sql`select coalesce(sum(s.held_micros), 0)::bigint as held, coalesce(sum(s.spent_micros), 0)::bigint as spent,
          coalesce(sum(s.held_micros) filter (where s.leased_at >= ${at(beginsAtMs)}), 0)::bigint as day_held,
          coalesce(sum(s.spent_micros) filter (where s.leased_at >= ${at(beginsAtMs)}), 0)::bigint as day_spent,
          coalesce(sum(s.calls), 0)::int as calls,
          (select max(p.minute_micros) from agent_prices p where p.agent_id in ${agents}) as minute,
          (select max(p.per_call_micros) from agent_prices p where p.agent_id in ${agents}) as per_call,
          (select coalesce(sum(h.held_micros), 0)::bigint from spending h where h.held_micros <> 0) as all_held
        from spending s where s.campaign_id = ${parentId ?? id}::uuid`,
  );
  if (!own) throw new Error("sums have no row");
  return own;
}

/** People are told once that a campaign waits for money, and that it goes on. */
export async function tellOfMoney(
  tx: Db,
  campaign: Campaign,
  { short, calls }: Pick<MoneyLeft, "short" | "calls">,
  { switches, nowMs }: { switches: DialingSwitches; nowMs: number },
): Promise<void> {
  const { id: subject, brand, name, shortOf } = campaign;
  const summary = `campaign ${name} calls nobody for want of money: ${short?.detail}`;
  if (short?.reason === shortOf) {
    // Another budget may be the one by now, until another day: whoever reads the entry mends what it names.
    if (short) await rewordAttention(tx, { kind: "out_of_money", subject, summary, nowMs });
    return;
  }
  if (!short) {
    if (!isAgain(campaign, calls, { switches, nowMs })) return;
    return noMoreShort(tx, campaign, "there is money again", nowMs);
  }
  campaign.shortOf = short.reason;
  await raiseAttention(tx, {
    kind: "out_of_money",
    subject,
    brand,
    summary,
    remedy:
      short.reason === "budget"
        ? "raise the budget if it is to go on sooner; nobody is lost, and it goes on by itself"
        : "add credit to the platform's account; it goes on by itself",
    nowMs,
  });
}

/**
 * Whether there is money again of which people are told: not for a few calls that came free of others, at a cap or for
 * what is left of the credit, nor for one try whether the platform takes calls again. They would be told every minute.
 */
function isAgain(
  { tallies, shortOf }: Campaign,
  calls: number,
  { switches, nowMs }: { switches: DialingSwitches; nowMs: number },
): boolean {
  if (shortOf === undefined) return false;
  const { noCreditTriedAtMs: triedAtMs } = switches;
  if (shortOf === "credit" && triedAtMs !== undefined && nowMs - triedAtMs < TRY_TELLS_MS) return false;
  return calls >= Math.min(tallies.leased > 0 ? ENOUGH_BESIDE_CALLS : ENOUGH_CALLS, tallies.open);
}

/** While calls of its own are under way, each that costs less than was held for it leaves some money. */
const ENOUGH_BESIDE_CALLS = 20;
const ENOUGH_CALLS = 5;

/** A try that was refused is known by then: calls were planned, created and started. */
const TRY_TELLS_MS = 3 * 60_000;

/**
 * What a campaign waited for may be there again while nobody is due, or nobody is left who could be called: then people
 * are not told any more that it waits. Asks nothing where it does not wait, or was seen to in this planning.
 */
export async function lookForMoneyAgain(
  { tx, campaign, switches, holds, looksMs, nowMs }: Planning,
  { isBlocked }: { isBlocked: boolean },
): Promise<void> {
  if (campaign.shortOf === undefined || holds.some(({ reason }) => reason === campaign.shortOf)) return;
  if (campaign.tallies.open === 0) {
    await noMoreShort(tx, campaign, "nobody is left to be called", nowMs);
    return;
  }
  const money = await readMoneyLeft(tx, campaign, { switches, nowMs });
  await tellOfMoney(tx, campaign, money, { switches, nowMs });
  const { short } = money;
  // One that may not go on anyway is told when it may.
  if (short?.lookMs !== undefined && !isBlocked) looksMs.push(short.lookMs);
}

async function noMoreShort(tx: Db, campaign: Campaign, resolution: string, nowMs: number): Promise<void> {
  campaign.shortOf = undefined;
  await resolveAttention(tx, { kind: "out_of_money", subject: campaign.id, by: "engine", resolution, nowMs });
}
