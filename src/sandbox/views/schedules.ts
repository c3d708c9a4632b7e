import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { scheduleStatusResponse } from "../schemas/schedules.ts";
import type { ScheduleRecord, Schedules } from "../state/schedules.ts";
import type { WorkflowRecord } from "../state/workflows.ts";

/** ScheduleStatusResponse (contract 2.6). */
export function scheduleView(
  workflow: WorkflowRecord,
  schedules: Schedules,
  clock: Clock,
): z.output<typeof scheduleStatusResponse> {
  const schedule = schedules.find(workflow.id);
  return {
    workflow_id: workflow.id,
    is_scheduled: schedule !== null,
    trigger_type: workflow.triggerType,
    trigger_config: workflow.triggerConfig,
    next_run: isoOrNull(schedules, schedule?.nextMs ?? null),
    job_details: schedule === null ? null : detailsOf(schedule, schedules, clock),
  };
}

function detailsOf({ recurrence, nextMs, lastMs, runs }: ScheduleRecord, schedules: Schedules, clock: Clock) {
  return {
    cron: recurrence.kind === "cron" ? recurrence.cron : null,
    interval_minutes: recurrence.kind === "interval" ? recurrence.intervalMinutes : null,
    timezone: recurrence.timezone,
    runs_at: nextMs === null ? null : clock.iso(schedules.calendar.clockMsOf(nextMs)),
    last_run: isoOrNull(schedules, lastMs),
    run_count: runs,
  };
}

function isoOrNull({ calendar }: Schedules, calendarMs: number | null): string | null {
  return calendarMs === null ? null : calendar.iso(calendarMs);
}
