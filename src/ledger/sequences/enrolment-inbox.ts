import { sql, type SQL } from "drizzle-orm";

import { asksForEvent } from "../../domain/sequences/definition.ts";
import { rows, type Db } from "../ground/connection.ts";
import { digestOf } from "../ground/digest.ts";
import type { HeldPosition } from "./enrolments.ts";
import { document, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json } from "../ground/sql.ts";
import { putOutbox, type OutboxEntry } from "../ground/outbox.ts";
import { readDefinition } from "./sequences.ts";

/*
 * What enrolments are told: events, and what people want of them. Every row is written under the row lock of its
 * enrolment, which its turns hold, too: ids stand in the order in which turns see them.
 */

export type InboxKind = "event" | "pause" | "resume" | "exit" | "skip" | "move";

const INBOX_ROW = record({
  id: number,
  kind: word<InboxKind>(),
  /** Of an event. */
  name: optional(text),
  data: document<Record<string, unknown>>(),
  actor: text,
  atMs: moment,
});

export interface InboxRow extends RecordOf<typeof INBOX_ROW> {}

/** What a turn takes in at most; the rest is for the next one. */
export const INBOX_PAGE = 200;

/** What came since, in order. */
export function readInbox(db: Db, enrolmentId: string, afterId: number): Promise<InboxRow[]> {
  return readRows(db, sql`enrolment_id = ${enrolmentId}::uuid and id > ${afterId}`, INBOX_PAGE);
}

function readRows(db: Db, condition: SQL, limit: number): Promise<InboxRow[]> {
  return rows(
    db,
    sql`select ${INBOX_ROW.columns} from enrolment_inbox where ${condition} order by id limit ${limit}`,
    INBOX_ROW,
  );
}

/** The first word, if there is one, that takes somebody out: of one who rests nothing else is taken in. */
export async function readExit(db: Db, enrolmentId: string, afterId: number): Promise<InboxRow | undefined> {
  const [exit] = await readRows(
    db,
    sql`enrolment_id = ${enrolmentId}::uuid and id > ${afterId} and kind = 'exit'`,
    1,
  );
  return exit;
}

export interface EnrolmentEvent {
  name: string;
  data: Record<string, unknown>;
  /** The same again is taken in once. */
  requestKey: string;
  /** When it happened. Unix milliseconds. */
  at: number;
}

export interface TellInput {
  /** Undefined: of every brand. */
  brand: string | undefined;
  /** E.164. */
  phone: string;
  /** Undefined: every sequence that the person is in. */
  sequenceName?: string | undefined;
  event: EnrolmentEvent;
  actor?: string;
}

/**
 * Puts an event into the inbox of every open enrolment of a person. Safe to repeat: the same request key is taken
 * in once by each.
 *
 * @returns how many have it now, and how many of those are in a sequence that asks for such an event.
 */
export async function tellEnrolments(tx: Db, input: TellInput): Promise<{ told: number; heard: number }> {
  const { event } = input;
  const enrolments = await lockEnrolments(
    tx,
    sql`e.phone = ${input.phone} and e.state = 'active'
        and e.sequence_id in (select s.id from sequences s
          where (${input.brand ?? null}::text is null or s.brand = ${input.brand ?? null}::text)
          and (${input.sequenceName ?? null}::text is null or s.name = ${input.sequenceName ?? null}::text))`,
  );
  const ids = enrolments.map(({ id }) => id);
  const fresh = await write(tx, ids, {
    kind: "event",
    name: event.name,
    data: event.data,
    requestKey: event.requestKey,
    actor: input.actor ?? "event",
    atMs: event.at,
  });
  await putOutbox(tx, lookAt(fresh, event.at));
  let heard = 0;
  for (const { sequenceId, version } of enrolments) {
    // Of versions in use, which are kept parsed.
    if (asksForEvent(await readDefinition(tx, sequenceId, version), event.name)) heard += 1;
  }
  return { told: ids.length, heard };
}

type ToldBefore = Pick<InboxEntry, "kind" | "data"> & { name: string | null };

function isSame(
  before: ToldBefore,
  { kind, name, data }: Pick<InboxEntry, "kind" | "name" | "data">,
): boolean {
  return digestOf({ ...before, name: before.name ?? null }) === digestOf({ kind, name: name ?? null, data });
}

/**
 * How many enrolments of a person in a sequence were told an event under this key, those that are over included:
 * whoever asks to tell them again is answered as before, and nobody who came later hears it.
 *
 * @returns undefined where they were told something else under it.
 */
export async function countTold(
  db: Db,
  input: { sequenceId: string; phone: string; event: Pick<EnrolmentEvent, "name" | "data" | "requestKey"> },
): Promise<number | undefined> {
  const { name, data, requestKey } = input.event;
  const found = await rows<ToldBefore>(
    db,
    sql`select i.kind, i.name, i.data from enrolments e join enrolment_inbox i on i.enrolment_id = e.id
        where e.phone = ${input.phone} and e.sequence_id = ${input.sequenceId}::uuid
          and i.request_key = ${requestKey}`,
  );
  return found.every((before) => isSame(before, { kind: "event", name, data })) ? found.length : undefined;
}

export interface InboxEntry {
  kind: InboxKind;
  name?: string;
  data: Record<string, unknown>;
  requestKey: string;
  actor: string;
  atMs: number;
}

/** Has the relay make these enrolments look into their inboxes. */
export function lookAt(
  enrolmentIds: readonly string[],
  dueAtMs: number,
  kind: "enrolment" | "enrolment_bulk" = "enrolment",
): OutboxEntry[] {
  return enrolmentIds.map((subject) => ({ kind, subject, dueAtMs }));
}

/**
 * Puts a command or an event into one enrolment's inbox. Pausing and going on take effect with this transaction.
 * The caller writes the row of the outbox (`lookAt`) of one that is fresh, last in its transaction.
 *
 * @returns `again`: it was told so before under this request key. `other`: it was told something else under it, and
 * nothing was done. `over`: there is nobody to tell any more.
 */
export async function tellEnrolment(
  tx: Db,
  enrolmentId: string,
  entry: InboxEntry,
): Promise<"fresh" | "again" | "other" | "over"> {
  const found = await rows<{ state: "active" | "done"; step: string | null; position: HeldPosition }>(
    tx,
    sql`select state, step, position from enrolments where id = ${enrolmentId}::uuid for update`,
  );
  const [enrolment] = found;
  const [before] = await rows<ToldBefore>(
    tx,
    sql`select kind, name, data from enrolment_inbox
        where enrolment_id = ${enrolmentId}::uuid and request_key = ${entry.requestKey}`,
  );
  if (before) return isSame(before, entry) ? "again" : "other";
  if (enrolment?.state !== "active") return "over";
  await write(tx, [enrolmentId], entry);
  if (entry.kind !== "pause" && entry.kind !== "resume") return "fresh";
  const n = enrolment.position.entries + 1;
  await rows(
    tx,
    sql`update enrolments set paused = ${entry.kind === "pause"},
          position = jsonb_set(position, '{entries}', to_jsonb(${n}::int)) where id = ${enrolmentId}::uuid`,
  );
  await rows(
    tx,
    sql`insert into journeys (enrolment_id, n, at, step, what, detail)
        values (${enrolmentId}::uuid, ${n}, ${at(entry.atMs)}, ${enrolment.step}, ${entry.kind}, ${json({ ...entry.data, by: entry.actor })})`,
  );
  return "fresh";
}

/** A step of a command to a whole sequence: this many rows are locked and written in one short transaction. */
const TELL_CHUNK = 2_000;

/**
 * The same to the next of a sequence's open enrolments that were not told yet. Repeated until it gives none: each
 * transaction is short, and a kill in between is made good by giving the command again under its request key.
 *
 * @returns the last id that was looked at; undefined where nobody is left.
 */
export async function tellNextOfSequence(
  tx: Db,
  input: { sequenceId: string; afterId: string | undefined; entry: InboxEntry },
): Promise<{ lastId: string; told: number } | undefined> {
  const ids = await lockIds(
    tx,
    sql`e.sequence_id = ${input.sequenceId}::uuid and e.state = 'active'
        and e.created_at <= ${at(input.entry.atMs)}
        and (${input.afterId ?? null}::uuid is null or e.id > ${input.afterId ?? null}::uuid)`,
    TELL_CHUNK,
  );
  const lastId = ids.at(-1);
  if (lastId === undefined) return undefined;
  const fresh = await write(tx, ids, input.entry);
  await putOutbox(tx, lookAt(fresh, input.entry.atMs, "enrolment_bulk"));
  return { lastId, told: fresh.length };
}

async function lockIds(tx: Db, condition: SQL, limit: number): Promise<string[]> {
  return (await lockEnrolments(tx, condition, limit)).map(({ id }) => id);
}

function lockEnrolments(
  tx: Db,
  condition: SQL,
  limit?: number,
): Promise<{ id: string; sequenceId: string; version: number }[]> {
  return rows(
    tx,
    sql`select e.id, e.sequence_id as "sequenceId", e.version from enrolments e where ${condition}
        order by e.id ${limit === undefined ? sql`` : sql`limit ${limit}`} for update`,
  );
}

/** Returns those who were not told so before. */
async function write(tx: Db, ids: readonly string[], entry: InboxEntry): Promise<string[]> {
  if (ids.length === 0) return [];
  const written = await rows<{ enrolment_id: string }>(
    tx,
    sql`insert into enrolment_inbox (enrolment_id, kind, name, data, request_key, actor, at)
        select t.id::uuid, ${entry.kind}, ${entry.name ?? null}, ${json(entry.data)}, ${entry.requestKey}, ${entry.actor}, ${at(entry.atMs)}
        from jsonb_array_elements_text(${json(ids)}) as t(id)
        on conflict (enrolment_id, request_key) where request_key is not null do nothing
        returning enrolment_id`,
  );
  return written.map((row) => row.enrolment_id);
}
