import type { ActivityDeps } from "../../activities/deps.ts";
import { listDialing } from "../../ledger/campaigns/stopping.ts";

/** More batches than that are not looked at for this; their followers come back within seconds. */
const AT_MOST = 500;

/**
 * Has batches looked at that may be dialing, once a worker is up: the one that followed them may have been killed, and
 * is missed only when its heartbeats are, while lines stand idle. A hint: one that is lost costs some ten seconds.
 */
export async function lookAgain({
  ledger,
  wake,
  log,
}: Pick<ActivityDeps, "ledger" | "wake" | "log">): Promise<void> {
  try {
    const dialing = await listDialing(ledger.db, AT_MOST);
    for (const { batchId } of dialing) wake.batch(batchId);
    // Theirs, too, are let go of by whoever had them in memory: a plan finds them ready once lines come free.
    for (const campaignId of new Set(dialing.map((one) => one.campaignId))) wake.campaign(campaignId);
  } catch (error) {
    log.warn({ error: String(error) }, "batches under way could not be looked at; their followers will");
  }
}
