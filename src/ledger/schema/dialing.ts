import { sql } from "drizzle-orm";
import {
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import type { BatchState } from "../../domain/campaigns/batch-state.ts";
import type { BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import type { Evidence } from "../../domain/campaigns/evidence.ts";
import type { AttemptState } from "../../domain/campaigns/contact-state.ts";
import { brands, campaigns, zoneSets } from "./campaigns.ts";
import { id, instant } from "./columns.ts";
import { contacts } from "./lists.ts";

/*
 * What dials and what must not be dialed: batches, attempts, suppressions, and why somebody was not called (I7).
 */

export const batches = pgTable(
  "batches",
  {
    id: uuid("id").primaryKey(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    /** domain/campaigns/batch-state.ts; changed by compare-and-set only. */
    state: text("state").$type<BatchState>().notNull(),
    agentId: text("agent_id").notNull(),
    fromNumber: text("from_number").notNull(),
    policyVersion: integer("policy_version").notNull(),
    size: smallint("size").notNull(),
    /** `max_concurrent_calls` on the platform. */
    slots: smallint("slots").notNull(),
    /** Slots still held; only ever lowered. */
    held: smallint("held").notNull(),
    dialBy: instant("dial_by"),
    /** How many creates were sent; each had its own name suffix. */
    createNo: smallint("create_no").notNull().default(0),
    /** The one platform batch that may be started. */
    platformBatchId: text("platform_batch_id"),
    plannedAt: instant("planned_at").notNull(),
    createdAt: instant("created_at"),
    /** The start request was permitted and may have been sent. */
    startSentAt: instant("start_sent_at"),
    /** How often a start was permitted; never lowered. More than once only where the answer says that nothing happened. */
    startNo: smallint("start_no").notNull().default(0),
    /** What the platform said to the last start where that was a no that may have been a yes, or "no such batch". */
    startRefusal: text("start_refusal"),
    startSeenAt: instant("start_seen_at"),
    /** domain/campaigns/batch-state.ts: why it is to take no new dial. */
    stopReason: text("stop_reason"),
    stopRequestedAt: instant("stop_requested_at"),
    /** The platform was seen to have ended it, before any read that proves something. */
    terminalSeenAt: instant("terminal_seen_at"),
    /** Since when the platform says that there is no such batch; forgotten when it shows it again. */
    vanishedAt: instant("vanished_at"),
    /** The last read after that which counts, and what it and those before it prove (domain/campaigns/evidence.ts). */
    firstReadAt: instant("first_read_at"),
    firstRead: jsonb("first_read").$type<Evidence>(),
    /** What the reads agree was not dialed, written before a batch of doubtful start is deleted. */
    proven: jsonb("proven").$type<string[]>(),
    /** domain/campaigns/batch-trouble.ts: what the platform does not do for it, and since when. Null: nothing of that kind. */
    trouble: text("trouble").$type<BatchTrouble>(),
    troubleSince: instant("trouble_since"),
    settledAt: instant("settled_at"),
  },
  (table) => [
    index("batches_unsettled")
      .on(table.campaignId)
      .where(sql`${table.state} <> 'settled'`),
    index("batches_platform").on(table.platformBatchId),
    // Few: every create is answered, as a rule.
    index("batches_unaccounted")
      .on(table.plannedAt)
      .where(sql`${table.createNo} > case when ${table.platformBatchId} is null then 0 else 1 end`),
    // What began a moment ago, over all campaigns.
    index("batches_begun")
      .on(table.startSentAt)
      .where(sql`${table.startSentAt} is not null`),
    check("batches_held_within_slots", sql`${table.held} >= 0 and ${table.held} <= ${table.slots}`),
  ],
);

export const attempts = pgTable(
  "attempts",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    contactId: id("contact_id")
      .notNull()
      .references(() => contacts.id),
    /** From 1. An attempt that was proven not to have been dialed gives its number back. */
    attemptNo: smallint("attempt_no").notNull(),
    phone: text("phone").notNull(),
    batchId: uuid("batch_id")
      .notNull()
      .references(() => batches.id),
    policyVersion: integer("policy_version").notNull(),
    /** domain/campaigns/contact-state.ts: open, provisional, ended, returned. */
    state: text("state").$type<AttemptState>().notNull(),
    itemId: text("item_id"),
    callId: text("call_id"),
    itemStatus: text("item_status"),
    errorText: text("error_text"),
    disposition: text("disposition"),
    /** What decided: the item's word, a SIP code, the call, an analysis rule, or a bound. */
    dispositionReason: text("disposition_reason"),
    plannedAt: instant("planned_at").notNull(),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
    durationSeconds: doublePrecision("duration_seconds"),
    settledAt: instant("settled_at"),
  },
  (table) => [
    // I1: one live attempt per (contact, attempt number).
    uniqueIndex("attempts_contact_no")
      .on(table.contactId, table.attemptNo)
      .where(sql`${table.state} <> 'returned'`),
    // One open attempt per number over everything.
    uniqueIndex("attempts_one_open_per_phone")
      .on(table.phone)
      .where(sql`${table.state} = 'open'`),
    index("attempts_contact").on(table.contactId),
    // The last calls to a number, whoever made them.
    index("attempts_called")
      .on(table.phone, sql`coalesce(${table.endedAt}, ${table.settledAt}, ${table.plannedAt})`)
      .where(sql`${table.state} in ('provisional', 'ended')`),
    index("attempts_batch").on(table.batchId),
    index("attempts_call")
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
    // Few at a time, asked for by number: what a call came to is not known yet.
    index("attempts_provisional")
      .on(table.phone)
      .where(sql`${table.state} = 'provisional'`),
  ],
);

/** Numbers that must not be dialed. Removing one keeps the row, for the record. */
export const suppressions = pgTable(
  "suppressions",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    phone: text("phone").notNull(),
    /** Null: for every brand. */
    brand: text("brand").references(() => brands.id),
    source: text("source").notNull(),
    reason: text("reason").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    removedAt: instant("removed_at"),
    removedReason: text("removed_reason"),
  },
  (table) => [
    unique("suppressions_once").on(table.phone, table.brand, table.removedAt).nullsNotDistinct(),
    index("suppressions_in_force")
      .on(table.phone)
      .where(sql`${table.removedAt} is null`),
  ],
);

/** A single contact that was due and was refused, and why (I7). One row a reason and policy version. */
export const refusals = pgTable(
  "refusals",
  {
    contactId: id("contact_id")
      .notNull()
      .references(() => contacts.id),
    reason: text("reason").notNull(),
    policyVersion: integer("policy_version").notNull(),
    detail: text("detail").notNull(),
    times: integer("times").notNull().default(1),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.contactId, table.reason, table.policyVersion] })],
);

/** A stretch of time in which a campaign, or its contacts of one zone set, could not be dialed, and why (I7). */
export const holds = pgTable(
  "holds",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    /** Null: the whole campaign. */
    zoneSetId: integer("zone_set_id").references(() => zoneSets.id),
    reason: text("reason").notNull(),
    detail: text("detail").notNull(),
    policyVersion: integer("policy_version").notNull(),
    fromAt: instant("from_at").notNull(),
    /** Null: still so. */
    untilAt: instant("until_at"),
  },
  (table) => [
    uniqueIndex("holds_open")
      .on(table.campaignId, sql`coalesce(${table.zoneSetId}, 0)`, table.reason)
      .where(sql`${table.untilAt} is null`),
    index("holds_campaign").on(table.campaignId, table.fromAt),
  ],
);
