import { sql } from "drizzle-orm";

import { budgetCapsOf } from "../../domain/campaigns/budget-spec.ts";
import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { readAfterwards, type Afterwards } from "./afterwards.ts";
import { CONVERSATIONS } from "../../domain/policy/disposition.ts";
import type { VariantTally } from "../../domain/campaigns/variants.ts";
import { readSpending, type Spending } from "./budgets.ts";
import { readCampaign, type Campaign } from "./campaigns.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { isListOf, type ListOwner } from "./list-imports.ts";
import { json, listOf, ms } from "../ground/sql.ts";

/** What came of a campaign so far. Counted from the rows themselves, so that it can be made again any time. */
export interface CampaignReport {
  campaignId: string;
  name: string;
  run: number;
  brand: string;
  state: CampaignState;
  stateReason: string | undefined;
  policyVersion: number;
  /** With their versions. */
  presets: readonly string[];
  /** Rules of presets that it does not keep to. */
  overrides: readonly { rule: string; reason: string }[];
  rows: { read: number; rejected: number; duplicate: number };
  /** total = done + excluded + open, at every instant (I3); `open` includes those being dialed. */
  contacts: { total: number; done: number; excluded: number; open: number; leased: number };
  /** Contacts with one attempt or more that counts as dialed; attempts beyond these are retries. */
  contactsDialed: number;
  /** Attempts that count as dialed. */
  attempts: number;
  /** Final dispositions of done contacts: they add up to `contacts.done`. */
  dispositions: Record<string, number>;
  /** Of ended attempts: they add up to `attempts`. */
  attemptDispositions: Record<string, number>;
  /** Of each variant whose people were called, by its name. */
  variants: VariantReport[];
  /** The same by the agent's version, by agent and number. */
  agentVersions: AgentVersionReport[];
  /** Why contacts were excluded: they add up to `contacts.excluded`. */
  excludedReasons: Record<string, number>;
  batches: { total: number; unsettled: number; heldSlots: number };
  /** Seconds that answered calls lasted together, as far as the platform said. */
  talkSeconds: number;
  /** Of it and its callbacks. */
  spending: Spending;
  budget: CampaignSpec["budget"];
  /** Its ended attempts, and those of its callbacks, that came to a conversation. */
  conversations: number;
  afterwards: Afterwards;
  createdAtMs: number;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

export interface VariantReport extends VariantTally {
  name: string;
  attempts: number;
  attemptDispositions: Record<string, number>;
}

export interface AgentVersionReport {
  agentId: string;
  /** Undefined: the platform did not say which was published. */
  version: number | undefined;
  attempts: number;
  /** Of these, calls of which nobody knows whether the next version spoke already. */
  changedUnderWay: number;
  attemptDispositions: Record<string, number>;
}

/** In one pass over the campaign's attempts. */
async function countAgentVersions(db: Db, campaignId: string): Promise<AgentVersionReport[]> {
  const found = await rows<{
    agent_id: string;
    version: number | null;
    disposition: string | null;
    n: number;
    changed: number;
  }>(
    db,
    sql`select b.agent_id, a.agent_version as version, a.disposition, count(*)::int as n, count(a.agent_changed_to)::int as changed
        from attempts a join batches b on b.id = a.batch_id
        where a.campaign_id = ${campaignId}::uuid and a.state = 'ended' group by 1, 2, 3 order by 1, 2 nulls first, 3`,
  );
  const versions = new Map<string, AgentVersionReport>();
  for (const { agent_id: agentId, version, disposition, n, changed } of found) {
    const key = JSON.stringify([agentId, version]);
    const none = { agentId, version: version ?? undefined, attempts: 0, changedUnderWay: 0 };
    const one = versions.get(key) ?? { ...none, attemptDispositions: {} };
    versions.set(key, one);
    one.attempts += n;
    one.changedUnderWay += changed;
    one.attemptDispositions[disposition ?? "unknown"] = n;
  }
  return [...versions.values()];
}

/** In one pass over the campaign's attempts, where it has variants. */
async function countVariants(db: Db, { id, spec }: Campaign): Promise<VariantReport[]> {
  if (!spec.variants) return [];
  const found = await rows<{
    variant: string | null;
    contacts: number;
    reached: number;
    attempts: number;
    dispositions: Record<string, number> | null;
  }>(
    db,
    sql`with ended as (
          select b.variant, a.contact_id, a.disposition from attempts a join batches b on b.id = a.batch_id
          where a.campaign_id = ${id}::uuid and a.state = 'ended')
        select e.variant, count(distinct e.contact_id)::int as contacts,
          (count(distinct e.contact_id) filter (where e.disposition in ${listOf(CONVERSATIONS, "text")}))::int as reached,
          count(*)::int as attempts,
          (select jsonb_object_agg(d.disposition, d.n) from
            (select i.disposition, count(*) as n from ended i where i.variant = e.variant group by 1) d) as dispositions
        from ended e where e.variant is not null group by e.variant`,
  );
  return spec.variants.map(({ name }) => {
    const row = found.find(({ variant }) => variant === name);
    const { contacts = 0, reached = 0, attempts = 0 } = row ?? {};
    return { name, contacts, reached, attempts, attemptDispositions: row?.dispositions ?? {} };
  });
}

/** In one pass over the campaign's contacts. */
async function countContacts(db: Db, campaignId: string) {
  const found = await rows<{
    state: "open" | "leased" | "done" | "excluded";
    came: string | null;
    n: number;
    dialed: number;
  }>(
    db,
    sql`select state, case state when 'done' then outcome when 'excluded' then reason end as came, count(*)::int as n,
          (count(*) filter (where attempts > 0))::int as dialed
        from contacts where campaign_id = ${campaignId}::uuid group by 1, 2 order by 1, 2`,
  );
  const of = (state: string) => found.filter((row) => row.state === state);
  const came = (state: string) => Object.fromEntries(of(state).map((row) => [row.came ?? "none", row.n]));
  const sum = (counted: readonly { n: number }[]) => counted.reduce((total, { n }) => total + n, 0);
  const [leased, done, excluded] = [sum(of("leased")), sum(of("done")), sum(of("excluded"))];
  return {
    contacts: {
      total: sum(found),
      done,
      excluded,
      open: sum(of("open")) + leased,
      leased,
    },
    contactsDialed: found.reduce((total, { dialed }) => total + dialed, 0),
    dispositions: came("done"),
    excludedReasons: came("excluded"),
  };
}

/** In one pass over the campaign's attempts. */
async function countAttempts(db: Db, campaignId: string) {
  const found = await rows<{ disposition: string; n: number; seconds: number }>(
    db,
    sql`select disposition, count(*)::int as n, coalesce(sum(duration_seconds), 0)::float8 as seconds
        from attempts where campaign_id = ${campaignId}::uuid and state = 'ended' group by 1 order by 1`,
  );
  return {
    attempts: found.reduce((total, { n }) => total + n, 0),
    attemptDispositions: Object.fromEntries(found.map(({ disposition, n }) => [disposition, n])),
    talkSeconds: found.reduce((total, { seconds }) => total + seconds, 0),
  };
}

/** Of a campaign and its callbacks, as what they spent is: a call's price is that of all of them. */
async function countConversations(db: Db, accountId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from attempts a
        where a.campaign_id in (select c.id from campaigns c where c.id = ${accountId}::uuid or c.parent_id = ${accountId}::uuid)
          and a.state = 'ended'
          and a.disposition in ${listOf(CONVERSATIONS, "text")}`,
  );
  return row?.n ?? 0;
}

/** Undefined where there is no such campaign. Reads every contact's row: for a report, not for a loop. */
export async function readReport(
  db: Db,
  campaignId: string,
  nowMs = Date.now(),
): Promise<CampaignReport | undefined> {
  const campaign = await readCampaign(db, campaignId);
  if (!campaign) return undefined;
  const id = sql`${campaignId}::uuid`;
  const list = await firstRow<{ read: number; rejected: number; duplicate: number }>(
    db,
    sql`select coalesce(sum(rows_read), 0)::int as read, coalesce(sum(rows_rejected), 0)::int as rejected,
          coalesce(sum(rows_duplicate), 0)::int as duplicate from imports where campaign_id = ${id}`,
  );
  const batches = await firstRow<{ total: number; unsettled: number; held: number }>(
    db,
    sql`select count(*)::int as total, count(*) filter (where state <> 'settled')::int as unsettled,
          coalesce(sum(held) filter (where state <> 'settled'), 0)::int as held from batches where campaign_id = ${id}`,
  );
  return {
    campaignId,
    name: campaign.name,
    run: campaign.run,
    brand: campaign.brand,
    state: campaign.state,
    stateReason: campaign.stateReason,
    policyVersion: campaign.policyVersion,
    presets: campaign.spec.presets ?? [],
    overrides: campaign.spec.override ?? [],
    rows: list ?? { read: 0, rejected: 0, duplicate: 0 },
    ...(await countContacts(db, campaignId)),
    ...(await countAttempts(db, campaignId)),
    variants: await countVariants(db, campaign),
    agentVersions: await countAgentVersions(db, campaignId),
    batches: {
      total: batches?.total ?? 0,
      unsettled: batches?.unsettled ?? 0,
      heldSlots: batches?.held ?? 0,
    },
    spending: await readSpending(
      db,
      campaign.parentId ?? campaignId,
      nowMs,
      budgetCapsOf(campaign.spec.budget).zone,
    ),
    budget: campaign.spec.budget,
    conversations: await countConversations(db, campaign.parentId ?? campaignId),
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
  /** The version of the agent that was published when each attempt's batch began, in order; null: not known. */
  agentVersions: (number | null)[];
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

/**
 * Every contact of a campaign in the order of its list, page by page. The next one is read while somebody works with the
 * one before.
 */
export async function* streamResults(db: Db, campaignId: string): AsyncGenerator<ResultRow[]> {
  const read = (afterId: number) =>
    rows<ResultRow>(
      db,
      sql`select c.id, c.line, c.phone, c.state, c.outcome, c.reason, c.attempts, c.variables,
            coalesce(a.dispositions, '[]') as "attemptDispositions", coalesce(a.calls, '[]') as "callIds",
            coalesce(w.tags, '[]') as tags, a.first_ms as "firstAttemptMs", a.last_start_ms as "lastAttemptMs",
            a.last_ms as "lastAttemptEndMs", a.seconds as "durationSeconds", coalesce(a.policies, '[]') as "policyVersions",
            coalesce(a.agents, '[]') as "agentVersions", z.zones
          from (select * from contacts where campaign_id = ${campaignId}::uuid and id > ${afterId} order by id limit ${PAGE}) c
          join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
          left join lateral (
            select jsonb_agg(t.disposition order by t.id) filter (where t.state = 'ended') as dispositions,
              jsonb_agg(t.call_id order by t.id) filter (where t.call_id is not null) as calls,
              ${ms(sql`min(t.started_at)`)} as first_ms, ${ms(sql`max(t.started_at)`)} as last_start_ms, ${ms(sql`max(t.ended_at)`)} as last_ms,
              jsonb_agg(t.policy_version order by t.id) as policies, jsonb_agg(t.agent_version order by t.id) as agents,
              sum(t.duration_seconds)::float8 as seconds
            from attempts t where t.contact_id = c.id and t.state <> 'returned') a on true
          left join lateral (
            select jsonb_agg(g.tag order by g.tag) as tags from tags g
            where g.brand = (select p.brand from campaigns p where p.id = c.campaign_id) and g.phone = c.phone) w on true
          order by c.id`,
    );
  let reading = read(0);
  for (;;) {
    const page = await reading;
    const last = page.at(-1);
    if (!last) return;
    reading = read(last.id);
    // Whoever stops before it reads it hears of no failure of it.
    reading.catch(() => {});
    yield page;
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

/** Contacts read at once: a statement stays short, which the embedded ledger's other users wait for. */
const CONTACTS_AT_ONCE = 20_000;

/** The names of all variables that a campaign's contacts have, sorted. Reads every contact, page by page. */
export async function readVariableNames(
  db: Db,
  campaignId: string,
  atOnce = CONTACTS_AT_ONCE,
): Promise<string[]> {
  const names = new Set<string>();
  const ofCampaign = sql`campaign_id = ${campaignId}::uuid`;
  for (let afterId = 0; ;) {
    // A list's rows mostly have the same names: whoever has no others is passed over.
    const page = await firstRow<{ last: number | null; other: number | null }>(
      db,
      sql`select max(id) as last, min(id) filter (
              where variables - array(select jsonb_array_elements_text(${json([...names])})) <> '{}') as other
          from (select id, variables from contacts where ${ofCampaign} and id > ${afterId}
                order by id limit ${atOnce}) page`,
    );
    if (page === undefined || page.last === null) return [...names].sort();
    if (page.other !== null) {
      const found = await rows<{ name: string }>(
        db,
        sql`select distinct k.name from contacts, jsonb_object_keys(variables) as k(name)
            where ${ofCampaign} and id between ${page.other} and ${page.last}`,
      );
      for (const { name } of found) names.add(name);
    }
    afterId = page.last;
  }
}
