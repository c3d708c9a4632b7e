import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { BatchStep } from "../../../src/activities/campaigns/batch-step.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readBatch, stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { holdsOf, MINUTE_MS, running, SECOND_MS, tell } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const START = "POST /v1/batch-calls/:id/start";

describe("a start that leads to no call", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 400_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (phones: readonly string[], changes = {}) =>
      running(ledger(), phones, { ...SPEC, ...changes }, Date.now());
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const batchOf = async (id: string) => given(await readBatch(ledger().db, id));
    const stateOf = async (id: string) => given(await readCampaign(ledger().db, id)).state;
    const toldOf = async (subject: string) =>
      (await listAttention(ledger().db, { resolved: false, subject, limit: 10 })).items;
    const startsSent = () => stepping.sandbox.stats().routes[START]?.requests ?? 0;
    const openHold = async (id: string) =>
      (await holdsOf(ledger(), id)).find((hold) => hold.until_ms === null)?.detail;
    const comeOf = async (campaignId: string) =>
      new Set(
        (
          await rows<{ came: string }>(
            ledger().db,
            sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid`,
          )
        ).map(({ came }) => came),
      );
    /** Starts when that is due, until something else is. Says how long that took. */
    const startOn = async (campaignId: string, batchId: string) => {
      let step: BatchStep = await startBatch(deps, { batchId });
      let tookMs = 0;
      for (let turn = 0; step.next === "start" && turn < 60; turn += 1) {
        await age(ledger(), campaignId, step.waitMs);
        tookMs += step.waitMs;
        step = await startBatch(deps, { batchId, lastStep: "start" });
      }
      return { step, tookMs };
    };

    beforeAll(async () => {
      stepping = await openStepping();
      const at = stepping.depsOf(ledger());
      const pace = {
        startDoubtMs: MINUTE_MS,
        pickupMs: 10 * MINUTE_MS,
        troubleMs: 5 * MINUTE_MS,
        stallMs: 30_000,
      };
      deps = {
        ...at,
        pace: {
          ...at.pace,
          ...pace,
          lookMs: 5 * SECOND_MS,
          processingLookMs: 15 * SECOND_MS,
          batchLookMs: 15 * MINUTE_MS,
        },
      };
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it("is not permitted while the platform wants no request, nor kept from being stopped", async () => {
      const phones = people(2);
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      const before = startsSent();
      const held = { ...deps, heldForMs: () => 20_000 };
      expect(await startBatch(held, { batchId })).toEqual({ next: "start", waitMs: 20_000 });
      expect(await batchOf(batchId)).toMatchObject({ state: "created", startNo: 0, trouble: "not_started" });
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      expect(await startBatch(held, { batchId })).toMatchObject({ next: "tend" });
      expect(startsSent()).toBe(before);
      await takeToEnd(deps, batchId);
    });

    it.each([409, 422, 404])(
      "that comes to the platform once it was given up, and is refused for that with %i, pauses no campaign",
      async (status) => {
        const phones = people(2);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        const { batchCalls } = deps.platform;
        const start: Platform["batchCalls"]["start"] = async (...args) => {
          await age(ledger(), id, 2 * MINUTE_MS);
          // Another process looks after the batch meanwhile.
          await until("it to be given up", async () => {
            await tendBatch(deps, { batchId });
            return (await deps.platform.batchCalls.get(given(args[0]))).status === "cancelled";
          });
          // What the sandbox answers to it is 409.
          if (status !== 409) stepping.sandbox.faults.add({ kind: "status", route: START, status, times: 1 });
          return batchCalls.start(...args);
        };
        const slow = { ...deps, platform: { ...deps.platform, batchCalls: { ...batchCalls, start } } };
        await startBatch(slow, { batchId });
        expect(await batchOf(batchId)).toMatchObject({
          stopReason: "start_not_seen",
          startRefusal: undefined,
        });
        await takeToEnd(deps, batchId);
        expect(await stateOf(id)).toBe("running");
        expect(await toldOf(id)).toEqual([]);
        expect(dialsOf(phones)).toEqual([0, 0]);
        expect(await comeOf(id)).toEqual(new Set(["open"]));
        expect(await batchOf(batchId)).toMatchObject({ state: "settled", trouble: undefined });
      },
    );

    it.each([422, 404])(
      "that is refused with %i while somebody stops its batch pauses no campaign",
      async (status) => {
        const phones = people(2);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        const { batchCalls } = deps.platform;
        const start: Platform["batchCalls"]["start"] = async (...args) => {
          const stop = { phones: phones.slice(0, 1), brand: undefined, nowMs: Date.now() };
          expect(await stopBatchesDialing(ledger(), stop)).toEqual([batchId]);
          stepping.sandbox.faults.add({ kind: "status", route: START, status, times: 1 });
          return batchCalls.start(...args);
        };
        const meanwhile = { ...deps, platform: { ...deps.platform, batchCalls: { ...batchCalls, start } } };
        expect(await startBatch(meanwhile, { batchId })).toEqual({ next: "tend", waitMs: 0 });
        await takeToEnd(deps, batchId);
        expect(await stateOf(id)).toBe("running");
        expect(await toldOf(id)).toEqual([]);
        expect(dialsOf(phones)).toEqual([0, 0]);
        expect(await comeOf(id)).toEqual(new Set(["open"]));
        expect(await batchOf(batchId)).toMatchObject({ state: "settled", trouble: undefined });
      },
    );

    describe("answered 404", () => {
      it("is sent again once the platform shows the batch, and dials everybody once", async () => {
        const phones = people(6);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 404, times: 3 });
        expect(await startBatch(deps, { batchId })).toEqual({ next: "start", waitMs: deps.pace.lookMs });
        expect((await startOn(id, batchId)).step).toMatchObject({ next: "tend" });
        expect(await batchOf(batchId)).toMatchObject({
          state: "running",
          startNo: 4,
          startRefusal: undefined,
        });
        await takeToEnd(deps, batchId);
        expect(dialsOf(phones)).toEqual(phones.map(() => 1));
        expect(await stateOf(id)).toBe("running");
      });

      it("asks policy again before each start", async () => {
        const phones = people(3);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 404, times: 1 });
        await startBatch(deps, { batchId });
        await ledger().transaction((tx) =>
          addSuppressions(tx, {
            entries: [{ phone: given(phones[1]), brand: undefined, source: "call", reason: "asked" }],
            actor: "test",
            nowMs: Date.now(),
          }),
        );
        const before = startsSent();
        await startOn(id, batchId);
        expect(startsSent()).toBe(before);
        await takeToEnd(deps, batchId);
        expect(await batchOf(batchId)).toMatchObject({ state: "settled", stopReason: "policy" });
        expect(dialsOf(phones)).toEqual([0, 0, 0]);
      });

      it("is not sent again while the platform shows no such batch, and its people come back after a minute", async () => {
        const phones = people(3);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        stepping.sandbox.faults.add({ kind: "visible_late", ms: 600_000, times: 1 });
        await createBatch(deps, { batchId });
        const before = startsSent();
        const { step, tookMs } = await startOn(id, batchId);
        expect(startsSent() - before).toBe(1);
        expect(step.next).toBe("tend");
        expect(tookMs).toBeGreaterThan(deps.pace.startDoubtMs / 2);
        expect(tookMs).toBeLessThan(2 * deps.pace.startDoubtMs);
        await takeToEnd(deps, batchId);
        expect(await comeOf(id)).toEqual(new Set(["open"]));
        expect(await toldOf(id)).toMatchObject([{ kind: "campaign_stalled" }]);
        await takeToEnd(deps, await beginOne(deps, id));
        expect(dialsOf(phones)).toEqual([1, 1, 1]);
        expect(await toldOf(id)).toEqual([]);
      });

      it("whose batch then shows as begun is taken for started, and never sent again", async () => {
        const phones = people(4);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        // What was sent arrives after all, though it was answered with a no.
        stepping.sandbox.faults.add({ kind: "late", route: START, after_ms: 50, status: 404, times: 1 });
        const before = startsSent();
        await startBatch(deps, { batchId });
        await until(
          "the late start",
          () => stepping.sandbox.stats().activeCalls > 0 || dialsOf(phones)[0] === 1,
        );
        await startOn(id, batchId);
        expect(startsSent() - before).toBe(1);
        await takeToEnd(deps, batchId);
        expect(dialsOf(phones)).toEqual(phones.map(() => 1));
        expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
        expect(await comeOf(id)).not.toContain("unknown");
      });

      it("of one batch after the other pauses the campaign after five, and says so on the list", async () => {
        const phones = people(2);
        const id = await begin(phones);
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 404 });
        for (let turn = 1; turn <= 5; turn += 1) {
          expect(await stateOf(id)).toBe("running");
          const [batchId = ""] = await planSome(deps, id);
          await createBatch(deps, { batchId });
          await startOn(id, batchId);
          await takeToEnd(deps, batchId);
          await age(ledger(), id, MINUTE_MS);
        }
        const campaign = given(await readCampaign(ledger().db, id));
        expect(campaign.state).toBe("paused");
        expect(campaign.stateReason).toMatch(/5 batches in a row.*did not know them.*resume/);
        const [told] = await toldOf(id);
        expect(told).toMatchObject({
          kind: "campaign_stalled",
          summary: expect.stringContaining("5 batches"),
        });
        stepping.sandbox.faults.clear();
        await tell(ledger(), "resume", id, { nowMs: Date.now() });
        expect(await toldOf(id)).toEqual([]);
        await takeToEnd(deps, await beginOne(deps, id));
        expect(dialsOf(phones)).toEqual([1, 1]);
      });
    });

    describe("accepted, and never acted on", () => {
      it.each([
        ["pending", MINUTE_MS, "start_not_seen"],
        ["queued", 10 * MINUTE_MS, "start_not_seen"],
        ["running", 10 * MINUTE_MS, "no_progress"],
      ] as const)("is stopped and brought back within its bound: %s", async (shown, boundMs, stopReason) => {
        const phones = people(5);
        const id = await begin(phones, { concurrency: 2 });
        stepping.sandbox.faults.add({ kind: "never_picked_up", shown_as: shown, times: 1 });
        const batchId = await beginOne(deps, id);
        let tookMs = 0;
        let step: BatchStep = await tendBatch(deps, { batchId });
        for (let turn = 0; (await batchOf(batchId)).stopReason === undefined; turn += 1) {
          expect(turn).toBeLessThan(200);
          const waitMs = Math.max(step.waitMs, SECOND_MS);
          await age(ledger(), id, waitMs);
          tookMs += waitMs;
          step = await tendBatch(deps, { batchId });
        }
        expect(tookMs).toBeGreaterThan(boundMs - MINUTE_MS);
        expect(tookMs).toBeLessThan(boundMs + MINUTE_MS);
        expect((await batchOf(batchId)).stopReason).toBe(stopReason);
        await takeToEnd(deps, batchId);
        expect(await comeOf(id)).toEqual(new Set(["open"]));
        expect(await batchOf(batchId)).toMatchObject({ held: 0, trouble: undefined });
        await takeToEnd(deps, await beginOne(deps, id));
        expect(Math.max(...dialsOf(phones))).toBe(1);
      });

      it("is looked at often only until somebody of it is dialed, and while it is in trouble", async () => {
        const phones = people(30);
        for (const phone of phones)
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 60_000 }]);
        const id = await begin(phones, { concurrency: 1 });
        stepping.sandbox.faults.add({ kind: "pickup_delay", ms: 500, times: 1 });
        const batchId = await beginOne(deps, id);
        await age(ledger(), id, 2 * MINUTE_MS);
        expect((await tendBatch(deps, { batchId })).waitMs).toBe(deps.pace.processingLookMs);
        expect((await batchOf(batchId)).trouble).toBe("not_begun");
        await until("a call", () => dialsOf(phones).some((dials) => dials > 0));
        const { dialByMs } = await batchOf(batchId);
        const untilDueMs = (dialByMs ?? Infinity) - Date.now();
        const { waitMs } = await tendBatch(deps, { batchId });
        expect(waitMs).toBeGreaterThan(Math.min(deps.pace.batchLookMs, untilDueMs) - MINUTE_MS);
        await tell(ledger(), "pause", id, { nowMs: Date.now() });
        await takeToEnd(deps, batchId);
      });

      it("says so in the hold of those who wait for its slots, and on the list while it lasts", async () => {
        const phones = people(250);
        const id = await begin(phones, { concurrency: 1 });
        stepping.sandbox.faults.add({ kind: "never_picked_up", times: 1 });
        const batchId = await beginOne(deps, id);
        await planBatch(deps, { campaignId: id, seenPlannings: 0 });
        expect(await openHold(id)).toBe("all 1 slots are in use");
        await age(ledger(), id, 2 * MINUTE_MS);
        await tendBatch(deps, { batchId });
        await planBatch(deps, { campaignId: id, seenPlannings: 0 });
        expect(await openHold(id)).toBe(
          "all 1 slots are in use; 1 by batches that the platform has not begun",
        );
        expect(await toldOf(id)).toEqual([]);
        await age(ledger(), id, deps.pace.troubleMs);
        await tendBatch(deps, { batchId });
        expect(await toldOf(id)).toMatchObject([
          { kind: "campaign_stalled", summary: expect.stringContaining("it shows as queued") },
        ]);
      });

      it("is let be once somebody of it is dialed, however late", async () => {
        const phones = people(3);
        for (const phone of phones)
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 60_000 }]);
        const id = await begin(phones);
        stepping.sandbox.faults.add({ kind: "pickup_delay", ms: 500, times: 1 });
        const batchId = await beginOne(deps, id);
        await age(ledger(), id, 2 * MINUTE_MS);
        await tendBatch(deps, { batchId });
        expect(await batchOf(batchId)).toMatchObject({ startSeenAtMs: undefined, trouble: "not_begun" });
        await until("calls to be up", () => stepping.sandbox.stats().activeCalls > 0);
        await age(ledger(), id, 20 * MINUTE_MS);
        await tendBatch(deps, { batchId });
        const seen = await batchOf(batchId);
        expect(seen).toMatchObject({ stopReason: undefined, trouble: undefined });
        expect(seen.startSeenAtMs).toBeDefined();
        await takeToEnd(deps, batchId);
        expect(dialsOf(phones)).toEqual([1, 1, 1]);
      });

      it("is seen to dial by its items where the batch itself shows nothing", async () => {
        const phones = people(3);
        for (const phone of phones)
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 400_000 }]);
        const id = await begin(phones);
        const batchId = await beginOne(deps, id);
        await until("calls to be up", () => stepping.sandbox.stats().activeCalls >= 3);
        const blind: ActivityDeps = { ...deps, platform: countless(deps.platform) };
        await age(ledger(), id, 20 * MINUTE_MS);
        expect((await tendBatch(blind, { batchId })).next).toBe("tend");
        expect((await batchOf(batchId)).stopReason).toBeUndefined();
        await takeToEnd(deps, batchId);
      });

      it("of one batch after the other pauses the campaign after five", async () => {
        const id = await begin(people(2));
        stepping.sandbox.faults.add({ kind: "never_picked_up", shown_as: "running" });
        for (let turn = 1; turn <= 5; turn += 1) {
          expect(await stateOf(id)).toBe("running");
          const batchId = await beginOne(deps, id);
          await age(ledger(), id, 11 * MINUTE_MS);
          await tendBatch(deps, { batchId });
          await takeToEnd(deps, batchId);
          await age(ledger(), id, MINUTE_MS);
        }
        expect(given(await readCampaign(ledger().db, id)).stateReason).toMatch(
          /no call of them was ever seen/,
        );
        expect(await toldOf(id)).toHaveLength(1);
      });
    });

    describe("put off, or never reached", () => {
      it.each([
        ["create", "POST /v1/batch-calls", 503],
        ["create", "POST /v1/batch-calls", 429],
        ["start", START, 429],
      ] as const)("is told of once that lasts: a %s at %s answered %i", async (step, route, status) => {
        const phones = people(2);
        const id = await begin(phones);
        const [batchId = ""] = await planSome(deps, id);
        if (step === "start") await createBatch(deps, { batchId });
        stepping.sandbox.faults.add({ kind: "status", route, status });
        const act = step === "start" ? startBatch : createBatch;
        let tookMs = 0;
        while ((await toldOf(id)).length === 0) {
          const { next, waitMs } = await act(deps, { batchId });
          expect(next).toBe(step);
          expect(waitMs).toBeGreaterThanOrEqual(deps.pace.lookMs);
          // People know within a minute.
          expect(tookMs).toBeLessThanOrEqual(MINUTE_MS);
          await age(ledger(), id, waitMs);
          tookMs += waitMs;
        }
        expect(await toldOf(id)).toMatchObject([
          { kind: "campaign_stalled", summary: expect.stringContaining(String(status)) },
        ]);
        stepping.sandbox.faults.clear();
        if (step === "create") await createBatch(deps, { batchId });
        await startBatch(deps, { batchId });
        await takeToEnd(deps, batchId);
        expect(dialsOf(phones)).toEqual([1, 1]);
        expect(await toldOf(id)).toEqual([]);
      });

      it("is asked for ever less, so that an outage of days makes no thousands of batches", async () => {
        const id = await begin(people(1));
        const [batchId = ""] = await planSome(deps, id);
        for (const route of ["POST /v1/batch-calls", "GET /v1/batch-calls/active"])
          stepping.sandbox.faults.add({ kind: "status", route, status: 500 });
        const dayMs = 24 * 60 * MINUTE_MS;
        let creates = 0;
        for (let tookMs = 0; tookMs < dayMs; creates += 1)
          tookMs += (await createBatch(deps, { batchId })).waitMs;
        expect(creates).toBeLessThan(200);
        stepping.sandbox.faults.clear();
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
        await takeToEnd(deps, batchId);
      });

      it("keeps its pace in another batch, in which somebody alone comes back after ten tries", async () => {
        const id = await begin(people(1));
        const [batchId = ""] = await planSome(deps, id);
        stepping.sandbox.faults.add({ kind: "status", route: "POST /v1/batch-calls", status: 500 });
        let tries = 1;
        while ((await createBatch(deps, { batchId })).next === "create") tries += 1;
        expect(tries).toBe(10);
        await takeToEnd(deps, batchId);
        const [next = ""] = await planSome(deps, id);
        expect(await createBatch(deps, { batchId: next })).toEqual({ next: "create", waitMs: MINUTE_MS });
        stepping.sandbox.faults.clear();
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
        await takeToEnd(deps, next);
      });
    });
  });
});

/** The platform, with batches that show neither counts nor a word that anybody knows. */
function countless(platform: Platform): Platform {
  const { batchCalls } = platform;
  return {
    ...platform,
    batchCalls: {
      ...batchCalls,
      get: async (id) => ({
        ...(await batchCalls.get(id)),
        status: "in the works",
        active: undefined,
        processed: undefined,
        started_at: undefined,
      }),
    },
  };
}
