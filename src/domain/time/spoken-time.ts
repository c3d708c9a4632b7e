import { Temporal } from "temporal-polyfill";

import { parseDurationMs } from "./duration.ts";
import { dateOf, tokensOf, type Token } from "./spoken-tokens.ts";
import type { PartOfDay } from "./spoken-words.ts";

/*
 * What somebody said about when they want to be called, read by rule.
 *
 * 1. All of a text has to be understood. A word too many ("not tomorrow", "10 or 11") makes it unreadable.
 * 2. What may mean two things is unreadable, but for an hour without am or pm of which only one can be called at.
 * 3. Nothing here knows the time or a zone: callback-time.ts brings both.
 */

/** A day as it was said. */
export type SpokenDay =
  | { kind: "date"; date: Temporal.PlainDate }
  /** The next such day of a year. */
  | { kind: "month_day"; month: number; day: number }
  | { kind: "ahead"; days: number };

export type SpokenTime =
  /** Nothing was said, or that any time will do. */
  | { kind: "nothing" }
  | { kind: "instant"; atMs: number }
  | { kind: "after"; delayMs: number }
  | LocalTime
  | { kind: "unreadable" };

/** By the clocks where the person is. One of the three is there. */
export interface LocalTime {
  kind: "local";
  day: SpokenDay | undefined;
  /** 1 is Monday. Beside a day it has to be that day's. */
  weekday: number | undefined;
  clock: Temporal.PlainTime | undefined;
}

/** More was not meant for this. */
const MAX_CHARS = 100;

/** What analyses write where nothing was said, and what people say who don't mind. */
const SAYS_NOTHING =
  /^(?:|-+|none|null|undefined|n\/?a|unknown|unspecified|not (?:specified|mentioned|given|stated|provided)|any ?time|whenever)$/;

const AT_ONCE = /^(?:now|asap|as soon as possible|right (?:now|away)|immediately|at once|straight away)$/;

/** Has every day that a month may have. */
const A_LEAP_YEAR = 2_024;

/** A time with its offset. */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(z|utc|gmt|[+-]\d{2}(?::?\d{2})?)$/;

/** Seconds since 1970 reached the lower one in 2001 and reach the upper one in 5138, as milliseconds in 1973. */
const SECONDS_FROM = 1_000_000_000;
const SECONDS_BELOW = 100_000_000_000;

/** Where a day has no time of day: within everybody's calling hours, as in sequences. */
export const USUAL_CLOCK = Temporal.PlainTime.from("09:00");

/** An hour without am or pm is the one within these: nobody may be called at the other. */
const EARLIEST_HOUR = 8;
const LATEST_HOUR = 21;

const PART_CLOCKS: Readonly<Record<PartOfDay, { hour: number; from: number; until: number }>> = {
  morning: { hour: 9, from: 0, until: 12 },
  afternoon: { hour: 14, from: 12, until: 19 },
  evening: { hour: 18, from: 16, until: 24 },
};

/** `10h`: where hours of the day are written so, it is one of those; shorter waits are nobody's hour of a call. */
const AN_HOUR_OR_HOURS = /^(?:[7-9]|1\d|2[0-3])h$/;

const DAY_MS = 86_400_000;

/** ECMAScript's last instant, in the year 275760, and its first one as far before 1970. Dates are none beyond them. */
export const LAST_INSTANT_MS = 8.64e15;

const UNREADABLE: SpokenTime = { kind: "unreadable" };

/** Reads what was said; a number is seconds or milliseconds since 1970. Never throws, whatever it is. */
export function readSpokenTime(said: unknown): SpokenTime {
  if (said === undefined || said === null) return { kind: "nothing" };
  if (typeof said === "number") return instantOfNumber(said);
  if (typeof said !== "string") return UNREADABLE;
  const text = normalised(said);
  if (SAYS_NOTHING.test(text)) return { kind: "nothing" };
  if (text.length > MAX_CHARS) return UNREADABLE;
  if (AT_ONCE.test(text)) return { kind: "after", delayMs: 0 };
  if (/^\d{10,13}$/.test(text)) return instantOfNumber(Number(text));
  // Ten hours to one, and ten o'clock to others.
  if (AN_HOUR_OR_HOURS.test(text)) return UNREADABLE;
  const delayMs = parseDurationMs(text) ?? isoDurationMs(text);
  if (delayMs !== undefined) return after(delayMs);
  const [, date, clock, offset] = INSTANT.exec(text) ?? [];
  if (date !== undefined) return instantOf(`${date}T${clock}${/^[zug]/.test(offset ?? "") ? "Z" : offset}`);
  const tokens = tokensOf(text);
  return tokens === undefined ? UNREADABLE : (durationOf(tokens) ?? localOf(tokens) ?? UNREADABLE);
}

function normalised(said: string): string {
  return said
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[’`]/g, "'")
    .replaceAll(/\b([ap])\.? ?m\b\.?/g, "$1m")
    .replaceAll(/\bo'clock\b/g, "oclock")
    .replace(/[.!;,\s]+$/, "")
    .replaceAll(/,?\s+/g, " ")
    .trim();
}

/** Digits may come to more than any time has. */
function after(delayMs: number): SpokenTime {
  return delayMs <= LAST_INSTANT_MS ? { kind: "after", delayMs } : UNREADABLE;
}

function instantOfNumber(value: number): SpokenTime {
  if (!Number.isInteger(value) || value < SECONDS_FROM || value > LAST_INSTANT_MS) return UNREADABLE;
  return { kind: "instant", atMs: value < SECONDS_BELOW ? value * 1_000 : value };
}

function instantOf(text: string): SpokenTime {
  try {
    return { kind: "instant", atMs: Temporal.Instant.from(text).epochMilliseconds };
  } catch {
    // 2026-02-31, 25:00: written like a time, and none.
    return UNREADABLE;
  }
}

const ISO_DURATION = /^p(?:(\d+)w)?(?:(\d+)d)?(?:t(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)?$/;
const ISO_UNITS_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1_000];

/** `PT2H`, of weeks, days and what is shorter: months and years are not the same length. */
function isoDurationMs(text: string): number | undefined {
  const [, ...counts] = ISO_DURATION.exec(text) ?? [];
  if (counts.every((count) => count === undefined)) return undefined;
  return ISO_UNITS_MS.reduce((sumMs, unitMs, index) => sumMs + Number(counts[index] ?? 0) * unitMs, 0);
}

/** `in two hours`, `half an hour`, `in about 3 days`: nothing else. */
function durationOf(tokens: readonly Token[]): SpokenTime | undefined {
  const rest = tokens.filter(({ kind }) => kind !== "filler");
  const isIn = rest[0]?.kind === "in";
  if (isIn) rest.shift();
  if (isIn && rest[0]?.kind === "at") rest.shift();
  const unit = rest.pop();
  if (unit?.kind !== "unit" || (unit.mayBeClock && !isIn)) return undefined;
  const [first, second] = rest;
  const isOne = (token: Token | undefined) =>
    token?.kind === "a" || (token?.kind === "count" && token.count === 1);
  const isHalf = first?.kind === "count" && first.count < 1;
  if (rest.length > (isHalf ? 2 : 1) || (second && !isOne(second))) return undefined;
  const count = first && (isOne(first) ? 1 : countOf(first));
  return count === undefined ? undefined : after(count * unit.unitMs);
}

function countOf(token: Token): number | undefined {
  if (token.kind === "number" && !token.ordinal) return token.value;
  return token.kind === "count" ? token.count : undefined;
}

interface Clock {
  hour: number;
  minute: number;
  /** Undefined: one of the 12 hours, and nothing says which half of the day it is in. */
  half: "exact" | "am" | "pm" | undefined;
}

/** What of a local time was read so far. Nothing may be said twice. */
interface Local {
  day?: SpokenDay;
  weekday?: number;
  clock?: Clock;
  part?: PartOfDay;
}

/** Takes tokens off the front. Undefined where they are none of what is asked for, and none is taken then. */
type Reader = (tokens: Token[]) => Local | undefined;

const READERS: readonly Reader[] = [readFiller, readDay, readMonthDay, readPart, readClock];

function localOf(tokens: readonly Token[]): SpokenTime | undefined {
  const local = readAll([...tokens]);
  if (!local) return undefined;
  const { day, weekday, clock, part } = local;
  const hasDay = day !== undefined || weekday !== undefined;
  if (!hasDay && (part !== undefined || !clock)) return undefined;
  const hour = clock && hourOf(clock, part);
  if (clock && hour === undefined) return undefined;
  const time =
    clock && hour !== undefined
      ? { hour, minute: clock.minute }
      : part && { hour: PART_CLOCKS[part].hour, minute: 0 };
  return { kind: "local", day, weekday, clock: time && Temporal.PlainTime.from(time) };
}

/** Undefined where something is no part of a time, or is said twice. */
function readAll(left: Token[]): Local | undefined {
  const local: Local = {};
  while (left.length > 0) {
    const read = firstOf(READERS, left);
    if (!read) return undefined;
    for (const field of ["day", "weekday", "clock", "part"] as const) {
      if (read[field] !== undefined && local[field] !== undefined) return undefined;
    }
    Object.assign(local, read);
  }
  return local;
}

function firstOf(readers: readonly Reader[], left: Token[]): Local | undefined {
  for (const reader of readers) {
    const read = reader(left);
    if (read) return read;
  }
  return undefined;
}

/** The hour of 24, where it is certain. */
function hourOf({ hour, minute, half }: Clock, part: PartOfDay | undefined): number | undefined {
  if (minute > 59 || hour > 23) return undefined;
  if ((half === "am" || half === "pm") && (hour < 1 || hour > 12)) return undefined;
  const isTwelve = half !== "exact" && hour >= 1 && hour <= 12;
  const am = hour % 12;
  const all = isTwelve ? [...(half === "pm" ? [] : [am]), ...(half === "am" ? [] : [am + 12])] : [hour];
  // `tomorrow morning at 12` is no midnight, whatever else it is.
  if (half === undefined && hour === 12) all.shift();
  const { from, until } = part
    ? PART_CLOCKS[part]
    : half === undefined && isTwelve
      ? { from: EARLIEST_HOUR, until: LATEST_HOUR }
      : { from: 0, until: 24 };
  const [only, other] = all.filter((one) => one >= from && one < until);
  return other === undefined ? only : undefined;
}

function readFiller(tokens: Token[]): Local | undefined {
  const [first, second] = tokens;
  const isGermanOn = first?.kind === "am" && (second?.kind === "weekday" || second?.kind === "number");
  if (first?.kind !== "filler" && !isGermanOn) return undefined;
  tokens.shift();
  return {};
}

function readDay(tokens: Token[]): Local | undefined {
  const [first, second] = tokens;
  if (first?.kind === "this" && second?.kind === "weekday") {
    tokens.splice(0, 2);
    return { weekday: second.weekday };
  }
  if (first?.kind === "date") {
    tokens.shift();
    return { day: { kind: "date", date: first.date } };
  }
  if (first?.kind === "weekday") {
    tokens.shift();
    return { weekday: first.weekday };
  }
  if (first?.kind === "in") return readDaysAhead(tokens);
  if (first?.kind !== "ahead") return undefined;
  tokens.shift();
  const day: SpokenDay = { kind: "ahead", days: first.days };
  // `tomorrow 10`: a number that ends it can be nothing but the hour.
  const [number, ...others] = tokens;
  if (number?.kind !== "number" || number.ordinal || others.length > 0) return { day };
  tokens.shift();
  return { day, clock: { hour: number.value, minute: 0, half: undefined } };
}

/** `in 3 days` before a time of day. */
function readDaysAhead(tokens: Token[]): Local | undefined {
  const [, number, unit] = tokens;
  const count = number && (number.kind === "a" ? 1 : countOf(number));
  if (count === undefined || unit?.kind !== "unit" || unit.unitMs < DAY_MS) return undefined;
  const days = (count * unit.unitMs) / DAY_MS;
  if (!Number.isInteger(days)) return undefined;
  tokens.splice(0, 3);
  return { day: { kind: "ahead", days } };
}

/** `November 23rd, 2026` and `23 November`. */
function readMonthDay(tokens: Token[]): Local | undefined {
  const [first, second, third] = tokens;
  const month = first?.kind === "month" ? first : second?.kind === "month" ? second : undefined;
  const number = first?.kind === "number" ? first : second?.kind === "number" ? second : undefined;
  if (!month || !number) return undefined;
  const hasYear = third?.kind === "number" && !third.ordinal && third.value >= 1_000;
  const date = dateOf(hasYear ? third.value : A_LEAP_YEAR, month.month, number.value);
  if (!date) return undefined;
  tokens.splice(0, hasYear ? 3 : 2);
  return {
    day: hasYear ? { kind: "date", date } : { kind: "month_day", month: month.month, day: number.value },
  };
}

function readPart(tokens: Token[]): Local | undefined {
  const [first, second] = tokens;
  if (first?.kind === "this" && second?.kind === "part" && second.ahead === undefined) {
    tokens.splice(0, 2);
    return { part: second.part, day: { kind: "ahead", days: 0 } };
  }
  if (first?.kind !== "part") return undefined;
  tokens.shift();
  return {
    part: first.part,
    ...(first.ahead !== undefined && { day: { kind: "ahead", days: first.ahead } }),
  };
}

function readClock(tokens: Token[]): Local | undefined {
  let said = 0;
  while (tokens[said]?.kind === "at" || tokens[said]?.kind === "a") said += 1;
  const time = tokens[said];
  if (time?.kind === "noon") {
    tokens.splice(0, said + 1);
    return { clock: { hour: 12, minute: 0, half: "exact" } };
  }
  const hour = time?.kind === "time" ? time.hour : time && countOf(time);
  if (hour === undefined || !Number.isInteger(hour)) return undefined;
  const minute = time?.kind === "time" ? time.minute : 0;
  const isExact = time?.kind === "time" && time.exact;
  const after = tokens[said + 1];
  const meridiem = after?.kind === "am" ? "am" : after?.kind === "meridiem" ? "pm" : undefined;
  const isSuffix = after?.kind === "clock_suffix" || (after?.kind === "unit" && after.mayBeClock === true);
  // A bare number is none: it may be a day, or minutes.
  if (time?.kind !== "time" && said === 0 && meridiem === undefined && !isSuffix) return undefined;
  const taken = said + (meridiem !== undefined || isSuffix ? 2 : 1);
  tokens.splice(0, taken);
  return { clock: { hour, minute, half: meridiem ?? (isExact ? "exact" : undefined) } };
}
