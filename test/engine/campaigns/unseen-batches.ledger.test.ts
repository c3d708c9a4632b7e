import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch, tendBatchOnTime } from "../../../src/activities/campaigns/tend-batch.ts";
import { WrongClockError } from "../../../src/activities/ground/clock-check.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { MINUTE_MS, SECOND_MS } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, type Stepping } from "../../support/stepping.ts";
import { ROUTES, tending, type Tending } from "../../support/tending.ts";

describe("a batch that can't be seen, and dials", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);
    /** One that calls its people one after the other, for long. */
    const dialing = async () => {
      const phones = batches.people(30);
      batches.talkFor(phones, 5_000);
      const id = await batches.begin(phones, { concurrency: 1 });
      const batchId = await beginOne(batches.deps, id);
      await until("a call", () => batches.dialsOf(phones).some((dials) => dials > 0));
      return { id, batchId, phones };
    };
    /** Its time is over in so long. */
    const dialBy = (batchId: string, inMs: number) =>
      rows(
        ledger().db,
        sql`update batches set dial_by = now() + make_interval(secs => ${inMs / 1_000}::float8) where id = ${batchId}::uuid`,
      );
    const toEnd = (batch: { id: string; batchId: string }) =>
      batches.tendUntil(batch, 20 * MINUTE_MS, batches.isSettled(batch.batchId));
    const tend = (batchId: string) => tendBatch(batches.deps, { batchId });

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 350_000);
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    describe("when its time is over", () => {
      it.each([404, 502] as const)(
        "is looked at then, and stopped, though it is answered %i",
        async (status) => {
          const { id, batchId } = await dialing();
          await dialBy(batchId, 10 * SECOND_MS);
          fault({ kind: "status", route: ROUTES.get, status });
          const { next, waitMs } = await tend(batchId);
          expect(next).toBe("tend");
          expect(waitMs).toBeLessThanOrEqual(10 * SECOND_MS);
          await dialBy(batchId, -SECOND_MS);
          const after = await tend(batchId);
          expect(after.waitMs).toBeGreaterThan(SECOND_MS);
          expect(after.waitMs).toBeLessThanOrEqual(batches.deps.pace.processingLookMs);
          expect(await batches.batchOf(batchId)).toMatchObject({ stopReason: "window" });
          expect((await batches.shownOf(batchId)).status).toBe("cancelled");
          await toEnd({ id, batchId });
        },
      );

      describe("is left to others by a process whose clock is wrong, which decides nothing of it", () => {
        const HOUR_MS = 60 * MINUTE_MS;
        /** As the platform's last answer told its clock. */
        const tendWrongly = (batchId: string, aheadMs: number, platformAheadMs: number | undefined) => {
          const { platform } = batches.deps;
          const clock = () =>
            platformAheadMs === undefined
              ? undefined
              : { platformMs: platformAheadMs, localMs: 0, ageMs: 1_000 };
          const wrong = {
            ...batches.deps,
            platform: { ...platform, clock },
            ledger: { ...ledger() },
            now: () => Date.now() + aheadMs,
          };
          return expect(tendBatchOnTime(wrong, { batchId })).rejects.toThrow(WrongClockError);
        };

        it.each([
          { what: "by the ledger's clock", aheadMs: -2 * HOUR_MS, platformMs: undefined, inMs: -SECOND_MS },
          {
            what: "by its own, which may be right",
            aheadMs: 2 * HOUR_MS,
            platformMs: undefined,
            inMs: HOUR_MS,
          },
          {
            what: "by its own, which the platform bears out",
            aheadMs: 2 * HOUR_MS,
            platformMs: 0,
            inMs: HOUR_MS,
          },
          {
            what: "by the ledger's, which the platform bears out",
            aheadMs: -2 * HOUR_MS,
            platformMs: 2 * HOUR_MS,
            inMs: -SECOND_MS,
          },
        ])("but stopped where its time is over $what", async ({ aheadMs, platformMs, inMs }) => {
          const { id, batchId } = await dialing();
          await dialBy(batchId, 4 * HOUR_MS);
          await tendWrongly(batchId, aheadMs, platformMs);
          expect((await batches.shownOf(batchId)).status).toBe("running");
          await dialBy(batchId, inMs);
          await tendWrongly(batchId, aheadMs, platformMs);
          expect((await batches.shownOf(batchId)).status).toBe("cancelled");
          const { stopReason, stopRequestedAtMs = 0 } = await batches.batchOf(batchId);
          expect(stopReason).toBe("window");
          expect(Math.abs(stopRequestedAtMs - Date.now()), "others hold it against theirs").toBeLessThan(
            HOUR_MS,
          );
          await toEnd({ id, batchId });
        });

        it("and goes on where its time is over by that clock alone", async () => {
          const { id, batchId } = await dialing();
          await dialBy(batchId, HOUR_MS);
          await tendWrongly(batchId, 2 * HOUR_MS, -2 * HOUR_MS);
          expect((await batches.shownOf(batchId)).status).toBe("running");
          expect(await batches.batchOf(batchId)).toMatchObject({ stopReason: undefined });
          await dialBy(batchId, -SECOND_MS);
          await toEnd({ id, batchId });
        });
      });

      it("is stopped though limits keep it from being looked at", async () => {
        const { id, batchId } = await dialing();
        await dialBy(batchId, -SECOND_MS);
        fault({ kind: "status", route: ROUTES.get, status: 429 });
        await expect(tend(batchId)).rejects.toThrow("429");
        expect((await batches.shownOf(batchId)).status).toBe("cancelled");
        await toEnd({ id, batchId });
      });

      it("is stopped though the key may not look at it, as all of its campaign's that is paused for that", async () => {
        const { id, batchId } = await dialing();
        fault({ kind: "status", route: ROUTES.get, status: 403 });
        await tend(batchId);
        expect(await batches.batchOf(batchId)).toMatchObject({ stopReason: "pause" });
        expect((await batches.shownOf(batchId)).status).toBe("cancelled");
        await toEnd({ id, batchId });
      });
    });

    describe("is not given up by a 404", () => {
      it.each([
        ["could not be read", ROUTES.get],
        ["had no items that could be read", ROUTES.items],
      ] as const)("after minutes in which it %s", async (_what, route) => {
        const batch = await dialing();
        const platformId = given((await batches.batchOf(batch.batchId)).platformBatchId);
        fault({ kind: "status", route, id: platformId, status: 502 });
        for (let look = 0; look < 3; look += 1) {
          await tend(batch.batchId);
          await age(ledger(), batch.id, 4 * MINUTE_MS);
        }
        stepping.sandbox.faults.clear();
        fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 });
        await tend(batch.batchId);
        expect(await batches.batchOf(batch.batchId)).toMatchObject({ state: "running", held: 1 });
        stepping.sandbox.faults.clear();
        await tend(batch.batchId);
        expect(await batches.batchOf(batch.batchId)).toMatchObject({
          state: "running",
          vanishedAtMs: undefined,
          trouble: undefined,
        });
        expect(await batches.toldOf(batch.batchId)).toEqual([]);
        await stopNow(batch);
        expect(await batches.comeOf(batch.id)).not.toContain("unknown");
      });

      it("after an outage of the platform that began with another", async () => {
        const batch = await dialing();
        fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 });
        await tend(batch.batchId);
        fault({ kind: "status", route: "*", status: 503 });
        await expect(tend(batch.batchId)).rejects.toThrow("503");
        await age(ledger(), batch.id, 12 * MINUTE_MS);
        stepping.sandbox.faults.clear();
        fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 });
        await tend(batch.batchId);
        expect((await batches.batchOf(batch.batchId)).state).toBe("running");
        await stopNow(batch);
      });

      it("that came long before another, while its start was in doubt", async () => {
        const phones = batches.people(2);
        const id = await batches.begin(phones);
        const [batchId = ""] = await planSome(batches.deps, id);
        await createBatch(batches.deps, { batchId });
        fault({ kind: "drop_before", route: ROUTES.start, times: 1 });
        await startBatch(batches.deps, { batchId });
        fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 });
        await tend(batchId);
        expect((await batches.batchOf(batchId)).vanishedAtMs).toBeDefined();
        await tend(batchId);
        expect(await batches.batchOf(batchId)).toMatchObject({
          state: "starting",
          vanishedAtMs: undefined,
          trouble: undefined,
        });
        await batches.tendUntil({ id, batchId }, 20 * MINUTE_MS, batches.isSettled(batchId));
        expect(await batches.comeOf(id)).toEqual(["open", "open"]);
      });
    });

    it.each([
      ["is said not to be there", { status: 404 }, 10 * MINUTE_MS],
      ["can't be told of", { status: 500 }, 120 * MINUTE_MS],
      ["is told of in riddles", { garbled: true }, 240 * MINUTE_MS],
    ] as const)("and %s, is stopped long before it is given up", async (_what, how, boundMs) => {
      const batch = await dialing();
      const platformId = given((await batches.batchOf(batch.batchId)).platformBatchId);
      fault(
        "status" in how
          ? { kind: "status", route: ROUTES.get, id: platformId, status: how.status }
          : { kind: "garble", route: ROUTES.get, id: platformId, row: "nonsense" },
      );
      await tend(batch.batchId).catch(() => {});
      await age(ledger(), batch.id, boundMs / 2 + SECOND_MS);
      await tend(batch.batchId).catch(() => {});
      expect(await batches.batchOf(batch.batchId)).toMatchObject({
        state: "running",
        stopReason: "no_progress",
      });
      expect((await batches.shownOf(batch.batchId)).status).toMatch(/^(paused|cancelled)$/);
      await toEnd(batch);
      expect(await batches.comeOf(batch.id)).toContain("open");
    });

    it("is asked to stop once more when it is given up", async () => {
      for (const [status, boundMs] of [
        [404, 10 * MINUTE_MS],
        [500, 120 * MINUTE_MS],
      ] as const) {
        const batch = await dialing();
        fault({ kind: "status", route: ROUTES.get, status });
        await tend(batch.batchId);
        await age(ledger(), batch.id, boundMs);
        expect(await tend(batch.batchId)).toMatchObject({ next: "done" });
        expect((await batches.shownOf(batch.batchId)).status).toBe("cancelled");
        expect(await batches.toldOf(batch.batchId)).toMatchObject([
          { summary: expect.stringContaining("given up") },
        ]);
      }
    });

    async function stopNow(batch: { id: string; batchId: string }): Promise<void> {
      await dialBy(batch.batchId, -SECOND_MS);
      await toEnd(batch);
    }
  });
});
