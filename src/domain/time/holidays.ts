import { createRequire } from "node:module";
import type Calendars from "date-holidays";
import type { HolidaysTypes } from "date-holidays";

import { DAY_MS, dayOf } from "./local-day.ts";

/*
 * Public and bank holidays, as the package date-holidays knows them (ISC; its data CC BY-SA 3.0). What it calls
 * optional, school or an observance is a working day. Loaded where a campaign names holidays, and then once a process.
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

function calendars(): typeof Calendars {
  if (loaded === undefined) {
    const found: typeof Calendars | { default: typeof Calendars } = createRequire(import.meta.url)(
      "date-holidays",
    );
    loaded = "default" in found ? found.default : found;
  }
  return loaded;
}

/**
 * What is wrong with the name of a place whose holidays are asked for: a country (ISO 3166-1), or a country and one of
 * its parts, as in `US`, `US-CA` or `DE-BY`. Undefined where it is known.
 */
export function holidayPlaceProblem(place: string): string | undefined {
  const [country = "", state, region, ...rest] = place.split("-");
  const all = new (calendars())();
  if (!/^[A-Z]{2}$/.test(country) || !Object.hasOwn(all.getCountries(), country))
    return "is no country whose holidays are known: give its two-letter code such as US, or one with a part such as DE-BY";
  if (state === undefined) return undefined;
  const states = all.getStates(country) ?? {};
  if (!Object.hasOwn(states, state)) return partProblem(country, states);
  if (region === undefined) return undefined;
  const regions = all.getRegions(country, state) ?? {};
  if (rest.length > 0 || !Object.hasOwn(regions, region)) return partProblem(`${country}-${state}`, regions);
  return undefined;
}

function partProblem(whole: string, parts: Readonly<Record<string, string>>): string {
  const known = Object.keys(parts).sort();
  if (known.length === 0) return `has a part that is not known: give ${whole}`;
  return `is no part of ${whole}: ${known.map((part) => `${whole}-${part}`).join(", ")} are known`;
}

/** They and their islands are no country of ISO 3166. */
const CANARIES = "IC";

/** Places that lie in zones of another country than their first letters name. */
const LIE_IN: Readonly<Record<string, readonly string[]>> = {
  "FR-BL": ["BL"],
  "FR-GF": ["GF"],
  "FR-GP": ["GP"],
  "FR-MF": ["MF"],
  "FR-MQ": ["MQ"],
  "FR-RE": ["RE"],
  "FR-YT": ["YT"],
  "GB-ALD": ["GG"],
  // Kosovo has the clock of Belgrade.
  XK: ["RS"],
  // The holidays of the whole are those of its parts that have a country's code of their own.
  FI: ["FI", "AX"],
  FR: ["FR", "BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT"],
  NO: ["NO", "SJ"],
  US: ["US", "AS", "GU", "MP", "PR", "UM", "VI"],
};

/** Countries (ISO 3166-1) in whose zones a place lies. */
export function countriesOfPlace(place: string): readonly string[] {
  const country = place.slice(0, 2);
  return LIE_IN[place] ?? [country === CANARIES ? "ES" : country];
}

const yearsKnown = new Map<string, ReadonlyMap<number, Holiday>>();

/** A campaign that names twenty places and runs over a new year needs sixty. */
const YEARS_KEPT = 2_000;

/** The holiday of a place on a local day, if there is one; of several the one that begins first. */
export function holidayOn(place: string, day: number): Holiday | undefined {
  const year = yearOf(day);
  // One may begin the evening before its year, or last into the next.
  const years = new Set([yearOf(day - LONGEST_DAYS), year, yearOf(day + 1)]);
  return [...years]
    .map((each) => holidaysOfYear(place, each).get(day))
    .reduce((first, other) => (other === undefined ? first : earlier(first, other)), undefined);
}

/** More than the longest that the package lists. */
const LONGEST_DAYS = 10;

function yearOf(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

function earlier(one: Holiday | undefined, other: Holiday): Holiday {
  return one === undefined || other.startMinute < one.startMinute ? other : one;
}

function holidaysOfYear(place: string, year: number): ReadonlyMap<number, Holiday> {
  const key = `${place} ${year}`;
  const known = yearsKnown.get(key);
  if (known !== undefined) return known;
  if (yearsKnown.size >= YEARS_KEPT) yearsKnown.clear();
  const byDay = new Map<number, Holiday>();
  const [country = "", state, region] = place.split("-");
  const calendar = new (calendars())({ country, ...(state && { state }), ...(region && { region }) });
  for (const listed of calendar.getHolidays(year, "en")) {
    if (CLOSED_TYPES.has(listed.type)) note(byDay, listed);
  }
  yearsKnown.set(key, byDay);
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
