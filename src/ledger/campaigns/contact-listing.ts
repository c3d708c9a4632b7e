import { sql, type SQL } from "drizzle-orm";

import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import { shownVariables } from "../../domain/ground/sealed.ts";
import type { Disposition } from "../../domain/policy/disposition.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  document,
  from,
  flag,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, listOf } from "../ground/sql.ts";

/*
 * Contacts of a campaign, page by page, and of a number over all campaigns.
 *
 * 1. A page ends with the id of a contact, which tells nothing of a number; whoever is added later comes later.
 * 2. By state, and by what a contact came to, a page is read from an index that has no others (contacts_listed): a
 *    probe for each pair of the two that there is, some dozens, put together in the order of ids.
 * 3. Whatever else is asked for is looked for among the next LOOKED_AT of these. A page may then be shorter than was
 *    asked for, or empty, and still have another behind it: an answer is bounded however few there are.
 */

const CONTACT = record(
  {
    id: number,
    campaignId: text,
    campaign: from("p.name", text),
    run: from("p.run", number),
    brand: from("p.brand", text),
    phone: text,
    region: optional(text),
    zones: from("z.zones", texts),
    places: from("z.places", texts),
    priority: from("l.priority", number),
    line: optional(number),
    state: word<ContactState>(),
    attempts: number,
    lastDisposition: optional(word<Disposition>()),
    outcome: optional(word<Disposition>()),
    reason: optional(text),
    /** Of one that is open: when it is due; undefined: it is not open, or nobody calls it before it is released. */
    dueAtMs: from("(case when c.state = 'open' and not c.held then c.due_at end)", optional(moment)),
    held: flag,
    enrolmentId: optional(text),
    callNo: optional(number),
    actionId: optional(text),
    endedAtMs: optional(moment),
  },
  "c",
);

export interface ListedContact extends RecordOf<typeof CONTACT> {}

const VARIABLES = record(
  {
    variables: document<Record<string, string>>(),
    sealedNames: from("array(select jsonb_object_keys(c.sealed) order by 1)", texts),
  },
  "c",
);

const FROM = sql`contacts c join campaigns p on p.id = c.campaign_id join lanes l on l.id = c.lane_id
  join zone_sets z on z.id = l.zone_set_id`;

export interface ContactFilter {
  state?: ContactState | undefined;
  /** Of those who are done: what they came to. */
  outcome?: string | undefined;
  /** Why they are excluded, or done. */
  reason?: string | undefined;
  /** What their last call came to, whether or not another follows. */
  lastDisposition?: string | undefined;
  /** So many calls. */
  attempts?: number | undefined;
  /** Of those who are open and not held: due from then on, and before. */
  dueFromMs?: number | undefined;
  dueBeforeMs?: number | undefined;
  /** A rule of the gate that kept them from being called, once or more. */
  refusedBy?: string | undefined;
  phone?: string | undefined;
  /** The first digits of their numbers, with +. They come in the order of their numbers. */
  phonePrefix?: string | undefined;
}

export interface ContactPage {
  /** One more than was asked for, where there are as many. */
  contacts: ListedContact[];
  /** Where others may stand behind it whom nobody looked at: the last one that was looked at. */
  lookedThrough: number | undefined;
}

/**
 * Contacts that are looked at for one page where an index does not find them: some milliseconds. Four times as many were
 * so dear by PostgreSQL's reckoning that it compiled the statement first, which took longer than all the rest.
 */
const LOOKED_AT = 2_500;

/**
 * The contacts of a campaign behind one of them (0: from the first on), in the order in which they came in.
 *
 * @returns undefined: they are asked for in the order of their numbers, behind one that is none of the campaign's, or has
 *   no number any more.
 */
export async function listContacts(
  db: Db,
  campaign: { id: string; standing: boolean },
  { filter, after, limit }: { filter: ContactFilter; after: number; limit: number },
): Promise<ContactPage | undefined> {
  const isSearched = needsSearch(filter, campaign.standing);
  const most = isSearched ? LOOKED_AT : limit;
  // One by one, by key: a plan that takes the whole table for some thousands of its rows is not wanted here.
  const page = await firstRow<{ ids: number[]; looked: number; through: number | null }>(
    db,
    sql`with recursive ${lookedAt(campaign, { filter, after, most })}
        select coalesce(jsonb_agg(c.id order by k.place) filter (where ${conditionsOf(filter)}), '[]') as ids,
          count(*)::int as looked, (array_agg(c.id order by k.place desc))[1] as through
        from looked k cross join lateral (select * from contacts one where one.id = k.id offset 0) c`,
  );
  if (!page) return { contacts: [], lookedThrough: undefined };
  const isByNumber = inOrderOfNumbers(filter, campaign.standing);
  if (isByNumber && page.looked === 0 && after > 0 && !(await hasNumber(db, campaign.id, after)))
    return undefined;
  const ids = page.ids.slice(0, limit);
  const found = ids.length === 0 ? [] : await readListed(db, ids);
  const isCut = isSearched && page.looked === most && page.ids.length < limit;
  return { contacts: found, lookedThrough: isCut ? (page.through ?? undefined) : undefined };
}

/** Whether there is something to look for among those that an index finds. */
function needsSearch(filter: ContactFilter, isStanding: boolean): boolean {
  const { state, outcome, reason, phone, phonePrefix, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return true;
  if (phone !== undefined) return false;
  if (phonePrefix !== undefined)
    return isStanding || state !== undefined || outcome !== undefined || reason !== undefined;
  // Those who are done are told apart by what they came to, and by nothing else.
  return reason !== undefined && state !== "excluded";
}

/** Ids of those among whom the filter is asked, in the order of the list. */
function lookedAt(
  campaign: { id: string; standing: boolean },
  { filter, after, most }: { filter: ContactFilter; after: number; most: number },
): SQL {
  if (filter.phone !== undefined)
    return sql`looked (id, place) as (
        select c.id, c.id::text from contacts c
        where c.phone = ${filter.phone} and c.campaign_id = ${campaign.id}::uuid and c.id > ${after}
        order by c.id limit ${most})`;
  if (filter.phonePrefix !== undefined && inOrderOfNumbers(filter, campaign.standing))
    return numbersFrom(campaign.id, { prefix: filter.phonePrefix, after, most });
  return groupsOf(campaign.id, { filter, after, most });
}

function inOrderOfNumbers({ phone, phonePrefix }: ContactFilter, isStanding: boolean): boolean {
  return phone === undefined && phonePrefix !== undefined && !isStanding;
}

/** Those who were forgotten have none, and stand elsewhere in the order than before. */
async function hasNumber(db: Db, campaignId: string, contactId: number): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one from (${placeOfNumber(sql`${campaignId}::uuid`, contactId)}) n`,
  );
  return found.length > 0;
}

/** The number of a contact, for the order of numbers: of its own campaign alone, since what comes behind tells it. */
function placeOfNumber(campaign: SQL, contactId: number): SQL {
  return sql`select last.phone from contacts last
    where last.id = ${contactId} and last.campaign_id = ${campaign} and starts_with(last.phone, '+')`;
}

function numbersFrom(
  campaignId: string,
  { prefix, after, most }: { prefix: string; after: number; most: number },
): SQL {
  const end = endOfPrefix(prefix);
  const campaign = sql`${campaignId}::uuid`;
  // By both columns of the index, since by numbers alone those of other campaigns would be passed over one by one.
  return sql`looked (id, place) as (
      select c.id, c.phone from contacts c
      where c.placement is null and (c.campaign_id, c.phone) >= (${campaign}, ${prefix})
        and ${end === undefined ? sql`c.campaign_id <= ${campaign}` : sql`(c.campaign_id, c.phone) < (${campaign}, ${end})`}
        and ${after === 0 ? sql`true` : sql`(c.campaign_id, c.phone) > (${campaign}, (${placeOfNumber(campaign, after)}))`}
      order by c.campaign_id, c.phone limit ${most})`;
}

/** The least number behind all that begin so; undefined: there is none. All have a plus and digits, in any collation. */
export function endOfPrefix(prefix: string): string | undefined {
  const kept = prefix.replace(/9+$/, "");
  const last = Number(kept.at(-1));
  return /\d$/.test(kept) ? `${kept.slice(0, -1)}${last + 1}` : undefined;
}

/** Whoever is done has come to something, and whoever is due is open. */
function impliedState({ outcome, dueFromMs, dueBeforeMs }: ContactFilter): ContactState | undefined {
  if (outcome !== undefined) return "done";
  return dueFromMs === undefined && dueBeforeMs === undefined ? undefined : "open";
}

/**
 * Pairs of state and what came of it that there are, one probe each, and of each that is asked for the next contacts. They
 * are bounded in the order of the index, since by their ids alone another campaign's would be passed over one by one.
 */
function groupsOf(
  campaignId: string,
  { filter, after, most }: { filter: ContactFilter; after: number; most: number },
): SQL {
  const { state = impliedState(filter), outcome, reason } = filter;
  return sql`groups (state, came_to) as (
        (select c.state, coalesce(c.outcome, c.reason, '') from contacts c where c.campaign_id = ${campaignId}::uuid
         order by c.state, coalesce(c.outcome, c.reason, '') limit 1)
        union all
        select n.state, n.came_to from groups g cross join lateral (
          select c.state, coalesce(c.outcome, c.reason, '') as came_to from contacts c
          where c.campaign_id = ${campaignId}::uuid and (c.state, coalesce(c.outcome, c.reason, '')) > (g.state, g.came_to)
          order by c.state, coalesce(c.outcome, c.reason, '') limit 1) n),
      looked (id, place) as (
        select m.id, m.id from groups g cross join lateral (
          select c.id from contacts c
          where c.campaign_id = ${campaignId}::uuid
            and (c.state, coalesce(c.outcome, c.reason, ''), c.id) > (g.state, g.came_to, ${after})
            and (c.state, coalesce(c.outcome, c.reason, '')) <= (g.state, g.came_to)
          order by c.state, coalesce(c.outcome, c.reason, ''), c.id limit ${most}) m
        where ${state === undefined ? sql`true` : sql`g.state = ${state}`}
          and ${outcome === undefined ? sql`true` : sql`g.came_to = ${outcome}`}
          and ${reason === undefined ? sql`true` : sql`(g.state <> 'excluded' or g.came_to = ${reason})`}
        order by m.id limit ${most})`;
}

function conditionsOf(filter: ContactFilter): SQL {
  const { state, outcome, reason, lastDisposition, attempts, refusedBy, phonePrefix } = filter;
  const due = sql`c.state = 'open' and not c.held`;
  const conditions: SQL[] = [
    ...(state === undefined ? [] : [sql`c.state = ${state}`]),
    ...(outcome === undefined ? [] : [sql`c.state = 'done' and c.outcome = ${outcome}`]),
    ...(reason === undefined ? [] : [sql`c.state in ('done', 'excluded') and c.reason = ${reason}`]),
    ...(lastDisposition === undefined ? [] : [sql`c.last_disposition = ${lastDisposition}`]),
    ...(attempts === undefined ? [] : [sql`c.attempts = ${attempts}`]),
    ...(filter.dueFromMs === undefined ? [] : [sql`${due} and c.due_at >= ${at(filter.dueFromMs)}`]),
    ...(filter.dueBeforeMs === undefined ? [] : [sql`${due} and c.due_at < ${at(filter.dueBeforeMs)}`]),
    ...(refusedBy === undefined
      ? []
      : [
          sql`(select true from refusals f where f.contact_id = c.id and f.reason = ${refusedBy} limit 1) is true`,
        ]),
    ...(phonePrefix === undefined ? [] : [sql`starts_with(c.phone, ${phonePrefix})`]),
  ];
  return sql.join([sql`true`, ...conditions], sql` and `);
}

/** In the order of the ids that are given. */
async function readListed(db: Db, ids: readonly number[]): Promise<ListedContact[]> {
  const found = await rows(
    db,
    sql`select ${CONTACT.columns} from ${FROM} where c.id in ${listOf(ids, "bigint")}`,
    CONTACT,
  );
  const byId = new Map(found.map((contact) => [contact.id, contact]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Contacts with a number, of whatever campaign, the newest first, behind one of them. */
export function listContactsOfNumber(
  db: Db,
  input: { phone: string; brand: string | undefined; after: number | undefined; limit: number },
): Promise<ListedContact[]> {
  const { phone, brand, after, limit } = input;
  return rows(
    db,
    sql`select ${CONTACT.columns} from ${FROM}
        where c.phone = ${phone} and (${brand ?? null}::text is null or p.brand = ${brand ?? null}::text)
          and (${after ?? null}::bigint is null or c.id < ${after ?? null}::bigint)
        order by c.id desc limit ${limit}`,
    CONTACT,
  );
}

export function readContact(db: Db, contactId: number): Promise<ListedContact | undefined> {
  return firstRow(db, sql`select ${CONTACT.columns} from ${FROM} where c.id = ${contactId}`, CONTACT);
}

/**
 * A campaign's contact with a number, and what its list said of it, but for what is sensitive. Where several calls are placed to one number: the
 * one that is not over, else the newest.
 */
export async function findContact(
  db: Db,
  campaignId: string,
  phone: string,
): Promise<(ListedContact & { variables: Record<string, string> }) | undefined> {
  const contact = await firstRow(
    db,
    sql`select ${CONTACT.columns} from ${FROM} where c.campaign_id = ${campaignId}::uuid and c.phone = ${phone}
        order by c.ended_at is null desc, c.id desc limit 1`,
    CONTACT,
  );
  if (!contact) return undefined;
  const said = await firstRow(
    db,
    sql`select ${VARIABLES.columns} from contacts c where c.id = ${contact.id}`,
    VARIABLES,
  );
  return { ...contact, variables: shownVariables(said?.variables ?? {}, said?.sealedNames ?? []) };
}

/** How many of some numbers a campaign has as contacts already. */
export async function countContactsAmong(
  db: Db,
  campaignId: string,
  phones: readonly string[],
): Promise<number> {
  const counted = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from contacts where campaign_id = ${campaignId}::uuid and placement is null
          and phone in ${listOf(phones, "text")}`,
  );
  return counted?.n ?? 0;
}
