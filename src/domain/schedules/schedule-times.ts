import type { LocalPattern } from "./schedule-pattern.ts";
import { DAY_MS, dayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";

/*
 * When a schedule is due.
 *
 * 1. Cron expressions and calendars are local times. One that does not exist, because the clocks are put forward, is
 *    due at the first instant behind the gap; one that comes twice is due once, at the first of the two. What falls
 *    together is due once.
 * 2. An interval is elapsed time, whatever the clocks do: multiples of it since 1970, moved by its offset.
 */

export type DueTimes =
  | { kind: "local"; patterns: readonly LocalPattern[]; zone: string }
  | { kind: "every"; everyMs: number; offsetMs: number };

const MINUTE_MS = 60_000;

/** A 29th of February that has to be a Monday comes every 28 years. */
const HORIZON_DAYS = 30 * 366;

/**
 * The due times in (fromMs, toMs], in order.
 *
 * @param limit no more than so many, the first ones.
 */
export function occurrences(times: DueTimes, fromMs: number, toMs: number, limit: number): number[] {
  if (times.kind === "every") return multiples(times, fromMs, toMs, limit);
  const found: number[] = [];
  // Local dates are at most one off those of UTC.
  const lastDay = dayOf(toMs) + 1;
  for (let day = dayOf(fromMs) - 1; day <= lastDay; day += 1) {
    for (const dueMs of dueOn(times, day)) {
      if (dueMs <= fromMs || dueMs > toMs || dueMs === found.at(-1)) continue;
      found.push(dueMs);
      if (found.length === limit) return found;
    }
  }
  return found;
}

/**
 * What two due times are never nearer together than, while clocks do not change: a day for local times of one time of
 * day, whatever its days are. Above 0.
 */
export function closestTogetherMs(times: DueTimes): number {
  if (times.kind === "every") return times.everyMs;
  const ofDay = times.patterns.flatMap(({ hours, minutes }) =>
    hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)),
  );
  const sorted = [...new Set(ofDay)].sort((a, b) => a - b);
  const [first = 0] = sorted;
  const gaps = sorted.map((minute, at) => (sorted[at + 1] ?? first + DAY_MS / MINUTE_MS) - minute);
  return Math.min(...gaps) * MINUTE_MS;
}

/** The next ones after a moment; fewer where there are no more within thirty years. */
export function nextOccurrences(times: DueTimes, afterMs: number, count: number): number[] {
  return occurrences(times, afterMs, afterMs + HORIZON_DAYS * DAY_MS, count);
}

function multiples(
  { everyMs, offsetMs }: Extract<DueTimes, { kind: "every" }>,
  fromMs: number,
  toMs: number,
  limit: number,
): number[] {
  const found: number[] = [];
  let n = Math.floor((fromMs - offsetMs) / everyMs) + 1;
  for (; found.length < limit; n += 1) {
    const dueMs = n * everyMs + offsetMs;
    if (dueMs > toMs) break;
    found.push(dueMs);
  }
  return found;
}

/** Ascending, and some of them the same instant where the clocks leave times out. `day`: since 1970, local. */
function dueOn({ patterns, zone }: Extract<DueTimes, { kind: "local" }>, day: number): number[] {
  const minutes = minutesOn(patterns, day);
  if (minutes.length === 0) return [];
  const clocks = zoneOf(zone);
  const midnightMs = day * DAY_MS;
  const startMs = clocks.firstInstantMs(midnightMs);
  const endMs = clocks.firstInstantMs(midnightMs + DAY_MS);
  if (endMs - startMs === DAY_MS) return minutes.map((minute) => startMs + minute * MINUTE_MS);
  return minutes.map((minute) => clocks.firstInstantMs(midnightMs + minute * MINUTE_MS));
}

/** Minutes of a local day that any of the patterns matches, ascending. */
function minutesOn(patterns: readonly LocalPattern[], day: number): number[] {
  const matching = patterns.filter((pattern) => matchesDay(pattern, new Date(day * DAY_MS)));
  if (matching.length === 0) return [];
  const minutes = new Set(
    matching.flatMap((pattern) =>
      pattern.hours.flatMap((hour) => pattern.minutes.map((minute) => hour * 60 + minute)),
    ),
  );
  return [...minutes].sort((a, b) => a - b);
}

/** @param midnight of that day, in UTC: the fields of it are those of the local date. */
export function matchesDay(pattern: LocalPattern, midnight: Date): boolean {
  return (
    pattern.months.includes(midnight.getUTCMonth() + 1) &&
    pattern.daysOfMonth.includes(midnight.getUTCDate()) &&
    pattern.weekdays.includes(midnight.getUTCDay())
  );
}
