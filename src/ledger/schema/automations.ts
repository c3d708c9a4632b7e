import { sql } from "drizzle-orm";
import {
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

import { campaigns } from "./campaigns.ts";
import { instant } from "./columns.ts";

/*
 * What is declared, and what runs by a clock: automations, schedules, the rotation of keys.
 */

/** What was declared with `outdial apply`: what may be pruned, and what the next apply is compared with. */
export const declarations = pgTable(
  "declarations",
  {
    kind: text("kind").notNull(),
    brand: text("brand").notNull(),
    name: text("name").notNull(),
    document: jsonb("document").notNull(),
    digest: text("digest").notNull(),
    actor: text("actor").notNull(),
    appliedAt: instant("applied_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.brand, table.name] })],
);

/** Automations (workflows of the platform) that are kept as declared. */
export const automations = pgTable("automations", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull().unique(),
  definition: jsonb("definition").notNull(),
  digest: text("digest").notNull(),
  /** The platform's id, once it is there. */
  workflowId: text("workflow_id").unique(),
  /** domain/automations/automation-state.ts: changing, ready, failed (a step needs a person), removing, removed. */
  state: text("state").notNull(),
  /** The step that is under way or failed, and what each step so far did and found. */
  step: text("step"),
  progress: jsonb("progress").$type<Record<string, unknown>>().notNull(),
  error: text("error"),
  /** The digest that the platform has: behind `digest` while it is changing. */
  deployedDigest: text("deployed_digest"),
  actor: text("actor").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Executions of automations as far as they were seen: what health and alerts are made of. */
export const automationExecutions = pgTable(
  "automation_executions",
  {
    executionId: text("execution_id").primaryKey(),
    workflowId: text("workflow_id").notNull(),
    status: text("status").notNull(),
    triggerSource: text("trigger_source"),
    error: text("error"),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
    seenAt: instant("seen_at").notNull(),
    /** Of a repeat: the execution that it repeats. */
    repeats: text("repeats"),
  },
  (table) => [index("automation_executions_listed").on(table.workflowId, table.startedAt)],
);

/** Recurring runs of automations and campaigns. */
export const schedules = pgTable("schedules", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull().unique(),
  definition: jsonb("definition").notNull(),
  digest: text("digest").notNull(),
  /** active, paused, removed. */
  state: text("state").$type<"active" | "paused" | "removed">().notNull(),
  stateReason: text("state_reason"),
  /** What is kept elsewhere has this digest; another one has still to be brought there. */
  installedDigest: text("installed_digest"),
  /** How the platform's or Temporal's schedule was found to differ, and when it was looked at. */
  drift: jsonb("drift").$type<Record<string, unknown>>(),
  lookedAt: instant("looked_at"),
  actor: text("actor").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** One due time of a schedule, once. */
export const scheduleRuns = pgTable(
  "schedule_runs",
  {
    id: uuid("id").primaryKey(),
    scheduleId: uuid("schedule_id")
      .notNull()
      .references(() => schedules.id),
    /** What makes it the same run: its due time, or the id of a command that asked for it. */
    runKey: text("run_key").notNull(),
    dueAt: instant("due_at").notNull(),
    /** schedule, now, backfill. */
    cause: text("cause").notNull(),
    /** domain/schedules/schedule-run.ts: waiting, running, done, failed, skipped, missed. */
    state: text("state").notNull(),
    reason: text("reason"),
    /** Of a recurring campaign: the run that it made. */
    campaignId: uuid("campaign_id").references(() => campaigns.id),
    /** Of an automation: its execution on the platform. */
    executionId: text("execution_id"),
    result: jsonb("result").$type<Record<string, unknown>>(),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
  },
  (table) => [
    unique("schedule_runs_once").on(table.scheduleId, table.runKey),
    index("schedule_runs_listed").on(table.scheduleId, table.dueAt),
    index("schedule_runs_open")
      .on(table.createdAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** Rotations of platform keys: which step each is at. No key stands here. */
export const keyRotations = pgTable(
  "key_rotations",
  {
    id: uuid("id").primaryKey(),
    /** The platform's id of the key that is replaced. */
    oldKeyId: text("old_key_id").notNull(),
    newKeyId: text("new_key_id"),
    newKeyPrefix: text("new_key_prefix"),
    /** domain/keys/key-rotation.ts: rotating, stored, switched, verified, done, failed. */
    state: text("state").notNull(),
    /** How often the platform was asked to rotate: more than once only where a new key was lost before it was stored. */
    tries: integer("tries").notNull().default(0),
    graceUntil: instant("grace_until"),
    /** How many hours the key that is replaced stays good. */
    graceHours: integer("grace_hours").notNull(),
    /** What the platform shows of the key that is replaced. */
    oldKeyPrefix: text("old_key_prefix").notNull(),
    oldKeyName: text("old_key_name"),
    /** The platform's ids of all keys there were before: one that came since, and that nobody has, was lost. */
    knownKeyIds: jsonb("known_key_ids").notNull().$type<readonly string[]>(),
    /** Since when it is in its state. */
    stateSince: instant("state_since").notNull(),
    error: text("error"),
    actor: text("actor").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    endedAt: instant("ended_at"),
  },
  // One at a time.
  (table) => [
    uniqueIndex("key_rotations_open")
      .on(sql`(${table.endedAt} is null)`)
      .where(sql`${table.endedAt} is null`),
  ],
);
