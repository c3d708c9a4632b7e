import { nextTurn } from "../../domain/schedules/schedule-turns.ts";
import type { Db } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { isTimedHere, noteLook, type Schedule } from "./schedules.ts";
import { takeTurn, type Decided } from "./scheduling.ts";

/*
 * When the workflow of a schedule looks. It waits, and what it waits for is reckoned here: due times stand nowhere else,
 * in no other words, and by nobody else's clocks.
 *
 * 1. Each look writes down when the next one has to be. Whoever finds that time passed (temporal/overdue.ts), or too late
 *    for what is due by now (the zone data was replaced, a clock was wrong), has the workflow started or woken.
 * 2. A look too many decides nothing.
 */

/** Nothing depends on it: what is overdue is found. It bounds a timer that is wrong. */
const LONGEST_WAIT_MS = 7 * 86_400_000;

/** What is written down is of the same reckoning, unless its rules have changed. */
const SAME_MS = 1_000;

export interface NextLook {
  /** Unix milliseconds. */
  atMs: number;
  /** For which due time; undefined: none comes within thirty years. */
  dueAtMs: number | undefined;
}

/** Decides what has come due, and says when to look again. Undefined: nothing of it is due here, as it is declared. */
export async function lookAtSchedule(
  tx: Db,
  { scheduleId, nowMs }: { scheduleId: string; nowMs: number },
): Promise<Decided & { next: NextLook | undefined }> {
  const { decided, schedule, throughMs } = await takeTurn(tx, { scheduleId, nowMs });
  const next = schedule && nextLookOf(schedule, throughMs, nowMs);
  if (next) await noteLook(tx, scheduleId, { lookedAtMs: nowMs, nextMs: next.atMs, nowMs });
  return { ...decided, next };
}

function nextLookOf(schedule: Schedule, throughMs: number, nowMs: number): NextLook | undefined {
  if (!isTimedHere(schedule)) return undefined;
  const next = nextTurn(schedule, throughMs);
  const longestMs = nowMs + LONGEST_WAIT_MS;
  return { atMs: Math.min(next?.turnMs ?? longestMs, longestMs), dueAtMs: next?.dueMs };
}

/**
 * Decides what is too late to begin, for which no workflow is needed, and has the workflow look that would look too late.
 *
 * @returns how much the outbox has of it: runs that waited for another one's end, and whose turn it is, and itself.
 */
export async function superviseLooks(
  tx: Db,
  { scheduleId, nowMs }: { scheduleId: string; nowMs: number },
): Promise<number> {
  const { schedule, throughMs, decided } = await takeTurn(tx, { scheduleId, lateOnly: true, nowMs });
  const next = schedule && nextLookOf(schedule, throughMs, nowMs);
  const plannedMs = schedule?.nextLookAtMs;
  // One that nobody has looked at yet was told so when it was put.
  if (!next || plannedMs === undefined || next.atMs >= plannedMs - SAME_MS) return decided.begun;
  await noteLook(tx, scheduleId, { lookedAtMs: undefined, nextMs: next.atMs, nowMs });
  await putOutbox(tx, [{ kind: "schedule", subject: scheduleId, dueAtMs: nowMs }]);
  return decided.begun + 1;
}
