import { countriesOfPlace, holidayOn } from "../time/holidays.ts";
import { dateText, dayOfDate } from "../time/local-day.ts";
import { countriesOfZone } from "../time/zone-countries.ts";
import type { MinuteRange } from "./minute-range.ts";

/** Local days, the last one included, counted as local-day.ts counts them. */
export interface DateSpan {
  fromDay: number;
  lastDay: number;
  /** What people call it; empty where nobody named it. */
  name: string;
}

/** What single dates change of a calling window. Each is a local date of wherever the contact is. */
export interface WindowDates {
  /** Days on which nobody of the brand is called, whatever else is said. */
  blackouts: readonly DateSpan[];
  /** Days that have hours of their own, or none; they go before holidays. */
  exceptions: readonly (DateSpan & { ranges: readonly MinuteRange[] })[];
  /** Places whose public holidays are kept, such as `US` or `DE-BY`. */
  holidays: readonly string[];
}

export const NO_DATES: WindowDates = { blackouts: [], exceptions: [], holidays: [] };

/** Whether any date is unlike others. */
export function hasDates({ blackouts, exceptions, holidays }: WindowDates): boolean {
  return blackouts.length > 0 || exceptions.length > 0 || holidays.length > 0;
}

/** When the window is open on one local day in a zone. */
export function rangesOn(
  dates: WindowDates,
  zone: string,
  day: number,
  usual: readonly MinuteRange[],
): readonly MinuteRange[] {
  if (dates.blackouts.some((span) => covers(span, day))) return [];
  const exception = dates.exceptions.find((span) => covers(span, day));
  if (exception) return exception.ranges;
  if (usual.length === 0) return usual;
  const { startMinute: untilMinute } = holidayIn(dates, zone, day) ?? { startMinute: DAY_MINUTES };
  return usual
    .map(({ startMinute, endMinute }) => ({ startMinute, endMinute: Math.min(endMinute, untilMinute) }))
    .filter(({ startMinute, endMinute }) => startMinute < endMinute);
}

const DAY_MINUTES = 1_440;
const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: DAY_MINUTES }];

/** Whether a local day is open for any part of it, where it usually is or is not. */
export function isOpenOn(dates: WindowDates, zone: string, day: number, isUsually: boolean): boolean {
  return rangesOn(dates, zone, day, isUsually ? ALL_DAY : []).length > 0;
}

/** What keeps the window closed on a local day, in words; undefined where nothing of these dates does. */
export function dayOffOn(dates: WindowDates, zone: string, day: number): string | undefined {
  const date = dateText(day);
  const blackout = dates.blackouts.find((span) => covers(span, day));
  if (blackout) return `${date} is a blackout day${named(blackout)}`;
  const exception = dates.exceptions.find((span) => covers(span, day));
  if (exception) return `${date} is an exception${named(exception)}`;
  const holiday = holidayIn(dates, zone, day);
  return holiday && `${date} is a holiday (${holiday.name}, ${holiday.place})`;
}

function covers({ fromDay, lastDay }: DateSpan, day: number): boolean {
  return fromDay <= day && day <= lastDay;
}

function named({ name }: DateSpan): string {
  return name === "" ? "" : ` (${name})`;
}

/** One span of days off is as long as this at most, and an opening behind days off is looked for as far. */
export const LONGEST_DAYS_OFF = 366;

/** What is wrong with the last day of a span; undefined where nothing is, or one of the two is no date. */
export function lastDayProblem(first: { field: string; date: string }, last: string): string | undefined {
  const days = dayOfDate(last) - dayOfDate(first.date);
  if (days < 0) return `must not be before \`${first.field}\``;
  return days >= LONGEST_DAYS_OFF
    ? `must be within ${LONGEST_DAYS_OFF} days of \`${first.field}\`: give the rest as another`
    : undefined;
}

interface HolidayHere {
  name: string;
  place: string;
  startMinute: number;
}

/**
 * The holiday of any of the places that a zone may be in, the one that begins first. A zone is as coarse as it is: one
 * that several countries share keeps the holidays of each, and one of no country known those of every place.
 */
function holidayIn({ holidays }: WindowDates, zone: string, day: number): HolidayHere | undefined {
  if (holidays.length === 0) return undefined;
  const countries = countriesOfZone(zone);
  let first: HolidayHere | undefined;
  for (const place of holidays) {
    if (countries.length > 0 && !countriesOfPlace(place).some((country) => countries.includes(country)))
      continue;
    const holiday = holidayOn(place, day);
    if (holiday && (first === undefined || holiday.startMinute < first.startMinute))
      first = { ...holiday, place };
  }
  return first;
}
