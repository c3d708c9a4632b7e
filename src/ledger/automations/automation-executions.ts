import { sql } from "drizzle-orm";

import { FAILED_WORDS, SUCCEEDED_WORDS } from "../../domain/ground/execution-status.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { moment, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * Executions of automations, as far as they were seen: what health and alerts are made of. What they were given and
 * what they gave stays on the platform.
 */

const EXECUTION = record({
  executionId: text,
  workflowId: text,
  /** The platform's word, in lower case. */
  status: text,
  triggerSource: optional(text),
  error: optional(text),
  startedAtMs: moment,
  endedAtMs: optional(moment),
  /** The execution that it repeats. */
  repeats: optional(text),
  seenAtMs: moment,
});

export interface KeptExecution extends RecordOf<typeof EXECUTION> {}

export type SeenExecution = Omit<KeptExecution, "repeats" | "seenAtMs">;

/** Longer than this an error is not kept. */
const MAX_ERROR_CHARS = 1_000;

/**
 * Writes down how executions stand.
 *
 * @returns those that ended since they were last seen; each once, whoever sees it first.
 */
export async function recordExecutions(
  tx: Db,
  executions: readonly SeenExecution[],
  nowMs: number,
): Promise<KeptExecution[]> {
  if (executions.length === 0) return [];
  const seen = executions.map((one) => ({
    execution_id: one.executionId,
    workflow_id: one.workflowId,
    status: one.status,
    trigger_source: one.triggerSource ?? null,
    error: one.error?.slice(0, MAX_ERROR_CHARS) ?? null,
    started_at: new Date(one.startedAtMs).toISOString(),
    ended_at: one.endedAtMs === undefined ? null : new Date(one.endedAtMs).toISOString(),
  }));
  const found = await rows(
    tx,
    sql`insert into automation_executions as e
          (execution_id, workflow_id, status, trigger_source, error, started_at, ended_at, seen_at)
        select distinct on (r.execution_id) r.execution_id, r.workflow_id, r.status, r.trigger_source, r.error, r.started_at,
               r.ended_at, ${at(nowMs)}
        from jsonb_to_recordset(${json(seen)}) as r(execution_id text, workflow_id text, status text, trigger_source text,
               error text, started_at timestamptz, ended_at timestamptz)
        order by r.execution_id
        on conflict (execution_id) do update
          set status = excluded.status, error = excluded.error, ended_at = excluded.ended_at, seen_at = excluded.seen_at,
              trigger_source = coalesce(excluded.trigger_source, e.trigger_source)
          where e.ended_at is null
        returning ${EXECUTION.columns}`,
    EXECUTION,
  );
  return found.filter(({ endedAtMs }) => endedAtMs !== undefined);
}

/** Notes that an execution repeats another one. It may not have been seen yet. */
export async function noteRepeat(
  tx: Db,
  input: { executionId: string; workflowId: string; repeats: string; nowMs: number },
): Promise<void> {
  const { executionId, workflowId, repeats, nowMs } = input;
  await rows(
    tx,
    sql`insert into automation_executions (execution_id, workflow_id, status, started_at, seen_at, repeats)
        values (${executionId}, ${workflowId}, 'running', ${at(nowMs)}, ${at(nowMs)}, ${repeats})
        on conflict (execution_id) do update set repeats = excluded.repeats`,
  );
}

export function readExecution(db: Db, executionId: string): Promise<KeptExecution | undefined> {
  return firstRow(
    db,
    sql`select ${EXECUTION.columns} from automation_executions where execution_id = ${executionId}`,
    EXECUTION,
  );
}

/** Of those under way: what goes on beside so many others is looked at when some of them have ended. */
const MOST_OPEN = 1_000;

/** Those that were under way when they were last seen, the oldest first. */
export function listOpenExecutions(db: Db, workflowIds: readonly string[]): Promise<KeptExecution[]> {
  return rows(
    db,
    sql`select ${EXECUTION.columns} from automation_executions
        where workflow_id in ${listOf(workflowIds, "text")} and ended_at is null order by started_at limit ${MOST_OPEN}`,
    EXECUTION,
  );
}

/** Newest first, behind `after`. `failed`: only those that failed or timed out. */
export async function listExecutions(
  db: Db,
  input: {
    workflowIds: readonly string[];
    failed: boolean;
    after?: { atMs: number; id: string };
    limit: number;
  },
): Promise<{ items: KeptExecution[]; total: number }> {
  const condition = sql`workflow_id in ${listOf(input.workflowIds, "text")}
    and (not ${input.failed} or status in ${listOf(FAILED_WORDS, "text")})`;
  const { after } = input;
  const behind =
    after === undefined ? sql`true` : sql`(started_at, execution_id) < (${at(after.atMs)}, ${after.id})`;
  const items = await rows(
    db,
    sql`select ${EXECUTION.columns} from automation_executions where ${condition} and ${behind}
        order by started_at desc, execution_id desc limit ${input.limit}`,
    EXECUTION,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from automation_executions where ${condition}`,
  );
  return { items, total: total?.n ?? 0 };
}

export interface ExecutionHealth {
  succeeded: number;
  failed: number;
  running: number;
  last:
    | { executionId: string; status: string; startedAtMs: number; endedAtMs: number | undefined }
    | undefined;
}

/** How executions that began since then ended. Those that were skipped, or are gone, count for nothing. */
export async function healthOf(
  db: Db,
  workflowIds: readonly string[],
  sinceMs: number,
): Promise<ExecutionHealth> {
  const mine = sql`workflow_id in ${listOf(workflowIds, "text")}`;
  const counts = await firstRow<{ succeeded: number; failed: number; running: number }>(
    db,
    sql`select (count(*) filter (where ended_at is not null and status in ${listOf(SUCCEEDED_WORDS, "text")}))::int as succeeded,
               (count(*) filter (where ended_at is not null and status in ${listOf(FAILED_WORDS, "text")}))::int as failed,
               (count(*) filter (where ended_at is null))::int as running
        from automation_executions where ${mine} and started_at >= ${at(sinceMs)}`,
  );
  const last = await firstRow(
    db,
    sql`select ${EXECUTION.columns} from automation_executions where ${mine} order by started_at desc limit 1`,
    EXECUTION,
  );
  return {
    succeeded: counts?.succeeded ?? 0,
    failed: counts?.failed ?? 0,
    running: counts?.running ?? 0,
    last,
  };
}

/** Whether any execution failed since then that was not run again with success. */
export async function hasOpenFailures(
  db: Db,
  workflowIds: readonly string[],
  sinceMs: number,
): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`select 1 as one from automation_executions e
        where workflow_id in ${listOf(workflowIds, "text")} and started_at >= ${at(sinceMs)}
          and status in ${listOf(FAILED_WORDS, "text")}
          and not exists (
            select 1 from automation_executions r
            where r.repeats = e.execution_id and r.workflow_id in ${listOf(workflowIds, "text")}
              and r.ended_at is not null and r.status in ${listOf(SUCCEEDED_WORDS, "text")})
        limit 1`,
  );
  return row !== undefined;
}

/** A statement of some ten thousand rows holds nobody up; the rest goes with the next ones. */
const MOST_PRUNED = 10_000;

/**
 * Forgets what began before then, whichever automation ran it: also one that was removed, or replaced long ago.
 * Returns how many.
 */
export async function pruneExecutions(db: Db, beforeMs: number): Promise<number> {
  const gone = await rows(
    db,
    sql`delete from automation_executions where execution_id in (
          select execution_id from automation_executions where started_at < ${at(beforeMs)} limit ${MOST_PRUNED})
        returning 1 as one`,
  );
  return gone.length;
}
