import { holidayPlaceProblem } from "../../time/holidays.ts";
import type { MinuteRange } from "../minute-range.ts";
import { NO_DATES, type WindowDates } from "../window-dates.ts";
import type { PlacedRule } from "./placed-rule.ts";
import { countriesOfZones, countryOf, mayBeIn, zonesWithin } from "./whereabouts.ts";

/** What rules of places come to in one zone: windows of their own, all of which hold. */
export interface ZoneRules {
  zone: string;
  /** The same for the same rules in the same zone, whosever they are. */
  key: string;
  under: { kind: "weekly"; days: readonly (readonly MinuteRange[])[]; dates: WindowDates };
}

/** What was found for a set of rules before: plannings ask for the same people over and over. */
interface Found {
  keys: Map<string, string>;
  byZone: Map<string, readonly ZoneRules[]>;
}

const found = new WeakMap<readonly PlacedRule[], Found>();

/** More than the pairs of states in the largest lists; beyond that it is worked out anew. */
const MOST_FOUND = 5_000;

function foundOf(presets: readonly PlacedRule[]): Found {
  const known = found.get(presets) ?? { keys: new Map(), byZone: new Map() };
  found.set(presets, known);
  return known;
}

function remembered<Value>(memo: Map<string, Value>, key: string, make: () => Value): Value {
  const known = memo.get(key);
  if (known !== undefined) return known;
  if (memo.size >= MOST_FOUND) memo.clear();
  const value = make();
  memo.set(key, value);
  return value;
}

/**
 * The rules that hold for somebody in each of the zones, hours taken together: of several states all hold, in every zone
 * of their country that the person may be in.
 */
export function rulesByZone(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
): readonly ZoneRules[] {
  if (presets.length === 0) return [];
  const key = `${zones.join()} ${rulesKeyFor(presets, zones, places)}`;
  return remembered(foundOf(presets).byZone, key, () => zoneRulesOf(presets, zones, places));
}

function zoneRulesOf(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
): ZoneRules[] {
  const within = presets
    .filter(({ territory }) => mayBeIn(territory, places, zones))
    .map((rule) => ({ rule, zones: zonesWithin(rule.territory, zones) }));
  return zones.flatMap((zone) => {
    const rules = within.filter((one) => one.zones.includes(zone)).map(({ rule }) => rule);
    if (rules.length === 0) return [];
    const days = commonDays(rules);
    const holidays = new Set(rules.flatMap((rule) => holidayPlacesOf(rule, zones, places)));
    // Holidays one place at a time: few windows are worked out, however many states come together.
    return [
      windowIn(zone, { days, holidays: [] }),
      ...[...holidays].sort().map((place) => windowIn(zone, { days: EVERY_DAY, holidays: [place] })),
    ];
  });
}

function windowIn(
  zone: string,
  { days, holidays }: { days: ZoneRules["under"]["days"]; holidays: readonly string[] },
): ZoneRules {
  const key = `${zone} ${holidays.join()} ${JSON.stringify(days)}`;
  return { zone, key, under: { kind: "weekly", days, dates: { ...NO_DATES, holidays } } };
}

/** Tells apart people for whom different rules hold, and nobody else. */
export function rulesKeyFor(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
): string {
  const key = places.length > 0 ? places.join() : `anywhere in ${zones.join()}`;
  return remembered(foundOf(presets).keys, key, () =>
    presets
      .flatMap((rule, index) => {
        if (!mayBeIn(rule.territory, places, zones)) return [];
        const own = rule.holidays === "own" ? `:${holidayPlacesOf(rule, zones, places).join("+")}` : "";
        return [`${index}${own}`];
      })
      .join(),
  );
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
export function holidayPlacesOf(
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
