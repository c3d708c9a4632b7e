import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { BatchStep } from "../../../src/activities/campaigns/batch-step.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { contactsOf, MINUTE_MS, running, SECOND_MS } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const CREATE = "POST /v1/batch-calls";
const START = "POST /v1/batch-calls/:id/start";
const LOOK = "GET /v1/batch-calls/:id";

describe("a start whose effect the platform does not show", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 800_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (phones: readonly string[]) => running(ledger(), phones, SPEC, Date.now());
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const batchOf = async (id: string) => given(await readBatch(ledger().db, id));
    /** A campaign with a batch that is created, and whose calls last. */
    const created = async (count: number) => {
      const phones = people(count);
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 400_000 }]);
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      return { id, batchId, phones };
    };
    const toDial = (phones: readonly string[]) =>
      until("calls to be up", () => dialsOf(phones).some((count) => count > 0));
    const statusOf = async (batchId: string) => {
      const { platformBatchId } = await batchOf(batchId);
      return (await stepping.platform.batchCalls.get(given(platformBatchId))).status;
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
      deps = { ...at, pace: { ...at.pace, ...pace, lookMs: 5 * SECOND_MS } };
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    describe("after it was answered 404", () => {
      it.each([
        ["an error", { kind: "status", route: LOOK, status: 500 }],
        ["garbage", { kind: "garble", route: LOOK, row: "nonsense" }],
      ] as const)("gives its people back within the bound where a look gives %s", async (_, fault) => {
        const { id, batchId, phones } = await created(3);
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 404, times: 1 });
        let step: BatchStep = await startBatch(deps, { batchId });
        expect(await batchOf(batchId)).toMatchObject({ state: "created", trouble: "not_started" });
        stepping.sandbox.faults.add(fault);
        let tookMs = 0;
        for (; step.next === "start"; step = await startBatch(deps, { batchId, lastStep: "start" })) {
          await age(ledger(), id, step.waitMs);
          tookMs += step.waitMs;
          expect(tookMs).toBeLessThan(2 * MINUTE_MS);
        }
        expect(step.next).toBe("tend");
        expect(await batchOf(batchId)).toMatchObject({ held: 0, stopReason: "platform_refused" });
        stepping.sandbox.faults.clear();
        await takeToEnd(deps, batchId);
        expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["open", "open", "open"]);
        expect(dialsOf(phones)).toEqual([0, 0, 0]);
      });

      it("stops with its window where that is over first", async () => {
        const { batchId, phones } = await created(2);
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 404, times: 1 });
        await startBatch(deps, { batchId });
        stepping.sandbox.faults.add({ kind: "status", route: LOOK, status: 500 });
        await rows(
          ledger().db,
          sql`update batches set dial_by = now() - interval '1 second' where id = ${batchId}::uuid`,
        );
        expect((await startBatch(deps, { batchId, lastStep: "start" })).next).toBe("tend");
        expect(await batchOf(batchId)).toMatchObject({ held: 0, stopReason: "window" });
        stepping.sandbox.faults.clear();
        await takeToEnd(deps, batchId);
        expect(dialsOf(phones)).toEqual([0, 0]);
      });
    });

    describe("after trouble of coming to it", () => {
      it("ends that once somebody is dialed, though the start itself was not answered", async () => {
        const { batchId, phones } = await created(2);
        stepping.sandbox.faults.add({ kind: "status", route: START, status: 429, times: 1 });
        await startBatch(deps, { batchId });
        expect((await batchOf(batchId)).trouble).toBe("not_started");
        stepping.sandbox.faults.add({ kind: "drop_after", route: START, times: 1 });
        await startBatch(deps, { batchId });
        await toDial(phones);
        for (let look = 0; look < 2; look += 1) await tendBatch(deps, { batchId });
        expect(await batchOf(batchId)).toMatchObject({ state: "running", trouble: undefined });
        await stepping.platform.batchCalls.cancel(given((await batchOf(batchId)).platformBatchId));
      });

      it("ends that once a start that was denied is seen to have begun", async () => {
        const { batchId, phones } = await created(2);
        // Long enough that the look behind the answer does not see it, on a machine that has much else to do.
        stepping.sandbox.faults.add({ kind: "late", route: START, after_ms: 5_000, status: 404, times: 1 });
        await startBatch(deps, { batchId });
        expect((await batchOf(batchId)).trouble).toBe("not_started");
        await toDial(phones);
        await startBatch(deps, { batchId, lastStep: "start" });
        for (let look = 0; look < 2; look += 1) await tendBatch(deps, { batchId });
        expect(await batchOf(batchId)).toMatchObject({ state: "running", trouble: undefined });
        await stepping.platform.batchCalls.cancel(given((await batchOf(batchId)).platformBatchId));
      });

      it("ends that of its create once it is created", async () => {
        const id = await begin(people(1));
        const [batchId = ""] = await planSome(deps, id);
        stepping.sandbox.faults.add({ kind: "status", route: CREATE, status: 503, times: 1 });
        await createBatch(deps, { batchId });
        expect((await batchOf(batchId)).trouble).toBe("not_created");
        await createBatch(deps, { batchId });
        expect(await batchOf(batchId)).toMatchObject({ state: "created", trouble: undefined });
      });
    });

    describe("while its batch is halted", () => {
      const starting = async () => {
        const phones = people(4);
        for (const phone of phones)
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 400_000 }]);
        const id = await begin(phones);
        stepping.sandbox.faults.add({ kind: "drop_after", route: START, times: 1 });
        const batchId = await beginOne(deps, id);
        expect((await batchOf(batchId)).state).toBe("starting");
        await until("it to dial", async () => (await statusOf(batchId)) === "running");
        return batchId;
      };

      it("is looked at again after a look that failed", async () => {
        const batchId = await starting();
        stepping.sandbox.faults.add({ kind: "status", route: LOOK, status: 500, times: 1 });
        expect(await haltBatches(deps, [batchId])).toMatchObject({ batches: 1, uncertain: 0 });
        expect(await statusOf(batchId)).toBe("paused");
      });

      it("is paused though no look at it succeeds", async () => {
        const batchId = await starting();
        stepping.sandbox.faults.add({ kind: "status", route: LOOK, status: 500 });
        expect(await haltBatches(deps, [batchId], { withinMs: 2_000 })).toMatchObject({ batches: 1 });
        stepping.sandbox.faults.clear();
        expect(["paused", "cancelled"]).toContain(await statusOf(batchId));
      });
    });
  });
});
