import { DAY_MS, dayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";

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

/** A stretch within one part of the day, in each of some zones. */
export interface PieceOfDay {
  startMs: number;
  endMs: number;
  /** By zone, in their order. */
  parts: readonly PartOfDay[];
}

/** A stretch, cut wherever a part of the day begins in any of the zones. */
export function piecesOf(zones: readonly string[], startMs: number, endMs: number): PieceOfDay[] {
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
  return sorted.map((cutMs, index) => ({
    startMs: cutMs,
    endMs: sorted[index + 1] ?? endMs,
    parts: zones.map((zone) => partOfDay(zone, cutMs)),
  }));
}
