import { sql } from "drizzle-orm";

import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { moment, number, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * Calls that the platform's webhooks named. A hint says that there may be something to see of a call, and nothing
 * else (I4): it is kept, with its newest time, so that whoever meets the call later knows that it was hinted at.
 */

export type HintState = "open" | "ours" | "inbound" | "foreign";

const CALL_HINT = record({
  callId: text,
  firstAtMs: moment,
  lastAtMs: moment,
  times: number,
  state: word<HintState>(),
  /** Requests that were spent on finding out whose call it is. */
  looks: number,
});

export interface CallHint extends RecordOf<typeof CALL_HINT> {}

/** Writes hints down and has each of their calls looked at. */
export async function noteCallHints(
  tx: Db,
  input: { callIds: readonly string[]; nowMs: number },
): Promise<void> {
  const callIds = [...new Set(input.callIds)].sort();
  if (callIds.length === 0) return;
  await rows(
    tx,
    sql`insert into call_hints as h (call_id, first_at, last_at, state)
        select r.id, ${at(input.nowMs)}, ${at(input.nowMs)}, 'open'
        from jsonb_array_elements_text(${json(callIds)}) as r(id) order by r.id
        on conflict (call_id) do update set times = h.times + 1, last_at = greatest(h.last_at, excluded.last_at)`,
  );
  await putOutbox(
    tx,
    callIds.map((callId) => ({ kind: "call_hint", subject: callId, dueAtMs: input.nowMs })),
  );
}

export function readCallHint(db: Db, callId: string): Promise<CallHint | undefined> {
  return firstRow(db, sql`select ${CALL_HINT.columns} from call_hints where call_id = ${callId}`, CALL_HINT);
}

/** Says whose call it is. */
export async function markCallHint(db: Db, callId: string, state: HintState): Promise<void> {
  await rows(db, sql`update call_hints set state = ${state} where call_id = ${callId} and state <> ${state}`);
}

/** A look at the platform was spent on it. */
export async function countLook(db: Db, callId: string): Promise<void> {
  await rows(db, sql`update call_hints set looks = looks + 1 where call_id = ${callId}`);
}

/** The batch whose attempt came to this call, by the index of calls. */
export async function findAttemptOfCall(
  db: Db,
  callId: string,
): Promise<{ batchId: string; isOver: boolean } | undefined> {
  return firstRow<{ batchId: string; isOver: boolean }>(
    db,
    sql`select batch_id as "batchId", state not in ('open', 'provisional') as "isOver"
        from attempts where call_id = ${callId} order by id desc limit 1`,
  );
}

/** Batches that are dialing a number, or have dialed it, and wait for its call. */
export async function findBatchesAwaitingCall(db: Db, phones: readonly string[]): Promise<string[]> {
  const found = await rows<{ batch_id: string }>(
    db,
    sql`select batch_id from attempts
        where phone in ${listOf(phones, "text")} and state = 'open' and call_id is null
        union
        select batch_id from attempts
        where phone in ${listOf(phones, "text")} and state = 'provisional' and call_id is null`,
  );
  return found.map((row) => row.batch_id);
}

/** Tells the follow-up of a call that there is something to see, and has its workflow woken up. */
export async function hintFollowUps(
  tx: Db,
  input: { callId: string; hintedAtMs: number; nowMs: number },
): Promise<number> {
  const found = await rows<{ id: string }>(
    tx,
    sql`update follow_ups set hinted_at = greatest(hinted_at, ${at(input.hintedAtMs)})
        where call_id = ${input.callId} and ended_at is null
          and (hinted_at is null or hinted_at < ${at(input.hintedAtMs)})
        returning id`,
  );
  await putOutbox(
    tx,
    found.map(({ id }) => ({ kind: "follow_up", subject: id, dueAtMs: input.nowMs })),
  );
  return found.length;
}

/** A call is settled, processed and followed up well within this. */
const KEPT_MS = 30 * 86_400_000;
const PRUNED_AT_ONCE = 1_000;
const PRUNES_A_PASS = 20;

/** Forgets hints that are 30 days old. A call that is hinted at later still is looked at as a new one. */
export async function pruneCallHints(ledger: Ledger, nowMs: number): Promise<number> {
  let pruned = 0;
  for (let pass = 0; pass < PRUNES_A_PASS; pass += 1) {
    const { length } = await rows(
      ledger.db,
      sql`delete from call_hints where call_id in
            (select call_id from call_hints where last_at < ${at(nowMs - KEPT_MS)} order by last_at limit ${PRUNED_AT_ONCE})
          returning 1 as one`,
    );
    pruned += length;
    if (length < PRUNED_AT_ONCE) break;
  }
  return pruned;
}
