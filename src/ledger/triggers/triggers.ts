import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { triggerSchema, type TriggerDefinition } from "../../domain/triggers/trigger.ts";
import { changedFields } from "../../domain/ground/changed-fields.ts";
import { writeAudit } from "../ground/audit.ts";
import { isTriggerOf, type OfBrands } from "../ground/brands.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { readPeopleAnew } from "./delivery-order.ts";
import { document, flag, moment, number, record, text, type RecordOf } from "../ground/record.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { at, json, listOf } from "../ground/sql.ts";

const TRIGGER = record({
  id: text,
  name: text,
  definition: document<unknown>(),
  /** Raised by each change of the definition. */
  version: number,
  enabled: flag,
  createdAtMs: moment,
  updatedAtMs: moment,
});

/** A trigger whose definition is as it was written, by this version or another one. */
export interface StoredTrigger extends RecordOf<typeof TRIGGER> {}

export interface Trigger extends StoredTrigger {
  definition: TriggerDefinition;
}

/** @throws where this version can't read what another one wrote. */
export function triggerOf(stored: StoredTrigger): Trigger {
  const definition = readableDefinition(stored);
  if (definition) return { ...stored, definition };
  throw new Error(`the definition of trigger ${stored.name} can't be read by this version: put it anew`);
}

/** A trigger's definition; undefined where this version can't read what another one wrote. */
export function readableDefinition({ definition }: StoredTrigger): TriggerDefinition | undefined {
  return triggerSchema.safeParse(definition).data;
}

function readOne(db: Db, condition: SQL): Promise<StoredTrigger | undefined> {
  return firstRow(db, sql`select ${TRIGGER.columns} from triggers where ${condition}`, TRIGGER);
}

/** Those of these names that there are. */
export async function findTriggers(db: Db, names: readonly string[]): Promise<Map<string, StoredTrigger>> {
  const found = await rows(
    db,
    sql`select ${TRIGGER.columns} from triggers where name in ${listOf(names, "text")}`,
    TRIGGER,
  );
  return new Map(found.map((stored) => [stored.name, stored]));
}

export function findStoredTrigger(db: Db, name: string): Promise<StoredTrigger | undefined> {
  return readOne(db, sql`name = ${name}`);
}

export async function readTrigger(db: Db, triggerId: string): Promise<Trigger | undefined> {
  const stored = await readOne(db, sql`id = ${triggerId}::uuid`);
  return stored && triggerOf(stored);
}

/** All of them, by name: people write triggers one by one. One that can't be read keeps nobody from the others. */
export function listTriggers(db: Db, of: OfBrands = {}): Promise<StoredTrigger[]> {
  return rows(
    db,
    sql`select ${TRIGGER.columns} from triggers where ${isTriggerOf(sql`definition`, of)} order by name`,
    TRIGGER,
  );
}

/**
 * Writes a trigger down under its name, enabled, or puts another definition of it in force: for every delivery
 * that is worked off from here on. The same definition again changes nothing.
 */
export async function putTrigger(
  tx: Db,
  input: {
    definition: TriggerDefinition;
    actor: string;
    nowMs: number;
    /** Told what is there under the name. @throws where it is not for this caller to change */
    requireOwn?: ((before: StoredTrigger) => void) | undefined;
    /** Told its definition. */
    requireSeen?: RequireSeen | undefined;
  },
): Promise<{ trigger: Trigger; change: "created" | "changed" | "none" }> {
  const { definition, actor, nowMs } = input;
  const created = await firstRow(
    tx,
    sql`insert into triggers (id, name, definition, version, enabled, created_at, updated_at)
        values (${randomUUID()}::uuid, ${definition.name}, ${json(definition)}, 1, true, ${at(nowMs)}, ${at(nowMs)})
        on conflict (name) do nothing returning ${TRIGGER.columns}`,
    TRIGGER,
  );
  if (created) {
    input.requireSeen?.(undefined);
    await audit(tx, "trigger.create", {
      ...input,
      name: definition.name,
      detail: { version: 1, ...changedFields(undefined, definition) },
    });
    return { trigger: { ...created, definition }, change: "created" };
  }
  const before = await readOne(tx, sql`name = ${definition.name} for update`);
  if (!before) throw new Error(`trigger ${definition.name} vanished while it was written`);
  input.requireOwn?.(before);
  if (isDeepStrictEqual(readableDefinition(before), definition))
    return { trigger: { ...before, definition }, change: "none" };
  input.requireSeen?.(before.definition);
  await rows(
    tx,
    sql`update triggers set definition = ${json(definition)}, version = version + 1, updated_at = ${at(nowMs)}
        where id = ${before.id}::uuid`,
  );
  const version = before.version + 1;
  const detail = { version, ...changedFields(before.definition ?? {}, definition) };
  await audit(tx, "trigger.change", { actor, nowMs, name: definition.name, detail });
  // What waits may be about others now.
  await readPeopleAnew(tx, before.id);
  return { trigger: { ...before, definition, version, updatedAtMs: nowMs }, change: "changed" };
}

/** Opens or closes a trigger's door. What came through before is worked off either way. Undefined: there is none. */
export async function setTriggerEnabled(
  tx: Db,
  input: { name: string; enabled: boolean; actor: string; nowMs: number },
): Promise<StoredTrigger | undefined> {
  const before = await readOne(tx, sql`name = ${input.name} for update`);
  if (!before || before.enabled === input.enabled) return before;
  await rows(tx, sql`update triggers set enabled = ${input.enabled} where id = ${before.id}::uuid`);
  await audit(tx, input.enabled ? "trigger.enable" : "trigger.disable", { ...input, detail: {} });
  return { ...before, enabled: input.enabled };
}

function audit(
  tx: Db,
  action: string,
  { name, actor, nowMs, detail }: { name: string; actor: string; nowMs: number; detail: object },
): Promise<void> {
  return writeAudit(tx, { nowMs, actor, action, detail: { trigger: name, ...detail } });
}
