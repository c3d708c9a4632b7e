import { Temporal } from "temporal-polyfill";

import { DAY_NAMES } from "../policy/calling-window.ts";
import { isOpenOn, NO_DATES, type WindowDates } from "../policy/window-dates.ts";
import { parseDurationMs } from "../time/duration.ts";
import { DAY_MS, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { Zone } from "../time/zone.ts";

/*
 * Times of day where a person is. Somebody who may be in several zones is waited for in all of them: the time is
 * the one at which it has come in the last. A local time that a clock change leaves out is the first instant
 * behind the gap; one that comes twice is the first of the two.
 */

/** A day that a rule names comes within a week; one that a zone leaves out altogether (Apia 2011), a week later. */
const MAX_DAYS_AHEAD = 15;
/** Business is done again within two years, whatever is closed. */
const MAX_BUSINESS_DAYS_AHEAD = 2 * 366;
/** Nobody waits longer than this for a date: it is a typing error. */
const MAX_AHEAD_MS = 3 * 366 * 86_400_000;
/** Where a date has no time of day: within everybody's calling hours. */
const USUAL_CLOCK = "09:00";

export type Days = "weekdays" | "weekend" | "business" | readonly (typeof DAY_NAMES)[number][] | undefined;

export type DateReading = { ok: true; untilMs: number } | { ok: false; problem: string };

/**
 * The next instant after `afterMs` at which it is this late in all of the zones, on one of the days.
 *
 * @param dates what is unlike others, for days on which business is done.
 */
export function nextLocalTime(
  clock: string,
  days: Days,
  zones: readonly string[],
  afterMs: number,
  dates = NO_DATES,
): DateReading {
  const places = placesOf(zones);
  // One date for all of them: each with its next own, it would be this late in one of them, and night in another.
  const today = Math.min(...todaysOf(places, afterMs));
  const last = Math.max(...todaysOf(places, afterMs)) + daysAhead(days);
  for (let day = today; day <= last; day += 1) {
    if (!places.every((zone) => isOneOf(day, days, zone, dates))) continue;
    const each = instantsOn(day, clock, places);
    // A day that does not exist is no day on which it could be this late.
    const isThere = places.every((zone, index) => dayOf(zone.localMs(each[index] ?? 0)) === day);
    const untilMs = Math.max(...each);
    if (isThere && untilMs > afterMs) return { ok: true, untilMs };
  }
  return NO_DAY;
}

/**
 * The instant that is so many business days away in all of the zones: days behind today, wherever that is, on which
 * business is done in all of them.
 *
 * @param clock absent: at the time of day that it is.
 */
export function afterBusinessDays(
  count: number,
  clock: string | undefined,
  zones: readonly string[],
  nowMs: number,
  dates: WindowDates,
): DateReading {
  const places = placesOf(zones);
  const todays = todaysOf(places, nowMs);
  const dayAfter = (today: number): number | undefined => {
    let left = count;
    for (let day = today + 1; day <= today + count + MAX_BUSINESS_DAYS_AHEAD; day += 1) {
      if (places.every((zone) => isOneOf(day, "business", zone, dates))) left -= 1;
      if (left === 0) return day;
    }
    return undefined;
  };
  if (clock !== undefined) {
    const day = dayAfter(Math.max(...todays));
    return day === undefined ? NO_DAY : { ok: true, untilMs: Math.max(...instantsOn(day, clock, places)) };
  }
  // Moved by whole days it is as late everywhere as it is now.
  const moved = places.map((zone, index) => {
    const today = todays[index] ?? 0;
    const day = dayAfter(today);
    return day === undefined ? undefined : zone.firstInstantMs(zone.localMs(nowMs) + (day - today) * DAY_MS);
  });
  return moved.every((one) => one !== undefined) ? { ok: true, untilMs: Math.max(...moved) } : NO_DAY;
}

const NO_DAY: DateReading = {
  ok: false,
  problem: "comes to no day within two years: exceptions and holidays close them all",
};

/** Somebody of whom no zone is known would have been refused; UTC keeps a turn from failing over it. */
function placesOf(zones: readonly string[]): readonly Zone[] {
  return (zones.length > 0 ? zones : ["UTC"]).map((name) => zoneOf(name));
}

function todaysOf(places: readonly Zone[], nowMs: number): number[] {
  return places.map((zone) => dayOf(zone.localMs(nowMs)));
}

/** When it is that late on that day, in each of them. */
function instantsOn(day: number, clock: string, places: readonly Zone[]): number[] {
  return places.map((zone) => zone.firstInstantMs(day * DAY_MS + clockMs(clock)));
}

function daysAhead(days: Days): number {
  return days === "business" ? MAX_BUSINESS_DAYS_AHEAD : MAX_DAYS_AHEAD;
}

function isOneOf(day: number, days: Days, zone: Zone, dates: WindowDates): boolean {
  if (days === undefined) return true;
  const weekday = weekdayOf(day);
  if (days === "business") return isOpenOn(dates, zone.name, day, weekday < 5);
  if (days === "weekdays") return weekday < 5;
  if (days === "weekend") return weekday >= 5;
  return days.some((name) => DAY_NAMES.indexOf(name) === weekday);
}

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
  const places = placesOf(wait.zones);
  const each = places.map((zone) => {
    if ("instantMs" in read && wait.clock === undefined) {
      const movedMs =
        offset.days === 0
          ? read.instantMs
          : zone.firstInstantMs(zone.localMs(read.instantMs) + offset.days * DAY_MS);
      return movedMs + offset.restMs;
    }
    // One date for all of them, as above.
    const [day, clock] =
      "instantMs" in read
        ? [Math.max(...todaysOf(places, read.instantMs)), undefined]
        : [read.day, read.clock];
    const localMs = (day + offset.days) * DAY_MS + clockMs(wait.clock ?? clock ?? USUAL_CLOCK);
    return zone.firstInstantMs(localMs) + offset.restMs;
  });
  const untilMs = Math.max(...each);
  if (untilMs > wait.nowMs + MAX_AHEAD_MS)
    return { ok: false, problem: "comes to a date that is more than three years away" };
  return { ok: true, untilMs };
}

/** `day`: since 1970, where the person is. */
type ReadDate = { day: number; clock: string | undefined } | { instantMs: number };

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
/** Seconds since 1970 reach this in the year 5138; milliseconds reached it in 1973. */
const SECONDS_BELOW = 100_000_000_000;

function dateOf(text: string): ReadDate | undefined {
  try {
    if (/^\d{1,15}$/.test(text)) return ofNumber(Number(text));
    const [, date, clock, zone] = DATE.exec(text) ?? [];
    if (date === undefined) return undefined;
    if (zone !== undefined)
      return { instantMs: Temporal.Instant.from(text.replace(" ", "T")).epochMilliseconds };
    if (clock !== undefined) Temporal.PlainTime.from(clock);
    const read = Temporal.PlainDate.from(date, { overflow: "reject" });
    return { day: dayOf(Date.parse(`${read.toString()}T00:00:00Z`)), clock };
  } catch {
    // 2026-02-31, 25:00: written like a date, and none.
    return undefined;
  }
}

/** CRMs write dates as midnight UTC of the day: that is the day, not an instant of the evening before. */
function ofNumber(number: number): ReadDate {
  const epochMs = number < SECONDS_BELOW ? number * 1_000 : number;
  return epochMs % DAY_MS === 0 ? { day: dayOf(epochMs), clock: undefined } : { instantMs: epochMs };
}

function offsetOf(text: string | undefined): { days: number; restMs: number } {
  if (text === undefined) return { days: 0, restMs: 0 };
  const sign = text.trim().startsWith("-") ? -1 : 1;
  const offsetMs = parseDurationMs(text.trim().replace(/^[+-]/, "")) ?? 0;
  const days = Math.floor(offsetMs / DAY_MS);
  return { days: sign * days, restMs: sign * (offsetMs - days * DAY_MS) };
}

/** Milliseconds since midnight of `HH:MM`. */
function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) * 60_000;
}
