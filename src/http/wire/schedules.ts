import { z } from "zod";

import { SCHEDULE_RUN_STATES } from "../../domain/schedules/schedule-run.ts";
import { pageOf } from "./page.ts";

/*
 * Schedules and their runs, as the API shows them.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const scheduleRunState = z.enum(SCHEDULE_RUN_STATES);

export const scheduleViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(["active", "paused", "removed"]),
  reason: z.string().nullable(),
  definition: z.record(z.string(), z.unknown()),
  /** Whether the platform's scheduler has it; null where that one does not keep its time. */
  installed: z.boolean().nullable(),
  /** How it was found to differ there; null: it is as declared. */
  drift: z
    .object({ found: z.string(), found_at: instant.nullable(), repaired_at: instant.nullable() })
    .nullable(),
  looked_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
});

export const scheduleSchemaOut = scheduleViewSchema.extend({
  /** The next due times; none while it is paused. */
  next: z.array(instant),
  last_run: z.object({ state: scheduleRunState, due_at: instant }).nullable(),
});

export const schedulePutSchema = scheduleViewSchema.extend({
  change: z.enum(["created", "changed", "none"]),
  /** What it needs and is not there yet, each with its field. */
  warnings: z.array(z.string()),
});

export const scheduleListSchema = z.object({ items: z.array(scheduleSchemaOut) });

export const scheduleNextSchema = z.object({ items: z.array(instant) });

/** What is known of a run beside how it ended. */
export const scheduleRunResult = z.looseObject({
  /** Of the contacts on its list so many can never be called under its campaign's window. Absent: none. */
  never_dialed: z.object({ contacts: count, of: count }).optional().catch(undefined),
});

export const scheduleRunSchema = z.object({
  id: z.string(),
  due_at: instant,
  cause: z.enum(["schedule", "now", "backfill"]),
  state: scheduleRunState,
  reason: z.string().nullable(),
  campaign_id: z.string().nullable(),
  execution_id: z.string().nullable(),
  result: scheduleRunResult.nullable(),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
});

export const scheduleRunPageSchema = pageOf(scheduleRunSchema).extend({ total: count });

export const scheduleBackfillSchema = z.object({
  runs: z.array(scheduleRunSchema),
  /** Due times in between that were run, or are being run, already. */
  already: count,
});

export type ScheduleWire = z.output<typeof scheduleViewSchema>;
export type ListedScheduleWire = z.output<typeof scheduleSchemaOut>;
export type ScheduleRunWire = z.output<typeof scheduleRunSchema>;
