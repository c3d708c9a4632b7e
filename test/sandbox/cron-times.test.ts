import { Cron } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";

import { occurrences } from "../../src/domain/schedules/schedule-times.ts";
import { dueTimesOf, readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { isZone, nextCronTime } from "../../src/sandbox/state/cron-times.ts";

const DAY_MS = 86_400_000;

function runsOf(cron: string, zone: string, from: string, count: number): string[] {
  const runs: string[] = [];
  let atMs = Date.parse(from);
  while (runs.length < count) {
    atMs = nextCronTime(cron, zone, atMs) ?? Number.NaN;
    runs.push(new Date(atMs).toISOString().replace(":00.000Z", "Z"));
  }
  return runs;
}

test("a territory that changed its clocks lately has its mornings by its law, whatever this Node knows", () => {
  expect(runsOf("0 9 * * *", "America/Vancouver", "2026-10-30T18:00:00Z", 3)).toEqual([
    "2026-10-31T16:00Z",
    "2026-11-01T16:00Z",
    "2026-11-02T16:00Z",
  ]);
  expect(runsOf("0 9 * * *", "Africa/Casablanca", "2026-12-01T18:00:00Z", 1)).toEqual(["2026-12-02T09:00Z"]);
});

test("zones are known in any case and by their links, and what is none is none", () => {
  expect(isZone("america/vancouver")).toBe(true);
  expect(isZone("US/Eastern")).toBe(true);
  for (const none of ["Mars/Olympus", "", "constructor"]) {
    expect(isZone(none)).toBe(false);
  }
  expect(() => nextCronTime("0 9 * * *", "Mars/Olympus", 0)).toThrow(/Mars\/Olympus/);
});

test("what never comes is nothing", () => {
  expect(nextCronTime("0 0 31 2 *", "Europe/Berlin", 0)).toBeNull();
});

const ZONES = [
  "UTC",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "Europe/Berlin",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Gaza",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
];

const field = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => values.join(","));
const cron = fc
  .tuple(
    fc.oneof(field(0, 59), fc.constantFrom("0", "30", "*/15", "*")),
    fc.oneof(field(0, 4), fc.constantFrom("0", "1", "2", "3", "23", "*", "*/2", "1-3")),
    fc.constantFrom("*", "*", "1-7", "25-31"),
    fc.constantFrom("*", "*", "3,4", "9-11"),
    fc.constantFrom("*", "*", "sun", "5"),
  )
  .map((fields) => fields.join(" "));

test("due times are croner's own, where this Node knows the law of the zone", () => {
  const since = Date.UTC(2012, 0, 1);
  fc.assert(
    fc.property(
      cron,
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 12 * 365 * 24 * 4 }),
      (expression, timezone, quarters) => {
        let atMs = since + quarters * 900_000;
        const job = new Cron(expression, { timezone, mode: "5-part", paused: true });
        for (let run = 0; run < 5; run += 1) {
          const nextMs = nextCronTime(expression, timezone, atMs);
          expect(nextMs, `${expression} ${timezone} ${atMs}`).toBe(job.nextRun(new Date(atMs))?.getTime());
          atMs = nextMs ?? atMs;
        }
      },
    ),
    { numRuns: 400 },
  );
});

test("a time once a day is due when the engine says so, in the years to come as well", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES, "America/Vancouver", "America/Edmonton", "America/Winnipeg"),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 3 * 365 }),
      (zone, hour, minute, days) => {
        const expression = `${minute} ${hour} * * *`;
        const reading = readScheduleDefinition({
          name: "s",
          run: { workflow_id: "w" },
          cron: expression,
          time_zone: zone,
        });
        if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
        const atMs = Date.UTC(2026, 9, 1) + days * DAY_MS;
        const [dueMs] = occurrences(dueTimesOf(reading.definition), atMs, atMs + 3 * DAY_MS, 1);
        expect(nextCronTime(expression, zone, atMs), `${expression} ${zone} ${atMs}`).toBe(dueMs);
      },
    ),
    { numRuns: 500 },
  );
});
