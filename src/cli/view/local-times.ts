import { clocksAt, dayOf, localMoment, timeOf } from "../../domain/time/local-moment.ts";

/*
 * Moments that prove something: when somebody was called, and by which clocks. They are told as the clocks of the
 * person show them, and in UTC, whoever looks from wherever.
 */

/**
 * `2026-11-23 09:00:05 America/New_York (14:00:05 UTC)`. Of somebody who may be in several zones the earliest and the
 * latest of their clocks: the law goes by both.
 *
 * @param zones a name that the zone data does not have is passed over; with none it is UTC alone
 */
export function provenMoment(iso: string, zones: readonly string[]): string {
  const utcMs = Date.parse(iso);
  const clocks = clocksAt(utcMs, zones);
  const local = localMoment(utcMs, zones);
  if (!clocks || local === undefined) return `${dayOf(utcMs)} ${timeOf(utcMs)} UTC`;
  if (clocks.first.zone === "UTC" && !clocks.last) return local;
  const day = dayOf(utcMs) === dayOf(clocks.first.localMs) ? "" : `${dayOf(utcMs)} `;
  return `${local} (${day}${timeOf(utcMs)} UTC)`;
}

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

/** A text in which the ledger wrote moments, such as `until 2026-11-23T14:00:00.000Z`, with each as `provenMoment`. */
export function withProvenMoments(text: string, zones: readonly string[]): string {
  return text.replaceAll(MOMENT, (iso) => (Number.isNaN(Date.parse(iso)) ? iso : provenMoment(iso, zones)));
}
