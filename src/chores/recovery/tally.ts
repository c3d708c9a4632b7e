import type { SweepReport } from "../../ledger/ground/sweeps.ts";

/** What the sweeper looks for. */
export type SweepKind = "calls_up" | "calls_processing" | "batches" | "orphans" | "deliveries" | "outbox";

/** Counts what one pass finds and what becomes of it. */
export interface Tally {
  found(kind: SweepKind, count?: number): void;
  /** It has come to its end. */
  settled(kind: SweepKind, count?: number): void;
  /** Its workflow, or the relay, was told to look at it. */
  woken(kind: SweepKind, count?: number): void;
  /** Batches that were looked at for the sake of their calls. */
  readonly looked: Set<string>;
  report(atMs: number): SweepReport;
}

export function openTally(): Tally {
  const detail: Record<string, number> = {};
  const sums = { found: 0, settled: 0 };
  const add = (key: string, count: number) => {
    if (count > 0) detail[key] = (detail[key] ?? 0) + count;
  };
  return {
    found(kind, count = 1) {
      sums.found += count;
      add(kind, count);
    },
    settled(kind, count = 1) {
      sums.settled += count;
      add(`${kind}_settled`, count);
    },
    woken(kind, count = 1) {
      add(`${kind}_woken`, count);
    },
    looked: new Set(),
    report: (atMs) => ({ atMs, ...sums, detail }),
  };
}
