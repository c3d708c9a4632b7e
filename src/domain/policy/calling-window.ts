import { DAY_MS, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { Zone } from "../time/zone.ts";

/** Monday first, as ISO 8601 counts them. */
export const DAY_NAMES = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;

/** A stretch of one local day, in minutes from its midnight; `endMinute` is exclusive, 1440 at most. */
export interface MinuteRange {
  startMinute: number;
  endMinute: number;
}

/**
 * When people may be called, in their own local time.
 * `days` has seven entries, Monday first; a day without ranges is closed.
 */
export type CallingWindow =
  | { kind: "always" }
  | { kind: "weekly"; days: readonly (readonly MinuteRange[])[] };

/** Where nothing is said: weekdays, office hours. Inside every calling-hours law that we know of. */
export const DEFAULT_WINDOW_SPEC = { weekdays: ["09:00-18:00"] };

/** A stretch of time in which the window is open; `endMs` is exclusive. Unix milliseconds. */
export interface Opening {
  startMs: number;
  endMs: number;
}

export type WindowStatus =
  | { open: true; untilMs: number }
  /** `opensAtMs` is undefined where no opening comes within the horizon. */
  | { open: false; opensAtMs: number | undefined };

const MINUTE_MS = 60_000;

/** A contact whose zones share no opening for this long is excluded rather than kept waiting. */
export const OPENING_HORIZON_DAYS = 14;

/** Reads `HH:MM-HH:MM`. The end may be 24:00; a range may not cross midnight. Undefined where it is not one. */
export function parseMinuteRange(text: string): MinuteRange | undefined {
  const match = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const [startHour = 0, startMin = 0, endHour = 0, endMin = 0] = match.slice(1).map(Number);
  if (startMin > 59 || endMin > 59) return undefined;
  const startMinute = startHour * 60 + startMin;
  const endMinute = endHour * 60 + endMin;
  if (startMinute >= endMinute || endMinute > 1_440) return undefined;
  return { startMinute, endMinute };
}

/**
 * The stretches within [fromMs, untilMs) in which the window is open in every one of the zones at once (I2).
 *
 * A local time that does not exist opens at the later instant and closes at the earlier one, and so does one
 * that comes twice: where the clock change leaves a doubt, the window is shorter.
 *
 * @param zones IANA names; none means that no opening exists.
 * @throws UnknownZoneError for a name that the zone data does not have.
 */
export function findOpenings(
  window: CallingWindow,
  zones: readonly string[],
  fromMs: number,
  untilMs: number,
): Opening[] {
  if (window.kind === "always") return [{ startMs: fromMs, endMs: untilMs }];
  const [first, ...others] = zones;
  if (first === undefined) return [];
  let openings = zoneOpenings(window.days, first, fromMs, untilMs);
  for (const zone of others) {
    if (openings.length === 0) break;
    openings = intersect(openings, zoneOpenings(window.days, zone, fromMs, untilMs));
  }
  return openings;
}

/** Whether the window is open now for all the zones, until when, or when it opens next. */
export function windowStatus(window: CallingWindow, zones: readonly string[], nowMs: number): WindowStatus {
  const horizonMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  if (window.kind === "always") return { open: true, untilMs: Number.POSITIVE_INFINITY };
  const [first] = findOpenings(window, zones, nowMs, horizonMs);
  if (!first) return { open: false, opensAtMs: undefined };
  if (first.startMs <= nowMs) return { open: true, untilMs: first.endMs };
  return { open: false, opensAtMs: first.startMs };
}

/**
 * Answers `windowStatus` for many zone sets over and over: each answer holds until the window next opens or
 * closes there, so it is worked out once per change and zone set.
 */
export function createWindowMemo(
  window: CallingWindow,
): (zones: readonly string[], nowMs: number) => WindowStatus {
  const known = new Map<string, { fromMs: number; status: WindowStatus; holdsUntilMs: number }>();
  return (zones, nowMs) => {
    const key = zones.join(",");
    const memo = known.get(key);
    if (memo && nowMs >= memo.fromMs && nowMs < memo.holdsUntilMs) return memo.status;
    const status = windowStatus(window, zones, nowMs);
    const holdsUntilMs = status.open ? status.untilMs : (status.opensAtMs ?? nowMs + DAY_MS);
    if (known.size >= MEMO_LIMIT) known.clear();
    known.set(key, { fromMs: nowMs, status, holdsUntilMs });
    return status;
  };
}

/** The prefix data of the whole world makes fewer zone sets than this. */
const MEMO_LIMIT = 5_000;

function zoneOpenings(
  days: readonly (readonly MinuteRange[])[],
  name: string,
  fromMs: number,
  untilMs: number,
): Opening[] {
  const zone = zoneOf(name);
  const openings: Opening[] = [];
  // One local day earlier and later than the UTC dates covers every offset.
  const lastDay = dayOf(untilMs) + 1;
  for (let day = dayOf(fromMs) - 1; day <= lastDay; day += 1) {
    for (const range of days[weekdayOf(day)] ?? []) {
      const startMs = Math.max(fromMs, instantMs(zone, day, range.startMinute, "later"));
      const endMs = Math.min(untilMs, instantMs(zone, day, range.endMinute, "earlier"));
      if (startMs < endMs) openings.push({ startMs, endMs });
    }
  }
  return joinTouching(openings);
}

function instantMs(zone: Zone, day: number, minute: number, which: "earlier" | "later"): number {
  return zone.instantMs(day * DAY_MS + minute * MINUTE_MS, which);
}

function joinTouching(openings: readonly Opening[]): Opening[] {
  const joined: Opening[] = [];
  for (const opening of [...openings].sort((a, b) => a.startMs - b.startMs)) {
    const previous = joined.at(-1);
    if (previous && opening.startMs <= previous.endMs)
      previous.endMs = Math.max(previous.endMs, opening.endMs);
    else joined.push({ ...opening });
  }
  return joined;
}

function intersect(left: readonly Opening[], right: readonly Opening[]): Opening[] {
  const both: Opening[] = [];
  let l = 0;
  let r = 0;
  for (;;) {
    const a = left[l];
    const b = right[r];
    if (!a || !b) return both;
    const startMs = Math.max(a.startMs, b.startMs);
    const endMs = Math.min(a.endMs, b.endMs);
    if (startMs < endMs) both.push({ startMs, endMs });
    if (a.endMs < b.endMs) l += 1;
    else r += 1;
  }
}
