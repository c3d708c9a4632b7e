import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatDurationMs, parseDurationMs } from "../../../src/domain/time/duration.ts";

describe("a duration as it is written", () => {
  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["45s", 45_000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["1h30m15s", 5_415_000],
    ["2d", 172_800_000],
    ["1.5h", 5_400_000],
    ["0.0004s", 0],
    [" 30m ", 1_800_000],
  ])("%j", (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  it.each([
    "",
    " ",
    "30",
    "m",
    "30 m",
    "1h 30m",
    "30min",
    "30M",
    "-5m",
    "+5m",
    "5.m",
    ".5m",
    "1e3s",
    "1h-30m",
    "soon",
    "PT30M",
    "٣٠m",
    "30m\n5",
  ])("%j is none", (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });

  it("reads the next text from its beginning after one that was none", () => {
    expect(parseDurationMs("10m!")).toBeUndefined();
    expect(parseDurationMs("5s")).toBe(5_000);
  });
});

describe("a duration as it is said", () => {
  it.each([
    [0, "0ms"],
    [250, "250ms"],
    [1_000, "1s"],
    [45_000, "45s"],
    [59_600, "1m"],
    [5_400_000, "1h30m"],
    [86_400_000, "1d"],
    [90_061_000, "1d1h"],
    [172_800_000, "2d"],
  ])("%d ms is %s", (durationMs, text) => {
    expect(formatDurationMs(durationMs)).toBe(text);
  });

  it("can be read back, off by less than its smallest unit said", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 40 * 86_400_000 }), (durationMs) => {
        const back = parseDurationMs(formatDurationMs(durationMs)) ?? Number.NaN;
        const unitMs = durationMs >= 86_400_000 ? 3_600_000 : durationMs >= 3_600_000 ? 60_000 : 1_000;
        expect(Math.abs(back - durationMs)).toBeLessThanOrEqual(unitMs);
      }),
    );
  });
});
