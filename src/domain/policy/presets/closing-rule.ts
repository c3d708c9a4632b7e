import { DAY_MS, dayOf, weekdayOf } from "../../time/local-day.ts";
import { zoneOf } from "../../time/zone-data.ts";
import type { MinuteRange } from "../minute-range.ts";
import { dayOffOn, NO_DATES, rangesOn } from "../window-dates.ts";
import type { PlacedRule } from "./placed-rule.ts";
import { holidayPlacesOf } from "./rules-by-zone.ts";
import { mayBeIn, zonesWithin } from "./whereabouts.ts";

const MINUTE_MS = 60_000;
const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: 1_440 }];

/**
 * The first rule of a preset that keeps somebody from being called at a moment, in words: as a day off, or as a rule of
 * hours. Neither where none does.
 */
export function closingRule(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
  atMs: number,
): { dayOff?: string; rule?: string } {
  for (const rule of presets) {
    if (!mayBeIn(rule.territory, places, zones)) continue;
    for (const zone of zonesWithin(rule.territory, zones)) {
      const localMs = zoneOf(zone).localMs(atMs);
      const day = dayOf(localMs);
      const minute = (localMs - day * DAY_MS) / MINUTE_MS;
      const isWithin = (ranges: readonly MinuteRange[] = []) =>
        ranges.some(({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute);
      if (rule.days !== undefined) {
        if (!isWithin(rule.days[weekdayOf(day)])) return { rule: rule.text };
        continue;
      }
      const dates = { ...NO_DATES, holidays: holidayPlacesOf(rule, zones, places) };
      if (isWithin(rangesOn(dates, zone, day, ALL_DAY))) continue;
      return { dayOff: `${dayOffOn(dates, zone, day) ?? "a holiday"}: ${rule.text}` };
    }
  }
  return {};
}
