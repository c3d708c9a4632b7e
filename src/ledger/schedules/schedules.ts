import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { ScheduleSays } from "../../domain/schedules/recurring-spec.ts";
import { readStoredSchedule, type ScheduleDefinition } from "../../domain/schedules/schedule.ts";
import { writeAudit } from "../ground/audit.ts";
import { isScheduleOf, type OfBrands } from "../ground/brands.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
import { putOutbox } from "../ground/outbox.ts";
import { document, from, moment, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, atOrNull, json } from "../ground/sql.ts";
import { readWatermark, setWatermark } from "../ground/watermarks.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { runsFinished } from "./schedule-runs.ts";

/*
 * Schedules as they are declared. Of those on Temporal the due times are reckoned here alone, and a workflow is their
 * timer (schedule-looks.ts); the platform's own scheduler is brought in line with what is declared. Both hear of
 * changes by way of the outbox, and are looked at now and then: what stands here is what counts.
 *
 * A schedule's row is locked before anything about its runs is decided, and before every other row; after campaigns,
 * where a transaction locks both.
 */

export type ScheduleState = "active" | "paused" | "removed";

/** What was found on the platform, where its scheduler keeps the time. */
export interface ScheduleDrift {
  /** In words; absent while it is as declared. */
  found?: string;
  foundAt?: string;
  repairedAt?: string;
  /** The automation of the platform that runs by it. */
  workflowId?: string;
}

const SCHEDULE = record({
  id: text,
  name: text,
  definition: document<unknown>(),
  digest: text,
  state: word<ScheduleState>(),
  stateReason: optional(text),
  /** Of what was last brought to the platform, where its scheduler keeps the time. */
  installedDigest: optional(text),
  drift: from("coalesce(drift, '{}')", document<ScheduleDrift>()),
  lookedAtMs: optional(moment),
  /** By when its workflow looks again, where it has one. */
  nextLookAtMs: optional(moment),
  actor: text,
  createdAtMs: moment,
  updatedAtMs: moment,
});

export interface Schedule extends RecordOf<typeof SCHEDULE> {
  definition: ScheduleDefinition;
}

function scheduleOf(stored: RecordOf<typeof SCHEDULE>): Schedule {
  const reading = readStoredSchedule(stored.definition);
  if (reading.ok) return { ...stored, definition: reading.definition };
  throw new Error(`schedule ${stored.name} can't be read: ${JSON.stringify(reading.problems)}`);
}

/** Whether its due times are decided here, by its workflow. */
export function isTimedHere({ state, definition }: Pick<Schedule, "state" | "definition">): boolean {
  return state === "active" && definition.engine === "temporal";
}

async function readOne(db: Db, condition: SQL): Promise<Schedule | undefined> {
  const stored = await firstRow(
    db,
    sql`select ${SCHEDULE.columns} from schedules where ${condition}`,
    SCHEDULE,
  );
  return stored && scheduleOf(stored);
}

/** Removed ones, too. */
export function readSchedule(db: Db, scheduleId: string): Promise<Schedule | undefined> {
  return readOne(db, sql`id = ${scheduleId}::uuid`);
}

export function lockSchedule(tx: Db, scheduleId: string): Promise<Schedule | undefined> {
  return readOne(tx, sql`id = ${scheduleId}::uuid for update`);
}

/** As it is stored, whatever its definition says. */
export interface StoredSchedule {
  id: string;
  name: string;
  state: ScheduleState;
  /** Undefined: its definition can't be read here, as one of a zone that this machine does not know. */
  schedule: Schedule | undefined;
}

/** Takes its row lock where its definition can't be read, too. Undefined: there is none. */
export async function lockStoredSchedule(tx: Db, scheduleId: string): Promise<StoredSchedule | undefined> {
  const stored = await firstRow(
    tx,
    sql`select ${SCHEDULE.columns} from schedules where id = ${scheduleId}::uuid for update`,
    SCHEDULE,
  );
  if (!stored) return undefined;
  const { id, name, state } = stored;
  const isReadable = readStoredSchedule(stored.definition).ok;
  return { id, name, state, schedule: isReadable ? scheduleOf(stored) : undefined };
}

export function findSchedule(db: Db, name: string): Promise<Schedule | undefined> {
  return readOne(db, sql`name = ${name} and state <> 'removed'`);
}

/** All that are not removed, by name: people write schedules one by one. */
export async function listSchedules(db: Db, of: OfBrands = {}): Promise<Schedule[]> {
  const found = await rows(
    db,
    sql`select ${SCHEDULE.columns} from schedules where state <> 'removed' and ${isScheduleOf(sql`definition`, of)}
        order by name`,
    SCHEDULE,
  );
  return found.map(scheduleOf);
}

/** What those say that begin runs of a campaign, and are not removed; by name. Of those that can't be read, too. */
export async function listSchedulesOf(
  db: Db,
  { brand, name }: { brand: string; name: string },
): Promise<ScheduleSays[]> {
  const found = await rows<{ name: string; within: string | null; has_spec: boolean }>(
    db,
    sql`select name, definition #>> '{run,not_called_within}' as within, definition #> '{run,spec}' is not null as has_spec
        from schedules
        where state <> 'removed' and definition #>> '{run,campaign}' = ${name}
          and coalesce(definition #>> '{run,brand}', 'default') = ${brand}
        order by name`,
  );
  return found.map(({ within, ...schedule }) => ({
    ...schedule,
    brand,
    campaign: name,
    not_called_within: within ?? undefined,
  }));
}

/** Those that are declared, by name, or those that were removed here and that the platform may still keep. */
export function listKept(db: Db, which: "declared" | "removed"): Promise<{ id: string; name: string }[]> {
  return rows(
    db,
    sql`select id, name from schedules
        where ${which === "declared" ? sql`state <> 'removed'` : sql`state = 'removed' and installed_digest is not null`}
        order by name`,
  );
}

/** As it was read: nobody declared, paused, resumed or removed it since. */
function isAsRead({ id, digest, state, updatedAtMs }: Schedule): SQL {
  return sql`id = ${id}::uuid and digest = ${digest} and state = ${state} and updated_at = ${at(updatedAtMs)}`;
}

/**
 * Whether a schedule is still declared as it was read. Whoever keeps it on the platform asks before what they saw
 * there is held against it, and again when they have changed something there.
 */
export async function isStillDeclared(db: Db, schedule: Schedule): Promise<boolean> {
  const found = await rows(db, sql`select 1 as one from schedules where ${isAsRead(schedule)}`);
  return found.length > 0;
}

interface ScheduleWriting {
  definition: ScheduleDefinition;
  digest: string;
  actor: string;
  nowMs: number;
}

/** Writes a new one down, active. Undefined: there is one of that name, perhaps a removed one. */
export async function insertSchedule(tx: Db, input: ScheduleWriting): Promise<Schedule | undefined> {
  const { definition, digest, actor, nowMs } = input;
  const stored = await firstRow(
    tx,
    sql`insert into schedules (id, name, definition, digest, state, actor, created_at, updated_at, look_by)
        values (${randomUUID()}::uuid, ${definition.name}, ${json(definition)}, ${digest}, 'active', ${actor}, ${at(nowMs)}, ${at(nowMs)},
                ${atOrNull(firstLookMs("active", definition, nowMs))})
        on conflict (name) do nothing returning ${SCHEDULE.columns}`,
    SCHEDULE,
  );
  return stored && scheduleOf(stored);
}

/** Removed ones, too. Takes its row lock. */
export function lockByName(tx: Db, name: string): Promise<Schedule | undefined> {
  return readOne(tx, sql`name = ${name} for update`);
}

/** Gives one another definition; a removed one is active again. Its row is locked by the caller. */
export async function redefine(tx: Db, before: Schedule, input: ScheduleWriting): Promise<Schedule> {
  const { definition, digest, actor, nowMs } = input;
  const revived = before.state === "removed";
  const state = revived ? "active" : before.state;
  const stored = await firstRow(
    tx,
    sql`update schedules set definition = ${json(definition)}, digest = ${digest}, actor = ${actor}, updated_at = ${at(nowMs)},
          state = ${state}, state_reason = ${revived ? null : (before.stateReason ?? null)},
          ${lookedAt(firstLookMs(state, definition, nowMs))}
        where id = ${before.id}::uuid returning ${SCHEDULE.columns}`,
    SCHEDULE,
  );
  return stored ? scheduleOf(stored) : before;
}

export interface ScheduleCommandInput {
  name: string;
  actor: string;
  reason: string | undefined;
  nowMs: number;
}

/** There is no such schedule. */
export class UnknownScheduleError extends Error {
  override readonly name = "UnknownScheduleError";
}

/** @throws UnknownScheduleError */
export async function requireLocked(tx: Db, name: string): Promise<Schedule> {
  const schedule = await readOne(tx, sql`name = ${name} and state <> 'removed' for update`);
  if (schedule) return schedule;
  throw new UnknownScheduleError(
    `there is no schedule ${JSON.stringify(name)}: list them with \`outdial schedule list\``,
  );
}

const COMMANDS = { active: "resume", paused: "pause", removed: "remove" } as const;

/** Why nothing becomes of a run that was due before. */
export const NOT_BEGUN = {
  paused: "the schedule was paused before it could begin",
  removed: "the schedule was removed before it could begin",
} as const;

/**
 * What waits for another run's end begins no more in one that is paused, unless a person asked for it: it would begin
 * when the schedule is resumed, whenever that is. The schedule's row is locked by the caller.
 */
export async function move(
  tx: Db,
  schedule: Schedule,
  state: ScheduleState,
  input: Omit<ScheduleCommandInput, "name">,
): Promise<Schedule> {
  const { actor, reason, nowMs } = input;
  await rows(
    tx,
    sql`update schedules set state = ${state}, state_reason = ${reason ?? null}, actor = ${actor}, updated_at = ${at(nowMs)},
          ${lookedAt(firstLookMs(state, schedule.definition, nowMs))}
        where id = ${schedule.id}::uuid`,
  );
  if (state !== "active")
    await rows(
      tx,
      sql`with moved as (
            update schedule_runs set state = 'skipped', reason = ${NOT_BEGUN[state]}, ended_at = ${at(nowMs)}
            where schedule_id = ${schedule.id}::uuid and state = 'waiting' and (cause = 'schedule' or ${state === "removed"})
            returning *)
          ${runsFinished(nowMs)}`,
    );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: `schedule.${COMMANDS[state]}`,
    detail: { schedule: schedule.name, reason: reason ?? null, before: schedule.state, after: state },
  });
  await putOutbox(tx, [{ kind: "schedule", subject: schedule.id, dueAtMs: nowMs }]);
  return { ...schedule, state, stateReason: reason, actor, updatedAtMs: nowMs };
}

/**
 * What was found and done on the platform. `installedDigest` null: nothing is there any more.
 *
 * @returns false where it is not declared so any more: then nothing was written.
 */
export async function noteKept(
  db: Db,
  input: { schedule: Schedule; installedDigest: string | null; drift: ScheduleDrift; nowMs: number },
): Promise<boolean> {
  const noted = await rows(
    db,
    sql`update schedules set installed_digest = ${input.installedDigest}, drift = ${json(input.drift)}, looked_at = ${at(input.nowMs)}
        where ${isAsRead(input.schedule)} returning 1 as one`,
  );
  return noted.length > 0;
}

/** Its workflow has been told of a change, which it is to have looked at. Undefined: nothing is due here. */
function firstLookMs(
  state: ScheduleState,
  definition: ScheduleDefinition,
  nowMs: number,
): number | undefined {
  return isTimedHere({ state, definition }) ? nowMs + GRACE_MS : undefined;
}

/** A look takes a worker a second or so. One that is later has no worker, no workflow, or a timer that is wrong. */
const OVERDUE_MS = 10_000;

/** So long before it has to look it is seen to that its workflow is there. */
const NEAR_MS = 5 * 60_000;

/** Its workflow has looked, or is told to. The schedule's row is locked by the caller. */
export async function noteLook(
  tx: Db,
  scheduleId: string,
  { lookedAtMs, nextMs, nowMs }: { lookedAtMs: number | undefined; nextMs: number; nowMs: number },
): Promise<void> {
  const byMs = nextMs - NEAR_MS > nowMs ? nextMs - NEAR_MS : nextMs + OVERDUE_MS;
  await rows(
    tx,
    sql`update schedules set looked_at = coalesce(${atOrNull(lookedAtMs)}, looked_at), next_look_at = ${at(nextMs)}, ${lookedAt(byMs)}
        where id = ${scheduleId}::uuid`,
  );
}

/**
 * Its workflow was seen to be there.
 *
 * @returns whether that is enough: it has not missed its time.
 */
export async function noteSeen(db: Db, scheduleId: string, nowMs: number): Promise<boolean> {
  const overdue = sql`next_look_at + make_interval(secs => ${OVERDUE_MS / 1_000}::int)`;
  const inTime = await rows(
    db,
    sql`update schedules set look_by = ${overdue}, unmoved = 0
        where id = ${scheduleId}::uuid and look_by is not null and ${overdue} > ${at(nowMs)} returning 1 as one`,
  );
  return inTime.length > 0;
}

/** Has it brought to the platform once more, over what stands there. */
export async function keepAgain(tx: Db, input: ScheduleCommandInput): Promise<Schedule> {
  const schedule = await requireLocked(tx, input.name);
  if (schedule.drift.found === undefined)
    throw new CommandRefusedError(
      `schedule ${input.name} is kept as it is declared: there is nothing to repair`,
    );
  await rows(tx, sql`update schedules set installed_digest = null where id = ${schedule.id}::uuid`);
  const { actor, reason, nowMs } = input;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "schedule.repair",
    detail: { schedule: schedule.name, reason: reason ?? null, found: schedule.drift.found },
  });
  await putOutbox(tx, [{ kind: "schedule", subject: schedule.id, dueAtMs: nowMs }]);
  return schedule;
}

const watermarkOf = (scheduleId: string) => `schedule:${scheduleId}`;

/** Through when what became of every due time is written down. Unix milliseconds. */
export function decidedThrough(tx: Db, scheduleId: string): Promise<number | undefined> {
  return readWatermark(tx, watermarkOf(scheduleId));
}

export function setDecidedThrough(tx: Db, scheduleId: string, throughMs: number): Promise<void> {
  return setWatermark(tx, watermarkOf(scheduleId), throughMs);
}
