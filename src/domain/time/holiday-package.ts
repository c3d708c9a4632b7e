import { createRequire } from "node:module";
import type Calendars from "date-holidays";
import type { HolidaysTypes } from "date-holidays";

import { DAY_MS, dayOf } from "./local-day.ts";

/*
 * Public and bank holidays, as the package date-holidays works them out (ISC; its data CC BY-SA 3.0). What it calls
 * optional, school or an observance is a working day. A year of one place takes it 5 to 200 ms: who is asked while calls
 * are made looks into the table first (holiday-table.ts).
 */

/** What a holiday takes of one local day: from this minute on, to the day's end. */
export interface Holiday {
  name: string;
  startMinute: number;
}

const CLOSED_TYPES: ReadonlySet<string> = new Set(["public", "bank"]);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let loaded: typeof Calendars | undefined;

/** The package, loaded where it is asked for. */
export function calendars(): typeof Calendars {
  if (loaded === undefined) {
    const found: typeof Calendars | { default: typeof Calendars } = createRequire(import.meta.url)(
      "date-holidays",
    );
    loaded = "default" in found ? found.default : found;
  }
  return loaded;
}

/** Of several on a day, the one that begins first. */
export function earlier(one: Holiday | undefined, other: Holiday): Holiday {
  return one === undefined || other.startMinute < one.startMinute ? other : one;
}

/** The holidays of a place that the package lists for a year, by local day: a few may be of the years beside it. */
export function workedOut(place: string, year: number): ReadonlyMap<number, Holiday> {
  const byDay = new Map<number, Holiday>();
  const [country = "", state, region] = place.split("-");
  const calendar = new (calendars())({ country, ...(state && { state }), ...(region && { region }) });
  for (const listed of calendar.getHolidays(year, "en")) {
    if (CLOSED_TYPES.has(listed.type)) note(byDay, listed);
  }
  return byDay;
}

/**
 * From its beginning to the end of the last local day that it touches: what begins at sunset ends with the next day. Its
 * date is local, as in "2026-12-24 14:00:00" or "2026-09-12 00:00:00 -0600".
 */
function note(byDay: Map<number, Holiday>, { date, start, end, name }: HolidaysTypes.Holiday): void {
  const [, day = "", time = "", shift = "+0000"] =
    /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?: ([+-]\d{4}))?$/.exec(date) ?? [];
  const written = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(written))
    throw new Error(`date-holidays says "${date}" of ${name}: no date that is known`);
  const shiftedMs =
    (Number(shift.slice(1, 3)) * 60 + Number(shift.slice(3))) * MINUTE_MS * (shift.startsWith("-") ? -1 : 1);
  const startMs = written + shiftedMs;
  // An hour less than it takes: where the clock changes meanwhile it may be one longer than its days.
  const lastDay = dayOf(startMs + end.getTime() - start.getTime() - HOUR_MS - 1);
  for (let each = dayOf(startMs); each <= lastDay; each += 1) {
    const startMinute = each === dayOf(startMs) ? Math.floor((startMs - each * DAY_MS) / MINUTE_MS) : 0;
    byDay.set(each, earlier(byDay.get(each), { name, startMinute }));
  }
}

/** Every place that the package knows, wholes before their parts. */
export function allHolidayPlaces(): string[] {
  const all = new (calendars())();
  return Object.keys(all.getCountries()).flatMap((country) => [
    country,
    ...Object.keys(all.getStates(country) ?? {}).flatMap((state) => [
      `${country}-${state}`,
      ...Object.keys(all.getRegions(country, state) ?? {}).map((region) => `${country}-${state}-${region}`),
    ]),
  ]);
}
