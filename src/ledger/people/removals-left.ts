import path from "node:path";

import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, listOf } from "../ground/sql.ts";

/*
 * What of people could not be removed outside of the ledger when the rest of them went: a call that the platform keeps,
 * a recording in a folder that was not seen. It is asked for again until it is gone, and keeps nothing else.
 */

/** Asked for again after so long, doubling, up to a day. Seconds. */
const FIRST_WAIT_S = 600;
const LONGEST_WAIT_S = 86_400;

/** From so many tries on (two and a half hours) it is not passing trouble. */
const STUCK_FROM = 5;

const LEFT = record({
  id: number,
  /** Whose certificate tells of it. Absent: it went by its age. */
  forgettingId: optional(text),
  kind: word<"recording" | "platform_call">(),
  /** The file below its folder; the call's id. */
  what: text,
  /** The folder's id. */
  keptIn: optional(text),
  error: text,
  sinceAtMs: moment,
});

export interface RemovalLeft extends RecordOf<typeof LEFT> {}

/** Writes down what is still to be removed. Once: a second time it says why as it is now. */
export async function leaveBehind(
  tx: Db,
  left: Pick<RemovalLeft, "forgettingId" | "kind" | "what" | "keptIn" | "error"> & { nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`insert into removals_left (forgetting_id, kind, what, kept_in, error, tries, since_at, next_at)
        values (${left.forgettingId ?? null}::uuid, ${left.kind}, ${left.what}, ${left.keptIn ?? null}, left(${left.error}, 500),
          0, ${at(left.nowMs)}, ${at(left.nowMs)})
        on conflict (forgetting_id, kind, what) do update set error = excluded.error`,
  );
}

/** Those of a kind that are due, the longest first. */
export function listDueLeft(
  db: Db,
  { kind, nowMs, limit }: { kind: RemovalLeft["kind"]; nowMs: number; limit: number },
): Promise<RemovalLeft[]> {
  return rows(
    db,
    sql`select ${LEFT.columns} from removals_left where kind = ${kind} and next_at <= ${at(nowMs)}
        order by next_at, id limit ${limit}`,
    LEFT,
  );
}

/** Recordings that are due and were kept in one of these folders. */
export function listLeftIn(
  db: Db,
  { folderIds, nowMs, limit }: { folderIds: readonly string[]; nowMs: number; limit: number },
): Promise<RemovalLeft[]> {
  return rows(
    db,
    sql`select ${LEFT.columns} from removals_left where kind = 'recording' and kept_in in ${listOf(folderIds, "text")}
          and next_at <= ${at(nowMs)}
        order by next_at, id limit ${limit}`,
    LEFT,
  );
}

/** It could not be removed, once more. */
export async function putOffLeft(
  db: Db,
  { id, error, nowMs }: { id: number; error: string; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update removals_left set tries = least(tries + 1, 1000), error = left(${error}, 500),
          next_at = ${at(nowMs)} + make_interval(secs => least(${LONGEST_WAIT_S}, ${FIRST_WAIT_S} * power(2, least(tries, 20))))
        where id = ${id}`,
  );
}

/** It is gone. False where somebody else knew. */
export async function strikeLeft(tx: Db, id: number): Promise<boolean> {
  const gone = await rows(tx, sql`delete from removals_left where id = ${id} returning 1 as one`);
  return gone.length > 0;
}

/** A call of somebody who is being forgotten is gone, though it was not when it was asked for first. */
export async function strikeLeftCall(tx: Db, forgettingId: string, callId: string): Promise<void> {
  await rows(
    tx,
    sql`delete from removals_left where forgetting_id = ${forgettingId}::uuid and kind = 'platform_call' and what = ${callId}`,
  );
}

/** What is left of somebody's, the oldest first. */
export function listLeftOf(db: Db, forgettingId: string, limit: number): Promise<RemovalLeft[]> {
  return rows(
    db,
    sql`select ${LEFT.columns} from removals_left where forgetting_id = ${forgettingId}::uuid order by id limit ${limit}`,
    LEFT,
  );
}

/** Those that were asked for often, and why one of them is there. Undefined: there are none. */
export async function readStuckLeft(db: Db): Promise<{ n: number; what: string; error: string } | undefined> {
  const found = await firstRow<{ n: number; what: string; error: string }>(
    db,
    sql`select count(*) over ()::int as n, what, error from removals_left
        where tries >= ${STUCK_FROM} order by tries desc, id limit 1`,
  );
  return found && { ...found, what: path.posix.basename(found.what) };
}
