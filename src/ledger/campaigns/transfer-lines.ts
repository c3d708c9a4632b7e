import { sql } from "drizzle-orm";

import { transferPace, type TransferPace } from "../../domain/campaigns/transfer-pacing.ts";
import { transferPolicyOf } from "../../domain/campaigns/transfers-spec.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import type { Campaign } from "./campaigns.ts";

/**
 * How many lines those who take transferred calls leave a campaign and its callbacks; undefined: they bound nothing.
 * Callbacks themselves are bounded by their own concurrency, which their campaign makes room for.
 */
export function transferPaceOf({
  spec,
  parentId,
  tallies,
  conversations,
  transfersKnown: known,
  transfers,
  meanHoldMs,
}: Campaign): TransferPace | undefined {
  const capacity = spec.transfers && parentId === undefined && transferPolicyOf(spec.transfers).capacity;
  if (!capacity) return undefined;
  return transferPace(capacity, { calls: tallies.attempts, conversations, known, transfers, meanHoldMs });
}

/**
 * The same, less what its callbacks hold: they are transferred to the same people, and go first. Where it has a
 * capacity, a statement by the index of what is under way.
 */
export async function pacedByTransfers(tx: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const pace = transferPaceOf(campaign);
  if (!pace) return undefined;
  const ofCallbacks = await firstRow<{ held: number }>(
    tx,
    sql`select coalesce(sum(b.held), 0)::int as held from campaigns c join batches b on b.campaign_id = c.id
        where c.parent_id = ${campaign.id}::uuid and c.ended_at is null and b.state <> 'settled'`,
  );
  return { ...pace, lines: Math.max(1, pace.lines - (ofCallbacks?.held ?? 0)) };
}
