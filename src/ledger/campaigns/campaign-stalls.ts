import { sql } from "drizzle-orm";

import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { rows, type Db } from "../ground/connection.ts";

/** Tells people that a campaign does not come to dial, or was paused for that. */
export async function tellStalled(
  db: Db,
  input: { campaignId: string; brand: string; summary: string; remedy: string; nowMs: number },
): Promise<void> {
  const { campaignId, ...rest } = input;
  await raiseAttention(db, { kind: "campaign_stalled", subject: campaignId, ...rest });
}

/** A batch of it was dialed: nobody has to look any more, unless it is paused until somebody has. */
export async function resolveStalledWhereRunning(db: Db, campaignId: string, nowMs: number): Promise<void> {
  const told = await rows(
    db,
    sql`select 1 as one from campaigns where id = ${campaignId}::uuid and state = 'running' and exists (
          select 1 from attention
          where kind = 'campaign_stalled' and subject = ${campaignId}::text and resolved_at is null)`,
  );
  if (told.length > 0) await resolveStalled(db, campaignId, nowMs);
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
}
