import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { momentOf } from "../../src/platform/moments.ts";

const MOMENT = Date.UTC(2026, 10, 22, 10);

/** A quarter of an hour, half an hour and none off UTC, with and without a change of the clocks. */
const ZONES = ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham", "Pacific/Kiritimati"];

describe.each(ZONES)("a time of the platform, read in %s", (zone) => {
  const before = process.env["TZ"];
  beforeEach(() => {
    process.env["TZ"] = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  test.each([
    "2026-11-22T10:00:00",
    "2026-11-22 10:00:00",
    "2026-11-22T10:00",
    "2026-11-22t10:00:00z",
    "2026-11-22T10:00:00Z",
    "2026-11-22T10:00:00.000000",
    "2026-11-22T10:00:00.000999Z",
    "2026-11-22 10:00:00.000+00:00",
    "2026-11-22 10:00:00 UTC",
    "2026-11-22 10:00:00+00",
    "2026-11-22T15:30:00+05:30",
    "2026-11-22T15:30:00+0530",
    "2026-11-22T06:30:00-03:30",
    "2026-11-21T24:00:00-10:00",
    "Sun, 22 Nov 2026 10:00:00 GMT",
    "Sun, 22 Nov 2026 10:00:00",
    "Sun Nov 22 10:00:00 2026",
    "1795341600",
    "1795341600.0",
    "1795341600000",
    1_795_341_600,
    1_795_341_600_000,
    " 2026-11-22T10:00:00Z ",
  ])("is that moment: %j", (text) => {
    expect(momentOf(text)).toBe(MOMENT);
  });

  test("may be a date alone, or have decimals", () => {
    expect(momentOf("2026-11-22")).toBe(Date.UTC(2026, 10, 22));
    expect(momentOf("2026-11-22T10:00:00.123456")).toBe(MOMENT + 123);
    expect(momentOf("2026-11-22T10:00:00,5")).toBe(MOMENT + 500);
    expect(momentOf(1_795_341_600.25)).toBe(MOMENT + 250);
    // In a gap of local clocks, which UTC does not have.
    expect(momentOf("2026-03-08T02:30:00")).toBe(Date.UTC(2026, 2, 8, 2, 30));
  });

  test.each([
    undefined,
    null,
    "",
    "soon",
    Number.NaN,
    Infinity,
    -1,
    0,
    1e300,
    // What `Date` takes for a year, or for a month.
    "99999",
    "2026",
    "11",
    99_999,
    2026,
    "202611221000",
    // Zero times, and times that nobody could mean.
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "1970-01-01T00:00:00Z",
    "1999-12-31T23:59:59Z",
    "2100-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "+275760-09-13T00:00:00.000Z",
    // Dates that are none.
    "2026-02-30T10:00:00",
    "2026-13-01",
    "2026-11-22T25:00:00Z",
    "2026-11-22T10:61:00Z",
    "2026-11-22T24:00:01Z",
    "2026-11-22T10:00:00+99:00",
    "2026-11-22T10:00:00 America/New_York",
    "22.11.2026 10:00",
    "11/22/2026",
    `2026-11-22T10:00:00.${"0".repeat(1_000_000)}Z`,
    "2026-11-22T10:00:00\u0000",
  ])("is none: %j", (value) => {
    expect(momentOf(value)).toBeUndefined();
  });

  test("is within a hundred years, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double(),
          fc.string({ unit: "binary" }),
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          fc.stringMatching(/^[\dTZ:+. -]{1,40}$/),
        ),
        (value) => {
          const moment = momentOf(value);
          if (moment === undefined) return;
          expect(Number.isInteger(moment)).toBe(true);
          expect(moment).toBeGreaterThanOrEqual(Date.UTC(2000, 0, 1));
          expect(moment).toBeLessThan(Date.UTC(2100, 0, 1));
        },
      ),
    );
  });
});

test("a moment of this century is read back as it was written", () => {
  const moments = fc.date({
    min: new Date(Date.UTC(2000, 0, 1)),
    max: new Date(Date.UTC(2099, 11, 31)),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, (date) => {
      const iso = date.toISOString();
      expect(momentOf(iso)).toBe(date.getTime());
      expect(momentOf(iso.slice(0, -1))).toBe(date.getTime());
      expect(momentOf(iso.replace("T", " ").slice(0, -1))).toBe(date.getTime());
    }),
  );
});
