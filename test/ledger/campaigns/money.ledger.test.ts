import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";

import { readCampaignSpec, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { microsOf } from "../../../src/domain/campaigns/money.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { listUnpriced, noteBalance, noteNoCredit, notePrice } from "../../../src/ledger/campaigns/credit.ts";
import { listBudgets, readSpending, removeBudget, setBudget } from "../../../src/ledger/campaigns/budgets.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { at } from "../../../src/ledger/ground/sql.ts";
import { describeLedgers, given as one } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  batchOf,
  create,
  DAY_MS,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  NOW_MS,
  openPhones,
  PACE,
  permit,
  plan,
  planAndStart,
  running,
  tallies,
  tell,
} from "../support/scenario.ts";

const USD = 1_000_000;

let given = 0;
/** A brand that no other test of this file calls for. */
const freshBrand = (): string => `brand-${(given += 1)}`;

describeLedgers("money", (ledger) => {
  const calling = (
    people: number,
    budget: CampaignSpecInput["budget"],
    changes: Partial<CampaignSpecInput> = {},
  ) =>
    running(ledger(), freshPhones(people), {
      brand: freshBrand(),
      concurrency: 100,
      retry: { max_attempts: 1 },
      ...(budget && { budget }),
      ...changes,
    });

  const leasedOf = async (id: string): Promise<number> => (await tallies(ledger(), id)).leased;

  const spendingOf = (id: string, nowMs = NOW_MS) => readSpending(ledger().db, id, nowMs);

  /** Ends every open call of these batches, each at this cost where it is told. */
  const endAll = async (
    batchIds: readonly string[],
    {
      nowMs = NOW_MS,
      usd,
      disposition = "answered",
    }: { nowMs?: number; usd?: number; disposition?: Disposition } = {},
  ): Promise<void> => {
    for (const batchId of batchIds) {
      const findings = (await openPhones(ledger(), batchId)).map((phone) => ({
        ...ended(phone, disposition, nowMs),
        ...(usd !== undefined && { costMicros: microsOf(usd) }),
      }));
      await settleFindings(ledger(), { batchId, findings, nowMs });
      await closeBatch(ledger(), batchId, nowMs);
    }
  };

  const moneyHolds = async (id: string) =>
    (await holdsOf(ledger(), id)).filter(({ reason, until_ms }) => reason === "budget" && until_ms === null);

  const told = async (id: string) =>
    (await listAttention(ledger().db, { kind: "out_of_money", subject: id, resolved: false, limit: 10 }))
      .items;

  /** As a withdrawal does. */
  const excludeOpen = (id: string) =>
    rows(
      ledger().db,
      sql`with gone as (update contacts set state = 'excluded', reason = 'withdrawn', ended_at = ${at(NOW_MS)}
                        where campaign_id = ${id}::uuid and state = 'open' returning 1)
          update campaigns set open_count = open_count - (select count(*) from gone),
            excluded_count = excluded_count + (select count(*) from gone) where id = ${id}::uuid`,
    );

  const lastWord = async (id: string) =>
    (
      await listAttention(ledger().db, { kind: "out_of_money", subject: id, resolved: true, limit: 10 })
    ).items.at(-1)?.resolution;

  let amendments = 0;
  const amend = async (id: string, changes: Partial<CampaignSpecInput>): Promise<void> => {
    const { spec } = one(await readCampaign(ledger().db, id));
    const reading = readCampaignSpec({ ...spec, ...changes });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    await amendSpec(ledger(), {
      campaignId: id,
      commandId: `money-${(amendments += 1)}`,
      actor: "test",
      reason: undefined,
      nowMs: NOW_MS,
      dialByMarginMs: PACE.dialByMarginMs,
      spec: reading.spec,
    });
  };

  afterEach(async () => {
    await expectInvariants(ledger());
    await rows(
      ledger().db,
      sql`update installation set balance_micros = null, balance_at = null, no_credit_at = null, no_credit_tries = 0, no_credit_tried_at = null`,
    );
    await rows(ledger().db, sql`update budgets set removed_at = now() where removed_at is null`);
  });

  it("is held for each call that is leased, and no more calls are leased than it pays for", async () => {
    const id = await calling(50, { total: "2.00", expect_per_call: "0.10" });
    await planAndStart(ledger(), id);
    expect(await leasedOf(id)).toBe(20);
    expect(await spendingOf(id)).toMatchObject({ heldMicros: 2 * USD, spentMicros: 0 });
    await plan(ledger(), id);
    expect(await leasedOf(id), "nothing more").toBe(20);
    expect(await moneyHolds(id)).toMatchObject([
      {
        detail:
          "the budget of USD 2.00 for the campaign has USD 0.00 left, and a call is expected to cost USD 0.10: USD 0.00 spent, USD 2.00 held for calls under way; raise it, and it goes on",
      },
    ]);
  });

  it("that calls did not cost is there for others, and nobody is lost at the cap", async () => {
    const id = await calling(50, { total: "2.00", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.05 });
    expect(await spendingOf(id)).toMatchObject({
      heldMicros: 0,
      spentMicros: USD,
      toldMicros: USD,
      calls: 20,
    });
    // The more of them are over, the less the next are expected to cost.
    for (let batchIds = await planAndStart(ledger(), id); batchIds.length > 0;) {
      await endAll(batchIds, { usd: 0.05 });
      batchIds = await planAndStart(ledger(), id);
    }
    expect(await spendingOf(id)).toMatchObject({ spentMicros: 1.95 * USD, calls: 39 });
    expect(await tallies(ledger(), id)).toMatchObject({ open: 11, leased: 0, done: 39, excluded: 0 });
    expect(await moneyHolds(id)).toHaveLength(1);
  });

  it("is held for people who may answer, though nobody has answered so far", async () => {
    const id = await calling(150, { total: "2.50", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { disposition: "no_answer", usd: 0 });
    expect(await spendingOf(id)).toMatchObject({ spentMicros: 0, calls: 25 });
    await plan(ledger(), id);
    // 0.0412 for each.
    expect(await leasedOf(id)).toBe(60);
  });

  it("that is wanting is told of the budget that it is, once another one is the first to be used up", async () => {
    const id = await calling(30, { total: 5, per_day: 1, expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    expect(await planAndStart(ledger(), id)).toEqual([]);
    const [first] = await told(id);
    expect(first?.summary).toContain("the budget of USD 1.00 a day for the campaign");
    await amend(id, { budget: { total: 1, per_day: 20, expect_per_call: "0.10" } });
    expect(await planAndStart(ledger(), id)).toEqual([]);
    const [now, ...others] = await told(id);
    expect(others).toEqual([]);
    expect(now).toMatchObject({ id: first?.id, times: first?.times });
    expect(now?.summary).toContain("the budget of USD 1.00 for the campaign has USD 0.00 left");
  });

  it("of a day is there again on the next one, by itself", async () => {
    const id = await calling(30, { per_day: 1, expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    const midnight = Date.UTC(2026, 5, 2);
    const held = await plan(ledger(), id, NOW_MS, { pace: { idleLookMs: 2 * DAY_MS } });
    expect(held).toMatchObject({ batchIds: [], waitMs: midnight - NOW_MS });
    expect(await plan(ledger(), id, midnight - 1)).toMatchObject({ batchIds: [] });
    await endAll(await planAndStart(ledger(), id, midnight), { usd: 0.1, nowMs: midnight });
    expect(await spendingOf(id, midnight)).toMatchObject({ spentMicros: 2 * USD, daySpentMicros: USD });
    expect((await tallies(ledger(), id)).open).toBe(10);
  });

  it("of a day ends with midnight of the zone that the budget names", async () => {
    const evening = Date.parse("2026-06-02T01:00:00Z");
    const midnight = Date.parse("2026-06-02T04:00:00Z");
    const budget = { per_day: 1, zone: "America/New_York", expect_per_call: "0.10" };
    const id = await calling(40, budget);
    const today = (nowMs: number) => readSpending(ledger().db, id, nowMs, budget.zone);
    // Its day began at four of the same day of UTC, and goes on through the next midnight there.
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    expect(await planAndStart(ledger(), id, evening)).toEqual([]);
    expect(one((await moneyHolds(id))[0]).detail).toContain(
      "until 2026-06-02T04:00:00.000Z: the budget of USD 1.00 a day for the campaign (2026-06-01, America/New_York)",
    );
    expect(await today(midnight - 1)).toMatchObject({ daySpentMicros: USD });
    const batchIds = await planAndStart(ledger(), id, midnight);
    expect(await today(midnight)).toMatchObject({ daySpentMicros: 0, dayHeldMicros: USD });
    await endAll(batchIds, { usd: 0.1, nowMs: midnight });
    expect(await planAndStart(ledger(), id, midnight + HOUR_MS)).toEqual([]);
    expect(await spendingOf(id, midnight)).toMatchObject({ spentMicros: 2 * USD, calls: 20 });
  });

  it("of a day is never spent twice because its zone was changed, and what was is not moved", async () => {
    const noon = Date.parse("2026-06-02T12:00:00Z");
    const id = await calling(60, { per_day: 1, expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    await endAll(await planAndStart(ledger(), id, noon), { usd: 0.1, nowMs: noon });
    const before = await rows(ledger().db, sql`select * from spending where campaign_id = ${id}::uuid`);
    expect(before).toHaveLength(2);
    // There the day began at four, and what was spent since midnight of UTC counts, at the moment and an hour later.
    await amend(id, { budget: { per_day: 1, zone: "America/New_York", expect_per_call: "0.10" } });
    for (const nowMs of [noon, noon + HOUR_MS, Date.parse("2026-06-03T01:00:00Z")])
      expect(await planAndStart(ledger(), id, nowMs)).toEqual([]);
    expect(await rows(ledger().db, sql`select * from spending where campaign_id = ${id}::uuid`)).toEqual(
      before,
    );
    const nextDay = Date.parse("2026-06-03T04:00:00Z");
    await endAll(await planAndStart(ledger(), id, nextDay), { usd: 0.1, nowMs: nextDay });
    // Back by UTC's days: what New York's day held of this one counts.
    await amend(id, { budget: { per_day: 1, expect_per_call: "0.10" } });
    expect(await planAndStart(ledger(), id, nextDay + HOUR_MS)).toEqual([]);
    expect(await spendingOf(id, nextDay)).toMatchObject({ spentMicros: 3 * USD, daySpentMicros: USD });
  });

  it("of a brand's day that is raised without a word of its zone stays one of that zone", async () => {
    const brand = freshBrand();
    const said = { brand, restart: false, actor: "test", nowMs: NOW_MS };
    await setBudget(ledger(), {
      ...said,
      totalMicros: undefined,
      perDayMicros: USD,
      zone: "America/New_York",
    });
    const { budget } = await setBudget(ledger(), { ...said, totalMicros: undefined, perDayMicros: 2 * USD });
    expect(budget).toMatchObject({ perDayMicros: 2 * USD, zone: "America/New_York" });
  });

  it("of a brand's day ends with midnight of its zone, beside one of all brands by another", async () => {
    const brand = freshBrand();
    const set = (ofBrand: string | undefined, usd: number, zone?: string) =>
      setBudget(ledger(), {
        brand: ofBrand,
        totalMicros: undefined,
        perDayMicros: usd * USD,
        zone,
        restart: false,
        actor: "test",
        nowMs: NOW_MS,
      });
    // Days that no other test of this file spends money on.
    const day = (text: string) => Date.parse(`2026-08-${text}:00Z`);
    await set(brand, 1, "Asia/Tokyo");
    await set(undefined, 1.5);
    const id = await calling(60, { expect_per_call: "0.10" }, { brand });
    const callsAt = async (nowMs: number): Promise<number> => {
      const batchIds = await planAndStart(ledger(), id, nowMs);
      const calls = await leasedOf(id);
      await endAll(batchIds, { usd: 0.1, nowMs });
      return calls;
    };
    expect(await callsAt(day("10T14:00"))).toBe(10);
    expect(await callsAt(day("10T14:59")), "not yet midnight in Tokyo").toBe(0);
    expect(await callsAt(day("10T15:00")), "all brands have as much left of the day of UTC").toBe(5);
    expect(await callsAt(day("11T00:00")), "what the day in Tokyo has left").toBe(5);
    const [all, ofBrand] = await listBudgets(ledger().db, day("11T00:00")).then((budgets) => [
      budgets.find((budget) => budget.brand === undefined),
      budgets.find((budget) => budget.brand === brand),
    ]);
    expect(all).toMatchObject({ day: { date: "2026-08-11" }, daySpentMicros: USD / 2 });
    expect(ofBrand).toMatchObject({ day: { date: "2026-08-11" }, daySpentMicros: USD });
    expect(await callsAt(day("11T15:00"))).toBe(10);
  });

  it("is told of once, and no more when there is some again", async () => {
    const id = await calling(30, { total: "1", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    for (const minutes of [1, 2, 3]) await plan(ledger(), id, NOW_MS + minutes * 60_000);
    const entries = await told(id);
    expect(entries).toMatchObject([{ times: 1 }]);
    expect(entries[0]?.summary).toContain(
      "calls nobody for want of money: the budget of USD 1.00 for the campaign",
    );
    await amend(id, { budget: { total: "2", expect_per_call: "0.10" } });
    await plan(ledger(), id, NOW_MS + 4 * 60_000);
    expect(await leasedOf(id)).toBe(10);
    expect(await told(id)).toEqual([]);
  });

  it("is named as the reason where it cut a planning short, and not the slots that are free", async () => {
    const id = await calling(50, { total: "2.00", expect_per_call: "0.10" }, { concurrency: 21 });
    // The slot that is left is too little for a batch.
    await plan(ledger(), id);
    expect(await leasedOf(id)).toBe(20);
    expect(await moneyHolds(id)).toMatchObject([
      { detail: expect.stringContaining("has USD 0.00 left, and a call is expected to cost USD 0.10") },
    ]);
  });

  it("that is there again while nobody is due is told of no more", async () => {
    const id = await calling(30, { per_day: "1", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    await plan(ledger(), id);
    expect(await told(id)).toHaveLength(1);
    // Those that are left are due much later; the day of the budget ends before.
    await rows(
      ledger().db,
      sql`update contacts set due_at = ${at(NOW_MS + 3 * DAY_MS)} where campaign_id = ${id}::uuid and state = 'open'`,
    );
    const midnight = Date.UTC(2026, 5, 2);
    const idle = { pace: { idleLookMs: 9 * DAY_MS } };
    expect(await plan(ledger(), id, NOW_MS + 1, idle)).toMatchObject({ waitMs: midnight - NOW_MS - 1 });
    expect(await told(id)).toHaveLength(1);
    await plan(ledger(), id, midnight, idle);
    expect(await told(id)).toEqual([]);
    expect(await lastWord(id)).toBe("there is money again");
  });

  it("is told of no more when a campaign has ended without it", async () => {
    const id = await calling(30, { total: "1", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    await plan(ledger(), id);
    expect(await told(id)).toHaveLength(1);
    await tell(ledger(), "pause", id);
    await plan(ledger(), id);
    expect(await told(id), "it still has none").toHaveLength(1);
    await tell(ledger(), "cancel", id);
    await plan(ledger(), id);
    expect((await readCampaign(ledger().db, id))?.state).toBe("cancelled");
    expect(await told(id)).toEqual([]);
  });

  it("is told of as long as it is wanting, though somebody paused and resumed the campaign", async () => {
    const id = await calling(30, { total: "1", expect_per_call: "0.10" });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    await plan(ledger(), id);
    await tell(ledger(), "pause", id);
    await tell(ledger(), "resume", id);
    await plan(ledger(), id);
    expect(await moneyHolds(id)).toHaveLength(1);
    expect(await told(id)).toHaveLength(1);
  });

  it.each(["budget", "credit"])(
    "is told of no more when a %s was added to while the campaign was paused",
    async (of) => {
      const id = await calling(30, of === "budget" ? { total: "1", expect_per_call: "0.10" } : undefined);
      if (of === "budget") await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
      else await noteBalance(ledger(), { balanceMicros: 0, nowMs: NOW_MS });
      await plan(ledger(), id);
      expect(await told(id)).toHaveLength(1);
      await tell(ledger(), "pause", id);
      if (of === "budget") await amend(id, { budget: { total: "100", expect_per_call: "0.10" } });
      else await noteBalance(ledger(), { balanceMicros: 500 * USD, nowMs: NOW_MS + 1 });
      await tell(ledger(), "resume", id);
      await plan(ledger(), id, NOW_MS + 2);
      expect(await leasedOf(id)).toBeGreaterThan(10);
      expect(await told(id)).toEqual([]);
    },
  );

  it("is told of once, though calls that cost less than was held for them let a few more be made", async () => {
    const id = await calling(60, { total: "2", expect_per_call: "0.10" });
    const batchIds = await planAndStart(ledger(), id);
    await plan(ledger(), id);
    const [entry] = await told(id);
    const calls = (await Promise.all(batchIds.map((batchId) => openPhones(ledger(), batchId)))).flat();
    for (const [nth, phone] of calls.slice(0, 3).entries()) {
      const nowMs = NOW_MS + (nth + 1) * 60_000;
      for (const batchId of batchIds)
        if ((await openPhones(ledger(), batchId)).includes(phone))
          await settleFindings(ledger(), {
            batchId,
            findings: [{ ...ended(phone, "no_answer", nowMs), costMicros: 0 }],
            nowMs,
          });
      await plan(ledger(), id, nowMs);
      await plan(ledger(), id, nowMs + 1);
    }
    expect(await leasedOf(id), "three others are called with it").toBe(20);
    // With what is left by now.
    const summary = expect.stringContaining("the budget of USD 2.00 for the campaign has USD 0.03 left");
    expect(await told(id)).toEqual([{ ...entry, summary }]);
  });

  it("is told of once, though calls are tried now and then whether there is credit again", async () => {
    const id = await calling(150, undefined);
    const refuse = (nowMs: number) => noteNoCredit(ledger().db, { reason: "402", nowMs });
    await refuse(NOW_MS);
    await plan(ledger(), id);
    const entries = await told(id);
    expect(entries).toHaveLength(1);
    const triedMs = NOW_MS + 60_000;
    await noteBalance(ledger(), { balanceMicros: 500 * USD, nowMs: triedMs });
    await plan(ledger(), id, triedMs);
    expect(await leasedOf(id), "a try is a call").toBeGreaterThan(0);
    expect((await told(id)).map(({ id: entryId }) => entryId)).toEqual(
      entries.map(({ id: entryId }) => entryId),
    );
    await plan(ledger(), id, triedMs + 4 * 60_000);
    expect(await told(id), "none was refused").toEqual([]);
  });

  it("is told of no more once nobody is left for whom it was wanting", async () => {
    const id = await calling(11, { total: "1", expect_per_call: "0.10" });
    const batchIds = await planAndStart(ledger(), id);
    await plan(ledger(), id);
    expect(await told(id)).toHaveLength(1);
    await excludeOpen(id);
    await plan(ledger(), id);
    expect(await told(id)).toEqual([]);
    expect(await lastWord(id)).toBe("nobody is left to be called");
    await endAll(batchIds, { usd: 0.1 });
  });

  it("is looked for soon after a refusal, later after each that follows, and at once when there is more", async () => {
    const refuse = (nowMs: number) => noteNoCredit(ledger().db, { reason: "402", nowMs });
    const isWaiting = async () => (await readInstallation(ledger().db)).noCreditAtMs !== undefined;
    const looksAt = async (nowMs: number, balanceMicros: number | undefined = 5 * USD) => {
      await noteBalance(ledger(), { balanceMicros, nowMs });
      return !(await isWaiting());
    };
    let nowMs = NOW_MS;
    const waits: number[] = [];
    for (let nth = 0; nth < 7; nth += 1) {
      await refuse(nowMs);
      const refusedMs = nowMs;
      while (!(await looksAt(nowMs))) nowMs += 60_000;
      waits.push((nowMs - refusedMs) / 60_000);
      nowMs += 60_000;
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
    await refuse(nowMs);
    expect(await looksAt(nowMs + 60_000, 2 * USD)).toBe(false);
    // Calls that ended meanwhile took some: what was added is more than there was since.
    expect(await looksAt(nowMs + 61_000, 3 * USD)).toBe(true);
    await refuse(nowMs + 62_000);
    expect(await looksAt(nowMs + 62_000 + 59_000, undefined)).toBe(false);
    expect(await looksAt(nowMs + 62_000 + 60_000, undefined), "it begins anew").toBe(true);
    // What it had before it was tried is not more, and what is added within a minute of a refusal is.
    nowMs += DAY_MS / 2;
    await refuse(nowMs);
    expect(await looksAt(nowMs + 60_000, USD / 2), "a try").toBe(true);
    await refuse(nowMs + 61_000);
    expect(await looksAt(nowMs + 62_000, USD / 2)).toBe(false);
    expect(await looksAt(nowMs + 63_000, 500 * USD)).toBe(true);
    nowMs += DAY_MS / 2;
    // Much later nobody remembers the tries before.
    await refuse(nowMs + DAY_MS);
    expect(await looksAt(nowMs + DAY_MS + 60_000)).toBe(true);
  });

  it("is never held by two campaigns of a brand", async () => {
    const brand = freshBrand();
    await setBudget(ledger(), {
      brand,
      totalMicros: undefined,
      perDayMicros: 3 * USD,
      restart: false,
      actor: "test",
      nowMs: NOW_MS,
    });
    const budget = { expect_per_call: "0.10" };
    const ids = await Promise.all([1, 2, 3].map(() => calling(25, budget, { brand })));
    await Promise.all(ids.map((id) => plan(ledger(), id)));
    const leased = await Promise.all(ids.map(leasedOf));
    expect(leased.reduce((sum, calls) => sum + calls, 0)).toBe(30);
    for (const id of ids) await plan(ledger(), id);
    const holds = (await Promise.all(ids.map(moneyHolds))).flat();
    expect(holds.length).toBeGreaterThan(0);
    for (const { detail } of holds)
      expect(detail).toContain(`the budget of USD 3.00 a day for brand ${brand} (2026-06-01, UTC)`);
    const other = await calling(25, budget);
    await plan(ledger(), other);
    expect(await leasedOf(other), "of another brand").toBe(25);
  });

  it("of an account that has little left is never held by two campaigns, whatever their brands", async () => {
    // What other tests left under way is held, too.
    const [others] = await rows<{ held: number }>(
      ledger().db,
      sql`select coalesce(sum(held_micros), 0)::bigint as held from spending`,
    );
    await noteBalance(ledger(), { balanceMicros: one(others).held + 3 * USD, nowMs: NOW_MS });
    const ids = await Promise.all([1, 2, 3, 4].map(() => calling(25, { expect_per_call: "0.10" })));
    await Promise.all(ids.map((id) => plan(ledger(), id)));
    const leased = await Promise.all(ids.map(leasedOf));
    expect(leased.reduce((sum, calls) => sum + calls, 0)).toBe(30);
    for (const id of ids) await plan(ledger(), id);
    const waiting = (await Promise.all(ids.map((id) => holdsOf(ledger(), id)))).flat();
    const credit = waiting.filter(({ reason, until_ms }) => reason === "credit" && until_ms === null);
    expect(credit.length).toBeGreaterThan(0);
    expect(credit[0]?.detail).toContain(
      "are held for calls under way, and a call is expected to cost USD 0.10",
    );
  });

  it("is held by the dearest agent that its variants may call with, before calls have told", async () => {
    const variants = [{ name: "a" }, { name: "b", agent_id: "dear" }];
    const id = await calling(40, { total: "3.00" }, { variants });
    expect(await listUnpriced(ledger().db, { limit: 10, nowMs: NOW_MS })).toEqual(
      expect.arrayContaining(["agent", "dear"]),
    );
    const price = (agentId: string, minuteMicros: number) =>
      notePrice(ledger().db, { agentId, price: { minuteMicros, perCallMicros: 0 }, nowMs: NOW_MS });
    await price("agent", USD / 10);
    await price("dear", (USD * 3) / 10);
    await plan(ledger(), id);
    expect(await leasedOf(id)).toBe(10);
    await rows(ledger().db, sql`delete from agent_prices`);
  });

  it("of a brand is there whole again where its total begins anew, whatever was spent on that day", async () => {
    const brand = freshBrand();
    const set = (restart: boolean) =>
      setBudget(ledger(), {
        brand,
        totalMicros: USD,
        perDayMicros: undefined,
        restart,
        actor: "test",
        nowMs: NOW_MS,
      });
    await set(false);
    const id = await calling(40, { expect_per_call: "0.10" }, { brand });
    await endAll(await planAndStart(ledger(), id), { usd: 0.1 });
    expect((await spendingOf(id)).spentMicros).toBe(USD);
    await set(false);
    await plan(ledger(), id, NOW_MS + 60_000);
    expect(await leasedOf(id), "set anew, it goes on").toBe(0);
    await set(true);
    await plan(ledger(), id, NOW_MS + 120_000);
    expect(await leasedOf(id)).toBe(10);
    expect((await listBudgets(ledger().db, NOW_MS)).find((budget) => budget.brand === brand)).toMatchObject({
      spentMicros: 0,
      heldMicros: USD,
    });
  });

  it("of all brands together binds each of them, until that is taken back", async () => {
    await setBudget(ledger(), {
      brand: undefined,
      totalMicros: USD,
      perDayMicros: undefined,
      restart: true,
      actor: "test",
      nowMs: NOW_MS + 2 * DAY_MS,
    });
    const nowMs = NOW_MS + 2 * DAY_MS;
    const [one, other] = [
      await calling(6, { expect_per_call: "0.10" }),
      await calling(6, { expect_per_call: "0.10" }),
    ];
    await plan(ledger(), one, nowMs);
    await plan(ledger(), other, nowMs);
    expect([await leasedOf(one), await leasedOf(other)]).toEqual([6, 4]);
    const removed = await removeBudget(ledger(), {
      brand: undefined,
      reason: "no more",
      actor: "test",
      nowMs,
    });
    expect(removed?.campaignIds).toContain(other);
    await plan(ledger(), other, nowMs);
    expect(await leasedOf(other)).toBe(6);
  });

  it("is free again when a batch is never started, or its people are given back", async () => {
    const id = await calling(10, { total: 1, expect_per_call: "0.10" });
    await plan(ledger(), id);
    expect((await spendingOf(id)).heldMicros).toBe(USD);
    await tell(ledger(), "pause", id);
    expect((await spendingOf(id)).heldMicros).toBe(0);
    await tell(ledger(), "resume", id);
    await plan(ledger(), id, NOW_MS + HOUR_MS);
    expect((await spendingOf(id)).heldMicros).toBe(USD);
    await tell(ledger(), "cancel", id);
    expect((await spendingOf(id)).heldMicros).toBe(0);
  });

  it("that is gone keeps a batch from being started: its people wait, and are called by what is left", async () => {
    const id = await calling(10, { total: 1, expect_per_call: "0.10" });
    const { batchIds } = await plan(ledger(), id);
    const [batchId = ""] = batchIds;
    await create(ledger(), batchId);
    await amend(id, { budget: { total: "0.55", expect_per_call: "0.10" } });
    expect(await permit(ledger(), batchId)).toMatchObject({ kind: "stopped", reason: "money" });
    expect(await tallies(ledger(), id)).toMatchObject({ open: 10, leased: 0 });
    await plan(ledger(), id, NOW_MS + HOUR_MS);
    expect(await leasedOf(id)).toBe(5);
  });

  it("is reckoned by the length of a call until its cost is told, and nothing for whom nobody reached", async () => {
    const id = await calling(4, { total: 10 });
    const [batchId = ""] = await planAndStart(ledger(), id);
    const phones = await openPhones(ledger(), batchId);
    const [a = "", b = "", c = "", d = ""] = phones;
    await settleFindings(ledger(), {
      batchId,
      findings: [
        { ...ended(a, "answered"), durationSeconds: 60 },
        { ...ended(b, "no_answer"), durationSeconds: undefined },
        { ...ended(c, "voicemail"), durationSeconds: undefined },
        { ...ended(d, "answered"), costMicros: 31_415 },
      ],
      nowMs: NOW_MS + HOUR_MS,
    });
    // A minute is taken to cost 0.20; of the voicemail its line time, thirty seconds, is known.
    expect(await spendingOf(id)).toMatchObject({
      heldMicros: 0,
      spentMicros: 200_000 + 0 + 100_000 + 31_415,
      toldMicros: 31_415,
      calls: 4,
    });
    expect((await batchOf(ledger(), batchId)).callMicros).toBe(200_000);
  });
});
