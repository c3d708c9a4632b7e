import { sql } from "drizzle-orm";

import { firstRow, type Db } from "./connection.ts";

/** Whether the ledger answers, and is none that may be read only, as a database is that has not taken over yet. */
export async function takesWrites(db: Db): Promise<boolean> {
  const row = await firstRow<{ mode: string }>(
    db,
    sql`select current_setting('transaction_read_only') as mode`,
  );
  return row?.mode !== "on";
}
