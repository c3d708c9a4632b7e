import { Temporal } from "temporal-polyfill";

import { DAY_NAMES } from "../calling-window.ts";
import { parseDurationMs } from "../duration.ts";

/*
 * Times of day where a person is. Somebody who may be in several zones is waited for in all of them: the time is
 * the one at which it has come in the last. A local time that a clock change leaves out is the first instant
 * behind the gap; one that comes twice is the first of the two.
 */

/** A day that a rule names comes within a week; one that a zone leaves out altogether (Apia 2011), a week later. */
const MAX_DAYS_AHEAD = 15;
/** Nobody waits longer than this for a date: it is a typing error. */
const MAX_AHEAD_MS = 3 * 366 * 86_400_000;
/** Where a date has no time of day: within everybody's calling hours. */
const USUAL_CLOCK = "09:00";

export type Days = "weekdays" | "weekend" | readonly (typeof DAY_NAMES)[number][] | undefined;

/** The next instant after `afterMs` at which it is this late in all of the zones, on one of the days. */
export function nextLocalTime(clock: string, days: Days, zones: readonly string[], afterMs: number): number {
  return latestOf(zones, (zone) => nextInZone(clock, days, zone, afterMs));
}

function nextInZone(clock: string, days: Days, zone: string, afterMs: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(zone).toPlainDate();
  for (let ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead += 1) {
    const date = today.add({ days: ahead });
    if (!isOneOf(date, days)) continue;
    const time = localInstant(date, clock, zone);
    // A day that does not exist is no day on which it could be this late.
    if (time.epochMilliseconds > afterMs && time.toZonedDateTimeISO(zone).toPlainDate().equals(date))
      return time.epochMilliseconds;
  }
  throw new Error(`no ${clock} within ${MAX_DAYS_AHEAD} days in ${zone}`);
}

function isOneOf(date: Temporal.PlainDate, days: Days): boolean {
  if (days === undefined) return true;
  if (days === "weekdays") return date.dayOfWeek <= 5;
  if (days === "weekend") return date.dayOfWeek > 5;
  return days.some((day) => DAY_NAMES.indexOf(day) === date.dayOfWeek - 1);
}

export type DateReading = { ok: true; untilMs: number } | { ok: false; problem: string };

export interface DateWait {
  /** What the expression came to: a date, a time with or without an offset, seconds or milliseconds since 1970. */
  text: string;
  clock: string | undefined;
  offset: string | undefined;
  zones: readonly string[];
  nowMs: number;
}

/**
 * The instant that a date stands for, moved by its offset. A date alone is at the clock time where the person is;
 * whole days of an offset are days of the calendar there, whatever its clocks do.
 */
export function readDateWait(wait: DateWait): DateReading {
  const read = dateOf(wait.text.trim());
  if (!read) {
    const problem =
      "comes to no date: 2026-12-31, 2026-12-31T09:00:00Z, or seconds or milliseconds since 1970 are read";
    return { ok: false, problem };
  }
  const offset = offsetOf(wait.offset);
  const untilMs = latestOf(wait.zones, (zone) => {
    if ("instant" in read && wait.clock === undefined) {
      const moved = read.instant.toZonedDateTimeISO(zone).add({ days: offset.days });
      return moved.epochMilliseconds + offset.restMs;
    }
    const [date, clock] =
      "instant" in read
        ? [read.instant.toZonedDateTimeISO(zone).toPlainDate(), undefined]
        : [read.date, read.clock];
    const time = localInstant(date.add({ days: offset.days }), wait.clock ?? clock ?? USUAL_CLOCK, zone);
    return time.epochMilliseconds + offset.restMs;
  });
  if (untilMs > wait.nowMs + MAX_AHEAD_MS)
    return { ok: false, problem: "comes to a date that is more than three years away" };
  return { ok: true, untilMs };
}

type ReadDate = { date: Temporal.PlainDate; clock: string | undefined } | { instant: Temporal.Instant };

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const DAY_MS = 86_400_000;
/** Seconds since 1970 reach this in the year 5138; milliseconds reached it in 1973. */
const SECONDS_BELOW = 100_000_000_000;

function dateOf(text: string): ReadDate | undefined {
  try {
    if (/^\d{1,15}$/.test(text)) return ofNumber(Number(text));
    const [, date, clock, zone] = DATE.exec(text) ?? [];
    if (date === undefined) return undefined;
    if (zone !== undefined) return { instant: Temporal.Instant.from(text.replace(" ", "T")) };
    if (clock !== undefined) Temporal.PlainTime.from(clock);
    return { date: Temporal.PlainDate.from(date, { overflow: "reject" }), clock };
  } catch {
    // 2026-02-31, 25:00: written like a date, and none.
    return undefined;
  }
}

/** CRMs write dates as midnight UTC of the day: that is the day, not an instant of the evening before. */
function ofNumber(number: number): ReadDate {
  const epochMs = number < SECONDS_BELOW ? number * 1_000 : number;
  const instant = Temporal.Instant.fromEpochMilliseconds(epochMs);
  if (epochMs % DAY_MS !== 0) return { instant };
  return { date: instant.toZonedDateTimeISO("UTC").toPlainDate(), clock: undefined };
}

function offsetOf(text: string | undefined): { days: number; restMs: number } {
  if (text === undefined) return { days: 0, restMs: 0 };
  const sign = text.trim().startsWith("-") ? -1 : 1;
  const offsetMs = parseDurationMs(text.trim().replace(/^[+-]/, "")) ?? 0;
  const days = Math.floor(offsetMs / DAY_MS);
  return { days: sign * days, restMs: sign * (offsetMs - days * DAY_MS) };
}

function localInstant(date: Temporal.PlainDate, clock: string, zone: string): Temporal.Instant {
  const local = date.toPlainDateTime(Temporal.PlainTime.from(clock));
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.toInstant();
  // In a gap `earlier` is as far before it as the time is within it: the next change of the clocks is the gap.
  const after = earlier.getTimeZoneTransition("next") ?? earlier;
  return after.toInstant();
}

/** Somebody of whom no zone is known would have been refused; UTC keeps a turn from failing over it. */
function latestOf(zones: readonly string[], ofZone: (zone: string) => number): number {
  return Math.max(...(zones.length > 0 ? zones : ["UTC"]).map(ofZone));
}
