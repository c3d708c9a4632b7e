import { weekdayOf, dayOf, DAY_MS } from "../../domain/time/local-day.ts";
import { zoneOf } from "../../domain/time/zone-data.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** `Mon 2026-11-30`, of a local day. */
export function dayText(day: number): string {
  return `${WEEKDAYS[weekdayOf(day)] ?? ""} ${new Date(day * DAY_MS).toISOString().slice(0, 10)}`;
}

/** `Mon 2026-11-30 09:00`, by the clocks of a zone. Plans are made by weekdays and minutes. */
export function weekdayMoment(atMs: number, zone: string): string {
  const localMs = zoneOf(zone).localMs(atMs);
  return `${dayText(dayOf(localMs))} ${new Date(localMs).toISOString().slice(11, 16)}`;
}
