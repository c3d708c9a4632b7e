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
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import type { NeverDialed } from "../../domain/policy/never-dialed.ts";
import { campaigns, lanes } from "./campaigns.ts";
import { id, instant } from "./columns.ts";
import { sequences } from "./sequences.ts";

/*
 * Lists of people, and whom they made contacts.
 */

export const imports = pgTable(
  "imports",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    /** What the list is of: a campaign or a sequence. */
    campaignId: uuid("campaign_id").references(() => campaigns.id),
    sequenceId: uuid("sequence_id").references(() => sequences.id),
    /** SHA-256 of the file, hexadecimal: what makes it the same list. */
    digest: text("digest").notNull(),
    sourceName: text("source_name").notNull(),
    /** How its columns were read; going on with other settings would be another import. */
    settings: jsonb("settings").$type<Record<string, unknown>>().notNull(),
    /** Lines up to and with this one are in the ledger. */
    throughLine: integer("through_line").notNull().default(0),
    rowsRead: integer("rows_read").notNull().default(0),
    rowsRejected: integer("rows_rejected").notNull().default(0),
    rowsDuplicate: integer("rows_duplicate").notNull().default(0),
    rowsAccepted: integer("rows_accepted").notNull().default(0),
    /** Of those accepted or refused so far: who can never be dialed under the window at that time, and why. */
    neverDialed: jsonb("never_dialed").$type<NeverDialed[]>().notNull().default([]),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    completedAt: instant("completed_at"),
  },
  (table) => [
    unique("imports_campaign_digest").on(table.campaignId, table.digest),
    unique("imports_sequence_digest").on(table.sequenceId, table.digest),
    check("imports_of_one", sql`num_nonnulls(${table.campaignId}, ${table.sequenceId}) = 1`),
  ],
);

/** Rows that made no contact: rejected, or the same number again. */
export const importRejects = pgTable(
  "import_rejects",
  {
    importId: id("import_id")
      .notNull()
      .references(() => imports.id),
    line: integer("line").notNull(),
    code: text("code").notNull(),
    reason: text("reason").notNull(),
    raw: text("raw").notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);

export const contacts = pgTable(
  "contacts",
  {
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    importId: id("import_id").references(() => imports.id),
    line: integer("line"),
    phone: text("phone").notNull(),
    region: text("region"),
    laneId: integer("lane_id")
      .notNull()
      .references(() => lanes.id),
    variables: jsonb("variables").$type<Record<string, string>>().notNull(),
    /** domain/campaigns/contact-state.ts: open, leased, done, excluded. */
    state: text("state").$type<ContactState>().notNull(),
    dueAt: instant("due_at").notNull(),
    /**
     * Of a placement that is not over: nobody plans for it, whenever it is due, until it is released. One that is
     * being dialed keeps what follows that from being planned.
     */
    held: boolean("held").notNull().default(false),
    /** Leases of the present attempt that were proven not to have been dialed: spaces the next ones out. */
    returns: smallint("returns").notNull().default(0),
    /** Attempts that count as dialed. */
    attempts: smallint("attempts").notNull().default(0),
    lastDisposition: text("last_disposition"),
    /** Of a done contact. */
    outcome: text("outcome"),
    /** Why it is done or excluded. Of one that is leased: why it was taken back, which no other attempt follows. */
    reason: text("reason"),
    endedAt: instant("ended_at"),
    /** A call that was placed by itself: what it is to whoever placed it. Placing it again changes nothing. */
    placement: text("placement"),
  },
  (table) => [
    uniqueIndex("contacts_campaign_phone")
      .on(table.campaignId, table.phone)
      .where(sql`${table.placement} is null`),
    uniqueIndex("contacts_placement")
      .on(table.placement)
      .where(sql`${table.placement} is not null`),
    // The planner's probe: the earliest due of a lane, retries and first calls apart, the held behind all others.
    index("contacts_due")
      .on(table.laneId, sql`(${table.attempts} = 0)`, table.held, table.dueAt, table.id)
      .where(sql`${table.state} = 'open'`),
    index("contacts_phone").on(table.phone),
    check(
      "contacts_held_placements",
      sql`not ${table.held} or (${table.placement} is not null and ${table.state} in ('open', 'leased'))`,
    ),
  ],
);
