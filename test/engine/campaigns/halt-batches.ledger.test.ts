import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { haltBatches, haltUnseen } from "../../../src/activities/campaigns/halt-batches.ts";
import { MAX_BATCH_SIZE } from "../../../src/domain/campaigns/batch-sizing.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { LedgerUnavailableError, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { ended } from "../../ledger/support/scenario.ts";
import { withLedger } from "../../support/ledgers.ts";
import { item, shown, toldBatches } from "../../support/told-batches.ts";
import { toldPlatform, type ToldPlatform } from "../../support/told-platform.ts";
import { until } from "../../support/until.ts";

/** For what does not come about: enough for some looks at the pace of these tests. */
const BOUND_MS = 300;

/** For what comes about within that on any machine. */
const PATIENT_MS = 2_000;

/** Clocks are read in whole milliseconds, and timers may be early by one. */
const CLOCK_MS = 5;

/** A pace at which looks follow each other at once. */
const LOOK_MS = 10;

/* Halting what may be dialing, answer by answer (src/activities/campaigns/halt-batches.ts). */
describe("whoever halts batches", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { planned, created, starting, begun } = toldBatches(ledger, () => platform);
    /** Its clock runs: bounds are real here. */
    const depsNow = (changes: Partial<ActivityDeps> = {}): ActivityDeps => {
      const { deps, clock } = platform;
      const beganMs = performance.now();
      const now = () => Math.round(clock.nowMs + performance.now() - beganMs);
      return { ...deps, pace: { ...deps.pace, lookMs: LOOK_MS }, now, ...changes };
    };
    const up = (phone: string | undefined) => item(phone, { status: "ringing", call_id: `call-${phone}` });
    const times = (what: string) => platform.asked.filter((one) => one === what).length;
    const report = (batches: number, callsUp: number, uncertain: number) => ({ batches, callsUp, uncertain });
    /** What it shows becomes of a pause, and of a cancel. */
    const becomes = (
      batchId: string,
      what: "pause" | "cancel",
      status: string,
      answer: number | object = {},
    ) => {
      platform.told[what] = () => {
        platform.told.get = shown(batchId, status);
        return answer;
      };
    };

    it("of none hears of none", async () => {
      expect(await haltBatches(depsNow(), [])).toEqual(report(0, 0, 0));
      expect(platform.asked).toEqual([]);
    });

    it("asks nothing of those that dial nobody, and has their workflows look", async () => {
      const [one, other] = [await planned(1), await created(1)];
      expect(await haltBatches(depsNow(), [one.batchId, other.batchId])).toEqual(report(0, 0, 0));
      expect(platform.asked).toEqual([]);
      expect(platform.woken.toSorted()).toEqual([one.batchId, other.batchId].toSorted());
    });

    it("hears how many calls are up, by their items, once it is seen to be paused", async () => {
      const { batchId, phones } = await begun(3);
      becomes(batchId, "pause", "paused");
      platform.told.items = [up(phones[0]), up(phones[1]), item(phones[2], { status: "pending" })];
      expect(await haltBatches(depsNow(), [batchId])).toEqual(report(1, 2, 0));
      expect([...new Set(platform.asked)]).toEqual(["pause", "get", "items"]);
      expect([times("pause"), times("get")]).toEqual([1, 1]);
      expect(platform.woken).toEqual([batchId]);
    });

    it.each([
      [2, 2],
      [undefined, 0],
    ])("hears %s as the platform counts them where the items can't be read", async (active, callsUp) => {
      const { batchId } = await begun(3);
      platform.told.pause = () => {
        platform.told.get = shown(batchId, "paused", { active });
        return {};
      };
      platform.told.items = 500;
      expect(await haltBatches(depsNow(), [batchId])).toEqual(report(1, callsUp, 0));
    });

    it("reads no items where everybody's end is known", async () => {
      const { batchId, phones, nowMs } = await begun(1);
      await settleFindings(ledger(), {
        batchId,
        findings: phones.map((phone) => ended(phone, "answered", nowMs)),
        nowMs,
      });
      becomes(batchId, "pause", "paused");
      expect(await haltBatches(depsNow(), [batchId])).toEqual(report(1, 0, 0));
      expect(platform.asked).toEqual(["pause", "get"]);
    });

    it.each([409, 500])(
      "cancels at once where the pause is answered %i, and it still dials",
      async (answer) => {
        const { batchId } = await begun(1);
        platform.told.pause = answer;
        becomes(batchId, "cancel", "cancelled");
        expect(await haltBatches(depsNow(), [batchId])).toEqual(report(1, 0, 0));
        expect(platform.asked.slice(0, 4)).toEqual(["pause", "get", "cancel", "get"]);
      },
    );

    it("does not cancel where the pause was refused because it is paused", async () => {
      const { batchId, phones } = await begun(1);
      becomes(batchId, "pause", "paused", 409);
      platform.told.items = [up(phones[0])];
      expect(await haltBatches(depsNow(), [batchId])).toEqual(report(1, 1, 0));
      expect(platform.asked).not.toContain("cancel");
    });

    it("takes one that is over for halted", async () => {
      const { batchId } = await begun(1);
      becomes(batchId, "pause", "completed");
      expect(await haltUnseen(depsNow(), [batchId], BOUND_MS)).toEqual([batchId]);
      expect(platform.asked).not.toContain("cancel");
    });

    it("believes in a pause that shows no effect for half of its time, and cancels then", async () => {
      const { batchId } = await begun(1);
      becomes(batchId, "cancel", "cancelled");
      const deps = depsNow({ pace: { ...platform.deps.pace, lookMs: 10 * LOOK_MS } });
      const beganMs = performance.now();
      expect(await haltUnseen(deps, [batchId], PATIENT_MS)).toEqual([batchId]);
      expect(performance.now() - beganMs).toBeGreaterThan(PATIENT_MS / 2 - CLOCK_MS);
      expect(times("pause")).toBeGreaterThan(1);
      expect(times("cancel")).toBe(1);
      expect(platform.woken, "its own looks are not held up").toEqual([batchId]);
    });

    describe("and meets one whose start is in the air", () => {
      it("waits until it begins, since before that a pause pauses nothing", async () => {
        const { batchId } = await starting(1);
        let looks = 0;
        platform.told.get = () => {
          looks += 1;
          if (looks <= 2) return looks === 1 ? shown(batchId, "pending") : 404;
          return shown(batchId, times("pause") === 0 ? "running" : "paused");
        };
        expect(await haltUnseen(depsNow(), [batchId], 3 * PATIENT_MS)).toEqual([batchId]);
        expect(platform.asked.slice(0, 5)).toEqual(["get", "get", "get", "pause", "get"]);
        expect(platform.woken).toEqual([batchId]);
      });

      it("pauses it all the same where it can't be looked at: that harms nobody", async () => {
        const { batchId } = await starting(1);
        platform.told.get = () => (times("pause") === 0 ? 500 : shown(batchId, "paused"));
        expect(await haltUnseen(depsNow(), [batchId], 3 * PATIENT_MS)).toEqual([batchId]);
        expect(platform.asked.slice(0, 3)).toEqual(["get", "pause", "get"]);
      });

      it("goes by what the ledger says of it by now", async () => {
        const { batchId, nowMs } = await starting(1);
        platform.told.get = async () => {
          await recordBegun(ledger().db, batchId, nowMs);
          return times("pause") === 0 ? shown(batchId, "pending") : shown(batchId, "paused");
        };
        expect(await haltUnseen(depsNow(), [batchId], 3 * PATIENT_MS)).toEqual([batchId]);
        expect(platform.asked.slice(0, 3)).toEqual(["get", "pause", "get"]);
      });

      it("is done with it where it is settled meanwhile", async () => {
        const { batchId, phones, nowMs } = await starting(1);
        platform.told.get = async () => {
          await recordBegun(ledger().db, batchId, nowMs);
          await settleFindings(ledger(), {
            batchId,
            findings: phones.map((phone) => ended(phone, "answered", nowMs)),
            nowMs,
          });
          await closeBatch(ledger(), batchId, nowMs);
          return shown(batchId, "pending");
        };
        expect(await haltBatches(depsNow(), [batchId])).toEqual(report(0, 0, 0));
        expect(platform.asked).toEqual(["get"]);
      });

      it("says in the end that nobody could see it stop", async () => {
        const { batchId } = await starting(1);
        const beganMs = performance.now();
        expect(await haltUnseen(depsNow(), [batchId], BOUND_MS)).toEqual([]);
        expect(performance.now() - beganMs).toBeGreaterThan(BOUND_MS - CLOCK_MS);
        expect(platform.asked).not.toContain("pause");
      });
    });

    it.each([-3_600_000, 3_600_000])(
      "pauses each of them, and believes in the pause as long as ever, where the clock moves by %i ms meanwhile",
      async (byMs) => {
        const ids = [(await begun(1)).batchId, (await begun(1)).batchId];
        // The first look at the clock is before the move.
        let isMoved = false;
        const { now } = depsNow();
        const moving = () => {
          const atMs = now() + (isMoved ? byMs : 0);
          isMoved = true;
          return atMs;
        };
        const beganMs = performance.now();
        platform.told.cancel = () => {
          expect(performance.now() - beganMs).toBeGreaterThan(PATIENT_MS / 2 - CLOCK_MS);
          return {};
        };
        expect(await haltUnseen(depsNow({ now: moving }), ids, PATIENT_MS)).toEqual([]);
        expect(times("pause")).toBeGreaterThan(2);
        expect(times("cancel")).toBeGreaterThan(0);
      },
    );

    it("pauses all of them before it looks at any, and looks at all before it counts whose calls are up", async () => {
      // More than are asked at once.
      const BATCHES = 10;
      const ids: string[] = [];
      for (let n = 0; n < BATCHES; n += 1) ids.push((await begun(1)).batchId);
      platform.told.get = shown(ids[0] ?? "", "paused");
      expect(await haltUnseen(depsNow(), ids, PATIENT_MS)).toHaveLength(BATCHES);
      const each = (what: string) => Array.from({ length: BATCHES }, () => what);
      expect(platform.asked.slice(0, 2 * BATCHES)).toEqual([...each("pause"), ...each("get")]);
    });

    it("pauses those first that began last: most of their people are not dialed yet", async () => {
      const { nowMs } = platform.clock;
      const begunAt = async (seconds: number) => {
        platform.clock.nowMs = nowMs + seconds * 1_000;
        return (await begun(1)).batchId;
      };
      const [second, last, first] = [await begunAt(2), await begunAt(3), await begunAt(1)];
      platform.told.get = shown(first, "paused");
      await haltUnseen(depsNow(), [first, second, last], PATIENT_MS);
      expect(platform.woken).toEqual([last, second, first]);
    });

    it.each([404, 500])(
      "takes none for halted that it can't see after its pause, as by %i",
      async (answer) => {
        const { batchId } = await begun(2);
        platform.told.get = answer;
        expect(await haltUnseen(depsNow(), [batchId], PATIENT_MS)).toEqual([]);
        expect(times("cancel")).toBeGreaterThan(0);
      },
    );

    it("is answered in time by a ledger that does not answer: everybody is uncertain", async () => {
      const { batchId } = await begun(1);
      const db: Db = Object.assign(Object.create(ledger().urgent.db) as Db, {
        execute: () => new Promise(() => {}),
      });
      const silent: Ledger = { ...ledger(), urgent: { ...ledger().urgent, db } };
      const answer = await haltBatches(depsNow({ ledger: silent }), [batchId], { withinMs: 50 });
      expect(answer).toEqual(report(1, 0, MAX_BATCH_SIZE));
      expect(platform.logged).toContain("the attempts of batches were not counted in time");
    });

    it("is answered in time, with all who may still ring, while it goes on", async () => {
      const one = await begun(3);
      platform.clock.nowMs += 1_000;
      const other = await begun(2);
      becomes(other.batchId, "pause", "paused");
      const answers = platform.told.pause;
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      let pauses = 0;
      platform.told.pause = async () => {
        pauses += 1;
        // The one that began last comes first.
        if (pauses === 2) await held;
        return typeof answers === "function" ? answers() : answers;
      };
      const asked = haltBatches(depsNow(), [one.batchId, other.batchId], { withinMs: PATIENT_MS });
      expect(await asked).toEqual(report(2, 0, 3));
      const counted = times("items");
      letGo();
      await until("that one to be halted, too", () => times("items") > counted);
    });

    it("tries again where it fails for a reason of ours, and says so in the end", async () => {
      const { batchId } = await begun(1);
      const { deps } = platform;
      const broken = {
        ...deps.platform,
        batchCalls: { ...deps.platform.batchCalls, get: () => Promise.reject(new TypeError("ours")) },
      };
      expect(await haltUnseen(depsNow({ platform: broken }), [batchId], BOUND_MS)).toEqual([]);
      expect(times("pause")).toBeGreaterThan(1);
      expect(new Set(platform.logged)).toEqual(new Set(["a batch could not be seen to pause"]));
    });

    it("asks a ledger that fails again, and takes everybody for uncertain where it never answers", async () => {
      const { batchId } = await begun(1);
      becomes(batchId, "pause", "paused");
      expect(await haltUnseen(depsNow({ ledger: failing(ledger(), 1) }), [batchId], PATIENT_MS)).toEqual([
        batchId,
      ]);
      const never = depsNow({ ledger: failing(ledger(), Number.POSITIVE_INFINITY) });
      platform.asked.length = 0;
      expect(await haltUnseen(never, [batchId], BOUND_MS)).toEqual([]);
      expect(platform.asked).toEqual([]);
      const answer = await haltBatches(never, [batchId, batchId], { withinMs: 50 });
      expect(answer).toEqual(report(2, 0, 2 * MAX_BATCH_SIZE));
      expect(platform.logged).toContain("the attempts of batches could not be counted");
    });
  });
});

/** A ledger whose urgent connection fails so often. */
function failing(ledger: Ledger, often: number): Ledger {
  let failures = 0;
  const db: Db = Object.assign(Object.create(ledger.urgent.db) as Db, {
    execute: (...args: Parameters<Db["execute"]>) => {
      failures += 1;
      if (failures <= often) throw new LedgerUnavailableError("not now");
      return ledger.urgent.db.execute(...args);
    },
  });
  return { ...ledger, urgent: { ...ledger.urgent, db } };
}
