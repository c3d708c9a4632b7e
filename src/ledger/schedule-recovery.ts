import { sql } from "drizzle-orm";

import { dueTimesOf } from "../domain/schedule.ts";
import { isUnderWay } from "../domain/schedule-run.ts";
import { occurrences } from "../domain/schedule-times.ts";
import { listActionsOf } from "./actions.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { putOutbox } from "./outbox.ts";
import { endRun } from "./schedule-ends.ts";
import { changeRun, insertRuns, listOpenRuns, newRun, runKeyOf, type ScheduleRun } from "./schedule-runs.ts";
import { dropUntried } from "./schedule-targets.ts";
import { decidedThrough, lockSchedule, setDecidedThrough, type Schedule } from "./schedules.ts";

/*
 * Schedules of a ledger that was older than reality. Campaigns that runs made since are not in it, nor is what they
 * called: making such a run again would call the same people again (I1). So nothing of the time that was lost begins
 * by itself, and nobody is told that it did not happen: a person who knows may backfill it.
 */

const MAY_HAVE_RUN = "it may have run in the part of the ledger that was lost";

/**
 * Has every schedule go on with what is due from now on. Locks schedules, before every other row. What it writes is
 * bounded by schedules and open runs, however much was due.
 */
export async function passOverLostTime(tx: Db, nowMs: number): Promise<void> {
  const ids = await rows<{ id: string }>(tx, sql`select id from schedules order by id`);
  for (const { id } of ids) {
    const schedule = await lockSchedule(tx, id);
    if (!schedule) continue;
    for (const run of await listOpenRuns(tx, id)) await settleOpen(tx, schedule, run, nowMs);
    await passOver(tx, schedule, nowMs);
  }
}

/** One note stands for all that was due. */
async function passOver(tx: Db, schedule: Schedule, nowMs: number): Promise<void> {
  const { definition, state } = schedule;
  const fromMs = (await decidedThrough(tx, schedule.id)) ?? schedule.updatedAtMs;
  if (fromMs >= nowMs) return;
  const isDueHere = state === "active" && definition.engine === "temporal";
  const [firstMs] = isDueHere ? occurrences(dueTimesOf(definition), fromMs, nowMs, 1) : [];
  if (firstMs !== undefined) {
    const reason = `${MAY_HAVE_RUN}, and so may whatever was due after it until ${runKeyOf(nowMs)}`;
    await insertRuns(tx, [newRun(schedule, firstMs, "skipped", reason)], { nowMs });
  }
  await setDecidedThrough(tx, schedule.id, nowMs);
}

/**
 * A run that the ledger has as open goes on only with what it has of it: with a campaign whose whole list it holds,
 * so that whoever was called is booked, or with an automation that was tried, which is looked for on the platform.
 */
async function settleOpen(tx: Db, schedule: Schedule, run: ScheduleRun, nowMs: number): Promise<void> {
  const skip = () => endRun(tx, schedule, run, { state: "skipped", reason: MAY_HAVE_RUN, endedAtMs: nowMs });
  if (!isUnderWay(run.state)) {
    await skip();
  } else if (run.campaignId === undefined) {
    const hasAction = (await listActionsOf(tx, { scheduleRunId: run.id })).length > 0;
    if (!hasAction || (await dropUntried(tx, run.id, nowMs, MAY_HAVE_RUN))) await skip();
  } else if (run.state === "running" && (await lacksPartOfList(tx, run.campaignId))) {
    const reason = "its list was taken in the part of the ledger that was lost, and may have been called";
    await changeRun(tx, run, { state: "cancelling", reason });
    await putOutbox(tx, [{ kind: "schedule_run", subject: run.id, dueAtMs: nowMs }]);
  }
}

async function lacksPartOfList(tx: Db, campaignId: string): Promise<boolean> {
  const row = await firstRow(
    tx,
    sql`select 1 as one from imports where campaign_id = ${campaignId}::uuid and completed_at is null limit 1`,
  );
  return row !== undefined;
}
