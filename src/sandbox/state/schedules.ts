import type { Clock, Timer } from "../clock.ts";
import { nextCronTime } from "./cron-times.ts";
import type { Kept } from "./kept.ts";

/** When a workflow runs: at the times of a cron expression in a time zone, or every so many minutes. */
export type Recurrence =
  | { readonly kind: "cron"; readonly cron: string; readonly timezone: string }
  | { readonly kind: "interval"; readonly intervalMinutes: number; readonly timezone: string };

/**
 * The calendar that schedules go by. It agrees with the wall clock when the sandbox starts, and then runs with the
 * sandbox's speed: at speed 60 a day passes in 24 minutes, with everything that is due on it. At speed 1 it is the
 * wall clock.
 */
export class Calendar {
  readonly #clock: Clock;
  readonly #startedAtWallMs: number;

  /** `startsAtWallMs`: milliseconds since 1970; by default, when the clock began. */
  constructor(clock: Clock, startsAtWallMs = clock.epochMs) {
    this.#clock = clock;
    this.#startedAtWallMs = startsAtWallMs;
  }

  /** Milliseconds since 1970. */
  nowMs(): number {
    return this.#startedAtWallMs + this.#clock.simulated(this.#clock.now());
  }

  iso(calendarMs: number): string {
    return new Date(calendarMs).toISOString();
  }

  /** When a moment of the calendar comes, in terms of the clock's `now()`. */
  clockMsOf(calendarMs: number): number {
    return (calendarMs - this.#startedAtWallMs) / this.#clock.speed;
  }
}

/** A schedule, plain data. Times are the calendar's milliseconds. */
export interface ScheduleRecord {
  readonly workflowId: string;
  readonly recurrence: Recurrence;
  nextMs: number | null;
  lastMs: number | null;
  runs: number;
}

/** The schedules of an organization, one a workflow. */
export class Schedules implements Kept<readonly ScheduleRecord[]> {
  readonly calendar: Calendar;
  readonly #clock: Clock;
  readonly #schedules = new Map<string, ScheduleRecord>();
  readonly #timers = new Map<string, Timer>();
  #listener: (workflowId: string) => void = () => undefined;

  constructor(clock: Clock, calendar = new Calendar(clock)) {
    this.#clock = clock;
    this.calendar = calendar;
  }

  /** Who hears that a workflow is due. */
  onDue(listener: (workflowId: string) => void): void {
    this.#listener = listener;
  }

  /** Sets a workflow's schedule, in place of an earlier one. False, and nothing changes, if it would never come due. */
  set(workflowId: string, recurrence: Recurrence): boolean {
    const nowMs = this.calendar.nowMs();
    const nextMs = nextAfter(recurrence, nowMs);
    if (nextMs === null) {
      return false;
    }
    this.remove(workflowId);
    const schedule: ScheduleRecord = { workflowId, recurrence, nextMs, lastMs: null, runs: 0 };
    this.#schedules.set(workflowId, schedule);
    this.#arm(schedule, nowMs);
    return true;
  }

  /** False if there is none. */
  remove(workflowId: string): boolean {
    this.#clock.cancel(this.#timers.get(workflowId) ?? null);
    this.#timers.delete(workflowId);
    return this.#schedules.delete(workflowId);
  }

  find(workflowId: string): ScheduleRecord | null {
    return this.#schedules.get(workflowId) ?? null;
  }

  all(): ScheduleRecord[] {
    return [...this.#schedules.values()];
  }

  dump(): readonly ScheduleRecord[] {
    return this.all();
  }

  /** What came due while the process was down is not made up for. */
  restore(saved: readonly ScheduleRecord[]): void {
    const nowMs = this.calendar.nowMs();
    for (const schedule of saved) {
      const isMissed = schedule.nextMs !== null && schedule.nextMs < nowMs;
      const next = isMissed ? nextAfter(schedule.recurrence, nowMs) : schedule.nextMs;
      const restored = { ...schedule, nextMs: next };
      this.#schedules.set(schedule.workflowId, restored);
      this.#arm(restored, nowMs);
    }
  }

  /** `fromMs` is the present; inside a timer, the moment when that one was due, however late it got to run. */
  #arm(schedule: ScheduleRecord, fromMs: number): void {
    const { nextMs, workflowId } = schedule;
    if (nextMs === null) {
      return;
    }
    this.#timers.set(
      workflowId,
      this.#clock.afterSimulated(Math.max(0, nextMs - fromMs), () => {
        schedule.lastMs = nextMs;
        schedule.nextMs = nextAfter(schedule.recurrence, nextMs);
        schedule.runs += 1;
        this.#arm(schedule, nextMs);
        this.#listener(workflowId);
      }),
    );
  }
}

const MINUTE_MS = 60_000;

/**
 * The first time after a moment (both milliseconds since 1970); null if there will be none. A time of day that the
 * zone's clocks skip comes right after the gap, one that they show twice comes once; expressions that run many times
 * a day skip what is skipped and run in both hours of a repeated one. Throws for an expression or zone that is none.
 */
export function nextAfter(recurrence: Recurrence, afterMs: number): number | null {
  if (recurrence.kind === "interval") {
    return afterMs + recurrence.intervalMinutes * MINUTE_MS;
  }
  return nextCronTime(recurrence.cron, recurrence.timezone, afterMs);
}
