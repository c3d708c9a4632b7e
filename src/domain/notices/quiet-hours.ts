import { z } from "zod";

import { ATTENTION_KINDS } from "../ground/attention.ts";
import { DAY_MS, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import { zoneNameSchema } from "../time/zone-name.ts";

/* When a route tells nobody of what can wait. */

/** Monday first, as ISO 8601 counts them. */
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** Days of a stretch, by the word that stands for several of them. */
const DAY_WORDS = ["every_day", "weekdays", "weekend", ...DAYS] as const;

const CLOCK = /^(\d{2}):(\d{2})$/;
const MINUTE_MS = 60_000;
const MINUTES_OF_DAY = 1_440;

const clockSchema = z.string().refine((text) => minuteOf(text) !== undefined, {
  message: 'must be a time of the day in quotes such as "20:00"; the end of a day is "24:00"',
});

const stretchSchema = z.strictObject({
  /** On which days it begins. */
  on: z.enum(DAY_WORDS).default("every_day"),
  from: clockSchema,
  /** Not after `from`: of the day that follows. */
  to: clockSchema,
});

/** Enough for each day of a week, twice. */
const MOST_STRETCHES = 14;

/** How far ahead the end of a quiet time is looked for: beyond a week everything has come again. */
const HORIZON_DAYS = 9;

export const quietHoursSchema = z
  .strictObject({
    zone: zoneNameSchema,
    hours: z.array(stretchSchema).min(1).max(MOST_STRETCHES),
    /** Kinds that are told all the same. */
    except: z.array(z.enum(ATTENTION_KINDS)).min(1).max(ATTENTION_KINDS.length).optional(),
  })
  .check((context) => {
    const { hours } = context.value;
    if (isEveryMinuteQuiet(hours))
      context.issues.push({
        code: "custom",
        input: hours,
        path: ["hours"],
        message: "leave no minute of the week in which anything is told: shorten one, or remove the route",
      });
  });

export type QuietHours = z.output<typeof quietHoursSchema>;
type Stretch = QuietHours["hours"][number];

/**
 * Until when it is quiet. Unix milliseconds; undefined: it is not quiet now.
 *
 * Where the clocks are changed a stretch is the longer of the two that it may be.
 */
export function quietUntil({ zone: name, hours }: QuietHours, nowMs: number): number | undefined {
  const zone = zoneOf(name);
  const today = dayOf(zone.localMs(nowMs));
  let untilMs: number | undefined;
  // A stretch that began yesterday may go on; those that touch follow each other.
  for (let day = today - 1; day <= today + HORIZON_DAYS; day += 1) {
    const ofDay = hours.filter((stretch) => beginsOn(stretch, day)).map(minutesOf);
    for (const { start, end } of ofDay.sort((a, b) => a.start - b.start)) {
      const startMs = zone.instantMs(day * DAY_MS + start * MINUTE_MS, "earlier");
      const endMs = zone.instantMs(day * DAY_MS + end * MINUTE_MS, "later");
      if (startMs <= (untilMs ?? nowMs) && endMs > (untilMs ?? nowMs)) untilMs = endMs;
    }
  }
  return untilMs;
}

function beginsOn({ on }: Stretch, day: number): boolean {
  const weekday = weekdayOf(day);
  if (on === "every_day") return true;
  if (on === "weekdays") return weekday < 5;
  if (on === "weekend") return weekday >= 5;
  return DAYS[weekday] === on;
}

/** Minutes from the midnight of the day on which it begins; the end may lie in the next one. */
function minutesOf({ from, to }: Stretch): { start: number; end: number } {
  const start = minuteOf(from) ?? 0;
  const end = minuteOf(to) ?? 0;
  return { start, end: end > start ? end : end + MINUTES_OF_DAY };
}

function minuteOf(text: string): number | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [hour = 0, minute = 0] = match.slice(1).map(Number);
  const minutes = hour * 60 + minute;
  return minute < 60 && minutes <= MINUTES_OF_DAY ? minutes : undefined;
}

/** By the clock alone: 1970-01-05 was a Monday. */
function isEveryMinuteQuiet(hours: readonly Stretch[]): boolean {
  const quiet = new Uint8Array(7 * MINUTES_OF_DAY);
  for (let weekday = 0; weekday < 7; weekday += 1) {
    for (const stretch of hours) {
      if (!beginsOn(stretch, MONDAY + weekday)) continue;
      const { start, end } = minutesOf(stretch);
      for (let minute = start; minute < end; minute += 1)
        quiet[(weekday * MINUTES_OF_DAY + minute) % quiet.length] = 1;
    }
  }
  return quiet.every((one) => one === 1);
}

/** Of 1970-01-05, in days since 1970-01-01. */
const MONDAY = 4;
