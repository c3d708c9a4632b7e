import { sql } from "drizzle-orm";

import { firstRow, type Db } from "./connection.ts";
import { ms } from "./sql.ts";

/** The moment by the clock of the ledger's machine, Unix milliseconds. */
export async function readClock(db: Db): Promise<number | undefined> {
  const row = await firstRow<{ now_ms: number }>(db, sql`select ${ms(sql`clock_timestamp()`)} as now_ms`);
  return row?.now_ms;
}
