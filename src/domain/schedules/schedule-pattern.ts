import { DAY_NAMES } from "../policy/calling-window.ts";

/*
 * Times of a calendar, in minutes of local days: what a cron expression or a calendar comes to.
 */

/** A local minute matches where each of its parts is listed. Every list is sorted and not empty. */
export interface LocalPattern {
  minutes: readonly number[];
  hours: readonly number[];
  /** 1 to 31. */
  daysOfMonth: readonly number[];
  /** 1 to 12. */
  months: readonly number[];
  /** 0 is Sunday, 6 is Saturday. */
  weekdays: readonly number[];
}

export type PatternReading = { ok: true; patterns: LocalPattern[] } | { ok: false; problem: string };

interface Field {
  words: string;
  min: number;
  max: number;
  /** Names of values, the first one being `min`. */
  names: readonly string[];
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: readonly [Field, Field, Field, Field, Field] = [
  { words: "minute", min: 0, max: 59, names: [] },
  { words: "hour", min: 0, max: 23, names: [] },
  { words: "day of the month", min: 1, max: 31, names: [] },
  { words: "month", min: 1, max: 12, names: MONTHS },
  // 7 is Sunday, too.
  { words: "day of the week", min: 0, max: 7, names: WEEKDAYS },
];

const EVERY_DAY_OF_MONTH: readonly number[] = range(1, 31);
const EVERY_MONTH: readonly number[] = range(1, 12);
const EVERY_WEEKDAY: readonly number[] = range(0, 6);

/**
 * Reads a cron expression of five fields: minute, hour, day of the month, month, day of the week. As in every cron,
 * a day matches by either of its fields where both are restricted.
 */
export function parseCron(text: string): PatternReading {
  const parts = text.trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, weekday, ...more] = parts;
  if (
    minute === undefined ||
    hour === undefined ||
    dayOfMonth === undefined ||
    month === undefined ||
    weekday === undefined ||
    more.length > 0
  )
    return {
      ok: false,
      problem: 'must have five fields (minute, hour, day of month, month, day of week) such as "30 2 * * *"',
    };
  const read = [minute, hour, dayOfMonth, month, weekday].map((part, n) => readField(part, FIELDS[n]));
  const problems = read.flatMap((field) => ("problem" in field ? [field.problem] : []));
  if (problems.length > 0) return { ok: false, problem: problems.join("; ") };
  const [minutes = [], hours = [], daysOfMonth = [], months = [], days = []] = read.map((field) =>
    "values" in field ? field.values : [],
  );
  const weekdays = sorted(days.map((day) => day % 7));
  const whole = { minutes, hours, daysOfMonth, months, weekdays };
  const eitherDay = !dayOfMonth.startsWith("*") && !weekday.startsWith("*");
  const patterns = eitherDay
    ? [
        { ...whole, weekdays: EVERY_WEEKDAY },
        { ...whole, daysOfMonth: EVERY_DAY_OF_MONTH },
      ]
    : [whole];
  return ofSomeDay(patterns);
}

function readField(text: string, field: Field | undefined): { values: number[] } | { problem: string } {
  if (!field) throw new Error("a cron expression has five fields");
  const values: number[] = [];
  for (const part of text.split(",")) {
    const found = readPart(part, field);
    if (!found)
      return {
        problem: `${field.words} ${JSON.stringify(text)} can't be read: use numbers from ${field.min} to ${field.max}, lists (1,15), ranges (1-5) and steps (*/10)`,
      };
    values.push(...found);
  }
  return { values: sorted(values) };
}

const PART = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,2}))?$/;

function readPart(text: string, field: Field): number[] | undefined {
  const [, first, last, stepText] = PART.exec(text.toLowerCase()) ?? [];
  if (first === undefined) return undefined;
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step < 1) return undefined;
  if (first === "*") return last === undefined ? range(field.min, field.max, step) : undefined;
  const from = valueOf(first, field);
  const openEnd = stepText === undefined ? from : field.max;
  const to = last === undefined ? openEnd : valueOf(last, field);
  if (from === undefined || to === undefined || from > to) return undefined;
  return range(from, to, step);
}

function valueOf(text: string, { min, max, names }: Field): number | undefined {
  const named = names.indexOf(text);
  if (named >= 0) return named + min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** Days and times as people write them; a day has to fit every restriction that is given. */
export interface CalendarTimes {
  at: readonly string[];
  weekdays?: readonly (typeof DAY_NAMES)[number][] | undefined;
  days_of_month?: readonly number[] | undefined;
  months?: readonly number[] | undefined;
}

/** @param calendar its `at` are times of day, `HH:MM`. */
export function patternsOfCalendar(calendar: CalendarTimes): PatternReading {
  const byHour = new Map<number, number[]>();
  for (const clock of calendar.at) {
    const [hour = 0, minute = 0] = clock.split(":").map(Number);
    byHour.set(hour, [...(byHour.get(hour) ?? []), minute]);
  }
  const days = {
    daysOfMonth: sorted(calendar.days_of_month ?? EVERY_DAY_OF_MONTH),
    months: sorted(calendar.months ?? EVERY_MONTH),
    weekdays: calendar.weekdays
      ? sorted(calendar.weekdays.map((day) => (DAY_NAMES.indexOf(day) + 1) % 7))
      : EVERY_WEEKDAY,
  };
  return ofSomeDay(
    [...byHour].map(([hour, minutes]) => ({ ...days, hours: [hour], minutes: sorted(minutes) })),
  );
}

const LONGEST_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The 31st of February is no day. */
function ofSomeDay(patterns: LocalPattern[]): PatternReading {
  const exists = patterns.some(({ months, daysOfMonth }) =>
    months.some((month) => (daysOfMonth[0] ?? 32) <= (LONGEST_MONTHS[month - 1] ?? 0)),
  );
  if (exists) return { ok: true, patterns };
  return { ok: false, problem: "never comes: none of its months has such a day" };
}

function range(from: number, to: number, step = 1): number[] {
  const values: number[] = [];
  for (let value = from; value <= to; value += step) values.push(value);
  return values;
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
