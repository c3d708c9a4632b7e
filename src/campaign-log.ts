import type { CampaignMove, CampaignNews, CampaignStep } from "./ledger/campaigns/campaign-news.ts";

/** The part of a logger that this needs. */
interface InfoLog {
  info(fields: object, message: string): void;
}

/**
 * A line for each step of a campaign's life, and for each tenth of its people: who reads the log alone sees that it was made,
 * got its list and began, how it gets on, why it rested, how it ended.
 */
export function logCampaigns(log: InfoLog): (news: CampaignNews) => void {
  return (news) => {
    const { campaignId, brand, name, run } = news;
    const of = { campaignId, campaign: name, brand, run };
    if ("step" in news) {
      log.info({ ...of, ...news.detail }, `a campaign ${STEPS[news.step]}`);
      return;
    }
    const { contacts, attempts, dispositions } = news;
    if ("tenths" in news) {
      const words = `a campaign is through with ${news.tenths * 10} % of its people`;
      log.info({ ...of, contacts, attempts, dispositions }, words);
      return;
    }
    const { actor, reason } = news;
    log.info(
      {
        ...of,
        actor,
        ...(reason !== undefined && { reason }),
        contacts,
        attempts,
        ...(isEnd(news) && { dispositions }),
      },
      `a campaign ${wordsOf(news)}`,
    );
  };
}

const STEPS: Record<CampaignStep["step"], string> = {
  created: "is created",
  listed: "has a list, whole",
  first_calls: "makes its first calls",
  window_closes: "waits for the window of some of its people, or of all",
  window_opens: "may call everybody again: their windows are open",
};

function isEnd({ to }: CampaignMove): boolean {
  return to === "completed" || to === "cancelled";
}

function wordsOf({ from, to }: CampaignMove): string {
  switch (to) {
    case "running":
      return from.includes("scheduled") ? "begins" : "goes on";
    case "scheduled":
    case "paused":
      return `is ${to}`;
    case "draining":
      return "is ending: calls that are up end by themselves";
    case "completed":
    case "cancelled":
      return `is over: ${to}`;
  }
}
