import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "./connection.ts";
import { at, ms } from "./sql.ts";

/** How far somebody who walks along a growing list has come. Unix milliseconds. */
export async function readWatermark(db: Db, name: string): Promise<number | undefined> {
  const row = await firstRow<{ at_ms: number }>(
    db,
    sql`select ${ms(sql`at`)} as at_ms from watermarks where name = ${name}`,
  );
  return row?.at_ms;
}

/** Never moves back. */
export async function moveWatermark(db: Db, name: string, toMs: number): Promise<void> {
  await rows(
    db,
    sql`insert into watermarks as w (name, at) values (${name}, ${at(toMs)})
        on conflict (name) do update set at = greatest(w.at, excluded.at)`,
  );
}

export async function setWatermark(tx: Db, name: string, atMs: number): Promise<void> {
  await rows(
    tx,
    sql`insert into watermarks (name, at) values (${name}, ${at(atMs)})
        on conflict (name) do update set at = excluded.at`,
  );
}
