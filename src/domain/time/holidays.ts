import { calendars, earlier, workedOut, type Holiday } from "./holiday-package.ts";
import { isTabled, tabledHolidays } from "./holiday-table.ts";
import { DAY_MS } from "./local-day.ts";

/*
 * Public and bank holidays of places. Those of the years ahead stand in a table, so that no planning waits for their
 * working out; the package that the table is made from is asked for other years, and for what is wrong with a name.
 */

/**
 * What is wrong with the name of a place whose holidays are asked for: a country (ISO 3166-1), or a country and one of
 * its parts, as in `US`, `US-CA` or `DE-BY`. Undefined where it is known.
 */
export function holidayPlaceProblem(place: string): string | undefined {
  if (isTabled(place)) return undefined;
  const [country = "", state, region, ...rest] = place.split("-");
  const all = new (calendars())();
  if (!/^[A-Z]{2}$/.test(country) || !Object.hasOwn(all.getCountries(), country))
    return "is no country whose holidays are known: give its two-letter code such as US, or one with a part such as DE-BY";
  if (state === undefined) return undefined;
  const states = all.getStates(country) ?? {};
  if (!Object.hasOwn(states, state)) {
    // Puerto Rico is a part of the United States, and has a country's code and holidays of its own.
    const isCountry = countriesOfPlace(country).includes(state) && Object.hasOwn(all.getCountries(), state);
    return isCountry ? `goes by a code of its own: give ${state}` : partProblem(country, states);
  }
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

function holidaysOfYear(place: string, year: number): ReadonlyMap<number, Holiday> {
  const key = `${place} ${year}`;
  const known = yearsKnown.get(key);
  if (known !== undefined) return known;
  if (yearsKnown.size >= YEARS_KEPT) yearsKnown.clear();
  const byDay = tabledHolidays(place, year) ?? workedOut(place, year);
  yearsKnown.set(key, byDay);
  return byDay;
}
