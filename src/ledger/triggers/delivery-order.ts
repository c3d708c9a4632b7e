import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { claimRows, type Claimed } from "../ground/outbox.ts";
import { at, json } from "../ground/sql.ts";

/*
 * The order in which deliveries are worked off, by all processes together (I5; docs/adr/0018-outbox-and-relay.md).
 *
 * 1. Ids of the outbox are given in the order of acceptance: whoever was told "accepted" had its id before the next
 *    one came.
 * 2. Whom a delivery is about is read as soon as the relay sees it, by its trigger's definition, and anew where that
 *    changes. Nothing that was accepted later is taken before that: it may be about the same people.
 * 3. A delivery is taken when nothing that was accepted before it is about one of its people. So what is told of one
 *    person is done in the order of acceptance, through whichever triggers it came; deliveries that have nobody in
 *    common do not wait for each other.
 * 4. Those of few people go before those of many, and those of many leave hands free for them.
 * 5. A delivery that failed stands beside that order, so that it holds up nobody, and so do one that a clock which was
 *    far ahead accepted, and one that ends the processes that take it. One whose process died holds up its people for
 *    its lease.
 */

/** A delivery of more people than that is a list. */
const FEW_PEOPLE = 10;

/** Clocks of processes differ by less; what is due later than that waits for no order, and nobody waits for it. */
const AHEAD_MS = 60_000;

/** Deliveries that wait are looked at in this number at once, from the first on: more would cost each claim. */
const LOOKED_AT = 1_000;

/**
 * A delivery that was taken so often, neither worked off nor put off, ends the processes that take it: to read whom it
 * is about, or to work it off. While the ledger comes and goes it is put off, and keeps its place for longer.
 */
const TOO_OFTEN = sql`turn >= case when last_error is null then 6 else 50 end`;

function inOrder(nowMs: number): SQL {
  return sql`kind = 'delivery' and tries = 0 and not ${TOO_OFTEN} and due_at <= ${at(nowMs + AHEAD_MS)}`;
}

/** A delivery of which nobody has read whom it is about. */
export type Unread = Pick<Claimed, "id" | "turn" | "subject">;

/** The first of them. Several may read the same one at once: the first who writes it down is right. */
export async function takeUnread(db: Db, input: { limit: number; nowMs: number }): Promise<Unread[]> {
  const found = await rows<Unread>(
    db,
    sql`with unread as (
          select id from outbox where ${inOrder(input.nowMs)} and people is null
          order by id limit ${input.limit} for update skip locked
        )
        update outbox o set turn = o.turn + 1 from unread where o.id = unread.id
        returning o.id, o.turn, o.subject`,
  );
  return found.toSorted((a, b) => a.id - b.id);
}

/** Writes down whom deliveries are about, by what `personOf` makes of their numbers. */
export async function writePeople(
  db: Db,
  read: readonly { id: number; people: readonly number[] }[],
): Promise<void> {
  if (read.length === 0) return;
  const given = read.map(({ id, people }) => ({ id, people: [...new Set(people)] }));
  await rows(
    db,
    sql`with given as (
          select r.id, r.people from jsonb_to_recordset(${json(given)}) as r(id bigint, people jsonb)
        ), written as (
          update outbox o set people = jsonb_array_length(g.people) from given g
          where o.id = g.id and o.people is null
          returning o.id, g.people
        )
        insert into delivery_people (place, person)
        select w.id, p.person::bigint from written w, jsonb_array_elements_text(w.people) as p(person)
        on conflict do nothing`,
  );
}

/** Has those of a trigger that wait read again. */
export async function readPeopleAnew(tx: Db, triggerId: string): Promise<void> {
  await rows(
    tx,
    sql`with waiting as (
          select o.id from outbox o
          where o.kind = 'delivery' and o.tries = 0 and o.people is not null
            and exists (select 1 from deliveries d where d.id = o.subject::uuid and d.trigger_id = ${triggerId}::uuid)
          order by o.id for update
        ), anew as (
          update outbox o set people = null from waiting w where o.id = w.id returning o.id
        )
        delete from delivery_people where place in (select id from anew)`,
  );
}

/**
 * Takes deliveries that wait for nobody.
 *
 * @param input.few how many of few people. @param input.many how many of many people.
 */
export async function claimDeliveries(
  db: Db,
  input: { few: number; many: number; leaseMs: number; nowMs: number },
): Promise<Claimed[]> {
  const { few, many, nowMs } = input;
  const due = sql`due_at <= ${at(nowMs)}`;
  const unread = sql`(select min(id) from outbox where ${inOrder(nowMs)} and people is null)`;
  const last = sql`(select max(id) from (select id from outbox where ${inOrder(nowMs)} order by id limit ${LOOKED_AT}) w)`;
  const free = (size: SQL, limit: number) =>
    sql`(select o.id from outbox o
         where ${inOrder(nowMs)} and ${due} and people ${size}
           and o.id < coalesce(${unread}, o.id + 1) and o.id <= ${last}
           and not exists (${waitsFor(nowMs)})
         order by o.id limit ${limit})`;
  return claimRows(
    db,
    sql`${free(sql`<= ${FEW_PEOPLE}`, few)} union all ${free(sql`> ${FEW_PEOPLE}`, many)} union all
        (select id from outbox where kind = 'delivery' and tries > 0 and ${due} order by due_at limit ${few}) union all
        (select o.id from outbox o where kind = 'delivery' and tries = 0 and ${TOO_OFTEN} and ${due}
           and o.id <= coalesce(${last}, o.id) order by o.id limit ${few})`,
    input,
  );
}

/** Something that was accepted before `o` and is about one of its people. */
function waitsFor(nowMs: number): SQL {
  return sql`select 1 from delivery_people mine
      join delivery_people theirs on theirs.person = mine.person and theirs.place < mine.place
      where mine.place = o.id
        and exists (select 1 from outbox where id = theirs.place and ${inOrder(nowMs)})`;
}

/** Whether a delivery that was claimed is of many people. */
export function isOfMany({ people = 0 }: Pick<Claimed, "people">): boolean {
  return people > FEW_PEOPLE;
}
