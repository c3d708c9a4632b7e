import {
  ScheduleOverlapPolicy,
  type CalendarSpec,
  type CalendarSpecDescription,
  type Range,
  type ScheduleDescription,
  type ScheduleSpec,
} from "@temporalio/client";

import {
  literalTimes,
  type LiteralTimes,
  type YearlyPattern,
} from "../domain/schedules/schedule-calendars.ts";
import { dueTimesOf, jitterMsOf, lateAfterMs } from "../domain/schedules/schedule.ts";
import { zoneOf } from "../domain/time/zone-data.ts";
import { zoneFile } from "../domain/time/zone-file.ts";
import type { Schedule } from "../ledger/schedules/schedules.ts";
import { digestOf } from "../ledger/ground/digest.ts";
import { scheduleDueWorkflowId } from "./workflow-ids.ts";

/*
 * A schedule in Temporal's words, and the same words read back from Temporal.
 *
 * 1. Temporal matches local times literally: calendars leave out what comes twice, and single instants stand in as
 *    intervals, which go by no time zone, of forty years.
 * 2. The zone's clocks are sent along: by its name alone, the server takes them from the zone data of its own build.
 * 3. The workflow that it starts decides what is due in the ledger, in order, whatever Temporal started late or twice.
 *    So one of them has to follow whatever came due while another one was deciding, and no more than one.
 */

export interface TemporalSchedule {
  spec: ScheduleSpec;
  /** How the clocks of its zone go, as a TZif file. Empty where it has none, or UTC. */
  clocks: Uint8Array;
  action: { workflowType: string; taskQueue: string; workflowId: string; args: unknown[] };
  overlap: typeof ScheduleOverlapPolicy.BUFFER_ONE;
  catchupWindowMs: number;
  paused: boolean;
  /** Of all of it, as Temporal would describe it. */
  digest: string;
}

/**
 * Longer than anything here lives. Shorter than the time since 1970, because the server finds no time of an interval
 * before the first one: a single instant is the second of its interval.
 */
const ONCE_MS = 40 * 365 * 86_400_000;

/** The clock changes of this year and of so many more are written down; the next pass of the new year writes more. */
const YEARS_AHEAD = [3, 2, 1];

/** How far the clocks are sent along: some hundred bytes. The next pass of each new year sends a further one. */
const CLOCK_YEARS_AHEAD = 10;

/** A schedule of every minute has some 400 around each change: fewer years ahead are enough for it. */
const MOST_INSTANTS = 1_000;

/** Temporal takes no shorter one; what is too late is decided in the ledger. */
const SHORTEST_CATCH_UP_MS = 10_000;

/** What Temporal should have of a schedule now. */
export function temporalScheduleOf(
  schedule: Schedule,
  at: { taskQueue: string; nowMs: number },
): TemporalSchedule {
  const { definition } = schedule;
  const wanted = {
    spec: { ...specOf(schedule, at.nowMs), jitter: jitterMsOf(definition) },
    clocks: clocksOf(schedule, at.nowMs),
    action: {
      workflowType: "scheduleDueWorkflow",
      taskQueue: at.taskQueue,
      workflowId: scheduleDueWorkflowId(schedule.id),
      args: [{ scheduleId: schedule.id }],
    },
    overlap: ScheduleOverlapPolicy.BUFFER_ONE,
    catchupWindowMs: Math.max(SHORTEST_CATCH_UP_MS, lateAfterMs(definition)),
    paused: schedule.state === "paused",
  };
  return { ...wanted, digest: digestOf(wordsOf(wanted)) };
}

function specOf({ definition }: Schedule, nowMs: number): ScheduleSpec {
  const times = dueTimesOf(definition);
  if (times.kind === "every") return { intervals: [{ every: times.everyMs, offset: times.offsetMs }] };
  const year = new Date(nowMs).getUTCFullYear();
  let literal: LiteralTimes = { calendars: [], instants: [] };
  for (const ahead of YEARS_AHEAD) {
    literal = literalTimes(times, Date.UTC(year, 0, 1), Date.UTC(year + ahead + 1, 0, 1));
    if (literal.instants.length <= MOST_INSTANTS) break;
  }
  return {
    timezone: times.zone,
    calendars: literal.calendars.map(calendarOf),
    intervals: literal.instants.map((instantMs) => ({ every: ONCE_MS, offset: instantMs % ONCE_MS })),
  };
}

function clocksOf({ definition }: Schedule, nowMs: number): Uint8Array {
  const times = dueTimesOf(definition);
  if (times.kind === "every" || times.zone === "UTC") return new Uint8Array();
  const year = new Date(nowMs).getUTCFullYear();
  return zoneFile(zoneOf(times.zone), Date.UTC(year - 1, 0, 1), Date.UTC(year + 1 + CLOCK_YEARS_AHEAD, 0, 1));
}

const MONTH_NAMES = [
  "JANUARY",
  "FEBRUARY",
  "MARCH",
  "APRIL",
  "MAY",
  "JUNE",
  "JULY",
  "AUGUST",
  "SEPTEMBER",
  "OCTOBER",
  "NOVEMBER",
  "DECEMBER",
] as const;
const WEEKDAY_NAMES = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"] as const;

function calendarOf(pattern: YearlyPattern): CalendarSpec {
  return {
    second: 0,
    minute: rangesOf(pattern.minutes),
    hour: rangesOf(pattern.hours),
    dayOfMonth: rangesOf(pattern.daysOfMonth),
    month: rangesOf(pattern.months).map(({ start, end }) => named(MONTH_NAMES, 1, start, end)),
    year: rangesOf(pattern.years),
    dayOfWeek: rangesOf(pattern.weekdays).map(({ start, end }) => named(WEEKDAY_NAMES, 0, start, end)),
  };
}

function named<Name>(names: readonly Name[], first: number, start: number, end: number) {
  const [from, to] = [names[start - first], names[end - first]];
  if (from === undefined || to === undefined) throw new Error(`a calendar has no ${start} to ${end} there`);
  return { start: from, end: to };
}

/** Sorted numbers as runs without holes. */
function rangesOf(values: readonly number[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const value of values) {
    const last = ranges.at(-1);
    if (last?.end === value - 1) last.end = value;
    else ranges.push({ start: value, end: value });
  }
  return ranges;
}

/** The same digest of what Temporal says that it has. Different: somebody changed it there. */
export function digestOfDescription(description: ScheduleDescription): string {
  return digestOf(wordsOfDescription(description));
}

/** What of it is not as it should be, in words. */
export function differencesFrom(wanted: TemporalSchedule, description: ScheduleDescription): string {
  const [declared, there] = [wordsOf(wanted), wordsOfDescription(description)];
  const named = (Object.keys(PARTS) as (keyof Wording)[]).filter(
    (part) => JSON.stringify(declared[part]) !== JSON.stringify(there[part]),
  );
  return named.map((part) => PARTS[part](there)).join("; ");
}

const PARTS: Record<keyof Wording, (there: Wording) => string> = {
  calendars: () => "it has other times",
  intervals: () => "it has other intervals or single times",
  zone: ({ zone }) => `its time zone is ${zone === "" ? "UTC" : zone}`,
  clocks: () => "it goes by other zone data",
  jitter: ({ jitter }) => `its jitter is ${jitter} ms`,
  action: () => "it starts something else",
  overlap: ({ overlap }) => `its overlap policy is ${overlap}`,
  catchupWindowMs: ({ catchupWindowMs }) => `its catch-up window is ${catchupWindowMs} ms`,
  paused: ({ paused }) => (paused ? "it is paused" : "it is not paused"),
  limits: () => "it has limits",
};

function wordsOfDescription({ spec, action, policies, state, raw }: ScheduleDescription): Wording {
  return wordsOf({
    spec,
    clocks: raw.schedule?.spec?.timezoneData ?? new Uint8Array(),
    action: {
      workflowType: action.workflowType,
      taskQueue: action.taskQueue,
      workflowId: action.workflowId ?? "",
      args: [...(action.args ?? [])],
    },
    overlap: policies.overlap ?? "",
    catchupWindowMs: policies.catchupWindow,
    paused: state.paused,
    limits: [
      spec.startAt,
      spec.endAt,
      spec.skip ?? [],
      state.remainingActions,
      policies.pauseOnFailure ? "pauses on failure" : undefined,
    ],
  });
}

interface Words {
  spec: Omit<ScheduleSpec, "calendars"> & { calendars?: readonly (CalendarSpec | CalendarSpecDescription)[] };
  clocks: Uint8Array;
  action: TemporalSchedule["action"];
  overlap: string;
  catchupWindowMs: number;
  paused: boolean;
  /** What we never set. */
  limits?: readonly unknown[];
}

interface Wording extends Omit<Words, "spec" | "clocks" | "limits"> {
  clocks: string;
  calendars: string[];
  intervals: string[];
  zone: string;
  jitter: number;
  limits: unknown[];
}

/** One wording of what can be worded in several ways. */
function wordsOf({ spec, clocks, action, overlap, catchupWindowMs, paused, limits = [] }: Words): Wording {
  const zone = spec.timezone ?? "";
  return {
    calendars: (spec.calendars ?? []).map(numbersOf).sort(),
    intervals: (spec.intervals ?? [])
      .map(({ every, offset }) => `${Number(every)}+${Number(offset ?? 0)}`)
      .sort(),
    zone: zone === "UTC" ? "" : zone,
    clocks: Buffer.from(clocks).toString("base64"),
    jitter: Number(spec.jitter ?? 0),
    action,
    overlap,
    catchupWindowMs,
    paused,
    limits: limits.flat().filter((limit) => limit !== undefined && limit !== null),
  };
}

/** The numbers that each field of a calendar matches, as one text. */
function numbersOf(calendar: CalendarSpec | CalendarSpecDescription): string {
  const fields = [
    calendar.second,
    calendar.minute,
    calendar.hour,
    calendar.dayOfMonth,
    calendar.month,
    calendar.year,
    calendar.dayOfWeek,
  ];
  return fields.map((field) => matchedBy(field).join(",")).join(" ");
}

type Unit = number | string;

function matchedBy(field: unknown): number[] {
  const parts: unknown[] = Array.isArray(field) ? field : [field];
  const numbers = parts.flatMap((part) => {
    if (typeof part !== "object" || part === null) return typeof part === "number" ? [part] : [];
    const { start, end, step } = part as Partial<Range<Unit>>;
    const from = numberOf(start);
    const values: number[] = [];
    for (let value = from; value <= Math.max(from, numberOf(end ?? start)); value += Math.max(1, step ?? 1))
      values.push(value);
    return values;
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function numberOf(unit: Unit | undefined): number {
  if (typeof unit === "number") return unit;
  const month = MONTH_NAMES.findIndex((name) => name === unit);
  return month >= 0 ? month + 1 : WEEKDAY_NAMES.findIndex((name) => name === unit);
}
