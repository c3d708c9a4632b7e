import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { raiseAttention } from "../ground/attention.ts";
import { lockBatch, requestStop, type Batch } from "./batches.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { at, listOf } from "../ground/sql.ts";

/*
 * A batch of which the platform answers no create, though it creates others: somebody in it may be what it chokes on.
 *
 * 1. It goes, and its people go on in two new batches. Nothing that was sent for it can be started any more: an answer
 *    that comes late finds it stopped, and what was created is deleted.
 * 2. New batches hold the slots that it held, and no more: with one slot the second half is due again instead.
 */

/** What else is known of creates of the same campaign from the same number: a batch's own troubles are not theirs. */
export interface OtherCreates {
  /** Another was created since the moment, and is not through yet. */
  created: boolean;
  /** Of those that are still to be created none is older; of parts of the same one, none is smaller. */
  isOldest: boolean;
  /** All that is under way are batches of one person that are still to be created, or there is nothing. */
  areSingle: boolean;
}

export async function readOtherCreates(db: Db, batch: Batch, sinceMs: number): Promise<OtherCreates> {
  const [row] = await rows<{ created: boolean; older: boolean; others: boolean }>(
    db,
    sql`select coalesce(bool_or(created_at >= ${at(sinceMs)}), false) as created,
          coalesce(bool_or(state = 'planned' and (planned_at, size, id) < (${at(batch.plannedAtMs)}, ${batch.size}, ${batch.id}::uuid)), false) as older,
          coalesce(bool_or(state <> 'planned' or size > 1), false) as others
        from batches
        where campaign_id = ${batch.campaignId}::uuid and state <> 'settled' and from_number = ${batch.fromNumber}
          and id <> ${batch.id}::uuid`,
  );
  return {
    created: row?.created ?? false,
    isOldest: !(row?.older ?? false),
    areSingle: !(row?.others ?? false),
  };
}

/**
 * Takes a batch back that is not created yet, and lets its people go on in two. Planning hands the new ones to their
 * workflows.
 *
 * @returns the ids of those. None where it was created, or stopped, meanwhile.
 */
export async function splitPlanned(ledger: Ledger, batchId: string, nowMs: number): Promise<string[]> {
  return ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (locked?.batch.state !== "planned") return [];
    const { campaign, batch } = locked;
    const open = await rows<{ id: number }>(
      tx,
      sql`select id from attempts where batch_id = ${batchId}::uuid and state = 'open' order by id`,
    );
    const half = Math.ceil(open.length / 2);
    const halves = [open.slice(0, half), open.slice(half)];
    const parts: string[] = [];
    let free = batch.held;
    for (const [index, members] of halves.entries()) {
      const slots = Math.min(members.length, index === 0 ? Math.ceil(free / 2) : free);
      if (slots === 0) continue;
      free -= slots;
      parts.push(await insertPart(tx, batch, { ids: members.map(({ id }) => id), slots }));
    }
    await requestStop(tx, { campaign, batchIds: [batchId], reason: "platform_refused", nowMs });
    return parts;
  });
}

/** As old as the batch that it is a part of: who is oldest is taken apart first, its smaller part before the other, down to one. */
async function insertPart(
  tx: Db,
  batch: Batch,
  { ids, slots }: { ids: readonly number[]; slots: number },
): Promise<string> {
  const partId = randomUUID();
  await rows(
    tx,
    sql`insert into batches (id, campaign_id, state, agent_id, variant, from_number, policy_version, size, slots, held, call_micros, minute_micros, money_stretch,
          dial_by, planned_at, look_by, trace_parent)
        select ${partId}::uuid, campaign_id, 'planned', agent_id, variant, from_number, policy_version, ${ids.length}::int,
               ${slots}::int, ${slots}::int, call_micros, minute_micros, money_stretch, dial_by, planned_at, look_by, trace_parent
        from batches where id = ${batch.id}::uuid`,
  );
  await rows(
    tx,
    sql`update attempts set batch_id = ${partId}::uuid where id in ${listOf(ids, "bigint")} and state = 'open'`,
  );
  return partId;
}

/** Tells people of somebody whom the platform does not take into a batch: theirs to resolve. */
export async function tellUntaken(
  ledger: Ledger,
  batch: Batch,
  input: { brand: string; name: string; detail: string; nowMs: number },
): Promise<void> {
  await ledger.transaction(async (tx) => {
    // What ends with the batch's trouble is taken off the list with it.
    await rows(tx, sql`update batches set trouble = null, trouble_since = null where id = ${batch.id}::uuid`);
    await raiseAttention(tx, {
      kind: "batch_stuck",
      subject: batch.id,
      brand: input.brand,
      summary: `the platform creates no batch with one of the people of campaign ${input.name}, and creates others: who that is was excluded as \`refused_by_platform\` (${input.detail})`,
      remedy:
        "look at the variables of whoever the report has as `refused_by_platform`, and enter them again once they are mended; then resolve this",
      nowMs: input.nowMs,
    });
  });
}
