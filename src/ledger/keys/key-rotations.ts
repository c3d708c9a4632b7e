import { sql, type SQL } from "drizzle-orm";

import { afterEvent, type KeyRotationEvent, type KeyRotationState } from "../../domain/keys/key-rotation.ts";
import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { putOutbox } from "../ground/outbox.ts";
import { document, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, atOrNull, json } from "../ground/sql.ts";

/*
 * Rotations of the platform's key, one at a time. What is written down of keys is what the platform shows of them:
 * ids, names, beginnings. Never a key.
 */

const KEY_ROTATION = record({
  id: text,
  oldKeyId: text,
  oldKeyPrefix: text,
  oldKeyName: optional(text),
  newKeyId: optional(text),
  newKeyPrefix: optional(text),
  state: word<KeyRotationState>(),
  stateSinceMs: moment,
  tries: number,
  graceHours: number,
  /** Until when the old key is good, as far as is known. */
  graceUntilMs: optional(moment),
  knownKeyIds: document<readonly string[]>(),
  error: optional(text),
  actor: text,
  createdAtMs: moment,
  endedAtMs: optional(moment),
});
export interface KeyRotation extends RecordOf<typeof KEY_ROTATION> {}

function readOne(db: Db, rest: SQL): Promise<KeyRotation | undefined> {
  return firstRow(db, sql`select ${KEY_ROTATION.columns} from key_rotations ${rest}`, KEY_ROTATION);
}

export function readKeyRotation(db: Db, rotationId: string): Promise<KeyRotation | undefined> {
  return readOne(db, sql`where id = ${rotationId}::uuid`);
}

/** The one that is under way; one that failed is, until what it left behind is taken back. */
export function readOpenKeyRotation(db: Db): Promise<KeyRotation | undefined> {
  return readOne(db, sql`where ended_at is null`);
}

/** The id of the key that was put in use last, by any rotation. */
export async function readStoredKeyId(db: Db): Promise<string | undefined> {
  const row = await firstRow<{ id: string }>(
    db,
    sql`select new_key_id as id from key_rotations
        where state in ('switched', 'verified', 'done') order by created_at desc limit 1`,
  );
  return row?.id;
}

/** The newest first. */
export function listKeyRotations(db: Db, limit: number): Promise<KeyRotation[]> {
  return rows(
    db,
    sql`select ${KEY_ROTATION.columns} from key_rotations order by created_at desc, id limit ${limit}`,
    KEY_ROTATION,
  );
}

export interface NewKeyRotation {
  id: string;
  oldKeyId: string;
  oldKeyPrefix: string;
  oldKeyName: string | undefined;
  knownKeyIds: readonly string[];
  graceHours: number;
  actor: string;
  nowMs: number;
}

/**
 * Writes a rotation down and has it begun.
 *
 * @returns false where one is under way already; nothing was written then.
 */
export async function beginKeyRotation(tx: Db, rotation: NewKeyRotation): Promise<boolean> {
  const now = at(rotation.nowMs);
  const written = await rows(
    tx,
    sql`insert into key_rotations (id, old_key_id, old_key_prefix, old_key_name, known_key_ids, grace_hours, state,
            state_since, actor, created_at, updated_at, look_by)
        values (${rotation.id}::uuid, ${rotation.oldKeyId}, ${rotation.oldKeyPrefix}, ${rotation.oldKeyName ?? null},
            ${json(rotation.knownKeyIds)}, ${rotation.graceHours}, 'rotating', ${now}, ${rotation.actor}, ${now}, ${now},
            ${at(rotation.nowMs + GRACE_MS)})
        on conflict do nothing returning 1 as one`,
  );
  if (written.length === 0) return false;
  await writeAudit(tx, {
    nowMs: rotation.nowMs,
    actor: rotation.actor,
    action: "key.rotate",
    detail: { rotation: rotation.id, old_key_id: rotation.oldKeyId, grace_hours: rotation.graceHours },
  });
  await putOutbox(tx, [{ kind: "key_rotation", subject: rotation.id, dueAtMs: rotation.nowMs }]);
  return true;
}

/**
 * Claims the next try of asking the platform. From here on, whoever claimed an earlier one stores nothing any more.
 *
 * @returns the number of the try; undefined where the rotation is not at that any more.
 */
export async function claimTry(
  db: Db,
  input: { rotationId: string; graceUntilMs: number; nowMs: number },
): Promise<number | undefined> {
  const row = await firstRow<{ tries: number }>(
    db,
    // The grace of the first request runs from then on, and no later one makes it longer.
    sql`update key_rotations set tries = tries + 1, updated_at = ${at(input.nowMs)},
            grace_until = coalesce(grace_until, ${at(input.graceUntilMs)})
        where id = ${input.rotationId}::uuid and state = 'rotating' returning tries`,
  );
  return row?.tries;
}

/**
 * Takes back a try of which the platform's own answer says that nothing happened: it left no key behind, and does not
 * count.
 */
export async function giveTryBack(
  db: Db,
  input: { rotationId: string; nth: number; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update key_rotations set tries = tries - 1, updated_at = ${at(input.nowMs)},
            grace_until = case when tries = 1 then null else grace_until end
        where id = ${input.rotationId}::uuid and state = 'rotating' and tries = ${input.nth}`,
  );
}

/** Holds a rotation for the rest of the transaction: nobody else claims a try or moves it on meanwhile. */
export function lockKeyRotation(tx: Db, rotationId: string): Promise<KeyRotation | undefined> {
  return readOne(tx, sql`where id = ${rotationId}::uuid for update`);
}

export interface KeyRotationStep {
  event: KeyRotationEvent;
  newKeyId?: string | undefined;
  newKeyPrefix?: string | undefined;
  graceUntilMs?: number | undefined;
  error?: string | undefined;
  nowMs: number;
}

/**
 * Moves a rotation on from the state that it was read in.
 *
 * @returns false where it is in another one by now.
 */
export async function moveKeyRotation(
  tx: Db,
  rotation: Pick<KeyRotation, "id" | "state">,
  step: KeyRotationStep,
): Promise<boolean> {
  const state = afterEvent(rotation.state, step.event);
  if (state === undefined) throw new Error(`a rotation that is ${rotation.state} can't be ${step.event}`);
  const now = at(step.nowMs);
  const moved = await rows(
    tx,
    sql`update key_rotations set state = ${state}, state_since = ${now}, updated_at = ${now},
            ended_at = ${state === "done" ? now : sql`null::timestamptz`},
            look_by = ${state === "done" ? sql`null` : sql`look_by`},
            new_key_id = coalesce(${step.newKeyId ?? null}::text, new_key_id),
            new_key_prefix = coalesce(${step.newKeyPrefix ?? null}::text, new_key_prefix),
            grace_until = coalesce(${atOrNull(step.graceUntilMs)}, grace_until),
            error = ${step.error ?? null}::text
        where id = ${rotation.id}::uuid and state = ${rotation.state} returning 1 as one`,
  );
  if (moved.length === 0) return false;
  await writeAudit(tx, {
    nowMs: step.nowMs,
    actor: "engine",
    action: `key.${state}`,
    detail: { rotation: rotation.id, ...(step.error !== undefined && { error: step.error }) },
  });
  return true;
}

/** Notes which key it is that was stored, where that was not known when it was. */
export async function nameNewKey(
  db: Db,
  input: { rotationId: string; newKeyId: string; newKeyPrefix: string | undefined; nowMs: number },
): Promise<void> {
  await rows(
    db,
    sql`update key_rotations set new_key_id = ${input.newKeyId}, new_key_prefix = ${input.newKeyPrefix ?? null},
            updated_at = ${at(input.nowMs)}
        where id = ${input.rotationId}::uuid and new_key_id is null`,
  );
}

/** What a failed rotation left behind is taken back: the next one may begin. */
export async function closeKeyRotation(db: Db, input: { rotationId: string; nowMs: number }): Promise<void> {
  await rows(
    db,
    sql`update key_rotations set ended_at = ${at(input.nowMs)}, updated_at = ${at(input.nowMs)}, look_by = null
        where id = ${input.rotationId}::uuid and state = 'failed' and ended_at is null`,
  );
}
