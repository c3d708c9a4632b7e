import { sql } from "drizzle-orm";

import { slotQuantum } from "../../domain/campaigns/batch-sizing.ts";
import { lockBatch, readHeldSlots, type Batch } from "./batches.ts";
import { workLeftOf, type Campaign } from "./campaigns.ts";
import type { SettledCall } from "./settled-call.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";

/**
 * Gives slots back. Where somebody waits for them, their campaign remembers since when they are idle: since the last of
 * these calls ended, as many as it gives back.
 */
export async function releaseSlots(
  tx: Db,
  batch: Batch,
  open: number,
  calls: readonly SettledCall[] = [],
): Promise<void> {
  if (open >= batch.held) return;
  const ends = calls.flatMap(({ heldItsLine, endedAtMs }) => (heldItsLine ? [endedAtMs] : []));
  const freeing = ends.sort((a, b) => b - a).slice(0, batch.held - open);
  const sumMs = freeing.reduce((sum, endedAtMs) => sum + endedAtMs, 0);
  await rows(
    tx,
    sql`with freed as (
          update campaigns set freed_count = freed_count + ${freeing.length}, freed_ms_sum = freed_ms_sum + ${sumMs}::float8
          where id = ${batch.campaignId}::uuid and starved and ${freeing.length} > 0)
        update batches set held = ${open} where id = ${batch.id}::uuid and held > ${open}`,
  );
}

/**
 * Lets go of the slots of those whom a batch that was stopped will not call any more, before it is proven that nobody
 * called them: who they are is for the proof to say, and how many lines are busy is what the platform shows.
 *
 * @param input.up calls that may be up
 * @returns `wakeCampaign`: planning again would do something
 */
export async function releaseStopped(
  ledger: Ledger,
  input: { batchId: string; up: number },
): Promise<{ wakeCampaign: boolean; isFreed: boolean }> {
  return ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, input.batchId);
    if (!locked || locked.batch.state !== "draining" || locked.batch.held <= input.up)
      return { wakeCampaign: false, isFreed: false };
    await releaseSlots(tx, locked.batch, input.up);
    return { wakeCampaign: await worthPlanning(tx, locked.campaign, undefined), isFreed: true };
  });
}

/** Whether planning now would do something that it would not do by itself soon: wake-ups cost. */
export async function worthPlanning(
  tx: Db,
  campaign: Campaign,
  earliestDueMs: number | undefined,
): Promise<boolean> {
  // A standing campaign does not end with its last contact.
  if (campaign.tallies.open === 0 && campaign.tallies.leased === 0) return !campaign.standing;
  if (earliestDueMs !== undefined && earliestDueMs < (campaign.nextLookAtMs ?? 0)) return true;
  if (!campaign.starved) return false;
  const heldSlots = await readHeldSlots(tx, campaign.id);
  const work = workLeftOf(campaign);
  return work.limit - heldSlots >= slotQuantum(work) || heldSlots === 0;
}
