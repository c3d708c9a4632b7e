import { EVERY_WEEKDAY, range, type LocalPattern } from "./schedule-pattern.ts";
import { matchesDay, occurrences, type DueTimes } from "./schedule-times.ts";
import { zoneOf } from "../time/zone-data.ts";

/*
 * A schedule's due times in the words of a clock that does not do as we declare when clocks change. Temporal's passes
 * over a time that does not exist, takes one that comes twice both times, and is seen to take others for them: half
 * an hour in Lord Howe, the hour before the repeated one in Berlin. So the hours around each change are taken out of
 * the calendars, and put back as single instants.
 */

/** A pattern in some years. */
export interface YearlyPattern extends LocalPattern {
  years: readonly number[];
}

export interface LiteralTimes {
  calendars: YearlyPattern[];
  /** Unix milliseconds, ascending. */
  instants: number[];
}

/** Years that a clock of Temporal's knows. */
const YEARS: readonly number[] = range(2000, 2100);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Farther from a change than this, every clock agrees: none goes by more than two hours. */
const AROUND_MS = 3 * HOUR_MS;

/**
 * Exact for all times between the two moments; outside of them, wherever the clocks don't change.
 *
 * @param toMs some years later at the most: each change makes a handful of calendars and some hours of instants.
 */
export function literalTimes(
  times: Extract<DueTimes, { kind: "local" }>,
  fromMs: number,
  toMs: number,
): LiteralTimes {
  const around: Stretch[] = [];
  const instants: number[] = [];
  for (const { atMs, byMs, offsetBeforeMs } of zoneOf(times.zone).changes(fromMs, toMs)) {
    const wallMs = atMs + offsetBeforeMs;
    const wallFromMs = Math.floor((wallMs + Math.min(byMs, 0)) / HOUR_MS) * HOUR_MS - AROUND_MS;
    const wallToMs = Math.ceil((wallMs + Math.max(byMs, 0)) / HOUR_MS) * HOUR_MS + AROUND_MS;
    const firstMs = wallFromMs - offsetBeforeMs;
    const endMs = wallToMs - offsetBeforeMs - byMs;
    instants.push(...occurrences(times, firstMs - 1, endMs - 1, (wallToMs - wallFromMs) / MINUTE_MS));
    around.push(...stretchesOf(wallFromMs, wallToMs));
  }
  const calendars = times.patterns.flatMap((pattern) => without(pattern, around));
  return { calendars, instants };
}

/** Some minutes of one local date. */
interface Stretch {
  year: number;
  month: number;
  day: number;
  midnight: Date;
  fromMinute: number;
  /** Exclusive, 1440 at most. */
  toMinute: number;
}

/** @param fromMs local times, as milliseconds since 1970 of UTC. */
function stretchesOf(fromMs: number, toMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let startMs = fromMs; startMs < toMs;) {
    const midnightMs = Math.floor(startMs / DAY_MS) * DAY_MS;
    const endMs = Math.min(toMs, midnightMs + DAY_MS);
    const midnight = new Date(midnightMs);
    stretches.push({
      year: midnight.getUTCFullYear(),
      month: midnight.getUTCMonth() + 1,
      day: midnight.getUTCDate(),
      midnight,
      fromMinute: (startMs - midnightMs) / MINUTE_MS,
      toMinute: (endMs - midnightMs) / MINUTE_MS,
    });
    startMs = endMs;
  }
  return stretches;
}

/** A pattern without some stretches, as patterns that have no time in common. */
function without(pattern: LocalPattern, stretches: readonly Stretch[]): YearlyPattern[] {
  const touching = stretches.filter(
    (stretch) => matchesDay(pattern, stretch.midnight) && outside(pattern, stretch).isTouched,
  );
  const years = new Set(touching.map(({ year }) => year));
  const parts: YearlyPattern[] = [{ ...pattern, years: YEARS.filter((year) => !years.has(year)) }];
  for (const year of years) {
    const ofYear = touching.filter((stretch) => stretch.year === year);
    const months = new Set(ofYear.map(({ month }) => month));
    parts.push({ ...pattern, years: [year], months: pattern.months.filter((month) => !months.has(month)) });
    for (const month of months) {
      const ofMonth = ofYear.filter((stretch) => stretch.month === month);
      const days = new Set(ofMonth.map(({ day }) => day));
      const ofOtherDays = pattern.daysOfMonth.filter((day) => !days.has(day));
      parts.push({ ...pattern, years: [year], months: [month], daysOfMonth: ofOtherDays });
      for (const day of days) {
        const ofDay = ofMonth.filter((stretch) => stretch.day === day);
        // The date alone says it: a day that begins an hour late is not always taken for the right day of the week.
        const date = {
          ...pattern,
          years: [year],
          months: [month],
          daysOfMonth: [day],
          weekdays: EVERY_WEEKDAY,
        };
        parts.push(...ofDay.reduce<YearlyPattern[]>(leaveOut, [date]));
      }
    }
  }
  return parts.filter(isSome);
}

function leaveOut(parts: YearlyPattern[], stretch: Stretch): YearlyPattern[] {
  return parts.flatMap((part) => outside(part, stretch).rest.map((rest) => ({ ...part, ...rest })));
}

/** What is left of a pattern's times of day outside of a stretch. */
function outside(
  { hours, minutes }: LocalPattern,
  { fromMinute, toMinute }: Stretch,
): { isTouched: boolean; rest: Pick<LocalPattern, "hours" | "minutes">[] } {
  const rest: Pick<LocalPattern, "hours" | "minutes">[] = [];
  const whole: number[] = [];
  for (const hour of hours) {
    const kept = minutes.filter((minute) => {
      const ofDay = hour * 60 + minute;
      return ofDay < fromMinute || ofDay >= toMinute;
    });
    if (kept.length === minutes.length) whole.push(hour);
    else if (kept.length > 0) rest.push({ hours: [hour], minutes: kept });
  }
  if (whole.length > 0) rest.push({ hours: whole, minutes });
  const isTouched = whole.length < hours.length;
  return { isTouched, rest };
}

function isSome(pattern: YearlyPattern): boolean {
  return pattern.years.length > 0 && pattern.months.length > 0 && pattern.daysOfMonth.length > 0;
}
