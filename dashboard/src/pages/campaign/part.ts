import type { components } from "outdial/api";

/** What each part of a campaign's page is given. */
export interface PartProps {
  campaign: components.Campaign;
}
