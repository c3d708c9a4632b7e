import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import type { Db, Lane, Ledger } from "../ground/connection.ts";

/*
 * What became of campaigns, told once it is committed: a log that told of a pause that was rolled back would be
 * believed by whoever reads it. Every move of a campaign goes through `moveCampaign`, and every tally through
 * `bookTallies`, which note it here.
 */

interface CampaignNamed {
  campaignId: string;
  brand: string;
  name: string;
  run: number;
}

interface CampaignSeen extends CampaignNamed {
  /** As they are at that moment. `open` includes those that are being dialed. */
  contacts: { total: number; done: number; excluded: number; open: number };
  attempts: number;
  dispositions: Readonly<Record<string, number>>;
}

/** A campaign has moved to another state. */
export interface CampaignMove extends CampaignSeen {
  from: readonly CampaignState[];
  to: CampaignState;
  actor: string;
  reason: string | undefined;
}

/** A campaign is through with one more tenth of its people, or with several at once. */
export interface CampaignTenth extends CampaignSeen {
  /** From 1 to 9. */
  tenths: number;
}

/**
 * What else somebody who reads its story alone wants to know. `listed`: a list came in whole. `first_calls`: the first of
 * its people are about to be called; again where none of them could be. `window_closes`: for some of its people or for all;
 * `window_opens`: it is open for all who wait.
 */
export interface CampaignStep extends CampaignNamed {
  step: "created" | "listed" | "first_calls" | "window_closes" | "window_opens";
  /** Counts, and who did it. */
  detail: Readonly<Record<string, string | number>>;
}

export type CampaignNews = CampaignMove | CampaignTenth | CampaignStep;

const noted = new WeakMap<Db, CampaignNews[]>();

export function noteNews(tx: Db, news: CampaignNews): void {
  noted.get(tx)?.push(news);
}

/** The same ledger, which tells of each move of a campaign behind the transaction that made it. */
export function tellingNews(ledger: Ledger, tell: (news: CampaignNews) => void): Ledger {
  return { ...ledger, ...tellingLane(ledger, tell), urgent: tellingLane(ledger.urgent, tell) };
}

function tellingLane(lane: Lane, tell: (news: CampaignNews) => void): Lane {
  return {
    db: lane.db,
    async transaction<R>(work: (tx: Db) => Promise<R>): Promise<R> {
      const news: CampaignNews[] = [];
      const result = await lane.transaction((tx) => {
        noted.set(tx, news);
        return work(tx);
      });
      for (const one of news) tell(one);
      return result;
    },
  };
}
