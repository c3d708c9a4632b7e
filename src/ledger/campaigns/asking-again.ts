import { sql } from "drizzle-orm";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import type { Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";

/*
 * Contacts that the gate put off are due when the gate said so, under the policy of that day. Where the policy changes
 * they are due at once, so that it is asked again: they were due when they were put off. A retry that is still to come
 * is no refusal, and stays where it is. Plannings do it, so many at a time: a campaign may have put off everybody.
 */

/** What the policy puts single contacts off by: each by what was called, or called us, before. */
const PUTS_OFF: ReadonlySet<string> = new Set([
  "frequency",
  "presets",
  "override",
  "least_gap",
  "inbound",
  "retry",
]);

export function putsOffOtherwise(before: CampaignSpec, after: CampaignSpec): boolean {
  return specDifference(before, after).some(({ field }) => PUTS_OFF.has(field));
}

/** Has the next plannings of a locked campaign ask again. */
export async function noteAskAgain(tx: Db, campaignId: string): Promise<true> {
  await rows(tx, sql`update campaigns set asks_again = true where id = ${campaignId}::uuid`);
  return true;
}

/** At once, in one planning. */
const A_PLANNING = 2_000;

/**
 * Makes some of those due who were put off under an older policy, and not under this one. Returns whether anybody may be
 * left.
 */
export async function askAgain(
  tx: Db,
  { campaign, nowMs }: { campaign: Pick<Campaign, "id" | "policyVersion">; nowMs: number },
): Promise<boolean> {
  const { id: campaignId, policyVersion } = campaign;
  const due = await rows(
    tx,
    sql`update contacts set due_at = ${at(nowMs)} where id in (
          select c.id from lanes l cross join lateral (
            select k.id from contacts k
              where k.lane_id = l.id and k.state = 'open' and not k.held and k.due_at > ${at(nowMs)}
                and (select max(f.policy_version) from refusals f
                       where f.contact_id = k.id and f.until_at = k.due_at) < ${policyVersion}
              limit ${A_PLANNING}) c
          where l.campaign_id = ${campaignId}::uuid limit ${A_PLANNING})
        returning 1 as one`,
  );
  if (due.length === A_PLANNING) return true;
  await rows(tx, sql`update campaigns set asks_again = false where id = ${campaignId}::uuid`);
  return false;
}
