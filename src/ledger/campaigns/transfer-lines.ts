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
import { listSharingTransfers, readCampaign, type Campaign } from "./campaigns.ts";

/*
 * Lines by those who take transferred calls (domain/campaigns/transfer-pacing.ts has the reckoning).
 *
 * Callbacks go first: their person waits for the call. So they are bounded by what callbacks of others leave of these
 * people, while lists and the calls of sequences are bounded by what all others leave, callbacks included, and make room
 * for callbacks as their own calls end. Whatever is up for others, each has one line.
 */

/** Of those who take its transferred calls; undefined: they bound nothing. */
function capacityOf({ spec }: Campaign): TransferCapacity | undefined {
  return spec.transfers ? transferPolicyOf(spec.transfers).capacity : undefined;
}

/** Whose calls say what a call of it comes to, and whose people it shares: of callbacks, their campaign. */
async function ownerOf(db: Db, campaign: Campaign): Promise<Campaign | undefined> {
  if (!capacityOf(campaign)) return undefined;
  return campaign.parentId === undefined ? campaign : readCampaign(db, campaign.parentId);
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

/** @param others whose calls are transferred to the same people as those of the owner */
async function readPace(
  db: Db,
  { owner, others, areCallbacks }: { owner: Campaign; others: readonly Campaign[]; areCallbacks: boolean },
): Promise<{ pace: TransferPace; heldByCallbacks: number } | undefined> {
  const capacity = capacityOf(owner);
  if (!capacity) return undefined;
  const underWay = await readUnderWay(db, [owner, ...others]);
  const elsewhere = others.reduce((sum, other) => {
    const of = capacityOf(other);
    const { undecided, held, heldByCallbacks } = underWay.get(other.id) ?? NOTHING;
    const lines = areCallbacks ? heldByCallbacks : held + heldByCallbacks;
    return of ? sum + keptBusy(of, pastOf(other, undecided), lines) : sum;
  }, 0);
  const { undecided, heldByCallbacks } = underWay.get(owner.id) ?? NOTHING;
  return { pace: transferPace(capacity, pastOf(owner, undecided), elsewhere), heldByCallbacks };
}

/**
 * How many lines those who take transferred calls leave a campaign and its callbacks, or callbacks alone; undefined: they
 * bound nothing. Where it has a capacity, a statement by the index of what is under way, one more where it shares these
 * people with others, and one for the campaign whose callbacks these are.
 */
export async function readTransferPace(db: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const owner = await ownerOf(db, campaign);
  if (!owner) return undefined;
  const others = await listSharingTransfers(db, owner);
  return (await readPace(db, { owner, others, areCallbacks: owner.id !== campaign.id }))?.pace;
}

/** The same; of a campaign less what its callbacks hold: they are transferred to the same people, and go first. */
export async function pacedByTransfers(tx: Db, campaign: Campaign): Promise<TransferPace | undefined> {
  const owner = await ownerOf(tx, campaign);
  if (!owner) return undefined;
  const { brand, sequenceId, spec } = owner;
  const team = spec.transfers?.team === undefined ? sequenceId : `${brand} ${spec.transfers.team}`;
  // Two plannings never take the same people for idle.
  if (team !== undefined) await lockTransferTeam(tx, team);
  const others = await listSharingTransfers(tx, owner);
  const areCallbacks = owner.id !== campaign.id;
  const read = await readPace(tx, { owner, others, areCallbacks });
  if (!read || areCallbacks) return read?.pace;
  return { ...read.pace, lines: Math.max(1, read.pace.lines - read.heldByCallbacks) };
}
