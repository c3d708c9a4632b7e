import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { lookAtBalance } from "../../../src/chores/campaigns/look-at-balance.ts";
import { watchMoney } from "../../../src/chores/campaigns/watch-money.ts";
import { readSpending } from "../../../src/ledger/campaigns/budgets.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import type { Transaction } from "../../../src/platform/index.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { HOUR_MS, holdsOf, MINUTE_MS, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const BALANCE = "GET /v1/billing/balance";
const CHECK = "GET /v1/billing/balance/check";
const START = "POST /v1/batch-calls/:id/start";

const entryOf = (id: string, fields: Partial<Transaction>): Transaction => ({
  organization_id: undefined,
  transaction_type: "usage",
  amount_usd: undefined,
  balance_before: undefined,
  balance_after: undefined,
  description: undefined,
  reference_id: undefined,
  reference_type: undefined,
  metadata: undefined,
  created_at: undefined,
  ...fields,
  id,
});

describe("what the platform says of money", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let woken: string[];
    let from = 700_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (count: number, changes = {}) =>
      running(ledger(), people(count), { ...SPEC, retry: { max_attempts: 1 }, ...changes }, Date.now());
    const planOnce = async (campaignId: string) =>
      given(await planBatch(deps, { campaignId, seenPlannings: 0 })).batchIds;
    const waitsFor = async (id: string) =>
      (await holdsOf(ledger(), id)).find(({ until_ms }) => until_ms === null)?.reason;
    const told = async (id: string) =>
      (await listAttention(ledger().db, { kind: "out_of_money", subject: id, resolved: false, limit: 5 }))
        .items.length;
    /** An hour later: the clocks of both are far apart then, and nothing here looks at the platform's. */
    const later = (ms: number): ActivityDeps => ({ ...deps, now: () => Date.now() + ms });
    const requests = (route: string) => stepping.sandbox.stats().routes[route]?.requests ?? 0;

    beforeAll(async () => {
      stepping = await openStepping();
    });
    beforeEach(() => {
      stepping.sandbox.faults.clear();
      stepping.sandbox.setBalance(1_000);
      woken = [];
      deps = {
        ...stepping.depsOf(ledger()),
        wake: { campaign: (id) => void woken.push(id), batch() {} },
      };
    });
    afterAll(() => stepping.close());

    it("is what each call cost, to the cent, once its ledger has it", async () => {
      const id = await begin(40, { concurrency: 40 });
      await watchMoney(deps);
      await takeToEnd(deps, await beginOne(deps, id));
      const { spentMicros, toldMicros, calls } = await readSpending(ledger().db, id, Date.now());
      expect(calls).toBeGreaterThan(10);
      expect(toldMicros).toBe(0);
      expect(spentMicros).toBeGreaterThan(0);
      const usedUsd = given((await stepping.platform.billing.balance()).total_credits_used);
      await watchMoney(deps);
      const settled = await readSpending(ledger().db, id, Date.now());
      expect(settled.spentMicros, "of all that this account ever paid").toBe(Math.round(usedUsd * 1_000_000));
      expect(settled.toldMicros).toBe(settled.spentMicros);
      await watchMoney(deps);
      expect(await readSpending(ledger().db, id, Date.now()), "read again").toEqual(settled);
      await expectInvariants(ledger());
    });

    it("comes with the newest first just as well, and each entry counts once", async () => {
      const { billing } = stepping.platform;
      const id = await begin(20, { concurrency: 20 });
      const inReverse: ActivityDeps = {
        ...deps,
        platform: {
          ...stepping.platform,
          billing: {
            ...billing,
            async transactions({ limit = 50, offset = 0 } = {}) {
              const items: Transaction[] = [];
              for await (const one of billing.iterateTransactions({ limit: 1_000 })) items.unshift(one);
              return { items: items.slice(offset, offset + limit), total: items.length };
            },
          },
        },
      };
      await watchMoney(inReverse);
      const usedBefore = given((await billing.balance()).total_credits_used);
      await takeToEnd(deps, await beginOne(deps, id));
      const usedUsd = given((await billing.balance()).total_credits_used) - usedBefore;
      await watchMoney(inReverse);
      await watchMoney(inReverse);
      const { spentMicros, toldMicros } = await readSpending(ledger().db, id, Date.now());
      expect(spentMicros).toBe(Math.round(usedUsd * 1_000_000));
      expect(toldMicros).toBe(spentMicros);
    });

    it("is no credit: nobody is dialed or lost, people are told once, and it goes on by itself", async () => {
      const id = await begin(6, { concurrency: 6 });
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.setBalance(0);
      await startBatch(deps, { batchId });
      await takeToEnd(deps, batchId);
      expect(await planOnce(id)).toEqual([]);
      expect(await planOnce(id)).toEqual([]);
      expect(await waitsFor(id)).toBe("credit");
      expect(await told(id)).toBe(1);
      expect(given(await readCampaign(ledger().db, id))).toMatchObject({
        state: "running",
        tallies: { open: 6, leased: 0, excluded: 0 },
      });
      await watchMoney(deps);
      expect(await planOnce(id), "nothing was added").toEqual([]);
      const startsBefore = requests(START);
      stepping.sandbox.setBalance(100);
      await watchMoney(deps);
      expect(woken).toContain(id);
      await takeToEnd(deps, await beginOne(deps, id));
      expect(requests(START)).toBe(startsBefore + 1);
      await planOnce(id);
      expect(await told(id)).toBe(0);
      expect(given(await readCampaign(ledger().db, id)).state).toBe("completed");
      await expectInvariants(ledger());
    });

    it("is a balance that pays for fewer calls than there are lines: no more are leased", async () => {
      stepping.sandbox.setBalance(1);
      const id = await begin(30, { concurrency: 30, budget: { expect_per_call: "0.10" } });
      await watchMoney(deps);
      await planSome(deps, id);
      expect(given(await readCampaign(ledger().db, id)).tallies.leased).toBe(10);
      stepping.sandbox.setBalance(1_000);
      await watchMoney(deps);
      await planSome(deps, id);
    });

    it("is a refusal where nobody says that there is credit: it is tried again within minutes", async () => {
      const id = await begin(3, { concurrency: 3 });
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "status", route: START, status: 402, times: 1 });
      stepping.sandbox.faults.add({ kind: "status", route: CHECK, status: 403 });
      await startBatch(deps, { batchId });
      await watchMoney(deps);
      await watchMoney(deps);
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeDefined();
      stepping.sandbox.faults.add({ kind: "status", route: BALANCE, status: 403 });
      await watchMoney(later(MINUTE_MS / 2));
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeDefined();
      await watchMoney(later(2 * MINUTE_MS));
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeUndefined();
    });

    it("that somebody says there is again is looked at at once, and campaigns go on", async () => {
      const id = await begin(3, { concurrency: 3 });
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "status", route: START, status: 402, times: 1 });
      stepping.sandbox.faults.add({ kind: "status", route: CHECK, status: 403 });
      await startBatch(deps, { batchId });
      await planOnce(id);
      expect(await waitsFor(id)).toBe("credit");
      woken.length = 0;
      await watchMoney(deps);
      expect(woken, "nothing says that there is more").toEqual([]);
      // Somebody added some before the balance was read, and says so.
      const seen = await lookAtBalance(deps, { isAsked: true });
      expect(seen).toMatchObject({ balanceMicros: 1_000_000_000, unknown: undefined });
      expect(seen.campaignIds).toContain(id);
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeUndefined();
      await takeToEnd(deps, await beginOne(deps, id));
      expect(given(await readCampaign(ledger().db, id)).tallies.done).toBe(3);
    });

    it("that somebody says there is, and there is none: nobody is called", async () => {
      const id = await begin(3, { concurrency: 3 });
      stepping.sandbox.setBalance(0);
      await watchMoney(deps);
      expect(await planOnce(id)).toEqual([]);
      expect(await lookAtBalance(deps, { isAsked: true })).toMatchObject({ balanceMicros: 0 });
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeDefined();
      expect(await planOnce(id)).toEqual([]);
      stepping.sandbox.setBalance(1_000);
      await watchMoney(deps);
      await takeToEnd(deps, await beginOne(deps, id));
    });

    it.each(["create", "start"])("is enough, and a %s asks for payment: no other waits", async (step) => {
      const id = await begin(3, { concurrency: 3 });
      const other = await begin(3, { concurrency: 3 });
      const [batchId = ""] = await planSome(deps, id);
      if (step === "start") await createBatch(deps, { batchId });
      const route = step === "start" ? START : "POST /v1/batch-calls";
      stepping.sandbox.faults.add({ kind: "status", route, status: 402, times: 1 });
      await (step === "start" ? startBatch(deps, { batchId }) : createBatch(deps, { batchId }));
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeUndefined();
      const { state, stateReason, tallies } = given(await readCampaign(ledger().db, id));
      expect({ state, tallies }).toMatchObject({ state: "paused", tallies: { open: 3, leased: 0 } });
      expect(stateReason).toContain("unlock or pay for what it names");
      await takeToEnd(deps, await beginOne(deps, other));
      expect(given(await readCampaign(ledger().db, other)).tallies.done).toBe(3);
    });

    it("is not said by a look at a batch that asks for payment: its campaign alone is paused", async () => {
      const id = await begin(3, { concurrency: 3 });
      const batchId = await beginOne(deps, id);
      stepping.sandbox.faults.add({
        kind: "status",
        route: "GET /v1/batch-calls/:id",
        status: 402,
        times: 1,
      });
      stepping.sandbox.faults.add({ kind: "status", route: CHECK, status: 403 });
      await tendBatch(deps, { batchId });
      expect((await readInstallation(ledger().db)).noCreditAtMs).toBeUndefined();
      expect(given(await readCampaign(ledger().db, id)).state).toBe("paused");
      await takeToEnd(deps, batchId);
    });

    const withBilling = (changes: Partial<ActivityDeps["platform"]["billing"]>): ActivityDeps => ({
      ...deps,
      platform: { ...stepping.platform, billing: { ...stepping.platform.billing, ...changes } },
    });

    it.each([-5, 0.05])("is no limit where the platform lets more be spent than its %s", async (balance) => {
      stepping.sandbox.setBalance(balance);
      const billedLater = withBilling({
        check: async (amount) => ({
          sufficient: true,
          balance,
          required: amount,
          min_balance: -100,
          shortfall: 0,
        }),
      });
      const id = await begin(3, { concurrency: 3, budget: { expect_per_call: "0.10" } });
      await watchMoney(billedLater);
      expect(await readInstallation(ledger().db)).toMatchObject({ noCreditAtMs: undefined });
      await planSome(deps, id);
      expect(given(await readCampaign(ledger().db, id)).tallies.leased).toBe(3);
    });

    it("that is given back for a call is not taken for more of its cost", async () => {
      const id = await begin(2, { concurrency: 2 });
      await takeToEnd(deps, await beginOne(deps, id));
      const [call] = await rows<{ call_id: string }>(
        ledger().db,
        sql`select call_id from attempts where campaign_id = ${id}::uuid and state = 'ended' limit 1`,
      );
      const entry = (no: number, amount_usd: number): Transaction =>
        entryOf(`refund-${no}`, { reference_id: given(call).call_id, reference_type: "call", amount_usd });
      const told = [entry(1, -0.5), entry(2, 0.2)];
      await rows(ledger().db, sql`update installation set charges_read = 0`);
      await watchMoney(withBilling({ transactions: async () => ({ items: told, total: told.length }) }));
      const { toldMicros } = await readSpending(ledger().db, id, Date.now());
      expect(toldMicros).toBe(300_000);
    });

    it.each([
      { atOnce: 60, newestFirst: true },
      { atOnce: 1_000, newestFirst: true },
      { atOnce: 60, newestFirst: false },
    ])("is read whole while entries come, whatever is given at once: %j", async ({ atOnce, newestFirst }) => {
      const id = await begin(2, { concurrency: 2 });
      await takeToEnd(deps, await beginOne(deps, id));
      const run = `${atOnce}-${newestFirst}`;
      const entries: Transaction[] = [];
      const add = (count: number) => {
        for (let left = count; left > 0; left -= 1) {
          const no = entries.length;
          const created_at = new Date(Date.UTC(2026, 0, 1) + no * 1_000).toISOString();
          entries.push(
            entryOf(`${run}-${no}`, {
              created_at,
              reference_id: "of-nobody",
              reference_type: "call",
              amount_usd: -1,
            }),
          );
        }
      };
      add(1_800);
      let requested = 0;
      const billing = withBilling({
        async transactions({ limit = 50, offset = 0 } = {}) {
          requested += 1;
          // More than are read twice, and fewer.
          if (requested === 2) add(150);
          if (requested === 3) add(5);
          const ordered = newestFirst ? entries.toReversed() : entries;
          return {
            items: ordered.slice(offset, offset + Math.min(limit, atOnce)),
            total: entries.length,
          };
        },
      });
      await rows(ledger().db, sql`update installation set charges_read = 0`);
      for (let minutes = 0; minutes < 4; minutes += 1) await watchMoney(billing);
      const [kept] = await rows<{ n: number }>(
        ledger().db,
        sql`select count(*)::int as n from charges where entry_id like ${`${run}-%`}`,
      );
      expect(kept?.n).toBe(entries.length);
      expect(entries).toHaveLength(1_955);
    });

    it("is nothing, where it can't be asked: calls go on", async () => {
      stepping.sandbox.faults.add({ kind: "status", route: BALANCE, status: 403 });
      stepping.sandbox.faults.add({ kind: "status", route: "GET /v1/billing/transactions", status: 403 });
      const id = await begin(3, { concurrency: 3 });
      await watchMoney(later(HOUR_MS));
      await takeToEnd(deps, await beginOne(deps, id));
      expect(given(await readCampaign(ledger().db, id)).tallies.done).toBe(3);
    });
  });
});
