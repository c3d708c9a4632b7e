import type { ActivityDeps } from "../../activities/deps.ts";
import { listDialing } from "../../ledger/campaigns/stopping.ts";
import { lookNow } from "../../ledger/ground/look-by.ts";

/** More batches than that are not looked at for this; their followers come back within seconds. */
const AT_MOST = 500;

/**
 * Makes batches overdue that may be dialing, with their campaigns, before a worker is up: the one that followed them may
 * have been killed, and is missed only when its heartbeats are, while lines stand idle. A hint: one that is lost costs
 * some ten seconds.
 */
export async function lookAgain({
  ledger,
  log,
  now,
}: Pick<ActivityDeps, "ledger" | "log" | "now">): Promise<void> {
  try {
    const dialing = await listDialing(ledger.db, AT_MOST);
    const nowMs = now();
    const batchIds = dialing.map(({ batchId }) => batchId);
    await lookNow(ledger.db, "batch", batchIds, nowMs);
    // Theirs, too, are let go of by whoever had them in memory: a plan finds them ready once lines come free.
    const campaignIds = [...new Set(dialing.map(({ campaignId }) => campaignId))];
    await lookNow(ledger.db, "campaign", campaignIds, nowMs);
  } catch (error) {
    log.warn({ error: String(error) }, "batches under way could not be looked at; their followers will");
  }
}
