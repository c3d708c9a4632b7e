import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { EndlessListError, type Platform, type WalkOptions } from "../../../src/platform/index.ts";
import { running, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };

describe("a batch whose listings lead to no end", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let aheadMs = 0;
    let from = 900_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const depsOf = (what: "items" | "calls"): ActivityDeps => ({
      ...stepping.depsOf(ledger()),
      platform: endless(stepping.platform, what),
      now: () => Date.now() + aheadMs,
    });
    const comeOf = async (campaignId: string) => {
      const found = await rows<{ phone: string; came: string }>(
        ledger().db,
        sql`select phone, coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid`,
      );
      return new Map(found.map(({ phone, came }) => [phone, came]));
    };
    const endSeen = async (batchId: string) =>
      (await readBatch(ledger().db, batchId))?.terminalSeenAtMs !== undefined;
    /** Begins a batch and pauses its campaign while somebody is called and the others wait. */
    const cutShort = async (deps: ActivityDeps) => {
      const phones = people(12);
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 60_000 }]);
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 1 }, Date.now());
      const batchId = await beginOne(deps, id);
      await until("a call to be up", () => stepping.sandbox.stats().activeCalls > 0);
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      return { id, batchId, phones };
    };

    beforeAll(async () => {
      stepping = await openStepping();
    });
    afterEach(() => {
      stepping.sandbox.faults.clear();
      aheadMs = 0;
    });
    afterAll(() => stepping.close());

    it("settles what they show; the others wait, then count as dialed, and nobody is dialed again", async () => {
      const deps = depsOf("items");
      const { id, batchId, phones } = await cutShort(deps);
      const batchPhones = await phonesOf(batchId);
      await until("who was called to be settled", async () => {
        await tendBatch(deps, { batchId });
        const come = await comeOf(id);
        return (
          (await endSeen(batchId)) &&
          batchPhones.every((phone) => dialsOf([phone])[0] === 0 || come.get(phone) === "answered")
        );
      });
      const before = await comeOf(id);
      const waiting = batchPhones.filter((phone) => before.get(phone) === "leased");
      expect(waiting.length).toBeGreaterThan(0);
      for (let look = 0; look < 3; look += 1) {
        aheadMs += 2 * deps.pace.quietMs;
        expect((await tendBatch(deps, { batchId })).next).toBe("tend");
      }
      expect(await comeOf(id)).toEqual(before);
      aheadMs += deps.pace.callBoundMs;
      await takeToEnd(deps, batchId);
      const after = await comeOf(id);
      expect(waiting.map((phone) => after.get(phone))).toEqual(waiting.map(() => "unknown"));
      expect(dialsOf(waiting)).toEqual(waiting.map(() => 0));
      expect(Math.max(...dialsOf(phones))).toBe(1);
    });

    it("is taken off the platform before its people count as dialed, where its start was never seen", async () => {
      const deps = depsOf("items");
      const phones = people(3);
      const id = await running(ledger(), phones, SPEC, Date.now());
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "drop_before", route: "POST /v1/batch-calls/:id/start" });
      await startBatch(deps, { batchId });
      await until("its end to be seen", async () => {
        await tendBatch(deps, { batchId });
        return endSeen(batchId);
      });
      aheadMs += deps.pace.callBoundMs;
      await takeToEnd(deps, batchId);
      const batch = given(await readBatch(ledger().db, batchId));
      const left: string[] = [];
      for await (const row of stepping.platform.batchCalls.iterate()) left.push(row.batch_call_id);
      expect(left).not.toContain(given(batch.platformBatchId));
      expect([...(await comeOf(id)).values()].filter((came) => came === "unknown").length).toBe(batch.size);
      expect(dialsOf(phones)).toEqual(phones.map(() => 0));
    });

    it("ends, where it is its calls: then no item proves that somebody was not dialed", async () => {
      const deps = depsOf("calls");
      const { id, batchId } = await cutShort(deps);
      const batchPhones = await phonesOf(batchId);
      await takeToEnd(deps, batchId);
      const come = await comeOf(id);
      const uncalled = batchPhones.filter((phone) => dialsOf([phone])[0] === 0);
      expect(uncalled.length).toBeGreaterThan(0);
      expect(uncalled.map((phone) => come.get(phone))).toEqual(uncalled.map(() => "unknown"));
    });

    async function phonesOf(batchId: string): Promise<string[]> {
      const found = await rows<{ phone: string }>(
        ledger().db,
        sql`select phone from attempts where batch_id = ${batchId}::uuid`,
      );
      return found.map(({ phone }) => phone);
    }
  });
});

/** The same platform, as one that answers a listing with all rows together, wherever it is asked to start. */
function endless(platform: Platform, what: "items" | "calls"): Platform {
  const { batchCalls, calls } = platform;
  if (what === "items") {
    return {
      ...platform,
      batchCalls: {
        ...batchCalls,
        iterateItems: (id, query, options) =>
          repeating(batchCalls.iterateItems(id, query, { ...options, untilEmpty: false }), options),
      },
    };
  }
  return {
    ...platform,
    calls: {
      ...calls,
      iterate: (query, options) =>
        repeating(calls.iterate(query, { ...options, untilEmpty: false }), options),
    },
  };
}

/** Ends as the client's own walk does: an error, but for a short list of which no proof is wanted. */
async function* repeating<Row>(
  list: AsyncIterable<Row>,
  options: WalkOptions = {},
): AsyncGenerator<Row, void, undefined> {
  yield* list;
  if (options.untilEmpty === true)
    throw new EndlessListError({ endpoint: undefined, problem: "the list repeats a page", effect: "none" });
}
