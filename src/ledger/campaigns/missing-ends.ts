import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { OUTBOX_KINDS } from "../ground/outbox.ts";
import { from, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * What should have come to its end and has not. Each of these is found by what stands in the ledger alone; who is asked
 * then is the sweeper's business.
 */

const OVERDUE_ATTEMPT = record(
  {
    id: number,
    batchId: text,
    campaignId: text,
    phone: text,
    callId: optional(text),
    itemId: optional(text),
    itemStatus: optional(text),
    errorText: optional(text),
    attemptNo: number,
    /** open: its call seems to be up. provisional: it is over and waits to be processed. */
    state: word<"open" | "provisional">(),
    plannedAtMs: moment,
    /** Since when: the call is up, or over. */
    sinceMs: from(
      "case when a.state = 'provisional' then a.ended_at else coalesce(a.started_at, b.start_sent_at) end",
      moment,
    ),
  },
  "a",
);

export interface OverdueAttempt extends RecordOf<typeof OVERDUE_ATTEMPT> {}

/**
 * Attempts whose call is up for longer than any call is, or waits for its processing for longer than its campaign does.
 * Walks the batches that are not settled, which an index holds. Each kind has its own limit, so that none hides the other.
 *
 * @param input.unseenBeforeMs for calls whose beginning nobody told: batches that were started before it.
 * @param input.processingBeforeMs by the id of the campaign: calls that are over since before it.
 */
export async function listOverdueAttempts(
  db: Db,
  input: {
    upBeforeMs: number;
    unseenBeforeMs: number;
    processingBeforeMs: ReadonlyMap<string, number>;
    limit: number;
  },
): Promise<OverdueAttempt[]> {
  const up = await rows(
    db,
    sql`select ${OVERDUE_ATTEMPT.columns}
        from batches b join attempts a on a.batch_id = b.id
        where b.state <> 'settled' and a.state = 'open' and (
          a.started_at < ${at(input.upBeforeMs)}
          or (a.started_at is null and a.call_id is not null and b.start_sent_at < ${at(input.unseenBeforeMs)}))
        order by a.id limit ${input.limit}`,
    OVERDUE_ATTEMPT,
  );
  const waits = [...input.processingBeforeMs].map(([id, beforeMs]) => ({ id, before: new Date(beforeMs) }));
  if (waits.length === 0) return up;
  const processing = await rows(
    db,
    sql`select ${OVERDUE_ATTEMPT.columns}
        from jsonb_to_recordset(${json(waits)}) as w(id uuid, before timestamptz)
        join batches b on b.campaign_id = w.id join attempts a on a.batch_id = b.id
        where b.state <> 'settled' and a.state = 'provisional' and a.ended_at < w.before
        order by a.id limit ${input.limit}`,
    OVERDUE_ATTEMPT,
  );
  return [...up, ...processing];
}

/** Campaigns some of whose calls are over since before a moment, and wait to be processed. */
export async function listProcessingCampaigns(db: Db, beforeMs: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select distinct b.campaign_id as id from batches b
        where b.state <> 'settled' and exists (
          select 1 from attempts a
          where a.batch_id = b.id and a.state = 'provisional' and a.ended_at < ${at(beforeMs)})`,
  );
  return found.map(({ id }) => id);
}

/** Which of these attempts are still neither ended nor given back. */
export async function stillUnended(db: Db, attemptIds: readonly number[]): Promise<Set<number>> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id::float8 as id from attempts
        where id in ${listOf(attemptIds, "bigint")} and state in ('open', 'provisional')`,
  );
  return new Set(found.map((row) => row.id));
}

/** Batches under way of which nothing was seen or written since a moment, those that are silent for longest first. */
export async function listSilentBatches(
  db: Db,
  input: { beforeMs: number; limit: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select b.id from batches b
        cross join lateral (
          select greatest(b.planned_at, b.created_at, b.start_sent_at, b.start_seen_at, b.stop_requested_at,
            b.terminal_seen_at, b.vanished_at, b.first_read_at,
            max(greatest(a.planned_at, a.started_at, a.ended_at, a.settled_at))) as at
          from attempts a where a.batch_id = b.id) last
        where b.state <> 'settled' and coalesce(last.at, b.planned_at) < ${at(input.beforeMs)}
        order by last.at, b.id limit ${input.limit}`,
  );
  return found.map((row) => row.id);
}

/**
 * Deliveries that were acknowledged and not worked off, and that the outbox lost. Within a day of their receipt:
 * the outbox holds them until then, and this is for what nobody thought of.
 */
export async function listLateDeliveries(
  db: Db,
  input: { beforeMs: number; nowMs: number; limit: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select d.id from deliveries d
        where d.received_at between ${at(input.nowMs - DAY_MS)} and ${at(input.beforeMs)} and d.state = 'received'
          and not exists (select 1 from outbox o where o.kind = 'delivery' and o.subject = d.id::text)
        order by d.received_at limit ${input.limit}`,
  );
  return found.map((row) => row.id);
}

const DAY_MS = 24 * 60 * 60_000;

/** Rows of the outbox that are due for long; lists are long by themselves, and are left out. */
export async function countLateOutbox(db: Db, beforeMs: number): Promise<number> {
  const kinds = OUTBOX_KINDS.filter((kind) => kind !== "enrolment_bulk");
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from outbox
        where kind in ${listOf(kinds, "text")} and created_at < ${at(beforeMs)} and due_at < ${at(beforeMs)}`,
  );
  return row?.n ?? 0;
}
