import { sql } from "drizzle-orm";

import { dueTimesOf } from "../../domain/schedules/schedule.ts";
import { isUnderWay } from "../../domain/schedules/schedule-run.ts";
import { occurrences } from "../../domain/schedules/schedule-times.ts";
import { listActionsOf } from "../follow-ups/actions.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import {
  changeRun,
  insertRuns,
  listOpenRuns,
  newRun,
  runKeyOf,
  type ScheduleRun,
} from "../schedules/schedule-runs.ts";
import { dropUntried } from "../schedules/schedule-targets.ts";
import {
  decidedThrough,
  lockStoredSchedule,
  setDecidedThrough,
  type Schedule,
  type StoredSchedule,
} from "../schedules/schedules.ts";
import { ms } from "../ground/sql.ts";

/*
 * Schedules of a ledger that was older than reality. Campaigns that runs made since are not in it, nor is what they
 * called: making such a run again would call the same people again (I1). So nothing of the time that was lost begins
 * by itself, and nobody is told that it did not happen, but that it may have: a person who knows may backfill it.
 */

const MAY_HAVE_RUN = "it may have run in the part of the ledger that was lost";

/**
 * Has every schedule go on with what is due from now on. Locks schedules, and then what belongs to them; campaigns are
 * locked before by whoever locks them as well. What it writes is bounded by schedules and open runs, however much was
 * due.
 *
 * @returns how many schedules had something that was passed over, and people are told of. Of removed ones nothing is
 * due any more.
 */
export async function passOverLostTime(tx: Db, nowMs: number): Promise<number> {
  const ids = await rows<{ id: string }>(tx, sql`select id from schedules order by id`);
  let passedOver = 0;
  for (const { id } of ids) {
    const stored = await lockStoredSchedule(tx, id);
    if (!stored) continue;
    const dropped: ScheduleRun[] = [];
    for (const run of await listOpenRuns(tx, id)) if (await settleOpen(tx, run, nowMs)) dropped.push(run);
    const firstMs = await passOver(tx, stored, nowMs);
    // What one that can't be read had due, nobody can tell.
    const isUnsure = !stored.schedule && stored.state === "active";
    if (stored.state === "removed" || (dropped.length === 0 && firstMs === undefined && !isUnsure)) continue;
    await tellPassedOver(tx, stored, { dropped, firstMs, nowMs });
    passedOver += 1;
  }
  return passedOver;
}

/** One note stands for all that was due. Returns when the first of it was; undefined: nothing was, as far as is known. */
async function passOver(
  tx: Db,
  { id, schedule }: StoredSchedule,
  nowMs: number,
): Promise<number | undefined> {
  const decidedMs = await decidedThrough(tx, id);
  const fromMs = decidedMs ?? schedule?.updatedAtMs ?? 0;
  if (fromMs >= nowMs) return undefined;
  const firstMs = schedule && firstDueOf(schedule, fromMs, nowMs);
  if (firstMs !== undefined) {
    const reason = `${MAY_HAVE_RUN}, and so may whatever was due after it until ${runKeyOf(nowMs)}`;
    await insertRuns(tx, [newRun({ id }, firstMs, "skipped", reason)], { nowMs });
  }
  await setDecidedThrough(tx, id, nowMs);
  return firstMs;
}

function firstDueOf({ definition, state }: Schedule, fromMs: number, nowMs: number): number | undefined {
  if (state !== "active" || definition.engine !== "temporal") return undefined;
  return occurrences(dueTimesOf(definition), fromMs, nowMs, 1)[0];
}

/**
 * A run that the ledger has as open goes on only with what it has of it: with a campaign whose whole list it holds,
 * so that whoever was called is booked, or with an automation that was tried, which is looked for on the platform.
 *
 * @returns whether nothing more is made of it.
 */
async function settleOpen(tx: Db, run: ScheduleRun, nowMs: number): Promise<boolean> {
  const { id, campaignId } = run;
  if (campaignId !== undefined && isUnderWay(run.state)) {
    if (run.state !== "running" || !(await lacksPartOfList(tx, campaignId))) return false;
    const reason = "its list was taken in the part of the ledger that was lost, and may have been called";
    await changeRun(tx, run, { state: "cancelling", reason });
    await putOutbox(tx, [{ kind: "schedule_run", subject: id, dueAtMs: nowMs }]);
    return true;
  }
  if (isUnderWay(run.state)) {
    const hasAction = (await listActionsOf(tx, { scheduleRunId: id })).length > 0;
    if (hasAction && !(await dropUntried(tx, id, nowMs, MAY_HAVE_RUN))) return false;
  }
  await changeRun(tx, run, { state: "skipped", reason: MAY_HAVE_RUN, endedAtMs: nowMs });
  const resolution = "it has ended";
  await resolveAttention(tx, { kind: "schedule_run_long", subject: id, by: "engine", resolution, nowMs });
  return true;
}

interface PassedOver {
  /** Runs that were open. */
  dropped: readonly ScheduleRun[];
  /** When the first was due that had not begun. */
  firstMs: number | undefined;
  nowMs: number;
}

/** Puts before people what may have run, with what stands there as missed: that may have been made up for since. */
async function tellPassedOver(tx: Db, stored: StoredSchedule, passed: PassedOver): Promise<void> {
  const { name } = stored;
  const { dropped, firstMs, nowMs } = passed;
  const toldMs = await firstToldMissed(tx, stored);
  const dueMs = [
    ...dropped.filter(({ cause }) => cause !== "now").map(({ dueAtMs }) => dueAtMs),
    ...[firstMs, toldMs].filter((known) => known !== undefined),
  ];
  const [first, last] = [Math.min(...dueMs), firstMs === undefined ? Math.max(...dueMs) : nowMs];
  const since = dueMs.length === 0 ? "" : ` that were due from ${runKeyOf(first)} to ${runKeyOf(last)}`;
  // A new entry: what is missed from now on is told from now on, and what may have run is not in its range.
  const by = {
    by: "engine",
    resolution: "it may have been made up for since: the ledger was recovered",
    nowMs,
  };
  await resolveAttention(tx, { kind: "schedule_run_missed", subject: name, ...by });
  await raiseAttention(tx, {
    kind: "schedule_run_missed",
    subject: name,
    brand: "default",
    summary: `runs of schedule ${name}${since} were passed over: they MAY have run in the part of the ledger that was lost`,
    remedy: remedyOf(stored, dueMs.length === 0 ? undefined : { first, last }),
    nowMs,
  });
}

function remedyOf(
  { name, schedule }: StoredSchedule,
  range: { first: number; last: number } | undefined,
): string {
  const look = `find out on the platform what was run (\`outdial schedule runs ${name}\` shows what was passed over)`;
  if (!schedule)
    return `its definition can't be read here, and nothing of it begins: go back to the version of Outdial and Node that could read it. Then ${look}; \`outdial schedule backfill ${name}\` is right only for what was certainly not made`;
  if (schedule.definition.engine === "platform" || !range)
    return `${look}; \`outdial schedule run ${name}\` is right only for what was certainly not made`;
  return `${look}; \`outdial schedule backfill ${name} --from ${runKeyOf(range.first)} --to ${runKeyOf(range.last)}\` is right only for what was certainly not made: narrow it to that`;
}

/** When the first was due of those that people have before them as missed. */
async function firstToldMissed(tx: Db, { id, name }: StoredSchedule): Promise<number | undefined> {
  const row = await firstRow<{ due_ms: number | null }>(
    tx,
    sql`select ${ms(sql`min(r.due_at)`)} as due_ms from schedule_runs r join attention a
          on a.kind = 'schedule_run_missed' and a.subject = ${name} and a.resolved_at is null
        where r.schedule_id = ${id}::uuid and r.state = 'missed' and r.ended_at >= a.at`,
  );
  return row?.due_ms ?? undefined;
}

async function lacksPartOfList(tx: Db, campaignId: string): Promise<boolean> {
  const row = await firstRow(
    tx,
    sql`select 1 as one from imports where campaign_id = ${campaignId}::uuid and completed_at is null limit 1`,
  );
  return row !== undefined;
}
