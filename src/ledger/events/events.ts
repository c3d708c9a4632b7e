import { sql } from "drizzle-orm";

import { PER_CONTACT, type EventTypeName } from "../../domain/ground/event-types.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  document,
  from,
  moment,
  number,
  optional,
  record,
  text,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, iso } from "../ground/sql.ts";

/*
 * The feed of events.
 *
 * 1. Its order is that of places: the era, the transaction that wrote an event, and the order of writing within it.
 * 2. An event is told once every transaction that began to write before its own is over. So whatever comes later stands
 *    behind what was told, and a place is all that a reader has to remember. A transaction that stays open holds up
 *    what others wrote since, for as long as it does, and loses nothing of it.
 * 3. What was forgotten is not passed over in silence: whoever asks for what came behind a place that is gone, hears so.
 */

/** Where an event stands: era, transaction, number. */
export type Place = readonly [era: number, tx: number, id: number];

/** Before all of them. */
export const BEGINNING: Place = [0, 0, 0];

export function isBefore(a: Place, b: Place): boolean {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
}

const EVENT = record({
  era: from("e.era", number),
  tx: from("e.tx::float8", number),
  id: from("e.id::float8", number),
  atMs: from("e.at", moment),
  type: from("e.type", word<EventTypeName>()),
  /** Undefined: of none, or of all. */
  brand: from("coalesce(e.brand, c.brand)", optional(text)),
  campaignId: from("e.campaign_id", optional(text)),
  /** Undefined for what stands for a step of a sequence, too. */
  campaign: from("c.name", optional(text)),
  /** Of callbacks: the campaign that they are of. */
  parentId: from("c.parent_id", optional(text)),
  data: from("e.told", document<Record<string, unknown>>()),
});

export interface LedgerEvent extends RecordOf<typeof EVENT> {}

export function placeOf({ era, tx, id }: LedgerEvent): Place {
  return [era, tx, id];
}

/** That of what is written now: none is of a later one. */
const ERA = sql`coalesce((select event_era from installation), 1)`;

/**
 * Told to whoever asks: transactions that wrote them, and all before those, are over. One range of their order, so that
 * what waits behind it is not read.
 */
const IS_TOLD = sql`(era, tx) < (${ERA}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`;

/** Of a call, or of a contact; of all else it is written down. */
const TOLD = sql`coalesce(w.data, case
    when w.attempt_id is not null then (
      select jsonb_build_object('call_id', a.call_id, 'phone', a.phone, 'contact_id', a.contact_id, 'attempt', a.attempt_no,
        'disposition', a.disposition, 'reason', a.disposition_reason, 'started_at', ${iso(sql`a.started_at`)},
        'ended_at', ${iso(sql`a.ended_at`)}, 'duration_seconds', a.duration_seconds)
      from attempts a where a.id = w.attempt_id)
    when w.contact_id is not null then (
      select jsonb_build_object('phone', k.phone, 'contact_id', k.id, 'state', k.state, 'outcome', k.outcome,
        'reason', k.reason, 'attempts', k.attempts)
      from contacts k where k.id = w.contact_id)
    end, '{}')`;

/** Rows that one statement reads. It takes some ten milliseconds. */
export const MOST_AT_ONCE = 1_000;

/**
 * What was told behind a place, in order; fewer than were asked for: there is no more yet.
 *
 * @param input.types where none of them is told of single calls and contacts, those are not read
 */
export function readEvents(
  db: Db,
  input: { after: Place; types?: ReadonlySet<EventTypeName> | undefined; limit: number },
): Promise<LedgerEvent[]> {
  const { after, types, limit } = input;
  const [era, tx, id] = after;
  const isAbove = types !== undefined && [...PER_CONTACT].every((type) => !types.has(type));
  return rows(
    db,
    sql`select ${EVENT.columns} from (
          select w.*, ${TOLD} as told from (
            select * from events
            where (era, tx, id) > (${era}::int, ${tx}::bigint, ${id}::bigint) and ${IS_TOLD}
              and ${isAbove ? sql`contact_id is null` : sql`true`}
            order by era, tx, id limit ${limit}) w) e
        left join campaigns c on c.id = e.campaign_id
        order by e.era, e.tx, e.id`,
    EVENT,
  );
}

/** The place of the newest event that is told; where there is none, of the newest that was forgotten. */
export async function newestPlace(db: Db): Promise<Place> {
  const newest = await firstRow<{ era: number; tx: number; id: number }>(
    db,
    sql`select era, tx::float8 as tx, id::float8 as id from events where ${IS_TOLD}
        order by era desc, tx desc, id desc limit 1`,
  );
  return newest ? [newest.era, newest.tx, newest.id] : ((await forgottenThrough(db)) ?? BEGINNING);
}

/** The place of the newest event that was forgotten: nobody is told what stood before it. Undefined: none was. */
export async function forgottenThrough(db: Db): Promise<Place | undefined> {
  const gone = await firstRow<{ era: number; tx: number; id: number }>(
    db,
    sql`select events_gone_era as era, events_gone_tx::float8 as tx, events_gone_id::float8 as id from installation
        where events_gone_era is not null`,
  );
  return gone && [gone.era, gone.tx, gone.id];
}

/** Rows that one transaction forgets. */
const FORGOTTEN_AT_ONCE = 2_000;

/**
 * Forgets the oldest of what was told before a moment, some at a time.
 *
 * @returns how many; fewer than it takes at once: the rest is younger.
 */
export async function forgetEvents(tx: Db, beforeMs: number): Promise<{ gone: number; isLeft: boolean }> {
  // First, as a recovery takes it before it locks the events: neither waits for the other in a circle.
  await rows(tx, sql`select 1 as one from installation for no key update`);
  const gone = await rows<{ era: number; tx: number; id: number }>(
    tx,
    sql`with oldest as (select era, tx, id, at from events where ${IS_TOLD} order by era, tx, id limit ${FORGOTTEN_AT_ONCE}),
        -- In order: what stands behind one that is to stay, stays.
        old as (select o.era, o.tx, o.id from oldest o
                where (o.era, o.tx, o.id) < (select y.era, y.tx, y.id from oldest y where y.at >= ${at(beforeMs)}
                                               order by y.era, y.tx, y.id limit 1)
                  or not exists (select 1 from oldest y where y.at >= ${at(beforeMs)})),
        forgotten as (delete from events e using old o where (e.era, e.tx, e.id) = (o.era, o.tx, o.id)
                      returning e.era, e.tx, e.id)
        select era, tx::float8 as tx, id::float8 as id from forgotten order by era, tx, id`,
  );
  const last = gone.at(-1);
  if (last)
    await rows(
      tx,
      sql`update installation set events_gone_era = ${last.era}::int, events_gone_tx = ${last.tx}::bigint, events_gone_id = ${last.id}::bigint`,
    );
  return { gone: gone.length, isLeft: gone.length === FORGOTTEN_AT_ONCE };
}

/**
 * A place behind which everything of a moment and later stands, and little of before it, found by a probe of each era and by halving: moments grow with places but for
 * transactions that overlap, for whom a minute is allowed.
 */
export async function placeBefore(db: Db, sinceMs: number): Promise<Place> {
  const fromMs = sinceMs - OVERLAP_MS;
  const ends = await firstRow<{ era: number; from_tx: number; to_tx: number }>(
    db,
    sql`select n.era, n.tx::float8 as from_tx, last.tx::float8 as to_tx
        from (select first.era, first.tx from generate_series(${ERA}, 1, -1) s (era) cross join lateral (
                select e.era, e.tx, e.at from events e where e.era = s.era order by e.era, e.tx, e.id limit 1) first
              where first.at <= ${at(fromMs)} order by s.era desc limit 1) n
        cross join lateral (
          select e.tx from events e where e.era = n.era order by e.era desc, e.tx desc, e.id desc limit 1) last`,
  );
  if (!ends) return (await forgottenThrough(db)) ?? BEGINNING;
  let [low, high] = [ends.from_tx, ends.to_tx + 1];
  // `low` is early enough, `high` may be too late: 53 halvings at most, since numbers are below 2^53.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await firstRow<{ is_early: boolean }>(
      db,
      sql`select at < ${at(fromMs)} as is_early from events where era = ${ends.era}::int and tx >= ${middle}::bigint
          order by era, tx, id limit 1`,
    );
    if (found?.is_early === true) low = middle;
    else high = middle;
  }
  return [ends.era, low - 1, Number.MAX_SAFE_INTEGER];
}

const OVERLAP_MS = 60_000;
