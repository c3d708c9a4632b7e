import { DAY_MS, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { Zone } from "../time/zone.ts";
import type { MinuteRange } from "./minute-range.ts";
import {
  dayOffOn,
  hasDates,
  LONGEST_DAYS_OFF,
  NO_DATES,
  rangesOn,
  type WindowDates,
} from "./window-dates.ts";

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

/**
 * When people may be called, in their own local time.
 * `days` has seven entries, Monday first; a day without ranges is closed. `dates` are unlike others; absent, none is.
 */
export type CallingWindow = { dates?: WindowDates } & (
  | { kind: "always" }
  | { kind: "weekly"; days: readonly (readonly MinuteRange[])[] }
);

/** Where nothing is said: weekdays, office hours. Inside every calling-hours law that we know of. */
export const DEFAULT_WINDOW_SPEC = { weekdays: ["09:00-18:00"] };

/** A stretch of time in which the window is open; `endMs` is exclusive. Unix milliseconds. */
export interface Opening {
  startMs: number;
  endMs: number;
}

export type WindowStatus =
  | { open: true; untilMs: number }
  /**
   * `opensAtMs` is undefined where no opening comes within the horizon. `dayOff` says which date keeps it closed, where
   * it would be open now, or open sooner, but for that.
   */
  | { open: false; opensAtMs: number | undefined; dayOff?: string };

const MINUTE_MS = 60_000;

/** A contact whose zones share no opening for this long, days off aside, is excluded rather than kept waiting. */
export const OPENING_HORIZON_DAYS = 14;

/** Where somebody may be of whom no zone is known: the first and the last clock of the earth, and one between them. */
const ANYWHERE = ["Etc/GMT-14", "Etc/UTC", "Etc/GMT+12"];

const ALL_DAY: readonly MinuteRange[] = [{ startMinute: 0, endMinute: 1_440 }];

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
  if (!isBound(window)) return [{ startMs: fromMs, endMs: untilMs }];
  const [first, ...others] = window.kind === "always" && zones.length === 0 ? ANYWHERE : zones;
  if (first === undefined) return [];
  let openings = zoneOpenings(window, first, fromMs, untilMs);
  for (const zone of others) {
    if (openings.length === 0) break;
    openings = intersect(openings, zoneOpenings(window, zone, fromMs, untilMs));
  }
  return openings;
}

/** Whether the window closes at all, for anybody. */
function isBound({ kind, dates = NO_DATES }: CallingWindow): boolean {
  return kind !== "always" || hasDates(dates);
}

/** Whether the window is open now for all the zones, until when, or when it opens next. */
export function windowStatus(window: CallingWindow, zones: readonly string[], nowMs: number): WindowStatus {
  if (!isBound(window)) return { open: true, untilMs: Number.POSITIVE_INFINITY };
  const horizonMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  const [first] = findOpenings(window, zones, nowMs, horizonMs);
  if (first && first.startMs <= nowMs) return { open: true, untilMs: first.endMs };
  if (!hasDates(window.dates ?? NO_DATES)) return { open: false, opensAtMs: first?.startMs };
  return closedByDates(window, zones, nowMs, first?.startMs);
}

/** Nobody is given up because of days off: where they are long, the opening behind them is looked for. */
function closedByDates(
  window: CallingWindow,
  zones: readonly string[],
  nowMs: number,
  opensAtMs: number | undefined,
): WindowStatus {
  const { dates: _dates, ...usual } = window;
  const otherwise = windowStatus(usual, zones, nowMs);
  if (opensAtMs === undefined && !otherwise.open && otherwise.opensAtMs === undefined)
    return { open: false, opensAtMs };
  const opens = opensAtMs ?? openingBehind(window, zones, nowMs) ?? nowMs + LONGEST_DAYS_OFF * DAY_MS;
  const usualMs = otherwise.open ? nowMs : (otherwise.opensAtMs ?? opens);
  const dayOff = usualMs < opens ? dayOffAt(window, zones, usualMs) : undefined;
  return { open: false, opensAtMs: opens, ...(dayOff !== undefined && { dayOff }) };
}

function openingBehind(window: CallingWindow, zones: readonly string[], nowMs: number): number | undefined {
  for (let days = OPENING_HORIZON_DAYS; days <= LONGEST_DAYS_OFF; days += OPENING_HORIZON_DAYS) {
    const fromMs = nowMs + days * DAY_MS;
    const [first] = findOpenings(window, zones, fromMs, fromMs + OPENING_HORIZON_DAYS * DAY_MS);
    if (first) return first.startMs;
  }
  return undefined;
}

/** The date for which the window is closed at a moment at which it usually is open. */
function dayOffAt(window: CallingWindow, zones: readonly string[], atMs: number): string | undefined {
  const { dates = NO_DATES } = window;
  for (const name of zones.length === 0 ? ANYWHERE : zones) {
    const localMs = zoneOf(name).localMs(atMs);
    const day = dayOf(localMs);
    const minute = (localMs - day * DAY_MS) / MINUTE_MS;
    const isOpen = rangesOn(dates, name, day, usualOn(window, day)).some(
      ({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute,
    );
    if (!isOpen) return dayOffOn(dates, name, day);
  }
  return undefined;
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

function zoneOpenings(window: CallingWindow, name: string, fromMs: number, untilMs: number): Opening[] {
  const zone = zoneOf(name);
  const { dates = NO_DATES } = window;
  const openings: Opening[] = [];
  // One local day earlier and later than the UTC dates covers every offset.
  const lastDay = dayOf(untilMs) + 1;
  for (let day = dayOf(fromMs) - 1; day <= lastDay; day += 1) {
    for (const range of rangesOn(dates, name, day, usualOn(window, day))) {
      const startMs = Math.max(fromMs, instantMs(zone, day, range.startMinute, "later"));
      const endMs = Math.min(untilMs, instantMs(zone, day, range.endMinute, "earlier"));
      if (startMs < endMs) openings.push({ startMs, endMs });
    }
  }
  return joinTouching(openings);
}

function usualOn(window: CallingWindow, day: number): readonly MinuteRange[] {
  return window.kind === "always" ? ALL_DAY : (window.days[weekdayOf(day)] ?? []);
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
