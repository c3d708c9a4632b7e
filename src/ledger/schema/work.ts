import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import { id, instant } from "./columns.ts";

/*
 * What was done by whom, and what waits to be: for a process, or for a person.
 */

/** Who did what, when: every command of a person and every decision of the engine above single contacts. */
export const audit = pgTable(
  "audit",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull(),
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    campaignId: uuid("campaign_id"),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    index("audit_campaign").on(table.campaignId, table.id),
    /** Numbers that a recovery could book on nobody: unbooked-dials.ts. */
    index("audit_unbooked")
      .using("gin", sql`(${table.detail} -> 'phones')`)
      .where(sql`${table.action} = 'recovery.unbooked'`),
  ],
);

/** The last time that the platform refused a request as one too many, whoever of all processes sent it. One row. */
export const platformRefusal = pgTable(
  "platform_refusal",
  {
    one: boolean("one").primaryKey().default(true),
    beganAt: instant("began_at").notNull(),
    heldUntil: instant("held_until").notNull(),
  },
  (table) => [check("platform_refusal_one", sql`${table.one}`)],
);

/** Work that one process does for all: whoever holds the lease does it. */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/*
 * What has to reach a workflow, or to be worked off, once the transaction that wrote it is committed. A row stays
 * until that is done, however often a process dies on the way; kinds and how they are worked off: outbox.ts.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    kind: text("kind").notNull(),
    /** Which one of its kind: writing it again while it waits makes it due again, no second row. */
    subject: text("subject").notNull(),
    dueAt: instant("due_at").notNull(),
    /** Raised by each writing and each claim; whoever worked it off deletes it only where this is unchanged. */
    turn: integer("turn").notNull().default(0),
    tries: integer("tries").notNull().default(0),
    lastError: text("last_error"),
    createdAt: instant("created_at").notNull(),
    /** Of a delivery: how many people it is about. Null: nobody has looked yet. */
    people: integer("people"),
  },
  (table) => [
    unique("outbox_once").on(table.kind, table.subject),
    index("outbox_due").on(table.dueAt, table.id),
    /** Which delivery was accepted first. */
    index("outbox_in_order")
      .on(table.id)
      .where(sql`${table.kind} = 'delivery' and ${table.tries} = 0`),
    /** Which of them nobody has looked at. */
    index("outbox_unread")
      .on(table.id)
      .where(sql`${table.kind} = 'delivery' and ${table.tries} = 0 and ${table.people} is null`),
    index("outbox_deliveries_aside")
      .on(table.dueAt)
      .where(sql`${table.kind} = 'delivery' and ${table.tries} > 0`),
  ],
);

/** Whom the deliveries that wait are about: what is told of one person is done in the order of acceptance. */
export const deliveryPeople = pgTable(
  "delivery_people",
  {
    /** The delivery's row of the outbox, whose id is its place. */
    place: id("place").notNull(),
    /** 48 bits of the SHA-256 of their number: two people who share them wait for each other, no more. */
    person: id("person").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.place, table.person] }),
    index("delivery_people_in_order").on(table.person, table.place),
  ],
);

/** What needs a person: each thing once, until somebody has dealt with it. */
export const attention = pgTable(
  "attention",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    /** domain/ground/attention.ts */
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    brand: text("brand").notNull(),
    summary: text("summary").notNull(),
    remedy: text("remedy").notNull(),
    at: instant("at").notNull(),
    times: integer("times").notNull().default(1),
    resolvedAt: instant("resolved_at"),
    resolvedBy: text("resolved_by"),
    resolution: text("resolution"),
  },
  (table) => [
    uniqueIndex("attention_open")
      .on(table.kind, table.subject)
      .where(sql`${table.resolvedAt} is null`),
  ],
);

/** Requests that named themselves, for some time: request-keys.ts. */
export const requestKeys = pgTable(
  "request_keys",
  {
    /** Method and address, and the key itself. */
    key: text("key").primaryKey(),
    /** SHA-256 of what was asked, hexadecimal. */
    digest: text("digest").notNull(),
    at: instant("at").notNull(),
    /** Of the answer; null: it is under way. */
    status: integer("status"),
    answer: text("answer"),
  },
  (table) => [index("request_keys_age").on(table.at)],
);
