import { describe, expect, it } from "vitest";

import { clocksAt, dayOf, localMoment, timeOf } from "../../../src/domain/time/local-moment.ts";

const AT_MS = Date.parse("2026-11-23T14:00:05.678Z");
const NEW_YORK = { zone: "America/New_York", localMs: Date.parse("2026-11-23T09:00:05.678Z") };
const HONOLULU = { zone: "Pacific/Honolulu", localMs: Date.parse("2026-11-23T04:00:05.678Z") };

describe("the clocks of somebody", () => {
  it("who may be in several zones are the earliest and the latest, in whatever order these are given", () => {
    const zones = ["America/Chicago", "America/New_York", "Pacific/Honolulu", "America/Denver"];
    const both = { first: HONOLULU, last: NEW_YORK };
    expect(clocksAt(AT_MS, zones)).toEqual(both);
    expect(clocksAt(AT_MS, zones.toReversed())).toEqual(both);
  });

  it("whose zones show the same are one, by the zone that was given first", () => {
    const one = { first: NEW_YORK, last: undefined };
    expect(clocksAt(AT_MS, ["America/New_York"])).toEqual(one);
    expect(clocksAt(AT_MS, ["America/New_York", "America/Toronto"])).toEqual(one);
    expect(clocksAt(AT_MS, ["Pacific/Honolulu", "America/New_York", "America/Toronto"])).toEqual({
      first: HONOLULU,
      last: { ...NEW_YORK, zone: "America/Toronto" },
    });
  });

  it("pass over a zone that nobody knows, and are none where no other is given", () => {
    expect(clocksAt(AT_MS, ["No/Such_Zone", "America/New_York", "Mars/Base"])?.first).toEqual(NEW_YORK);
    expect(clocksAt(AT_MS, ["No/Such_Zone"])).toBeUndefined();
    expect(clocksAt(AT_MS, [])).toBeUndefined();
  });
});

describe("a moment where somebody is", () => {
  it.each([
    [["America/New_York"], "2026-11-23 09:00:05 America/New_York"],
    [
      ["America/New_York", "Pacific/Honolulu"],
      "2026-11-23 04:00:05 Pacific/Honolulu to 09:00:05 America/New_York",
    ],
    [
      ["America/New_York", "Pacific/Auckland"],
      "2026-11-23 09:00:05 America/New_York to 2026-11-24 03:00:05 Pacific/Auckland",
    ],
    [["No/Such_Zone"], undefined],
  ])("in %j is %s", (zones, shown) => {
    expect(localMoment(AT_MS, zones)).toBe(shown);
  });

  it("is shown by its day and its time", () => {
    expect([dayOf(AT_MS), timeOf(AT_MS)]).toEqual(["2026-11-23", "14:00:05"]);
  });
});
