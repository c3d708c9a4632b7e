import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { paceAt } from "../../../src/activities/deps.ts";
import { stopOnPlatform } from "../../../src/activities/campaigns/stop-on-platform.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { withLedger } from "../../support/ledgers.ts";
import { item, shown, toldBatches } from "../../support/told-batches.ts";
import { toldPlatform, type Asked, type ToldPlatform } from "../../support/told-platform.ts";

const { lookMs, quietMs, callBoundMs, dialByMarginMs } = paceAt(1);
const LOOKS_AGAIN = { next: "tend", waitMs: lookMs };

/* How a batch that may be dialing is brought to its end (src/activities/campaigns/stop-on-platform.ts). */
describe("a batch that is to stop", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { begun, batchOf, comeOf, toldOf } = toldBatches(ledger, () => platform);
    /** One that was asked to stop now, and what the platform makes of a pause and a cancel. */
    const stopping = async (
      count: number,
      became: { status: string; pause?: string; cancel?: string; counts?: object },
    ) => {
      const batch = await begun(count);
      await rows(
        ledger().db,
        sql`update batches set state = 'draining', stop_reason = 'pause',
              stop_requested_at = to_timestamp(${batch.nowMs / 1_000}) where id = ${batch.batchId}::uuid`,
      );
      let { status } = became;
      const { told } = platform;
      told.get = () => shown(batch.batchId, status, became.counts);
      told.pause = () => {
        status = became.pause ?? status;
        return {};
      };
      told.cancel = () => {
        status = became.cancel ?? status;
        return {};
      };
      return batch;
    };
    /** One look, so much later. */
    const stop = async (batchId: string, ms = 0) => {
      platform.clock.nowMs += ms;
      platform.asked.length = 0;
      const view = await platform.deps.platform.batchCalls.get(`platform-${batchId}`);
      platform.asked.length = 0;
      return stopOnPlatform(platform.deps, await batchOf(batchId), view);
    };
    /** What was asked of it, but for what is read of its people. */
    const asked = (): Asked[] => platform.asked.filter((what) => what !== "items" && what !== "calls");
    const up = (phone: string | undefined) => item(phone, { status: "ringing", call_id: `call-${phone}` });

    it("is paused, cancelled once no call of it is up, and read as over", async () => {
      const { batchId, phones } = await stopping(2, {
        status: "running",
        pause: "paused",
        cancel: "cancelled",
      });
      platform.told.items = [up(phones[0]), item(phones[1], { status: "pending" })];
      expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
      expect(asked(), "a call ends by itself").toEqual(["pause", "get"]);
      expect((await batchOf(batchId)).held, "the line of the other is free").toBe(1);
      platform.told.items = [item(phones[0], { status: "voicemail" }), item(phones[1])];
      expect(await stop(batchId)).toEqual({ next: "tend", waitMs: quietMs });
      expect(asked()).toEqual(["cancel", "get"]);
      expect(await batchOf(batchId)).toMatchObject({ evidence: { reads: 1 }, trouble: undefined });
    });

    it("is brought to its end within one look where nobody of it was up", async () => {
      const { batchId } = await stopping(1, { status: "running", pause: "paused", cancel: "cancelled" });
      expect(await stop(batchId)).toEqual({ next: "tend", waitMs: quietMs });
      expect(asked()).toEqual(["pause", "get", "cancel", "get"]);
    });

    it("is not cancelled while the platform counts a call, whatever its items say; nor is it in trouble then", async () => {
      const { batchId } = await stopping(2, { status: "paused", cancel: "cancelled", counts: { active: 1 } });
      await rows(
        ledger().db,
        sql`update batches set trouble = 'not_stopped', trouble_since = now() where id = ${batchId}::uuid`,
      );
      expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
      expect(asked()).toEqual([]);
      expect(await batchOf(batchId)).toMatchObject({ held: 1, trouble: undefined });
      await rows(
        ledger().db,
        sql`update batches set trouble = 'not_deleted', trouble_since = now() where id = ${batchId}::uuid`,
      );
      await stop(batchId);
      expect((await batchOf(batchId)).trouble, "which is not mended by a pause").toBe("not_deleted");
    });

    it("is closed where everybody of it has ended, and the platform still counts a call", async () => {
      const { batchId, phones } = await stopping(1, { status: "paused", counts: { active: 1 } });
      platform.told.items = [item(phones[0], { status: "voicemail" })];
      expect(await stop(batchId)).toEqual({ next: "done", waitMs: 0 });
      expect(asked()).toEqual([]);
      expect((await batchOf(batchId)).state).toBe("settled");
    });

    it("is cancelled whatever is up once it was waited for as long as any call may last", async () => {
      const { batchId, phones } = await stopping(1, { status: "paused", cancel: "cancelled" });
      platform.told.items = [up(phones[0])];
      expect(await stop(batchId, callBoundMs - 1)).toEqual(LOOKS_AGAIN);
      expect(asked()).toEqual([]);
      await stop(batchId, 1);
      expect(asked()).toEqual(["cancel", "get"]);
    });

    describe("and has not begun", () => {
      it("is cancelled, and read where that has no effect: it may still begin", async () => {
        const { batchId } = await stopping(1, { status: "pending", counts: { active: undefined } });
        expect(await stop(batchId)).toEqual({ next: "tend", waitMs: quietMs });
        expect(asked()).toEqual(["cancel", "get"]);
        expect(await batchOf(batchId)).toMatchObject({ evidence: { reads: 1 }, trouble: undefined });
        expect((await batchOf(batchId)).held, "it may begin yet, and holds its line").toBe(1);
      });

      it("is not cancelled while it counts a call, and is not read for that", async () => {
        const { batchId } = await stopping(1, { status: "pending", counts: { active: 1 } });
        expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
        expect(platform.asked).toEqual([]);
      });
    });

    describe("and is not paused by a pause", () => {
      it("is cancelled at its third look, not before; people hear of it when it should have stopped", async () => {
        const { batchId } = await stopping(1, { status: "running" });
        expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["pause", "get"]);
        expect((await batchOf(batchId)).trouble).toBe("not_stopped");
        expect(await stop(batchId, 3 * lookMs - 1)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["pause", "get"]);
        expect(await stop(batchId, 1)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["pause", "get", "cancel", "get"]);
        expect(await toldOf(batchId)).toEqual([]);
        await stop(batchId, dialByMarginMs - 3 * lookMs);
        expect(await toldOf(batchId)).toMatchObject([
          { summary: expect.stringContaining("it shows as running") },
        ]);
      });

      it("is cancelled at once where the pause was refused, and it still dials", async () => {
        const { batchId } = await stopping(1, { status: "running", cancel: "cancelled" });
        platform.told.pause = 409;
        expect(await stop(batchId)).toEqual({ next: "tend", waitMs: quietMs });
        expect(asked()).toEqual(["pause", "get", "cancel", "get"]);
      });

      it("is not cancelled where the pause was refused because it is paused, with a call up", async () => {
        const { batchId, phones } = await stopping(1, { status: "running" });
        platform.told.items = [up(phones[0])];
        platform.told.pause = () => {
          platform.told.get = shown(batchId, "paused");
          return 409;
        };
        expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["pause", "get", "get"]);
      });

      it("is cancelled at once where its word is one that nobody knows", async () => {
        const { batchId } = await stopping(1, { status: "winding" });
        expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["pause", "get", "cancel", "get"]);
      });

      it("is taken for vanished where the platform knows nothing of it any more", async () => {
        const { batchId } = await stopping(1, { status: "running" });
        platform.told.pause = () => {
          platform.told.get = 404;
          return 404;
        };
        expect((await stop(batchId)).next).toBe("tend");
        expect((await batchOf(batchId)).trouble).toBe("vanished");
        expect(asked()).not.toContain("delete");
      });

      it("lets go of its people in the end: they count as called, and people are told", async () => {
        const { id, batchId, phones } = await stopping(3, { status: "running" });
        platform.told.items = [item(phones[0], { status: "voicemail" }), up(phones[1]), item(phones[2])];
        expect(await stop(batchId, callBoundMs - 1)).toEqual(LOOKS_AGAIN);
        expect(await comeOf(id)).toEqual(["leased", "leased", "leased"]);
        expect(await stop(batchId, 1)).toEqual({ next: "done", waitMs: 0 });
        expect(await comeOf(id)).toEqual(["voicemail", "unknown", "unknown"]);
        expect(await toldOf(batchId)).toMatchObject([
          { summary: expect.stringMatching(/did not stop it in time; 2 of its people/) },
        ]);
      });
    });

    describe("and stays paused where it is cancelled", () => {
      it("is asked so three times a look, and read once that is how it stays", async () => {
        const { batchId } = await stopping(1, { status: "paused" });
        expect(await stop(batchId)).toEqual(LOOKS_AGAIN);
        expect(asked()).toEqual(["cancel", "get", "cancel", "get", "cancel", "get"]);
        expect(await batchOf(batchId)).toMatchObject({ trouble: "not_stopped", evidence: undefined });
        await stop(batchId, 3 * lookMs - 1);
        expect((await batchOf(batchId)).evidence).toBeUndefined();
        expect(await stop(batchId, 1)).toEqual({ next: "tend", waitMs: quietMs });
        expect(await batchOf(batchId)).toMatchObject({ evidence: { reads: 1 } });
      });
    });

    it("is counted from now where nobody knows since when", async () => {
      const { batchId } = await stopping(1, { status: "running" });
      await rows(ledger().db, sql`update batches set stop_requested_at = null where id = ${batchId}::uuid`);
      expect(await stop(batchId, callBoundMs)).toEqual(LOOKS_AGAIN);
      expect(asked()).toEqual(["pause", "get"]);
    });
  });
});
