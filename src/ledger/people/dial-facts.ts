import { sql } from "drizzle-orm";

import { campaignSpecSchema, policyOf, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { DialFacts } from "../../domain/people/dial-facts.ts";
import { CONVERSATIONS, DISPOSITIONS } from "../../domain/policy/disposition.ts";
import type { ConsentBasis } from "../../domain/policy/consent.ts";
import { asksConsent, type DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { NO_DATES, type DateSpan } from "../../domain/policy/window-dates.ts";
import { acceptedAt } from "../campaigns/contact-facts.ts";
import { rows, type Db } from "../ground/connection.ts";
import { MOST_RECORDS } from "../ground/consents.ts";
import { document, from, moment, number, optional, record, text } from "../ground/record.ts";
import { json, listOf, ms } from "../ground/sql.ts";
import { toldFirst } from "../ground/suppressions.ts";
import type { FoundEntry } from "./source.ts";

/* What was in force, and what had happened, when calls were permitted. */

const POLICY_VERSION = record(
  {
    campaignId: text,
    campaignName: from("p.name", text),
    run: from("p.run", number),
    brand: from("p.brand", text),
    version: number,
    spec: document((spec) => campaignSpecSchema.parse(spec)),
    actor: text,
    createdAtMs: moment,
  },
  "v",
);

/** A version of a campaign's policy, as it was. */
export interface PolicyVersion {
  campaignId: string;
  campaignName: string;
  run: number;
  brand: string;
  version: number;
  spec: CampaignSpec;
  actor: string;
  createdAtMs: number;
}

/** Those that entries cite, each once. */
export function readCitedPolicies(db: Db, entries: readonly FoundEntry[]): Promise<PolicyVersion[]> {
  const cited = entries.flatMap(({ campaign, policyVersion: version }) =>
    campaign && version !== undefined ? [{ id: campaign.id, version }] : [],
  );
  if (cited.length === 0) return Promise.resolve([]);
  return rows(
    db,
    sql`select ${POLICY_VERSION.columns} from policy_versions v join campaigns p on p.id = v.campaign_id
        where (v.campaign_id, v.version) in (select r.id, r.version from jsonb_to_recordset(${json(cited)}) as r(id uuid, version int))
        order by p.created_at, p.id, v.version`,
    POLICY_VERSION,
  );
}

const PAST_BLACKOUT = record({
  brand: optional(text),
  fromDay: from("(from_day - date '1970-01-01')", number),
  lastDay: from("(last_day - date '1970-01-01')", number),
  name: text,
  createdAtMs: moment,
  removedAtMs: optional(moment),
});

export interface PastBlackout extends DateSpan {
  brand: string | undefined;
  createdAtMs: number;
  removedAtMs: number | undefined;
}

/** Every blackout whose days reach into a stretch of time, those that were taken back as well. */
export function readBlackoutsOf(
  db: Db,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<PastBlackout[]> {
  return rows(
    db,
    sql`select ${PAST_BLACKOUT.columns} from blackouts
        where last_day >= ${dateOf(fromMs - DAY_MS)}::date and from_day <= ${dateOf(untilMs + DAY_MS)}::date
        order by id`,
    PAST_BLACKOUT,
  );
}

const DAY_MS = 86_400_000;

/** Local dates are a day off at most. */
function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A call that was permitted, and the policy that permitted it. */
export interface DialQuestion {
  attemptId: number;
  permittedMs: number;
  startedMs: number | undefined;
  zones: readonly string[];
  places: readonly string[];
  policy: DialingPolicy;
}

interface DialRow {
  attempt: number;
  phone: string;
  suppression: DialFacts["suppression"] | null;
  listing: DialFacts["suppression"] | null;
  consents: { basis: ConsentBasis | null; atMs: number; expiresAtMs: number | null }[] | null;
  lists: { source: string; maxAgeMs: number; renewedAtMs: number | null }[] | null;
  changedSources: string[] | null;
  sources: DialFacts["sources"] | null;
  scrubbers:
    | (Omit<DialFacts["scrubbers"][number], "last"> & { askedAtMs: number | null; listed: boolean | null })[]
    | null;
  before: DialFacts["before"] | null;
  lastDisposition: string | null;
  calledUsMs: number | null;
  lastOfOthersMs: number | null;
  lastOfOwnMs: number | null;
  lastOfOtherCampaignsMs: number | null;
  counted: number[] | null;
  heldMicros: number;
  costMicros: number | null;
  costTold: boolean;
  isSimulated: boolean;
}

/** As the index attempts_called has it. */
const CALLED_AT = sql`coalesce(o.ended_at, o.settled_at, o.planned_at)`;
const IS_CALL = sql`o.state in ('provisional', 'ended')`;

/** Of source `l`: it was there at the moment of dial `d`, and bound the brand then, or may have. */
const MAY_HAVE_BOUND = sql`l.created_at <= d.at and (l.removed_at is null or l.removed_at > d.at)
  and (l.brand is null or l.brand = p.brand or l.changed_at > d.at)`;

/** The load of source `l` whose list was in force then: of two that were taken the later one has the higher number. */
const LOAD_THEN = sql`(select t.generation, t.as_of from suppression_loads t
  where t.source_id = l.id and t.state = 'taken' and t.ended_at <= d.at order by t.generation desc limit 1)`;

/** A last call that is longer ago is told as none. */
const LOOK_BACK_MS = DAY_MS;

/**
 * What the ledger shows of the moments in which calls were permitted, one statement for all of them: each looks at the
 * calls of its number by their index, backwards from its moment, and no further than its policy reaches. Sources of
 * suppressions are few; their loads are found by the source, the newest first.
 */
export async function readDialFacts(db: Db, dials: readonly DialQuestion[]): Promise<Map<number, DialFacts>> {
  if (dials.length === 0) return new Map();
  const asked = dials.map(({ attemptId, permittedMs, policy }) => ({
    attempt: attemptId,
    asks: asksConsent(policy),
    at: new Date(permittedMs).toISOString(),
    since: new Date(
      permittedMs - Math.max(LOOK_BACK_MS, policy.leastGapMs, policy.notCalledWithinMs ?? 0),
    ).toISOString(),
    caps: policy.frequency.map(({ counts, withinMs, across, atMost }, n) => ({
      n,
      counts,
      across,
      most: atMost + 1,
      since: new Date(permittedMs - withinMs).toISOString(),
    })),
  }));
  const found = await rows<DialRow>(
    db,
    sql`select d.attempt, a.phone,
          (select jsonb_build_object('source', s.source, 'reason', s.reason, 'sinceMs', ${ms(sql`s.created_at`)}, 'isSure', true)
             from suppressions s where s.phone = a.phone and (s.brand is null or s.brand = p.brand) and s.created_at <= d.at
               and (s.removed_at is null or s.removed_at > d.at) and (s.expires_at is null or s.expires_at > d.at)
             order by ${toldFirst(sql`s.said_by`)}, s.brand nulls first, s.expires_at desc nulls first, s.created_at, s.id limit 1) as suppression,
          (select jsonb_build_object('source', l.name, 'reason', 'on the list of type ' || l.type,
                    'sinceMs', ${ms(sql`f.ended_at`)}, 'isSure', l.changed_at is null or l.changed_at <= d.at)
             from listed_numbers n join suppression_sources l on l.id = n.source_id
               join suppression_loads f on f.source_id = n.source_id and f.generation = n.from_generation
               cross join lateral ${LOAD_THEN} g
             where n.phone = a.phone and ${MAY_HAVE_BOUND}
               and n.from_generation <= g.generation and n.through_generation >= g.generation
             order by (l.changed_at > d.at) nulls first, l.brand nulls first, l.name limit 1) as listing,
          case when d.asks then
            (select jsonb_agg(jsonb_build_object('basis', k.basis, 'atMs', ${ms(sql`k.at`)}, 'expiresAtMs', ${ms(sql`k.expires_at`)})
                      order by k.at, k.id)
               from (select o.id, o.basis, o.at, o.expires_at from consents o
                     where o.phone = a.phone and o.brand = p.brand and o.recorded_at <= d.at
                     order by o.at desc, o.id desc limit ${MOST_RECORDS}) k) end as consents,
          (select jsonb_agg(jsonb_build_object('source', l.name, 'maxAgeMs', l.max_age_ms,
                    'renewedAtMs', (select ${ms(sql`g.as_of`)} from ${LOAD_THEN} g)) order by l.name)
             from suppression_sources l
             where ${MAY_HAVE_BOUND} and l.max_age_ms is not null
               and (l.changed_at is null or l.changed_at <= d.at)) as lists,
          (select jsonb_agg(l.name order by l.name) from suppression_sources l
             where ${MAY_HAVE_BOUND} and l.changed_at > d.at) as "changedSources",
          (select jsonb_agg(jsonb_build_object('source', l.name,
                    'hasList', l.scrub_url is not null or exists (select 1 from ${LOAD_THEN} g),
                    'isSure', l.changed_at is null or l.changed_at <= d.at) order by l.name)
             from suppression_sources l where ${MAY_HAVE_BOUND}) as sources,
          (select jsonb_agg(jsonb_build_object('source', l.name, 'cacheMs', l.cache_ms, 'whenAway', l.when_away,
                    'isSure', l.changed_at is null or l.changed_at <= d.at,
                    'askedAtMs', ${ms(sql`r.asked_at`)}, 'listed', r.listed) order by l.name)
             from suppression_sources l left join lateral (
               select q.asked_at, q.listed from scrub_answers q
                 where q.source_id = l.id and q.phone = a.phone and q.listed is not null and q.asked_at <= d.at
                   and (q.listed or q.asked_at >= l.scrub_since or l.scrub_since > d.at)
                 order by q.asked_at desc limit 1) r on true
             where ${MAY_HAVE_BOUND} and l.scrub_url is not null) as scrubbers,
          (select jsonb_object_agg(b.disposition, b.n) from (
             select coalesce(o.disposition, 'unknown') as disposition, count(*) as n from attempts o
               where o.contact_id = a.contact_id and ${IS_CALL} and o.attempt_no < a.attempt_no group by 1) b) as before,
          (select o.disposition from attempts o
             where o.contact_id = a.contact_id and ${IS_CALL} and o.attempt_no < a.attempt_no
             order by o.attempt_no desc limit 1) as "lastDisposition",
          (select ${ms(sql`max(i.at)`)} from inbound_calls i
             where i.phone = a.phone and i.at <= d.at and i.at >= ${acceptedAt}) as "calledUsMs",
          (select greatest(
             (select ${ms(CALLED_AT)} from attempts o join campaigns k on k.id = o.campaign_id
                where o.phone = a.phone and ${IS_CALL} and ${CALLED_AT} > d.since and ${CALLED_AT} <= d.at
                  and k.brand = p.brand and o.contact_id <> a.contact_id
                order by ${CALLED_AT} desc limit 1),
             (select ${ms(sql`max(u.dialed_until)`)} from unbooked_dials u
                where u.phone = a.phone and u.dialed_until > d.since and u.dialed_until <= d.at
                  and coalesce(u.brand, p.brand) = p.brand))) as "lastOfOthersMs",
          (select ${ms(CALLED_AT)} from attempts o
             where o.contact_id = a.contact_id and ${IS_CALL} and o.attempt_no < a.attempt_no
               and ${CALLED_AT} > d.since and ${CALLED_AT} <= d.at
             order by ${CALLED_AT} desc limit 1) as "lastOfOwnMs",
          (select greatest(
             (select ${ms(CALLED_AT)} from attempts o join campaigns k on k.id = o.campaign_id
                where o.phone = a.phone and ${IS_CALL} and ${CALLED_AT} > d.since and ${CALLED_AT} <= d.at
                  and k.brand = p.brand and o.campaign_id <> p.id and k.parent_id is distinct from p.id
                order by ${CALLED_AT} desc limit 1),
             (select ${ms(sql`max(u.dialed_until)`)} from unbooked_dials u
                where u.phone = a.phone and u.dialed_until > d.since and u.dialed_until <= d.at
                  and coalesce(u.brand, p.brand) = p.brand))) as "lastOfOtherCampaignsMs",
          (select jsonb_agg(
               (select count(*) from (
                  select 1 from attempts o join campaigns k on k.id = o.campaign_id
                    where o.phone = a.phone and ${IS_CALL} and ${CALLED_AT} > cap.since and ${CALLED_AT} <= d.at
                      and o.id <> a.id and (cap.across = 'everything' or k.brand = p.brand)
                      and (cap.counts = 'attempts'
                        or (o.state = 'ended' and o.disposition in ${listOf(CONVERSATIONS, "text")}))
                    limit cap.most) o) +
               (select count(*) from unbooked_dials u
                  where u.phone = a.phone and u.dialed_until > cap.since and u.dialed_until <= d.at
                    and (cap.across = 'everything' or coalesce(u.brand, p.brand) = p.brand))
               order by cap.n)
             from jsonb_to_recordset(d.caps) as cap(n int, counts text, across text, since timestamptz, most bigint)) as counted,
          h.call_micros as "heldMicros", a.cost_micros as "costMicros", a.cost_told as "costTold",
          coalesce((select i.simulated from installation i), false) as "isSimulated"
        from jsonb_to_recordset(${json(asked)}) as d(attempt bigint, asks boolean, at timestamptz, since timestamptz, caps jsonb)
          join attempts a on a.id = d.attempt join contacts c on c.id = a.contact_id join campaigns p on p.id = a.campaign_id
          join batches h on h.id = a.batch_id`,
  );
  const byAttempt = new Map(dials.map((dial) => [dial.attemptId, dial]));
  return new Map(
    found.flatMap((row): [number, DialFacts][] => {
      const dial = byAttempt.get(row.attempt);
      return dial ? [[row.attempt, factsOf(row, dial)]] : [];
    }),
  );
}

function factsOf(row: DialRow, { permittedMs, startedMs, zones, places }: DialQuestion): DialFacts {
  const last = DISPOSITIONS.find((disposition) => disposition === row.lastDisposition);
  return {
    phone: row.phone,
    zones,
    places,
    permittedMs,
    startedMs,
    suppression: row.suppression ?? row.listing ?? undefined,
    consents: (row.consents ?? []).map(({ basis, atMs, expiresAtMs }) => ({
      basis: basis ?? undefined,
      atMs,
      expiresAtMs: expiresAtMs ?? undefined,
    })),
    lists: (row.lists ?? []).map(({ source, maxAgeMs, renewedAtMs }) => ({
      source,
      maxAgeMs,
      renewedAtMs: renewedAtMs ?? undefined,
    })),
    changedSources: row.changedSources ?? [],
    sources: row.sources ?? [],
    scrubbers: (row.scrubbers ?? []).map(({ askedAtMs, listed, ...service }) => ({
      ...service,
      last: askedAtMs === null || listed === null ? undefined : { askedAtMs, listed },
    })),
    before: row.before ?? {},
    lastDisposition: last,
    calledUsMs: row.calledUsMs ?? undefined,
    lastOfOthersMs: row.lastOfOthersMs ?? undefined,
    lastOfOwnMs: row.lastOfOwnMs ?? undefined,
    lastOfOtherCampaignsMs: row.lastOfOtherCampaignsMs ?? undefined,
    counted: row.counted ?? [],
    money: { heldMicros: row.heldMicros, costMicros: row.costMicros ?? undefined, isTold: row.costTold },
    isSimulated: row.isSimulated,
  };
}

/** The policy that permitted a call, with the blackouts that were in force then. */
export function policyThen(
  { spec, version, brand }: PolicyVersion,
  blackouts: readonly PastBlackout[],
  atMs: number,
): DialingPolicy {
  const policy = policyOf(spec, version);
  const then = blackouts.filter(
    (one) =>
      (one.brand === undefined || one.brand === brand) &&
      one.createdAtMs <= atMs &&
      (one.removedAtMs === undefined || one.removedAtMs > atMs),
  );
  if (then.length === 0) return policy;
  const { window } = policy;
  return { ...policy, window: { ...window, dates: { ...(window.dates ?? NO_DATES), blackouts: then } } };
}
