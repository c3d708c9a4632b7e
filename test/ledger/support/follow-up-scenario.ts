import { sql } from "drizzle-orm";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { given } from "../../support/ledgers.ts";
import { ended, freshPhones, MINUTE_MS, NOW_MS, planAndStart, running } from "./scenario.ts";

/* Calls that ended, and what follows them. */

export const LATER_MS = NOW_MS + 2 * MINUTE_MS;

export type RulesInput = NonNullable<CampaignSpecInput["follow_ups"]>;

export interface Calls {
  campaignId: string;
  batchId: string;
  phones: string[];
}

/** A campaign under these rules with calls up. */
export async function callsUp(
  ledger: Ledger,
  people: number,
  followUps: RulesInput | undefined,
): Promise<Calls> {
  const phones = freshPhones(people);
  const campaignId = await running(ledger, phones, {
    concurrency: people,
    ...(followUps && { follow_ups: followUps }),
  });
  const [batchId] = await planAndStart(ledger, campaignId);
  return { campaignId, batchId: given(batchId), phones };
}

export function settle(ledger: Ledger, calls: Calls, dispositions: readonly Disposition[], nowMs = LATER_MS) {
  const findings = dispositions.map((disposition, index) => {
    const phone = given(calls.phones[index]);
    return { ...ended(phone, disposition), ...(disposition === "unknown" && { callId: undefined }) };
  });
  return settleFindings(ledger, { batchId: calls.batchId, findings, nowMs });
}

/** The follow-up of one call that was answered, under one rule. */
export async function answered(ledger: Ledger, rule: Partial<RulesInput[number]>): Promise<string> {
  const calls = await callsUp(ledger, 1, [{ id: "rule", actions: [{ tag: { tag: "warm" } }], ...rule }]);
  await settle(ledger, calls, ["answered"]);
  return given((await followUpIds(ledger, calls.campaignId))[0]);
}

export async function followUpIds(ledger: Ledger, campaignId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    ledger.db,
    sql`select id from follow_ups where campaign_id = ${campaignId}::uuid order by attempt_id`,
  );
  return found.map(({ id }) => id);
}

/** What waits in the outbox for a subject. */
export async function outboxOf(ledger: Ledger, subject: string): Promise<string[]> {
  const found = await rows<{ kind: string }>(
    ledger.db,
    sql`select kind from outbox where subject = ${subject}`,
  );
  return found.map(({ kind }) => kind);
}
