import { sql } from "drizzle-orm";
import { expect } from "vitest";

import { isBefore, newestPlace, type Place } from "../../../src/ledger/events/events.ts";
import { firstRow, type Ledger } from "../../../src/ledger/ground/connection.ts";

/**
 * Waits until everything that was written is told, and returns the place behind it. Whatever is under way in any database
 * of the server holds events back for as long, as the tests beside this one.
 */
export async function untilTold({ db }: Ledger): Promise<Place> {
  const last = await firstRow<{ era: number; tx: number; id: number }>(
    db,
    sql`select era, tx::float8 as tx, id::float8 as id from events order by era desc, tx desc, id desc limit 1`,
  );
  if (last) {
    const isHeldBack = async () => isBefore(await newestPlace(db), [last.era, last.tx, last.id]);
    await expect.poll(isHeldBack).toBe(false);
  }
  return newestPlace(db);
}
