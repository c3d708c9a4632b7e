import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseCron } from "../../../src/domain/schedules/schedule-pattern.ts";
import { readScheduleDefinition, dueTimesOf } from "../../../src/domain/schedules/schedule.ts";
import {
  closestTogetherMs,
  matchesDay,
  nextOccurrences,
  occurrences,
  type DueTimes,
} from "../../../src/domain/schedules/schedule-times.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function timesOf(when: Record<string, unknown>): DueTimes {
  const reading = readScheduleDefinition({ name: "s", run: { workflow_id: "w" }, ...when });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return dueTimesOf(reading.definition);
}

function due(when: Record<string, unknown>, from: string, to: string): string[] {
  const found = occurrences(timesOf(when), Date.parse(from) - 1, Date.parse(to), 100_000);
  return found.map((ms) => new Date(ms).toISOString().replace(":00.000Z", "Z"));
}

interface WallMinute {
  atMs: number;
  wallMs: number;
}

const walked = new Map<string, WallMinute[]>();

/** The local time of every UTC minute, by Intl and nothing of ours. */
function wallMinutes(zone: string, fromMs: number, toMs: number): WallMinute[] {
  const key = `${zone} ${fromMs} ${toMs}`;
  const known = walked.get(key) ?? walkMinutes(zone, fromMs, toMs);
  walked.set(key, known);
  return known;
}

function walkMinutes(zone: string, fromMs: number, toMs: number): WallMinute[] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const minutes = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += MINUTE_MS) {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    minutes.push({ atMs, wallMs: Date.UTC(year, month - 1, day, hour, minute) });
  }
  return minutes;
}

/** The rule, by walking through the minutes: what the clocks jump over counts for the minute behind the jump. */
function byWalking(times: Extract<DueTimes, { kind: "local" }>, fromMs: number, toMs: number): number[] {
  const matches = (wallMs: number) =>
    times.patterns.some((pattern) => {
      const wall = new Date(wallMs);
      return (
        pattern.minutes.includes(wall.getUTCMinutes()) &&
        pattern.hours.includes(wall.getUTCHours()) &&
        matchesDay(pattern, wall)
      );
    });
  // An hour before it, so that what comes for the second time is known to.
  const walk = wallMinutes(times.zone, fromMs - 90 * MINUTE_MS, toMs);
  let latestMs = (walk[0]?.wallMs ?? 0) - MINUTE_MS;
  const found: number[] = [];
  for (const { atMs, wallMs } of walk) {
    let isDue = false;
    for (let newMs = latestMs + MINUTE_MS; newMs <= wallMs; newMs += MINUTE_MS) isDue ||= matches(newMs);
    latestMs = Math.max(latestMs, wallMs);
    if (isDue && atMs >= fromMs) found.push(atMs);
  }
  return found;
}

/** Moments around which clocks change in 2027, one forward and one back in each zone. */
const CHANGES = [
  ["America/New_York", "2027-03-14T07:00Z", "2027-11-07T06:00Z"],
  ["Europe/Berlin", "2027-03-28T01:00Z", "2027-10-31T01:00Z"],
  ["Australia/Lord_Howe", "2027-10-02T15:30Z", "2027-04-03T15:00Z"],
] as const;

describe("due times around changes of the clocks", () => {
  it("runs a local time that does not exist at the first instant behind the gap", () => {
    const nightly = { cron: "30 2 * * *", time_zone: "America/New_York" };
    expect(due(nightly, "2027-03-13T00:00Z", "2027-03-16T00:00Z")).toEqual([
      "2027-03-13T07:30Z",
      "2027-03-14T07:00Z",
      "2027-03-15T06:30Z",
    ]);
    const lordHowe = { calendar: { at: ["02:15"] }, time_zone: "Australia/Lord_Howe" };
    expect(due(lordHowe, "2027-10-02T00:00Z", "2027-10-03T00:00Z")).toEqual(["2027-10-02T15:30Z"]);
  });

  it("runs a local time that comes twice once, the first time", () => {
    const early = { cron: "30 1 * * *", time_zone: "America/New_York" };
    expect(due(early, "2027-11-06T00:00Z", "2027-11-09T00:00Z")).toEqual([
      "2027-11-06T05:30Z",
      "2027-11-07T05:30Z",
      "2027-11-08T06:30Z",
    ]);
    const lordHowe = { cron: "45 1 * * *", time_zone: "Australia/Lord_Howe" };
    expect(due(lordHowe, "2027-04-03T00:00Z", "2027-04-04T00:00Z")).toEqual(["2027-04-03T14:45Z"]);
  });

  it("has one run where several times fall together behind the gap", () => {
    const often = { cron: "0,20,40 2,3 * * *", time_zone: "Europe/Berlin" };
    expect(due(often, "2027-03-28T00:00Z", "2027-03-28T02:00Z")).toEqual([
      "2027-03-28T01:00Z",
      "2027-03-28T01:20Z",
      "2027-03-28T01:40Z",
    ]);
  });

  it("counts intervals in elapsed time, whatever the clocks do", () => {
    const hourly = { every: "1h", offset: "10m", time_zone: "America/New_York" };
    expect(due(hourly, "2027-11-07T04:30Z", "2027-11-07T08:00Z")).toEqual([
      "2027-11-07T05:10Z",
      "2027-11-07T06:10Z",
      "2027-11-07T07:10Z",
    ]);
  });

  it.each(CHANGES)(
    "agrees with a walk through all minutes in %s, whatever the expression",
    (zone, ...moments) => {
      const field = (min: number, max: number) =>
        fc
          .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
          .map((values) => values.join(","));
      const cron = fc
        .tuple(
          fc.oneof(field(0, 59), fc.constantFrom("*", "*/15", "*/7")),
          fc.oneof(field(0, 4), fc.constantFrom("*", "1-3", "*/2")),
          fc.constantFrom("*", "*", "14,28", "1-15"),
          fc.constantFrom("*", "3,4,10,11"),
          fc.constantFrom("*", "*", "sun", "sat-sat,0"),
        )
        .map((fields) => fields.join(" "));
      fc.assert(
        fc.property(cron, fc.constantFrom(...moments), (expression, moment) => {
          const times = timesOf({ cron: expression, time_zone: zone });
          if (times.kind !== "local") throw new Error("a cron expression is local");
          const fromMs = Date.parse(moment) - 0.3 * DAY_MS;
          const toMs = Date.parse(moment) + 0.3 * DAY_MS;
          expect(occurrences(times, fromMs - 1, toMs, 10_000)).toEqual(byWalking(times, fromMs, toMs));
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe("cron and calendars", () => {
  it("knows lists, ranges, steps and names", () => {
    expect(parseCron("0-10/5,30 22-23 1,15 jan-mar mon,sun")).toEqual({
      ok: true,
      patterns: [
        expect.objectContaining({
          minutes: [0, 5, 10, 30],
          hours: [22, 23],
          daysOfMonth: [1, 15],
          months: [1, 2, 3],
        }),
        expect.objectContaining({ weekdays: [0, 1] }),
      ],
    });
  });

  it("takes a day that fits either field, as every cron does, where both are restricted", () => {
    const days = due({ cron: "0 12 13 * fri" }, "2027-08-01T00:00Z", "2027-08-31T00:00Z");
    expect(days.map((day) => day.slice(8, 10))).toEqual(["06", "13", "20", "27"]);
    const strict = { calendar: { at: ["12:00"], days_of_month: [13], weekdays: ["friday"] } };
    expect(due(strict, "2027-01-01T00:00Z", "2027-12-31T00:00Z")).toEqual(["2027-08-13T12:00Z"]);
  });

  it("refuses what is none, and says which part", () => {
    for (const [text, words] of [
      ["* * * *", "five fields"],
      ["61 * * * *", "minute"],
      ["0 9 * * funday", "day of the week"],
      ["0 0 31 2 *", "never comes"],
      ["*/0 * * * *", "minute"],
    ] as const) {
      const reading = parseCron(text);
      expect(reading.ok ? "" : reading.problem).toContain(words);
    }
  });

  it("finds the next times of what is rare", () => {
    const leap = timesOf({ cron: "0 0 29 2 *" });
    const next = nextOccurrences(leap, Date.parse("2026-10-01T00:00Z"), 3);
    expect(next.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
      "2028-02-29",
      "2032-02-29",
      "2036-02-29",
    ]);
  });
});

describe("due times are told", () => {
  const MAY = Date.parse("2027-05-01T00:00Z");

  it("from behind the one moment to the other, which is among them", () => {
    const times = timesOf({ cron: "0 * * * *" });
    expect(occurrences(times, MAY, MAY + 120 * MINUTE_MS, 10)).toEqual([
      MAY + 60 * MINUTE_MS,
      MAY + 120 * MINUTE_MS,
    ]);
    const every = timesOf({ every: "1h", offset: "10m" });
    expect(occurrences(every, MAY + 10 * MINUTE_MS, MAY + 130 * MINUTE_MS, 10)).toEqual([
      MAY + 70 * MINUTE_MS,
      MAY + 130 * MINUTE_MS,
    ]);
    expect(occurrences(times, MAY, MAY, 10)).toEqual([]);
    expect(occurrences(every, MAY, MAY, 10)).toEqual([]);
  });

  it("no more of them than are asked for, the first ones", () => {
    for (const when of [{ cron: "*/10 * * * *" }, { every: "10m" }]) {
      expect(occurrences(timesOf(when), MAY, MAY + DAY_MS, 2), JSON.stringify(when)).toEqual([
        MAY + 10 * MINUTE_MS,
        MAY + 20 * MINUTE_MS,
      ]);
      expect(nextOccurrences(timesOf(when), MAY, 1)).toEqual([MAY + 10 * MINUTE_MS]);
    }
  });

  it("on the first and the last local day of the earth's clocks", () => {
    expect(
      due({ cron: "0 0 * * *", time_zone: "Pacific/Kiritimati" }, "2027-05-01T09:00Z", "2027-05-01T10:00Z"),
    ).toEqual(["2027-05-01T10:00Z"]);
    expect(
      due({ cron: "59 23 * * *", time_zone: "Pacific/Pago_Pago" }, "2027-05-01T10:00Z", "2027-05-01T11:00Z"),
    ).toEqual(["2027-05-01T10:59Z"]);
  });

  it.each([
    ["an interval", { every: "45s" }, 45_000],
    ["one time of day, whatever its days are", { cron: "30 9 1 1 *" }, DAY_MS],
    ["two times of day", { calendar: { at: ["09:00", "10:30"] } }, 90 * MINUTE_MS],
    ["two that are nearest over midnight", { calendar: { at: ["23:45", "12:00", "00:10"] } }, 25 * MINUTE_MS],
    ["the same time in two patterns", { cron: "0 9 13 * fri" }, DAY_MS],
  ])("and how near two of them are at the least: %s", (_name, when, expected) => {
    expect(closestTogetherMs(timesOf(when))).toBe(expected);
  });
});
