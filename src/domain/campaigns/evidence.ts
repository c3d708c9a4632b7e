import type { Reading } from "./findings.ts";

/*
 * What several reads of a batch that is over prove of those whose items show no dial (I1).
 *
 * 1. One read proves nothing. Two that agree, a quiet time apart, both begun after the end was seen, do: the item is
 *    there both times, and shows no dial.
 * 2. An item that is not listed is no item of somebody undialed. It may be one that a read has lost: where two reads
 *    disagree, a third decides, by the one that it agrees with.
 * 3. There is no fourth. Whoever is not proven by then counts as dialed.
 * 4. A sign of a dial is not outvoted: whoever shows one stands in no read any more (findings.ts).
 */

/** The reads so far, as far as they may count. */
export interface Evidence {
  reads: number;
  /** In how many of them a number's item was there and showed no dial. */
  undialed: Readonly<Record<string, number>>;
}

/** What a read says of those of whom it shows no dial. */
export type UndecidedRead = Pick<Reading, "undialed" | "missing">;

export interface Verdict {
  /** Not dialed, as far as items can show that. */
  proven: string[];
  /** They count as dialed. */
  disproven: string[];
  /** Another read has to decide. */
  open: string[];
}

/** Reads after which everybody is decided. */
const MOST_READS = 3;

/** Reads that have to agree. */
const AGREEING = 2;

export function addRead(evidence: Evidence | undefined, read: UndecidedRead): Evidence {
  const undialed: Record<string, number> = { ...evidence?.undialed };
  for (const phone of read.undialed) undialed[phone] = (undialed[phone] ?? 0) + 1;
  return { reads: (evidence?.reads ?? 0) + 1, undialed };
}

/**
 * What becomes of those in the last read.
 *
 * @param evidence the reads so far, the last one included
 */
export function judge(evidence: Evidence, last: UndecidedRead): Verdict {
  const verdict: Verdict = { proven: [], disproven: [], open: [] };
  const left = MOST_READS - evidence.reads;
  for (const phone of last.undialed) {
    const agreeing = evidence.undialed[phone] ?? 0;
    if (agreeing >= AGREEING) verdict.proven.push(phone);
    else (agreeing + left >= AGREEING ? verdict.open : verdict.disproven).push(phone);
  }
  for (const phone of last.missing) {
    // As many reads as have to agree say that it is not there: no further one makes that a proof.
    const absent = evidence.reads - (evidence.undialed[phone] ?? 0);
    (absent < AGREEING && left > 0 ? verdict.open : verdict.disproven).push(phone);
  }
  return verdict;
}
