import { quantumOf, shareLines, type Waiting } from "../../../domain/campaigns/account-lines.ts";
import { readLineClaims } from "../../../ledger/campaigns/line-claims.ts";
import type { ActivityDeps } from "../../deps.ts";

/** What is wanted of the account's lines, whoever wants it. */
export interface LineDemand {
  /** Lines that have to come free for a batch of somebody who waits; undefined: nobody does. */
  needed: number | undefined;
}

/** Tells all followers of a process what is wanted of the account's lines, and what they heard together. */
export interface LineWatch {
  /** As of a second ago at most; undefined where lines are not shared. */
  demand(): Promise<LineDemand | undefined>;
  /** Takes down of how many lines a follower heard that they are free, while the ledger has them as held. */
  note(campaignId: string, heardFree: number): void;
  /** The sum of what all took down. */
  heardFree(): number;
}

/** However many follow, the ledger is asked this often. */
const ASKED_EVERY_MS = 1_000;

export function createLineWatch({ ledger, account, now }: ActivityDeps): LineWatch {
  const heard = new Map<string, number>();
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
    note(campaignId, heardFree) {
      if (heardFree > 0) heard.set(campaignId, heardFree);
      else heard.delete(campaignId);
    },
    heardFree: () => [...heard.values()].reduce((sum, free) => sum + free, 0),
  };

  function demandOf(claims: readonly Waiting[]): LineDemand {
    if (!account) return { needed: undefined };
    const { shares } = shareLines(account, claims, now());
    const needs = claims
      .filter(({ waiting }) => waiting > 0)
      .map((claim) => {
        const { share = 0, free = 0 } = shares.get(claim.id) ?? {};
        const quantum = quantumOf(claim, share);
        // With a quantum it plans anyway; what comes free after that is the next one's, or its next.
        return { lacks: share > claim.held, lines: free < quantum ? quantum - free : quantum };
      });
    // Lines go to those who lack some of their share, if anybody does.
    const lacking = needs.filter(({ lacks }) => lacks);
    const next = lacking.length > 0 ? lacking : needs;
    return { needed: next.length > 0 ? Math.min(...next.map(({ lines }) => lines)) : undefined };
  }
}
