import { sql } from "drizzle-orm";

import { transferPace, type TransferPace } from "../../domain/campaigns/transfer-pacing.ts";
import { transferPolicyOf } from "../../domain/campaigns/transfers-spec.ts";
import type { TransferCapacity } from "../../domain/policy/dialing-policy.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import type { Campaign } from "./campaigns.ts";

/** Of those who take its transferred calls; undefined: they bound nothing, or those of its campaign do. */
function capacityOf({ spec, parentId }: Campaign): TransferCapacity | undefined {
  return parentId === undefined && spec.transfers ? transferPolicyOf(spec.transfers).capacity : undefined;
}

/**
 * @param undecided of its calls, those that are over and wait for their analysis: each may have been a conversation.
 *   They weigh as such until it is known, since what they were comes later than what rang out, and a campaign that
 *   knows of these alone would take its calls for fewer conversations than they are.
 */
function paceBy(
  capacity: TransferCapacity,
  { tallies, conversations, transfersKnown: known, transfers, meanHoldMs }: Campaign,
  undecided: number,
): TransferPace {
  return transferPace(capacity, {
    calls: tallies.attempts + undecided,
    conversations: conversations + undecided,
    known,
    transfers,
    meanHoldMs,
  });
}

/** Of a campaign `c`: its calls that are over and wait for their analysis. */
const UNDECIDED = sql`(select count(*)::int from batches b join attempts a on a.batch_id = b.id
  where b.campaign_id = c.id and b.state <> 'settled' and a.state = 'provisional')`;

/**
 * How many lines those who take transferred calls leave a campaign and its callbacks; undefined: they bound nothing.
 * Callbacks themselves are bounded by their own concurrency, which their campaign makes room for. Where it has a
 * capacity, a statement by the index of what is under way.
 */
export async function readTransferPace(db: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const capacity = capacityOf(campaign);
  if (!capacity) return undefined;
  const found = await firstRow<{ undecided: number }>(
    db,
    sql`select ${UNDECIDED} as undecided from campaigns c where c.id = ${campaign.id}::uuid`,
  );
  return paceBy(capacity, campaign, found?.undecided ?? 0);
}

/** The same, less what its callbacks hold: they are transferred to the same people, and go first. */
export async function pacedByTransfers(tx: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const capacity = capacityOf(campaign);
  if (!capacity) return undefined;
  const found = await firstRow<{ undecided: number; held: number }>(
    tx,
    sql`select ${UNDECIDED} as undecided,
          (select coalesce(sum(b.held), 0)::int from campaigns k join batches b on b.campaign_id = k.id
            where k.parent_id = c.id and k.ended_at is null and b.state <> 'settled') as held
        from campaigns c where c.id = ${campaign.id}::uuid`,
  );
  const pace = paceBy(capacity, campaign, found?.undecided ?? 0);
  return { ...pace, lines: Math.max(1, pace.lines - (found?.held ?? 0)) };
}
