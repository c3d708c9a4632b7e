import { sql, type SQL } from "drizzle-orm";

import type { KeptCounts } from "../../domain/people/forgetting.ts";
import { writingsOf } from "../../domain/ground/number-in-text.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { eitherForm, personMark } from "../ground/person-mark.ts";
import { bookRemoved } from "./forgettings.ts";
import { patternOf } from "./number-pattern.ts";
import { stripContacts, stripEnrolments } from "./stripping.ts";

/*
 * Removing a person from the ledger: steps that each find what still has the number, take some of it, and book what went
 * in the same transaction. Each is done when it finds nothing, so that whoever is killed between two goes on where it
 * was, and nothing is booked twice.
 */

/** Rows of one transaction: some milliseconds on the embedded ledger, whose only connection it holds. */
const AT_ONCE = 100;

/** What is said of what waited for people because of a person who is gone. */
const FORGOTTEN = "the person was forgotten";

/** What a step took: 0 where nothing is left of it. */
type Step = (tx: Db, whom: Whom) => Promise<Record<string, number>>;

interface Whom {
  phone: string;
  nowMs: number;
}

const count = (name: string, found: readonly unknown[]) => ({ [name]: found.length });

const contacts: Step = async (tx, { phone, nowMs }) => {
  const found = await rows<{ id: number }>(
    tx,
    sql`select id from contacts where phone = ${phone} and state in ('done', 'excluded') order by id limit ${AT_ONCE} for update`,
  );
  const ids = found.map(({ id }) => id);
  return stripContacts(tx, ids, { nowMs, because: FORGOTTEN });
};

const withdrawals: Step = async (tx, { phone }) =>
  count(
    "withdrawals",
    await rows(
      tx,
      sql`delete from withdrawals w using contacts c join campaigns p on p.id = c.campaign_id
          where c.phone = ${phone} and w.campaign_id = coalesce(p.parent_id, p.id) and w.phone = c.phone returning 1 as one`,
    ),
  );

const enrolments: Step = async (tx, { phone, nowMs }) => {
  const found = await rows<{ id: string }>(
    tx,
    sql`select id from enrolments where phone = ${phone} and state <> 'active' order by id limit ${AT_ONCE} for update`,
  );
  return stripEnrolments(
    tx,
    found.map(({ id }) => id),
    { nowMs, because: FORGOTTEN },
  );
};

const rejects: Step = async (tx, { phone }) =>
  count(
    "import_rejects",
    await rows(
      tx,
      sql`update import_rejects set raw = '', reason = 'forgotten', digits = null where (import_id, line) in (
            select import_id, line from import_rejects where digits in (${sql.join(
              writingsOf(phone).map((digits) => sql`${digits}`),
              sql`, `,
            )}) limit ${AT_ONCE}) returning 1 as one`,
    ),
  );

const tags: Step = async (tx, { phone }) =>
  count(
    "tags",
    await rows(
      tx,
      sql`delete from tags where brand in (select id from brands) and phone = ${phone} returning 1 as one`,
    ),
  );

const items: Step = async (tx, { phone }) =>
  count(
    "trigger_items",
    await rows(
      tx,
      sql`with mine as (
            select trigger_id, key, what, delivery_id from trigger_items where phone = ${phone} limit ${AT_ONCE}
          ), bodies as (
            update deliveries d set body = null, result = null from mine m
            where d.id = m.delivery_id and d.state in ('done', 'ignored') returning 1 as one
          )
          update trigger_items i set phone = 'forgotten', result = jsonb_build_object('what', i.what) from mine m
          where i.trigger_id = m.trigger_id and i.key = m.key and i.what = m.what returning 1 as one`,
    ),
  );

const inbound: Step = async (tx, { phone }) =>
  count(
    "inbound_calls",
    await rows(
      tx,
      sql`update inbound_calls set phone = 'forgotten' where call_id in (
            select call_id from inbound_calls where phone = ${phone} limit ${AT_ONCE}) returning 1 as one`,
    ),
  );

const oldSuppressions: Step = async (tx, { phone, nowMs }) =>
  count(
    "suppressions",
    await rows(
      tx,
      sql`delete from suppressions where phone in ${eitherForm(sql`${phone}`)}
            and (removed_at is not null or expires_at <= ${new Date(nowMs).toISOString()}::timestamptz) returning 1 as one`,
    ),
  );

const offLists: Step = async (tx, { phone }) =>
  count(
    "listed_numbers",
    await rows(
      tx,
      sql`delete from listed_numbers n using suppression_sources l
          where n.phone = ${phone} and l.id = n.source_id and (l.removed_at is not null or n.through_generation < l.generation)
          returning 1 as one`,
    ),
  );

const answers: Step = async (tx, { phone }) =>
  count(
    "scrub_answers",
    await rows(
      tx,
      sql`delete from scrub_answers where source_id in (select id from suppression_sources) and phone = ${phone}
          returning 1 as one`,
    ),
  );

const consents: Step = async (tx, { phone }) =>
  count(
    "consents",
    await rows(
      tx,
      sql`update consents set phone = ${personMark(sql`${phone}`)} where id in (
            select id from consents where phone = ${phone} limit ${AT_ONCE}) returning 1 as one`,
    ),
  );

const unbooked: Step = async (tx, { phone }) =>
  count(
    "unbooked_dials",
    await rows(tx, sql`delete from unbooked_dials where phone = ${phone} returning 1 as one`),
  );

/** Withdrawals are found by contacts, and go before them. */
const STEPS: readonly Step[] = [
  withdrawals,
  contacts,
  enrolments,
  rejects,
  tags,
  items,
  inbound,
  oldSuppressions,
  offLists,
  answers,
  consents,
  unbooked,
];

/**
 * Takes a person out of every table that is found by their number. What became of each row: domain/people/inventory.ts.
 * Nothing that is still under way is touched.
 */
export async function removeFromLedger(
  ledger: Ledger,
  { id, phone, now, breathe }: { id: string; phone: string; now: () => number; breathe: () => Promise<void> },
): Promise<void> {
  for (const step of STEPS) {
    for (;;) {
      const took = await ledger.transaction(async (tx) => {
        const removed = await step(tx, { phone, nowMs: now() });
        await bookRemoved(tx, id, removed);
        return removed;
      });
      await breathe();
      if (Object.values(took).every((n) => n === 0)) break;
    }
  }
}

/** Rows that a statement looks through. Bodies are a megabyte at most, and a few kilobytes as a rule. */
const LOOKED_AT = 50;

/** Of events, which are some hundred bytes each. */
const EVENTS_AT = 1_000;

/**
 * Takes the number out of texts that may name it: bodies of deliveries, what waits for people, what routes told, answers
 * of the API, events. Such texts are few, or are kept for some days; they are looked through from the first on, in steps.
 */
export async function removeFromTexts(
  ledger: Ledger,
  { id, phone, breathe }: { id: string; phone: string; breathe: () => Promise<void> },
): Promise<void> {
  const pattern = patternOf(phone);
  for (const walk of [walkDeliveries, walkAttention, walkNotices, walkAnswers, walkEvents]) {
    let after: string | undefined = "";
    while (after !== undefined) {
      const from: string = after;
      after = await ledger.transaction(async (tx) => {
        const looked = await walk(tx, { after: from, pattern });
        await bookRemoved(tx, id, looked.removed);
        return looked.last;
      });
      await breathe();
    }
  }
}

interface Looked {
  /** Where the next look begins; undefined: there is nothing behind. */
  last: string | undefined;
  removed: Record<string, number>;
}

interface Look {
  after: string;
  pattern: string;
}

interface LookedRow {
  last: string | null;
  looked: number;
  removed: number;
}

/** What stands in words instead of a number. */
const GONE = "(forgotten)";

/** And in JSON, where it may stand without quotes: a value of its own that is nobody's number. */
const NO_NUMBER = "0";

function lookedOf(name: string, row: LookedRow | undefined, limit = LOOKED_AT): Looked {
  const { last = null, looked = 0, removed = 0 } = row ?? {};
  return { last: looked < limit ? undefined : (last ?? undefined), removed: { [name]: removed } };
}

/** One that was worked off loses its body; of one that waits for a person others may be in it: it loses the number. */
async function walkDeliveries(tx: Db, { after, pattern }: Look): Promise<Looked> {
  const row = await firstRow<LookedRow>(
    tx,
    sql`with page as materialized (
          select id, received_at from deliveries
          where body is not null and (received_at, id) > (${partOf(after, 1)}::timestamptz, ${partOf(after, 2)}::uuid)
          order by received_at, id limit ${LOOKED_AT}
        ), gone as (
          update deliveries d set
            body = case when d.state in ('done', 'ignored') then null else regexp_replace(d.body, ${pattern}, ${NO_NUMBER}, 'g') end
          from page p where d.id = p.id and d.state <> 'received' and d.body ~ ${pattern} returning 1 as one
        )
        select (select to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || id from page
                  order by received_at desc, id desc limit 1) as last,
          (select count(*)::int from page) as looked, (select count(*)::int from gone) as removed`,
  );
  return lookedOf("deliveries", row);
}

const FIRST = ["1970-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000"] as const;

function partOf(after: string, which: 1 | 2): string {
  return after.split(" ")[which - 1] || FIRST[which - 1] || "";
}

async function walkAttention(tx: Db, { after, pattern }: Look): Promise<Looked> {
  const row = await firstRow<LookedRow>(
    tx,
    sql`with page as materialized (
          select id from attention where id > ${Number(after)} order by id limit ${LOOKED_AT}
        ), gone as (
          update attention a set summary = ${withoutIn(sql`a.summary`, pattern)}, remedy = ${withoutIn(sql`a.remedy`, pattern)},
            resolution = ${withoutIn(sql`a.resolution`, pattern)}, resolved_by = a.resolved_by
          from page p where a.id = p.id and concat_ws(' ', a.summary, a.remedy, a.resolution) ~ ${pattern} returning 1 as one
        )
        select (select max(id)::text from page) as last, (select count(*)::int from page) as looked,
          (select count(*)::int from gone) as removed`,
  );
  return lookedOf("attention", row);
}

const withoutIn = (column: SQL, pattern: string) => sql`regexp_replace(${column}, ${pattern}, ${GONE}, 'g')`;

async function walkNotices(tx: Db, { after, pattern }: Look): Promise<Looked> {
  const row = await firstRow<LookedRow>(
    tx,
    sql`with page as materialized (
          select id from notices where id > ${after === "" ? FIRST[1] : after}::uuid order by id limit ${LOOKED_AT}
        ), gone as (
          update notices n set notice = regexp_replace(n.notice::text, ${pattern}, ${NO_NUMBER}, 'g')::jsonb
          from page p where n.id = p.id and n.ended_at is not null and n.notice::text ~ ${pattern} returning 1 as one
        )
        select (select id::text from page order by id desc limit 1) as last, (select count(*)::int from page) as looked,
          (select count(*)::int from gone) as removed`,
  );
  return lookedOf("notices", row);
}

/** Without its text an answer is still remembered as one that there was. */
async function walkAnswers(tx: Db, { after, pattern }: Look): Promise<Looked> {
  const row = await firstRow<LookedRow>(
    tx,
    sql`with page as materialized (
          select key from request_keys where key > ${after} order by key limit ${LOOKED_AT}
        ), gone as (
          update request_keys k set answer = null from page p
          where k.key = p.key and k.status is not null and k.answer ~ ${pattern} returning 1 as one
        )
        select (select key from page order by key desc limit 1) as last, (select count(*)::int from page) as looked,
          (select count(*)::int from gone) as removed`,
  );
  return lookedOf("request_keys", row);
}

/** Those of calls and contacts hold no number: it is read from the rows that were stripped of it. */
async function walkEvents(tx: Db, { after, pattern }: Look): Promise<Looked> {
  const [era = "0", transaction = "0", id = "0"] = after.split(" ");
  const row = await firstRow<LookedRow>(
    tx,
    sql`with page as materialized (
          select era, tx, id from events
          where data is not null and (era, tx, id) > (${Number(era)}, ${Number(transaction)}, ${Number(id)})
          order by era, tx, id limit ${EVENTS_AT}
        ), gone as (
          update events e set data = regexp_replace(e.data::text, ${pattern}, ${NO_NUMBER}, 'g')::jsonb
          from page p where (e.era, e.tx, e.id) = (p.era, p.tx, p.id) and e.data::text ~ ${pattern} returning 1 as one
        )
        select (select era || ' ' || tx || ' ' || id from page order by era desc, tx desc, id desc limit 1) as last,
          (select count(*)::int from page) as looked, (select count(*)::int from gone) as removed`,
  );
  return lookedOf("events", row, EVENTS_AT);
}

/** Has the suppressions that stay stand there by the digest alone. */
export async function hideSuppressions(tx: Db, phone: string): Promise<void> {
  const mark = personMark(sql`${phone}`);
  // Of the two that are the same word the one that holds for longer stays.
  await rows(
    tx,
    sql`update suppressions o set reason = s.reason, expires_at = s.expires_at from suppressions s
        where s.phone = ${phone} and o.phone = ${mark} and o.brand is not distinct from s.brand and o.said_by = s.said_by
          and o.source = s.source and s.removed_at is null and o.removed_at is null
          and o.expires_at is not null and (s.expires_at is null or s.expires_at > o.expires_at)`,
  );
  // The same word may stand there by its digest already, from the last time.
  await rows(
    tx,
    sql`delete from suppressions s where s.phone = ${phone} and s.removed_at is null and exists (
          select 1 from suppressions o where o.phone = ${mark} and o.brand is not distinct from s.brand
            and o.said_by = s.said_by and o.source = s.source and o.removed_at is null)`,
  );
  await rows(tx, sql`update suppressions set phone = ${mark} where phone = ${phone}`);
}

/** How much stays of somebody. @param attempts that were stripped of them */
export async function countKept(tx: Db, phone: string, attempts: number): Promise<KeptCounts> {
  const kept = await firstRow<Omit<KeptCounts, "attempts">>(
    tx,
    sql`select (select count(*)::int from suppressions where phone in ${eitherForm(sql`${phone}`)}) as suppressions,
          (select count(*)::int from listed_numbers where phone = ${phone}) as listed,
          (select count(*)::int from consents where phone = ${personMark(sql`${phone}`)}) as consents,
          (select count(*)::int from audit where detail ->> 'phone' = ${personMark(sql`${phone}`)}) as audit`,
  );
  return { suppressions: 0, listed: 0, consents: 0, audit: 0, ...kept, attempts };
}
