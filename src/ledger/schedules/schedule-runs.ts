import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { isUnderWay, type ScheduleRunState } from "../../domain/schedules/schedule-run.ts";
import { eventsFrom } from "../ground/write-events.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { document, moment, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { at, atOrNull, iso, json, ms } from "../ground/sql.ts";

/*
 * Runs of schedules, one row for each due time and for each command that asked for one. A run is under way as long as
 * its row says so, whatever Temporal does: it is made once.
 */

export type RunCause = "schedule" | "now" | "backfill";

const SCHEDULE_RUN = record({
  id: text,
  scheduleId: text,
  runKey: text,
  dueAtMs: moment,
  cause: word<RunCause>(),
  state: word<ScheduleRunState>(),
  reason: optional(text),
  campaignId: optional(text),
  executionId: optional(text),
  result: optional(document<Record<string, unknown>>()),
  createdAtMs: moment,
  startedAtMs: optional(moment),
  endedAtMs: optional(moment),
});

export interface ScheduleRun extends RecordOf<typeof SCHEDULE_RUN> {}

function readMany(db: Db, condition: SQL): Promise<ScheduleRun[]> {
  return rows(db, sql`select ${SCHEDULE_RUN.columns} from schedule_runs where ${condition}`, SCHEDULE_RUN);
}

export async function readScheduleRun(db: Db, runId: string): Promise<ScheduleRun | undefined> {
  const [run] = await readMany(db, sql`id = ${runId}::uuid`);
  return run;
}

export async function findRunByKey(
  db: Db,
  scheduleId: string,
  runKey: string,
): Promise<ScheduleRun | undefined> {
  const [run] = await readMany(db, sql`schedule_id = ${scheduleId}::uuid and run_key = ${runKey}`);
  return run;
}

/** Whether its workflow has something to do. One that waits for the one before it is begun when that one ends. */
export function readUnderWay(db: Db, runId: string): Promise<{ name: string } | undefined> {
  return firstRow(
    db,
    sql`select s.name from schedule_runs r join schedules s on s.id = r.schedule_id
        where r.id = ${runId}::uuid and r.state in ('running', 'cancelling')`,
  );
}

/** Of one schedule, in the order of their due times. */
export function listOpenRuns(tx: Db, scheduleId: string): Promise<ScheduleRun[]> {
  return readMany(
    tx,
    sql`schedule_id = ${scheduleId}::uuid and ended_at is null order by due_at, created_at, id`,
  );
}

export interface RunFilter {
  state?: ScheduleRunState | undefined;
  /** Goes on behind this one. */
  after?: { atMs: number; id: string };
  limit: number;
}

/** The newest first. */
export async function listRuns(
  db: Db,
  scheduleId: string,
  filter: RunFilter,
): Promise<{ items: ScheduleRun[]; total: number }> {
  const condition = sql`schedule_id = ${scheduleId}::uuid and (${filter.state ?? null}::text is null or state = ${filter.state ?? null}::text)`;
  const { after } = filter;
  const behind = after === undefined ? sql`true` : sql`(due_at, id) < (${at(after.atMs)}, ${after.id}::uuid)`;
  const items = await readMany(
    db,
    sql`${condition} and ${behind} order by due_at desc, id desc limit ${filter.limit}`,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from schedule_runs where ${condition}`,
  );
  return { items, total: total?.n ?? 0 };
}

/** Due times of which it is on record that nothing was run, in order. Unix milliseconds, both ends included. */
export async function listMissed(
  db: Db,
  scheduleId: string,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<number[]> {
  const found = await rows<{ due_ms: number }>(
    db,
    sql`select ${ms(sql`due_at`)} as due_ms from schedule_runs
        where schedule_id = ${scheduleId}::uuid and state in ('missed', 'skipped') and cause <> 'now'
          and due_at between ${at(fromMs)} and ${at(toMs)}
        order by due_at limit ${limit}`,
  );
  return found.map(({ due_ms: dueMs }) => dueMs);
}

const LAST_RUN = record({ scheduleId: text, state: word<ScheduleRunState>(), dueAtMs: moment }, "r");

export interface LastRuns extends RecordOf<typeof LAST_RUN> {}

/** The newest run of each schedule. */
export function listLastRuns(db: Db): Promise<LastRuns[]> {
  return rows(
    db,
    sql`select ${LAST_RUN.columns} from schedules s
        cross join lateral (
          select * from schedule_runs where schedule_id = s.id order by due_at desc, id limit 1
        ) r where s.state <> 'removed'`,
    LAST_RUN,
  );
}

export interface NewRun {
  scheduleId: string;
  runKey: string;
  dueAtMs: number;
  cause: RunCause;
  state: ScheduleRunState;
  reason?: string | undefined;
}

/** What makes a due time the same again. */
export function runKeyOf(dueAtMs: number): string {
  return new Date(dueAtMs).toISOString();
}

/** What is due by itself. */
export function newRun(
  schedule: { id: string },
  dueAtMs: number,
  state: NewRun["state"],
  reason?: string,
): NewRun {
  return { scheduleId: schedule.id, runKey: runKeyOf(dueAtMs), dueAtMs, cause: "schedule", state, reason };
}

/** Writes runs down; those that are there already stay as they are. Returns the new ones, in the order of their due times. */
export async function insertRuns(
  tx: Db,
  runs: readonly NewRun[],
  at_: { nowMs: number },
): Promise<ScheduleRun[]> {
  if (runs.length === 0) return [];
  const now = at(at_.nowMs);
  const written = runs.map((run) => ({
    id: randomUUID(),
    schedule_id: run.scheduleId,
    run_key: run.runKey,
    due_at: new Date(run.dueAtMs).toISOString(),
    cause: run.cause,
    state: run.state,
    reason: run.reason ?? null,
  }));
  const inserted = await rows(
    tx,
    sql`with moved as (
        insert into schedule_runs (id, schedule_id, run_key, due_at, cause, state, reason, created_at, started_at, ended_at, look_by)
        select r.id, r.schedule_id, r.run_key, r.due_at, r.cause, r.state, r.reason, ${now},
               case when r.state = 'running' then ${now} end,
               case when r.state not in ('waiting', 'running') then ${now} end,
               case when r.state = 'running' then ${at(at_.nowMs + GRACE_MS)} end
        from jsonb_to_recordset(${json(written)}) as r(id uuid, schedule_id uuid, run_key text, due_at timestamptz, cause text, state text, reason text)
        on conflict on constraint schedule_runs_once do nothing
        returning *),
        told as (${runsFinished(at_.nowMs)})
        select ${SCHEDULE_RUN.columns} from moved`,
    SCHEDULE_RUN,
  );
  return inserted.sort((a, b) => a.dueAtMs - b.dueAtMs);
}

/** As a part of a statement that has moved runs, as `moved`: those of them that are over are told. */
export function runsFinished(nowMs: number): SQL {
  return eventsFrom(
    sql`select 'schedule_run.finished' as type, null::text as brand, r.campaign_id,
          jsonb_build_object('run_id', r.id, 'schedule', s.name, 'due_at', ${iso(sql`r.due_at`)}, 'state', r.state,
            'reason', r.reason) as data
        from moved r join schedules s on s.id = r.schedule_id where r.state not in ('waiting', 'running', 'cancelling')`,
    nowMs,
  );
}

export interface RunChange {
  state: ScheduleRunState;
  reason?: string | undefined;
  executionId?: string | undefined;
  result?: Record<string, unknown> | undefined;
  startedAtMs?: number | undefined;
  endedAtMs?: number | undefined;
}

/** By when the workflow of one that is begun has to have looked at it. */
function soonAfter(startedAtMs: number | undefined): SQL {
  return atOrNull(startedAtMs === undefined ? undefined : startedAtMs + GRACE_MS);
}

/** Moves a run on. The schedule's row is locked by the caller. */
export async function changeRun(tx: Db, run: ScheduleRun, change: RunChange): Promise<ScheduleRun> {
  const result = change.result ?? run.result;
  const changed = await firstRow(
    tx,
    sql`with moved as (
        update schedule_runs set state = ${change.state}, reason = ${change.reason ?? null},
          execution_id = coalesce(${change.executionId ?? null}, execution_id),
          result = ${result === undefined ? sql`null::jsonb` : json(result)},
          started_at = coalesce(${atOrNull(change.startedAtMs)}, started_at), ended_at = ${atOrNull(change.endedAtMs)},
          look_by = ${isUnderWay(change.state) ? sql`least(look_by, ${soonAfter(change.startedAtMs)})` : sql`null`}
        where id = ${run.id}::uuid returning *),
        told as (${runsFinished(change.endedAtMs ?? run.dueAtMs)})
        select ${SCHEDULE_RUN.columns} from moved`,
    SCHEDULE_RUN,
  );
  return changed ?? run;
}

/**
 * Binds a campaign to the run that made it, in the transaction that makes it.
 *
 * @returns false where the run is not to be made any more: nothing may be written then.
 */
export async function bindCampaign(tx: Db, input: { runId: string; campaignId: string }): Promise<boolean> {
  const bound = await rows(
    tx,
    sql`update schedule_runs set campaign_id = ${input.campaignId}::uuid
        where id = ${input.runId}::uuid and state = 'running'
          and (campaign_id is null or campaign_id = ${input.campaignId}::uuid) returning 1 as one`,
  );
  return bound.length > 0;
}

/** Whether a run of a schedule made this campaign, whatever became of the schedule since. */
export async function isOfSchedule(db: Db, campaignId: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one from schedule_runs where campaign_id = ${campaignId}::uuid limit 1`,
  );
  return found.length > 0;
}
