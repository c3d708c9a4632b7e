import { sql } from "drizzle-orm";

import type { ActionSpec } from "../../domain/follow-ups/actions.ts";
import { parseDurationMs } from "../../domain/time/duration.ts";
import type { ScheduleDefinition } from "../../domain/schedules/schedule.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";

/** The automation that a schedule runs, as far as it is there. */
export type AutomationTarget =
  | { ok: true; workflowId: string; repeat: "safe" | "never" }
  | { ok: false; problem: string };

/** An execution that says nothing for so long is not waited for. */
const USUAL_TIMEOUT_MS = 10 * 60_000;

/** Of one that may be repeated; what fails by itself mostly does so again. */
const SAFE_RETRY = { maxTries: 3, delaysMs: [30_000, 120_000] };
const NO_RETRY = { maxTries: 1, delaysMs: [0] };

export async function findTarget(db: Db, run: ScheduleDefinition["run"]): Promise<AutomationTarget> {
  if (run.workflow_id !== undefined)
    return { ok: true, workflowId: run.workflow_id, repeat: run.repeat ?? "never" };
  const name = run.automation ?? "";
  const row = await firstRow<{ workflow_id: string | null; repeat: string | null }>(
    db,
    sql`select workflow_id, definition ->> 'repeat' as repeat from automations where name = ${name} and state <> 'removed'`,
  );
  if (!row) return { ok: false, problem: `there is no automation ${name}: declare it, or name another one` };
  if (row.workflow_id === null)
    return {
      ok: false,
      problem: `automation ${name} is not on the platform yet: look at \`outdial automation show ${name}\``,
    };
  const repeat = run.repeat ?? (row.repeat === "safe" ? "safe" : "never");
  return { ok: true, workflowId: row.workflow_id, repeat };
}

/** One run of it, as an action. */
export function automationRun(
  { name, run }: ScheduleDefinition,
  target: Extract<AutomationTarget, { ok: true }>,
  of: { runId: string; dueAtMs: number },
): ActionSpec {
  return {
    kind: "automation",
    workflowId: target.workflowId,
    repeat: target.repeat,
    subject: { schedule: name, schedule_run_id: of.runId, due_at: new Date(of.dueAtMs).toISOString() },
    data: run.data ?? {},
    timeoutMs: parseDurationMs(run.timeout ?? "") ?? USUAL_TIMEOUT_MS,
    retry: target.repeat === "safe" ? SAFE_RETRY : NO_RETRY,
  };
}

/**
 * Takes back a run's automation, of which nothing was tried yet.
 *
 * @param because what stands in it as its error
 * @returns false where a try was made or is being made: it goes on then. Or where there is none.
 */
export async function dropUntried(
  tx: Db,
  runId: string,
  nowMs: number,
  because = "it came too late",
): Promise<boolean> {
  const dropped = await rows(
    tx,
    sql`update actions set state = 'skipped', next_try_at = null, error = ${because}, ended_at = ${at(nowMs)}
        where schedule_run_id = ${runId}::uuid and state = 'due' and tries = 0 and sent_at is null and external_id is null
        returning 1 as one`,
  );
  return dropped.length > 0;
}
