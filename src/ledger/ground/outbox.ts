import { sql, type SQL } from "drizzle-orm";

import { traceToKeep } from "../../tracing/work.ts";
import { rows, type Db } from "./connection.ts";
import { at, json, listOf, ms } from "./sql.ts";

/*
 * What has to reach a workflow, or to be worked off, after the transaction that wrote it (I5).
 *
 * 1. A row is written in the transaction that makes it necessary. It stays until it was worked off, however often
 *    a process dies on the way.
 * 2. A claim moves its due time behind a lease: a process that dies with it in its hands gives it back by that.
 * 3. Each writing and each claim raises `turn`. Who worked a row off deletes it only where its turn is still the
 *    one that was claimed: what was written meanwhile is worked off once more.
 * 4. So each may be worked off more than once, at the same time even: whoever does it makes that harmless.
 *
 * Rows of the outbox are written last in a transaction, in the order of kind and subject. Whoever ends a call writes
 * that of its enrolment under the lock of its campaign: whoever has written the row of an enrolment takes no campaign's
 * lock any more. Where two transactions wait for each other all the same, the database ends one of them, and its
 * activity or its sender tries again.
 */

/**
 * `campaign`, `batch`, `automation`: make sure that its workflow runs, and wake it.
 * `follow_up`: the same of its own. `follow_up_due`: of one that was overdue.
 * `enrolment`: take its turn, and have its workflow try what that leaves. `enrolment_due`: the same of whoever wakes up.
 * `enrolment_bulk`: of thousands at once, as a list is.
 * `delivery`: act on what came through a trigger. `call_hint`: look at a call that a webhook named.
 * `schedule`: make sure that its workflow runs, and keep the platform's scheduler where that one keeps its time.
 * `schedule_run`, `key_rotation`: have it go on.
 */
export const OUTBOX_KINDS = [
  "campaign",
  "batch",
  "enrolment",
  "enrolment_due",
  "enrolment_bulk",
  "follow_up",
  "follow_up_due",
  "delivery",
  "call_hint",
  "schedule",
  "schedule_run",
  "key_rotation",
  "automation",
] as const;

export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export interface OutboxEntry {
  kind: OutboxKind;
  /** The id of the campaign, enrolment, follow-up, delivery or call. */
  subject: string;
  /** Unix milliseconds. */
  dueAtMs: number;
  /** The trace that has it worked off; null: none. Absent: the one of the work that writes it. */
  traceParent?: string | null | undefined;
}

/** A row in the hands of whoever claimed it. */
export interface Claimed {
  id: number;
  kind: OutboxKind;
  subject: string;
  turn: number;
  /** How often it failed so far. */
  tries: number;
  /** Since when it was to be worked off. */
  sinceMs: number;
  /** Of a delivery: how many people it is about, as far as somebody has looked. */
  people?: number;
  /** The trace that it was last written in. */
  traceParent?: string;
}

/**
 * Has something worked off. What waits already is due again, at the earlier of both times. What deliveries tell of one
 * person is done in the order in which they stand here (delivery-order.ts).
 */
export async function putOutbox(tx: Db, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const current = traceToKeep();
  const due = entries.map(({ kind, subject, dueAtMs, traceParent = current }) => ({
    kind,
    subject,
    due: new Date(dueAtMs).toISOString(),
    trace: traceParent,
  }));
  await rows(
    tx,
    sql`insert into outbox as o (kind, subject, due_at, created_at, trace_parent)
        select r.kind, r.subject, min(r.due), min(r.due), min(r.trace)
        from rows from (jsonb_to_recordset(${json(due)}) as (kind text, subject text, due timestamptz, trace text))
          with ordinality as r(kind, subject, due, trace, nth)
        group by r.kind, r.subject
        order by r.kind, case when r.kind = 'delivery' then min(r.nth) end, r.subject
        on conflict on constraint outbox_once do update
          set turn = o.turn + 1, due_at = least(o.due_at, excluded.due_at),
              trace_parent = coalesce(excluded.trace_parent, o.trace_parent)`,
  );
}

/** Has all enrolments that a query gives, as `subject`, looked at: however many, none of them comes here. */
export async function putEnrolmentsOf(tx: Db, subjects: SQL, dueAtMs: number): Promise<void> {
  await rows(
    tx,
    sql`insert into outbox as o (kind, subject, due_at, created_at)
        select 'enrolment_bulk', f.subject, ${at(dueAtMs)}, ${at(dueAtMs)} from (${subjects}) as f order by f.subject
        on conflict on constraint outbox_once do update
          set turn = o.turn + 1, due_at = least(o.due_at, excluded.due_at)`,
  );
}

/** A contact that came to its end in this transaction. */
export interface EndedContact {
  /** Of a call that an enrolment placed; null: of nobody's. */
  enrolment_id: string | null;
}
/** So few are no list. */
const FEW = 50;

/**
 * Has enrolments look whose calls came to their end in this transaction: whoever ends contacts does this with all of
 * them (I3). Many are a list: whoever a trigger enrolls does not wait behind all of them.
 *
 * @returns how many were told.
 */
export async function tellEnded(tx: Db, ended: readonly EndedContact[], nowMs: number): Promise<number> {
  const ids = ended.flatMap(({ enrolment_id: id }) => id ?? []);
  const kind = ids.length > FEW ? "enrolment_bulk" : "enrolment";
  await putOutbox(
    tx,
    ids.map((subject) => ({ kind, subject, dueAtMs: nowMs })),
  );
  return ids.length;
}

/** Which kinds have rows that are due: a probe of an index each, however many there are. */
export async function dueKinds(db: Db, nowMs: number): Promise<OutboxKind[]> {
  const found = await rows<{ kind: OutboxKind }>(
    db,
    sql`select k.kind from ${listOf(OUTBOX_KINDS, "text")} as k(kind)
        where exists (select 1 from outbox o where o.kind = k.kind and o.due_at <= ${at(nowMs)})`,
  );
  return found.map((row) => row.kind);
}

/** Takes the rows that have been due for longest, for as long as the lease says. Those in other hands are passed over. */
export async function claimOutbox(
  db: Db,
  input: { kinds: readonly OutboxKind[]; limit: number; leaseMs: number; nowMs: number },
): Promise<Claimed[]> {
  return claimRows(
    db,
    sql`select o.id from ${listOf(input.kinds, "text")} as k(kind) cross join lateral (
          select id, due_at from outbox where kind = k.kind and due_at <= ${at(input.nowMs)}
          order by due_at, id limit ${input.limit} for update skip locked) o
        order by o.due_at, o.id limit ${input.limit}`,
    input,
  );
}

/** Takes the rows that a query names by their ids, as far as they are still due. */
export async function claimRows(
  db: Db,
  due: SQL,
  input: { leaseMs: number; nowMs: number },
): Promise<Claimed[]> {
  const found = await rows<
    Omit<Claimed, "sinceMs" | "people" | "traceParent"> & {
      since_ms: number;
      people: number | null;
      trace_parent: string | null;
    }
  >(
    db,
    sql`with due as (${due})
        update outbox o set due_at = ${at(input.nowMs + input.leaseMs)}, turn = o.turn + 1
        from due where o.id = due.id and o.due_at <= ${at(input.nowMs)}
        returning o.id, o.kind, o.subject, o.turn, o.tries, o.people, ${ms(sql`o.created_at`)} as since_ms, o.trace_parent`,
  );
  return found.map(({ since_ms: sinceMs, people, trace_parent: traceParent, ...row }) => ({
    ...row,
    sinceMs,
    ...(people !== null && { people }),
    ...(traceParent !== null && { traceParent }),
  }));
}

/** Keeps rows in hand for as long again. One that somebody else has taken meanwhile stays theirs. */
export async function renewOutbox(
  db: Db,
  claimed: readonly Pick<Claimed, "id" | "turn">[],
  input: { leaseMs: number; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update outbox o set due_at = ${at(input.nowMs + input.leaseMs)}
        from jsonb_to_recordset(${json(claimed.map(({ id, turn }) => ({ id, turn })))}) as r(id bigint, turn int)
        where o.id = r.id and o.turn = r.turn`,
  );
}

/** It was worked off. One that was written again meanwhile stays, and is due at once. */
export async function finishOutbox(
  db: Db,
  claimed: Pick<Claimed, "id" | "turn">,
  nowMs: number,
): Promise<void> {
  await rows(
    db,
    sql`with gone as (
          delete from outbox where id = ${claimed.id} and turn = ${claimed.turn} returning id
        ), forgotten as (
          delete from delivery_people where place in (select id from gone)
        )
        update outbox set due_at = least(due_at, ${at(nowMs)}), tries = 0, last_error = null
        where id = ${claimed.id} and not exists (select 1 from gone)`,
  );
}

/** It is to be worked off again later, without anything having failed. What was written meanwhile is due at once. */
export async function postponeOutbox(
  db: Db,
  claimed: Pick<Claimed, "id" | "turn">,
  input: { untilMs: number; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update outbox set due_at = case when turn = ${claimed.turn} then ${at(input.untilMs)} else ${at(input.nowMs)} end,
            tries = 0, last_error = null
        where id = ${claimed.id}`,
  );
}

/** Of a failure's text; it is for people to read. */
const LONGEST_ERROR = 500;

/** It could not be worked off; it is due again later. `counts`: the row was at fault, and not a port that is away. */
export async function failOutbox(
  db: Db,
  claimed: Pick<Claimed, "id" | "turn">,
  input: { error: string; untilMs: number; counts: boolean; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update outbox set
            due_at = case when turn = ${claimed.turn} then ${at(input.untilMs)}
                          else least(${at(input.untilMs)}, ${at(input.nowMs + SOON_MS)}) end,
            tries = tries + ${input.counts ? 1 : 0}, last_error = ${input.error.slice(0, LONGEST_ERROR)}
        where id = ${claimed.id}`,
  );
}

/** A row that keeps failing is not tried again in the same breath, whoever wrote it anew. */
const SOON_MS = 1_000;

export interface OutboxCount {
  kind: OutboxKind;
  waiting: number;
  /** Those that failed at least once. */
  failing: number;
  /** Since when the oldest of them was to be worked off. Unix milliseconds. */
  oldestMs: number;
}

/** What waits to be handed on, by kind. */
export async function countOutbox(db: Db): Promise<OutboxCount[]> {
  const found = await rows<{ kind: OutboxKind; waiting: number; failing: number; oldest_ms: number }>(
    db,
    sql`select kind, count(*)::int as waiting, (count(*) filter (where tries > 0))::int as failing,
               ${ms(sql`min(created_at)`)} as oldest_ms
        from outbox group by kind order by kind`,
  );
  return found.map(({ oldest_ms: oldestMs, ...row }) => ({ ...row, oldestMs }));
}
