import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
import { boundOf } from "../../../src/ledger/campaigns/breaking.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import type { Planning } from "../../../src/ledger/campaigns/planning-lanes.ts";
import type { Db } from "../../../src/ledger/ground/connection.ts";
import { readSwitches } from "../../../src/ledger/ground/installation.ts";
import { given } from "../../support/ledgers.ts";
import { NOW_MS, PACE } from "./scenario.ts";

/** What a planning of a campaign knows before it has said or seen anything, where nothing bounds it but its concurrency. */
export async function planningOf(db: Db, campaignId: string): Promise<Planning> {
  const campaign = given(await readCampaign(db, campaignId));
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const { concurrency } = campaign;
  return {
    tx: db,
    campaign,
    policy,
    windowOf: createWindowMemo(policy.window),
    lists: [],
    pace: PACE,
    nowMs: NOW_MS,
    holds: [],
    refusals: [],
    leased: 0,
    looksMs: [],
    excludable: 5_000,
    account: undefined,
    rate: undefined,
    turns: { waiting: 0, room: Number.POSITIVE_INFINITY },
    limit: concurrency,
    ramp: { concurrency, rampMs: 0, sinceMs: NOW_MS },
    paced: undefined,
    bound: boundOf(campaign),
    switches: await readSwitches(db),
  };
}
