import { sql } from "drizzle-orm";
import {
  boolean,
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

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { id, instant } from "./columns.ts";

/*
 * The ledger's tables, in the files of this folder. Words are those of docs/architecture.md.
 *
 * Lock order, so that nothing deadlocks: the campaign's row first, then the account's lines (an advisory lock), then
 * attempts sorted by number, then the rest. Whatever changes a campaign's contacts, attempts or batches holds that
 * campaign's row lock, which is also what makes its tallies exact.
 *
 * Here: the installation, and what is called under which policy.
 */

/** One row: what this ledger is, and the two switches above all campaigns. */
export const installation = pgTable(
  "installation",
  {
    one: boolean("one").primaryKey().default(true),
    installationId: uuid("installation_id").notNull().defaultRandom(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** Set by `stop-all`: nothing dials anywhere until it is lifted with a reason. */
    stoppedAt: instant("stopped_at"),
    stoppedReason: text("stopped_reason"),
    /** Set where the ledger may be older than what really happened: nothing dials until `recover`. */
    recoveryReason: text("recovery_reason"),
    /** Whether its calls are simulated: set by the platform that it was first used with, for good. */
    simulated: boolean("simulated"),
    /** When `stop-all` was lifted last. */
    wentOnAt: instant("went_on_at"),
    /** The last `recover`: workflows that ended before it say nothing about this ledger. */
    recoveredAt: instant("recovered_at"),
  },
  (table) => [check("installation_is_one_row", sql`${table.one}`)],
);

/** The legal entity that calls. Scopes suppression, caps, money and the platform key. */
export const brands = pgTable("brands", {
  id: text("id").primaryKey(),
  createdAt: instant("created_at").notNull().defaultNow(),
});

export const campaigns = pgTable(
  "campaigns",
  {
    id: uuid("id").primaryKey(),
    brand: text("brand")
      .notNull()
      .references(() => brands.id),
    name: text("name").notNull(),
    /** The same name may be run anew; the highest run is the one that the name means. */
    run: integer("run").notNull(),
    /** domain/campaigns/campaign-state.ts */
    state: text("state").$type<CampaignState>().notNull(),
    /** While draining: the state that it ends in. */
    ending: text("ending"),
    /** Why it is paused or was cancelled. */
    stateReason: text("state_reason"),
    spec: jsonb("spec").$type<CampaignSpec>().notNull(),
    policyVersion: integer("policy_version").notNull(),
    concurrency: integer("concurrency").notNull(),
    /** Counts every change that dialing depends on; a workflow that saw a higher one knows of a restore. */
    seq: id("seq").notNull().default(0),
    /** The newest follower's token; an older follower stops when it meets it. */
    followFence: id("follow_fence").notNull().default(0),
    /** The last planning left due contacts for want of slots. */
    starved: boolean("starved").notNull().default(false),
    /** When planning looks again by itself. */
    nextLookAt: instant("next_look_at"),
    /** Lines of the account that it could use beside those that it holds, as of its last planning. */
    waiting: integer("waiting").notNull().default(0),
    /** How many of the account's lines it may count on; absent: as many as its concurrency. */
    share: integer("share"),
    /** When it leased last, where an account's lines are shared. */
    servedAt: instant("served_at"),
    /** Since when it knows of idle lines without having planned. */
    offeredAt: instant("offered_at"),
    /** Tallies, exact under the row lock: accepted = open + leased + done + excluded (I3). */
    openCount: integer("open_count").notNull().default(0),
    leasedCount: integer("leased_count").notNull().default(0),
    doneCount: integer("done_count").notNull().default(0),
    excludedCount: integer("excluded_count").notNull().default(0),
    attemptCount: integer("attempt_count").notNull().default(0),
    /** Final dispositions of done contacts. */
    dispositions: jsonb("dispositions").$type<Record<string, number>>().notNull().default({}),
    /** Sum and count behind the mean time that an attempt holds a slot. */
    holdMsSum: doublePrecision("hold_ms_sum").notNull().default(0),
    holdCount: integer("hold_count").notNull().default(0),
    /** Standing: calls are placed into it one by one, it has no list, and it does not end by itself. */
    standing: boolean("standing").notNull().default(false),
    /** What a standing campaign stands for: a call step of a sequence, or the callbacks of a campaign. */
    standingKey: text("standing_key").unique(),
    /** Of the callbacks of a campaign: that campaign, whose commands it obeys. */
    parentId: uuid("parent_id"),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    /** When it was started, or resumed last: its lines grow from then on. */
    runningSince: instant("running_since"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    uniqueIndex("campaigns_brand_name_run")
      .on(table.brand, table.name, table.run)
      .where(sql`not ${table.standing}`),
    index("campaigns_parent")
      .on(table.parentId)
      .where(sql`${table.parentId} is not null`),
    index("campaigns_not_ended")
      .on(table.state)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Every policy that a campaign ever had: what a dial or a refusal was decided under (I7). */
export const policyVersions = pgTable(
  "policy_versions",
  {
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    version: integer("version").notNull(),
    spec: jsonb("spec").$type<CampaignSpec>().notNull(),
    actor: text("actor").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.version] })],
);

/** Sets of zones that numbers may be in; `key` is the sorted names joined by commas. */
export const zoneSets = pgTable("zone_sets", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  key: text("key").notNull().unique(),
  zones: text("zones").array().notNull(),
});

/** Contacts of a campaign that share zones and priority. Planning probes each open lane by index, retries and first calls apart. */
export const lanes = pgTable(
  "lanes",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    zoneSetId: integer("zone_set_id")
      .notNull()
      .references(() => zoneSets.id),
    priority: smallint("priority").notNull(),
  },
  (table) => [unique("lanes_campaign_zones_priority").on(table.campaignId, table.zoneSetId, table.priority)],
);
