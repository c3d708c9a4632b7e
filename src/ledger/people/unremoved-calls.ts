import { sql, type SQL } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";

/*
 * Calls whose record the platform did not remove when it was too old to be kept. The walk of retention passes them by and
 * asks for them again later, so that one that can never be removed keeps no other from it.
 */

/** Asked for again after so long, doubling, up to a day. Seconds. */
const FIRST_WAIT_S = 600;
const LONGEST_WAIT_S = 86_400;

/** From so many tries on (five hours) it is not passing trouble. */
const STUCK_FROM = 5;

/** Whether a call is still too old to be kept, whatever was said of that since. */
const isAged = (before: number): SQL =>
  sql`(exists (select 1 from attempts a where a.call_id = u.call_id and a.planned_at < ${at(before)})
    or exists (select 1 from inbound_calls i where i.call_id = u.call_id and i.created_at < ${at(before)}))`;

/** Those that are due. */
export async function listDueUnremoved(
  db: Db,
  { before, nowMs, limit }: { before: number; nowMs: number; limit: number },
): Promise<string[]> {
  const found = await rows<{ call_id: string }>(
    db,
    sql`select u.call_id from unremoved_calls u where u.next_at <= ${at(nowMs)} and ${isAged(before)}
        order by u.next_at, u.call_id limit ${limit}`,
  );
  return found.map((row) => row.call_id);
}

/** Notes that a call's record could not be removed, once more. */
export async function noteUnremoved(
  db: Db,
  { callId, error, nowMs }: { callId: string; error: string; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`insert into unremoved_calls as u (call_id, tries, next_at, error)
        values (${callId}, 1, ${at(nowMs + FIRST_WAIT_S * 1_000)}, left(${error}, 500))
        on conflict (call_id) do update set tries = least(u.tries + 1, 1000), error = excluded.error,
          next_at = ${at(nowMs)} + make_interval(secs => least(${LONGEST_WAIT_S}, ${FIRST_WAIT_S} * power(2, least(u.tries, 20))))`,
  );
}

/** It is gone. */
export async function forgetUnremoved(tx: Db, callId: string): Promise<void> {
  await rows(tx, sql`delete from unremoved_calls where call_id = ${callId}`);
}

/** Those that were asked for often, and what the platform said of the oldest of them. Undefined: there are none. */
export function readStuck(
  db: Db,
  before: number,
): Promise<{ n: number; callId: string; error: string } | undefined> {
  return firstRow<{ n: number; callId: string; error: string }>(
    db,
    sql`select count(*) over ()::int as n, u.call_id as "callId", u.error from unremoved_calls u
        where u.tries >= ${STUCK_FROM} and ${isAged(before)} order by u.tries desc, u.call_id limit 1`,
  );
}
