import { Cron } from "croner";
import moment from "moment-timezone";

/*
 * When a cron expression comes due by the clocks of a zone: croner's reading of the expression, and the rules of zones
 * that the package moment-timezone brings along, which the build of Node may not know yet. croner is asked for one
 * stretch of one offset after the other.
 */

/** Between two changes of a zone's clocks. */
interface Stretch {
  /** What the clocks are ahead of UTC. */
  readonly offsetMinutes: number;
  /** Milliseconds since 1970; `endMs` is the next stretch's beginning. */
  readonly startMs: number;
  readonly endMs: number;
  /** What its clocks show again that was shown before them, and what those at its end leave out; else 0. */
  readonly repeatedMs: number;
  readonly skippedMs: number;
}

const MINUTE_MS = 60_000;

export function isZone(name: string): boolean {
  return moment.tz.zone(name) !== null;
}

/**
 * The first time after a moment (both milliseconds since 1970); null if there will be none. Throws for an expression
 * or zone that is none.
 */
export function nextCronTime(cron: string, timezone: string, afterMs: number): number | null {
  const isOnceADay = /^\s*\d+\s+\d+\s/.test(cron);
  for (const stretch of stretchesFrom(timezone, afterMs)) {
    // What comes a second time counts the first time; what runs all day long runs on.
    const firstMs = stretch.startMs + (isOnceADay ? stretch.repeatedMs : 0);
    const dueMs = nextAtOffset(cron, stretch.offsetMinutes, Math.max(afterMs, firstMs - 1));
    if (dueMs === null || dueMs < stretch.endMs) {
      return dueMs;
    }
    if (isOnceADay && dueMs < stretch.endMs + stretch.skippedMs) {
      return stretch.endMs;
    }
  }
  return null;
}

function nextAtOffset(cron: string, utcOffset: number, afterMs: number): number | null {
  const job = new Cron(cron, { utcOffset, mode: "5-part", paused: true });
  return job.nextRun(new Date(afterMs))?.getTime() ?? null;
}

function* stretchesFrom(timezone: string, afterMs: number): Generator<Stretch> {
  const zone = moment.tz.zone(timezone);
  if (zone === null) {
    throw new RangeError(`no such time zone: ${timezone}`);
  }
  // Offsets are minutes behind UTC there; a stretch ends at its `until`, the last one never.
  const { offsets, untils } = zone;
  const first = untils.findIndex((untilMs) => untilMs > afterMs);
  for (let index = first; index < untils.length; index += 1) {
    const behind = offsets[index] ?? 0;
    const before = offsets[index - 1] ?? behind;
    const next = offsets[index + 1] ?? behind;
    yield {
      offsetMinutes: -Math.round(behind),
      startMs: untils[index - 1] ?? Number.NEGATIVE_INFINITY,
      endMs: untils[index] ?? Number.POSITIVE_INFINITY,
      repeatedMs: Math.max(0, behind - before) * MINUTE_MS,
      skippedMs: Math.max(0, behind - next) * MINUTE_MS,
    };
  }
}
