import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { ScheduleRunState } from "../../domain/schedules/schedule-run.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, atOrNull, json, ms } from "../ground/sql.ts";

/*
 * Runs of schedules, one row for each due time and for each command that asked for one. A run is under way as long as
 * its row says so, whatever Temporal does: it is made once.
 */

export type RunCause = "schedule" | "now" | "backfill";

export interface ScheduleRun {
  id: string;
  scheduleId: string;
  runKey: string;
  dueAtMs: number;
  cause: RunCause;
  state: ScheduleRunState;
  reason: string | undefined;
  campaignId: string | undefined;
  executionId: string | undefined;
  result: Record<string, unknown> | undefined;
  createdAtMs: number;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

interface RunRow {
  id: string;
  schedule_id: string;
  run_key: string;
  due_ms: number;
  cause: RunCause;
  state: ScheduleRunState;
  reason: string | null;
  campaign_id: string | null;
  execution_id: string | null;
  result: Record<string, unknown> | null;
  created_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
}

const COLUMNS = sql`id, schedule_id, run_key, ${ms(sql`due_at`)} as due_ms, cause, state, reason, campaign_id, execution_id, result,
  ${ms(sql`created_at`)} as created_ms, ${ms(sql`started_at`)} as started_ms, ${ms(sql`ended_at`)} as ended_ms`;

function runOf(row: RunRow): ScheduleRun {
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    runKey: row.run_key,
    dueAtMs: row.due_ms,
    cause: row.cause,
    state: row.state,
    reason: row.reason ?? undefined,
    campaignId: row.campaign_id ?? undefined,
    executionId: row.execution_id ?? undefined,
    result: row.result ?? undefined,
    createdAtMs: row.created_ms,
    startedAtMs: row.started_ms ?? undefined,
    endedAtMs: row.ended_ms ?? undefined,
  };
}

async function readMany(db: Db, condition: SQL): Promise<ScheduleRun[]> {
  const found = await rows<RunRow>(db, sql`select ${COLUMNS} from schedule_runs where ${condition}`);
  return found.map(runOf);
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

/** Of all schedules: runs whose workflows have something to do. Where there are more than `limit`, others each time. */
export function sampleRunsUnderWay(db: Db, limit: number): Promise<ScheduleRun[]> {
  return readMany(
    db,
    sql`ended_at is null and state in ('running', 'cancelling') order by random() limit ${limit}`,
  );
}

export interface RunFilter {
  state?: ScheduleRunState | undefined;
  skip: number;
  limit: number;
}

/** The newest first. */
export async function listRuns(
  db: Db,
  scheduleId: string,
  filter: RunFilter,
): Promise<{ items: ScheduleRun[]; total: number }> {
  const condition = sql`schedule_id = ${scheduleId}::uuid and (${filter.state ?? null}::text is null or state = ${filter.state ?? null}::text)`;
  const items = await readMany(
    db,
    sql`${condition} order by due_at desc, id limit ${filter.limit} offset ${filter.skip}`,
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

export interface LastRuns {
  scheduleId: string;
  state: ScheduleRunState;
  dueAtMs: number;
}

/** The newest run of each schedule. */
export async function listLastRuns(db: Db): Promise<LastRuns[]> {
  const found = await rows<{ schedule_id: string; state: ScheduleRunState; due_ms: number }>(
    db,
    sql`select s.id as schedule_id, r.state, r.due_ms from schedules s
        cross join lateral (
          select state, ${ms(sql`due_at`)} as due_ms from schedule_runs
          where schedule_id = s.id order by due_at desc, id limit 1
        ) r where s.state <> 'removed'`,
  );
  return found.map((row) => ({ scheduleId: row.schedule_id, state: row.state, dueAtMs: row.due_ms }));
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
  const inserted = await rows<RunRow>(
    tx,
    sql`insert into schedule_runs (id, schedule_id, run_key, due_at, cause, state, reason, created_at, started_at, ended_at)
        select r.id, r.schedule_id, r.run_key, r.due_at, r.cause, r.state, r.reason, ${now},
               case when r.state = 'running' then ${now} end,
               case when r.state not in ('waiting', 'running') then ${now} end
        from jsonb_to_recordset(${json(written)}) as r(id uuid, schedule_id uuid, run_key text, due_at timestamptz, cause text, state text, reason text)
        on conflict on constraint schedule_runs_once do nothing
        returning ${COLUMNS}`,
  );
  return inserted.map(runOf).sort((a, b) => a.dueAtMs - b.dueAtMs);
}

export interface RunChange {
  state: ScheduleRunState;
  reason?: string | undefined;
  executionId?: string | undefined;
  result?: Record<string, unknown> | undefined;
  startedAtMs?: number | undefined;
  endedAtMs?: number | undefined;
}

/** Moves a run on. The schedule's row is locked by the caller. */
export async function changeRun(tx: Db, run: ScheduleRun, change: RunChange): Promise<ScheduleRun> {
  const result = change.result ?? run.result;
  const row = await firstRow<RunRow>(
    tx,
    sql`update schedule_runs set state = ${change.state}, reason = ${change.reason ?? null},
          execution_id = coalesce(${change.executionId ?? null}, execution_id),
          result = ${result === undefined ? sql`null::jsonb` : json(result)},
          started_at = coalesce(${atOrNull(change.startedAtMs)}, started_at), ended_at = ${atOrNull(change.endedAtMs)}
        where id = ${run.id}::uuid returning ${COLUMNS}`,
  );
  return row ? runOf(row) : run;
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
