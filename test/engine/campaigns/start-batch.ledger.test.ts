import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { requestStop, lockBatch } from "../../../src/ledger/campaigns/batches.ts";
import { createLimiter } from "../../../src/platform/index.ts";
import { MINUTE_MS, SECOND_MS } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { shown, toldBatches } from "../../support/told-batches.ts";
import { toldPlatform, type ToldPlatform } from "../../support/told-platform.ts";

const { startDoubtMs, lookMs, stallMs } = paceAt(1);
const SENT_AGAIN = { next: "start", waitMs: lookMs };

/* The one start of a batch (src/activities/campaigns/start-batch.ts), answer by answer. */
describe("the start of a batch", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { created, begun, batchOf, comeOf, toldOf } = toldBatches(ledger, () => platform);
    const begin = (batchId: string, changes: Partial<ActivityDeps> = {}) =>
      startBatch({ ...platform.deps, ...changes }, { batchId });
    const later = (ms: number) => void (platform.clock.nowMs += ms);
    const setBatch = (batchId: string, changes: ReturnType<typeof sql>) =>
      rows(ledger().db, sql`update batches set ${changes} where id = ${batchId}::uuid`);
    const started = (result: string, calls: number, idleMs?: number) => ({ result, calls, idleMs });
    const askToStop = (batchId: string) =>
      ledger().transaction(async (tx) => {
        const { campaign } = given(await lockBatch(tx, batchId));
        await requestStop(tx, {
          campaign,
          batchIds: [batchId],
          reason: "pause",
          nowMs: platform.clock.nowMs,
        });
      });

    it("is sent once, and the batch is looked at when it should have begun", async () => {
      const { batchId } = await created(2);
      expect(await begin(batchId)).toEqual({ next: "tend", waitMs: startDoubtMs });
      expect(platform.asked).toEqual(["start"]);
      expect(await batchOf(batchId)).toMatchObject({
        state: "running",
        startSeenAtMs: platform.clock.nowMs,
        startNo: 1,
      });
      expect(await begin(batchId)).toEqual({ next: "tend", waitMs: startDoubtMs });
      expect(platform.asked).toEqual(["start"]);
      expect(platform.metered).toEqual([started("begun", 2)]);
    });

    it("is sent in the moment in which it is permitted, whatever the client holds back otherwise", async () => {
      const limiter = createLimiter();
      const slow = toldPlatform(ledger(), { limiter });
      const { batchId } = await created(1);
      limiter.heed({ beganAtMs: Date.now(), heldUntilMs: Date.now() + 60 * SECOND_MS });
      await expect(slow.deps.platform.batchCalls.active()).rejects.toThrow("held back");
      await startBatch(slow.deps, { batchId });
      expect(slow.asked).toEqual(["start"]);
      await slow.close();
    });

    it("is not sent again by a client that repeats what did nothing: policy is asked first", async () => {
      const persistent = toldPlatform(ledger(), { retry: { attempts: 3, baseDelayMs: 1 } });
      const { batchId } = await created(1);
      persistent.told.start = 429;
      expect(await startBatch(persistent.deps, { batchId })).toMatchObject({ next: "start" });
      expect(persistent.asked).toEqual(["start"]);
      await persistent.close();
    });

    it("is sent, or followed, where nobody counts what the engine does", async () => {
      const { meter: _, ...uncounted } = platform.deps;
      const sent = await created(1);
      expect(await startBatch(uncounted, { batchId: sent.batchId })).toMatchObject({ next: "tend" });
      expect((await batchOf(sent.batchId)).state).toBe("running");
      const followed = await created(1);
      platform.told.start = 404;
      platform.told.get = shown(followed.batchId, "running");
      expect(await startBatch(uncounted, { batchId: followed.batchId })).toEqual({ next: "tend", waitMs: 0 });
      const later = await created(1);
      platform.told.get = 404;
      expect(await startBatch(uncounted, { batchId: later.batchId })).toEqual(SENT_AGAIN);
      platform.told.get = shown(later.batchId, "running");
      expect(await startBatch(uncounted, { batchId: later.batchId })).toEqual({ next: "tend", waitMs: 0 });
    });

    it("tells for how long its lines stood idle before", async () => {
      const { batchId, nowMs } = await created(1);
      await setBatch(batchId, sql`lines_free_since = to_timestamp(${(nowMs - 7 * SECOND_MS) / 1_000})`);
      await begin(batchId);
      expect(platform.metered).toEqual([started("begun", 1, 7 * SECOND_MS)]);
    });

    it("ends the trouble of coming to it", async () => {
      const { batchId } = await created(1);
      await setBatch(batchId, sql`trouble = 'not_started', trouble_since = now()`);
      await begin(batchId);
      expect((await batchOf(batchId)).trouble).toBeUndefined();
    });

    describe("while the platform wants no request", () => {
      it("is not sent, nor is its permission asked; people hear of it within a minute", async () => {
        const { id, batchId } = await created(1);
        const held = { heldForMs: () => 1_500.5 };
        expect(await begin(batchId, held)).toEqual({ next: "start", waitMs: 1_501 });
        expect(await batchOf(batchId)).toMatchObject({
          state: "created",
          startNo: 0,
          trouble: "not_started",
        });
        expect(await toldOf(id)).toEqual([]);
        later(stallMs);
        await begin(batchId, held);
        expect(platform.asked).toEqual([]);
        expect(await toldOf(id)).toMatchObject([
          { summary: expect.stringContaining("the platform wants no request for 2 s (429)") },
        ]);
        await begin(batchId, { heldForMs: () => 0 });
        expect(platform.asked).toEqual(["start"]);
      });

      it("is taken back all the same where the batch was asked to stop", async () => {
        const { batchId } = await created(1);
        await setBatch(batchId, sql`stop_reason = 'pause', stop_requested_at = now()`);
        expect(await begin(batchId, { heldForMs: () => 5_000 })).toEqual({ next: "tend", waitMs: 0 });
        expect((await batchOf(batchId)).state).toBe("draining");
      });

      it("is no matter of one that was started", async () => {
        const { batchId } = await begun(1);
        expect(await begin(batchId, { heldForMs: () => 5_000 })).toMatchObject({ next: "tend" });
        expect((await batchOf(batchId)).trouble).toBeUndefined();
      });
    });

    describe("where calls begin at a rate", () => {
      const rate = (withinMs: number) => ({ rate: { calls: 1, withinMs } });
      /** What other tests began is long over, and what they left waits for nothing. */
      beforeEach(() =>
        rows(
          ledger().db,
          sql`update batches set start_sent_at = start_sent_at - interval '1 day',
                start_seen_at = start_seen_at - interval '1 day', stop_reason = coalesce(stop_reason, 'pause')`,
        ),
      );
      /** A start that was seen now takes all of it. */
      const another = () => begun(1);

      it("waits for its turn with nothing held here, but for its last second", async () => {
        const { batchId } = await created(1);
        await another();
        // So long that a test which waited for it here would not end.
        expect(await begin(batchId, rate(60_000))).toEqual({ next: "start", waitMs: 59_000 });
        expect(platform.asked).toEqual([]);
        expect((await batchOf(batchId)).state).toBe("created");
      });

      it("lets whoever has waited for longer go first, though there is room for one", async () => {
        const first = await created(1);
        platform.clock.nowMs += SECOND_MS;
        const { batchId } = await created(1);
        expect(await begin(batchId, rate(60_000))).toEqual({ next: "start", waitMs: 59_000 });
        expect(await begin(first.batchId, rate(60_000))).toMatchObject({ next: "tend" });
        expect(platform.asked).toEqual(["start"]);
      });

      it("waits here for a turn that comes within a second", async () => {
        const { batchId, nowMs } = await created(1);
        await another();
        const beganMs = performance.now();
        const now = () => nowMs + Math.round(performance.now() - beganMs);
        expect(await begin(batchId, { ...rate(50), now })).toMatchObject({ next: "tend" });
        expect(performance.now() - beganMs).toBeGreaterThanOrEqual(49);
        expect(platform.asked).toEqual(["start"]);
      });

      it("does not wait here for ever: another may be quicker each time", async () => {
        const { batchId } = await created(1);
        await another();
        const beganMs = performance.now();
        expect(await begin(batchId, rate(10))).toEqual({ next: "start", waitMs: 0 });
        expect(performance.now() - beganMs).toBeGreaterThanOrEqual(45);
        expect(platform.asked).toEqual([]);
      });
    });

    describe("is not sent", () => {
      it("where policy says no: the campaign is woken up, and what follows is delivered", async () => {
        const { id, batchId } = await created(1);
        await rows(
          ledger().db,
          sql`update campaigns set state = 'paused', paused_by = 'person' where id = ${id}::uuid`,
        );
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(platform.asked).toEqual([]);
        expect(platform.woken).toEqual([id]);
        expect(platform.clock.kicks).toBe(1);
        expect(await comeOf(id)).toEqual(["open"]);
      });

      it("where the clocks disagree", async () => {
        const { id, batchId } = await created(1);
        later(3_600_000);
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(platform.asked).toEqual([]);
        expect(await batchOf(batchId)).toMatchObject({ stopReason: "policy" });
        expect(await comeOf(id)).toEqual(["open"]);
      });

      it("where everything was stopped behind its permission: it is as if that had never been given", async () => {
        const { batchId } = await created(1);
        const stop = { actor: "test", reason: "all of it", nowMs: platform.clock.nowMs };
        const stopping: Ledger = {
          ...ledger(),
          async transaction(work) {
            const done = await ledger().transaction(work);
            await ledger().transaction((tx) => stopEverything(tx, stop));
            return done;
          },
        };
        expect(await begin(batchId, { ledger: stopping })).toEqual({ next: "start", waitMs: 0 });
        expect(platform.asked).toEqual([]);
        expect(await batchOf(batchId)).toMatchObject({ state: "created", startSentAtMs: undefined });
        await ledger().transaction((tx) => goOn(tx, stop));
      });
    });

    describe("of a machine that sleeps once it is permitted", () => {
      const sleeping = (ms: number): Ledger => ({
        ...ledger(),
        async transaction(work) {
          const done = await ledger().transaction(work);
          later(ms);
          return done;
        },
      });

      it("is permitted anew, under the policy of the hour in which it wakes", async () => {
        const { batchId } = await created(1, {
          ends_at: new Date(platform.clock.nowMs + 60 * MINUTE_MS).toISOString(),
        });
        expect(await begin(batchId, { ledger: sleeping(2 * 60 * MINUTE_MS) })).toEqual({
          next: "start",
          waitMs: 0,
        });
        expect(platform.asked).toEqual([]);
        expect(await batchOf(batchId)).toMatchObject({ state: "created", startSentAtMs: undefined });
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(platform.asked).toEqual([]);
        expect(await batchOf(batchId)).toMatchObject({ state: "draining", stopReason: "policy" });
      });

      it("is sent where it was no more than slow", async () => {
        const { batchId } = await created(1);
        expect(await begin(batchId, { ledger: sleeping(15 * SECOND_MS) })).toMatchObject({ next: "tend" });
        expect(platform.asked).toEqual(["start"]);
      });
    });

    describe("answered with", () => {
      it("an error that says nothing of its effect is never sent again: it is looked what became of it", async () => {
        const { batchId } = await created(3);
        platform.told.start = 500;
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: lookMs });
        expect(await batchOf(batchId)).toMatchObject({ state: "starting", startRefusal: undefined });
        expect(platform.metered).toEqual([started("unclear", 3)]);
        await begin(batchId);
        expect(platform.asked).toEqual(["start"]);
      });

      it("409 is looked into, too, and kept", async () => {
        const { batchId } = await created(1);
        platform.told.start = 409;
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: lookMs });
        expect(await batchOf(batchId)).toMatchObject({
          state: "starting",
          startRefusal: expect.stringContaining("409"),
        });
        expect(platform.metered).toEqual([started("unclear", 1)]);
        await begin(batchId);
        expect(platform.asked).toEqual(["start"]);
      });

      it("429 is sent again, under a new permission, later each time once that goes on", async () => {
        const { id, batchId } = await created(1);
        platform.told.start = 429;
        for (const [tries, waitMs] of [
          [1, lookMs],
          [13, lookMs],
          [14, 2 * lookMs],
          [15, 4 * lookMs],
        ] as const) {
          await setBatch(batchId, sql`start_no = ${tries - 1}`);
          expect(await begin(batchId)).toEqual({ next: "start", waitMs });
          expect(await batchOf(batchId)).toMatchObject({
            state: "created",
            startSentAtMs: undefined,
            startRefusal: undefined,
            trouble: "not_started",
          });
        }
        expect(platform.asked).toEqual(["start", "start", "start", "start"]);
        expect(platform.metered).toContainEqual(started("not_begun", 1));
        expect(await comeOf(id)).toEqual(["leased"]);
        platform.told.start = {};
        await begin(batchId);
        expect(await batchOf(batchId)).toMatchObject({ state: "running", trouble: undefined });
      });

      it("401 pauses the campaign, since the next one would be refused as well", async () => {
        const { id, batchId } = await created(1);
        platform.told.start = 401;
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(given(await readCampaign(ledger().db, id)).state).toBe("paused");
        expect(await batchOf(batchId)).toMatchObject({ state: "draining", startSentAtMs: undefined });
        expect(await comeOf(id)).toEqual(["open"]);
        expect(await toldOf(id)).toMatchObject([{ summary: expect.stringContaining("PLATFORM_API_KEY") }]);
      });

      it("a failure of ours is thrown: nothing is concluded from it", async () => {
        const { batchId } = await created(1);
        const broken = {
          ...platform.deps.platform,
          batchCalls: {
            ...platform.deps.platform.batchCalls,
            start: () => Promise.reject(new TypeError("ours")),
          },
        };
        await expect(begin(batchId, { platform: broken })).rejects.toThrow("ours");
        expect(await batchOf(batchId)).toMatchObject({ state: "starting" });
      });
    });

    describe("answered with 404, as if there were no such batch,", () => {
      const unknown = async (count = 1) => {
        const batch = await created(count);
        platform.told.start = 404;
        platform.told.get = 404;
        expect(await begin(batch.batchId)).toEqual(SENT_AGAIN);
        expect(platform.asked).toEqual(["start", "get"]);
        expect(await batchOf(batch.batchId)).toMatchObject({
          state: "created",
          startSentAtMs: undefined,
          startRefusal: expect.stringContaining("404"),
          trouble: "not_started",
        });
        expect(platform.metered).toEqual([started("not_begun", count)]);
        platform.told.start = {};
        platform.asked.length = 0;
        platform.metered.length = 0;
        return batch;
      };

      it("is followed where the batch begins all the same, and not sent again", async () => {
        const { batchId } = await created(2);
        platform.told.start = 404;
        platform.told.get = shown(batchId, "running");
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(await batchOf(batchId)).toMatchObject({ state: "starting" });
        expect(platform.metered).toContainEqual({ adopted: 2 });
      });

      it("is sent again once the platform shows the batch as not begun, not before", async () => {
        const { batchId } = await unknown();
        for (const answer of [404, 500, 429]) {
          platform.told.get = answer;
          expect(await begin(batchId)).toEqual(SENT_AGAIN);
        }
        expect(platform.asked).toEqual(["get", "get", "get"]);
        platform.told.get = shown(batchId, "pending");
        expect(await begin(batchId)).toMatchObject({ next: "tend" });
        expect(platform.asked.slice(3)).toEqual(["get", "start"]);
        expect(await batchOf(batchId)).toMatchObject({
          state: "running",
          startRefusal: undefined,
          trouble: undefined,
        });
      });

      it("is not sent again where the platform then shows the batch as begun", async () => {
        const { id, batchId } = await unknown(2);
        platform.told.get = shown(batchId, "running");
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(platform.asked).toEqual(["get"]);
        expect(await batchOf(batchId)).toMatchObject({ state: "starting", startNo: 2 });
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        expect(platform.metered).toEqual([{ adopted: 2 }]);
      });

      it("is given up, with everybody given back, where the batch does not show in time", async () => {
        const { id, batchId } = await unknown();
        later(startDoubtMs - 1);
        expect(await begin(batchId)).toEqual(SENT_AGAIN);
        expect(platform.woken).toEqual([]);
        later(1);
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(await batchOf(batchId)).toMatchObject({ state: "draining", stopReason: "platform_refused" });
        expect(platform.woken).toEqual([id]);
        expect(await comeOf(id)).toEqual(["open"]);
      });

      it("is given up at once where the batch was asked to stop meanwhile", async () => {
        const { batchId } = await unknown();
        await setBatch(batchId, sql`stop_reason = 'pause', stop_requested_at = now()`);
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(await batchOf(batchId)).toMatchObject({ state: "draining" });
      });

      it("is given up at once where its time is over", async () => {
        const { batchId, nowMs } = await unknown();
        await setBatch(batchId, sql`dial_by = to_timestamp(${(nowMs + SECOND_MS) / 1_000})`);
        expect(await begin(batchId)).toEqual(SENT_AGAIN);
        later(SECOND_MS);
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(await batchOf(batchId)).toMatchObject({ stopReason: "window" });
      });

      it("is no matter of one that was started, or asked to stop and taken back", async () => {
        const { batchId } = await unknown();
        await askToStop(batchId);
        expect(await begin(batchId)).toEqual({ next: "tend", waitMs: 0 });
        expect(platform.asked).toEqual([]);
      });

      it("throws a failure of ours in the look before it: nothing is concluded from it", async () => {
        const { batchId } = await unknown();
        const broken = {
          ...platform.deps.platform,
          batchCalls: {
            ...platform.deps.platform.batchCalls,
            get: () => Promise.reject(new TypeError("ours")),
          },
        };
        await expect(begin(batchId, { platform: broken })).rejects.toThrow("ours");
      });
    });

    it("where its campaign was never heard of, holds all dialing: the ledger may be older than what happened", async () => {
      expect(await begin("00000000-0000-4000-8000-000000000000")).toEqual({ next: "done", waitMs: 0 });
      expect(platform.asked).toEqual([]);
    });
  });
});
