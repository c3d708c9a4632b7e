import type { CallingWindow, WindowStatus } from "../../../src/domain/policy/calling-window.ts";

/*
 * A second reading of what a calling window means, from `Intl` alone and minute by minute, slow and plain: what
 * the fast one is compared with.
 */

export const MINUTE_MS = 60_000;
export const DAY_MINUTES = 1_440;
export const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** Local time in whole minutes since 1970-01-01T00:00 on that clock. */
type WallMinute = number;

/** A clock's reading at every whole minute of a stretch of time. */
export class LocalClock {
  readonly #firstMinute: number;
  readonly #walls: Int32Array;
  readonly zone: string;

  constructor(zone: string, fromMs: number, untilMs: number) {
    this.zone = zone;
    this.#firstMinute = Math.floor(fromMs / MINUTE_MS);
    this.#walls = new Int32Array(Math.ceil(untilMs / MINUTE_MS) - this.#firstMinute);
    const format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "short",
    });
    for (let index = 0; index < this.#walls.length; index += 1) {
      // "2026-03-08 01:59"
      const text = format.format((this.#firstMinute + index) * MINUTE_MS);
      this.#walls[index] = Date.parse(`${text.replace(" ", "T")}:00Z`) / MINUTE_MS;
    }
  }

  wallAt(minute: number): WallMinute {
    const wall = this.#walls[minute - this.#firstMinute];
    if (wall === undefined) throw new Error("the clock was not read that far");
    return wall;
  }

  /** The instant of a local time: of two the asked one; of none, as far past or before the gap as it lies in it. */
  instantOf(wall: WallMinute, which: "earlier" | "later"): number {
    const around = 16 * 60;
    let found: number | undefined;
    for (let minute = wall - around; minute <= wall + around; minute += 1) {
      const before = this.wallAt(minute - 1);
      const here = this.wallAt(minute);
      if (here === wall) {
        if (which === "earlier") return minute;
        found = minute;
      } else if (before < wall && here > wall) {
        return which === "later" ? minute + (wall - before - 1) : minute - (here - wall);
      }
    }
    if (found === undefined) throw new Error("a local time that neither is nor is skipped");
    return found;
  }
}

type Weekly = Extract<CallingWindow, { kind: "weekly" }>;

/**
 * Public holidays as calendars there print them, by place, with the zones that are in it, for the weeks that are looked
 * at.
 */
const HOLIDAYS: Readonly<Record<string, { zones: readonly string[]; dates: readonly string[] }>> = {
  US: { zones: ["America/New_York"], dates: ["2026-09-07", "2026-10-12", "2026-11-11"] },
  "DE-BY": {
    zones: ["Europe/Berlin"],
    dates: ["2026-04-03", "2026-04-06", "2026-05-01", "2026-10-03", "2026-11-01"],
  },
};

/** The ranges in force on a local day, by what its dates say. */
function rangesOn(window: Weekly, zone: string, day: number) {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  const { blackouts = [], exceptions = [], holidays = [] } = window.dates ?? {};
  const covers = (span: { fromDay: number; lastDay: number }) => day >= span.fromDay && day <= span.lastDay;
  if (blackouts.some(covers)) return [];
  for (const exception of exceptions) if (covers(exception)) return exception.ranges;
  for (const place of holidays) {
    const known = HOLIDAYS[place];
    if (known?.zones.includes(zone) && known.dates.includes(date)) return [];
  }
  // 1970-01-01 was a Thursday: the fourth day of a week that begins on Monday.
  return window.days[(day + 3) % 7] ?? [];
}

/** What `windowStatus` says, found by looking at every minute until the horizon. */
export function statusByMinutes(
  window: Weekly,
  clocks: readonly LocalClock[],
  nowMs: number,
  horizonMs: number,
): WindowStatus {
  const nowMinute = Math.floor(nowMs / MINUTE_MS);
  const stretches = clocks.map((clock) => stretchesOf(window, clock, nowMinute));
  const isOpen = (minute: number) =>
    stretches.length > 0 &&
    stretches.every((ofZone) => ofZone.some(([from, until]) => from <= minute && minute < until));
  const openNow = isOpen(nowMinute);
  for (let minute = nowMinute + 1; minute * MINUTE_MS < horizonMs; minute += 1) {
    if (isOpen(minute) === openNow) continue;
    return openNow
      ? { open: true, untilMs: minute * MINUTE_MS }
      : { open: false, opensAtMs: minute * MINUTE_MS };
  }
  return openNow ? { open: true, untilMs: horizonMs } : { open: false, opensAtMs: undefined };
}

function stretchesOf(window: Weekly, clock: LocalClock, nowMinute: number): [from: number, until: number][] {
  const today = Math.floor(clock.wallAt(nowMinute) / DAY_MINUTES);
  const found: [number, number][] = [];
  for (let day = today - 1; day <= today + 15; day += 1) {
    for (const range of rangesOn(window, clock.zone, day)) {
      const from = clock.instantOf(day * DAY_MINUTES + range.startMinute, "later");
      const until = clock.instantOf(day * DAY_MINUTES + range.endMinute, "earlier");
      if (from < until) found.push([from, until]);
    }
  }
  return found;
}

/** Whether the written hours allow a call, by what a clock on the wall shows and nothing else. */
export function isWithinWrittenHours(window: Weekly, zone: string, atMs: number): boolean {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const minute = Number(part("hour")) * 60 + Number(part("minute"));
  const day = Date.parse(`${part("year")}-${part("month")}-${part("day")}T00:00Z`) / DAY_MS;
  return rangesOn(window, zone, day).some((range) => range.startMinute <= minute && minute < range.endMinute);
}
