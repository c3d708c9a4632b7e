import fc from "fast-check";

import { readScheduleDefinition, type ScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { closestTogetherMs } from "../../src/domain/schedules/schedule-times.ts";
import { dueTimesOf } from "../../src/domain/schedules/schedule.ts";

/*
 * Schedules at random, as people write them, around the changes of clocks.
 */

/** Moments around which clocks change in 2027: an hour forward, an hour back, half an hour, at midnight, never. */
const CLOCK_CHANGES = [
  ["America/New_York", "2027-03-14T07:00Z"],
  ["America/New_York", "2027-11-07T06:00Z"],
  ["Europe/Berlin", "2027-03-28T01:00Z"],
  ["Europe/Berlin", "2027-10-31T01:00Z"],
  ["Australia/Lord_Howe", "2027-10-02T15:30Z"],
  ["Australia/Lord_Howe", "2027-04-03T15:00Z"],
  ["America/Santiago", "2027-09-05T04:00Z"],
  ["UTC", "2027-06-01T00:00Z"],
] as const;

const list = (min: number, max: number, most: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: most })
    .map((values) => values.join(","));

const cron = fc
  .tuple(
    fc.oneof(list(0, 59, 3), fc.constantFrom("*/20", "*/45", "0")),
    fc.oneof(list(0, 5, 3), fc.constantFrom("*", "1-3", "*/2", "9")),
    fc.constantFrom("*", "*", "14,28", "1-15"),
    fc.constantFrom("*", "3,4,9,10,11"),
    fc.constantFrom("*", "*", "sun", "sat-sat,0"),
  )
  .map((fields) => ({ cron: fields.join(" ") }));

const clock = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));

const calendar = fc
  .record(
    {
      at: fc.uniqueArray(clock, { minLength: 1, maxLength: 4 }),
      weekdays: fc.constantFrom("weekdays", "weekend", ["sunday"]),
      days_of_month: fc.constantFrom([1, 14, 28], [31]),
    },
    { requiredKeys: ["at"] },
  )
  .map((one) => ({ calendar: one }));

const interval = fc
  .tuple(fc.integer({ min: 600, max: 90_000 }), fc.integer({ min: 0, max: 599 }))
  .map(([every, offset]) => ({ every: `${every}s`, ...(offset > 0 && { offset: `${offset}s` }) }));

export interface RandomSchedule {
  definition: ScheduleDefinition;
  /** A moment some days around a change of its clocks. Unix milliseconds. */
  nearMs: number;
}

/** @param changes what all of them say */
export function randomSchedules(changes: Record<string, unknown> = {}): fc.Arbitrary<RandomSchedule> {
  return fc
    .record({
      when: fc.oneof(cron, calendar, interval),
      where: fc.constantFrom(...CLOCK_CHANGES),
      jitter: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
      hoursBefore: fc.integer({ min: 0, max: 60 }),
    })
    .map(({ when, where: [zone, moment], jitter, hoursBefore }) => {
      const definitionOf = (ms: number) => {
        const reading = readScheduleDefinition({
          name: "random",
          run: { workflow_id: "w" },
          time_zone: zone,
          ...when,
          ...changes,
          jitter: `${ms}ms`,
        });
        if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
        return reading.definition;
      };
      const closestMs = closestTogetherMs(dueTimesOf(definitionOf(0)));
      const definition = definitionOf(Math.floor(jitter * closestMs));
      return { definition, nearMs: Date.parse(moment) - hoursBefore * 3_600_000 };
    });
}
