import { DAY_MS, dateText, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { Zone } from "../time/zone.ts";
import type { MinuteRange } from "./minute-range.ts";
import type { PlacedRule } from "./presets/in-force.ts";
import { rulesByZone, rulesKeyFor } from "./presets/rules-by-zone.ts";
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
 * `presets` are rules of places, which hold besides, and whatever `dates` say; absent, none does.
 */
export type CallingWindow = { dates?: WindowDates; presets?: readonly PlacedRule[] } & (
  | { kind: "always" }
  | { kind: "weekly"; days: readonly (readonly MinuteRange[])[] }
);

/** Where nothing is said: weekdays, office hours, as the preset `careful` has them (presets/data). */
export const DEFAULT_WINDOW_SPEC = { weekdays: ["09:00-18:00"] };

/** A stretch of time in which the window is open; `endMs` is exclusive. Unix milliseconds. */
export interface Opening {
  startMs: number;
  endMs: number;
}

export type WindowStatus =
  | { open: true; untilMs: number }
  /**
   * `opensAtMs` is undefined where no opening comes within the horizon. `dayOff` says which date keeps it closed, and
   * `rule` which rule of a preset, where it would be open now, or open sooner, but for that.
   */
  | { open: false; opensAtMs: number | undefined; dayOff?: string; rule?: string };

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
 * @param places where the person may be, for rules of places (presets/whereabouts.ts); none: wherever the zones are.
 * @throws UnknownZoneError for a name that the zone data does not have.
 */
export function findOpenings(
  window: CallingWindow,
  zones: readonly string[],
  fromMs: number,
  untilMs: number,
  places: readonly string[] = [],
): Opening[] {
  if (!isBound(window)) return [{ startMs: fromMs, endMs: untilMs }];
  const clocks = window.kind === "always" && zones.length === 0 ? ANYWHERE : zones;
  if (clocks.length === 0) return [];
  let openings: Opening[] = [{ startMs: fromMs, endMs: untilMs }];
  if (window.kind !== "always" || hasDates(window.dates ?? NO_DATES))
    openings = openInAll(openings, window, clocks, { fromMs, untilMs });
  for (const { zone, under } of rulesByZone(window.presets ?? [], clocks, places)) {
    if (openings.length === 0) break;
    openings = openInAll(openings, under, [zone], { fromMs, untilMs });
  }
  return openings;
}

function openInAll(
  before: Opening[],
  window: CallingWindow,
  zones: readonly string[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Opening[] {
  let openings = before;
  for (const zone of zones) {
    if (openings.length === 0) break;
    openings = intersect(openings, zoneOpenings(window, zone, fromMs, untilMs));
  }
  return openings;
}

/** Whether the window closes at all, for anybody. */
function isBound({ kind, dates = NO_DATES, presets = [] }: CallingWindow): boolean {
  return kind !== "always" || hasDates(dates) || presets.length > 0;
}

/** Whether the window is open now for all the zones, until when, or when it opens next. */
export function windowStatus(
  window: CallingWindow,
  zones: readonly string[],
  nowMs: number,
  places: readonly string[] = [],
): WindowStatus {
  if (!isBound(window)) return { open: true, untilMs: Number.POSITIVE_INFINITY };
  const horizonMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  const [first] = findOpenings(window, zones, nowMs, horizonMs, places);
  if (first && first.startMs <= nowMs) return { open: true, untilMs: first.endMs };
  const { presets = [], ...own } = window;
  if (presets.length > 0)
    return closedWithPresets({ own, presets }, zones, nowMs, { opensAtMs: first?.startMs, places });
  if (!hasDates(window.dates ?? NO_DATES)) return { open: false, opensAtMs: first?.startMs };
  return closedByDates(window, zones, nowMs, first?.startMs);
}

/**
 * Closed, by its own hours or by rules of presets: whichever keeps it closed longer is why. As days off do, holidays of
 * presets put off and never exclude.
 */
function closedWithPresets(
  { own, presets }: { own: CallingWindow; presets: readonly PlacedRule[] },
  zones: readonly string[],
  nowMs: number,
  { opensAtMs, places }: { opensAtMs: number | undefined; places: readonly string[] },
): WindowStatus {
  const { dates: _dates, ...usual } = own;
  const hours = presets.filter(({ holidays }) => holidays === undefined);
  const fromMs = nowMs;
  const untilMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  const opens =
    opensAtMs ??
    (findOpenings({ ...usual, presets: hours }, zones, fromMs, untilMs, places).length > 0
      ? (openingBehind({ ...own, presets }, zones, nowMs, places) ?? nowMs + LONGEST_DAYS_OFF * DAY_MS)
      : undefined);
  const ownStatus = windowStatus(own, zones, nowMs);
  const ownMs = ownStatus.open ? nowMs : ownStatus.opensAtMs;
  if (ownMs === undefined || (opens !== undefined && ownMs >= opens)) {
    const dayOff = ownStatus.open ? undefined : ownStatus.dayOff;
    return { open: false, opensAtMs: opens, ...(dayOff !== undefined && { dayOff }) };
  }
  return { open: false, opensAtMs: opens, ...closingRule(presets, zones, places, ownMs) };
}

/** The rule of a preset that closes a moment at which the window itself is open. */
function closingRule(
  presets: readonly PlacedRule[],
  zones: readonly string[],
  places: readonly string[],
  atMs: number,
): { dayOff?: string; rule?: string } {
  for (const rule of presets)
    for (const { zone, under } of rulesByZone([rule], zones.length === 0 ? ANYWHERE : zones, places)) {
      if (findOpenings(under, [zone], atMs, atMs + 1).length > 0) continue;
      if (rule.holidays === undefined) return { rule: rule.text };
      const day = dayOf(zoneOf(zone).localMs(atMs));
      const holiday = dayOffOn(under.dates ?? NO_DATES, zone, day) ?? dateText(day);
      return { dayOff: `${holiday}: ${rule.text}` };
    }
  return {};
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

function openingBehind(
  window: CallingWindow,
  zones: readonly string[],
  nowMs: number,
  places: readonly string[] = [],
): number | undefined {
  for (let days = OPENING_HORIZON_DAYS; days <= LONGEST_DAYS_OFF; days += OPENING_HORIZON_DAYS) {
    const fromMs = nowMs + days * DAY_MS;
    const [first] = findOpenings(window, zones, fromMs, fromMs + OPENING_HORIZON_DAYS * DAY_MS, places);
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

/** Answers `windowStatus` over and over. */
export type WindowOf = (
  zones: readonly string[],
  nowMs: number,
  /** Absent: nothing is known but the zones. */
  places?: readonly string[],
) => WindowStatus;

/**
 * Answers `windowStatus` for many zone sets over and over: each answer holds until the window next opens or
 * closes there, so it is worked out once per change and zone set. Places with the same rules share an answer.
 */
export function createWindowMemo(window: CallingWindow): WindowOf {
  const known = new Map<string, { fromMs: number; status: WindowStatus; holdsUntilMs: number }>();
  const presets = window.presets ?? [];
  const rulesKeys = new Map<string, string>();
  const rulesKeyOf = (zones: readonly string[], places: readonly string[]): string => {
    if (presets.length === 0) return "";
    const key = `${places.join(",")} ${places.length === 0 ? zones.join(",") : ""}`;
    const before = rulesKeys.get(key);
    if (before !== undefined) return before;
    if (rulesKeys.size >= MEMO_LIMIT) rulesKeys.clear();
    const rulesKey = rulesKeyFor(presets, zones, places);
    rulesKeys.set(key, rulesKey);
    return rulesKey;
  };
  return (zones, nowMs, places = []) => {
    const key = `${zones.join(",")} ${rulesKeyOf(zones, places)}`;
    const memo = known.get(key);
    if (memo && nowMs >= memo.fromMs && nowMs < memo.holdsUntilMs) return memo.status;
    const status = windowStatus(window, zones, nowMs, places);
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
