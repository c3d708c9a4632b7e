import { sql } from "drizzle-orm";

import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { lockSchedule } from "./schedules.ts";
import { at, listOf, ms } from "../ground/sql.ts";
import { moveWatermark, readWatermark } from "../ground/watermarks.ts";

/*
 * How long runs are on record (I6). That a due time runs once rests on its row, so where rows are gone nothing is
 * made up for any more: through when that is so is kept.
 */

/** The newest of each schedule: a week of every minute, decades of every day. */
const KEPT = 10_000;

/** Whoever repeats a command does so within this; its row is what makes it the same run. */
const YOUNGEST_MS = 24 * 60 * 60_000;

/** One transaction is short; what a pass leaves the next one takes. Ten times what a run a second adds in between. */
const AT_ONCE = 500;
const TURNS = 6;

const forgottenOf = (scheduleId: string) => `schedule-runs:${scheduleId}`;

/** Through which due time runs may be gone; undefined while all are there. Unix milliseconds. */
export function forgottenThrough(db: Db, scheduleId: string): Promise<number | undefined> {
  return readWatermark(db, forgottenOf(scheduleId));
}

/**
 * Forgets the oldest runs of schedules that have many, with their actions. What has not ended stays.
 *
 * @param kept as many as tests make
 * @returns how many.
 */
export async function pruneScheduleRuns(ledger: Ledger, nowMs: number, kept = KEPT): Promise<number> {
  let pruned = 0;
  for (const { id, horizon_ms: horizonMs } of await listHorizons(ledger.db, kept)) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const gone = await ledger.transaction((tx) => pruneOf(tx, id, { horizonMs, nowMs }));
      pruned += gone;
      if (gone < AT_ONCE) break;
    }
  }
  return pruned;
}

/** Of each schedule that has more than are kept, removed ones too, the newest that need not be. */
function listHorizons(db: Db, kept: number): Promise<{ id: string; horizon_ms: number }[]> {
  return rows(
    db,
    sql`select s.id, ${ms(sql`r.due_at`)} as horizon_ms from schedules s cross join lateral (
          select due_at from schedule_runs where schedule_id = s.id order by due_at desc offset ${kept} limit 1
        ) r`,
  );
}

async function pruneOf(
  tx: Db,
  scheduleId: string,
  { horizonMs, nowMs }: { horizonMs: number; nowMs: number },
): Promise<number> {
  await lockSchedule(tx, scheduleId);
  const old = await rows<{ id: string }>(
    tx,
    sql`select id from schedule_runs
        where schedule_id = ${scheduleId}::uuid and due_at <= ${at(horizonMs)} and ended_at < ${at(nowMs - YOUNGEST_MS)}
        order by due_at limit ${AT_ONCE}`,
  );
  if (old.length === 0) return 0;
  const ids = listOf(
    old.map(({ id }) => id),
    "uuid",
  );
  await rows(tx, sql`delete from actions where schedule_run_id in ${ids}`);
  const gone = await firstRow<{ n: number; through_ms: number }>(
    tx,
    sql`with gone as (delete from schedule_runs where id in ${ids} returning due_at)
        select count(*)::int as n, ${ms(sql`max(due_at)`)} as through_ms from gone`,
  );
  if (!gone) return 0;
  await moveWatermark(tx, forgottenOf(scheduleId), gone.through_ms);
  return gone.n;
}
