import { afterEach, describe, expect, it, vi } from "vitest";

import { findOpenings, windowStatus } from "../../../src/domain/policy/calling-window.ts";
import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";
import { occurrences } from "../../../src/domain/schedules/schedule-times.ts";
import { dueTimesOf, readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { nextLocalTime, readDateWait } from "../../../src/domain/sequences/local-time.ts";

/*
 * Territories whose clock rules changed in 2026, after the zone data of most builds of Node: what their law says,
 * whatever this Node knows. Dates are of the winter of 2026/27.
 */

const OFFICE_HOURS = windowOf({ weekdays: ["09:00-18:00"] });

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** When the clocks of these places show nine in the morning of a Tuesday in December and one in January. */
const NINE_IN_THE_MORNING = [
  // British Columbia stays on UTC-7, Alberta on UTC-6 and Manitoba on UTC-5 from November 2026 on.
  ["America/Vancouver", "2026-12-08T16:00:00.000Z", "2027-01-19T16:00:00.000Z"],
  ["America/Edmonton", "2026-12-08T15:00:00.000Z", "2027-01-19T15:00:00.000Z"],
  ["America/Winnipeg", "2026-12-08T14:00:00.000Z", "2027-01-19T14:00:00.000Z"],
  // Their links go with them.
  ["Canada/Pacific", "2026-12-08T16:00:00.000Z", "2027-01-19T16:00:00.000Z"],
  ["America/Yellowknife", "2026-12-08T15:00:00.000Z", "2027-01-19T15:00:00.000Z"],
  // Morocco is on UTC from September 2026 on.
  ["Africa/Casablanca", "2026-12-08T09:00:00.000Z", "2027-01-19T09:00:00.000Z"],
  ["Africa/El_Aaiun", "2026-12-08T09:00:00.000Z", "2027-01-19T09:00:00.000Z"],
  // What did not change.
  ["America/Los_Angeles", "2026-12-08T17:00:00.000Z", "2027-01-19T17:00:00.000Z"],
  ["America/Regina", "2026-12-08T15:00:00.000Z", "2027-01-19T15:00:00.000Z"],
] as const;

function everyMorningIn(zone: string): string[] {
  return NINE_IN_THE_MORNING.find(([name]) => name === zone)?.slice(1) ?? [];
}

function firstDue(zone: string, day: string): string | undefined {
  const reading = readScheduleDefinition({
    name: "s",
    run: { workflow_id: "w" },
    cron: "0 9 * * *",
    time_zone: zone,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const fromMs = Date.parse(`${day}T06:00:00Z`);
  return iso(occurrences(dueTimesOf(reading.definition), fromMs, fromMs + 86_400_000, 1)[0]);
}

function morningsBy(zone: string): Record<string, (string | undefined)[]> {
  const days = ["2026-12-08", "2027-01-19"];
  const at = (day: string) => Date.parse(`${day}T06:00:00Z`);
  return {
    window: days.map((day) => {
      const status = windowStatus(OFFICE_HOURS, [zone], at(day));
      return status.open ? "open" : iso(status.opensAtMs);
    }),
    opening: days.map((day) =>
      iso(findOpenings(OFFICE_HOURS, [zone], at(day), at(day) + 86_400_000)[0]?.startMs),
    ),
    schedule: days.map((day) => firstDue(zone, day)),
    wait: days.map((day) => {
      const reading = nextLocalTime("09:00", undefined, [zone], at(day));
      return reading.ok ? iso(reading.untilMs) : reading.problem;
    }),
    date: days.map((day) => {
      const reading = readDateWait({
        text: day,
        clock: "09:00",
        offset: undefined,
        zones: [zone],
        nowMs: at(day),
      });
      return reading.ok ? iso(reading.untilMs) : reading.problem;
    }),
  };
}

describe("nine in the morning, by the rules of 2026", () => {
  it.each(NINE_IN_THE_MORNING.map(([zone]) => zone))("in %s", (zone) => {
    const mornings = everyMorningIn(zone);
    expect(morningsBy(zone)).toEqual({
      window: mornings,
      opening: mornings,
      schedule: mornings,
      wait: mornings,
      date: mornings,
    });
  });
});

describe("on a Node whose zone data is old, or has no zones", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each<[string, () => Intl.DateTimeFormat]>([
    [
      "that knows no zone",
      () => {
        throw new RangeError("Invalid time zone specified");
      },
    ],
    ["that takes every zone for Kiritimati", () => new RealFormat("en", { timeZone: "Pacific/Kiritimati" })],
  ])("%s: the same instants", (_, format) => {
    vi.spyOn(Intl, "DateTimeFormat").mockImplementation(format);
    for (const [zone] of NINE_IN_THE_MORNING) {
      expect(morningsBy(zone)["window"]).toEqual(everyMorningIn(zone));
      expect(morningsBy(zone)["schedule"]).toEqual(everyMorningIn(zone));
      expect(morningsBy(zone)["wait"]).toEqual(everyMorningIn(zone));
    }
  });
});

const RealFormat = Intl.DateTimeFormat;
