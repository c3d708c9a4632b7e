import { Temporal } from "temporal-polyfill";

import { formatDurationMs } from "../time/duration.ts";
import {
  LAST_INSTANT_MS,
  readSpokenTime,
  USUAL_CLOCK,
  type LocalTime,
  type SpokenTime,
} from "../time/spoken-time.ts";
import { isZoneName, zoneOf } from "../time/zone-data.ts";

/*
 * When somebody is to be called back.
 *
 * 1. A time of day is one where the person is. Of somebody who may be in several zones it is the moment at which it
 *    has come in the last, as long as that is soon after the first, and on the same day.
 * 2. Words and durations count from the end of the call in which they were said.
 * 3. What was said and can't be read for certain, what was past when it was said, and what has gone by since, is for
 *    people. Nothing is guessed: a wrong time makes somebody's phone ring.
 */

/** More than this ahead is a mistake in reading, or nothing that anybody meant. */
const MAX_AHEAD_DAYS = 90;

/** Zones further apart make a time of day no promise: the width of a continent's clocks. */
const MOST_APART_MS = 3 * 3_600_000;

/** A call that is made so much later than was asked for is still the one that was asked for. */
const MOST_LATE_MS = 3_600_000;

/** What was said is repeated to people, cut to this. */
const SAID_CHARS = 100;

export interface CallbackWish {
  /** What was said, as the analysis of the call has it. */
  said: unknown;
  /** IANA names; in which of them the person is, is not known. */
  zones: readonly string[];
  /** When it was said: the end of the call. Unix milliseconds. */
  saidAtMs: number;
  nowMs: number;
}

export type CallbackTime =
  /** Nothing was said. */
  | { kind: "nothing" }
  | { kind: "at"; atMs: number }
  /** `why` repeats what was said. */
  | { kind: "unreadable"; why: string };

/** Reads when somebody wants to be called. Never throws, whatever was said. */
export function readCallbackTime(wish: CallbackWish): CallbackTime {
  const spoken = readSpokenTime(wish.said);
  if (spoken.kind === "nothing") return spoken;
  const moment = momentOf(spoken, wish);
  const why = moment.ok ? objectionTo(moment.atMs, wish) : moment.why;
  if (!moment.ok || why !== undefined)
    return { kind: "unreadable", why: `${saidText(wish.said)} was said, ${why ?? ""}` };
  return { kind: "at", atMs: Math.max(moment.atMs, wish.nowMs) };
}

function saidText(said: unknown): string {
  const text = JSON.stringify(said) ?? String(said);
  return text.length > SAID_CHARS ? `${text.slice(0, SAID_CHARS)}…` : text;
}

function objectionTo(atMs: number, { saidAtMs, nowMs }: CallbackWish): string | undefined {
  const iso = new Date(atMs).toISOString();
  if (atMs < saidAtMs)
    return `which is ${iso}: past already when the call ended (${new Date(saidAtMs).toISOString()})`;
  if (atMs > saidAtMs + MAX_AHEAD_DAYS * 86_400_000)
    return `which is ${iso}: more than ${MAX_AHEAD_DAYS} days ahead`;
  const late = latenessOf(atMs, nowMs);
  return late === undefined ? undefined : `which is ${late}`;
}

/** Why a call that was asked for at a time is none any more; undefined as long as it is. Unix milliseconds. */
export function latenessOf(atMs: number, nowMs: number): string | undefined {
  if (atMs >= nowMs - MOST_LATE_MS) return undefined;
  return `${new Date(atMs).toISOString()}: gone by for ${formatDurationMs(nowMs - atMs)} before the call could be acted on`;
}

type Moment = { ok: true; atMs: number } | { ok: false; why: string };

function momentOf(
  spoken: Exclude<SpokenTime, { kind: "nothing" }>,
  { zones, saidAtMs }: CallbackWish,
): Moment {
  switch (spoken.kind) {
    case "instant":
      return instantMoment(spoken.atMs);
    case "after":
      return instantMoment(saidAtMs + spoken.delayMs);
    case "local":
      return localMoment(spoken, zones, saidAtMs);
    case "unreadable":
      return NO_CERTAIN_TIME;
  }
}

const NO_CERTAIN_TIME: Moment = { ok: false, why: "and no certain time can be read from it" };

/** An instant that no clock shows is none. */
function instantMoment(atMs: number): Moment {
  return Math.abs(atMs) <= LAST_INSTANT_MS ? { ok: true, atMs } : NO_CERTAIN_TIME;
}

function localMoment(local: LocalTime, zones: readonly string[], saidAtMs: number): Moment {
  if (zones.length === 0) return { ok: false, why: "and no time zone is known for the number" };
  const unknown = zones.find((zone) => !isZoneName(zone));
  if (unknown !== undefined) return { ok: false, why: `and there is no time zone ${unknown}` };
  const found: { date: string; atMs: number }[] = [];
  for (const zone of zones) {
    const day = dayIn(zone, local, saidAtMs);
    if (!day.ok) return day;
    const atMs = instantIn(zone, day.date, local.clock);
    found.push({ date: day.date.toString(), atMs });
  }
  if (new Set(found.map(({ date }) => date)).size > 1)
    return { ok: false, why: `and in the zones of the number that is not on one day (${zonesText(zones)})` };
  const moments = found.map(({ atMs }) => atMs);
  const atMs = Math.max(...moments);
  const apartMs = atMs - Math.min(...moments);
  if (apartMs <= MOST_APART_MS) return { ok: true, atMs };
  return {
    ok: false,
    why: `and the number may be in zones that are ${formatDurationMs(apartMs)} apart (${zonesText(zones)})`,
  };
}

function zonesText(zones: readonly string[]): string {
  return zones.length <= 4
    ? zones.join(", ")
    : `${zones.slice(0, 4).join(", ")} and ${zones.length - 4} more`;
}

type Day = { ok: true; date: Temporal.PlainDate } | { ok: false; why: string };

/** The day that was meant, by the clocks of a zone. */
function dayIn(zone: string, { day, weekday, clock }: LocalTime, saidAtMs: number): Day {
  const saidThere = new Date(zoneOf(zone).localMs(saidAtMs)).toISOString();
  const today = Temporal.PlainDate.from(saidThere.slice(0, saidThere.indexOf("T")));
  if (day !== undefined) {
    const date = dateOfDay(day, today);
    if (weekday === undefined || date.dayOfWeek === weekday) return { ok: true, date };
    return { ok: false, why: `and ${date.toString()} is another day of the week` };
  }
  if (weekday !== undefined) {
    const days = (weekday - today.dayOfWeek + 7) % 7;
    if (days > 0) return { ok: true, date: today.add({ days }) };
    return { ok: false, why: "and today may be meant, or the same day of next week" };
  }
  // The next time that it is so late.
  const isToCome = instantIn(zone, today, clock) > saidAtMs;
  return { ok: true, date: isToCome ? today : today.add({ days: 1 }) };
}

/** The first instant at which a zone's clocks show that, or, where they leave it out, the first after the gap. */
function instantIn(zone: string, date: Temporal.PlainDate, clock: Temporal.PlainTime | undefined): number {
  const local = date.toPlainDateTime(clock ?? USUAL_CLOCK);
  return zoneOf(zone).firstInstantMs(Date.parse(`${local.toString()}Z`));
}

function dateOfDay(day: NonNullable<LocalTime["day"]>, today: Temporal.PlainDate): Temporal.PlainDate {
  switch (day.kind) {
    case "date":
      return day.date;
    case "ahead":
      return today.add({ days: day.days });
    case "month_day":
      return nextMonthDay(day, today);
  }
}

/** February 29 is one of a leap year; a day that no year has was refused when it was read. */
function nextMonthDay(
  { month, day }: { month: number; day: number },
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  for (let year = today.year; ; year += 1) {
    const date = Temporal.PlainDate.from({ year, month, day });
    if (date.day === day && Temporal.PlainDate.compare(date, today) >= 0) return date;
  }
}
