import { sql, type SQL } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { OUTBOX_KINDS, putOutbox, type OutboxEntry } from "../ground/outbox.ts";
import { from, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, listOf, ms } from "../ground/sql.ts";

/*
 * What should have come to its end, or moved on, and has not. Each of these is found by what stands in the ledger
 * alone; who is asked then (the platform, a workflow) is the sweeper's business.
 */

const OVERDUE_ATTEMPT = record(
  {
    id: number,
    batchId: text,
    campaignId: text,
    phone: text,
    callId: optional(text),
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
 * Attempts whose call is up for longer than any call is, or waits for its processing for longer than anybody
 * waits. Walks the batches that are not settled, which an index holds.
 *
 * @param input.unseenBeforeMs for calls whose beginning nobody told: batches that were started before it.
 */
export function listOverdueAttempts(
  db: Db,
  input: { upBeforeMs: number; unseenBeforeMs: number; processingBeforeMs: number; limit: number },
): Promise<OverdueAttempt[]> {
  return rows(
    db,
    sql`select ${OVERDUE_ATTEMPT.columns}
        from batches b join attempts a on a.batch_id = b.id
        where b.state <> 'settled' and (
          (a.state = 'open' and a.started_at < ${at(input.upBeforeMs)})
          or (a.state = 'open' and a.started_at is null and a.call_id is not null and b.start_sent_at < ${at(input.unseenBeforeMs)})
          or (a.state = 'provisional' and a.ended_at < ${at(input.processingBeforeMs)}))
        order by a.id limit ${input.limit}`,
    OVERDUE_ATTEMPT,
  );
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

/** Follow-ups that wait beyond their bound, or act without an action that will be tried again. */
export async function listLateFollowUps(
  db: Db,
  input: { beforeMs: number; limit: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select f.id from follow_ups f
        where f.ended_at is null and f.created_at < ${at(input.beforeMs)} and (
          (f.state = 'waiting' and f.wait_until < ${at(input.beforeMs)})
          or (f.state = 'acting' and not exists (
            select 1 from actions a where a.follow_up_id = f.id and a.state = 'due'
              and greatest(a.next_try_at, a.sent_at) >= ${at(input.beforeMs)})))
        order by f.created_at, f.id limit ${input.limit}`,
  );
  return found.map((row) => row.id);
}

/** Enrolments whose action should have been tried, or told of, long ago: its worker is gone. */
export async function listLateActors(db: Db, input: { beforeMs: number; limit: number }): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select distinct a.enrolment_id as id from actions a join enrolments e on e.id = a.enrolment_id
        where a.state = 'due' and e.state = 'active' and not e.paused and not e.parked
          and greatest(a.created_at, a.next_try_at, a.sent_at) < ${at(input.beforeMs)}
        limit ${input.limit}`,
  );
  return found.map((row) => row.id);
}

/** Where a walk over the open ones of a table stands. */
export interface Cursor {
  createdAtMs: number;
  id: string;
}

export const FROM_THE_START: Cursor = { createdAtMs: 0, id: "00000000-0000-0000-0000-000000000000" };

export interface ActiveEnrolment extends Cursor {
  /** Its time came before the bound, or what it waits for was over or gone then, and it has not moved on. */
  late: boolean;
  /** Since when it could have moved on; undefined where it can't. Unix milliseconds. */
  lateSinceMs: number | undefined;
  /** The outbox has it to be started or woken. */
  inOutbox: boolean;
}

/** Open enrolments of one sequence, by age; go on behind the last one. An index holds exactly these, in this order. */
export function pageActiveEnrolments(
  db: Db,
  input: { sequenceId: string; after: Cursor; lateBeforeMs: number; limit: number },
): Promise<ActiveEnrolment[]> {
  return readActive(db, input.lateBeforeMs, {
    condition: sql`sequence_id = ${input.sequenceId}::uuid
      and (created_at, id) > (${at(input.after.createdAtMs)}, ${input.after.id}::uuid)`,
    limit: input.limit,
  });
}

/** The same of these enrolments, as far as they are open. */
export function readActiveEnrolments(
  db: Db,
  input: { ids: readonly string[]; lateBeforeMs: number },
): Promise<ActiveEnrolment[]> {
  return readActive(db, input.lateBeforeMs, {
    condition: sql`id in ${listOf(input.ids, "uuid")}`,
    limit: input.ids.length,
  });
}

async function readActive(
  db: Db,
  lateBeforeMs: number,
  page: { condition: SQL; limit: number },
): Promise<ActiveEnrolment[]> {
  const found = await rows<{ id: string; created_ms: number; late_ms: number | null; in_outbox: boolean }>(
    db,
    sql`with page as (
          select id, created_at, paused, parked, wake_at, started_at, waits_call, waits_action from enrolments
          where ${page.condition} and state = 'active'
          order by created_at, id limit ${page.limit}
        )
        select p.id, ${ms(sql`p.created_at`)} as created_ms,
          case when not p.paused and not p.parked then ${ms(sql`least(p.wake_at, c.ended_at, a.ended_at,
            case when p.waits_call is not null and c.id is null then coalesce(p.started_at, p.created_at) end)`)}
          end as late_ms,
          exists (select 1 from outbox o where o.kind in ('enrolment', 'enrolment_bulk') and o.subject = p.id::text) as in_outbox
        from page p
        left join contacts c on c.placement = p.waits_call
        left join actions a on a.id = p.waits_action
        order by p.created_at, p.id`,
  );
  return found.map((row) => ({
    id: row.id,
    createdAtMs: row.created_ms,
    late: row.late_ms !== null && row.late_ms < lateBeforeMs,
    lateSinceMs: row.late_ms ?? undefined,
    inOutbox: row.in_outbox,
  }));
}

export interface OpenFollowUp extends Cursor {
  inOutbox: boolean;
}

/** Open follow-ups by age; go on behind the last one. */
export async function pageOpenFollowUps(
  db: Db,
  input: { after: Cursor; limit: number },
): Promise<OpenFollowUp[]> {
  const found = await rows<{ id: string; created_ms: number; in_outbox: boolean }>(
    db,
    sql`select f.id, ${ms(sql`f.created_at`)} as created_ms,
          exists (select 1 from outbox o where o.kind = 'follow_up' and o.subject = f.id::text) as in_outbox
        from follow_ups f
        where f.ended_at is null and (f.created_at, f.id) > (${at(input.after.createdAtMs)}, ${input.after.id}::uuid)
        order by f.created_at, f.id limit ${input.limit}`,
  );
  return found.map((row) => ({ id: row.id, createdAtMs: row.created_ms, inOutbox: row.in_outbox }));
}

/** Every sequence, whatever its state: those in it go on. */
export async function listSequenceIds(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(db, sql`select id from sequences order by id`);
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

/** Has these looked at again, in one statement. */
export function putAgain(
  db: Db,
  kind: OutboxEntry["kind"],
  subjects: readonly string[],
  nowMs: number,
): Promise<void> {
  return putOutbox(
    db,
    subjects.map((subject) => ({ kind, subject, dueAtMs: nowMs })),
  );
}

/**
 * Has every open enrolment and follow-up started again: what Temporal's data held is gone. A thousand a statement.
 *
 * @returns how many.
 */
export async function putAllAgain(db: Db, nowMs: number): Promise<number> {
  let count = 0;
  for (const sequenceId of await listSequenceIds(db)) {
    for (let after = FROM_THE_START; ;) {
      const page = await pageActiveEnrolments(db, { sequenceId, after, lateBeforeMs: nowMs, limit: PAGE });
      const last = page.at(-1);
      if (!last) break;
      after = last;
      count += page.length;
      // Whose time has come goes first.
      const inOrder = [...page.filter((one) => one.late), ...page.filter((one) => !one.late)];
      await putAgain(
        db,
        "enrolment_bulk",
        inOrder.map((one) => one.id),
        nowMs,
      );
    }
  }
  for (let after = FROM_THE_START; ;) {
    const page = await pageOpenFollowUps(db, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return count;
    after = last;
    // At the pace of a list: theirs is the lane of what came just now.
    const ids = page.map((one, index) => ({
      kind: "follow_up" as const,
      subject: one.id,
      dueAtMs: nowMs + (count + index) * FOLLOW_UP_EVERY_MS,
    }));
    await putOutbox(db, ids);
    count += page.length;
  }
}

const PAGE = 1_000;

/** Between two follow-ups that are started again. */
const FOLLOW_UP_EVERY_MS = 50;
