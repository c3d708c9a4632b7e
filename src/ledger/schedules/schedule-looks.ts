import { nextTurn } from "../../domain/schedules/schedule-turns.ts";
import type { Db } from "../ground/connection.ts";
import { isTimedHere, noteLook, type Schedule } from "./schedules.ts";
import { takeTurn, type Decided } from "./scheduling.ts";

/*
 * When the workflow of a schedule looks. It waits, and what it waits for is reckoned here: due times stand nowhere else,
 * in no other words, and by nobody else's clocks.
 *
 * 1. Each look writes down by when the next one has to be. Whoever finds that time passed, or too late for what is due
 *    by now (the zone data was replaced, a clock was wrong), has the workflow started or woken.
 * 2. A look too many decides nothing.
 */

/** Nothing depends on it: whoever watches finds what is overdue within minutes. It bounds a timer that is wrong. */
const LONGEST_WAIT_MS = 7 * 86_400_000;

/** A look takes a worker a second or so. One that is later has no worker, no workflow, or a timer that is wrong. */
const OVERDUE_MS = 10_000;

/** What is written down is of the same reckoning, unless its rules have changed. */
const SAME_MS = 1_000;

/** A workflow is missed so long before it has to look: several passes of whoever watches. */
const NEAR_MS = 5 * 60_000;

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
  if (next) await noteLook(tx, scheduleId, { nowMs, nextMs: next.atMs });
  return { ...decided, next };
}

function nextLookOf(schedule: Schedule, throughMs: number, nowMs: number): NextLook | undefined {
  if (!isTimedHere(schedule)) return undefined;
  const next = nextTurn(schedule, throughMs);
  const longestMs = nowMs + LONGEST_WAIT_MS;
  return { atMs: Math.min(next?.turnMs ?? longestMs, longestMs), dueAtMs: next?.dueMs };
}

/** `far`: nothing has to be seen to. `near`: its workflow has to be there. `overdue`: it has to look now. */
export type LookStanding = "far" | "near" | "overdue";

/**
 * Decides what is too late to begin, for which no workflow is needed, and says how the next look stands.
 *
 * @returns `begun`: runs that waited for another one's end, and whose turn it is.
 */
export async function superviseLooks(
  tx: Db,
  { scheduleId, nowMs }: { scheduleId: string; nowMs: number },
): Promise<{ begun: number; look: LookStanding }> {
  const turn = await takeTurn(tx, { scheduleId, lateOnly: true, nowMs });
  const next = turn.schedule && nextLookOf(turn.schedule, turn.throughMs, nowMs);
  return {
    begun: turn.decided.begun,
    look: next ? standingOf(turn.schedule?.nextLookAtMs, next.atMs, nowMs) : "far",
  };
}

function standingOf(plannedMs: number | undefined, wantedMs: number, nowMs: number): LookStanding {
  if (plannedMs === undefined || plannedMs < nowMs - OVERDUE_MS || wantedMs < plannedMs - SAME_MS)
    return "overdue";
  return plannedMs < nowMs + NEAR_MS ? "near" : "far";
}
