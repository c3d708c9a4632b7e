import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { rampedAtMs, rampedLines, type RampUp } from "../../../src/domain/campaigns/ramp-up.ts";

const SINCE_MS = 1_000_000;
const ramp = (changes: Partial<RampUp> = {}): RampUp => ({
  concurrency: 10,
  rampMs: 100_000,
  sinceMs: SINCE_MS,
  ...changes,
});
const someRamp = fc.record({
  concurrency: fc.integer({ min: 1, max: 100_000 }),
  rampMs: fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 86_400_000 })),
  sinceMs: fc.integer({ min: 0, max: 2e12 }),
});

describe("lines of a campaign that has just begun", () => {
  it("grow evenly, from one to all", () => {
    const at = (seconds: number) => rampedLines(ramp(), SINCE_MS + seconds * 1_000);
    expect([0, 10, 10.001, 50, 90, 90.001, 100, 1_000].map(at)).toEqual([1, 1, 2, 5, 9, 10, 10, 10]);
  });

  it("are all there at once where nothing is said", () => {
    expect(rampedLines(ramp({ rampMs: 0 }), SINCE_MS)).toBe(10);
    expect(rampedLines(ramp({ rampMs: 0 }), SINCE_MS - 1), "whatever the clock says").toBe(10);
  });

  it("are one for a clock that went back", () => {
    expect(rampedLines(ramp(), SINCE_MS - 3_600_000)).toBe(1);
  });

  it("are never none, never more than all, and never fewer later", () => {
    fc.assert(
      fc.property(someRamp, fc.nat(86_400_000), fc.nat(10_000), (one, elapsedMs, moreMs) => {
        const lines = rampedLines(one, one.sinceMs + elapsedMs);
        expect(lines).toBeGreaterThanOrEqual(1);
        expect(lines).toBeLessThanOrEqual(one.concurrency);
        expect(rampedLines(one, one.sinceMs + elapsedMs + moreMs)).toBeGreaterThanOrEqual(lines);
      }),
    );
  });

  it("are one from the beginning on, and ten from a millisecond after nine are whole", () => {
    expect([0, 1, 10, 99].map((lines) => rampedAtMs(ramp(), lines))).toEqual([
      SINCE_MS,
      SINCE_MS,
      SINCE_MS + 90_001,
      SINCE_MS + 90_001,
    ]);
  });

  it("are there when it was said, within a millisecond or two", () => {
    fc.assert(
      fc.property(someRamp, fc.integer({ min: 1, max: 100_000 }), (one, wanted) => {
        const lines = Math.min(wanted, one.concurrency);
        const atMs = rampedAtMs(one, wanted);
        expect(rampedLines(one, atMs + 1)).toBeGreaterThanOrEqual(lines);
        const beforeMs = atMs - 2;
        if (one.rampMs > 0 && lines > 1 && beforeMs >= one.sinceMs)
          expect(rampedLines(one, beforeMs)).toBeLessThan(lines);
      }),
    );
  });
});
