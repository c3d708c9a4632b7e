import { sql } from "drizzle-orm";

import { dueTimesOf } from "../../domain/schedules/schedule.ts";
import { occurrences } from "../../domain/schedules/schedule-times.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { rows, type Db } from "../ground/connection.ts";
import { awaitsRecovery } from "../ground/installation.ts";
import {
  findRunByKey,
  insertRuns,
  listMissed,
  listOpenRuns,
  newRun,
  runKeyOf,
  type NewRun,
  type ScheduleRun,
} from "./schedule-runs.ts";
import { forgottenThrough } from "./schedule-runs-kept.ts";
import { requireLocked, type Schedule } from "./schedules.ts";
import { beginWaiting, take } from "./scheduling.ts";
import { listOf } from "../ground/sql.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";

/*
 * Runs that people ask for.
 */

/** Runs of one backfill: a mistyped year is not a thousand campaigns. */
const LONGEST_BACKFILL = 200;

/** @throws CommandRefusedError while nobody knows what was run already. */
async function refuseWhileBehind(tx: Db): Promise<void> {
  if (await awaitsRecovery(tx))
    throw new CommandRefusedError(
      "the ledger may be older than what was run: `outdial recover` first, then ask for what is still to be run",
    );
}

/**
 * A person's word that it is to be run now, whether it is paused or not. The same command id again is the same run.
 *
 * @throws UnknownScheduleError, CommandRefusedError where the overlap policy forbids it, or recovery is waited for.
 */
export async function runNow(
  tx: Db,
  input: { name: string; commandId: string; actor: string; nowMs: number },
): Promise<ScheduleRun> {
  const { nowMs } = input;
  const schedule = await requireLocked(tx, input.name);
  const runKey = `now:${input.commandId}`;
  const before = await findRunByKey(tx, schedule.id, runKey);
  if (before) return before;
  await refuseWhileBehind(tx);
  const asked: NewRun = { scheduleId: schedule.id, runKey, dueAtMs: nowMs, cause: "now", state: "waiting" };
  const state = await take(tx, schedule, asked, nowMs);
  if (state === "skipped")
    throw new CommandRefusedError(
      `a run of schedule ${input.name} is still open, and its overlap policy is ${schedule.definition.overlap}: wait for its end`,
    );
  await writeAudit(tx, {
    nowMs,
    actor: input.actor,
    action: "schedule.run",
    detail: { schedule: input.name },
  });
  const run = await findRunByKey(tx, schedule.id, runKey);
  if (!run) throw new Error(`the run ${runKey} of schedule ${input.name} vanished while it was written`);
  return run;
}

export interface Backfilled {
  /** Runs that will be made, one after the other unless the overlap policy is `allow`. */
  runs: ScheduleRun[];
  /** Due times that were run, or are being run: they stay as they are. */
  already: number;
}

/**
 * Makes up for due times of the past, both ends included: those that were missed, skipped, or before the schedule
 * was there. None is run twice.
 *
 * @throws UnknownScheduleError, CommandRefusedError
 */
export async function backfill(
  tx: Db,
  input: { name: string; fromMs: number; toMs: number; actor: string; nowMs: number },
): Promise<Backfilled> {
  const { fromMs, toMs, nowMs } = input;
  const schedule = await requireLocked(tx, input.name);
  if (toMs > nowMs)
    throw new CommandRefusedError("backfill makes up for the past: give it an end that is not ahead");
  await refuseWhileBehind(tx);
  const forgottenMs = await forgottenThrough(tx, schedule.id);
  if (forgottenMs !== undefined && fromMs <= forgottenMs)
    throw new CommandRefusedError(
      `what was run until ${runKeyOf(forgottenMs)} is not on record any more, and nothing may run twice: begin behind it`,
    );
  const due = await dueBetween(tx, schedule, { fromMs, toMs });
  if (due.length > LONGEST_BACKFILL)
    throw new CommandRefusedError(
      `more than ${LONGEST_BACKFILL} runs were due in that time: choose a shorter one`,
    );
  const made = await insertRuns(
    tx,
    due.map((dueMs) => ({ ...newRun(schedule, dueMs, "waiting"), cause: "backfill" as const })),
    { nowMs },
  );
  const again = await rows<{ id: string }>(
    tx,
    sql`update schedule_runs set state = 'waiting', cause = 'backfill', reason = null, ended_at = null
        where schedule_id = ${schedule.id}::uuid and state in ('missed', 'skipped')
          and run_key in ${listOf(due.map(runKeyOf), "text")} and campaign_id is null
        returning id`,
  );
  await writeAudit(tx, {
    nowMs,
    actor: input.actor,
    action: "schedule.backfill",
    detail: {
      schedule: input.name,
      from: runKeyOf(fromMs),
      to: runKeyOf(toMs),
      runs: made.length + again.length,
    },
  });
  const ids = new Set([...made, ...again].map(({ id }) => id));
  await resolveMissed(tx, schedule, input);
  await beginWaiting(tx, schedule, nowMs);
  const open = await listOpenRuns(tx, schedule.id);
  const runs = open.filter(({ id }) => ids.has(id));
  return { runs, already: due.length - ids.size };
}

/**
 * What may be made up for. Of a schedule whose time the platform keeps, only what was found missing: of other due
 * times nothing here says that it did not run them.
 */
async function dueBetween(
  tx: Db,
  { id, definition }: Schedule,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number[]> {
  const most = LONGEST_BACKFILL + 1;
  if (definition.engine === "platform") return listMissed(tx, id, { fromMs, toMs, limit: most });
  return occurrences(dueTimesOf(definition), fromMs - 1, toMs, most);
}

/** Nothing of what people were told is left to be made up for. */
async function resolveMissed(
  tx: Db,
  { id, name }: Schedule,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  const left = await rows(
    tx,
    sql`select 1 as one from schedule_runs r join attention a
          on a.kind = 'schedule_run_missed' and a.subject = ${name} and a.resolved_at is null
        where r.schedule_id = ${id}::uuid and r.state = 'missed' and r.ended_at >= a.at limit 1`,
  );
  if (left.length > 0) return;
  const resolution = "they are made up for";
  await resolveAttention(tx, { kind: "schedule_run_missed", subject: name, by: actor, resolution, nowMs });
}
