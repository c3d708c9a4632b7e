import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { holdsOf, MINUTE_MS, running, SECOND_MS, tell } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const START = "POST /v1/batch-calls/:id/start";
const GET = "GET /v1/batch-calls/:id";
const ITEMS = "GET /v1/batch-calls/:id/items";
const DELETE = "DELETE /v1/batch-calls/:id";
const PAUSE = "POST /v1/batch-calls/:id/pause";
const CANCEL = "POST /v1/batch-calls/:id/cancel";

describe("a batch that the platform does not bring to its end", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 700_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (phones: readonly string[], changes = {}) =>
      running(ledger(), phones, { ...SPEC, ...changes }, Date.now());
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const batchOf = async (id: string) => given(await readBatch(ledger().db, id));
    const toldOf = async (subject: string) =>
      (await listAttention(ledger().db, { resolved: false, subject, limit: 10 })).items;
    const comeOf = async (campaignId: string) => {
      const found = await rows<{ phone: string; came: string }>(
        ledger().db,
        sql`select phone, coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid`,
      );
      return new Map(found.map(({ phone, came }) => [phone, came]));
    };
    const phonesOf = async (batchId: string) =>
      (
        await rows<{ phone: string }>(
          ledger().db,
          sql`select phone from attempts where batch_id = ${batchId}::uuid`,
        )
      ).map(({ phone }) => phone);
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);
    const talkFor = (phones: readonly string[], talkMs: number) => {
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: talkMs }]);
    };
    /** A batch whose start was not answered and had no effect, at the moment when that is given up. */
    const doubtful = async (phones: readonly string[], changes = {}) => {
      const id = await begin(phones, changes);
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      fault({ kind: "drop_before", route: START, times: 1 });
      await startBatch(deps, { batchId });
      await age(ledger(), id, deps.pace.startDoubtMs);
      return { id, batchId };
    };
    /** Looks at it, and lets the time pass in between, until something is so. */
    const tendUntil = async (id: string, batchId: string, boundMs: number, isSo: () => Promise<boolean>) => {
      let tookMs = 0;
      while (!(await isSo())) {
        const step = await tendBatch(deps, { batchId });
        if (step.next === "done") break;
        const waitMs = Math.max(step.waitMs, SECOND_MS);
        await age(ledger(), id, waitMs);
        tookMs += waitMs;
        if (tookMs > boundMs) throw new Error(`it is not so after ${boundMs} ms`);
      }
      return tookMs;
    };
    const isSettled = (batchId: string) => async () => (await batchOf(batchId)).state === "settled";

    beforeAll(async () => {
      stepping = await openStepping();
      const at = stepping.depsOf(ledger());
      const pace = {
        startDoubtMs: MINUTE_MS,
        vanishedMs: 10 * MINUTE_MS,
        callBoundMs: 120 * MINUTE_MS,
        troubleMs: 5 * MINUTE_MS,
        dialByMarginMs: MINUTE_MS,
        quietMs: 15 * SECOND_MS,
        processingLookMs: 15 * SECOND_MS,
        refusedLookMs: 2 * MINUTE_MS,
        lookMs: 5 * SECOND_MS,
      };
      deps = { ...at, pace: { ...at.pace, ...pace } };
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    describe("whose delete is refused", () => {
      it.each([409, 500] as const)(
        "for ever, by %i, lets go of its slots after ten minutes, and its people count as called",
        async (status) => {
          const phones = people(3);
          const { id, batchId } = await doubtful(phones, { concurrency: 3 });
          fault({ kind: "status", route: DELETE, status });
          const tookMs = await tendUntil(id, batchId, 20 * MINUTE_MS, isSettled(batchId));
          expect(tookMs).toBeGreaterThan(9 * MINUTE_MS);
          expect(tookMs).toBeLessThan(13 * MINUTE_MS);
          expect(await batchOf(batchId)).toMatchObject({ state: "settled", held: 0 });
          expect([...(await comeOf(id)).values()]).toEqual(["unknown", "unknown", "unknown"]);
          expect(await toldOf(batchId)).toMatchObject([
            {
              kind: "batch_stuck",
              summary: expect.stringMatching(/given up.*does not let go.*3 of its people/),
            },
          ]);
          expect(dialsOf(phones)).toEqual([0, 0, 0]);
        },
      );

      it("is told while it lasts, named in the hold, and is off the list once the platform lets go", async () => {
        const phones = people(250);
        const { id, batchId } = await doubtful(phones, { concurrency: 1 });
        fault({ kind: "status", route: DELETE, status: 409 });
        await tendUntil(id, batchId, 9 * MINUTE_MS, async () => (await toldOf(batchId)).length > 0);
        await planBatch(deps, { campaignId: id, seenPlannings: 0 });
        const hold = (await holdsOf(ledger(), id)).find((one) => one.until_ms === null);
        expect(hold?.detail).toBe(
          "all 1 slots are in use; 1 by batches that the platform does not let go of",
        );
        stepping.sandbox.faults.clear();
        await tendUntil(id, batchId, 2 * MINUTE_MS, isSettled(batchId));
        expect(await toldOf(batchId)).toEqual([]);
        expect(new Set((await comeOf(id)).values())).toEqual(new Set(["open"]));
      });

      it("and which dials after all is followed, and nobody of it is called twice", async () => {
        const phones = people(3);
        talkFor(phones, 1_000);
        const { id, batchId } = await doubtful(phones, { concurrency: 3 });
        fault({ kind: "status", route: DELETE, status: 409 });
        await tendUntil(
          id,
          batchId,
          9 * MINUTE_MS,
          async () => (await batchOf(batchId)).trouble === "not_deleted",
        );
        const { platformBatchId } = await batchOf(batchId);
        fault({ kind: "late", route: START, after_ms: 0, regardless: true, times: 1 });
        await stepping.platform.batchCalls.start(given(platformBatchId)).catch(() => {});
        await until("everybody to be called", () => dialsOf(phones).every((dials) => dials === 1));
        await takeToEnd(deps, batchId);
        expect(new Set((await comeOf(id)).values())).toEqual(new Set(["answered"]));
        expect(dialsOf(phones)).toEqual([1, 1, 1]);
      });
    });

    describe("that does not stop", () => {
      it("is told within a minute, and lets go of its people after two hours at the most", async () => {
        const phones = people(6);
        talkFor(phones, 10_000_000);
        const id = await begin(phones, { concurrency: 2 });
        const batchId = await beginOne(deps, id);
        await until("calls to be up", () => stepping.sandbox.stats().activeCalls > 0);
        for (const route of [PAUSE, CANCEL]) fault({ kind: "status", route, status: 409 });
        await tell(ledger(), "pause", id, { nowMs: Date.now() });
        const toldAfterMs = await tendUntil(
          id,
          batchId,
          5 * MINUTE_MS,
          async () => (await toldOf(batchId)).length > 0,
        );
        expect(toldAfterMs).toBeLessThanOrEqual(2 * MINUTE_MS);
        expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringContaining("does not stop") }]);
        const batchPhones = await phonesOf(batchId);
        await age(ledger(), id, 110 * MINUTE_MS);
        await tendUntil(id, batchId, 20 * MINUTE_MS, isSettled(batchId));
        const come = await comeOf(id);
        expect(batchPhones.map((phone) => come.get(phone))).toEqual(batchPhones.map(() => "unknown"));
        expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringContaining("given up") }]);
        for (const call of stepping.sandbox.dialLog.entries())
          if (phones.includes(call.phone)) await stepping.platform.calls.end(call.call_id).catch(() => {});
      });

      it("but is paused, and refuses to be cancelled, is deleted: whoever was not called comes back", async () => {
        const phones = people(8);
        talkFor(phones, 3_000);
        const id = await begin(phones, { concurrency: 1 });
        const batchId = await beginOne(deps, id);
        await until("a call", () => dialsOf(phones).some((dials) => dials > 0));
        fault({ kind: "status", route: CANCEL, status: 409 });
        await tell(ledger(), "pause", id, { nowMs: Date.now() });
        await tendUntil(id, batchId, 30 * MINUTE_MS, isSettled(batchId));
        const come = await comeOf(id);
        for (const phone of phones)
          expect(come.get(phone)).toBe(dialsOf([phone])[0] === 0 ? "open" : "answered");
        expect([...come.values()]).toContain("open");
      });
    });

    describe("of which the platform can't tell, though it answers otherwise", () => {
      it.each([
        ["by itself", GET],
        ["by its items", ITEMS],
      ] as const)("%s, is told, and given up two hours later", async (_which, route) => {
        const phones = people(3);
        talkFor(phones, 10_000_000);
        const id = await begin(phones, { concurrency: 3 });
        const batchId = await beginOne(deps, id);
        await until("calls to be up", () => stepping.sandbox.stats().activeCalls >= 3);
        const platformId = given((await batchOf(batchId)).platformBatchId);
        fault({ kind: "status", route, id: platformId, status: 500 });
        const toldAfterMs = await tendUntil(
          id,
          batchId,
          20 * MINUTE_MS,
          async () => (await toldOf(batchId)).length > 0,
        );
        expect(toldAfterMs).toBeGreaterThanOrEqual(deps.pace.troubleMs);
        expect((await batchOf(batchId)).held).toBe(3);
        await age(ledger(), id, 100 * MINUTE_MS);
        await tendUntil(id, batchId, 30 * MINUTE_MS, isSettled(batchId));
        expect(new Set((await comeOf(id)).values())).toEqual(new Set(["unknown"]));
        expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringMatching(/given up.*500/) }]);
        expect(dialsOf(phones)).toEqual([1, 1, 1]);
        await endCalls(phones);
      });

      it("is waited for while nothing else is answered either, however long", async () => {
        const phones = people(2);
        talkFor(phones, 1_000);
        const id = await begin(phones);
        const batchId = await beginOne(deps, id);
        await until("everybody to be called", () => dialsOf(phones).every((dials) => dials === 1));
        fault({ kind: "status", route: "*", status: 503 });
        for (let look = 0; look < 5; look += 1) {
          await age(ledger(), id, 300 * MINUTE_MS);
          await expect(tendBatch(deps, { batchId })).rejects.toThrow("503");
        }
        expect((await batchOf(batchId)).vanishedAtMs).toBeUndefined();
        stepping.sandbox.faults.clear();
        await takeToEnd(deps, batchId);
        expect([...(await comeOf(id)).values()]).toEqual(["answered", "answered"]);
        expect(await toldOf(batchId)).toEqual([]);
      });

      it("goes on, and is off the list, once it can be read again", async () => {
        const phones = people(2);
        talkFor(phones, 1_000);
        const id = await begin(phones);
        const batchId = await beginOne(deps, id);
        const platformId = given((await batchOf(batchId)).platformBatchId);
        fault({ kind: "status", route: GET, id: platformId, status: 500 });
        await tendUntil(id, batchId, 20 * MINUTE_MS, async () => (await toldOf(batchId)).length > 0);
        stepping.sandbox.faults.clear();
        await takeToEnd(deps, batchId);
        expect([...(await comeOf(id)).values()]).toEqual(["answered", "answered"]);
        expect(await toldOf(batchId)).toEqual([]);
        expect((await batchOf(batchId)).vanishedAtMs).toBeUndefined();
      });

      it("is stopped all the same where a stop is due", async () => {
        const phones = people(30);
        talkFor(phones, 5_000);
        const id = await begin(phones, { concurrency: 1 });
        const batchId = await beginOne(deps, id);
        await until("a call", () => dialsOf(phones).some((dials) => dials > 0));
        const platformId = given((await batchOf(batchId)).platformBatchId);
        fault({ kind: "status", route: GET, id: platformId, status: 500 });
        await tell(ledger(), "pause", id, { nowMs: Date.now() });
        await tendBatch(deps, { batchId });
        const view = async () => {
          stepping.sandbox.faults.clear();
          return (await stepping.platform.batchCalls.get(platformId)).status;
        };
        expect(await view()).toBe("cancelled");
        await takeToEnd(deps, batchId);
      });
    });

    it("that vanished is told of when it is given up", async () => {
      const phones = people(2);
      const id = await begin(phones);
      const batchId = await beginOne(deps, id);
      const platformId = given((await batchOf(batchId)).platformBatchId);
      fault({ kind: "status", route: GET, id: platformId, status: 404 });
      await tendUntil(id, batchId, 20 * MINUTE_MS, isSettled(batchId));
      expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringMatching(/given up.*vanished/) }]);
    });

    async function endCalls(phones: readonly string[]): Promise<void> {
      for (const call of stepping.sandbox.dialLog.entries())
        if (phones.includes(call.phone)) await stepping.platform.calls.end(call.call_id).catch(() => {});
    }
  });
});
