import { parseDurationMs } from "../time/duration.ts";
import { dueTimesOf, lateAfterMs, type ScheduleDefinition } from "./schedule.ts";
import { occurrences } from "./schedule-times.ts";

/*
 * Schedules of which the platform's own scheduler keeps the time: what it is told, how it is read back, and which of
 * its runs are missing.
 */

/** What the platform's scheduler knows (contract 4.5). */
export interface PlatformTimes {
  cron?: string;
  interval_minutes?: number;
  timezone: string;
}

export function platformTimesOf(definition: ScheduleDefinition): PlatformTimes {
  const timezone = definition.time_zone;
  if (definition.cron !== undefined) return { cron: definition.cron.trim().split(/\s+/).join(" "), timezone };
  return { interval_minutes: (parseDurationMs(definition.every ?? "") ?? 0) / 60_000, timezone };
}

/** What the platform says that it has; any of it may be missing (contract 2.6 names the fields, and not what is in them). */
export interface PlatformScheduleSeen {
  isScheduled: boolean | undefined;
  settings: Readonly<Record<string, unknown>>;
}

/** What is not as it was declared, in words; undefined where nothing is seen that speaks against it. */
export function platformDrift(
  declared: PlatformTimes,
  seen: PlatformScheduleSeen | undefined,
): string | undefined {
  if (!seen || seen.isScheduled === false) return "it is not scheduled there";
  const { settings } = seen;
  const cron = textOf(settings["cron"])?.trim().split(/\s+/).join(" ");
  const minutes = numberOf(settings["interval_minutes"]);
  const zone = textOf(settings["timezone"]);
  const words: string[] = [];
  if (cron !== undefined && cron !== declared.cron) words.push(`it runs by cron ${JSON.stringify(cron)}`);
  if (minutes !== undefined && minutes !== declared.interval_minutes)
    words.push(`it runs every ${minutes} minutes`);
  // Intervals pass alike everywhere.
  if (zone !== undefined && declared.cron !== undefined && zone !== declared.timezone)
    words.push(`its time zone is ${zone}`);
  return words.length === 0 ? undefined : words.join("; ");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export interface Missing {
  /** Due times without an execution. */
  dueMs: number[];
  /** Through when nothing has to be looked for any more. */
  throughMs: number;
}

/** No more due times are compared in one look. */
const COMPARED_AT_ONCE = 500;

/** The platform's clock may be so far before ours. */
const EARLY_MS = 60_000;

/**
 * Which runs did not happen since `fromMs`. An execution counts for one due time: the one that it is nearest behind, or
 * where that has its own, the one before, within the catch-up window; of an interval, whose phase is the platform's affair, one has to begin in every stretch that long.
 *
 * @param startedMs when executions began that its scheduler set off, ascending. Unix milliseconds.
 * @param at `seenSinceMs`: since when all of them were seen. Of what is older nothing is known, and nothing said.
 */
export function missingRuns(
  definition: ScheduleDefinition,
  startedMs: readonly number[],
  at: { fromMs: number; seenSinceMs: number; nowMs: number },
): Missing {
  const { nowMs } = at;
  const fromMs = Math.max(at.fromMs, at.seenSinceMs);
  const lateMs = lateAfterMs(definition);
  const throughMs = nowMs - lateMs;
  if (throughMs <= fromMs) return { dueMs: [], throughMs: fromMs };
  const times = dueTimesOf(definition);
  if (times.kind === "every") return missingOfInterval(times.everyMs, startedMs, { fromMs, throughMs });
  // An execution may be one of a due time that is too young to be missed.
  const all = occurrences(times, fromMs, nowMs + EARLY_MS, 2 * COMPARED_AT_ONCE);
  const due = all.filter((dueAtMs) => dueAtMs <= throughMs).slice(0, COMPARED_AT_ONCE);
  const ran = dueTimesOfRuns(all, startedMs, lateMs);
  const dueMs = due.filter((dueAtMs) => !ran.has(dueAtMs));
  return { dueMs, throughMs: due.length === COMPARED_AT_ONCE ? (due.at(-1) ?? throughMs) : throughMs };
}

function dueTimesOfRuns(
  dueMs: readonly number[],
  startedMs: readonly number[],
  lateMs: number,
): ReadonlySet<number> {
  const ran = new Set<number>();
  for (const startMs of startedMs) {
    const own = dueMs.findLast(
      (dueAtMs) => dueAtMs - EARLY_MS <= startMs && startMs <= dueAtMs + lateMs && !ran.has(dueAtMs),
    );
    if (own !== undefined) ran.add(own);
  }
  return ran;
}

function missingOfInterval(
  everyMs: number,
  startedMs: readonly number[],
  { fromMs, throughMs }: { fromMs: number; throughMs: number },
): Missing {
  const missing: number[] = [];
  let lastMs = fromMs;
  for (;;) {
    const nextMs = lastMs + everyMs;
    const seen = startedMs.find((startMs) => startMs > lastMs && startMs <= nextMs + EARLY_MS);
    if (seen !== undefined && seen <= throughMs) lastMs = seen;
    else if (seen !== undefined || nextMs > throughMs || missing.length === COMPARED_AT_ONCE) break;
    else {
      missing.push(nextMs);
      lastMs = nextMs;
    }
  }
  return { dueMs: missing, throughMs: lastMs };
}
