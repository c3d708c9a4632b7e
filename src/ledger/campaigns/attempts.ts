import { sql } from "drizzle-orm";

import type { UnendedAttempt } from "../../domain/campaigns/findings.ts";
import type { Sealed } from "../../domain/ground/sealed.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, listOf, ms } from "../ground/sql.ts";

interface UnendedRow {
  phone: string;
  item_id: string | null;
  call_id: string | null;
  state: "open" | "provisional";
  ended_ms: number | null;
  planned_ms: number;
  attempt_no: number;
  seen_dialed: boolean;
  refusals: number;
  item_status: string | null;
  error_text: string | null;
  asked_ms: number | null;
  silent_since_ms: number | null;
}

/**
 * An attempt of which nothing that the platform ever showed says that it was dialed. Settling keeps an item's word only
 * where it is such a sign (findings.ts).
 */
export const SHOWS_NO_DIAL = sql`call_id is null and started_at is null and item_status is null and not sign_unkept`;

/** Attempts of a batch that have no final outcome yet: 100 at most. */
export async function listUnended(db: Db, batchId: string): Promise<UnendedAttempt[]> {
  const found = await rows<UnendedRow>(
    db,
    sql`select phone, item_id, call_id, state, ${ms(sql`ended_at`)} as ended_ms, ${ms(sql`planned_at`)} as planned_ms,
          attempt_no, not (${SHOWS_NO_DIAL}) as seen_dialed, item_status, error_text, ${ms(sql`call_asked_at`)} as asked_ms,
          ${ms(sql`call_silent_since`)} as silent_since_ms,
          (select coalesce(max(c.refusals), 0)::int from contacts c where c.id = contact_id) as refusals
        from attempts where batch_id = ${batchId}::uuid and state in ('open', 'provisional') order by phone`,
  );
  return found.map((row) => ({
    phone: row.phone,
    itemId: row.item_id ?? undefined,
    callId: row.call_id ?? undefined,
    state: row.state,
    endedAtMs: row.ended_ms ?? undefined,
    plannedAtMs: row.planned_ms,
    attemptNo: row.attempt_no,
    seenDialed: row.seen_dialed,
    refusals: row.refusals,
    told:
      row.item_status === null
        ? undefined
        : { status: row.item_status, errorText: row.error_text ?? undefined },
    askedAtMs: row.asked_ms ?? undefined,
    silentSinceMs: row.silent_since_ms ?? undefined,
  }));
}

/**
 * Notes whose calls were asked for by themselves, and of whom there was no answer. A row that somebody else is writing
 * is passed over: nobody waits for a mark that only says who is next.
 */
export async function noteCallsAsked(
  db: Db,
  input: { batchId: string; answered: readonly string[]; silent: readonly string[]; nowMs: number },
): Promise<void> {
  const { batchId, answered, silent, nowMs } = input;
  await rows(
    db,
    sql`update attempts a
        set call_asked_at = ${at(nowMs)},
            call_silent_since = case when asked.is_silent then coalesce(a.call_silent_since, ${at(nowMs)}) end
        from (select id, phone in ${listOf(silent, "text")} as is_silent from attempts
              where batch_id = ${batchId}::uuid and state in ('open', 'provisional')
                and phone in ${listOf([...answered, ...silent], "text")}
              for update skip locked) asked
        where a.id = asked.id`,
  );
}

/** How many attempts of batches may still ring. */
export async function countOpenIn(db: Db, batchIds: readonly string[]): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from attempts where batch_id in ${listOf(batchIds, "uuid")} and state = 'open'`,
  );
  return found?.n ?? 0;
}

/** Whether the ledger holds a sign of a dial of anybody of a batch. */
export async function holdsAnyDial(db: Db, batchId: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one from attempts
        where batch_id = ${batchId}::uuid and (state in ('provisional', 'ended') or not (${SHOWS_NO_DIAL})) limit 1`,
  );
  return found.length > 0;
}

/** A contact as a batch carries it to the platform. */
export interface DialedContact {
  id: number;
  phone: string;
  variables: Record<string, string>;
  /** Those that are sealed; null: none is. */
  sealed: Sealed | null;
  /** Of one that was placed: the trace that placed it. */
  trace_parent: string | null;
}

/** The contacts of a batch's open attempts in the order in which they are to be called, with their variables. */
export function listDialedContacts(db: Db, batchId: string): Promise<DialedContact[]> {
  return rows<DialedContact>(
    db,
    sql`select c.id, a.phone, c.variables, c.trace_parent,
          case when c.sealed is not null then jsonb_build_object('with', c.sealed_with, 'values', c.sealed) end as sealed
        from attempts a join contacts c on c.id = a.contact_id join lanes l on l.id = c.lane_id
          join campaigns k on k.id = a.campaign_id
        where a.batch_id = ${batchId}::uuid and a.state = 'open'
        order by l.priority desc, c.attempts = 0,
          case when c.attempts = 0 and k.spec ->> 'order' = 'newest_first' then -c.id else c.id end`,
  );
}

/** Makes the caller the campaign's only follower: every earlier token is void from here on. */
export async function takeFollowFence(db: Db, campaignId: string): Promise<number | undefined> {
  const row = await firstRow<{ fence: number }>(
    db,
    sql`update campaigns set follow_fence = follow_fence + 1 where id = ${campaignId}::uuid returning follow_fence as fence`,
  );
  return row?.fence;
}
