import { z } from "zod";

import { DAY_NAMES, type CallingWindow } from "../policy/calling-window.ts";
import { parseMinuteRange, type MinuteRange } from "../policy/minute-range.ts";
import { lastDayProblem, type WindowDates } from "../policy/window-dates.ts";
import { holidayPlaceProblem } from "../time/holidays.ts";
import { dayOfDate } from "../time/local-day.ts";

const dayRangesSchema = z
  .array(
    z.string().refine((text) => parseMinuteRange(text) !== undefined, {
      message:
        'must be "HH:MM-HH:MM" within one day, such as "09:00-20:00"; split a range that crosses midnight',
    }),
  )
  .max(6);

/** Hours by weekday, as a person writes them. */
export const weeklySchema = z
  .strictObject({
    weekdays: dayRangesSchema.optional(),
    weekend: dayRangesSchema.optional(),
    ...(Object.fromEntries(DAY_NAMES.map((day) => [day, dayRangesSchema.optional()])) as Record<
      (typeof DAY_NAMES)[number],
      z.ZodOptional<typeof dayRangesSchema>
    >),
  })
  .refine((days) => Object.values(days).some((ranges) => (ranges?.length ?? 0) > 0), {
    message: "opens on no day: give at least one day a range, or write `always`",
  });

/** Countries and parts of them; each is asked about every day of a window, and beyond the table worked out once a year. */
const MAX_HOLIDAY_PLACES = 20;

export const holidaysSchema = z
  .array(
    z.string().check((context) => {
      const message = holidayPlaceProblem(context.value);
      if (message !== undefined) context.issues.push({ code: "custom", input: context.value, message });
    }),
  )
  .min(1)
  .max(MAX_HOLIDAY_PLACES)
  .refine((places) => new Set(places).size === places.length, "names a place twice");

/** A year of single days. */
const MAX_EXCEPTIONS = 366;

const exceptionSchema = z
  .strictObject({
    date: z.iso.date(),
    /** The last day of a longer one. */
    to: z.iso.date().optional(),
    name: z.string().trim().min(1).max(100).optional(),
    /** Absent: nobody is called. */
    hours: dayRangesSchema.optional(),
  })
  .check((context) => {
    const { date, to = date } = context.value;
    const message = lastDayProblem({ field: "date", date }, to);
    if (message !== undefined) context.issues.push({ code: "custom", input: to, path: ["to"], message });
  });

export const exceptionsSchema = z
  .array(exceptionSchema)
  .min(1)
  .max(MAX_EXCEPTIONS)
  .check((context) => {
    const spans = context.value.map(({ date, to = date }, index) => ({ date, to, index }));
    spans.sort((a, b) => (a.date < b.date ? -1 : 1));
    let [furthest] = spans;
    for (const span of spans.slice(1)) {
      if (furthest !== undefined && span.date <= furthest.to) {
        const message = `is within the exception of ${furthest.date} already`;
        context.issues.push({ code: "custom", input: span.date, path: [span.index, "date"], message });
      }
      if (furthest === undefined || span.to > furthest.to) furthest = span;
    }
  });

/** A day's own name beats `weekdays` and `weekend`; a day that nothing names is closed. */
export function windowOf(spec: "always" | z.output<typeof weeklySchema>): CallingWindow {
  if (spec === "always") return { kind: "always" };
  const days = DAY_NAMES.map((day, index) =>
    rangesOf(spec[day] ?? (index < 5 ? spec.weekdays : spec.weekend) ?? []),
  );
  return { kind: "weekly", days };
}

function rangesOf(texts: readonly string[]): MinuteRange[] {
  return texts.map(parseMinuteRange).filter((range): range is MinuteRange => range !== undefined);
}

/** The dates that are unlike others, as a spec says them. */
export function datesOf({
  holidays = [],
  exceptions = [],
}: {
  holidays?: readonly string[] | undefined;
  exceptions?: z.output<typeof exceptionsSchema> | undefined;
}): WindowDates {
  return {
    holidays,
    exceptions: exceptions.map(({ date, to = date, name = "", hours = [] }) => ({
      fromDay: dayOfDate(date),
      lastDay: dayOfDate(to),
      name,
      ranges: rangesOf(hours),
    })),
    blackouts: [],
  };
}
