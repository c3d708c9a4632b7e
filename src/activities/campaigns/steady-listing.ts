import { momentOf, type BatchCall } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { showsAllOf } from "../ground/walks.ts";

/*
 * Every batch that the platform lists, while the list moves.
 *
 * 1. A row that is taken out of the part that was read already moves all behind it up, and the walk passes over as
 *    many of them where its next page begins (paging.ts, P5). No walk shows by itself that this happened.
 * 2. The walk after it does: a row is gone. So walks are repeated until one of them shows all that the walk before
 *    it showed, and nothing that this one may have passed over.
 * 3. What was created after everything that was seen before is new, and was not passed over: a busy account is never
 *    quiet. A row that does not say when it was created may have been.
 */

/** With a look's pause between two of them, that is five minutes: all that a hold gives back is deleted by then. */
export const MOST_WALKS = 60;

export interface ListingRead {
  /** Rows that nobody can ask about: the most of them in one walk. */
  withoutId: number;
  /** The list held still for a walk. Otherwise a batch may have been passed over in each. */
  isSteady: boolean;
}

/** Looks at each batch of the list once, in whichever walk it shows first. */
export async function readSteadily(
  { platform, pace }: Pick<ActivityDeps, "platform" | "pace">,
  look: (row: BatchCall) => Promise<void>,
): Promise<ListingRead> {
  const seen = new Set<string>();
  let before: ReadonlySet<string> | undefined;
  let withoutId = 0;
  let newestMs = -Infinity;
  for (let walk = 1; walk <= MOST_WALKS; walk += 1) {
    const shown = new Set<string>();
    let passedOver = 0;
    let unreadable = 0;
    let newestShownMs = newestMs;
    const onUnreadable = (rows: number) => void (unreadable += rows);
    // Only an empty page proves that a list has ended.
    const listing = platform.batchCalls.iterate({ limit: 100 }, { untilEmpty: true, onUnreadable });
    for await (const row of listing) {
      shown.add(row.batch_call_id);
      const createdMs = momentOf(row.created_at) ?? -Infinity;
      newestShownMs = Math.max(newestShownMs, createdMs);
      if (seen.has(row.batch_call_id)) continue;
      seen.add(row.batch_call_id);
      if (createdMs <= newestMs) passedOver += 1;
      await look(row);
    }
    withoutId = Math.max(withoutId, unreadable);
    if (before && passedOver === 0 && showsAllOf(before, shown)) return { withoutId, isSteady: true };
    if (before && walk < MOST_WALKS) await pause(pace.lookMs);
    before = shown;
    newestMs = newestShownMs;
  }
  return { withoutId, isSteady: false };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
