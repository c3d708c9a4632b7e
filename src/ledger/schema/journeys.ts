import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import { zoneSets } from "./campaigns.ts";
import { id, instant } from "./columns.ts";
import { imports } from "./lists.ts";
import { sequences } from "./sequences.ts";

/*
 * The ways of single people through sequences.
 */

/** One person's way through a sequence. */
export const enrolments = pgTable(
  "enrolments",
  {
    id: uuid("id").primaryKey(),
    sequenceId: uuid("sequence_id")
      .notNull()
      .references(() => sequences.id),
    version: integer("version").notNull(),
    importId: id("import_id").references(() => imports.id),
    line: integer("line"),
    phone: text("phone").notNull(),
    region: text("region"),
    zoneSetId: integer("zone_set_id")
      .notNull()
      .references(() => zoneSets.id),
    /** Tells several enrolments of one person apart where the sequence allows them. */
    key: text("key").notNull().default(""),
    /** Where it came from: `api`, `cli`, `list`, `trigger <name>`, `follow-up`. */
    source: text("source").notNull(),
    /** What makes it the same enrolment again: a delivery's id, a command's id, an action's id. */
    requestKey: text("request_key").unique(),
    /** SHA-256 of that request, hexadecimal; null: nobody compares it. */
    requestDigest: text("request_digest"),
    state: text("state").$type<"active" | "done">().notNull(),
    /** A person paused it. */
    paused: boolean("paused").notNull().default(false),
    /** It stopped because its sequence is paused, and has to be woken up when that goes on. */
    parked: boolean("parked").notNull().default(false),
    /** domain/sequence: where it stands and what it knows. Variables are in it. */
    position: jsonb("position").notNull(),
    /** The step that it is at, for lists. */
    step: text("step"),
    /** Raised by each turn. */
    turn: integer("turn").notNull().default(0),
    /** Rows of the inbox up to this one were taken in. */
    inboxSeen: id("inbox_seen").notNull().default(0),
    /** When it looks again by itself; null: it waits for something else. */
    wakeAt: instant("wake_at"),
    outcome: text("outcome"),
    reason: text("reason"),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    uniqueIndex("enrolments_open")
      .on(table.sequenceId, table.phone, table.key)
      .where(sql`${table.state} = 'active'`),
    index("enrolments_phone").on(table.phone),
    index("enrolments_listed").on(table.sequenceId, table.state, table.createdAt, table.id),
  ],
);

/** Events and commands for an enrolment, in the order in which they were accepted. */
export const enrolmentInbox = pgTable(
  "enrolment_inbox",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    enrolmentId: uuid("enrolment_id")
      .notNull()
      .references(() => enrolments.id),
    kind: text("kind").$type<"event" | "pause" | "resume" | "exit" | "skip">().notNull(),
    /** Of an event. */
    name: text("name"),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    /** The same again is taken in once. */
    requestKey: text("request_key"),
    actor: text("actor").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [
    index("enrolment_inbox_order").on(table.enrolmentId, table.id),
    uniqueIndex("enrolment_inbox_once")
      .on(table.enrolmentId, table.requestKey)
      .where(sql`${table.requestKey} is not null`),
  ],
);

/** What happened on an enrolment's way, step by step (I7). */
export const journeys = pgTable(
  "journeys",
  {
    enrolmentId: uuid("enrolment_id")
      .notNull()
      .references(() => enrolments.id),
    n: integer("n").notNull(),
    at: instant("at").notNull(),
    step: text("step"),
    what: text("what").notNull(),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.enrolmentId, table.n] })],
);
