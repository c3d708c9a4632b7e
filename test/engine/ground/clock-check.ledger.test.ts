import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import {
  clockDisagreement,
  onLedgersTime,
  requireRightClock,
  WrongClockError,
} from "../../../src/activities/ground/clock-check.ts";
import { clockWatch, noteStepFailure } from "../../../src/activities/ground/failing-steps.ts";
import { startChore } from "../../../src/chores/chores.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { dropOverFailures } from "../../../src/ledger/ground/failing-steps.ts";
import { createPlatform, type ClockReading, type Platform } from "../../../src/platform/index.ts";
import { intakeDeps } from "../../support/intake.ts";
import { given, withLedger } from "../../support/ledgers.ts";

const HOUR_MS = 3_600_000;

describe("clocks before a dial", () => {
  withLedger((ledger) => {
    let asked: number;
    /** What the platform's clock was read as; then what it is read as once it was asked. */
    let readings: (Partial<ClockReading> | undefined)[];
    let platform: Platform;
    beforeEach(() => {
      asked = 0;
      const client = createPlatform({
        baseUrl: "http://platform.invalid",
        apiKey: "of-no-use-to-anybody",
        fetch: async () => {
          asked += 1;
          readings = readings.slice(1);
          return new Response(JSON.stringify({ detail: "not yours" }), { status: 403 });
        },
      });
      platform = {
        ...client,
        clock: () => readings[0] && { platformMs: 0, localMs: 0, ageMs: 60_000, ...readings[0] },
      };
    });
    const disagreement = (now: () => number = Date.now) =>
      clockDisagreement({ ledger: ledger(), platform, now });

    it("that agree are asked for nothing more", async () => {
      readings = [{ localMs: 30_000 }];
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(0);
    });

    it("that seem to be apart since this machine has slept agree once the platform has told its own", async () => {
      readings = [{ localMs: 8 * HOUR_MS }, { localMs: 0, ageMs: 1 }];
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(1);
    });

    it("one of which was set since the platform's last answer keep everybody from being dialed", async () => {
      readings = [{ platformMs: 5 * HOUR_MS }, { platformMs: 5 * HOUR_MS, ageMs: 1 }];
      expect(await disagreement()).toMatchObject({
        reason: "clock",
        detail: expect.stringContaining("the platform's clock differs from this machine's by 18000 s"),
      });
      expect(asked).toBe(1);
      // What was read a moment ago is so.
      expect(await disagreement()).toMatchObject({ reason: "clock" });
      expect(asked).toBe(1);
    });

    it("of which the platform's is not known are compared once it has answered anything", async () => {
      readings = [undefined, { platformMs: 40_000, ageMs: 1 }];
      expect(await disagreement()).toMatchObject({ reason: "clock" });
      expect(asked).toBe(1);
    });

    it("of which the platform never tells its own keep nobody from being dialed, and it is asked once", async () => {
      readings = [undefined];
      expect(await disagreement()).toBeUndefined();
      expect(await disagreement()).toBeUndefined();
      expect(asked).toBe(1);
    });

    it("of which the ledger's is apart keep everybody from being dialed", async () => {
      readings = [{}];
      expect(await disagreement(() => Date.now() - HOUR_MS)).toMatchObject({
        reason: "clock",
        detail: expect.stringContaining("the ledger's clock"),
      });
    });

    describe("of a machine that takes what is due", () => {
      let aheadMs: number;
      let deps: ActivityDeps;
      beforeEach(() => {
        aheadMs = 0;
        deps = { ...intakeDeps(ledger(), undefined as never), now: () => Date.now() + aheadMs };
      });
      const told = async () => {
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        return items.map(({ summary }) => summary);
      };

      it("that is right takes it, and is asked no more for some seconds", async () => {
        await requireRightClock(deps);
        const asks = vi.spyOn(ledger().db, "execute");
        onTestFinished(() => void vi.restoreAllMocks());
        await requireRightClock(deps);
        expect(asks).not.toHaveBeenCalled();
        aheadMs = 2_000;
        await requireRightClock(deps);
        expect(asks, "it was set").toHaveBeenCalledTimes(1);
      });

      it.each([
        [2 * HOUR_MS, "7200 s ahead of the ledger's"],
        [-2 * HOUR_MS, "7200 s behind the ledger's"],
      ])(
        "that is set by %i ms takes nothing from then on, and everything once it is right",
        async (setMs, words) => {
          await requireRightClock(deps);
          aheadMs = setMs;
          await expect(requireRightClock(deps)).rejects.toThrow(words);
          await expect(requireRightClock(deps)).rejects.toThrow(WrongClockError);
          aheadMs = 0;
          await requireRightClock(deps);
        },
      );

      it.each([-20_000, 20_000])(
        "that is right but for %i ms goes by the ledger's time where others' moments are measured",
        async (ms) => {
          aheadMs = ms;
          const onTime = await onLedgersTime(deps);
          expect(Math.abs(onTime.now() - Date.now())).toBeLessThan(Math.abs(ms) / 2);
          // By what was compared a moment ago, too.
          expect(Math.abs((await onLedgersTime(deps)).now() - Date.now())).toBeLessThan(Math.abs(ms) / 2);
        },
      );

      it("that is the ledger's goes by its own", async () => {
        expect((await onLedgersTime(deps)).now).toBe(deps.now);
      });

      it("that goes on being wrong is told once, at a time that is the others', and taken off when it is right", async () => {
        const isRight = clockWatch(deps);
        expect(await isRight()).toBe(true);
        aheadMs = 2 * HOUR_MS;
        for (let look = 0; look < 7; look += 1) expect(await isRight()).toBe(false);
        expect(await told()).toEqual([
          expect.stringMatching(
            /goes by the clock of .* fails again and again .* 7200 s ahead of the ledger's/,
          ),
        ]);
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        expect(Math.abs(given(items[0]).atMs - Date.now())).toBeLessThan(HOUR_MS);
        aheadMs = 0;
        expect(await isRight()).toBe(true);
        expect(await told()).toEqual([]);
      });

      it("that is gone is told of no more", async () => {
        const isRight = clockWatch(deps);
        aheadMs = 2 * HOUR_MS;
        for (let look = 0; look < 7; look += 1) await isRight();
        await dropOverFailures(ledger(), Date.now());
        expect(await told()).toHaveLength(1);
        await dropOverFailures(ledger(), Date.now() + HOUR_MS);
        expect(await told()).toEqual([]);
      });

      it("that is wrong does no chore of all processes, takes no lease for it, and does its own", async () => {
        aheadMs = 2 * HOUR_MS;
        const done = { wrong: 0, own: 0, right: 0 };
        const chore = (of: ActivityDeps, name: keyof typeof done, lease: string, isEverywhere = false) => {
          const perform = async () => void (done[name] += 1);
          const begun = startChore(of, name, { name: lease, everyMs: 10, perform, isEverywhere });
          onTestFinished(() => begun.stop());
        };
        chore(deps, "wrong", "for all");
        chore(deps, "own", "of each", true);
        chore({ ...deps, now: Date.now }, "right", "for all");
        await expect.poll(() => done.own > 3 && done.right > 3).toBe(true);
        expect(done.wrong).toBe(0);
      });

      it("that is wrong is counted as no failure of the steps that it did not take, however many", async () => {
        aheadMs = 2 * HOUR_MS;
        const error = await requireRightClock(deps).catch((thrown: unknown) => thrown);
        for (let nth = 0; nth < 7; nth += 1)
          await noteStepFailure(deps, { of: "enrolment", id: "someone", verb: "advance" }, error);
        expect(await told()).toEqual([]);
      });
    });
  });
});
