import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import {
  MOST_NAMED,
  waitingOf,
  type Certificate,
  type ForgettingState,
  type ToldElsewhere,
} from "../../domain/people/forgetting.ts";
import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { personMark } from "../ground/person-mark.ts";
import {
  document,
  flag,
  moment,
  number,
  optional,
  record,
  text,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, json } from "../ground/sql.ts";
import { listLeftOf } from "./removals-left.ts";

/* Requests to be forgotten, and how far each has come. */

const FORGETTING = record({
  id: text,
  /** What stands for the number. */
  person: text,
  lastDigits: text,
  /** Until it is done. */
  phone: optional(text),
  asHash: flag,
  state: word<ForgettingState>(),
  waitsFor: optional(text),
  reason: text,
  askedBy: text,
  askedAtMs: moment,
  nextAtMs: optional(moment),
  tries: number,
  removed: document<Record<string, number>>(),
  told: optional(document<ToldElsewhere>()),
  callCursor: number,
  certificate: optional(document<Certificate>()),
  doneAtMs: optional(moment),
});

export interface Forgetting extends RecordOf<typeof FORGETTING> {}

/**
 * Writes down that somebody is to be forgotten; from its commit on it is carried out. Where that is under way already it
 * stays as it is, but for the digest: who asks for that once gets it.
 */
export async function askForgetting(
  tx: Db,
  input: { phone: string; asHash: boolean; reason: string; actor: string; nowMs: number },
): Promise<Forgetting> {
  const { phone, asHash, reason, actor, nowMs } = input;
  const asked = await firstRow(
    tx,
    sql`insert into forgettings as f (id, person, last_digits, phone, as_hash, state, reason, asked_by, asked_at, next_at)
        values (${randomUUID()}::uuid, ${personMark(sql`${phone}`)}, ${phone.slice(-2)}, ${phone}, ${asHash}, 'settling',
          ${reason}, ${actor}, ${at(nowMs)}, ${at(nowMs)})
        on conflict (phone) where done_at is null do update set as_hash = f.as_hash or excluded.as_hash, next_at = excluded.next_at
        returning ${FORGETTING.columns}`,
    FORGETTING,
  );
  if (!asked) throw new Error("a request to be forgotten was written, and is not there");
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "person.forget",
    detail: { phone, forgetting: asked.id, reason, as_hash: asked.asHash },
  });
  return asked;
}

export function readForgetting(db: Db, id: string): Promise<Forgetting | undefined> {
  return firstRow(db, sql`select ${FORGETTING.columns} from forgettings where id = ${id}::uuid`, FORGETTING);
}

/** The same, and nobody changes it meanwhile. */
export function lockForgetting(tx: Db, id: string): Promise<Forgetting | undefined> {
  return firstRow(
    tx,
    sql`select ${FORGETTING.columns} from forgettings where id = ${id}::uuid for update`,
    FORGETTING,
  );
}

/** Newest first; `before`: behind this one. */
export function listForgettings(
  db: Db,
  page: { before: { askedAtMs: number; id: string } | undefined; limit: number },
): Promise<Forgetting[]> {
  const { before, limit } = page;
  return rows(
    db,
    sql`select ${FORGETTING.columns} from forgettings
        where ${before === undefined ? sql`true` : sql`(asked_at, id) < (${at(before.askedAtMs)}, ${before.id}::uuid)`}
        order by asked_at desc, id desc limit ${limit}`,
    FORGETTING,
  );
}

/** Those whose next step is due, the longest first. */
export function listDueForgettings(db: Db, nowMs: number, limit: number): Promise<Forgetting[]> {
  return rows(
    db,
    sql`select ${FORGETTING.columns} from forgettings where done_at is null and next_at <= ${at(nowMs)}
        order by next_at limit ${limit}`,
    FORGETTING,
  );
}

/** How it stands, and when it is looked at again. */
export async function noteForgetting(
  db: Db,
  id: string,
  how: { state: ForgettingState; waitsFor: string | undefined; tries: number; nextAtMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update forgettings set state = ${how.state}, waits_for = ${how.waitsFor ?? null}, tries = ${how.tries},
          next_at = ${at(how.nextAtMs)} where id = ${id}::uuid and done_at is null`,
  );
}

/** Nothing is under way any more: from now on things go. Who else was told is kept for the certificate, once. */
export async function beginRemoving(db: Db, id: string, told: ToldElsewhere): Promise<void> {
  await rows(
    db,
    sql`update forgettings set state = 'removing', waits_for = null, told = coalesce(told, ${json(told)})
        where id = ${id}::uuid and done_at is null`,
  );
}

/** Adds to what went, in the transaction in which it goes. */
export async function bookRemoved(
  tx: Db,
  id: string,
  removed: Readonly<Record<string, number>>,
  callCursor?: number,
): Promise<void> {
  const counts = Object.entries(removed).filter(([, n]) => n > 0);
  if (counts.length === 0 && callCursor === undefined) return;
  await rows(
    tx,
    sql`update forgettings f set call_cursor = greatest(call_cursor, ${callCursor ?? 0}::bigint),
          removed = f.removed || coalesce((select jsonb_object_agg(r.key, coalesce((f.removed ->> r.key)::int, 0) + r.value::int)
            from jsonb_each_text(${json(Object.fromEntries(counts))}) r), '{}')
        where id = ${id}::uuid`,
  );
}

/**
 * The certificate is made, and nothing of it has the number any more. It is done where nothing is left to be removed.
 */
export async function endForgetting(
  tx: Db,
  { id, phone }: { id: string; phone: string },
  without: Omit<Certificate, "waiting" | "complete_at">,
  nowMs: number,
): Promise<void> {
  const { state, ...how } = await completeness(tx, id, nowMs);
  const certificate: Certificate = { ...without, ...how };
  await rows(
    tx,
    sql`update forgettings set state = ${state}, phone = null, waits_for = null, next_at = null,
          certificate = ${json(certificate)}, done_at = ${at(nowMs)} where id = ${id}::uuid and done_at is null`,
  );
  await writeAudit(tx, {
    nowMs,
    actor: "engine",
    action: "person.forgotten",
    detail: { phone, forgetting: id, removed: certificate.removed, waiting: certificate.waiting.length },
  });
}

/** Says what went, and what is still waited for, as it is now: where a certificate was made already. */
export async function retellForgetting(tx: Db, id: string, nowMs: number): Promise<void> {
  const told = await lockForgetting(tx, id);
  if (told?.certificate === undefined) return;
  const { state, ...how } = await completeness(tx, id, nowMs);
  const certificate: Certificate = { ...told.certificate, removed: told.removed, ...how };
  await rows(
    tx,
    sql`update forgettings set state = ${state}, certificate = ${json(certificate)} where id = ${id}::uuid`,
  );
}

async function completeness(
  tx: Db,
  id: string,
  nowMs: number,
): Promise<Pick<Certificate, "waiting" | "complete_at"> & { state: ForgettingState }> {
  const left = await listLeftOf(tx, id, MOST_NAMED);
  if (left.length === 0) return { state: "done", waiting: [], complete_at: new Date(nowMs).toISOString() };
  return { state: "waiting", waiting: left.map(waitingOf), complete_at: null };
}
