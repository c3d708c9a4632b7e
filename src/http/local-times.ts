import { isZoneName, zoneOf } from "../domain/time/zone-data.ts";

/** What a clock shows, and in which zones. */
interface LocalTime {
  at: string;
  zones: string[];
}

/** Zones whose clocks show the same stand together; the earliest clock first. */
export function localTimes(atMs: number, zones: readonly string[]): LocalTime[] {
  const byOffset = new Map<number, string[]>();
  for (const name of zones.filter(isZoneName)) {
    const offsetMs = zoneOf(name).offsetMs(atMs);
    byOffset.set(offsetMs, [...(byOffset.get(offsetMs) ?? []), name]);
  }
  return [...byOffset]
    .toSorted(([a], [b]) => a - b)
    .map(([offsetMs, names]) => ({ at: localText(atMs, offsetMs), zones: names }));
}

function localText(atMs: number, offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const offset = `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${new Date(atMs + offsetMs).toISOString().slice(0, 19)}${offset}`;
}
