import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { CLOCKS_MS } from "./leases.ts";
import { at } from "./sql.ts";

/**
 * Takes on what is done now and then, by one process for all.
 *
 * One that begins later than now was noted by a clock that was ahead, and counts for nothing.
 *
 * @param input.everyMs two passes of a name begin so far apart at least
 * @returns false where the last one was begun less than that ago.
 */
export async function takePass(
  db: Db,
  { name, everyMs, nowMs }: { name: string; everyMs: number; nowMs: number },
): Promise<boolean> {
  const taken = await rows(
    db,
    sql`insert into passes as p (name, at) values (${name}, ${at(nowMs)})
        on conflict (name) do update set at = excluded.at
          where p.at <= ${at(nowMs - everyMs)} or p.at > ${at(nowMs + CLOCKS_MS)} returning 1 as one`,
  );
  return taken.length > 0;
}
