import { withoutSecrets } from "../../../domain/ground/literal-secrets.ts";
import { dueTimesOf } from "../../../domain/schedules/schedule.ts";
import { nextOccurrences } from "../../../domain/schedules/schedule-times.ts";
import type { ScheduleRun } from "../../../ledger/schedules/schedule-runs.ts";
import type { Schedule } from "../../../ledger/schedules/schedules.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { scheduleRunResult, type ScheduleRunWire, type ScheduleWire } from "../../wire/schedules.ts";

export function scheduleView(schedule: Schedule): ScheduleWire {
  const { drift } = schedule;
  return {
    id: schedule.id,
    name: schedule.name,
    state: schedule.state,
    reason: schedule.stateReason ?? null,
    // One that was stored before such were refused may hold a secret's value.
    definition: { ...Object(withoutSecrets(schedule.definition)) },
    installed: schedule.definition.engine === "platform" ? schedule.installedDigest !== undefined : null,
    drift:
      drift.found === undefined
        ? null
        : { found: drift.found, found_at: drift.foundAt ?? null, repaired_at: drift.repairedAt ?? null },
    looked_at: isoOrNull(schedule.lookedAtMs),
    created_at: isoOf(schedule.createdAtMs),
    updated_at: isoOf(schedule.updatedAtMs),
  };
}

/** The due times to come; of a paused schedule none. */
export function nextOf(schedule: Schedule, nowMs: number, howMany: number): string[] {
  if (schedule.state !== "active") return [];
  return nextOccurrences(dueTimesOf(schedule.definition), nowMs, howMany).map(isoOf);
}

export function runView(run: ScheduleRun): ScheduleRunWire {
  return {
    id: run.id,
    due_at: isoOf(run.dueAtMs),
    cause: run.cause,
    state: run.state,
    reason: run.reason ?? null,
    campaign_id: run.campaignId ?? null,
    execution_id: run.executionId ?? null,
    result: run.result ? scheduleRunResult.parse(run.result) : null,
    started_at: isoOrNull(run.startedAtMs),
    ended_at: isoOrNull(run.endedAtMs),
  };
}
