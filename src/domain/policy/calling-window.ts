import { DAY_MS, dayOf, weekdayOf } from "../time/local-day.ts";
import { zoneOf } from "../time/zone-data.ts";
import type { Zone } from "../time/zone.ts";
import type { MinuteRange } from "./minute-range.ts";
import { closingRule } from "./presets/closing-rule.ts";
import type { PlacedRule } from "./presets/placed-rule.ts";
import { rulesByZone, rulesKeyFor, type ZoneRules } from "./presets/rules-by-zone.ts";
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
  const clocks = window.kind === "always" ? clocksOf(zones) : zones;
  if (clocks.length === 0) return [];
  let openings: Opening[] = [{ startMs: fromMs, endMs: untilMs }];
  if (window.kind !== "always" || hasDates(window.dates ?? NO_DATES))
    openings = openInAll(openings, window, clocks, { fromMs, untilMs });
  for (const rules of rulesByZone(window.presets ?? [], clocks, places)) {
    if (openings.length === 0) break;
    openings = intersect(openings, ruledOpenings(rules, fromMs, untilMs));
  }
  return openings;
}

/**
 * The same in one of the zones that somebody may be in, whatever the others say: rules of places hold there as they do
 * for the whole person, which the zone alone does not tell.
 */
export function openingsInZone(
  window: CallingWindow,
  zone: string,
  person: { zones: readonly string[]; places: readonly string[] },
  { startMs, endMs }: Opening,
): Opening[] {
  return rulesByZone(window.presets ?? [], person.zones, person.places)
    .filter((rules) => rules.zone === zone)
    .reduce(
      (openings, rules) => intersect(openings, ruledOpenings(rules, startMs, endMs)),
      zoneOpenings(window, zone, startMs, endMs),
    );
}

/** Of whole days, by rules, zone and days: laws are the same for every campaign, and most of its lanes. */
const ruledDays = new Map<string, Opening[]>();

/** A thousand sets of rules in a handful of zones, in both of the spans of days that are asked for. */
const MOST_RULED_DAYS = 5_000;

/** When the rules of places are open in one zone; may begin before and end after what was asked for. */
function ruledOpenings({ zone, key, under }: ZoneRules, fromMs: number, untilMs: number): Opening[] {
  const [firstDay, lastDay] = [dayOf(fromMs), dayOf(untilMs)];
  const daysKey = `${firstDay} ${lastDay} ${key}`;
  const known = ruledDays.get(daysKey);
  if (known !== undefined) return known;
  if (ruledDays.size >= MOST_RULED_DAYS) ruledDays.clear();
  const openings = zoneOpenings(under, zone, firstDay * DAY_MS, (lastDay + 1) * DAY_MS);
  ruledDays.set(daysKey, openings);
  return openings;
}

/** Of somebody of whom no zone is known, those of everywhere. */
function clocksOf(zones: readonly string[]): readonly string[] {
  return zones.length === 0 ? ANYWHERE : zones;
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
  const untilMs = nowMs + OPENING_HORIZON_DAYS * DAY_MS;
  const opens =
    opensAtMs ??
    (findOpenings(
      { ...usual, presets: presets.filter(({ holidays }) => holidays === undefined) },
      zones,
      nowMs,
      untilMs,
      places,
    ).length > 0
      ? (openingBehind({ ...own, presets }, zones, nowMs, places) ?? nowMs + LONGEST_DAYS_OFF * DAY_MS)
      : undefined);
  const ownStatus = windowStatus(own, zones, nowMs);
  const ownMs = ownStatus.open ? nowMs : ownStatus.opensAtMs;
  if (ownMs === undefined || (opens !== undefined && ownMs >= opens)) {
    const dayOff = ownStatus.open ? undefined : ownStatus.dayOff;
    return { open: false, opensAtMs: opens, ...(dayOff !== undefined && { dayOff }) };
  }
  return { open: false, opensAtMs: opens, ...closingRule(presets, clocksOf(zones), places, ownMs) };
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
  return (zones, nowMs, places = []) => {
    const rules = presets.length === 0 ? "" : rulesKeyFor(presets, zones, places);
    const key = `${zones.join(",")} ${rules}`;
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
