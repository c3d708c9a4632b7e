import { sql } from "drizzle-orm";

import { letterOf } from "../../domain/campaigns/breaker.ts";
import { breakerPolicyOf } from "../../domain/campaigns/breaker-spec.ts";
import { costOfCall } from "../../domain/campaigns/money.ts";
import type { Finding } from "../../domain/campaigns/findings.ts";
import { saysTransferred } from "../../domain/campaigns/transfer-pacing.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { isConversation } from "../../domain/policy/disposition.ts";
import { withinReason } from "../../domain/time/reported-times.ts";
import { callsEnded, contactsFinished } from "../ground/write-events.ts";
import { rows, type Db } from "../ground/connection.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import { at, json } from "../ground/sql.ts";
import { addSuppressions } from "../ground/suppressions.ts";
import type { Batch } from "./batches.ts";
import { noteCallerCalls } from "./caller-use.ts";
import { bookTallies, type TallyChange } from "./campaign-tallies.ts";
import type { Campaign } from "./campaigns.ts";
import { insertFollowUps } from "./ended-calls.ts";
import { aftermathOf, openingsAheadOf, type HeldAttempt } from "./held-attempts.ts";
import type { WritableFinding } from "./isolated-findings.ts";
import type { SettledCall } from "./settled-call.ts";

/* What is told of attempts, as it is written of them, their contacts and their campaign: settling.ts has the rules. */

/** An attempt that has ended for good in this transaction: what may be followed up. */
interface EndedCall extends SettledCall {
  attemptId: number;
  contactId: number;
  phone: string;
  callId: string | undefined;
}

/** What is told of an attempt that the batch has. */
export type Known = { finding: WritableFinding; attempt: HeldAttempt };

/** Items that are up or over for now: their ids, times and the first sign of a dial, and the state where it moved. */
export async function writeProgress(
  tx: Db,
  batch: Batch,
  known: readonly Known[],
  nowMs: number,
): Promise<void> {
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
export async function writeEnds(
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
    sql`with ended as (
        update attempts a set state = 'ended', item_id = coalesce(r."itemId", a.item_id), call_id = coalesce(r."callId", a.call_id),
          item_status = coalesce(r."itemStatus", a.item_status), error_text = coalesce(left(r."errorText", 500), a.error_text),
          started_at = coalesce(a.started_at, r."startedAt"), ended_at = r."endedAt",
          duration_seconds = coalesce(r."durationSeconds", a.duration_seconds), disposition = r.disposition,
          disposition_reason = left(r.why, 300), kept = r.kept,
          cost_micros = r.cost, cost_told = r."costTold", settled_at = ${at(nowMs)}
        from ${records}
        where a.batch_id = ${batch.id}::uuid and a.phone = r.phone and a.state in ('open', 'provisional')
        returning a.campaign_id, a.contact_id, a.id)
        ${callsEnded(sql`select campaign_id, contact_id, id from ended`, nowMs)}`,
  );
  const moved = await rows<EndedContact & { is_done: boolean }>(
    tx,
    sql`with moved as (
        update contacts c set attempts = c.attempts + 1, last_disposition = r.disposition, returns = 0, refusals = 0,
          state = case when r.retry then 'open' else 'done' end, held = c.held and r.retry, due_at = coalesce(r.due, c.due_at),
          outcome = case when r.retry then null else r.disposition end, reason = r.reason,
          ended_at = case when r.retry then null else ${at(nowMs)} end
        from ${records}
        where c.id = r.contact and c.state = 'leased' returning c.campaign_id, c.id, c.enrolment_id, c.state),
        told as (${contactsFinished(sql`select campaign_id, id from moved where state = 'done'`, nowMs)})
        select enrolment_id, state = 'done' as is_done from moved`,
  );
  return moved.filter((contact) => contact.is_done);
}
