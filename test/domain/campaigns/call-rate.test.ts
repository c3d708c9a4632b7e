import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  callRate,
  IN_THE_AIR_MS,
  rateInWords,
  roomForTurns,
  untilHalfBegun,
  waitForTurn,
  type SentStart,
} from "../../../src/domain/campaigns/call-rate.ts";

const NOW_MS = 1_000_000;
const FIVE = callRate(5);

/** Calls that began so many milliseconds ago. */
const begun = (calls: number, agoMs: number): SentStart => ({
  calls,
  sentAtMs: NOW_MS - agoMs - 50,
  seenAtMs: NOW_MS - agoMs,
});
const wait = (sent: readonly SentStart[], calls = 1, ahead = 0, rate = FIVE) =>
  waitForTurn(rate, { sent, ahead, calls, nowMs: NOW_MS });

describe("a rate of calls", () => {
  it.each([
    [5, 1, { calls: 5, withinMs: 1_000 }, "5 a second"],
    [1, 1, { calls: 1, withinMs: 1_000 }, "1 a second"],
    [2.5, 1, { calls: 3, withinMs: 1_200 }, "3 in 1.2 s"],
    [0.5, 1, { calls: 1, withinMs: 2_000 }, "1 in 2 s"],
    [5, 10, { calls: 5, withinMs: 100 }, "5 in 0.1 s"],
  ])("of %d a second, %d times as fast, is in whole calls", (perSecond, speed, rate, words) => {
    expect(callRate(perSecond, speed)).toEqual(rate);
    expect(rateInWords(rate)).toBe(words);
  });
});

describe("calls that are to begin", () => {
  it("may where none began", () => {
    expect(wait([], 5)).toBe(0);
  });

  it("may as long as the stretch of time has room for all of them", () => {
    expect(wait([begun(3, 400)], 2)).toBe(0);
    expect(wait([begun(3, 400)], 3)).toBe(600);
    expect(wait([begun(2, 900), begun(2, 300)], 3)).toBe(100);
    expect(wait([begun(2, 300), begun(2, 900)], 4), "in whatever order they are read").toBe(700);
  });

  it("wait for no call that began a whole stretch ago", () => {
    expect(wait([begun(5, 1_000)], 5)).toBe(0);
    expect(wait([begun(5, 999)], 5)).toBe(1);
    expect(wait([begun(5, 3_000)], 5), "not even a time that is over").toBe(0);
    expect(wait([begun(5, 3_000)], 5, 5), "but for those who wait").toBe(1_000);
  });

  it("wait for a start that is not answered as for one that is made now, as long as it may be in the air", () => {
    const sent = (agoMs: number) => ({ calls: 5, sentAtMs: NOW_MS - agoMs, seenAtMs: undefined });
    expect(wait([sent(0)])).toBe(1_000);
    expect(wait([sent(5_000)])).toBe(1_000);
    expect(wait([sent(IN_THE_AIR_MS)])).toBe(1_000);
    expect(wait([sent(IN_THE_AIR_MS + 400)])).toBe(600);
    expect(wait([sent(IN_THE_AIR_MS + 1_000)])).toBe(0);
  });

  it("wait for those who have waited longer", () => {
    expect(wait([], 5, 5)).toBe(1_000);
    expect(wait([begun(5, 400)], 5, 10)).toBe(600 + 2_000);
    expect(wait([], 1, 1)).toBe(200);
  });

  it("are never more than the rate, in any stretch of time, whatever was started and answered when", () => {
    const some = fc.record({
      calls: fc.integer({ min: 1, max: 100 }),
      /** When it asks, after the one before it; how long its answer takes. */
      afterMs: fc.nat(3_000),
      answerMs: fc.nat(IN_THE_AIR_MS - 1),
      /** When its calls begin, between its start and the answer. */
      at: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const rates = fc.oneof(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 99 }).map((n) => n / 10),
    );
    fc.assert(
      fc.property(rates, fc.array(some, { minLength: 1, maxLength: 20 }), (perSecond, starts) => {
        const rate = callRate(perSecond);
        const began: { atMs: number; calls: number }[] = [];
        const sent: { calls: number; sentAtMs: number; answeredAtMs: number }[] = [];
        let nowMs = 0;
        for (const { calls: wanted, afterMs, answerMs, at } of starts) {
          const calls = Math.min(wanted, rate.calls);
          nowMs += afterMs;
          for (;;) {
            const seen = sent.map(({ answeredAtMs, ...one }) => ({
              ...one,
              seenAtMs: answeredAtMs <= nowMs ? answeredAtMs : undefined,
            }));
            const waitMs = waitForTurn(rate, { sent: seen, ahead: 0, calls, nowMs });
            if (waitMs === 0) break;
            nowMs += waitMs;
          }
          sent.push({ calls, sentAtMs: nowMs, answeredAtMs: nowMs + answerMs });
          began.push({ calls, atMs: nowMs + at * answerMs });
        }
        for (const { atMs } of began) {
          const within = began.filter((one) => one.atMs >= atMs && one.atMs < atMs + rate.withinMs);
          expect(within.reduce((sum, { calls }) => sum + calls, 0)).toBeLessThanOrEqual(rate.calls);
        }
      }),
    );
  });
});

describe("calls that are made ready", () => {
  it("are as many as begin in ten stretches of time", () => {
    expect(roomForTurns(FIVE, 0)).toBe(50);
    expect(roomForTurns(FIVE, 48)).toBe(2);
    expect(roomForTurns(FIVE, 60)).toBe(0);
  });

  it("are made ready again when half of them have begun", () => {
    expect(untilHalfBegun(FIVE, 50)).toBe(5_000);
    expect(untilHalfBegun(FIVE, 25)).toBe(0);
    expect(untilHalfBegun(FIVE, 0)).toBe(0);
  });
});
