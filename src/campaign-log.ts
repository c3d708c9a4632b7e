import type { CampaignNews } from "./ledger/campaigns/campaign-news.ts";

/** The part of a logger that this needs. */
interface InfoLog {
  info(fields: object, message: string): void;
}

/** A line for each step of a campaign's life: who reads the log alone sees that it began, why it rested, how it ended. */
export function logCampaigns(log: InfoLog): (news: CampaignNews) => void {
  return (news) => {
    const { campaignId, brand, name, run, actor, reason, contacts, attempts, dispositions } = news;
    log.info(
      {
        campaignId,
        campaign: name,
        brand,
        run,
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

function isEnd({ to }: CampaignNews): boolean {
  return to === "completed" || to === "cancelled";
}

function wordsOf({ from, to }: CampaignNews): string {
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
