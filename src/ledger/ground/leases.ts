import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { at } from "./sql.ts";

/** How far apart clocks are that are right. */
export const CLOCKS_MS = 60_000;

/**
 * Takes or keeps a lease on work that one process does for all. False while another holder's has not run out: one that
 * ends later than any could was taken by a clock that was ahead, and counts for nothing.
 */
export async function holdLease(
  db: Db,
  input: { name: string; holder: string; termMs: number; nowMs: number },
): Promise<boolean> {
  const held = await rows(
    db,
    sql`insert into leases as l (name, holder, expires_at) values (${input.name}, ${input.holder}, ${at(input.nowMs + input.termMs)})
        on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where l.holder = excluded.holder or l.expires_at < ${at(input.nowMs)}
            or l.expires_at > ${at(input.nowMs + input.termMs + CLOCKS_MS)}
        returning 1 as one`,
  );
  return held.length > 0;
}
