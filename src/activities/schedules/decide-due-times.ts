import { lookAtSchedule } from "../../ledger/schedules/schedule-looks.ts";
import type { ActivityDeps } from "../deps.ts";

/** What a schedule's workflow does next. */
export type ScheduleStep = { next: "done" } | { next: "wait"; waitMs: number; waitsFor: string };

/**
 * Decides what becomes of every due time of a schedule that has come, and has those begin whose turn it is.
 *
 * Safe to retry: a due time is decided once.
 *
 * @returns how long nothing of it comes due
 */
export async function decideDueTimesActivity(
  deps: ActivityDeps,
  { scheduleId }: { scheduleId: string },
): Promise<ScheduleStep> {
  const nowMs = deps.now();
  const { begun, next } = await deps.ledger.transaction((tx) => lookAtSchedule(tx, { scheduleId, nowMs }));
  if (begun > 0) deps.outbox.kick();
  if (!next) return { next: "done" };
  const waitsFor =
    next.dueAtMs === undefined
      ? "a due time: none comes within thirty years"
      : `the run that is due at ${new Date(next.dueAtMs).toISOString()}`;
  return { next: "wait", waitMs: Math.max(0, next.atMs - nowMs), waitsFor };
}
