import { describe, expect, it } from "vitest";

import type { CallingWindow } from "../../../src/domain/policy/calling-window.ts";
import { createOpeningsAhead } from "../../../src/domain/policy/openings-ahead.ts";
import { otherPartMs } from "../../../src/domain/policy/other-part.ts";
import { piecesOf } from "../../../src/domain/policy/parts-of-day.ts";
import { NO_DATES } from "../../../src/domain/policy/window-dates.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";

const UTC = ["Etc/UTC"];
/** Their parts of the day begin an hour apart. */
const TWO_ZONES = ["America/New_York", "America/Chicago"];
const HOUR_MS = 3_600_000;

const moment = (text: string) => Date.parse(text);
const told = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);

/** The same hours each day of the week, or on those that are named (Monday is 0); and other hours on a date. */
function windowOf(
  hours: readonly [from: string, to: string],
  {
    days = [0, 1, 2, 3, 4, 5, 6],
    on,
  }: { days?: readonly number[]; on?: readonly [date: string, from: string, to: string] } = {},
): CallingWindow {
  const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const range = (from: string, to: string) => ({ startMinute: minute(from), endMinute: minute(to) });
  const week = Array.from({ length: 7 }, (_, day) => (days.includes(day) ? [range(...hours)] : []));
  const day = on && dayOfDate(on[0]);
  return {
    kind: "weekly",
    days: week,
    dates: {
      ...NO_DATES,
      exceptions:
        on && day !== undefined
          ? [{ fromDay: day, lastDay: day, name: "", ranges: [range(on[1], on[2])] }]
          : [],
    },
  };
}

const other = (window: CallingWindow, from: string, called: readonly string[], zones = UTC) =>
  told(otherPartMs(createOpeningsAhead(window), { zones, places: [] }, moment(from), called.map(moment)));

describe("a stretch, cut into parts of the day", () => {
  it("is cut where a part begins in any of the zones, in order, and nowhere else", () => {
    const pieces = piecesOf(TWO_ZONES, moment("2026-12-01T18:30Z"), moment("2026-12-01T22:00Z"));
    expect(
      pieces.map(({ startMs, endMs, parts }) => [told(startMs)?.slice(11), told(endMs)?.slice(11), ...parts]),
    ).toEqual([
      ["18:30", "19:00", "midday", "midday"],
      ["19:00", "20:00", "afternoon", "midday"],
      // It ends as the evening begins in New York: there is no evening in it.
      ["20:00", "22:00", "afternoon", "afternoon"],
    ]);
  });
});

describe("another part of the day than at the calls before", () => {
  const always: CallingWindow = { kind: "always" };

  it("is one that was not tried in any of the zones that somebody may be in", () => {
    const midday = "2026-12-01T17:30Z";
    // At 19:00 it is the afternoon in New York, and the same midday in Chicago.
    expect(other(always, "2026-12-01T18:30Z", [midday], TWO_ZONES)).toBe("2026-12-01T20:00");
  });

  it("is unlike the last call in all of them where each was tried", () => {
    const called = [
      "2026-11-30T15:00Z",
      "2026-11-30T20:30Z",
      "2026-11-30T22:30Z",
      "2026-11-30T23:30Z",
      "2026-12-01T17:30Z",
    ];
    expect(other(always, "2026-12-01T18:30Z", called, TWO_ZONES)).toBe("2026-12-01T20:00");
  });

  it("may be ten minutes long, and no less", () => {
    const called = ["2026-12-01T10:00Z"];
    expect(other(windowOf(["09:00", "11:10"]), "2026-12-01T10:10Z", called)).toBe("2026-12-01T11:00");
    expect(other(windowOf(["09:00", "11:09"]), "2026-12-01T10:10Z", called)).toBeUndefined();
  });

  it("that was not tried is waited for a week from the next opening, not longer, where another is nearer", () => {
    const called = ["2026-11-30T10:00Z", "2026-11-30T12:00Z"];
    const onMondays = (date: string) =>
      windowOf(["09:00", "13:00"], { days: [0], on: [date, "18:00", "20:00"] });
    // The next opening is on Monday the 7th.
    expect(other(onMondays("2026-12-13"), "2026-11-30T13:00Z", called)).toBe("2026-12-13T18:00");
    expect(other(onMondays("2026-12-16"), "2026-11-30T13:00Z", called)).toBe("2026-12-07T09:00");
  });

  it("is looked for on seven days on which the window opens, and on no eighth", () => {
    const called = ["2026-12-01T09:30Z"];
    const mornings = (date: string) => windowOf(["09:00", "10:30"], { on: [date, "18:00", "20:00"] });
    // The first of the seven is the 2nd.
    expect(other(mornings("2026-12-08"), "2026-12-01T11:00Z", called)).toBe("2026-12-08T18:00");
    expect(other(mornings("2026-12-09"), "2026-12-01T11:00Z", called)).toBeUndefined();
  });

  it("is none where nobody was called yet, nor where no zone is known", () => {
    expect(other(always, "2026-12-01T11:00Z", [])).toBeUndefined();
    expect(other(always, "2026-12-01T11:00Z", ["2026-12-01T09:30Z"], [])).toBeUndefined();
  });
});

describe("openings ahead", () => {
  const openings = (window: CallingWindow, fromMs: number, count: number) => {
    const found = [];
    for (const { startMs, endMs, opens } of createOpeningsAhead(window).openings(
      { zones: UTC, places: [] },
      fromMs,
    )) {
      found.push([told(startMs), told(endMs), opens]);
      if (found.length === count) break;
    }
    return found;
  };

  it("begin at their start on whatever day that is, and with what is left of one that is under way", () => {
    const window = windowOf(["00:00", "12:00"]);
    expect(openings(window, moment("2026-12-01T11:00Z"), 5)).toEqual([
      ["2026-12-01T11:00", "2026-12-01T12:00", false],
      ["2026-12-02T00:00", "2026-12-02T12:00", true],
      ["2026-12-03T00:00", "2026-12-03T12:00", true],
      ["2026-12-04T00:00", "2026-12-04T12:00", true],
      ["2026-12-05T00:00", "2026-12-05T12:00", true],
    ]);
  });

  it("leave out what is over, to the moment of its end", () => {
    const window = windowOf(["00:00", "12:00"]);
    const noonMs = moment("2026-12-01T12:00Z");
    for (const fromMs of [noonMs, noonMs + HOUR_MS])
      expect(openings(window, fromMs, 1)).toEqual([["2026-12-02T00:00", "2026-12-02T12:00", true]]);
  });

  it("that go on for days open once", () => {
    const found = openings(windowOf(["00:00", "24:00"]), moment("2026-12-01T12:00Z"), 4);
    expect(found.map(([, , opens]) => opens)).toEqual([false, false, false, false]);
  });
});
