import { describe, expect, it } from "vitest";

import { LAST_INSTANT_MS, readSpokenTime } from "../../../src/domain/time/spoken-time.ts";

/* What callbacks make of it is in callback-time.test.ts: these are the edges of what is read at all. */

const UNREADABLE = { kind: "unreadable" };

/** A local time in few words: its day, its weekday, its clock. */
function read(said: string): string {
  const time = readSpokenTime(said);
  if (time.kind !== "local") return time.kind;
  const { day, weekday, clock } = time;
  const of =
    day && ("days" in day ? `+${day.days}` : "date" in day ? day.date.toString() : `${day.month}/${day.day}`);
  return [of, weekday && `day ${weekday}`, clock?.toString().slice(0, 5)].filter(Boolean).join(" ");
}

describe("a number", () => {
  it.each<[number | string, object]>([
    [1_000_000_000, { kind: "instant", atMs: 1_000_000_000_000 }],
    [999_999_999, UNREADABLE],
    [99_999_999_999, { kind: "instant", atMs: 99_999_999_999_000 }],
    [100_000_000_000, { kind: "instant", atMs: 100_000_000_000 }],
    [LAST_INSTANT_MS, { kind: "instant", atMs: LAST_INSTANT_MS }],
    [LAST_INSTANT_MS + 1, UNREADABLE],
    [1_795_446_000.5, UNREADABLE],
    ["1795446000", { kind: "instant", atMs: 1_795_446_000_000 }],
    ["17954460000000", UNREADABLE],
    ["1795446000000.0", UNREADABLE],
  ])("%j is seconds or milliseconds since 1970, or no time: %j", (said, time) => {
    expect(readSpokenTime(said)).toEqual(time);
  });
});

describe("a time from now on", () => {
  it.each([
    ["in two hours, please", 7_200_000],
    ["in half hour", 1_800_000],
    ["in half an hour", 1_800_000],
    ["in an hour", 3_600_000],
    ["as  soon\nas possible!!", 0],
    ["100000000d", LAST_INSTANT_MS],
  ])("is read from %j: %d ms", (said, delayMs) => {
    expect(readSpokenTime(said)).toEqual({ kind: "after", delayMs });
  });

  it.each([
    "100000001d",
    "99999999999h",
    "PT9999999999999H",
    "P",
    "PT",
    "in",
    "in about",
    "please",
    "hours",
    "this",
    "in two three hours",
    "in two an hours",
    "in one an hour",
    "in half two hours",
    "in half an an hour",
    "in 2nd hours",
  ])("is not read from %j", (said) => {
    expect(readSpokenTime(said)).toEqual(UNREADABLE);
  });
});

describe("a moment anywhere", () => {
  it.each(["2026-11-23 15:00 UTC", " 2026-11-23T15:00 gmt ", "2026-11-23T15:00:00Z", "2026-11-23T16:00+01"])(
    "is read from %j",
    (said) => {
      expect(readSpokenTime(said)).toEqual({ kind: "instant", atMs: Date.UTC(2026, 10, 23, 15) });
    },
  );
});

describe("a time by the clocks where somebody is", () => {
  it.each([
    // An hour of twelve is the one at which somebody can be called, or the one of its half or part of the day.
    ["tomorrow at 4:30", "+1 16:30"],
    ["tomorrow at 04:30", "+1 04:30"],
    ["tomorrow at 9", "+1 09:00"],
    ["tomorrow at 20", "+1 20:00"],
    ["tomorrow at 23", "+1 23:00"],
    ["tomorrow at 0:30", "+1 00:30"],
    ["tomorrow at 12pm", "+1 12:00"],
    ["tomorrow 10pm", "+1 22:00"],
    ["tomorrow at 4 p m", "+1 16:00"],
    ["tomorrow afternoon at 6", "+1 18:00"],
    // The word for hours behind a time of day.
    ["10 uur", "10:00"],
    ["10 h", "10:00"],
    ["at 4 tomorrow", "+1 16:00"],
    ["at 10, tuesday", "day 2 10:00"],
    ["tomorrow,at 10", "+1 10:00"],
    ["tomorrow, tuesday, at 10", "+1 day 2 10:00"],
    ["in a week at 10am", "+7 10:00"],
    ["in 2 weeks at 10am", "+14 10:00"],
    ["am 23. November um 10 Uhr", "11/23 10:00"],
    ["23 November 10 Uhr", "11/23 10:00"],
    ["23/12/2026 10:00", "2026-12-23 10:00"],
    [`${"please ".repeat(12)}tomorrow at 10am`, "+1 10:00"],
  ])("is read from %j: %s", (said, time) => {
    expect(read(said)).toBe(time);
  });

  it.each([
    "tomorrow at 13pm",
    "tomorrow at 13am",
    "tomorrow at 0am",
    "tomorrow at 0 pm",
    "tomorrow afternoon at 7",
    "tomorrow morning at 12",
    "10h",
    "14h",
    "7h",
    "23h",
    "tomorrow at half",
    "tomorrow at 10 minutes",
    "tomorrow 10th",
    "tomorrow am",
    "am tomorrow at 10",
    "morning",
    "evening at 8",
    "8:00 evening",
    "this noon",
    "this tonight",
    "in 48 hours at 10am",
    "in half day at 10am",
    "12/11/2026 10:00",
    `${"please ".repeat(12)}tomorrow at 10:00`,
  ])("is not read from %j, which is none for certain", (said) => {
    expect(read(said)).toBe("unreadable");
  });
});

it("nothing is said by what stands for it, with spaces around it", () => {
  expect(readSpokenTime(" none ")).toEqual({ kind: "nothing" });
  expect(readSpokenTime("not  specified.")).toEqual({ kind: "nothing" });
});
