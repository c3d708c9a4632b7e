import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { readStoredAutomation, type AutomationDefinition } from "../../domain/automations/automation.ts";
import {
  isRerunOpen,
  memorySchema,
  NEW_MEMORY,
  type Memory,
} from "../../domain/automations/automation-memory.ts";
import { isOnItsWay, type AutomationState } from "../../domain/automations/automation-state.ts";
import { changedFields } from "../../domain/ground/changed-fields.ts";
import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { digestOf } from "../ground/digest.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
import { putOutbox } from "../ground/outbox.ts";
import { document, from, moment, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { at, json } from "../ground/sql.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";

/*
 * Automations as they are declared, and how far each is on its way onto the platform. Its workflow takes the steps;
 * what stands here is what counts.
 *
 * Everything that is written about one raises its memory's `turn`, under its row's lock: a step that was begun before
 * writes nothing any more, and what it sent is looked for by the next one.
 */

const AUTOMATION = record({
  id: text,
  name: text,
  definition: document<unknown>(),
  digest: text,
  /** Of the platform, once it works there. */
  workflowId: optional(text),
  state: word<AutomationState>(),
  /** The step that is under way, or that failed. */
  step: optional(text),
  memory: from(
    "progress",
    document((progress) => memorySchema.parse(progress)),
  ),
  error: optional(text),
  /** Of the definition that works on the platform. */
  deployedDigest: optional(text),
  actor: text,
  createdAtMs: moment,
  updatedAtMs: moment,
  /** Through when what it ran was seen. */
  lookedAtMs: from("coalesce(looked_at, created_at)", moment),
  /** When its whole list was read last for what goes on. */
  walkedAtMs: optional(moment),
});

export interface Automation extends RecordOf<typeof AUTOMATION> {
  definition: AutomationDefinition;
}

function automationOf(stored: RecordOf<typeof AUTOMATION>): Automation {
  const reading = readStoredAutomation(stored.definition);
  if (reading.ok) return { ...stored, definition: reading.definition };
  throw new Error(`automation ${stored.name} can't be read: ${JSON.stringify(reading.problems)}`);
}

async function readOne(db: Db, condition: SQL): Promise<Automation | undefined> {
  const stored = await firstRow(
    db,
    sql`select ${AUTOMATION.columns} from automations where ${condition}`,
    AUTOMATION,
  );
  return stored && automationOf(stored);
}

/** One that is not removed, by its name. */
export function readAutomation(db: Db, name: string): Promise<Automation | undefined> {
  return readOne(db, sql`name = ${name} and state <> 'removed'`);
}

/** A removed one, too. */
export function readAutomationById(db: Db, automationId: string): Promise<Automation | undefined> {
  return readOne(db, sql`id = ${automationId}::uuid`);
}

export function lockAutomation(tx: Db, automationId: string): Promise<Automation | undefined> {
  return readOne(tx, sql`id = ${automationId}::uuid for update`);
}

/** All that are not removed, by name: people write automations one by one. */
export async function listAutomations(db: Db): Promise<Automation[]> {
  const found = await rows(
    db,
    sql`select ${AUTOMATION.columns} from automations where state <> 'removed' order by name`,
    AUTOMATION,
  );
  return found.map(automationOf);
}

/** What it ran was seen through this; never moves back. */
export async function noteLooked(tx: Db, automationId: string, throughMs: number): Promise<void> {
  await rows(
    tx,
    sql`update automations set looked_at = greatest(looked_at, ${at(throughMs)}) where id = ${automationId}::uuid`,
  );
}

/** Its whole list was read. */
export async function noteWalked(db: Db, automationId: string, nowMs: number): Promise<void> {
  await rows(db, sql`update automations set walked_at = ${at(nowMs)} where id = ${automationId}::uuid`);
}

/** Whether its workflow has something to do. */
export function isAutomationOpen({ state, memory }: Pick<Automation, "state" | "memory">): boolean {
  return isOnItsWay(state) || (state !== "removed" && memory.reruns.some(isRerunOpen));
}

/** The automations of the platform that it is, and was. */
export function workflowIdsOf({ memory }: Pick<Automation, "memory">): string[] {
  const { live, former } = memory;
  const own = live?.workflowId === undefined ? [] : [live.workflowId];
  return [...own, ...former.map(({ workflowId }) => workflowId)];
}

export interface PutAutomationResult {
  automation: Automation;
  change: "created" | "changed" | "none";
}

/**
 * Writes an automation down under its name, or puts another definition of it in force; the way there begins after the
 * commit. The same definition again changes nothing.
 *
 * @throws CommandRefusedError while one of that name is being removed.
 */
export async function putAutomation(
  tx: Db,
  input: {
    definition: AutomationDefinition;
    actor: string;
    nowMs: number;
    /** Told its definition. */
    requireSeen?: RequireSeen | undefined;
  },
): Promise<PutAutomationResult> {
  const { definition, actor, nowMs } = input;
  const digest = digestOf(definition);
  const created = await firstRow(
    tx,
    sql`insert into automations (id, name, definition, digest, state, progress, actor, created_at, updated_at, look_by)
        values (${randomUUID()}::uuid, ${definition.name}, ${json(definition)}, ${digest}, 'changing', ${json(NEW_MEMORY)},
                ${actor}, ${at(nowMs)}, ${at(nowMs)}, ${at(nowMs + GRACE_MS)})
        on conflict (name) do nothing returning ${AUTOMATION.columns}`,
    AUTOMATION,
  );
  if (created) {
    input.requireSeen?.(undefined);
    return written(tx, automationOf(created), "created", { ...input, before: undefined });
  }
  const before = await readOne(tx, sql`name = ${definition.name} for update`);
  if (!before) throw new Error(`automation ${definition.name} vanished while it was written`);
  if (before.state === "removing")
    throw new CommandRefusedError(`automation ${definition.name} is being removed: try again in a moment`);
  const isNew = before.state === "removed";
  if (before.digest === digest && !isNew) return { automation: before, change: "none" };
  input.requireSeen?.(isNew ? undefined : before.definition);
  const { turn, builds, ...known } = before.memory;
  const memory: Memory = isNew
    ? { ...NEW_MEMORY, turn, builds }
    : { turn, builds, ...known, steps: [], waits: 0 };
  if (!isNew) delete memory.asked;
  await rows(
    tx,
    sql`update automations set definition = ${json(definition)}, digest = ${digest}, actor = ${actor},
          deployed_digest = ${isNew ? null : (before.deployedDigest ?? null)}
        where id = ${before.id}::uuid`,
  );
  const changed: Automation = {
    ...before,
    definition,
    digest,
    actor,
    deployedDigest: isNew ? undefined : before.deployedDigest,
  };
  // What is being undone is undone first, and then what is declared now is begun.
  const state = before.state === "undoing" ? "undoing" : "changing";
  const after = await move(tx, changed, { state, memory, error: undefined, step: undefined }, nowMs);
  const former = isNew ? undefined : before;
  return written(tx, after, isNew ? "created" : "changed", { ...input, before: former });
}

async function written(
  tx: Db,
  automation: Automation,
  change: "created" | "changed",
  { before, actor, nowMs }: { before: Automation | undefined; actor: string; nowMs: number },
): Promise<PutAutomationResult> {
  await writeAudit(tx, {
    nowMs,
    actor,
    action: `automation.${change === "created" ? "create" : "change"}`,
    detail: {
      automation: automation.name,
      digest: automation.digest,
      ...changedFields(before?.definition, automation.definition),
    },
  });
  await putOutbox(tx, [{ kind: "automation", subject: automation.id, dueAtMs: nowMs }]);
  return { automation, change };
}

/** What a step, or a command, leaves behind. */
export interface Movement {
  state: AutomationState;
  memory: Memory;
  step: string | undefined;
  error: string | undefined;
}

/** Writes where an automation stands. The caller holds its row's lock. */
export async function move(
  tx: Db,
  automation: Automation,
  movement: Movement,
  nowMs: number,
): Promise<Automation> {
  const memory = { ...movement.memory, turn: automation.memory.turn + 1 };
  const workflowId = movement.state === "removed" ? undefined : memory.live?.workflowId;
  const deployedDigest = movement.state === "ready" ? automation.digest : automation.deployedDigest;
  await rows(
    tx,
    sql`update automations set state = ${movement.state}, step = ${movement.step ?? null}, progress = ${json(memory)},
          error = ${movement.error ?? null}, workflow_id = ${workflowId ?? null},
          deployed_digest = ${deployedDigest ?? null}, updated_at = ${at(nowMs)},
          ${lookedAt(isAutomationOpen({ state: movement.state, memory }) ? nowMs + GRACE_MS : undefined)}
        where id = ${automation.id}::uuid`,
  );
  const { state, step, error } = movement;
  return { ...automation, state, step, error, memory, workflowId, deployedDigest, updatedAtMs: nowMs };
}

/**
 * Writes what a step came to.
 *
 * @param movementOf from the automation as it stands: somebody may have written meanwhile. Undefined: nothing is written.
 * @returns the automation as it is now; undefined where nothing was written.
 */
export async function writeStep(
  tx: Db,
  automationId: string,
  movementOf: (now: Automation) => Movement | undefined,
  nowMs: number,
): Promise<Automation | undefined> {
  const now = await lockAutomation(tx, automationId);
  const movement = now && movementOf(now);
  return movement && move(tx, now, movement, nowMs);
}
