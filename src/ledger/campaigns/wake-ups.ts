import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";

/*
 * Standing campaigns look by themselves a few times a day only: whoever changes something in one wakes it up after
 * the commit, and a row of the outbox makes sure of that.
 */

/**
 * The wake-up after the commit comes first, and planning takes the row away: it is due this much later, so that it
 * costs something only where that wake-up was lost.
 */
const LOST_AFTER_MS = 5_000;

/** Makes sure that these campaigns look, should nobody wake them up. */
export function wakeLater(tx: Db, campaignIds: readonly string[], nowMs: number): Promise<void> {
  return putOutbox(
    tx,
    campaignIds.map((subject) => ({ kind: "campaign", subject, dueAtMs: nowMs + LOST_AFTER_MS })),
  );
}

/** It looks: the wake-up that was to make sure of it is not needed any more. */
export async function dropWakeUp(tx: Db, campaignId: string): Promise<void> {
  await rows(tx, sql`delete from outbox where kind = 'campaign' and subject = ${campaignId}`);
}
