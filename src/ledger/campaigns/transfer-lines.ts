import { sql } from "drizzle-orm";

import {
  keptBusy,
  transferPace,
  type TransferPace,
  type TransferPast,
} from "../../domain/campaigns/transfer-pacing.ts";
import { transferPolicyOf } from "../../domain/campaigns/transfers-spec.ts";
import type { TransferCapacity } from "../../domain/policy/dialing-policy.ts";
import { rows, type Db } from "../ground/connection.ts";
import { listOf } from "../ground/sql.ts";
import { lockTransferTeam } from "./account-locks.ts";
import { listSharingTransfers, type Campaign } from "./campaigns.ts";

/** Of those who take its transferred calls; undefined: they bound nothing, or those of its campaign do. */
function capacityOf({ spec, parentId }: Campaign): TransferCapacity | undefined {
  return parentId === undefined && spec.transfers ? transferPolicyOf(spec.transfers).capacity : undefined;
}

/**
 * @param undecided of its calls, those that are over and wait for their analysis: each may have been a conversation.
 *   They weigh as such until it is known, since what they were comes later than what rang out, and a campaign that
 *   knows of these alone would take its calls for fewer conversations than they are.
 */
function pastOf(
  { tallies, conversations, transfersKnown: known, transfers, meanHoldMs }: Campaign,
  undecided: number,
): TransferPast {
  return {
    calls: tallies.attempts + undecided,
    conversations: conversations + undecided,
    known,
    transfers,
    meanHoldMs,
  };
}

interface UnderWay {
  undecided: number;
  held: number;
  heldByCallbacks: number;
}

const NOTHING: UnderWay = { undecided: 0, held: 0, heldByCallbacks: 0 };

/** What campaigns have under way: calls that are over and wait for their analysis, and lines. By the index of batches that are not settled. */
async function readUnderWay(db: Db, campaigns: readonly Campaign[]): Promise<Map<string, UnderWay>> {
  const ids = campaigns.map(({ id }) => id);
  const found = await rows<UnderWay & { id: string }>(
    db,
    sql`select c.id,
          (select count(*)::int from batches b join attempts a on a.batch_id = b.id
            where b.campaign_id = c.id and b.state <> 'settled' and a.state = 'provisional') as undecided,
          (select coalesce(sum(b.held), 0)::int from batches b
            where b.campaign_id = c.id and b.state <> 'settled') as held,
          (select coalesce(sum(b.held), 0)::int from campaigns k join batches b on b.campaign_id = k.id
            where k.parent_id = c.id and k.ended_at is null and b.state <> 'settled') as "heldByCallbacks"
        from campaigns c where c.id in ${listOf(ids, "uuid")}`,
  );
  return new Map(found.map(({ id, ...underWay }) => [id, underWay]));
}

/** @param others whose calls are transferred to the same people */
async function readPace(
  db: Db,
  campaign: Campaign,
  capacity: TransferCapacity,
  others: readonly Campaign[],
): Promise<{ pace: TransferPace; heldByCallbacks: number }> {
  const underWay = await readUnderWay(db, [campaign, ...others]);
  const elsewhere = others.reduce((sum, other) => {
    const of = capacityOf(other);
    const { undecided, held, heldByCallbacks } = underWay.get(other.id) ?? NOTHING;
    return of ? sum + keptBusy(of, pastOf(other, undecided), held + heldByCallbacks) : sum;
  }, 0);
  const { undecided, heldByCallbacks } = underWay.get(campaign.id) ?? NOTHING;
  return { pace: transferPace(capacity, pastOf(campaign, undecided), elsewhere), heldByCallbacks };
}

/**
 * How many lines those who take transferred calls leave a campaign and its callbacks; undefined: they bound nothing.
 * Callbacks themselves are bounded by their own concurrency, which their campaign makes room for. Where it has a
 * capacity, a statement by the index of what is under way, and one more where it shares these people with others.
 */
export async function readTransferPace(db: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const capacity = capacityOf(campaign);
  if (!capacity) return undefined;
  return (await readPace(db, campaign, capacity, await listSharingTransfers(db, campaign))).pace;
}

/** The same, less what its callbacks hold: they are transferred to the same people, and go first. */
export async function pacedByTransfers(tx: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const capacity = capacityOf(campaign);
  if (!capacity) return undefined;
  const { brand, sequenceId, spec } = campaign;
  const team = spec.transfers?.team === undefined ? sequenceId : `${brand} ${spec.transfers.team}`;
  // Two plannings never take the same people for idle.
  if (team !== undefined) await lockTransferTeam(tx, team);
  const others = await listSharingTransfers(tx, campaign);
  const { pace, heldByCallbacks } = await readPace(tx, campaign, capacity, others);
  return { ...pace, lines: Math.max(1, pace.lines - heldByCallbacks) };
}
