import { z } from "zod";

import { published } from "../dialect.ts";
import { queryInteger } from "./query.ts";
import { TRIGGER_TYPES } from "./workflows.ts";

/** A year. */
const LONGEST_INTERVAL_MINUTES = 527_040;

const intervalMinutes = z.int().min(1).max(LONGEST_INTERVAL_MINUTES);
const cron = z.string().min(1).max(255);
const timezone = z.string().min(1).max(64);

/** Contract 4.5: cron or interval settings, in the body or in the query, where the body wins. */
export const scheduleBody = z
  .object({
    cron: cron.nullish(),
    interval_minutes: intervalMinutes.nullish(),
    timezone: timezone.nullish(),
  })
  .nullish();

export const scheduleQuery = z.object({
  cron: cron.optional(),
  interval_minutes: queryInteger(intervalMinutes.optional()),
  timezone: timezone.optional(),
});

/** ScheduleStatusResponse (contract 2.6). */
export const scheduleStatusResponse = z
  .object({
    workflow_id: z.string(),
    is_scheduled: z.boolean(),
    trigger_type: z.enum(TRIGGER_TYPES),
    trigger_config: z.record(z.string(), z.unknown()).nullable(),
    /** By the calendar of the schedule; `runs_at` in the details says when that is by the wall clock. */
    next_run: z.string().nullable(),
    job_details: z
      .object({
        cron: z.string().nullable(),
        interval_minutes: z.int().nullable(),
        timezone: z.string(),
        runs_at: z.string().nullable(),
        last_run: z.string().nullable(),
        run_count: z.int(),
      })
      .nullable(),
  })
  .register(published, { idFrom: "workflow_id" });

/** Bare by the contract; clients read it as `scheduledWorkflows` has it. */
export const scheduleList = z
  .array(scheduleStatusResponse)
  .register(published, { under: "scheduled_workflows" });

/** The list as published clients read it. */
export const scheduledWorkflows = z.object({
  total: z.int(),
  scheduled_workflows: z.array(scheduleStatusResponse),
});
