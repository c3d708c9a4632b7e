import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { Sealed } from "../../domain/ground/sealed.ts";
import type { Position } from "../../domain/sequences/turn.ts";
import { placementOf } from "../campaigns/placements.ts";
import { eventsFrom } from "../ground/write-events.ts";
import { traceToKeep } from "../../tracing/work.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  document,
  flag,
  from,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, json } from "../ground/sql.ts";

/*
 * Enrolments: one person's way through a sequence, each.
 *
 * Lock order: rows of enrolments by id, then the sequence's row, then rows of campaigns by id, then the outbox.
 * Whatever changes an enrolment, or puts something into its inbox, holds its row lock: so the inbox has an order,
 * and nothing that is put into it comes behind the mark up to which it was taken in.
 */

/** What an enrolment's position holds in the ledger. */
export interface HeldPosition {
  /** Where it stands in its definition, and what it knows. */
  at: Position;
  /** Entries of its journey so far. */
  entries: number;
  /** The last action that it asked for. */
  action?: { n: number; id: string };
  /** Its call is held because a person paused it; when it was due before. Unix milliseconds. */
  heldDueMs?: number;
  /** Its number was suppressed, for this brand or for all, and batches that dial it may not have been stopped yet. */
  stop?: { brand: string | null };
}

/** The key of the call that it waits for. */
export function presentCall({ id, position }: Pick<Enrolment, "id" | "position">): string | undefined {
  const { waiting } = position.at;
  return waiting && "callNo" in waiting
    ? placementOf({ enrolmentId: id, callNo: waiting.callNo })
    : undefined;
}

/** The action that it waits for. */
export function presentAction({ position }: Pick<Enrolment, "position">): string | undefined {
  const { action, at } = position;
  return at.waiting?.for === "action" && action?.n === at.waiting.n ? action.id : undefined;
}

const ENROLMENT = record(
  {
    id: text,
    sequenceId: text,
    version: number,
    phone: text,
    region: optional(text),
    zones: from("z.zones", texts),
    places: from("z.places", texts),
    key: text,
    source: text,
    requestKey: optional(text),
    importId: optional(number),
    line: optional(number),
    state: word<"active" | "done">(),
    /** A person paused it. */
    paused: flag,
    /** It waits for its sequence to go on. */
    parked: flag,
    position: document<HeldPosition>(),
    /** Its sensitive variables; undefined: it has none. */
    sealed: optional(
      from(
        "case when e.sealed is not null then jsonb_build_object('with', e.sealed_with, 'values', e.sealed) end",
        document<Sealed>(),
      ),
    ),
    step: optional(text),
    turn: number,
    inboxSeen: number,
    wakeAtMs: optional(moment),
    /** By when a turn is taken, whatever comes; undefined: it is over, waits for a person, or has had none. */
    lookByMs: optional(moment),
    /** How often it was to take one since, in vain. */
    unmoved: number,
    outcome: optional(text),
    reason: optional(text),
    createdAtMs: moment,
    startedAtMs: optional(moment),
    endedAtMs: optional(moment),
    /** The trace that enrolled it. */
    traceParent: optional(text),
  },
  "e",
);

export interface Enrolment extends RecordOf<typeof ENROLMENT> {}

const FROM = sql`enrolments e join zone_sets z on z.id = e.zone_set_id`;

function readMany(db: Db, condition: SQL): Promise<Enrolment[]> {
  return rows(db, sql`select ${ENROLMENT.columns} from ${FROM} where ${condition}`, ENROLMENT);
}

async function readOne(db: Db, condition: SQL): Promise<Enrolment | undefined> {
  const [enrolment] = await readMany(db, condition);
  return enrolment;
}

export function readEnrolment(db: Db, id: string): Promise<Enrolment | undefined> {
  return readOne(db, sql`e.id = ${id}::uuid`);
}

/** Takes the enrolment's row lock: what every change of it, and of its inbox, holds. */
export function lockEnrolment(tx: Db, id: string): Promise<Enrolment | undefined> {
  return readOne(tx, sql`e.id = ${id}::uuid for update of e`);
}

/** Locks those enrolments of one sequence that are open for these people and keys, by id. */
export function lockOpenEnrolments(
  tx: Db,
  sequenceId: string,
  people: readonly { phone: string; key: string }[],
): Promise<Enrolment[]> {
  return readMany(
    tx,
    sql`e.sequence_id = ${sequenceId}::uuid and e.state = 'active'
        and (e.phone, e.key) in (select r.phone, r.key from jsonb_to_recordset(${json(people)}) as r(phone text, key text))
        order by e.id for update of e`,
  );
}

/** Whom rows of a list enrolled before, whatever became of it. @param importId undefined: it is no list */
export async function findEnrolledByImport(
  db: Db,
  importId: number | undefined,
  people: readonly { phone: string; key: string }[],
): Promise<{ phone: string; key: string }[]> {
  if (importId === undefined) return [];
  return rows(
    db,
    sql`select e.phone, e.key from enrolments e
        where e.import_id = ${importId}
          and (e.phone, e.key) in (select r.phone, r.key from jsonb_to_recordset(${json(people)}) as r(phone text, key text))`,
  );
}

/** The same without locking them. */
export function findOpenEnrolments(
  db: Db,
  sequenceId: string,
  people: readonly { phone: string; key: string }[],
): Promise<{ id: string; phone: string; key: string }[]> {
  return rows(
    db,
    sql`select e.id, e.phone, e.key from enrolments e
        where e.sequence_id = ${sequenceId}::uuid and e.state = 'active'
          and (e.phone, e.key) in (select r.phone, r.key from jsonb_to_recordset(${json(people)}) as r(phone text, key text))`,
  );
}

/** What came of a request before. Without `id` it enrolled nobody, since its person was there already. */
export async function findByRequestKey(
  db: Db,
  requestKey: string,
): Promise<{ id: string | undefined; digest: string | undefined } | undefined> {
  const row = await firstRow<{ id: string | null; digest: string | null }>(
    db,
    sql`select id, request_digest as digest from enrolments where request_key = ${requestKey}
        union all
        select null::uuid as id, digest from request_keys where key = ${requestKey}
        order by id nulls last limit 1`,
  );
  return row && { id: row.id ?? undefined, digest: row.digest ?? undefined };
}

/** Who goes through what. */
export function readWhoIsIn(
  db: Db,
  id: string,
): Promise<{ name: string; brand: string; phone: string } | undefined> {
  return firstRow(
    db,
    sql`select s.name, s.brand, e.phone from enrolments e join sequences s on s.id = e.sequence_id
        where e.id = ${id}::uuid`,
  );
}

export interface NewEnrolment {
  sequenceId: string;
  version: number;
  importId?: number;
  line?: number;
  phone: string;
  region: string | undefined;
  zoneSetId: number;
  key: string;
  source: string;
  requestKey?: string | undefined;
  requestDigest?: string | undefined;
  at: Position;
  /** Those of its variables that are sealed; absent: none is. */
  sealed?: Sealed;
}

/** More people than these are a list, and no one trace. */
const ONE_TRACE = 50;

/**
 * Writes enrolments down. Those whose person is in the sequence already under the same key, or whose request was
 * carried out before, are left out. Of several for one person and key the first line is taken.
 */
export function insertEnrolments(
  tx: Db,
  fresh: readonly NewEnrolment[],
  nowMs: number,
): Promise<{ id: string; phone: string; key: string; line: number | null }[]> {
  if (fresh.length === 0) return Promise.resolve([]);
  const trace = fresh.length <= ONE_TRACE ? traceToKeep() : null;
  const given = fresh.map((one) => ({
    id: randomUUID(),
    sequence_id: one.sequenceId,
    version: one.version,
    import_id: one.importId,
    line: one.line,
    phone: one.phone,
    region: one.region,
    zone_set_id: one.zoneSetId,
    key: one.key,
    source: one.source,
    request_key: one.requestKey,
    request_digest: one.requestDigest,
    position: { at: one.at, entries: 0 } satisfies HeldPosition,
    ...(one.sealed && { sealed: one.sealed.values, sealed_with: one.sealed.with }),
  }));
  return rows(
    tx,
    sql`with enrolled as (
        insert into enrolments (id, sequence_id, version, import_id, line, phone, region, zone_set_id, key, source,
          request_key, request_digest, state, position, sealed, sealed_with, created_at, trace_parent)
        select r.id, r.sequence_id, r.version, r.import_id, r.line, r.phone, r.region, r.zone_set_id, r.key, r.source,
          r.request_key, r.request_digest, 'active', r.position, r.sealed, r.sealed_with, ${at(nowMs)}, ${trace}
        from jsonb_to_recordset(${json(given)}) as r(id uuid, sequence_id uuid, version int, import_id bigint, line int,
          phone text, region text, zone_set_id int, key text, source text, request_key text, request_digest text, position jsonb,
          sealed jsonb, sealed_with text)
        order by r.phone, r.key, r.line
        on conflict do nothing
        returning id, sequence_id, phone, key, line),
        told as (${eventsFrom(
          sql`select 'enrolment.started' as type, s.brand, null::uuid as campaign_id,
                jsonb_build_object('enrolment_id', e.id, 'sequence', s.name, 'phone', e.phone, 'key', e.key) as data
              from enrolled e join sequences s on s.id = e.sequence_id`,
          nowMs,
        )})
        select id, phone, key, line from enrolled`,
  );
}

export interface EnrolmentFilter {
  sequenceId?: string;
  phone?: string;
  state?: "active" | "done";
  step?: string;
  outcome?: string;
  /** Goes on behind this one. */
  after?: { atMs: number; id: string };
  limit: number;
}

/**
 * Newest first. Of a sequence by its index, which has those of each state in that order: only the rows of the page are
 * read, however many there are.
 */
export async function listEnrolments(
  db: Db,
  filter: EnrolmentFilter,
): Promise<{ enrolments: Enrolment[]; total: number }> {
  const { sequenceId, state, after, limit } = filter;
  const equals = (column: SQL, value: string | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  const condition = sql`${sequenceId === undefined ? sql`true` : sql`sequence_id = ${sequenceId}::uuid`}
    and ${equals(sql`phone`, filter.phone)} and ${equals(sql`step`, filter.step)} and ${equals(sql`outcome`, filter.outcome)}`;
  const behind =
    after === undefined ? sql`true` : sql`(created_at, id) < (${at(after.atMs)}, ${after.id}::uuid)`;
  const states = state === undefined ? (["active", "done"] as const) : [state];
  const newest = states.map(
    (one) =>
      sql`(select id, created_at from enrolments where ${condition} and state = ${one} and ${behind}
           order by created_at desc, id desc limit ${limit})`,
  );
  const enrolments = await readMany(
    db,
    sql`e.id in (select id from (${sql.join(newest, sql` union all `)}) n
          order by created_at desc, id desc limit ${limit})
        order by e.created_at desc, e.id desc`,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from enrolments where ${condition} and ${equals(sql`state`, state)}`,
  );
  return { enrolments, total: total?.n ?? 0 };
}

const JOURNEY_ENTRY = record({
  n: number,
  atMs: moment,
  step: optional(text),
  what: text,
  detail: document<Record<string, unknown>>(),
});

export interface JourneyRow extends RecordOf<typeof JOURNEY_ENTRY> {}

/** An enrolment's way so far, in its order. */
export function readJourney(
  db: Db,
  enrolmentId: string,
  page: { after: number; limit: number },
): Promise<JourneyRow[]> {
  return rows(
    db,
    sql`select ${JOURNEY_ENTRY.columns} from journeys
        where enrolment_id = ${enrolmentId}::uuid and n > ${page.after} order by n limit ${page.limit}`,
    JOURNEY_ENTRY,
  );
}
