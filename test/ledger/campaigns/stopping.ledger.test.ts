import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

import {
  countMayDial,
  isEverythingStopped,
  listDialing,
  listMayDial,
  listOverdueStops,
  listToHalt,
  recordStop,
  stopWhatIsFree,
  type Unstopped,
} from "../../../src/ledger/campaigns/stopping.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { LedgerUnavailableError, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { goOn, readInstallation } from "../../../src/ledger/ground/installation.ts";
import { elsewhere, given, withLedger } from "../../support/ledgers.ts";
import {
  allUnsettled,
  batchOf,
  ended,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  plan,
  planAndStart,
  running,
  SECOND_MS,
} from "../support/scenario.ts";

const STOP = { actor: "test", reason: "wrong list", nowMs: NOW_MS };

/* Stopping everything, as far as the ledger (src/ledger/campaigns/stopping.ts). */
describe("a stop of everything", () => {
  withLedger((ledger) => {
    const planned = async (people: number) => {
      const id = await running(ledger(), freshPhones(people));
      const { batchIds } = await plan(ledger(), id);
      return { id, batchId: given(batchIds[0]) };
    };
    const dialing = async (people: number, nowMs = NOW_MS) => {
      const phones = freshPhones(people);
      const id = await running(ledger(), phones, {}, nowMs);
      const [batchId] = await planAndStart(ledger(), id, nowMs);
      return { id, phones, batchId: given(batchId) };
    };
    const set = (batchId: string, columns: ReturnType<typeof sql>) =>
      rows(ledger().db, sql`update batches set ${columns} where id = ${batchId}::uuid`);
    const stopReasons = (batchIds: readonly string[]) =>
      Promise.all(batchIds.map(async (id) => (await batchOf(ledger(), id)).stopReason));
    const stop = (now: () => number = () => NOW_MS, left?: Map<string, Unstopped>, of: Ledger = ledger()) =>
      stopWhatIsFree(of, { now, forMs: SECOND_MS }, left);

    // What one test leaves behind is not under way in the next.
    beforeEach(async () => {
      for (const { id } of await allUnsettled(ledger())) await set(id, sql`state = 'settled', held = 0`);
    });
    afterEach(() => goOn(ledger().db, STOP));

    it("is in force from when it is written down until it is lifted", async () => {
      expect(await isEverythingStopped(ledger().db)).toBe(false);
      await recordStop(ledger(), STOP);
      expect(await isEverythingStopped(ledger().db)).toBe(true);
      expect((await readInstallation(ledger().db)).stopped).toMatchObject({ reason: "wrong list" });
      await goOn(ledger().db, STOP);
      expect(await isEverythingStopped(ledger().db)).toBe(false);
    });

    it("is written down at the third try, where the ledger can't do it before", async () => {
      let tries = 0;
      const failing = (often: number, error: Error): Ledger => ({
        ...ledger(),
        urgent: {
          ...ledger().urgent,
          transaction: (work) => {
            tries += 1;
            return tries <= often ? Promise.reject(error) : ledger().urgent.transaction(work);
          },
        },
      });
      const away = new LedgerUnavailableError("not now");
      await recordStop(failing(2, away), STOP);
      expect([tries, await isEverythingStopped(ledger().db)]).toEqual([3, true]);
      tries = 0;
      await expect(recordStop(failing(3, away), STOP)).rejects.toBe(away);
      expect(tries).toBe(3);
      tries = 0;
      await expect(recordStop(failing(1, new TypeError("ours")), STOP)).rejects.toThrow("ours");
      expect(tries, "what is no matter of time is not tried again").toBe(1);
    });

    it("halts those first that began last, and those that never began behind them", async () => {
      const never = await planned(1);
      const early = await dialing(1);
      const late = await dialing(1, NOW_MS + MINUTE_MS);
      const over = await dialing(1);
      await set(over.batchId, sql`state = 'settled', held = 0`);
      expect(await listToHalt(ledger().db)).toEqual([late.batchId, early.batchId, never.batchId]);
      expect(await listMayDial(ledger().db)).toEqual([early.batchId, late.batchId]);
      expect(await listDialing(ledger().db, 10)).toEqual([
        { batchId: early.batchId, campaignId: early.id },
        { batchId: late.batchId, campaignId: late.id },
      ]);
      expect(await listDialing(ledger().db, 1)).toHaveLength(1);
    });

    it("knows how many people it may still be calling", async () => {
      expect(await countMayDial(ledger().db)).toEqual({ batches: 0, attempts: 0 });
      await planned(5);
      const { batchId, phones } = await dialing(3);
      await dialing(2);
      await settleFindings(ledger(), { batchId, findings: [ended(given(phones[0]))], nowMs: NOW_MS });
      expect(await countMayDial(ledger().db)).toEqual({ batches: 2, attempts: 4 });
    });

    it("is late for whoever was asked to stop, or whose time was over, and is not seen to have", async () => {
      const at = (ms: number) => sql`to_timestamp(${(NOW_MS + ms) / 1_000})`;
      const [asked, timed, seen, waiting, unasked] = [
        await dialing(1),
        await dialing(1),
        await dialing(1),
        await dialing(1),
        await dialing(1),
      ];
      await set(asked.batchId, sql`stop_requested_at = ${at(2)}, dial_by = null`);
      await set(timed.batchId, sql`dial_by = ${at(1)}`);
      await set(seen.batchId, sql`stop_requested_at = ${at(1)}, terminal_seen_at = ${at(2)}`);
      await set(waiting.batchId, sql`stop_requested_at = ${at(3)}, dial_by = null`);
      await set(unasked.batchId, sql`stop_requested_at = null, dial_by = null`);
      expect(await listOverdueStops(ledger().db, NOW_MS + 2)).toEqual([timed.batchId, asked.batchId]);
    });

    describe("asks the batches of each campaign to stop", () => {
      it("and has nothing left to do then", async () => {
        const batches = [await dialing(1), await planned(1)].map(({ batchId }) => batchId);
        await recordStop(ledger(), STOP);
        const left = new Map([["one of before", { id: "one of before", name: "it", why: "then" }]]);
        expect(await stop(undefined, left)).toEqual([]);
        expect(left.size).toBe(0);
        expect(await stopReasons(batches)).toEqual(["stop_all", "stop_all"]);
        expect(await stop(), "nor is there anybody to be asked").toEqual([]);
      });

      it("as long as there is time, and says whom it did not come to", async () => {
        const { id, batchId } = await dialing(1);
        await recordStop(ledger(), STOP);
        const left = new Map<string, Unstopped>();
        let nowMs = NOW_MS - SECOND_MS;
        const told = await stop(() => (nowMs += SECOND_MS), left);
        expect(told).toMatchObject([{ id, why: "there was no time for it" }]);
        expect([...left.keys()]).toEqual([id]);
        expect(await stopReasons([batchId])).toEqual([undefined]);
      });

      it("and is over at once where the clock is set back meanwhile, and not when that is there again", async () => {
        const { id, batchId } = await dialing(1);
        await recordStop(ledger(), STOP);
        let nowMs = NOW_MS + SECOND_MS;
        const told = await stop(() => (nowMs -= SECOND_MS));
        expect(told).toMatchObject([{ id, why: "there was no time for it" }]);
        expect(await stopReasons([batchId])).toEqual([undefined]);
        expect(await stop()).toEqual([]);
      });

      it("each by itself: what one fails by keeps no other from it", async () => {
        const [one, other] = [await dialing(1), await dialing(1)];
        await recordStop(ledger(), STOP);
        let turns = 0;
        const failing: Ledger = {
          ...ledger(),
          urgent: {
            ...ledger().urgent,
            transaction: (work) => {
              turns += 1;
              return turns === 1
                ? Promise.reject(new Error("its disk is gone"))
                : ledger().urgent.transaction(work);
            },
          },
        };
        const told = await stop(undefined, undefined, failing);
        expect(told.map(({ why }) => why)).toEqual(["Error: its disk is gone"]);
        const [failed, asked] = told[0]?.id === one.id ? [one, other] : [other, one];
        expect(told[0]?.id).toBe(failed.id);
        expect(await stopReasons([failed.batchId, asked.batchId])).toEqual([undefined, "stop_all"]);
      });

      it("and of none once the stop was lifted: what was not stopped goes on", async () => {
        const { batchId } = await dialing(1);
        expect(await stop()).toEqual([]);
        expect(await stopReasons([batchId])).toEqual([undefined]);
      });

      it.skipIf(inject("postgresUrl") === undefined)(
        "but for one whose row somebody holds, which is passed over",
        async () => {
          const [held, free] = [await dialing(1), await dialing(1)];
          await recordStop(ledger(), STOP);
          await ledger().transaction(async (tx) => {
            await rows(tx, sql`select 1 as one from campaigns where id = ${held.id}::uuid for update`);
            expect(await elsewhere(() => stop())).toMatchObject([{ id: held.id, why: "its row is held" }]);
          });
          expect(await stopReasons([held.batchId, free.batchId])).toEqual([undefined, "stop_all"]);
          expect(await stop()).toEqual([]);
          expect(await stopReasons([held.batchId])).toEqual(["stop_all"]);
        },
      );
    });
  });
});
