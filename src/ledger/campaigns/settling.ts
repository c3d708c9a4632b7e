import { sql } from "drizzle-orm";

import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { Verdict } from "../../domain/campaigns/breaker.ts";
import type { Finding } from "../../domain/campaigns/findings.ts";
import { listUnsettled, lockBatch, requestStop, stopBatchesDialing, type Batch } from "./batches.ts";
import type { Campaign } from "./campaigns.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { writeOrIsolate, type RefusedFinding, type WritableFinding } from "./isolated-findings.ts";
import { readHeld } from "./held-attempts.ts";
import { at } from "../ground/sql.ts";
import { isWithdrawnSince } from "../ground/consents.ts";
import { isSuppressed } from "../ground/suppressions.ts";
import { releaseSlots, worthPlanning } from "./batch-slots.ts";
import type { SettledCall } from "./settled-call.ts";
import { saysBreaker } from "./breaking.ts";
import { writeEnds, writeProgress, type Known } from "./told-outcomes.ts";

/*
 * Settling: what became of attempts, written when it is known, once and for all.
 *
 * 1. An attempt that has ended never changes again; telling it twice, or out of order, changes nothing.
 * 2. A batch's held slots only ever go down, to the attempts that may still be up: those that are open, and of one that
 *    shows as stopped those whom the platform shows as being called, or does not show.
 * 3. The contact's next step (retry when, or done why) is decided in the same transaction as its outcome.
 * 4. Who opts out is suppressed in that transaction, too. Batches of other campaigns that are dialing the number are
 *    stopped after its commit, because nobody takes another campaign's lock under its own. Whoever is killed in
 *    between stops none of them: so every settling stops its own batch where that dials a suppressed number (I2).
 * 5. What opens the campaign's breaker is told to the caller, who opens it after the commit: a pause takes locks of the
 *    campaign's callbacks, for which nobody waits under locks of attempts. Whoever is killed in between is made up for
 *    by the next planning, which opens it before it leases anybody.
 * 6. A finding that the database refuses holds up nobody else. What it came to is written by itself then, and says so.
 */

export interface SettleResult {
  /** A newer follower has taken over: whoever gets this stops. */
  fenced: boolean;
  ended: number;
  /** The same, as metrics count them. */
  calls: readonly SettledCall[];
  /** Attempts of the batch that may still be up, and those that wait for their call. */
  open: number;
  provisional: number;
  /** Planning again now would do something. */
  wakeCampaign: boolean;
  /** Its newest calls open the campaign's breaker (breaking.ts). */
  opensBreaker: boolean;
  /** It holds fewer slots than before. */
  isFreed: boolean;
  /** Something may be in the outbox for others: kick it after the commit. */
  tellsOthers: boolean;
  /** Batches that were asked to stop, this one or others', because they dial a suppressed number: wake them. */
  stoppedBatches: readonly string[];
  /** What could not be written as it was told, if anything: nobody else's outcome is held up by it. */
  refused: readonly RefusedFinding[];
}

/**
 * Writes findings of one batch, and asks batches that are dialing a number which is suppressed now to stop.
 *
 * @param input.fence the follower's token; absent for others.
 */
export async function settleFindings(
  ledger: Ledger,
  input: { batchId: string; findings: readonly Finding[]; fence?: number; nowMs: number },
): Promise<SettleResult | undefined> {
  const { nowMs } = input;
  const { written, refused } = await writeOrIsolate(
    (findings) => ledger.transaction((tx) => writeFindings(tx, { ...input, findings })),
    together,
    input.findings,
  );
  if (!written) return undefined;
  const { optedOut, brand } = written;
  const result = { ...written.result, refused };
  if (optedOut.length === 0) return result;
  const elsewhere = await stopBatchesDialing(ledger, { phones: optedOut, brand, nowMs });
  return { ...result, stoppedBatches: [...result.stoppedBatches, ...elsewhere] };
}

interface Settling {
  batchId: string;
  findings: readonly WritableFinding[];
  fence?: number;
  nowMs: number;
}

type Written = { result: SettleResult; optedOut: string[]; brand: string } | undefined;

/** Two settlings of one batch, one after the other. */
function together(first: Written, second: Written): Written {
  if (!first || !second) return undefined;
  const [a, b] = [first.result, second.result];
  if (a.fenced) return first;
  return {
    brand: second.brand,
    optedOut: [...first.optedOut, ...second.optedOut],
    result: {
      ...b,
      ended: a.ended + b.ended,
      calls: [...a.calls, ...b.calls],
      wakeCampaign: a.wakeCampaign || b.wakeCampaign,
      opensBreaker: a.opensBreaker || b.opensBreaker,
      isFreed: a.isFreed || b.isFreed,
      tellsOthers: a.tellsOthers || b.tellsOthers,
      stoppedBatches: [...a.stoppedBatches, ...b.stoppedBatches],
    },
  };
}

async function writeFindings(tx: Db, input: Settling): Promise<Written> {
  const locked = await lockBatch(tx, input.batchId);
  if (!locked) return undefined;
  const { campaign, batch } = locked;
  const { brand } = campaign;
  if (input.fence !== undefined && input.fence !== campaign.followFence) {
    return { result: FENCED, optedOut: [], brand };
  }
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const held = await readHeld(tx, batch.id, { findings: input.findings, policy });
  const known = input.findings.flatMap((finding) => {
    const attempt = held.get(finding.phone);
    return attempt ? [{ finding, attempt }] : [];
  });
  await writeProgress(tx, batch, known, input.nowMs);
  const { earliestDueMs, tellsOthers, optedOut, calls } = await writeEnds(
    tx,
    { campaign, policy, batch, nowMs: input.nowMs },
    known,
  );
  const { open, provisional, suppressed } = await countLeft(tx, campaign, batch, input.nowMs);
  await releaseSlots(tx, batch, open, calls);
  const isStopped = suppressed && batch.stopReason === undefined && mayDial(batch);
  if (isStopped) {
    await requestStop(tx, { campaign, batchIds: [batch.id], reason: "suppression", nowMs: input.nowMs });
  }
  const said = saysBreaker(campaign);
  const result = {
    fenced: false,
    ended: countEnded(known),
    calls,
    open,
    provisional,
    // A probe that went well is over by a planning.
    wakeCampaign: (await worthPlanning(tx, campaign, earliestDueMs)) || isProbeOver(campaign, said),
    opensBreaker: said.kind === "opens",
    isFreed: open < batch.held,
    tellsOthers,
    stoppedBatches: isStopped ? [batch.id] : [],
    refused: [],
  };
  return { result, optedOut, brand };
}

const FENCED: SettleResult = {
  fenced: true,
  ended: 0,
  calls: [],
  open: 0,
  provisional: 0,
  wakeCampaign: false,
  opensBreaker: false,
  isFreed: false,
  tellsOthers: false,
  stoppedBatches: [],
  refused: [],
};

/** One that was not started yet is asked about its numbers again by whoever permits its start. */
function mayDial({ state }: Batch): boolean {
  return state === "starting" || state === "running";
}

function isProbeOver({ breaker }: Campaign, said: Verdict): boolean {
  return breaker === "probing" && said.kind === "goes_on";
}

function countEnded(known: readonly Known[]): number {
  return known.filter(({ finding }) => finding.outcome.kind === "ended").length;
}

/**
 * What the batch still has under way, and whether it may be dialing a number that is suppressed, or whose consent was
 * withdrawn since it was leased: where none is asked for, it is leased again.
 */
async function countLeft(
  tx: Db,
  campaign: Campaign,
  batch: Batch,
  nowMs: number,
): Promise<{ open: number; provisional: number; suppressed: boolean }> {
  const left = await firstRow<{ open: number; provisional: number; suppressed: boolean }>(
    tx,
    sql`select count(*) filter (where a.state = 'open')::int as open,
          count(*) filter (where a.state = 'provisional')::int as provisional,
          coalesce(bool_or(a.state = 'open' and (
            ${isSuppressed(sql`a.phone`, sql`${campaign.brand}`, nowMs)}
            or ${isWithdrawnSince(sql`a.phone`, campaign.brand, sql`a.planned_at`)})), false) as suppressed
        from attempts a where a.batch_id = ${batch.id}::uuid and a.state in ('open', 'provisional')`,
  );
  return left ?? { open: 0, provisional: 0, suppressed: false };
}

/**
 * Closes a batch none of whose attempts is open or provisional.
 *
 * @returns `isClosed`: false where some are, or where it is neither running nor draining. `isLast`: nothing else of its
 *   campaign is under way.
 */
export async function closeBatch(
  ledger: Ledger,
  batchId: string,
  nowMs: number,
): Promise<{ isClosed: boolean; isLast: boolean }> {
  return ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return { isClosed: false, isLast: false };
    const isLast = async () => (await listUnsettled(tx, locked.campaign.id)).length === 0;
    if (locked.batch.state === "settled") return { isClosed: true, isLast: await isLast() };
    const closed = await rows(
      tx,
      sql`update batches set state = 'settled', held = 0, settled_at = ${at(nowMs)}, look_by = null
          where id = ${batchId}::uuid and state in ('running', 'draining')
            and not exists (select 1 from attempts where batch_id = ${batchId}::uuid and state in ('open', 'provisional'))
          returning 1 as one`,
    );
    if (closed.length === 0) return { isClosed: false, isLast: false };
    return { isClosed: true, isLast: await isLast() };
  });
}
