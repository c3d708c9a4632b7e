import { isZoneName, zoneOf } from "../../domain/time/zone-data.ts";

/*
 * Moments that prove something: when somebody was called, and by which clocks. They are told as the clocks of the
 * person show them, and in UTC, whoever looks from wherever.
 */

interface Clock {
  zone: string;
  localMs: number;
}

/**
 * `2026-11-23 09:00:05 America/New_York (14:00:05 UTC)`. Of somebody who may be in several zones the earliest and the
 * latest of their clocks: the law goes by both.
 *
 * @param zones a name that the zone data does not have is passed over; with none it is UTC alone
 */
export function provenMoment(iso: string, zones: readonly string[]): string {
  const utcMs = Date.parse(iso);
  const clocks = zones
    .filter((zone) => isZoneName(zone))
    .map((zone): Clock => ({ zone, localMs: zoneOf(zone).localMs(utcMs) }))
    .toSorted((a, b) => a.localMs - b.localMs);
  const [first] = clocks;
  const last = clocks.at(-1);
  if (first === undefined || last === undefined) return `${dayOf(utcMs)} ${timeOf(utcMs)} UTC`;
  const utc = `${dayOf(utcMs) === dayOf(first.localMs) ? "" : `${dayOf(utcMs)} `}${timeOf(utcMs)} UTC`;
  const from = `${dayOf(first.localMs)} ${timeOf(first.localMs)} ${first.zone}`;
  if (first.zone === "UTC" && last.zone === "UTC") return from;
  if (first.localMs === last.localMs) return `${from} (${utc})`;
  const lastDay = dayOf(last.localMs) === dayOf(first.localMs) ? "" : `${dayOf(last.localMs)} `;
  return `${from} to ${lastDay}${timeOf(last.localMs)} ${last.zone} (${utc})`;
}

/** What a clock that shows it would show on UTC. */
const dayOf = (shownMs: number) => new Date(shownMs).toISOString().slice(0, 10);
const timeOf = (shownMs: number) => new Date(shownMs).toISOString().slice(11, 19);
