import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "./connection.ts";
import { at, json, ms } from "./sql.ts";

/** What one pass of the sweeper found that had no end, and what became of it. */
export interface SweepReport {
  atMs: number;
  /** All that was found. */
  found: number;
  /** Those that have come to their end, or were handed to whoever brings them there. */
  settled: number;
  /** By kind: `<kind>` as found, `<kind>_settled` as settled. Kinds with nothing are left out. */
  detail: Record<string, number>;
}

/** Keeps a pass's report. */
export async function recordSweep(db: Db, report: SweepReport): Promise<void> {
  await rows(
    db,
    sql`insert into sweeps (at, found, settled, detail)
        values (${at(report.atMs)}, ${report.found}, ${report.settled}, ${json(report.detail)})`,
  );
}

/** The last pass's report; undefined before the first. */
export async function readLastSweep(db: Db): Promise<SweepReport | undefined> {
  const row = await firstRow<Omit<SweepReport, "atMs"> & { at_ms: number }>(
    db,
    sql`select ${ms(sql`at`)} as at_ms, found, settled, detail from sweeps order by id desc limit 1`,
  );
  return row && { atMs: row.at_ms, found: row.found, settled: row.settled, detail: row.detail };
}

/** Reports of a month of passes; older ones go. */
const KEPT = 10_000;

export async function forgetOldSweeps(db: Db): Promise<void> {
  await rows(db, sql`delete from sweeps where id <= (select max(id) from sweeps) - ${KEPT}`);
}
