import { holidayPlaceProblem } from "../../time/holidays.ts";
import type { MinuteRange } from "../minute-range.ts";
import { NO_DATES, type WindowDates } from "../window-dates.ts";
import type { PlacedRule } from "./in-force.ts";
import { countriesOfZones, countryOf, mayBeIn, zonesWithin } from "./whereabouts.ts";

/** What rules of places come to in one zone: a window of their own. */
export interface ZoneRules {
  zone: string;
  under: { kind: "weekly"; days: readonly (readonly MinuteRange[])[]; dates: WindowDates };
}

/**
 * The rules that hold for somebody, taken together for each of the zones: of several states all hold, in every zone of
 * their country that the person may be in.
 */
export function rulesByZone(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
): ZoneRules[] {
  const holding = presets.filter(({ territory }) => mayBeIn(territory, places, zones));
  if (holding.length === 0) return [];
  const within = holding.map((rule) => ({ rule, zones: zonesWithin(rule.territory, zones) }));
  return zones.flatMap((zone) => {
    const rules = within.filter((one) => one.zones.includes(zone)).map(({ rule }) => rule);
    if (rules.length === 0) return [];
    const days = commonDays(rules);
    const holidays = [...new Set(rules.flatMap((rule) => holidayPlacesOf(rule, zones, places)))];
    return [{ zone, under: { kind: "weekly", days, dates: { ...NO_DATES, holidays } } }];
  });
}

/** Tells apart people for whom different rules hold, and nobody else. */
export function rulesKeyFor(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
): string {
  const holding = presets.flatMap((rule, index) =>
    mayBeIn(rule.territory, places, zones) ? [{ rule, index }] : [],
  );
  return holding
    .map(({ rule, index }) =>
      rule.holidays === "own" ? `${index}:${holidayPlacesOf(rule, zones, places).join("+")}` : String(index),
    )
    .join(",");
}

const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: 1_440 }];
const EVERY_DAY: readonly (readonly MinuteRange[])[] = Array.from({ length: 7 }, () => ALL_DAY);

/** Hours that all rules allow. */
function commonDays(rules: readonly PlacedRule[]): readonly (readonly MinuteRange[])[] {
  return rules.reduce(
    (common, { days }) =>
      days === undefined ? common : common.map((ranges, day) => both(ranges, days[day] ?? [])),
    EVERY_DAY,
  );
}

function both(some: readonly MinuteRange[], others: readonly MinuteRange[]): MinuteRange[] {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const startMinute = Math.max(one.startMinute, other.startMinute);
      const endMinute = Math.min(one.endMinute, other.endMinute);
      return startMinute < endMinute ? [{ startMinute, endMinute }] : [];
    }),
  );
}

/** Those of a country that is not known, nobody can keep. */
function holidayPlacesOf(
  { holidays = [], territory }: PlacedRule,
  zones: readonly string[],
  places: readonly string[],
): readonly string[] {
  if (holidays !== "own") return holidays;
  const countries = places.length > 0 ? places.map(countryOf) : (countriesOfZones(zones) ?? []);
  const own = [...new Set(countries)].filter((country) => mayBeIn(territory, [country], []));
  return own.filter(hasHolidays).sort();
}

const holidaysKnown = new Map<string, boolean>();

function hasHolidays(country: string): boolean {
  const known = holidaysKnown.get(country) ?? holidayPlaceProblem(country) === undefined;
  holidaysKnown.set(country, known);
  return known;
}
