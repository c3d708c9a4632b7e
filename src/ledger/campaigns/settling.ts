import { sql } from "drizzle-orm";

import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { costOfCall } from "../../domain/campaigns/money.ts";
import { letterOf, type Verdict } from "../../domain/campaigns/breaker.ts";
import { breakerPolicyOf } from "../../domain/campaigns/breaker-spec.ts";
import { isConversation } from "../../domain/policy/disposition.ts";
import { saysTransferred } from "../../domain/campaigns/transfer-pacing.ts";
import type { Finding } from "../../domain/campaigns/findings.ts";
import { withinReason } from "../../domain/time/reported-times.ts";
import { listUnsettled, lockBatch, requestStop, stopBatchesDialing, type Batch } from "./batches.ts";
import { bookTallies, type TallyChange } from "./campaign-tallies.ts";
import { type Campaign } from "./campaigns.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { writeOrIsolate, type RefusedFinding, type WritableFinding } from "./isolated-findings.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { aftermathOf, openingsAheadOf, readHeld, type HeldAttempt } from "./held-attempts.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import { at, json } from "../ground/sql.ts";
import { isWithdrawnSince } from "../ground/consents.ts";
import { addSuppressions, isSuppressed } from "../ground/suppressions.ts";
import { insertFollowUps } from "./ended-calls.ts";
import { releaseSlots, worthPlanning } from "./batch-slots.ts";
import type { SettledCall } from "./settled-call.ts";
import { noteCallerCalls } from "./caller-use.ts";
import { saysBreaker } from "./breaking.ts";

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

/** An attempt that has ended for good in this transaction: what may be followed up. */
export interface EndedCall extends SettledCall {
  attemptId: number;
  contactId: number;
  phone: string;
  callId: string | undefined;
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

type Known = { finding: WritableFinding; attempt: HeldAttempt };

function countEnded(known: readonly Known[]): number {
  return known.filter(({ finding }) => finding.outcome.kind === "ended").length;
}

/** Items that are up or over for now: their ids, times and the first sign of a dial, and the state where it moved. */
async function writeProgress(tx: Db, batch: Batch, known: readonly Known[], nowMs: number): Promise<void> {
  const changed = known.filter(({ finding, attempt }) => {
    if (finding.outcome.kind === "provisional") return attempt.state === "open";
    // What was refused once would be again, with everybody beside it written one by one each time.
    if (finding.outcome.kind !== "up" || attempt.sign_unkept) return false;
    return (
      (attempt.started_ms === null && finding.callId !== undefined) ||
      (attempt.item_status === null && finding.itemStatus !== undefined) ||
      finding.signUnkept === true
    );
  });
  if (changed.length === 0) return;
  await rows(
    tx,
    sql`update attempts a set item_id = coalesce(r."itemId", a.item_id), call_id = coalesce(r."callId", a.call_id),
          item_status = coalesce(r."itemStatus", a.item_status), error_text = coalesce(left(r."errorText", 500), a.error_text),
          sign_unkept = a.sign_unkept or r."signUnkept",
          started_at = coalesce(a.started_at, r."startedAt"), ended_at = coalesce(a.ended_at, r."endedAt"),
          duration_seconds = coalesce(r."durationSeconds", a.duration_seconds),
          disposition_reason = coalesce(r.reason, a.disposition_reason),
          state = case when r.provisional then 'provisional' else a.state end
        from jsonb_to_recordset(${json(
          changed.map(({ finding, attempt }) => ({
            ...toldOf(finding, timesOf(finding, attempt, nowMs)),
            signUnkept: finding.signUnkept ?? false,
            provisional: finding.outcome.kind === "provisional",
            reason: finding.outcome.kind === "provisional" ? finding.outcome.reason : undefined,
          })),
        )}) as r(phone text, "itemId" text, "callId" text, "itemStatus" text, "errorText" text, "startedAt" timestamptz,
                 "endedAt" timestamptz, "durationSeconds" float8, reason text, "signUnkept" boolean, provisional boolean)
        where a.batch_id = ${batch.id}::uuid and a.phone = r.phone and a.state = 'open'`,
  );
}

interface Times {
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

/** When it began and ended by what is told of it, within reason; an end is not before the beginning. */
function timesOf(finding: Finding, attempt: HeldAttempt, nowMs: number): Times {
  const within = (momentMs: number | undefined, earliestMs: number) =>
    momentMs === undefined ? undefined : withinReason(momentMs, earliestMs, nowMs);
  const startedAtMs = attempt.started_ms ?? within(finding.startedAtMs, attempt.planned_ms);
  return { startedAtMs, endedAtMs: within(finding.endedAtMs, startedAtMs ?? attempt.planned_ms) };
}

/** What is written of a finding beside what it came to. */
function toldOf(finding: Finding, { startedAtMs, endedAtMs }: Times) {
  const iso = (momentMs: number | undefined) =>
    momentMs === undefined ? undefined : new Date(momentMs).toISOString();
  return {
    phone: finding.phone,
    itemId: finding.itemId,
    callId: finding.callId,
    itemStatus: finding.itemStatus,
    errorText: finding.errorText,
    startedAt: iso(startedAtMs),
    endedAt: iso(endedAtMs),
    durationSeconds: finding.durationSeconds,
  };
}

interface Ending {
  campaign: Campaign;
  policy: DialingPolicy;
  batch: Batch;
  nowMs: number;
}

/**
 * Ends attempts, moves their contacts on and suppresses who opted out. `earliestDueMs`: when the first of them is
 * due again.
 */
async function writeEnds(
  tx: Db,
  { campaign, policy, batch, nowMs }: Ending,
  known: readonly Known[],
): Promise<{
  earliestDueMs: number | undefined;
  tellsOthers: boolean;
  optedOut: string[];
  calls: readonly SettledCall[];
}> {
  const ahead = await openingsAheadOf(tx, { policy, brand: campaign.brand, nowMs });
  const change: Required<TallyChange> = {
    open: 0,
    leased: 0,
    done: 0,
    excluded: 0,
    attempts: 0,
    dispositions: {},
    holdMsSum: 0,
    holdCount: 0,
    newestCalls: "",
    conversations: 0,
    transfersKnown: 0,
    transfers: 0,
    money: undefined,
  };
  const transferAnswer = policy.transfers?.capacity?.answer;
  const money = { stretchMs: batch.moneyStretchMs, heldMicros: 0, spentMicros: 0, toldMicros: 0, calls: 0 };
  const breaker = campaign.spec.breaker && breakerPolicyOf(campaign.spec.breaker);
  const dispositions: Record<string, number> = {};
  const writes: object[] = [];
  const optedOut: string[] = [];
  const endedCalls: EndedCall[] = [];
  let earliestDueMs: number | undefined;
  for (const { finding, attempt } of known) {
    if (finding.outcome.kind !== "ended") continue;
    const { disposition, reason, kept } = finding.outcome;
    const { startedAtMs, endedAtMs = attempt.ended_ms ?? nowMs } = timesOf(finding, attempt, nowMs);
    const next = aftermathOf(attempt, { disposition, startedAtMs, endedAtMs }, { policy, ahead });
    endedCalls.push({
      attemptId: attempt.id,
      contactId: attempt.contact_id,
      phone: attempt.phone,
      callId: finding.callId ?? attempt.call_id ?? undefined,
      disposition,
      startedAtMs,
      endedAtMs,
      heldItsLine: attempt.state === "open",
    });
    const cost = costOfCall(
      { ...finding, disposition, startedAtMs, endedAtMs, toldMicros: finding.costMicros },
      batch,
    );
    // What it cost takes the place of what was held for it.
    money.heldMicros -= batch.callMicros;
    money.spentMicros += cost.micros;
    money.toldMicros += cost.isTold ? cost.micros : 0;
    money.calls += 1;
    writes.push({
      ...toldOf(finding, { startedAtMs, endedAtMs }),
      cost: cost.micros,
      costTold: cost.isTold,
      contact: attempt.contact_id,
      disposition,
      why: reason,
      kept,
      retry: next.kind === "retry",
      due: next.kind === "retry" ? new Date(next.dueAtMs).toISOString() : undefined,
      reason: next.kind === "final" ? next.reason : undefined,
    });
    // What was planned before it went on says nothing of how it goes now.
    if (breaker && attempt.planned_ms >= (campaign.runningSinceMs ?? 0))
      change.newestCalls += letterOf({ disposition, durationSeconds: finding.durationSeconds }, breaker);
    if (isConversation(disposition)) {
      change.conversations += 1;
      const isTransferred = transferAnswer === undefined ? undefined : saysTransferred(transferAnswer, kept);
      if (isTransferred !== undefined) change.transfersKnown += 1;
      if (isTransferred === true) change.transfers += 1;
    }
    change.leased -= 1;
    change.attempts += 1;
    if (next.kind === "retry") {
      change.open += 1;
      // One that is held is not planned for.
      if (!attempt.is_held) earliestDueMs = Math.min(earliestDueMs ?? next.dueAtMs, next.dueAtMs);
    } else {
      change.done += 1;
      dispositions[disposition] = (dispositions[disposition] ?? 0) + 1;
    }
    if (startedAtMs !== undefined) {
      change.holdMsSum += Math.max(0, endedAtMs - startedAtMs);
      change.holdCount += 1;
    }
    if (disposition === "opted_out") optedOut.push(finding.phone);
  }
  if (writes.length === 0) return { earliestDueMs, tellsOthers: false, optedOut, calls: [] };
  const done = await writeOutcomes(tx, batch, writes, nowMs);
  await bookTallies(tx, campaign, { ...change, dispositions, money });
  await addSuppressions(tx, {
    entries: optedOut.map((phone) => ({
      phone,
      brand: campaign.brand,
      source: "call",
      reason: `opted out in a call of campaign ${campaign.name}`,
    })),
    actor: "engine",
    nowMs,
  });
  const told = await tellEnded(tx, done, nowMs);
  const followUps = await insertFollowUps(tx, { campaign, ended: endedCalls, nowMs });
  // The number that it was called from is shared by campaigns: its row is the last that is locked.
  await noteCallerCalls(tx, { campaign, number: batch.fromNumber, ended: endedCalls, nowMs });
  return { earliestDueMs, tellsOthers: told + followUps > 0, optedOut, calls: endedCalls };
}

/** Returns the contacts that are done with it. */
async function writeOutcomes(
  tx: Db,
  batch: Batch,
  writes: readonly object[],
  nowMs: number,
): Promise<EndedContact[]> {
  const records = sql`jsonb_to_recordset(${json(writes)}) as r(phone text, contact bigint, "itemId" text, "callId" text, "itemStatus" text,
    "errorText" text, "startedAt" timestamptz, "endedAt" timestamptz, "durationSeconds" float8, disposition text, why text, kept jsonb,
    retry boolean, due timestamptz, reason text, cost bigint, "costTold" boolean)`;
  await rows(
    tx,
    sql`update attempts a set state = 'ended', item_id = coalesce(r."itemId", a.item_id), call_id = coalesce(r."callId", a.call_id),
          item_status = coalesce(r."itemStatus", a.item_status), error_text = coalesce(left(r."errorText", 500), a.error_text),
          started_at = coalesce(a.started_at, r."startedAt"), ended_at = r."endedAt",
          duration_seconds = coalesce(r."durationSeconds", a.duration_seconds), disposition = r.disposition,
          disposition_reason = left(r.why, 300), kept = r.kept,
          cost_micros = r.cost, cost_told = r."costTold", settled_at = ${at(nowMs)}
        from ${records}
        where a.batch_id = ${batch.id}::uuid and a.phone = r.phone and a.state in ('open', 'provisional')`,
  );
  const moved = await rows<EndedContact & { is_done: boolean }>(
    tx,
    sql`update contacts c set attempts = c.attempts + 1, last_disposition = r.disposition, returns = 0, refusals = 0,
          state = case when r.retry then 'open' else 'done' end, held = c.held and r.retry, due_at = coalesce(r.due, c.due_at),
          outcome = case when r.retry then null else r.disposition end, reason = r.reason,
          ended_at = case when r.retry then null else ${at(nowMs)} end
        from ${records}
        where c.id = r.contact and c.state = 'leased' returning c.enrolment_id, c.state = 'done' as is_done`,
  );
  return moved.filter((contact) => contact.is_done);
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
