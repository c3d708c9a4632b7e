import type { ScheduleDefinition } from "../../domain/schedules/schedule.ts";
import { changedFields } from "../../domain/ground/changed-fields.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import type { Db } from "../ground/connection.ts";
import { digestOf } from "../ground/digest.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { putOutbox } from "../ground/outbox.ts";
import {
  insertSchedule,
  lockByName,
  move,
  NOT_BEGUN,
  redefine,
  requireLocked,
  setDecidedThrough,
  type Schedule,
  type ScheduleCommandInput,
} from "./schedules.ts";
import { decideBefore } from "./scheduling.ts";

/*
 * What people do to schedules. Whatever came due before the change is decided first, with the change's transaction:
 * afterwards only what comes due after it is asked for.
 */

export interface PutScheduleResult {
  schedule: Schedule;
  change: "created" | "changed" | "none";
}

/**
 * Writes a schedule down under its name, active, or puts another definition of it in force: one that is paused stays
 * so. What came due before, and can still begin in time, begins. The same definition again changes nothing.
 */
export async function putSchedule(
  tx: Db,
  input: {
    definition: ScheduleDefinition;
    actor: string;
    nowMs: number;
    /** Told what is there under the name, removed or not. @throws where it is not for this caller to change */
    requireOwn?: ((before: Schedule) => void) | undefined;
    /** Told its definition. */
    requireSeen?: RequireSeen | undefined;
  },
): Promise<PutScheduleResult> {
  const { definition, nowMs } = input;
  const writing = { ...input, digest: digestOf(definition) };
  const created = await insertSchedule(tx, writing);
  if (created) {
    input.requireSeen?.(undefined);
    return written(tx, created, "created", { ...input, before: undefined });
  }
  const before = await lockByName(tx, definition.name);
  if (!before) throw new Error(`schedule ${definition.name} vanished while it was written`);
  input.requireOwn?.(before);
  if (before.digest === writing.digest && before.state !== "removed")
    return { schedule: before, change: "none" };
  input.requireSeen?.(before.state === "removed" ? undefined : before.definition);
  await decideBefore(tx, before, { nowMs });
  const after = await redefine(tx, before, writing);
  const isNew = before.state === "removed";
  return written(tx, after, isNew ? "created" : "changed", { ...input, before: isNew ? undefined : before });
}

async function written(
  tx: Db,
  schedule: Schedule,
  change: "created" | "changed",
  { before, actor, nowMs }: { before: Schedule | undefined; actor: string; nowMs: number },
): Promise<PutScheduleResult> {
  await setDecidedThrough(tx, schedule.id, nowMs);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: `schedule.${change === "created" ? "create" : "change"}`,
    detail: {
      schedule: schedule.name,
      digest: schedule.digest,
      ...changedFields(before?.definition, schedule.definition),
    },
  });
  await putOutbox(tx, [{ kind: "schedule", subject: schedule.id, dueAtMs: nowMs }]);
  return { schedule, change };
}

/** No run begins by itself from the commit on. Runs that are under way go on; one that is paused stays so. */
export async function pauseSchedule(tx: Db, input: ScheduleCommandInput): Promise<Schedule> {
  const { nowMs } = input;
  const schedule = await requireLocked(tx, input.name);
  if (schedule.state === "paused") return schedule;
  await decideBefore(tx, schedule, {
    skippedBecause: NOT_BEGUN.paused,
    nowMs,
  });
  return move(tx, schedule, "paused", input);
}

/** Goes on with what is due from now on; what was due meanwhile is a matter of backfill. */
export async function resumeSchedule(tx: Db, input: ScheduleCommandInput): Promise<Schedule> {
  const schedule = await requireLocked(tx, input.name);
  if (schedule.state === "active") return schedule;
  await setDecidedThrough(tx, schedule.id, input.nowMs);
  return move(tx, schedule, "active", input);
}

/** What people were told about it, and can do nothing about any more. */
const TOLD = ["schedule_run_missed", "schedule_run_failed", "schedule_drift"] as const;

/** Nothing is due any more. Runs that are under way come to their ends, and what was run stays on record. */
export async function removeSchedule(tx: Db, input: ScheduleCommandInput): Promise<Schedule> {
  const { actor, nowMs } = input;
  const schedule = await requireLocked(tx, input.name);
  const resolution = "the schedule was removed";
  await decideBefore(tx, schedule, { skippedBecause: NOT_BEGUN.removed, nowMs });
  for (const kind of TOLD)
    await resolveAttention(tx, { kind, subject: schedule.name, by: actor, resolution, nowMs });
  return move(tx, schedule, "removed", input);
}
