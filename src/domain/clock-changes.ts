import { Temporal } from "temporal-polyfill";

/** A moment at which a zone's clocks are put forward or back. */
export interface ClockChange {
  /** The first instant that goes by the new clocks. Unix milliseconds. */
  atMs: number;
  /** How far they go, in milliseconds: above 0 local times are left out, below 0 they come twice. */
  byMs: number;
  /** UTC offset before it, in milliseconds. */
  offsetBeforeMs: number;
}

/** The changes in (fromMs, toMs], in order. A zone has a few a year. */
export function clockChanges(zone: string, fromMs: number, toMs: number): ClockChange[] {
  const changes: ClockChange[] = [];
  let moment = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone);
  for (;;) {
    const next = moment.getTimeZoneTransition("next");
    if (!next || next.epochMilliseconds > toMs) return changes;
    const offsetBeforeMs = offsetMs(next.subtract({ milliseconds: 1 }));
    const byMs = offsetMs(next) - offsetBeforeMs;
    // A zone may change its name or its law without its clocks.
    if (byMs !== 0) changes.push({ atMs: next.epochMilliseconds, byMs, offsetBeforeMs });
    moment = next;
  }
}

function offsetMs(moment: Temporal.ZonedDateTime): number {
  return moment.offsetNanoseconds / 1_000_000;
}

/**
 * The instant of a local time: the first instant behind the gap where it does not exist, the first of the two where
 * it comes twice.
 */
export function firstInstantOf(local: Temporal.PlainDateTime, zone: string): number {
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  // In a gap `earlier` is as far before it as the time is within it: the next change of the clocks is the gap.
  return (earlier.getTimeZoneTransition("next") ?? earlier).epochMilliseconds;
}
