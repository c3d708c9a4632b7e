import { sql } from "drizzle-orm";

import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { rows, type Db } from "../ground/connection.ts";

/*
 * Campaigns that do not come to dial. People are told before that is written on the campaign, and it is taken off the
 * list before that is written: whoever is killed in between is made up for by the next who tells, or has it dialed.
 */

/** Tells people that a campaign does not come to dial, or was paused for that. */
export async function tellStalled(
  db: Db,
  input: { campaignId: string; brand: string; summary: string; remedy: string; nowMs: number },
): Promise<void> {
  const { campaignId, ...rest } = input;
  await raiseAttention(db, { kind: "campaign_stalled", subject: campaignId, ...rest });
  await rows(
    db,
    sql`update campaigns set stalled = true where id = ${campaignId}::uuid and not stalled and ended_at is null`,
  );
}

/** A batch of it was dialed: nobody has to look any more, unless it is paused until somebody has. */
export async function resolveStalledWhereRunning(db: Db, campaignId: string, nowMs: number): Promise<void> {
  const stalled = await rows(
    db,
    sql`select 1 as one from campaigns where id = ${campaignId}::uuid and state = 'running' and stalled`,
  );
  if (stalled.length > 0) await resolveStalled(db, campaignId, nowMs);
}

/** It goes on, or is over: nobody has to look any more. */
export async function resolveStalled(db: Db, campaignId: string, nowMs: number): Promise<void> {
  await resolveAttention(db, {
    kind: "campaign_stalled",
    subject: campaignId,
    by: "engine",
    resolution: "the campaign goes on, or is over",
    nowMs,
  });
  await rows(db, sql`update campaigns set stalled = false where id = ${campaignId}::uuid and stalled`);
}
