/**
 * When a batch's items are read while it dials. A read costs a request, and what it buys is freed slots near
 * the batch's end and outcomes that are known earlier: so a batch is read about eight times, whatever the
 * stream says and however often it says it (I4, I6).
 */

export interface FollowFacts {
  /** Attempts that were open after the last read, and calls that the batch may have up. */
  open: number;
  slots: number;
  size: number;
  sinceReadMs: number;
  /** Distinct items that hints say have ended since the last read. */
  hintedEnded: number;
  /** A hint said that the batch is over, or the stream ended as it does at a batch's end. */
  hintedOver: boolean;
  streamOpen: boolean;
  /** The listing of running batches shows other counts than at the last read, or does not show the batch. */
  countsMoved: boolean;
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

/** Reads of a batch in its bulk, and then of its last calls, where each read frees slots. */
const BULK_READS = 5;
const TAIL_READS = 3;

export function readIsDue(facts: FollowFacts, pace: FollowPace): boolean {
  const gapMs = Math.min(pace.hintStaleMs, pace.minGapMs * 2 ** Math.min(facts.fruitless, 16));
  if (facts.sinceReadMs < gapMs) return false;
  if (facts.hintedOver || facts.countsMoved) return true;
  if (facts.hintedEnded > 0) {
    if (facts.hintedEnded >= facts.open) return true;
    const share = facts.open <= facts.slots ? facts.slots / TAIL_READS : facts.size / BULK_READS;
    if (facts.hintedEnded >= share || facts.sinceReadMs >= pace.hintStaleMs) return true;
  }
  return facts.sinceReadMs >= (facts.streamOpen ? pace.pollMs : pace.blindPollMs * BLIND_PATIENCE);
}

/** Without a stream the listing of running batches tells what moved; this is for when it tells nothing. */
const BLIND_PATIENCE = 4;
