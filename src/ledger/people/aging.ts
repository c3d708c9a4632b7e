import { sql, type SQL } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, listOf } from "../ground/sql.ts";
import { stripActions, stripContacts, stripEnrolments } from "./stripping.ts";

/*
 * What goes by its age, step by step: each takes the oldest of what there is behind a place, in one short transaction,
 * and says where the next one begins.
 *
 * 1. Nothing goes that something under way still reads: it is looked at again in the next turn.
 * 2. Nobody is waited for. Contacts of campaigns that are over, and calls that were placed and are over, are nobody's to
 *    change any more; whoever holds a row all the same is passed over until then.
 * 3. It goes as forgetting a person takes it (stripping.ts): rows that tallies and proofs count stay.
 */

/** Rows whose texts go in one statement. */
const AT_ONCE = 500;

/** Rows that lose their person with all that hangs on them: some ten milliseconds of the embedded ledger's connection. */
const STRIPPED_AT_ONCE = 100;

/** Campaigns of one look. */
const CAMPAIGNS_AT_ONCE = 500;

/** What is said of something that waited for people, should it go all the same. */
const TOO_OLD = "what it was about is too old to be kept";

/** How far a step came. */
export interface Aged {
  gone: number;
  /** Where the next begins; undefined: there is nothing behind it. */
  next: string | undefined;
}

interface Looked {
  looked: number;
  gone: number;
  last: string | null;
}

/** Where a walk begins, in each of its two columns. */
const FIRST = "1970-01-01T00:00:00.000Z";

function placeOf(after: string): { when: string; id: string } {
  const [when = FIRST, id = ""] = after === "" ? [] : after.split(" ");
  return { when, id };
}

const written = (when: SQL, id: SQL): SQL =>
  sql`to_char(${when} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || ${id}`;

function agedOf(found: Looked | undefined, limit: number): Aged {
  if (!found) return { gone: 0, next: undefined };
  const { looked, gone, last } = found;
  return { gone, next: looked < limit ? undefined : (last ?? undefined) };
}

/** Of an action `n`: it failed, or nobody knows whether it was done, and a person is still to say what becomes of it. */
const WAITS_FOR_PEOPLE = sql`(n.state in ('failed', 'unknown') and exists (select 1 from attention t
    where t.kind in ('action_failed', 'action_unknown') and t.subject = n.id::text and t.resolved_at is null))`;

/**
 * Of an action `n`: it is tried yet, or waits for a person. One that waits for its turn is held by its follow-up, which is
 * not over, or by the failed one before it: once nobody waits for that any more, its turn does not come.
 */
const ACTION_UNDER_WAY = sql`(n.state = 'due' or ${WAITS_FOR_PEOPLE})`;

/** Of a contact `c`: nothing reads its variables any more. */
const NOTHING_UNDER_WAY = sql`c.state in ('done', 'excluded')
  and not exists (select 1 from attempts a join batches b on b.id = a.batch_id
    where a.contact_id = c.id and (a.state in ('open', 'provisional') or b.state <> 'settled'))
  and not exists (select 1 from attempts a join follow_ups f on f.attempt_id = a.id
    where a.contact_id = c.id and f.ended_at is null)
  and not exists (select 1 from attempts a join follow_ups f on f.attempt_id = a.id join actions n on n.follow_up_id = f.id
    where a.contact_id = c.id and ${ACTION_UNDER_WAY})`;

/** And no recording of it is on the disk: the row that names a file goes behind it. */
const NO_RECORDING = sql`not exists (select 1 from attempts a join follow_ups f on f.attempt_id = a.id
    join actions n on n.follow_up_id = f.id
    where a.contact_id = c.id and n.kind = 'recording' and n.external_id is not null)`;

/** Of a campaign `p`: it is over for so long, or, where it never is, calls are placed into it one by one. */
export const isOver = (before: number): SQL => sql`case when p.parent_id is null
  then p.sequence_id is not null or coalesce(p.ended_at < ${at(before)}, false)
  else coalesce((select q.sequence_id is not null or coalesce(q.ended_at < ${at(before)}, false)
    from campaigns q where q.id = p.parent_id), false) end`;

/** Campaigns with contacts whose turn it is. Those of one that goes on stay; of the calls of a sequence each counts by itself. */
export async function listAgedCampaigns(
  db: Db,
  { step, before, after }: { step: "clear" | "strip"; before: number; after: string },
): Promise<{ ids: string[]; next: string | undefined }> {
  const hasSome =
    step === "clear"
      ? sql`coalesce((select true from contacts c where c.campaign_id = p.id and c.ended_at is not null
              and c.cleared_at is null and c.ended_at < ${at(before)} order by c.ended_at limit 1), false)`
      : sql`coalesce((select true from contacts c where c.campaign_id = p.id and c.cleared_at is not null
              and c.phone like '+%' and c.ended_at < ${at(before)} order by c.ended_at limit 1), false)`;
  const found = await rows<{ id: string; due: boolean }>(
    db,
    sql`select p.id, ${isOver(before)} and ${hasSome} as due
        from (select * from campaigns where id > ${after === "" ? "00000000-0000-0000-0000-000000000000" : after}::uuid
              order by id limit ${CAMPAIGNS_AT_ONCE}) p order by p.id`,
  );
  return {
    ids: found.filter(({ due }) => due).map(({ id }) => id),
    next: found.length < CAMPAIGNS_AT_ONCE ? undefined : found.at(-1)?.id,
  };
}

interface OfCampaign {
  campaignId: string;
  before: number;
  after: string;
  nowMs: number;
}

/** Contacts lose their variables, sealed ones included. */
export async function clearContacts(tx: Db, { campaignId, before, after, nowMs }: OfCampaign): Promise<Aged> {
  const { when, id } = placeOf(after);
  const found = await firstRow<Looked>(
    tx,
    sql`with page as materialized (
          select c.id, c.ended_at from contacts c
          where c.campaign_id = ${campaignId}::uuid and c.ended_at is not null and c.cleared_at is null
            and c.ended_at < ${at(before)} and (c.ended_at, c.id) > (${when}::timestamptz, ${Number(id)}::bigint)
          order by c.ended_at, c.id limit ${AT_ONCE}
        ), over as materialized (
          select c.id from page p join contacts c on c.id = p.id where ${NOTHING_UNDER_WAY} order by c.id
          for update of c skip locked
        ), cleared as (
          update contacts c set variables = '{}', sealed = null, sealed_with = null, cleared_at = ${at(nowMs)}
          from over o where c.id = o.id returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from cleared) as gone,
          (select ${written(sql`ended_at`, sql`id`)} from page order by page.ended_at desc, page.id desc limit 1) as last`,
  );
  return agedOf(found, AT_ONCE);
}

/** Contacts that have no variables lose their number, with all that hangs on them. */
export async function stripAgedContacts(
  tx: Db,
  { campaignId, before, after, nowMs }: OfCampaign,
): Promise<Aged> {
  const { when, id } = placeOf(after);
  const page = await rows<{ id: number; place: string; over: boolean }>(
    tx,
    sql`select c.id, ${written(sql`c.ended_at`, sql`c.id`)} as place, (${NOTHING_UNDER_WAY} and ${NO_RECORDING}) as over
        from contacts c
        where c.campaign_id = ${campaignId}::uuid and c.cleared_at is not null and c.phone like '+%'
          and c.ended_at < ${at(before)} and (c.ended_at, c.id) > (${when}::timestamptz, ${Number(id)}::bigint)
        order by c.ended_at, c.id limit ${STRIPPED_AT_ONCE} for update skip locked`,
  );
  const ids = page.filter(({ over }) => over).map((one) => one.id);
  if (ids.length > 0)
    await rows(
      tx,
      // What a list, a callback or a clone would still be held against stays.
      sql`delete from withdrawals w using contacts c join campaigns p on p.id = c.campaign_id join campaigns q on q.id = coalesce(p.parent_id, p.id)
          where c.id in ${listOf(ids, "bigint")} and w.campaign_id = q.id and w.phone = c.phone and q.ended_at < ${at(before)}
            and not exists (select 1 from contacts o where o.campaign_id = q.id and o.phone = w.phone and o.cleared_at is null)`,
    );
  await stripContacts(tx, ids, { nowMs, because: TOO_OLD });
  return { gone: ids.length, next: page.length < STRIPPED_AT_ONCE ? undefined : page.at(-1)?.place };
}

interface Walk {
  before: number;
  after: string;
  nowMs: number;
}

/** Rows of lists that made no contact lose their text. */
export async function clearRejects(tx: Db, { before, after }: Walk): Promise<Aged> {
  const [importId = "0", line = "0"] = after === "" ? [] : after.split(" ");
  const found = await firstRow<Looked & { old: boolean | null }>(
    tx,
    sql`with page as materialized (
          select r.import_id, r.line, (select i.created_at < ${at(before)} from imports i where i.id = r.import_id) as old
          from import_rejects r
          where r.raw <> '' and (r.import_id, r.line) > (${Number(importId)}::bigint, ${Number(line)}::int)
          order by r.import_id, r.line limit ${AT_ONCE}
        ), cleared as (
          update import_rejects r set raw = '', reason = 'too old to be kept', digits = null
          from page p join imports i on i.id = p.import_id left join campaigns c on c.id = i.campaign_id
          where r.import_id = p.import_id and r.line = p.line and i.updated_at < ${at(before)}
            and (i.campaign_id is null or c.ended_at < ${at(before)})
          returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from cleared) as gone,
          (select import_id || ' ' || line from page order by import_id desc, line desc limit 1) as last,
          (select bool_or(page.old) from page) as old`,
  );
  // Lists stand in the order in which they came: behind one that is too young all are.
  if (found && found.old !== true) return { gone: found.gone, next: undefined };
  return agedOf(found, AT_ONCE);
}

/** Words of people go by their own age, but for those of whom a contact of the brand still has its variables. */
export async function removeTags(tx: Db, { before, after }: Walk): Promise<Aged> {
  // A tag may have spaces; what stands before it has none.
  const [when = FIRST, phone = "", brand = "", ...tag] = after === "" ? [] : after.split(" ");
  const found = await firstRow<Looked>(
    tx,
    sql`with page as materialized (
          select t.at, t.phone, t.brand, t.tag from tags t
          where t.at < ${at(before)} and (t.at, t.phone, t.brand, t.tag) > (${when}::timestamptz, ${phone}, ${brand}, ${tag.join(" ")})
          order by t.at, t.phone, t.brand, t.tag limit ${AT_ONCE} for update skip locked
        ), removed as (
          delete from tags t using page p
          where t.brand = p.brand and t.phone = p.phone and t.tag = p.tag
            and not coalesce((select true from contacts c join campaigns k on k.id = c.campaign_id
              where c.phone = p.phone and c.cleared_at is null and k.brand = p.brand limit 1), false)
          returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from removed) as gone,
          (select ${written(sql`at`, sql`phone || ' ' || brand || ' ' || tag`)}
           from page order by page.at desc, page.phone desc, page.brand desc, page.tag desc limit 1) as last`,
  );
  return agedOf(found, AT_ONCE);
}

/** Calls to us lose the number of whoever called. */
export async function stripInbound(tx: Db, { before, after }: Walk): Promise<Aged> {
  const { when, id } = placeOf(after);
  const found = await firstRow<Looked>(
    tx,
    sql`with page as materialized (
          select i.call_id, i.at from inbound_calls i
          where i.phone like '+%' and i.at < ${at(before)} and (i.at, i.call_id) > (${when}::timestamptz, ${id})
          order by i.at, i.call_id limit ${AT_ONCE}
        ), stripped as (
          update inbound_calls i set phone = 'forgotten' from page p
          where i.call_id = p.call_id and i.settled_at is not null returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from stripped) as gone,
          (select ${written(sql`at`, sql`call_id`)} from page order by page.at desc, page.call_id desc limit 1) as last`,
  );
  return agedOf(found, AT_ONCE);
}

/** Calls lose what was said in them. A sequence that is on its way may still branch by it. */
export async function clearCalls(tx: Db, { before, after }: Walk): Promise<Aged> {
  const { when, id } = placeOf(after);
  const found = await firstRow<Looked>(
    tx,
    sql`with page as materialized (
          select a.id, a.planned_at from attempts a
          where (a.kept is not null or a.error_text is not null) and a.planned_at < ${at(before)}
            and (a.planned_at, a.id) > (${when}::timestamptz, ${Number(id)}::bigint)
          order by a.planned_at, a.id limit ${AT_ONCE}
        ), cleared as (
          update attempts a set kept = null, error_text = null
          from page p, contacts c
          where a.id = p.id and c.id = a.contact_id and c.state in ('done', 'excluded') and a.state in ('ended', 'returned')
            and not exists (select 1 from enrolments e where e.id = c.enrolment_id and e.state = 'active')
            and not exists (select 1 from follow_ups f where f.attempt_id = a.id and f.ended_at is null)
          returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from cleared) as gone,
          (select ${written(sql`planned_at`, sql`id`)} from page order by page.planned_at desc, page.id desc limit 1) as last`,
  );
  return agedOf(found, AT_ONCE);
}

export async function clearLabels(tx: Db, { before, after }: Walk): Promise<Aged> {
  const { when, id } = placeOf(after);
  const found = await firstRow<Looked>(
    tx,
    sql`with page as materialized (
          select f.id, f.created_at from follow_ups f
          where f.labels is not null and f.created_at < ${at(before)}
            and (f.created_at, f.id) > (${when}::timestamptz, ${id === "" ? NOBODY : id}::uuid)
          order by f.created_at, f.id limit ${AT_ONCE}
        ), cleared as (
          update follow_ups f set labels = null from page p where f.id = p.id and f.ended_at is not null returning 1 as one
        )
        select (select count(*)::int from page) as looked, (select count(*)::int from cleared) as gone,
          (select ${written(sql`created_at`, sql`id`)} from page order by page.created_at desc, page.id desc limit 1) as last`,
  );
  return agedOf(found, AT_ONCE);
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Actions that are over lose what was sent and answered. One of a sequence that is on its way keeps it. */
export async function clearActions(tx: Db, { before, after, nowMs }: Walk): Promise<Aged> {
  const { when, id } = placeOf(after);
  const page = await rows<{ id: string; place: string; over: boolean }>(
    tx,
    sql`select n.id, ${written(sql`n.created_at`, sql`n.id`)} as place, n.ended_at is not null and not ${ACTION_UNDER_WAY}
            and not exists (select 1 from enrolments e where e.id = n.enrolment_id and e.state = 'active')
            and not exists (select 1 from follow_ups f where f.id = n.follow_up_id and f.ended_at is null) as over
        from actions n
        where n.schedule_run_id is null and not n.spec ? 'forgotten' and not (n.kind = 'recording' and n.external_id is not null)
          and n.created_at < ${at(before)} and (n.created_at, n.id) > (${when}::timestamptz, ${id === "" ? NOBODY : id}::uuid)
        order by n.created_at, n.id limit ${STRIPPED_AT_ONCE} for update skip locked`,
  );
  const ids = page.filter(({ over }) => over).map((one) => one.id);
  const gone =
    ids.length === 0
      ? 0
      : await stripActions(tx, sql`n.id in ${listOf(ids, "uuid")}`, { nowMs, because: TOO_OLD });
  return { gone, next: page.length < STRIPPED_AT_ONCE ? undefined : page.at(-1)?.place };
}

/** People of sequences who are over lose their number, with what happened on their way. */
export async function stripAgedEnrolments(tx: Db, { before, after, nowMs }: Walk): Promise<Aged> {
  const { when, id } = placeOf(after);
  const page = await rows<{ id: string; place: string; over: boolean }>(
    tx,
    sql`select e.id, ${written(sql`e.ended_at`, sql`e.id`)} as place, e.state <> 'active' and not exists (select 1 from actions n
              where n.enrolment_id = e.id and (${ACTION_UNDER_WAY} or (n.kind = 'recording' and n.external_id is not null))) as over
        from enrolments e
        where e.ended_at is not null and e.phone like '+%' and e.ended_at < ${at(before)}
          and (e.ended_at, e.id) > (${when}::timestamptz, ${id === "" ? NOBODY : id}::uuid)
        order by e.ended_at, e.id limit ${STRIPPED_AT_ONCE} for update skip locked`,
  );
  const ids = page.filter(({ over }) => over).map((one) => one.id);
  await stripEnrolments(tx, ids, { nowMs, because: TOO_OLD });
  return { gone: ids.length, next: page.length < STRIPPED_AT_ONCE ? undefined : page.at(-1)?.place };
}

/** Entries of the audit. The database refuses those that are younger than a year, whatever is asked for here. */
export async function removeAudit(tx: Db, { before }: Walk): Promise<Aged> {
  await rows(tx, sql`select set_config('outdial.audit_by_age', 'on', true) as set`);
  const gone = await rows(
    tx,
    sql`delete from audit where id in (select id from audit where at < ${at(before)} order by at, id limit ${AT_ONCE})
        returning 1 as one`,
  );
  return { gone: gone.length, next: gone.length < AT_ONCE ? undefined : "on" };
}

/** Recordings that are to go: the file goes first (held-elsewhere.ts). */
export function listAgedRecordings(
  db: Db,
  { before, after, limit }: { before: number; after: string; limit: number },
): Promise<{ actionId: string; file: string; keptIn: string | null; place: string }[]> {
  const { when, id } = placeOf(after);
  return rows<{ actionId: string; file: string; keptIn: string | null; place: string }>(
    db,
    sql`select n.id as "actionId", coalesce(n.external_id, '') as file, n.answer ->> 'kept_in' as "keptIn",
          ${written(sql`n.created_at`, sql`n.id`)} as place
        from actions n
        where n.kind = 'recording' and n.external_id is not null and n.created_at < ${at(before)} and n.state <> 'due'
          and (n.created_at, n.id) > (${when}::timestamptz, ${id === "" ? NOBODY : id}::uuid)
        order by n.created_at, n.id limit ${limit}`,
  );
}

/** Attempts that are looked at for one walk to the platform: those without a call are passed over. */
const ATTEMPTS_AT_ONCE = 500;

/** So long a call that is old enough, but whose outcome is not settled, holds the walk: then it is passed over for good. */
const SETTLES_WITHIN_MS = 30 * 24 * 60 * 60_000;

/**
 * The platform's records of calls that are to go, in the order in which they were planned. `place`: where the next look
 * begins, once all of them went; absent: what is behind it is younger or is waited for, or there is none.
 */
export async function listAgedCalls(
  db: Db,
  { before, after, limit }: { before: number; after: string; limit: number },
): Promise<{ calls: { callId: string; place: string }[]; place: string | undefined }> {
  const found = await rows<{
    call_id: string | null;
    place: string;
    old: boolean;
    over: boolean;
    held: boolean;
  }>(
    db,
    sql`select a.call_id, a.id::text as place, a.planned_at < ${at(before)} as old, a.state in ('ended', 'returned') as over,
          a.state not in ('ended', 'returned') and a.planned_at >= ${at(before - SETTLES_WITHIN_MS)} as held
        from attempts a where a.id > ${Number(after)} order by a.id limit ${ATTEMPTS_AT_ONCE}`,
  );
  const young = found.findIndex(({ old, held }) => !old || held);
  const old = young < 0 ? found : found.slice(0, young);
  const calls = old.flatMap(({ call_id: callId, place, over }) =>
    callId === null || !over ? [] : [{ callId, place }],
  );
  if (calls.length > limit) return { calls: calls.slice(0, limit), place: calls[limit - 1]?.place };
  return { calls, place: old.at(-1)?.place };
}

/** The same of calls to us, in the order in which they were taken in. */
export async function listAgedInbound(
  db: Db,
  { before, after, limit }: { before: number; after: string; limit: number },
): Promise<{ callId: string; place: string }[]> {
  const { when, id } = placeOf(after);
  return rows<{ callId: string; place: string }>(
    db,
    sql`select i.call_id as "callId", ${written(sql`i.created_at`, sql`i.call_id`)} as place from inbound_calls i
        where i.created_at < ${at(before)} and (i.created_at, i.call_id) > (${when}::timestamptz, ${id})
          and i.settled_at is not null
        order by i.created_at, i.call_id limit ${limit}`,
  );
}
