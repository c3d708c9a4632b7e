import { sql } from "drizzle-orm";

import { formatDurationMs } from "../../domain/time/duration.ts";
import { lateAfterMs, type ScheduleDefinition } from "../../domain/schedules/schedule.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import { awaitsRecovery } from "../ground/installation.ts";
import {
  changeRun,
  insertRuns,
  newRun,
  runKeyOf,
  type RunChange,
  type ScheduleRun,
} from "./schedule-runs.ts";
import { isStillDeclared, lockSchedule, move, setDecidedThrough, type Schedule } from "./schedules.ts";
import { at, ms } from "../ground/sql.ts";

/*
 * How runs of schedules end, and what people are told of those that did not end well, last too long or never began.
 */

/** Why a run that was due was not made. */
export function missedBecause({ catch_up: catchUp }: ScheduleDefinition): string {
  return `nothing could begin it within ${catchUp}`;
}

/** How a run ended. */
export interface RunEnd extends RunChange {
  /** Of one that failed: nobody knows whether its automation ran. Run once more unseen, it may run twice. */
  mayHaveRun?: boolean;
}

/** Writes down how a run ended, tells people where it did not end well. The schedule's row is locked by the caller. */
export async function endRun(
  tx: Db,
  schedule: Schedule,
  run: ScheduleRun,
  change: RunEnd & { endedAtMs: number },
): Promise<ScheduleRun> {
  const { endedAtMs: nowMs } = change;
  const ended = await changeRun(tx, run, change);
  const solved = { by: "engine", nowMs };
  await resolveAttention(tx, {
    kind: "schedule_run_long",
    subject: run.id,
    resolution: "it has ended",
    ...solved,
  });
  if (change.state === "done")
    await resolveAttention(tx, {
      kind: "schedule_run_failed",
      subject: schedule.name,
      resolution: "a later run ended well",
      ...solved,
    });
  if (change.state === "missed") await tellMissed(tx, schedule, nowMs);
  if (change.state !== "failed") return ended;
  const pauses = schedule.definition.pause_on_failure && schedule.state === "active";
  await raiseAttention(tx, {
    kind: "schedule_run_failed",
    subject: schedule.name,
    brand: "default",
    summary:
      `the run of schedule ${schedule.name} that was due at ${runKeyOf(run.dueAtMs)} failed: ${change.reason ?? ""}`.slice(
        0,
        1_000,
      ),
    remedy: remedyOf(schedule, { pauses, mayHaveRun: change.mayHaveRun === true }),
    nowMs,
  });
  if (pauses) {
    const reason = `the run that was due at ${runKeyOf(run.dueAtMs)} failed`;
    await move(tx, schedule, "paused", { actor: "engine", reason, nowMs });
  }
  return ended;
}

function remedyOf(
  { name }: Schedule,
  { pauses, mayHaveRun }: { pauses: boolean; mayHaveRun: boolean },
): string {
  const again = `\`outdial schedule run ${name}\``;
  const resume = `\`outdial schedule resume ${name}\`: it is paused until then`;
  if (mayHaveRun)
    return `look on the platform whether it ran; if not, ${again}${pauses ? `; in either case ${resume}` : ""}`;
  return `mend what it names, then ${again}${pauses ? ` and ${resume}` : ""}`;
}

/** Puts runs that did not happen before people, with those that stand there already. They are written down before. */
export async function tellMissed(tx: Db, schedule: Schedule, nowMs: number): Promise<void> {
  const told = await missedSinceTold(tx, schedule, nowMs);
  if (!told) return;
  const [first, last] = [runKeyOf(told.first_ms), runKeyOf(told.last_ms)];
  const which =
    told.n === 1
      ? `the run of schedule ${schedule.name} that was due at ${first}`
      : `${told.n} runs of schedule ${schedule.name} that were due from ${first} to ${last}`;
  await raiseAttention(tx, {
    kind: "schedule_run_missed",
    subject: schedule.name,
    brand: "default",
    summary: `${which} did not happen: nothing could begin ${told.n === 1 ? "it" : "them"} within ${formatDurationMs(lateAfterMs(schedule.definition))}`,
    remedy: `find out what was down; if they are to be made up for, \`outdial schedule backfill ${schedule.name} --from ${first} --to ${last}\``,
    nowMs,
  });
}

interface MissedSince {
  n: number;
  first_ms: number;
  last_ms: number;
}

/** Since the entry that people have before them was put there; without one, just now. */
async function missedSinceTold(
  tx: Db,
  { id, name }: Schedule,
  nowMs: number,
): Promise<MissedSince | undefined> {
  const row = await firstRow<MissedSince>(
    tx,
    sql`select count(*)::int as n, ${ms(sql`min(due_at)`)} as first_ms, ${ms(sql`max(due_at)`)} as last_ms from schedule_runs
        where schedule_id = ${id}::uuid and state = 'missed' and ended_at >= coalesce(
          (select at from attention where kind = 'schedule_run_missed' and subject = ${name} and resolved_at is null), ${at(nowMs)})`,
  );
  return row && row.n > 0 ? row : undefined;
}

/**
 * Writes down due times of which the platform's own scheduler is known to have passed over. Not while the ledger waits
 * for its recovery: they may have been made up for in the part of it that was lost.
 */
export async function recordMissed(
  tx: Db,
  schedule: Schedule,
  input: { dueMs: readonly number[]; throughMs: number; nowMs: number },
): Promise<number> {
  // Another definition has other due times, and they are decided from its own beginning on.
  await lockSchedule(tx, schedule.id);
  if (!(await isStillDeclared(tx, schedule)) || (await awaitsRecovery(tx))) return 0;
  const runs = input.dueMs.map((dueMs) =>
    newRun(schedule, dueMs, "missed", "the platform's scheduler has no execution of it"),
  );
  const missed = await insertRuns(tx, runs, { nowMs: input.nowMs });
  if (missed.length > 0) await tellMissed(tx, schedule, input.nowMs);
  await setDecidedThrough(tx, schedule.id, input.throughMs);
  return missed.length;
}

/** A run that takes longer than it should comes before people, once. */
export async function tellLong(tx: Db, schedule: Schedule, run: ScheduleRun, nowMs: number): Promise<void> {
  if (run.result?.["told_long"] === true) return;
  await changeRun(tx, run, {
    state: run.state,
    reason: run.reason,
    result: { ...run.result, told_long: true },
  });
  await raiseAttention(tx, {
    kind: "schedule_run_long",
    subject: run.id,
    brand: "default",
    summary: `the run of schedule ${schedule.name} that was due at ${runKeyOf(run.dueAtMs)} takes longer than ${schedule.definition.longer_than ?? ""}`,
    remedy:
      run.campaignId === undefined
        ? `look at the automation's execution on the platform: \`outdial schedule runs ${schedule.name}\``
        : `look at its campaign: \`outdial campaign status ${run.campaignId}\``,
    nowMs,
  });
}
