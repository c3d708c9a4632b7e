import { describe, expect, it } from "vitest";

import {
  parseCron,
  patternsOfCalendar,
  type LocalPattern,
} from "../../../src/domain/schedules/schedule-pattern.ts";

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const ALWAYS: LocalPattern = {
  minutes: upTo(0, 59),
  hours: upTo(0, 23),
  daysOfMonth: upTo(1, 31),
  months: upTo(1, 12),
  weekdays: upTo(0, 6),
};
const problemOf = (text: string) => {
  const reading = parseCron(text);
  return reading.ok ? undefined : reading.problem;
};

describe("a cron expression", () => {
  it.each<[string, Partial<LocalPattern>]>([
    ["* * * * *", {}],
    ["5/20 * * * *", { minutes: [5, 25, 45] }],
    ["*/15 * * * *", { minutes: [0, 15, 30, 45] }],
    ["30,5,5 * * * *", { minutes: [5, 30] }],
    ["0-59/30 2/6 * * *", { minutes: [0, 30], hours: [2, 8, 14, 20] }],
    ["7-7 0 * * *", { minutes: [7], hours: [0] }],
    ["  59   23\t31 12 *  ", { minutes: [59], hours: [23], daysOfMonth: [31], months: [12] }],
    ["0 0 1-31/10 * *", { minutes: [0], hours: [0], daysOfMonth: [1, 11, 21, 31] }],
    ["0 0 * JAN-Mar,dec *", { minutes: [0], hours: [0], months: [1, 2, 3, 12] }],
    ["0 0 * 10/1 *", { minutes: [0], hours: [0], months: [10, 11, 12] }],
    ["0 0 * * 7", { minutes: [0], hours: [0], weekdays: [0] }],
    ["0 0 * * 5-7", { minutes: [0], hours: [0], weekdays: [0, 5, 6] }],
    ["0 0 * * Sat,sun", { minutes: [0], hours: [0], weekdays: [0, 6] }],
    // A day that is restricted by a step of all has to fit both fields, as every cron has it.
    ["0 0 */10 * fri", { minutes: [0], hours: [0], daysOfMonth: [1, 11, 21, 31], weekdays: [5] }],
    ["0 0 13 * */5", { minutes: [0], hours: [0], daysOfMonth: [13], weekdays: [0, 5] }],
  ])("%s is due where every field fits", (text, restricted) => {
    expect(parseCron(text)).toEqual({ ok: true, patterns: [{ ...ALWAYS, ...restricted }] });
  });

  it("is due on either day where both are restricted", () => {
    expect(parseCron("0 12 13 * fri")).toEqual({
      ok: true,
      patterns: [
        { ...ALWAYS, minutes: [0], hours: [12], daysOfMonth: [13] },
        { ...ALWAYS, minutes: [0], hours: [12], weekdays: [5] },
      ],
    });
  });

  it.each(["", "* * * *", "* * * * * *", "@daily"])("%j has not five fields", (text) => {
    expect(problemOf(text)).toBe(
      'must have five fields (minute, hour, day of month, month, day of week) such as "30 2 * * *"',
    );
  });

  const field = (words: string, text: string, from: number, to: number) =>
    `${words} "${text}" can't be read: use numbers from ${from} to ${to}, lists (1,15), ranges (1-5) and steps (*/10)`;

  it.each([
    "60",
    "5-60",
    "5-1",
    "*-5",
    "*/0",
    "5/0",
    "5/100",
    "100",
    "-1",
    "1-2-3",
    "1//2",
    "1,",
    "jan",
    "x5",
    "foo-5",
    "005",
    "0x5",
    "5x",
    "1.5",
    "٥",
  ])("is refused with the minute %s", (text) => {
    expect(problemOf(`${text} * * * *`)).toBe(field("minute", text, 0, 59));
  });

  it("is refused with every field that can't be read, and what each may hold", () => {
    expect(problemOf("60 24 0 13 8")).toBe(
      [
        field("minute", "60", 0, 59),
        field("hour", "24", 0, 23),
        field("day of the month", "0", 1, 31),
        field("month", "13", 1, 12),
        field("day of the week", "8", 0, 7),
      ].join("; "),
    );
    expect(problemOf("0 0 32 0 mon-foo")).toBe(
      [
        field("day of the month", "32", 1, 31),
        field("month", "0", 1, 12),
        field("day of the week", "mon-foo", 0, 7),
      ].join("; "),
    );
  });

  it("is refused where no month has such a day, and in no other case", () => {
    const never = "never comes: none of its months has such a day";
    expect(["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30-31 feb *"].map(problemOf)).toEqual([
      never,
      never,
      never,
    ]);
    for (const text of ["0 0 29 2 *", "0 0 31 2,3 *", "0 0 30 4,6,9,11 *", "0 0 31 12 *", "0 0 28-31 2 *"])
      expect(problemOf(text), text).toBeUndefined();
    for (const month of [1, 3, 5, 7, 8, 10, 12]) expect(problemOf(`0 0 31 ${month} *`)).toBeUndefined();
    // The Fridays of February come, whatever its 31st does.
    expect(problemOf("0 0 31 2 fri")).toBeUndefined();
  });
});

describe("a calendar", () => {
  it("is due at each of its times of day, on every day where it names none", () => {
    expect(patternsOfCalendar({ at: ["17:05", "09:30", "17:00", "09:30"] })).toEqual({
      ok: true,
      patterns: [
        { ...ALWAYS, hours: [17], minutes: [0, 5] },
        { ...ALWAYS, hours: [9], minutes: [30] },
      ],
    });
  });

  it("is due on days that fit all that it names", () => {
    expect(
      patternsOfCalendar({
        at: ["00:00"],
        weekdays: ["sunday", "saturday", "monday"],
        days_of_month: [31, 1],
        months: [12, 2],
      }),
    ).toEqual({
      ok: true,
      patterns: [{ hours: [0], minutes: [0], weekdays: [0, 1, 6], daysOfMonth: [1, 31], months: [2, 12] }],
    });
  });

  it("is refused where none of its months has such a day", () => {
    const problem = "never comes: none of its months has such a day";
    expect(patternsOfCalendar({ at: ["09:00"], days_of_month: [31], months: [4, 2] })).toEqual({
      ok: false,
      problem,
    });
    expect(patternsOfCalendar({ at: ["09:00"], days_of_month: [30], months: [4, 2] }).ok).toBe(true);
  });
});
