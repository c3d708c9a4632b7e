import { expect } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { openFreshPostgres } from "../../support/ledgers.ts";
import { explaining, type Explained } from "./explaining.ts";
import { fillCampaign } from "./filling.ts";
import { freshPhones, running } from "./scenario.ts";

/** A PostgreSQL ledger of its own with one large campaign, which can be watched for what its statements read. */
export interface WatchedLedger {
  ledger: Ledger;
  /** The same; what goes through it is explained. */
  watched: Ledger;
  campaignId: string;
  /** What ran since it was emptied. */
  seen: Explained[];
  /** Statements that read a big table whole while `work` ran. Fails where none ran at all. */
  wholeReads: (work: () => Promise<unknown>) => Promise<string[]>;
}

/** @param bigTables those that are large enough for a whole read to be a mistake */
export async function openWatchedLedger(
  bigTables: ReadonlySet<string>,
  changes: Partial<CampaignSpecInput> = {},
): Promise<WatchedLedger> {
  const ledger = await openFreshPostgres(4);
  const seen: Explained[] = [];
  const watched = explaining(ledger, (explained) => seen.push(explained));
  const campaignId = await running(ledger, freshPhones(1), {
    concurrency: 500,
    window: { weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] },
    ...changes,
  });
  await fillCampaign(ledger, campaignId);
  const wholeReads = async (work: () => Promise<unknown>): Promise<string[]> => {
    seen.length = 0;
    await work();
    expect(seen.length).toBeGreaterThan(0);
    return seen
      .filter((one) => one.readsWhole.some((table) => bigTables.has(table)))
      .map((one) => one.statement);
  };
  return { ledger, watched, campaignId, seen, wholeReads };
}
