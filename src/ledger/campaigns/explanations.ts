import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { at, json, listOf, ms } from "../ground/sql.ts";

/*
 * Why somebody was not dialed (I7). Two kinds of record, both bounded: a refusal is one contact's, one row per
 * reason and policy version; a hold is a stretch of time for a whole campaign or one set of zones.
 */

export interface Refusal {
  contactId: number;
  reason: string;
  detail: string;
  /** The contact is due again then, by this alone. */
  untilMs?: number;
}

/** Counts refusals of due contacts: a reason that comes again under the same policy moves its last time. */
export async function recordRefusals(
  tx: Db,
  input: { refusals: readonly Refusal[]; policyVersion: number; nowMs: number },
): Promise<void> {
  if (input.refusals.length === 0) return;
  const refusals = input.refusals.map(({ untilMs, ...refusal }) => ({
    ...refusal,
    until: untilMs === undefined ? null : new Date(untilMs),
  }));
  await rows(
    tx,
    sql`insert into refusals as f (contact_id, reason, policy_version, detail, first_at, last_at, until_at)
        select r."contactId", r.reason, ${input.policyVersion}, left(r.detail, 500), ${at(input.nowMs)}, ${at(input.nowMs)}, r.until
        from jsonb_to_recordset(${json(refusals)}) as r("contactId" bigint, reason text, detail text, until timestamptz)
        order by r."contactId"
        on conflict (contact_id, reason, policy_version) do update
          set times = f.times + 1, last_at = excluded.last_at, detail = excluded.detail, until_at = excluded.until_at`,
  );
}

export interface Hold {
  /** Undefined: the whole campaign. */
  zoneSetId: number | undefined;
  reason: string;
  detail: string;
}

/**
 * Makes the open holds of a campaign those given: what is new begins now, what is gone ends now, the rest goes on,
 * with what it says now. No statement where nothing changed.
 *
 * @returns the reasons of those that were open before.
 */
export async function setHolds(
  tx: Db,
  input: { campaignId: string; holds: readonly Hold[]; policyVersion: number; nowMs: number },
): Promise<ReadonlySet<string>> {
  const { campaignId, holds, policyVersion, nowMs } = input;
  const open = await rows<{ id: number; zone_set_id: number | null; reason: string; detail: string }>(
    tx,
    sql`select id, zone_set_id, reason, detail from holds where campaign_id = ${campaignId}::uuid and until_at is null`,
  );
  const before = new Set(open.map(({ reason }) => reason));
  const keyOf = (zoneSetId: number | null | undefined, reason: string) => `${zoneSetId ?? 0} ${reason}`;
  const wanted = new Map(holds.map((hold) => [keyOf(hold.zoneSetId, hold.reason), hold]));
  const going: { id: number }[] = [];
  const otherwise: { id: number; detail: string }[] = [];
  for (const { id, zone_set_id: zoneSetId, reason, detail } of open) {
    const key = keyOf(zoneSetId, reason);
    const hold = wanted.get(key);
    if (!hold) going.push({ id });
    else if (hold.detail !== detail) otherwise.push({ id, detail: hold.detail });
    wanted.delete(key);
  }
  if (going.length > 0) {
    await rows(
      tx,
      sql`update holds set until_at = ${at(nowMs)}
          where id in ${listOf(
            going.map(({ id }) => id),
            "bigint",
          )}`,
    );
  }
  if (otherwise.length > 0) {
    await rows(
      tx,
      sql`update holds h set detail = left(r.detail, 500) from jsonb_to_recordset(${json(otherwise)}) as r(id bigint, detail text)
          where h.id = r.id`,
    );
  }
  if (wanted.size === 0) return before;
  await rows(
    tx,
    sql`insert into holds (campaign_id, zone_set_id, reason, detail, policy_version, from_at)
        select ${campaignId}::uuid, r."zoneSetId", r.reason, left(r.detail, 500), ${policyVersion}, ${at(nowMs)}
        from jsonb_to_recordset(${json([...wanted.values()])}) as r("zoneSetId" int, reason text, detail text)`,
  );
  return before;
}

/** Why somebody who is to be dialed is not dialed now. */
export interface Impediment {
  reason: string;
  detail: string;
  /** Undefined: not known. */
  sinceMs: number | undefined;
}

/**
 * What keeps an open contact from being dialed at this moment: a campaign that does not run, its open holds and those
 * of its zones, and the contact's last refusal, as far as it was not dialed since.
 */
export async function readImpediments(db: Db, contactId: number): Promise<Impediment[]> {
  const found = await rows<{ reason: string; detail: string; since_ms: number | null }>(
    db,
    sql`with c as (
          select k.id, k.campaign_id, l.zone_set_id, p.state, coalesce(p.state_reason, '') as state_reason
          from contacts k join lanes l on l.id = k.lane_id join campaigns p on p.id = k.campaign_id
          where k.id = ${contactId} and k.state = 'open')
        select c.state as reason, c.state_reason as detail, null::float8 as since_ms from c where c.state <> 'running'
        union all
        select h.reason, h.detail, ${ms(sql`h.from_at`)} from c join holds h on h.campaign_id = c.campaign_id
        where h.until_at is null and h.reason <> c.state and (h.zone_set_id is null or h.zone_set_id = c.zone_set_id)
        union all
        (select f.reason, f.detail, ${ms(sql`f.last_at`)} from c join refusals f on f.contact_id = c.id
         where not exists (select 1 from attempts a where a.contact_id = c.id and a.planned_at >= f.last_at)
         order by f.last_at desc limit 1)`,
  );
  return found.map(({ reason, detail, since_ms }) => ({ reason, detail, sinceMs: since_ms ?? undefined }));
}

/** Everything the ledger can say of why one number of one campaign was or was not dialed. */
export interface Explanation {
  contact: {
    id: number;
    line: number | null;
    phone: string;
    state: string;
    reason: string | null;
    outcome: string | null;
    zones: string[];
    /** Countries and states that they may be in, where these were kept. */
    places: string[];
    /** Null where nobody calls it before it is released. */
    dueAtMs: number | null;
    attempts: number;
  };
  attempts: {
    attemptNo: number;
    state: string;
    batchId: string;
    policyVersion: number;
    agentVersion: number | null;
    agentChangedTo: number | null;
    disposition: string | null;
    dispositionReason: string | null;
    plannedAtMs: number;
    startedAtMs: number | null;
    endedAtMs: number | null;
  }[];
  refusals: {
    reason: string;
    detail: string;
    policyVersion: number;
    times: number;
    firstAtMs: number;
    lastAtMs: number;
  }[];
  holds: {
    reason: string;
    detail: string;
    policyVersion: number;
    fromAtMs: number;
    untilAtMs: number | null;
  }[];
}

/**
 * Undefined where the campaign has no such contact. Where several calls are placed to one number: of the one that
 * is not over, else of the newest. The newest 200 holds at most.
 */
export async function explainContact(
  db: Db,
  campaignId: string,
  phone: string,
): Promise<Explanation | undefined> {
  const [contact] = await rows<Explanation["contact"] & { zoneSetId: number }>(
    db,
    sql`select c.id, c.line, c.phone, c.state, c.reason, c.outcome, z.zones, z.places, z.id as "zoneSetId",
          case when not (c.held and c.state = 'open') then ${ms(sql`c.due_at`)} end as "dueAtMs", c.attempts
        from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
        where c.campaign_id = ${campaignId}::uuid and c.phone = ${phone}
        order by c.ended_at is null desc, c.id desc limit 1`,
  );
  if (!contact) return undefined;
  const { zoneSetId, ...rest } = contact;
  return {
    contact: rest,
    attempts: await rows(
      db,
      sql`select attempt_no as "attemptNo", state, batch_id as "batchId", policy_version as "policyVersion",
            agent_version as "agentVersion", agent_changed_to as "agentChangedTo", disposition,
            disposition_reason as "dispositionReason", ${ms(sql`planned_at`)} as "plannedAtMs",
            ${ms(sql`started_at`)} as "startedAtMs", ${ms(sql`ended_at`)} as "endedAtMs"
          from attempts where contact_id = ${rest.id} order by id`,
    ),
    refusals: await rows(
      db,
      sql`select reason, detail, policy_version as "policyVersion", times, ${ms(sql`first_at`)} as "firstAtMs",
            ${ms(sql`last_at`)} as "lastAtMs"
          from refusals where contact_id = ${rest.id} order by last_at`,
    ),
    holds: await rows(
      db,
      sql`select reason, detail, policy_version as "policyVersion", ${ms(sql`from_at`)} as "fromAtMs",
            ${ms(sql`until_at`)} as "untilAtMs"
          from holds
          where campaign_id = ${campaignId}::uuid and (zone_set_id is null or zone_set_id = ${zoneSetId})
          order by from_at desc limit 200`,
    ),
  };
}
