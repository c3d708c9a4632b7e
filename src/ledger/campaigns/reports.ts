import { sql } from "drizzle-orm";

import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { readAfterwards, type Afterwards } from "./afterwards.ts";
import { readCampaign } from "./campaigns.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { isListOf, type ListOwner } from "./list-imports.ts";
import { ms } from "../ground/sql.ts";

/** What came of a campaign so far. Counted from the rows themselves, so that it can be made again any time. */
export interface CampaignReport {
  campaignId: string;
  name: string;
  run: number;
  brand: string;
  state: CampaignState;
  stateReason: string | undefined;
  policyVersion: number;
  rows: { read: number; rejected: number; duplicate: number };
  /** total = done + excluded + open, at every instant (I3); `open` includes those being dialed. */
  contacts: { total: number; done: number; excluded: number; open: number; leased: number };
  /** Attempts that count as dialed. */
  attempts: number;
  /** Final dispositions of done contacts: they add up to `contacts.done`. */
  dispositions: Record<string, number>;
  /** Of ended attempts: they add up to `attempts`. */
  attemptDispositions: Record<string, number>;
  /** Why contacts were excluded: they add up to `contacts.excluded`. */
  excludedReasons: Record<string, number>;
  batches: { total: number; unsettled: number; heldSlots: number };
  /** Seconds that answered calls lasted together, as far as the platform said. */
  talkSeconds: number;
  afterwards: Afterwards;
  createdAtMs: number;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

async function countBy(db: Db, statement: ReturnType<typeof sql>): Promise<Record<string, number>> {
  const found = await rows<{ key: string; n: number }>(db, statement);
  return Object.fromEntries(found.map((row) => [row.key, row.n]));
}

/** Undefined where there is no such campaign. Reads every contact's row: for a report, not for a loop. */
export async function readReport(db: Db, campaignId: string): Promise<CampaignReport | undefined> {
  const campaign = await readCampaign(db, campaignId);
  if (!campaign) return undefined;
  const id = sql`${campaignId}::uuid`;
  const list = await firstRow<{ read: number; rejected: number; duplicate: number }>(
    db,
    sql`select coalesce(sum(rows_read), 0)::int as read, coalesce(sum(rows_rejected), 0)::int as rejected,
          coalesce(sum(rows_duplicate), 0)::int as duplicate from imports where campaign_id = ${id}`,
  );
  const states = await countBy(
    db,
    sql`select state as key, count(*)::int as n from contacts where campaign_id = ${id} group by 1`,
  );
  const batches = await firstRow<{ total: number; unsettled: number; held: number }>(
    db,
    sql`select count(*)::int as total, count(*) filter (where state <> 'settled')::int as unsettled,
          coalesce(sum(held) filter (where state <> 'settled'), 0)::int as held from batches where campaign_id = ${id}`,
  );
  const talk = await firstRow<{ seconds: number }>(
    db,
    sql`select coalesce(sum(duration_seconds), 0)::float8 as seconds from attempts where campaign_id = ${id} and state = 'ended'`,
  );
  const { open = 0, leased = 0, done = 0, excluded = 0 } = states;
  const attemptDispositions = await countBy(
    db,
    sql`select disposition as key, count(*)::int as n from attempts where campaign_id = ${id} and state = 'ended' group by 1 order by 1`,
  );
  return {
    campaignId,
    name: campaign.name,
    run: campaign.run,
    brand: campaign.brand,
    state: campaign.state,
    stateReason: campaign.stateReason,
    policyVersion: campaign.policyVersion,
    rows: list ?? { read: 0, rejected: 0, duplicate: 0 },
    contacts: { total: open + leased + done + excluded, done, excluded, open: open + leased, leased },
    attempts: Object.values(attemptDispositions).reduce((sum, n) => sum + n, 0),
    dispositions: await countBy(
      db,
      sql`select outcome as key, count(*)::int as n from contacts where campaign_id = ${id} and state = 'done' group by 1 order by 1`,
    ),
    attemptDispositions,
    excludedReasons: await countBy(
      db,
      sql`select reason as key, count(*)::int as n from contacts where campaign_id = ${id} and state = 'excluded' group by 1 order by 1`,
    ),
    batches: {
      total: batches?.total ?? 0,
      unsettled: batches?.unsettled ?? 0,
      heldSlots: batches?.held ?? 0,
    },
    talkSeconds: talk?.seconds ?? 0,
    afterwards: await readAfterwards(db, campaignId),
    createdAtMs: campaign.createdAtMs,
    startedAtMs: campaign.startedAtMs,
    endedAtMs: campaign.endedAtMs,
  };
}

/** One contact in the results, with all its attempts. */
export interface ResultRow {
  id: number;
  line: number | null;
  phone: string;
  state: string;
  outcome: string | null;
  reason: string | null;
  attempts: number;
  /** Dispositions of its ended attempts, in order. */
  attemptDispositions: string[];
  callIds: string[];
  firstAttemptMs: number | null;
  lastAttemptMs: number | null;
  lastAttemptEndMs: number | null;
  /** The policy that each attempt was decided under, in order. */
  policyVersions: number[];
  /** The person may be in each of them. */
  zones: string[];
  /** All its calls together. */
  durationSeconds: number | null;
  variables: Record<string, string>;
  /** Words that follow-ups gave to the person, within the brand. */
  tags: string[];
}

/** Rows a page: bounds memory whatever the size of the campaign. */
const PAGE = 1_000;

/** Every contact of a campaign in the order of its list, page by page. */
export async function* streamResults(db: Db, campaignId: string): AsyncGenerator<ResultRow[]> {
  let afterId = 0;
  for (;;) {
    const page = await rows<ResultRow>(
      db,
      sql`select c.id, c.line, c.phone, c.state, c.outcome, c.reason, c.attempts, c.variables,
            coalesce(a.dispositions, '[]') as "attemptDispositions", coalesce(a.calls, '[]') as "callIds",
            coalesce(w.tags, '[]') as tags, a.first_ms as "firstAttemptMs", a.last_start_ms as "lastAttemptMs",
            a.last_ms as "lastAttemptEndMs", a.seconds as "durationSeconds", coalesce(a.policies, '[]') as "policyVersions", z.zones
          from (select * from contacts where campaign_id = ${campaignId}::uuid and id > ${afterId} order by id limit ${PAGE}) c
          join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
          left join lateral (
            select jsonb_agg(t.disposition order by t.id) filter (where t.state = 'ended') as dispositions,
              jsonb_agg(t.call_id order by t.id) filter (where t.call_id is not null) as calls,
              ${ms(sql`min(t.started_at)`)} as first_ms, ${ms(sql`max(t.started_at)`)} as last_start_ms, ${ms(sql`max(t.ended_at)`)} as last_ms,
              jsonb_agg(t.policy_version order by t.id) as policies,
              sum(t.duration_seconds)::float8 as seconds
            from attempts t where t.contact_id = c.id and t.state <> 'returned') a on true
          left join lateral (
            select jsonb_agg(g.tag order by g.tag) as tags from tags g
            where g.brand = (select p.brand from campaigns p where p.id = c.campaign_id) and g.phone = c.phone) w on true
          order by c.id`,
    );
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterId = last.id;
  }
}

export interface RejectRow {
  source: string;
  line: number;
  code: string;
  reason: string;
  raw: string;
}

/** Every row of the campaign's lists that made no contact, duplicates included, page by page. */
export async function* streamRejects(db: Db, owner: ListOwner): AsyncGenerator<RejectRow[]> {
  let after = { importId: 0, line: 0 };
  for (;;) {
    const page = await rows<RejectRow & { importId: number }>(
      db,
      sql`select r.import_id as "importId", i.source_name as source, r.line, r.code, r.reason, r.raw
          from import_rejects r join imports i on i.id = r.import_id
          where ${isListOf(owner)} and (r.import_id, r.line) > (${after.importId}, ${after.line})
          order by r.import_id, r.line limit ${PAGE}`,
    );
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = { importId: last.importId, line: last.line };
  }
}

/** Contacts with one attempt or more that counts as dialed; attempts beyond these are retries. Reads every contact. */
export async function countDialedContacts(db: Db, campaignId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from contacts where campaign_id = ${campaignId}::uuid and attempts > 0`,
  );
  return row?.n ?? 0;
}

/** Contacts read at once: a statement stays short, which the embedded ledger's other users wait for. */
const CONTACTS_AT_ONCE = 5_000;

/** The names of all variables that a campaign's contacts have, sorted. Reads every contact, page by page. */
export async function readVariableNames(db: Db, campaignId: string): Promise<string[]> {
  const names = new Set<string>();
  let afterId = 0;
  for (;;) {
    const page = await firstRow<{ last: number | null; names: string[] | null }>(
      db,
      sql`with page as (select id, variables from contacts
                        where campaign_id = ${campaignId}::uuid and id > ${afterId} order by id limit ${CONTACTS_AT_ONCE})
          select (select max(id) from page) as last,
            (select jsonb_agg(distinct k.name) from page, jsonb_object_keys(page.variables) as k(name)) as names`,
    );
    if (page === undefined || page.last === null) return [...names].sort();
    for (const name of page.names ?? []) names.add(name);
    afterId = page.last;
  }
}
