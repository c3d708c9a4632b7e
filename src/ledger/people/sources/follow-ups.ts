import { sql } from "drizzle-orm";

import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import {
  campaignOf,
  CAMPAIGN_COLUMNS,
  isOfBrand,
  isoOrNull,
  momentOf,
  OF_CONTACT,
  pageOf,
  type CampaignColumns,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* What followed the person's calls, and what was done outside for them. */

interface FollowUpRow extends EntryRow, CampaignColumns {
  followUpId: string;
  attemptId: number;
  callId: string | null;
  disposition: string;
  policyVersion: number;
  state: string;
  processing: string | null;
  rules: string[] | null;
  labels: Record<string, string> | null;
  endedMs: number | null;
}

/** Follow-ups, when they were written: with the end of their call. */
export async function readFollowedUp(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<FollowUpRow>(
    db,
    pageOf(
      sql`select 'followed-up:' || f.id as id, ${momentOf(sql`f.created_at`)}, ${CAMPAIGN_COLUMNS}, f.id as "followUpId",
            f.attempt_id as "attemptId", f.call_id as "callId", f.disposition, f.policy_version as "policyVersion", f.state,
            f.processing, f.rules, f.labels, ${ms(sql`f.ended_at`)} as "endedMs"
          from contacts c ${OF_CONTACT} join attempts a on a.contact_id = c.id join follow_ups f on f.attempt_id = a.id
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "followed_up",
    policyVersion: row.policyVersion,
    what: followUpText(row),
    facts: {
      follow_up_id: row.followUpId,
      disposition: row.disposition,
      call_id: row.callId,
      state: row.state,
      processing: row.processing,
      rules: row.rules,
      ...Object.fromEntries(
        Object.entries(row.labels ?? {}).map(([name, label]) => [`label_${name}`, label]),
      ),
      ended_at: isoOrNull(row.endedMs),
    },
  }));
}

function followUpText({ disposition, rules, state }: FollowUpRow): string {
  if (rules === null)
    return `after the call that came to ${disposition}: rules are asked once the call is processed`;
  if (rules.length === 0) return `after the call that came to ${disposition}: no rule selected it`;
  return `after the call that came to ${disposition}: by ${rules.length === 1 ? "rule" : "rules"} ${rules.join(", ")} (${state})`;
}

interface ActionRow extends EntryRow {
  brand: string;
  actionId: string;
  kind: string;
  owner: string;
  state: string;
  tries: number;
  externalId: string | null;
  error: string | null;
  endedMs: number | null;
  zones: string[];
  sequenceName: string | null;
  sequenceVersion: number | null;
  campaignName: string | null;
}

/** Actions of the person's follow-ups and enrolments. What was sent stays out: it is for its receiver. */
export async function readActed(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const { phone } = question;
  const found = await rows<ActionRow>(
    db,
    pageOf(
      sql`select 'acted:' || x.id as id, ${momentOf(sql`x.created_at`)}, o.brand, x.id as "actionId", x.kind, x.owner, x.state,
            x.tries, x.external_id as "externalId", x.error, ${ms(sql`x.ended_at`)} as "endedMs", o.zones,
            o.sequence_name as "sequenceName", o.version as "sequenceVersion", o.campaign_name as "campaignName"
          from (
            select f.id as follow_up_id, null::uuid as enrolment_id, p.brand, z.zones, null as sequence_name,
                null::int as version, p.name as campaign_name
              from contacts c ${OF_CONTACT} join attempts a on a.contact_id = c.id join follow_ups f on f.attempt_id = a.id
              where c.phone = ${phone}
            union all
            select null::uuid, e.id, s.brand, z.zones, s.name, e.version, null
              from enrolments e join sequences s on s.id = e.sequence_id join zone_sets z on z.id = e.zone_set_id
              where e.phone = ${phone}) o
            join lateral (
              select * from actions y where y.follow_up_id = o.follow_up_id
              union all
              select * from actions y where y.enrolment_id = o.enrolment_id) x on true
          where ${isOfBrand(sql`o.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "acted",
    brand: row.brand,
    zones: row.zones,
    ...(row.sequenceName !== null &&
      row.sequenceVersion !== null && { sequence: { name: row.sequenceName, version: row.sequenceVersion } }),
    what: `${row.kind} of ${row.owner}: ${row.state}${row.tries > 1 ? ` after ${row.tries} tries` : ""}`,
    facts: {
      action_id: row.actionId,
      action: row.kind,
      owner: row.owner,
      state: row.state,
      tries: row.tries,
      started: row.externalId,
      error: row.error,
      campaign: row.campaignName,
      ended_at: isoOrNull(row.endedMs),
    },
  }));
}
