import type { Db } from "../ground/connection.ts";
import { lookSoon } from "../ground/look-by.ts";

/**
 * Whoever changes something in a campaign wakes it up after the commit, which comes first: what makes up for a wake-up
 * that was lost is due this much later.
 */
const LOST_AFTER_MS = 5_000;

/** Makes sure that these campaigns look, should nobody wake them up. The caller holds their locks. */
export function wakeLater(tx: Db, campaignIds: readonly string[], nowMs: number): Promise<void> {
  return lookSoon(tx, "campaign", campaignIds, nowMs + LOST_AFTER_MS);
}
