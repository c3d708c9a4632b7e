import { isZoneName, zoneOf } from "./zone-data.ts";

/*
 * Moments that prove something: when somebody was called, and by which clocks.
 */

interface Clock {
  zone: string;
  /** What it shows, as the instant at which a clock on UTC shows the same. */
  localMs: number;
}

/**
 * The clocks of somebody who may be in several zones that show the earliest and the latest time: the law goes by
 * both. Where all show the same it is one clock. Undefined where no zone is known.
 *
 * @param zones a name that the zone data does not have is passed over
 */
export function clocksAt(
  atMs: number,
  zones: readonly string[],
): { first: Clock; last: Clock | undefined } | undefined {
  // Results have three of them in each of a million lines.
  let first: Clock | undefined;
  let last: Clock | undefined;
  for (const zone of zones) {
    if (!isZoneName(zone)) continue;
    const localMs = zoneOf(zone).localMs(atMs);
    if (!first || localMs < first.localMs) first = { zone, localMs };
    if (!last || localMs >= last.localMs) last = { zone, localMs };
  }
  if (!first) return undefined;
  return { first, last: last?.localMs === first.localMs ? undefined : last };
}

/**
 * `2026-11-23 09:00:05 America/New_York`, and of several clocks
 * `2026-11-23 05:00:05 Pacific/Honolulu to 10:00:05 America/New_York`. Undefined where no zone is known.
 */
export function localMoment(atMs: number, zones: readonly string[]): string | undefined {
  const clocks = clocksAt(atMs, zones);
  if (!clocks) return undefined;
  const { first, last } = clocks;
  const [day, time] = shownBy(first);
  const from = `${day} ${time} ${first.zone}`;
  if (!last) return from;
  const [lastDay, lastTime] = shownBy(last);
  return `${from} to ${lastDay === day ? "" : `${lastDay} `}${lastTime} ${last.zone}`;
}

/** Its day and its time, in one reading. */
function shownBy({ localMs }: Clock): [day: string, time: string] {
  const shown = new Date(localMs).toISOString();
  return [shown.slice(0, 10), shown.slice(11, 19)];
}

/** What a clock that shows it would show on UTC. */
export const dayOf = (shownMs: number) => new Date(shownMs).toISOString().slice(0, 10);
export const timeOf = (shownMs: number) => new Date(shownMs).toISOString().slice(11, 19);
