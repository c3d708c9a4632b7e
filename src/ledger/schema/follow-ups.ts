import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";

import { scheduleRuns } from "./automations.ts";
import { brands, campaigns } from "./campaigns.ts";
import { id, instant } from "./columns.ts";
import { attempts } from "./dialing.ts";
import { enrolments } from "./journeys.ts";

/*
 * What follows a call, and what comes in from outside.
 */

/** What follows one call. Written with the call's outcome, so that no call is forgotten. */
export const followUps = pgTable(
  "follow_ups",
  {
    id: uuid("id").primaryKey(),
    attemptId: id("attempt_id")
      .notNull()
      .unique()
      .references(() => attempts.id),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    contactId: id("contact_id").notNull(),
    phone: text("phone").notNull(),
    callId: text("call_id"),
    disposition: text("disposition").notNull(),
    /** The policy whose rules select and act. */
    policyVersion: integer("policy_version").notNull(),
    /** waiting (for the call to be processed), acting, done, failed (an action failed for good). */
    state: text("state").$type<"waiting" | "acting" | "done" | "failed">().notNull(),
    /** How the waiting ended: processed, processing_failed, overdue, no_call, not_needed. */
    processing: text("processing"),
    /** Until when the call may take to be processed. */
    waitUntil: instant("wait_until").notNull(),
    /** A webhook said that there is something to see; looks need not wait for their turn. */
    hintedAt: instant("hinted_at"),
    looks: integer("looks").notNull().default(0),
    /** The rules that selected the call, and the labels that they gave it. */
    rules: jsonb("rules").$type<string[]>(),
    labels: jsonb("labels").$type<Record<string, string>>(),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    index("follow_ups_call")
      .on(table.callId)
      .where(sql`${table.callId} is not null`),
    index("follow_ups_campaign").on(table.campaignId, table.createdAt),
    index("follow_ups_open")
      .on(table.createdAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Something done outside of the ledger after a call, or by a step of a sequence: each try is recorded. */
export const actions = pgTable(
  "actions",
  {
    /** Its idempotency key, too: the same in every try. */
    id: uuid("id").primaryKey(),
    followUpId: uuid("follow_up_id").references(() => followUps.id),
    enrolmentId: uuid("enrolment_id").references(() => enrolments.id),
    scheduleRunId: uuid("schedule_run_id").references(() => scheduleRuns.id),
    /** The rule or the step, and its place in it. */
    owner: text("owner").notNull(),
    n: smallint("n").notNull(),
    /** domain/follow-ups/actions.ts */
    kind: text("kind").notNull(),
    /** The action with its expressions filled in; secrets by name only. */
    spec: jsonb("spec").$type<Record<string, unknown>>().notNull(),
    /** domain/follow-ups/actions.ts: waiting, due, done, failed, unknown, skipped. */
    state: text("state").notNull(),
    tries: integer("tries").notNull().default(0),
    nextTryAt: instant("next_try_at"),
    /** A request was permitted and may have been sent; its answer is not known yet. */
    sentAt: instant("sent_at"),
    /** What it started elsewhere: an execution, an enrolment, a placement. */
    externalId: text("external_id"),
    request: jsonb("request").$type<Record<string, unknown>>(),
    answer: jsonb("answer").$type<Record<string, unknown>>(),
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    index("actions_follow_up").on(table.followUpId, table.owner, table.n),
    index("actions_enrolment").on(table.enrolmentId),
    index("actions_schedule_run")
      .on(table.scheduleRunId)
      .where(sql`${table.scheduleRunId} is not null`),
    index("actions_listed").on(table.state, table.createdAt),
    check(
      "actions_of_one",
      sql`num_nonnulls(${table.followUpId}, ${table.enrolmentId}, ${table.scheduleRunId}) = 1`,
    ),
  ],
);

/** Words that rules gave to people. */
export const tags = pgTable(
  "tags",
  {
    brand: text("brand")
      .notNull()
      .references(() => brands.id),
    phone: text("phone").notNull(),
    tag: text("tag").notNull(),
    source: text("source").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.phone, table.tag] })],
);

/** Doors through which other systems tell of something: how they sign, and what becomes of it. */
export const triggers = pgTable("triggers", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull().unique(),
  definition: jsonb("definition").notNull(),
  version: integer("version").notNull(),
  enabled: boolean("enabled").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** What came through a trigger, whole, before it was acknowledged. Its key is remembered longer than its body. */
export const deliveries = pgTable(
  "deliveries",
  {
    id: uuid("id").primaryKey(),
    triggerId: uuid("trigger_id")
      .notNull()
      .references(() => triggers.id),
    /** What makes it the same delivery again. */
    key: text("key").notNull(),
    /** SHA-256 of the body, hexadecimal. */
    digest: text("digest").notNull(),
    /** Forgotten some time after it was worked off. */
    body: text("body"),
    receivedAt: instant("received_at").notNull(),
    /** How often it came. */
    times: integer("times").notNull().default(1),
    /** received, done, ignored (its trigger's condition says no), failed (waits for a person). */
    state: text("state").$type<"received" | "done" | "ignored" | "failed">().notNull(),
    result: jsonb("result").$type<Record<string, unknown>>(),
    endedAt: instant("ended_at"),
  },
  (table) => [
    unique("deliveries_once").on(table.triggerId, table.key),
    index("deliveries_listed").on(table.triggerId, table.receivedAt),
    index("deliveries_age").on(table.receivedAt),
  ],
);

/**
 * What was done for items of deliveries, each once for a trigger and a key, in whichever delivery it comes. Written
 * in the transaction that does it, and kept as long as keys of deliveries are.
 */
export const triggerItems = pgTable(
  "trigger_items",
  {
    triggerId: uuid("trigger_id")
      .notNull()
      .references(() => triggers.id),
    /** SHA-256 of what the trigger's field says, hexadecimal; else the delivery and the item's place in it. */
    key: text("key").notNull(),
    /** enroll, event, exit. */
    what: text("what").notNull(),
    /** Which item it was done for. The delivery may be forgotten before this is. */
    deliveryId: uuid("delivery_id").notNull(),
    n: integer("n").notNull(),
    /** What came of it. Null only within the transaction that does it. */
    result: jsonb("result").$type<Record<string, unknown>>(),
    at: instant("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.triggerId, table.key, table.what] }),
    index("trigger_items_age").on(table.at),
  ],
);

/** Calls that the platform's webhooks named. A hint is kept until its call is known, or is nobody's. */
export const callHints = pgTable(
  "call_hints",
  {
    callId: text("call_id").primaryKey(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
    times: integer("times").notNull().default(1),
    /** open, ours, inbound, foreign. */
    state: text("state").$type<"open" | "ours" | "inbound" | "foreign">().notNull(),
    looks: integer("looks").notNull().default(0),
  },
  (table) => [index("call_hints_age").on(table.lastAt)],
);

/** Calls from people to our numbers, as far as they concern somebody whom we call. */
export const inboundCalls = pgTable(
  "inbound_calls",
  {
    callId: text("call_id").primaryKey(),
    phone: text("phone").notNull(),
    toNumber: text("to_number"),
    at: instant("at").notNull(),
    endedAt: instant("ended_at"),
    /** Its processing is over, or is not waited for any longer. */
    settledAt: instant("settled_at"),
    optedOut: boolean("opted_out").notNull().default(false),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("inbound_calls_phone").on(table.phone, table.at),
    index("inbound_calls_open")
      .on(table.createdAt)
      .where(sql`${table.settledAt} is null`),
  ],
);

/** How far somebody who walks along a growing list has come. */
export const watermarks = pgTable("watermarks", {
  name: text("name").primaryKey(),
  at: instant("at").notNull(),
});

/** What each pass of the sweeper found that had no end, and what became of it. */
export const sweeps = pgTable("sweeps", {
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  at: instant("at").notNull(),
  found: integer("found").notNull(),
  settled: integer("settled").notNull(),
  detail: jsonb("detail").$type<Record<string, number>>().notNull(),
});
