import { sql } from "drizzle-orm";

import type { Evidence } from "../../domain/campaigns/evidence.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { from, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at, atOrNull, json } from "../ground/sql.ts";
import { moveBatch, type Undialed } from "./batches.ts";

/* What is written of a batch at each step of its way, by compare-and-set on what is known of it. */

/** Reserves the next name for a create request: sent under it or not, it is never used again. */
export async function reserveCreate(db: Db, batchId: string): Promise<number | undefined> {
  const row = await firstRow<{ create_no: number }>(
    db,
    sql`update batches set create_no = create_no + 1 where id = ${batchId}::uuid and state = 'planned' returning create_no`,
  );
  return row?.create_no;
}

/** A batch for which more creates were sent than the ledger knows the answers of. */
const UNACCOUNTED_CREATE = record({
  batchId: from("id", text),
  /** The one whose answer came; undefined: none's. */
  platformBatchId: optional(text),
  /** Creates from this one on may be on their way yet; undefined: none is. */
  sendingNo: from("case when state = 'planned' then create_no end", optional(number)),
  plannedAtMs: moment,
});

export interface UnaccountedCreate extends RecordOf<typeof UNACCOUNTED_CREATE> {}

/** Those planned since a moment, newest first, 1,000 at most. */
export function listUnaccountedCreates(db: Db, sinceMs: number): Promise<UnaccountedCreate[]> {
  return rows(
    db,
    sql`select ${UNACCOUNTED_CREATE.columns} from batches
        where create_no > case when platform_batch_id is null then 0 else 1 end
          and planned_at >= ${at(sinceMs)} and (state <> 'planned' or create_no > 1)
        order by planned_at desc limit 1000`,
    UNACCOUNTED_CREATE,
  );
}

/** Records the one platform batch that may be started. False where one is recorded, or the batch was stopped. */
export function recordCreated(
  db: Db,
  batchId: string,
  platformBatchId: string,
  nowMs: number,
): Promise<boolean> {
  return moveBatch(
    db,
    batchId,
    "planned",
    "created",
    sql`platform_batch_id = ${platformBatchId}, created_at = ${at(nowMs)}`,
  );
}

export function recordBegun(db: Db, batchId: string, nowMs: number): Promise<boolean> {
  return moveBatch(db, batchId, "starting", "running", sql`start_seen_at = ${at(nowMs)}`);
}

/**
 * Notes that a batch whose start was in doubt is seen to dial after all. What was read of it before proves
 * nothing any more.
 */
export async function recordSeenBegun(db: Db, batchId: string, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update batches set start_seen_at = ${at(nowMs)}, terminal_seen_at = null, first_read_at = null, first_read = null,
          proven = null
        where id = ${batchId}::uuid and start_seen_at is null and start_sent_at is not null and state <> 'settled'`,
  );
}

/**
 * Keeps what the platform answered to a start that may have happened all the same. One that came behind a stop of ours
 * was refused for that, which says nothing of the platform.
 */
export async function recordStartRefusal(db: Db, batchId: string, answer: string): Promise<void> {
  await rows(
    db,
    sql`update batches set start_refusal = left(${answer}, 500)
        where id = ${batchId}::uuid and stop_reason is null`,
  );
}

/** Notes since when the platform does not have the batch, or, without a moment, that it has it. */
export async function recordVanished(db: Db, batchId: string, nowMs: number | undefined): Promise<void> {
  await rows(
    db,
    nowMs === undefined
      ? sql`update batches set vanished_at = null where id = ${batchId}::uuid and vanished_at is not null`
      : sql`update batches set vanished_at = ${at(nowMs)} where id = ${batchId}::uuid and vanished_at is null`,
  );
}

/**
 * The answer to the start itself said that nothing happened: it may be sent again, after a new check.
 *
 * @param unknownBy what the platform said where it does not know the batch that it has just created: it has to show it
 * before another start is sent.
 */
export function recordNotStarted(db: Db, batchId: string, unknownBy?: string): Promise<boolean> {
  return moveBatch(
    db,
    batchId,
    "starting",
    "created",
    sql`start_sent_at = null, start_refusal = left(${unknownBy ?? null}::text, 500)`,
  );
}

/** Nothing of a batch that was accepted is seen to begin: it is in doubt, as one whose start was not answered. */
export async function recordNotSeen(db: Db, batchId: string): Promise<void> {
  await rows(
    db,
    sql`update batches set start_seen_at = null
        where id = ${batchId}::uuid and state = 'running' and start_seen_at is not null`,
  );
}

/** A batch that was taken for over is not: what was read of it since proves nothing. */
export async function forgetReads(db: Db, batchId: string): Promise<void> {
  await rows(
    db,
    sql`update batches set terminal_seen_at = null, first_read_at = null, first_read = null, proven = null
        where id = ${batchId}::uuid and state <> 'settled' and terminal_seen_at is not null`,
  );
}

/** Notes that the platform was seen to have ended the batch. Keeps the first time. */
export async function recordTerminal(db: Db, batchId: string, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update batches set terminal_seen_at = coalesce(terminal_seen_at, ${at(nowMs)}) where id = ${batchId}::uuid`,
  );
}

/**
 * Keeps what the reads since the end was seen prove so far, for the next read to agree with.
 *
 * @param input.read the evidence, with the read that was over at `atMs` added
 * @param input.beforeMs when the read before it was over; undefined: there was none. Somebody else who looks at the
 * batch at the same time does not add theirs to the same.
 */
export async function recordRead(
  db: Db,
  batchId: string,
  input: { read: Evidence; atMs: number; beforeMs: number | undefined },
): Promise<void> {
  await rows(
    db,
    sql`update batches set first_read_at = ${at(input.atMs)}, first_read = ${json(input.read)}
        where id = ${batchId}::uuid and first_read_at is not distinct from ${atOrNull(input.beforeMs)}`,
  );
}

/**
 * Keeps whom the reads prove, right before the batch that shows it is deleted; undefined: it was not deleted, and they
 * prove nothing by themselves.
 */
export async function recordProven(
  db: Db,
  batchId: string,
  undialed: readonly Undialed[] | undefined,
): Promise<void> {
  const proven = undialed ? json(undialed) : sql`null`;
  await rows(
    db,
    sql`update batches set proven = ${proven} where id = ${batchId}::uuid and state <> 'settled'`,
  );
}
