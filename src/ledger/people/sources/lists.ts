import { sql } from "drizzle-orm";

import { writingsOf } from "../../../domain/ground/number-in-text.ts";
import { acceptedAt } from "../../campaigns/contact-facts.ts";
import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import {
  campaignOf,
  CAMPAIGN_COLUMNS,
  isOfBrand,
  isoOf,
  momentOf,
  OF_CONTACT,
  pageOf,
  type CampaignColumns,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* How the number came into campaigns, how it left them, and rows of lists that made nobody of it. */

interface ListedRow extends EntryRow, CampaignColumns {
  contactId: number;
  line: number | null;
  listName: string | null;
  digest: string | null;
  enrolmentId: string | null;
  actionId: string | null;
  variables: Record<string, string>;
}

/** Contacts, when they were accepted. */
export async function readListed(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<ListedRow>(
    db,
    pageOf(
      sql`select 'listed:' || c.id as id, ${momentOf(acceptedAt)}, ${CAMPAIGN_COLUMNS}, c.id as "contactId", c.line,
            i.source_name as "listName", i.digest, c.enrolment_id as "enrolmentId", c.action_id as "actionId", c.variables
          from contacts c ${OF_CONTACT} left join imports i on i.id = c.import_id
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "listed",
    what: listedText(row),
    facts: {
      contact_id: row.contactId,
      list: row.listName,
      list_sha256: row.digest,
      line: row.line,
      enrolment_id: row.enrolmentId,
      action_id: row.actionId,
      ...Object.fromEntries(Object.entries(row.variables).map(([name, value]) => [`var_${name}`, value])),
    },
  }));
}

function listedText({ listName, line, enrolmentId, actionId }: ListedRow): string {
  if (enrolmentId !== null) return "a step of a sequence asked for a call";
  if (actionId !== null) return "a follow-up asked for a call back";
  return listName === null
    ? "became a contact"
    : `became a contact, by line ${line ?? "?"} of the list ${listName}`;
}

interface ThroughRow extends EntryRow, CampaignColumns {
  contactId: number;
  state: string;
  outcome: string | null;
  reason: string | null;
  attempts: number;
}

/** Contacts, when they were done or excluded. */
export async function readThrough(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<ThroughRow>(
    db,
    pageOf(
      sql`select 'through:' || c.id as id, ${momentOf(sql`c.ended_at`)}, ${CAMPAIGN_COLUMNS}, c.id as "contactId", c.state,
            c.outcome, c.reason, c.attempts
          from contacts c ${OF_CONTACT}
          where c.phone = ${question.phone} and c.ended_at is not null and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "through",
    what:
      row.state === "done"
        ? `nobody calls the number in this campaign any more: ${row.outcome ?? row.reason ?? "done"}`
        : `was left out of this campaign: ${row.reason ?? "excluded"}`,
    facts: {
      contact_id: row.contactId,
      state: row.state,
      outcome: row.outcome,
      reason: row.reason,
      calls: row.attempts,
    },
  }));
}

interface WithdrawnRow extends EntryRow, CampaignColumns {
  contactId: number;
  actor: string;
  reason: string;
}

/** Whoever is taken out of a campaign is out of its callbacks, too: it is told once, of the campaign. */
export async function readWithdrawn(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<WithdrawnRow>(
    db,
    pageOf(
      sql`select 'withdrawn:' || c.id as id, ${momentOf(sql`w.at`)}, ${CAMPAIGN_COLUMNS}, c.id as "contactId", w.actor, w.reason
          from contacts c ${OF_CONTACT} join withdrawals w on w.campaign_id = c.campaign_id and w.phone = c.phone
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "withdrawn",
    what: `was taken out of this campaign: ${row.reason}`,
    facts: { contact_id: row.contactId, reason: row.reason, by: row.actor },
  }));
}

interface RejectedRow extends EntryRow {
  brand: string;
  campaignName: string | null;
  sequenceName: string | null;
  listName: string;
  digest: string;
  line: number;
  code: string;
  reason: string;
}

/**
 * Rows of lists that made no contact and in which the number stands, as people write it. Of a number without its country
 * the same digits are another person's elsewhere: it says what stands there.
 */
export async function readRejected(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<RejectedRow>(
    db,
    pageOf(
      sql`select 'rejected:' || r.import_id || ':' || r.line as id, ${momentOf(sql`i.created_at`)},
            coalesce(p.brand, s.brand) as brand, p.name as "campaignName", s.name as "sequenceName",
            i.source_name as "listName", i.digest, r.line, r.code, r.reason
          from import_rejects r join imports i on i.id = r.import_id left join campaigns p on p.id = i.campaign_id
            left join sequences s on s.id = i.sequence_id
          where r.digits in (${sql.join(
            writingsOf(question.phone).map((digits) => sql`${digits}`),
            sql`, `,
          )})
            and ${isOfBrand(sql`coalesce(p.brand, s.brand)`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "rejected",
    brand: row.brand,
    zones: [],
    what: `line ${row.line} of the list ${row.listName}, in which these digits stand, made no contact: ${row.code}`,
    facts: {
      list: row.listName,
      list_sha256: row.digest,
      line: row.line,
      code: row.code,
      reason: row.reason,
      campaign: row.campaignName,
      sequence: row.sequenceName,
    },
  }));
}

interface HeldRow extends EntryRow, CampaignColumns {
  reason: string;
  detail: string;
  policyVersion: number;
  untilMs: number | null;
  ofAll: boolean;
}

/** Stretches of time in which a campaign, or its contacts of these zones, was not dialed while it had the contact. */
export async function readHeld(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<HeldRow>(
    db,
    pageOf(
      sql`select distinct on (h.id) 'held:' || h.id as id, ${ms(sql`h.from_at`)} as "atMs",
            coalesce(${ms(sql`h.until_at`)}, 9e15) as "reachMs", ${CAMPAIGN_COLUMNS}, h.reason, h.detail,
            h.policy_version as "policyVersion", ${ms(sql`h.until_at`)} as "untilMs", (h.zone_set_id is null) as "ofAll"
          from contacts c ${OF_CONTACT} join holds h on h.campaign_id = c.campaign_id
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}
            and (h.zone_set_id is null or h.zone_set_id = l.zone_set_id)
            and (c.ended_at is null or h.from_at < c.ended_at)
            and (h.until_at is null or h.until_at > ${acceptedAt})
          order by h.id`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    untilMs: row.untilMs,
    kind: "held",
    policyVersion: row.policyVersion,
    what: `${row.ofAll ? "the campaign" : "its contacts of these time zones"} waited: ${row.reason}${row.detail === "" ? "" : ` (${row.detail})`}`,
    facts: {
      reason: row.reason,
      detail: row.detail,
      of: row.ofAll ? "campaign" : "zones",
      until: row.untilMs === null ? null : isoOf(row.untilMs),
    },
  }));
}

interface AmendedRow extends EntryRow, CampaignColumns {
  version: number;
  actor: string;
}

/** New versions of the policy of a campaign, while it had the contact. */
export async function readAmended(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<AmendedRow>(
    db,
    pageOf(
      sql`select distinct on (v.campaign_id, v.version) 'amended:' || v.campaign_id || ':' || v.version as id,
            ${momentOf(sql`v.created_at`)}, ${CAMPAIGN_COLUMNS}, v.version, v.actor
          from contacts c ${OF_CONTACT} join policy_versions v on v.campaign_id = c.campaign_id and v.version > 1
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}
            and (c.ended_at is null or v.created_at < c.ended_at) and v.created_at >= ${acceptedAt}
          order by v.campaign_id, v.version`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "amended",
    policyVersion: row.version,
    what: `version ${row.version} of the policy came into force`,
    facts: { version: row.version, by: row.actor },
  }));
}
