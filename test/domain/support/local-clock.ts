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

  constructor(zone: string, fromMs: number, untilMs: number) {
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

/** What `windowStatus` says, found by looking at every minute until the horizon. */
export function statusByMinutes(
  window: Extract<CallingWindow, { kind: "weekly" }>,
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

function stretchesOf(
  window: Extract<CallingWindow, { kind: "weekly" }>,
  clock: LocalClock,
  nowMinute: number,
): [from: number, until: number][] {
  const today = Math.floor(clock.wallAt(nowMinute) / DAY_MINUTES);
  const found: [number, number][] = [];
  for (let day = today - 1; day <= today + 15; day += 1) {
    // 1970-01-01 was a Thursday: the fourth day of a week that begins on Monday.
    for (const range of window.days[(day + 3) % 7] ?? []) {
      const from = clock.instantOf(day * DAY_MINUTES + range.startMinute, "later");
      const until = clock.instantOf(day * DAY_MINUTES + range.endMinute, "earlier");
      if (from < until) found.push([from, until]);
    }
  }
  return found;
}

/** Whether the written hours allow a call, by what a clock on the wall shows and nothing else. */
export function isWithinWrittenHours(
  window: Extract<CallingWindow, { kind: "weekly" }>,
  zone: string,
  atMs: number,
): boolean {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
  const minute = Number(part("hour")) * 60 + Number(part("minute"));
  const ranges = window.days[weekdays.indexOf(part("weekday"))] ?? [];
  return ranges.some((range) => range.startMinute <= minute && minute < range.endMinute);
}
