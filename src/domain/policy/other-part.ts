import { DAY_MS, dayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { OpeningsAhead, Whereabouts } from "./openings-ahead.ts";
import { partOfDay } from "./parts-of-day.ts";

const MINUTE_MS = 60_000;

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
  where: Whereabouts,
  fromMs: number,
  calledMs: readonly number[],
): number | undefined {
  const { zones } = where;
  const [home] = zones;
  const lastMs = calledMs.at(-1);
  if (home === undefined || lastMs === undefined) return undefined;
  const last = zones.map((zone) => partOfDay(zone, lastMs));
  const tried = zones.map((zone) => new Set(calledMs.map((atMs) => partOfDay(zone, atMs))));
  const openDays = new Set<number>();
  let unlikeLast: number | undefined;
  let patientUntilMs: number | undefined;
  for (const { startMs, endMs, parts } of ahead.pieces(where, fromMs)) {
    patientUntilMs ??= startMs + PATIENCE_MS;
    if (startMs >= patientUntilMs && unlikeLast !== undefined) break;
    openDays.add(dayOf(zoneOf(home).localMs(startMs)));
    if (openDays.size > OPEN_DAYS) break;
    if (endMs - startMs < LEAST_LEFT_MS || parts.includes("night")) continue;
    if (parts.every((part, index) => tried[index]?.has(part) === false)) return startMs;
    if (parts.every((part, index) => last[index] !== part)) unlikeLast ??= startMs;
  }
  return unlikeLast;
}
