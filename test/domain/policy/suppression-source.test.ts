import { describe, expect, it } from "vitest";

import {
  ageOf,
  firstStale,
  lackOfSources,
  staleFromMs,
  staleText,
} from "../../../src/domain/policy/suppression-source.ts";

const DAY_MS = 86_400_000;
const list = (renewedAtMs: number | undefined, maxAgeMs = 10 * DAY_MS, source = "ftc") => ({
  source,
  renewedAtMs,
  maxAgeMs,
});

describe("the age of a list", () => {
  it.each([
    ["new", 0, "fresh"],
    ["shortly before four fifths of it", 8 * DAY_MS - 1, "fresh"],
    ["at four fifths", 8 * DAY_MS, "old"],
    ["shortly before its end", 10 * DAY_MS - 1, "old"],
    ["at its end", 10 * DAY_MS, "stale"],
    ["long after it", 100 * DAY_MS, "stale"],
  ] as const)("%s, at %i, is %s", (_name, nowMs, age) => {
    expect(ageOf(list(0), nowMs)).toBe(age);
  });

  it("of a source that never had one is stale from the beginning", () => {
    expect(ageOf(list(undefined), 0)).toBe("stale");
    expect(staleFromMs(list(undefined))).toBe(Number.NEGATIVE_INFINITY);
    expect(staleText(list(undefined))).toBe(
      "the source ftc has no list yet, and must have one that is at most 10d old: import the newest with outdial suppress import FILE --source ftc --replace",
    );
  });

  it("that ends first is the one that counts, however many there are", () => {
    const never = list(undefined, DAY_MS, "never");
    const soon = list(5 * DAY_MS, DAY_MS, "soon");
    const late = list(0, 30 * DAY_MS, "late");
    expect(firstStale([late, soon])).toEqual(soon);
    expect(firstStale([late, never, soon, list(undefined, DAY_MS, "other")])?.renewedAtMs).toBeUndefined();
    expect(firstStale([])).toBeUndefined();
  });
});

describe("sources that a campaign requires", () => {
  const source = (name: string, renewedAtMs?: number) => ({ source: name, renewedAtMs, maxAgeMs: undefined });
  const service = {
    ...source("carrier"),
    scrubber: {
      sourceId: 1,
      source: "carrier",
      sinceMs: 0,
      cacheMs: DAY_MS,
      whenAway: "wait" as const,
      awayTriedAtMs: undefined,
    },
  };

  it("lack nothing where each has a list, or answers itself", () => {
    expect(lackOfSources([], [])).toBeUndefined();
    expect(lackOfSources(["ftc", "carrier"], [service, source("other"), source("ftc", 0)])).toBeUndefined();
  });

  it("lack what there is not, and a list where none was ever taken, and the words say how that is mended", () => {
    expect(lackOfSources(["ftc"], [service])).toBe(
      "the campaign requires the source ftc, and there is none of that name for its brand: declare it with outdial suppress source put ftc, or take it out of requires_sources",
    );
    expect(lackOfSources(["carrier", "ftc"], [service, source("ftc")])).toBe(
      "the campaign requires the source ftc, which has no list yet: import the newest with outdial suppress import FILE --source ftc --replace",
    );
  });
});
