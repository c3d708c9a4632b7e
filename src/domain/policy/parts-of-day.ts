import { DAY_MS, dayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { OpeningsAhead } from "./openings-ahead.ts";

/*
 * Parts of a day, by the contact's own clock. Whoever did not take a call in the morning may be at work each morning: the
 * next one is better made in another part. Docs: docs/policies.md, "Retries".
 */

export type PartOfDay = "morning" | "midday" | "afternoon" | "evening" | "night";

/** When each begins, in minutes from midnight. What is left of the day is night, and is never aimed at. */
const BEGINNINGS: readonly (readonly [part: PartOfDay, minute: number])[] = [
  ["night", 0],
  ["morning", 8 * 60],
  ["midday", 11 * 60],
  ["afternoon", 14 * 60],
  ["evening", 17 * 60],
  ["night", 21 * 60],
];

const MINUTE_MS = 60_000;

/** The part of the day that it is in a zone. */
export function partOfDay(zone: string, atMs: number): PartOfDay {
  const localMs = zoneOf(zone).localMs(atMs);
  const minute = (localMs - dayOf(localMs) * DAY_MS) / MINUTE_MS;
  return BEGINNINGS.findLast(([, begins]) => begins <= minute)?.[0] ?? "night";
}

/** Less than this of a part is none: a batch may take as long to be through, and its last call would fall behind it. */
const LEAST_LEFT_MS = 10 * MINUTE_MS;

/** As long as this after the window's next opening, one that was not tried is waited for. */
const PATIENCE_MS = 7 * DAY_MS;

/** A part that is on none of so many days on which the window opens is on no day of the week. */
const OPEN_DAYS = 7;

/**
 * The first moment at which the window is open and it is another part of the day, in each zone that the contact may be
 * in, than at any call before: within a week of the window's next opening. Where there is none, the first at which it is
 * another part than at the last call, however many days off are before it. Undefined: there is none of these either, or
 * nobody knows a zone.
 *
 * @param calledMs when it was called, the last call last. Unix milliseconds.
 */
export function otherPartMs(
  ahead: OpeningsAhead,
  zones: readonly string[],
  fromMs: number,
  calledMs: readonly number[],
): number | undefined {
  const [home] = zones;
  const lastMs = calledMs.at(-1);
  if (home === undefined || lastMs === undefined) return undefined;
  const places = zones.map((zone) => ({
    zone,
    last: partOfDay(zone, lastMs),
    tried: new Set(calledMs.map((atMs) => partOfDay(zone, atMs))),
  }));
  const openDays = new Set<number>();
  let unlikeLast: number | undefined;
  let patientUntilMs: number | undefined;
  for (const { startMs, endMs } of ahead(zones, fromMs)) {
    patientUntilMs ??= startMs + PATIENCE_MS;
    if (startMs >= patientUntilMs && unlikeLast !== undefined) break;
    openDays.add(dayOf(zoneOf(home).localMs(startMs)));
    if (openDays.size > OPEN_DAYS) break;
    for (const piece of piecesOf(zones, startMs, endMs)) {
      if (piece.endMs - piece.startMs < LEAST_LEFT_MS) continue;
      const parts = places.map((place) => ({ ...place, part: partOfDay(place.zone, piece.startMs) }));
      if (parts.some(({ part }) => part === "night")) continue;
      if (parts.every(({ tried, part }) => !tried.has(part))) return piece.startMs;
      if (parts.every(({ last, part }) => last !== part)) unlikeLast ??= piece.startMs;
    }
  }
  return unlikeLast;
}

/** A stretch, cut wherever a part of the day begins in any of the zones. */
function piecesOf(
  zones: readonly string[],
  startMs: number,
  endMs: number,
): { startMs: number; endMs: number }[] {
  const cuts = new Set([startMs]);
  for (const name of zones) {
    const zone = zoneOf(name);
    const lastDay = dayOf(zone.localMs(endMs));
    for (let day = dayOf(zone.localMs(startMs)); day <= lastDay; day += 1) {
      for (const [, minute] of BEGINNINGS) {
        const cutMs = zone.instantMs(day * DAY_MS + minute * MINUTE_MS, "later");
        if (startMs < cutMs && cutMs < endMs) cuts.add(cutMs);
      }
    }
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.map((cutMs, index) => ({ startMs: cutMs, endMs: sorted[index + 1] ?? endMs }));
}
