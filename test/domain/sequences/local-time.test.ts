import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NO_DATES } from "../../../src/domain/policy/window-dates.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";
import { zoneOf } from "../../../src/domain/time/zone-data.ts";
import {
  afterBusinessDays,
  nextLocalTime,
  readDateWait,
  type DateReading,
  type Days,
} from "../../../src/domain/sequences/local-time.ts";

const BERLIN = ["Europe/Berlin"];

function next(clock: string, after: string, zones: readonly string[] = BERLIN, days?: Days): string {
  return shown(nextLocalTime(clock, days, zones, Date.parse(after)));
}

const shown = (read: DateReading) => (read.ok ? new Date(read.untilMs).toISOString() : read.problem);

describe("business days", () => {
  const dates = {
    ...NO_DATES,
    holidays: ["DE", "US"],
    exceptions: [
      { fromDay: dayOfDate("2026-12-28"), lastDay: dayOfDate("2026-12-31"), name: "", ranges: [] },
      {
        fromDay: dayOfDate("2027-01-02"),
        lastDay: dayOfDate("2027-01-02"),
        name: "Stocktaking",
        ranges: [{ startMinute: 600, endMinute: 720 }],
      },
    ],
  };
  const away = (count: number, now: string, clock?: string, zones = BERLIN) =>
    shown(afterBusinessDays(count, clock, zones, Date.parse(now), dates));

  it.each([
    // A Tuesday: Wednesday and Friday; a Friday: Monday.
    [1, "2026-12-01T10:00:00Z", undefined, "2026-12-02T10:00:00.000Z"],
    [3, "2026-12-01T10:00:00Z", "09:30", "2026-12-04T08:30:00.000Z"],
    [1, "2026-12-04T15:00:00Z", undefined, "2026-12-07T15:00:00.000Z"],
    [1, "2026-12-05T15:00:00Z", undefined, "2026-12-07T15:00:00.000Z"],
    // Christmas Eve is one until two o'clock; the 25th is none, nor are the exceptions, nor New Year. Saturday the 2nd is.
    [1, "2026-12-23T10:00:00Z", "09:00", "2026-12-24T08:00:00.000Z"],
    [2, "2026-12-23T10:00:00Z", "09:00", "2027-01-02T08:00:00.000Z"],
    [3, "2026-12-23T10:00:00Z", "09:00", "2027-01-04T08:00:00.000Z"],
    // The same time of day, although clocks change on the 28th of March.
    [1, "2026-03-27T10:00:00Z", undefined, "2026-03-30T09:00:00.000Z"],
  ])("%i away from %s at %s are at %s", (count, now, clock, expected) => {
    expect(away(count, now, clock)).toBe(expected);
  });

  it("are those of the person's day and holidays, and of the last of several zones", () => {
    // Monday evening in New York is Tuesday in Tokyo.
    expect(away(1, "2026-12-08T01:00:00Z", "09:00", ["America/New_York"])).toBe("2026-12-08T14:00:00.000Z");
    expect(away(1, "2026-12-08T01:00:00Z", "09:00", ["Asia/Tokyo"])).toBe("2026-12-09T00:00:00.000Z");
    // Thanksgiving, a Thursday.
    expect(away(1, "2026-11-25T15:00:00Z", "09:00", ["America/New_York"])).toBe("2026-11-27T14:00:00.000Z");
    expect(away(1, "2026-11-25T15:00:00Z", "09:00", [...BERLIN, "America/New_York"])).toBe(
      "2026-11-27T14:00:00.000Z",
    );
  });

  it("are one day for somebody who may be in several zones, at a time that has come in all of them", () => {
    const coasts = ["America/New_York", "America/Los_Angeles"];
    // Seven in the morning in New York, and four in Los Angeles; then late in the evening there, and another day here.
    expect(away(1, "2026-12-01T12:00:00Z", "09:00", coasts)).toBe("2026-12-02T17:00:00.000Z");
    expect(away(1, "2026-12-01T06:00:00Z", "09:00", coasts)).toBe("2026-12-02T17:00:00.000Z");
    expect(away(1, "2026-12-01T06:00:00Z", undefined, coasts)).toBe("2026-12-02T06:00:00.000Z");
  });

  it("of somebody whose places have different days are those of each, and the last counts", () => {
    const coasts = ["America/New_York", "America/Los_Angeles"];
    // Saturday in New York, and still Friday in Los Angeles: Monday there is Monday evening.
    expect(away(1, "2026-12-05T06:00:00Z", undefined, coasts)).toBe("2026-12-08T06:00:00.000Z");
    const both = [...BERLIN, "America/New_York"];
    const nowMs = Date.parse("2026-11-25T16:00:00Z");
    // Thanksgiving is a day like any other in Berlin.
    expect(shown(nextLocalTime("10:00", "business", both, nowMs, dates))).toBe("2026-11-27T15:00:00.000Z");
  });

  it("are waited for by a time of day, too", () => {
    const asked = (after: string) =>
      shown(nextLocalTime("10:00", "business", BERLIN, Date.parse(after), dates));
    expect(asked("2026-12-24T08:59:59Z")).toBe("2026-12-24T09:00:00.000Z");
    expect(asked("2026-12-24T09:00:00Z")).toBe("2027-01-02T09:00:00.000Z");
  });

  it("are waited for longer than a fortnight where business is closed for longer", () => {
    const closed = {
      ...NO_DATES,
      exceptions: [
        { fromDay: dayOfDate("2026-12-01"), lastDay: dayOfDate("2026-12-31"), name: "", ranges: [] },
      ],
    };
    const nowMs = Date.parse("2026-12-01T10:00:00Z");
    expect(shown(nextLocalTime("10:00", "business", BERLIN, nowMs, closed))).toBe("2027-01-01T09:00:00.000Z");
  });

  it("that never come are told", () => {
    const never = {
      ...dates,
      exceptions: [{ fromDay: 0, lastDay: dayOfDate("2040-01-01"), name: "", ranges: [] }],
    };
    const nowMs = Date.parse("2026-12-01T10:00:00Z");
    for (const read of [
      afterBusinessDays(1, undefined, BERLIN, nowMs, never),
      afterBusinessDays(1, "09:00", BERLIN, nowMs, never),
      nextLocalTime("10:00", "business", BERLIN, nowMs, never),
    ])
      expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("within two years") });
  });
});

describe("the next time of day", () => {
  it.each<[string, string, string, readonly string[], Days, string]>([
    [
      "is today where it is still to come",
      "10:00",
      "2026-12-01T08:59:59Z",
      BERLIN,
      undefined,
      "2026-12-01T09:00:00.000Z",
    ],
    [
      "is tomorrow where it is over",
      "10:00",
      "2026-12-01T09:00:01Z",
      BERLIN,
      undefined,
      "2026-12-02T09:00:00.000Z",
    ],
    [
      "is tomorrow at the very minute",
      "10:00",
      "2026-12-01T09:00:00Z",
      BERLIN,
      undefined,
      "2026-12-02T09:00:00.000Z",
    ],
    [
      "is on Monday after Friday's on weekdays",
      "10:00",
      "2026-12-04T12:00:00Z",
      BERLIN,
      "weekdays",
      "2026-12-07T09:00:00.000Z",
    ],
    [
      "is on Saturday at the weekend",
      "10:00",
      "2026-12-01T12:00:00Z",
      BERLIN,
      "weekend",
      "2026-12-05T09:00:00.000Z",
    ],
    [
      "is in a week where its day has just been",
      "10:00",
      "2026-12-01T12:00:00Z",
      BERLIN,
      ["tuesday"],
      "2026-12-08T09:00:00.000Z",
    ],
    [
      "is the day of the person's zone, not of UTC",
      "01:00",
      "2026-12-05T23:30:00Z",
      ["Asia/Tokyo"],
      ["monday"],
      "2026-12-06T16:00:00.000Z",
    ],
    [
      "is the latest where several zones are possible",
      "10:00",
      "2026-12-01T12:00:00Z",
      ["America/New_York", "America/Los_Angeles"],
      undefined,
      "2026-12-01T18:00:00.000Z",
    ],
    [
      "is after the gap where clocks leave it out",
      "02:30",
      "2026-03-28T12:00:00Z",
      BERLIN,
      undefined,
      "2026-03-29T01:00:00.000Z",
    ],
    [
      "is the first of two where it comes twice",
      "02:30",
      "2026-10-24T12:00:00Z",
      BERLIN,
      undefined,
      "2026-10-25T00:30:00.000Z",
    ],
    [
      "is not on a day that a zone left out",
      "10:00",
      "2011-12-30T00:00:00Z",
      ["Pacific/Apia"],
      ["friday"],
      "2012-01-05T20:00:00.000Z",
    ],
    [
      "is on the next of two named days",
      "10:00",
      "2026-12-01T12:00:00Z",
      BERLIN,
      ["monday", "friday"],
      "2026-12-04T09:00:00.000Z",
    ],
    [
      "is on a day that is there in all of the zones",
      "10:00",
      "2011-12-29T12:00:00Z",
      ["Pacific/Apia", "Pacific/Auckland"],
      ["friday"],
      "2012-01-05T21:00:00.000Z",
    ],
    [
      "is on the earlier of two days where it has not come on that in all of the zones",
      "23:00",
      "2026-12-07T16:00:00Z",
      ["Asia/Tokyo", "America/New_York"],
      undefined,
      "2026-12-08T04:00:00.000Z",
    ],
    [
      "is that of UTC where no zone is known",
      "10:00",
      "2026-12-01T12:00:00Z",
      [],
      undefined,
      "2026-12-02T10:00:00.000Z",
    ],
    [
      "moves with summer time",
      "10:00",
      "2026-03-29T12:00:00Z",
      BERLIN,
      undefined,
      "2026-03-30T08:00:00.000Z",
    ],
  ])("%s", (_, clock, after, zones, days, expected) => {
    expect(next(clock, after, zones, days)).toBe(expected);
  });
});

describe("a date is read", () => {
  const nowMs = Date.parse("2026-12-01T10:00:00Z");
  const read = (text: string, clock?: string, offset?: string, zones = BERLIN): string => {
    const reading = readDateWait({ text, clock, offset, zones, nowMs });
    return reading.ok ? new Date(reading.untilMs).toISOString() : reading.problem;
  };

  it.each<[string, string | undefined, string | undefined, string]>([
    ["2026-12-31", undefined, undefined, "2026-12-31T08:00:00.000Z"],
    ["2026-12-31", "17:30", undefined, "2026-12-31T16:30:00.000Z"],
    [" 2026-12-31 ", "10:00", "-3d", "2026-12-28T09:00:00.000Z"],
    ["2026-03-30", "10:00", "-1d", "2026-03-29T08:00:00.000Z"],
    ["2026-12-31", undefined, "+2h", "2026-12-31T10:00:00.000Z"],
    ["2026-12-31", undefined, "-1d12h", "2026-12-29T20:00:00.000Z"],
    ["2026-12-31T12:00", undefined, undefined, "2026-12-31T11:00:00.000Z"],
    ["2026-12-31T12:00:00Z", undefined, undefined, "2026-12-31T12:00:00.000Z"],
    ["2026-12-31T12:00:00+05:00", undefined, "30m", "2026-12-31T07:30:00.000Z"],
    ["2026-12-31T23:30:00Z", "09:00", undefined, "2027-01-01T08:00:00.000Z"],
    ["2026-12-31T00:00:00.000Z", undefined, undefined, "2026-12-31T00:00:00.000Z"],
    // 2026-12-31T00:00:00Z, as CRMs write the day: the morning of that day.
    ["1798675200000", undefined, undefined, "2026-12-31T08:00:00.000Z"],
    ["1798675200", undefined, undefined, "2026-12-31T08:00:00.000Z"],
    ["1798711200000", undefined, undefined, "2026-12-31T10:00:00.000Z"],
    ["2020-01-01", undefined, undefined, "2020-01-01T08:00:00.000Z"],
    ["2026-12-31", "10:00", " -3d ", "2026-12-28T09:00:00.000Z"],
    // Days of an offset are days there: the clocks change in between. The second of two half past two stays it.
    ["2026-03-28T12:00:00Z", undefined, "+1d", "2026-03-29T11:00:00.000Z"],
    ["2026-10-25T01:30:00Z", undefined, undefined, "2026-10-25T01:30:00.000Z"],
    // As seconds it would be in the year 5138.
    ["100000000000", undefined, undefined, "1973-03-03T09:46:40.000Z"],
  ])("%s at %s, moved by %s", (text, clock, offset, expected) => {
    expect(read(text, clock, offset)).toBe(expected);
  });

  it.each([
    "",
    "soon",
    "2026-02-31",
    "2026-13-01",
    "31.12.2026",
    "2026-12-31T25:00",
    "2026-12-31T10:00:00+99:00",
    "-5",
    "99999999999999999",
  ])("%s is none", (text) => {
    expect(read(text)).toMatch(/^comes to no date/);
  });

  it("is in the last of several zones", () => {
    expect(read("2026-12-31", "10:00", undefined, ["America/New_York", "America/Los_Angeles"])).toBe(
      "2026-12-31T18:00:00.000Z",
    );
  });

  it("is refused where it is years away", () => {
    const mostMs = nowMs + 3 * 366 * 86_400_000;
    expect(read(String(mostMs))).toBe(new Date(mostMs).toISOString());
    expect(read(String(mostMs + 1))).toMatch(/more than three years away/);
    expect(read("2062-12-31")).toMatch(/more than three years away/);
  });
});

describe("somebody who may be in several zones", () => {
  const us = ["America/New_York", "America/Los_Angeles", "Pacific/Honolulu"];

  it("is waited for until one day's time has come in all of them, and in none of them at night", () => {
    // Ten in New York, seven in Los Angeles, five in Honolulu: nine has come there by two in New York.
    expect(next("09:00", "2026-11-27T15:00:00Z", us)).toBe("2026-11-27T19:00:00.000Z");
    // Friday afternoon in Honolulu, night in New York.
    expect(next("09:00", "2026-11-28T04:00:00Z", us, "weekdays")).toBe("2026-11-30T19:00:00.000Z");
    // A Monday's morning in New York is over, and that of the others is not.
    expect(next("09:00", "2026-11-30T15:00:00Z", us, ["monday"])).toBe("2026-11-30T19:00:00.000Z");
    expect(next("09:00", "2026-11-30T20:00:00Z", us, ["monday"])).toBe("2026-12-07T19:00:00.000Z");
  });

  it("has one date of an instant at a time of day", () => {
    const read = readDateWait({
      text: "2026-12-01T06:00:00Z",
      clock: "09:00",
      offset: undefined,
      zones: us.slice(0, 2),
      nowMs: Date.parse("2026-11-20T00:00:00Z"),
    });
    expect(shown(read)).toBe("2026-12-01T17:00:00.000Z");
  });

  it("is somewhere on an allowed day, at that time or later, wherever they are (random)", () => {
    const zones = [...us, "America/Chicago", "America/Denver", "America/Anchorage", "America/St_Johns"];
    const clocks = fc.integer({ min: 0, max: 16 * 60 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1 }),
        fc.date({
          min: new Date("2026-01-01T00:00:00Z"),
          max: new Date("2028-01-01T00:00:00Z"),
          noInvalidDate: true,
        }),
        clocks,
        fc.constantFrom<Days>(undefined, "weekdays", "weekend", ["monday"]),
        (some, after, minutes, days) => {
          const two = (value: number) => String(value).padStart(2, "0");
          const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
          const read = nextLocalTime(clock, days, some, after.getTime());
          const untilMs = read.ok ? read.untilMs : Number.NaN;
          expect(untilMs).toBeGreaterThan(after.getTime());
          const local = some.map((name) => new Date(zoneOf(name).localMs(untilMs)).toISOString());
          expect(new Set(local.map((one) => one.slice(0, 10))).size, local.join()).toBe(1);
          const weekday = new Date(local[0] ?? "").getUTCDay();
          const isFree = weekday === 0 || weekday === 6;
          if (days === "weekdays" || days === "weekend") expect(isFree).toBe(days === "weekend");
          if (Array.isArray(days)) expect(weekday).toBe(1);
          for (const one of local) expect(one.slice(11, 16) >= clock, `${one} ${clock}`).toBe(true);
        },
      ),
    );
  });
});
