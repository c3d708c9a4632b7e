import { z } from "zod";

import {
  findCampaign,
  findStandingByName,
  readCampaign,
  type Campaign,
} from "../../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { unknownCampaign } from "../../problem.ts";

/** A campaign by its id or its name; a name means its newest run, or a standing campaign. */
export const campaignParams = z.object({ ref: z.string().min(1).max(100) });

/** Whose campaign a name is. */
export const brandQuery = z.object({ brand: z.string().min(1).max(100).default("default") });

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** @throws Problem 404 where there is none. */
export async function requireCampaign(db: Db, ref: string, brand: string): Promise<Campaign> {
  const byId = UUID.test(ref) ? await readCampaign(db, ref) : undefined;
  const campaign = byId ?? (await findCampaign(db, brand, ref)) ?? (await findStandingByName(db, brand, ref));
  if (!campaign) throw unknownCampaign(ref);
  return campaign;
}
