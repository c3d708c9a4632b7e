/**
 * When a batch's items are read while it dials. A read costs a request, and what it buys is slots for those who wait,
 * and outcomes that are known earlier: so a batch is read some times, whatever the stream says and however often it
 * says it (I4, I6). The figures are those of `npm run bench -- fill-simulation` (docs/performance.md).
 */

export interface FollowFacts {
  /** Attempts that were open after the last read, and calls that the batch may have up. */
  open: number;
  slots: number;
  /** Slots that it still holds of one that takes no new dial: nobody follows on those who end. Undefined: it dials. */
  held?: number | undefined;
  size: number;
  sinceReadMs: number;
  /** Distinct items that hints say have ended since the last read. */
  hintedEnded: number;
  /** A hint said that the batch is over, or the stream ended as it does at a batch's end. */
  hintedOver: boolean;
  streamOpen: boolean;
  /** The listing of running batches shows that something moved, and not how many calls are through. */
  countsMoved: boolean;
  /** Somebody waits for slots, and those that came free by what was heard are worth a batch. */
  slotsWanted: boolean;
  /** Reads in a row that found nothing new: hints that prove wrong are believed less and less. */
  fruitless: number;
}

export interface FollowPace {
  /** The shortest time between two reads. */
  minGapMs: number;
  hintStaleMs: number;
  pollMs: number;
  blindPollMs: number;
}

/** Reads of a batch in its bulk, where they are for outcomes alone. */
const BULK_READS = 5;

/** Reads of a batch's last calls where nobody waits for their slots. */
const TAIL_READS = 3;

export function readIsDue(facts: FollowFacts, pace: FollowPace): boolean {
  const gapMs = Math.min(pace.hintStaleMs, pace.minGapMs * 2 ** Math.min(facts.fruitless, 16));
  if (facts.sinceReadMs < gapMs) return false;
  if (facts.hintedOver || facts.countsMoved) return true;
  if (facts.hintedEnded > 0) {
    if (facts.hintedEnded >= facts.open) return true;
    if (facts.slotsWanted && slotsHeardFree(facts) > 0) return true;
    const share = facts.open <= facts.slots ? facts.slots / TAIL_READS : facts.size / BULK_READS;
    if (facts.hintedEnded >= share || facts.sinceReadMs >= pace.hintStaleMs) return true;
  }
  return facts.sinceReadMs >= (facts.streamOpen ? pace.pollMs : pace.blindPollMs * BLIND_PATIENCE);
}

/**
 * Slots of a batch that came free since the last read, by what was heard: while it dials and contacts are left, others
 * take them.
 */
export function slotsHeardFree({
  open,
  slots,
  held,
  hintedEnded,
}: Pick<FollowFacts, "open" | "slots" | "held" | "hintedEnded">): number {
  if (held !== undefined) return Math.min(held, hintedEnded);
  return Math.min(slots, open) - Math.min(slots, Math.max(0, open - hintedEnded));
}

/** Without a stream the listing of running batches tells what moved; this is for when it tells nothing. */
const BLIND_PATIENCE = 4;
