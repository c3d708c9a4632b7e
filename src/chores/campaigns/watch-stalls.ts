import type { ActivityDeps } from "../../activities/deps.ts";
import { listUnplanned, resolvePlanned, tellUnplanned } from "../../ledger/campaigns/unplanned.ts";

/** After a start everything is overdue that waited for it: so long it is let go on. */
const SETTLING_MS = 40_000;

/**
 * Tells people of campaigns that are not planned although their time has come, with the cause, and takes those off the
 * list that have gone on.
 *
 * @param input.whyNot why workflows do not go on, as far as Temporal tells
 */
export function stallWatch(
  { ledger, now }: Pick<ActivityDeps, "ledger" | "now">,
  { whyNot }: { whyNot: () => Promise<string> },
): () => Promise<void> {
  const startedAtMs = now();
  return async () => {
    const nowMs = now();
    await resolvePlanned(ledger.db, nowMs);
    // A clock that was set back makes nobody wait for it again.
    if (Math.abs(nowMs - startedAtMs) < SETTLING_MS) return;
    const unplanned = await listUnplanned(ledger.db, nowMs);
    if (unplanned.length === 0) return;
    const general = unplanned.some(({ failing }) => failing === null) ? await whyNot() : "";
    for (const { failing, ...campaign } of unplanned)
      await tellUnplanned(ledger.db, { ...campaign, cause: failing ?? general, nowMs });
  };
}
