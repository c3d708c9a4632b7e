import { shareLines, type Waiting } from "../../../domain/campaigns/account-lines.ts";
import { slotQuantum } from "../../../domain/campaigns/batch-sizing.ts";
import { readLineClaims } from "../../../ledger/campaigns/line-claims.ts";
import type { ActivityDeps } from "../../deps.ts";

/** What is wanted of the account's lines, whoever wants it. */
export interface LineDemand {
  /** Lines that nobody holds. */
  idle: number;
  /** Lines that are worth a batch to somebody who waits; undefined: nobody does. */
  quantum: number | undefined;
}

/** Tells all followers of a process what is wanted of the account's lines. */
export interface LineWatch {
  /** As of a second ago at most; undefined where lines are not shared. */
  demand(): Promise<LineDemand | undefined>;
}

/** However many follow, the ledger is asked this often. */
const ASKED_EVERY_MS = 1_000;

export function createLineWatch({ ledger, account, now }: ActivityDeps): LineWatch {
  let asked: { atMs: number; demand: Promise<LineDemand> } | undefined;
  return {
    async demand() {
      if (!account) return undefined;
      const nowMs = now();
      if (asked === undefined || nowMs - asked.atMs >= ASKED_EVERY_MS || nowMs < asked.atMs) {
        const demand = readLineClaims(ledger.db).then((claims) => demandOf(claims));
        asked = { atMs: nowMs, demand };
        // One that failed is not kept.
        demand.catch(() => (asked = undefined));
      }
      return asked.demand;
    },
  };

  function demandOf(claims: readonly Waiting[]): LineDemand {
    if (!account) return { idle: 0, quantum: undefined };
    const { idle } = shareLines(account, claims, now());
    const quanta = claims
      .filter(({ waiting }) => waiting > 0)
      .map(({ isUrgent, work }) => (isUrgent ? 1 : slotQuantum(work)));
    return { idle, quantum: quanta.length > 0 ? Math.min(...quanta) : undefined };
  }
}
