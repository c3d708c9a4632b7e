import { integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";

import { brands } from "./campaigns.ts";
import { instant } from "./columns.ts";

/*
 * Sequences, in all their versions.
 */

export const sequences = pgTable(
  "sequences",
  {
    id: uuid("id").primaryKey(),
    brand: text("brand")
      .notNull()
      .references(() => brands.id),
    name: text("name").notNull(),
    /** active, paused (nobody moves on), closed (takes nobody any more; those in it go on). */
    state: text("state").$type<"active" | "paused" | "closed">().notNull(),
    stateReason: text("state_reason"),
    /** The version that new enrolments get. */
    version: integer("version").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [unique("sequences_brand_name").on(table.brand, table.name)],
);

/** Every definition that a sequence ever had; an enrolment stays on the one that it began with. */
export const sequenceVersions = pgTable(
  "sequence_versions",
  {
    sequenceId: uuid("sequence_id")
      .notNull()
      .references(() => sequences.id),
    version: integer("version").notNull(),
    definition: jsonb("definition").notNull(),
    /** SHA-256 of the definition in canonical form: the same again is no new version. */
    digest: text("digest").notNull(),
    actor: text("actor").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sequenceId, table.version] })],
);
