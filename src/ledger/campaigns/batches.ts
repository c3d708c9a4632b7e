import { sql, type SQL } from "drizzle-orm";

import type { BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import type { Evidence } from "../../domain/campaigns/evidence.ts";
import {
  canMoveBatch,
  neverStarted,
  type BatchState,
  type StopReason,
} from "../../domain/campaigns/batch-state.ts";
import { SHOWS_NO_DIAL } from "./attempts.ts";
import { noteRefusals } from "./refused-calls.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { lockCampaign, lockCampaignOf, type Campaign } from "./campaigns.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { firstRow, LedgerUnavailableError, rows, type Db, type Ledger } from "../ground/connection.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import {
  document,
  from,
  moment,
  number,
  optional,
  record,
  text,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, listOf, ms } from "../ground/sql.ts";

/** Somebody whom a batch is proven not to have dialed, and why, where the platform refused to. */
export interface Undialed {
  phone: string;
  refused?: string;
}

const BATCH = record({
  id: text,
  campaignId: text,
  state: word<BatchState>(),
  agentId: text,
  /** The variant of its campaign that all of its calls are of. */
  variant: optional(text),
  fromNumber: text,
  policyVersion: number,
  size: number,
  slots: number,
  held: number,
  /** What is held for each of its calls that is not over, in millionths of a US dollar. */
  callMicros: number,
  /** What a minute of them is taken to cost until that is told. */
  minuteMicros: number,
  /** When the stretch of spending began that they take money of (money-day.ts). */
  moneyStretchMs: moment,
  dialByMs: optional(moment),
  /** When the calls ended whose lines it takes, on the mean, where somebody waited for those. */
  linesFreeSinceMs: optional(moment),
  createNo: number,
  platformBatchId: optional(text),
  plannedAtMs: moment,
  createdAtMs: optional(moment),
  startSentAtMs: optional(moment),
  startSeenAtMs: optional(moment),
  /** How often a start was permitted. */
  startNo: number,
  /** What the platform said to the last start where that was a no that may have been a yes, or "no such batch". */
  startRefusal: optional(text),
  stopReason: optional(word<StopReason>()),
  stopRequestedAtMs: optional(moment),
  terminalSeenAtMs: optional(moment),
  /** Since when the platform says that there is no such batch. */
  vanishedAtMs: optional(moment),
  /** When the last read was over that counts for what follows. */
  readAtMs: from("first_read_at", optional(moment)),
  /** What the reads since the end was seen prove so far. */
  evidence: from("first_read", optional(document<Evidence>())),
  /** Numbers that both reads show undialed, written before a batch of doubtful start is deleted. */
  proven: optional(document<readonly Undialed[]>()),
  /** What the platform does not do for it, and since when. */
  trouble: optional(word<BatchTrouble>()),
  troubleSinceMs: optional(moment),
  settledAtMs: optional(moment),
  /** The trace that it is part of. */
  traceParent: optional(text),
});

export interface Batch extends RecordOf<typeof BATCH> {}

function readMany(db: Db, condition: SQL): Promise<Batch[]> {
  return rows(db, sql`select ${BATCH.columns} from batches where ${condition}`, BATCH);
}

export async function readBatch(db: Db, batchId: string): Promise<Batch | undefined> {
  const [batch] = await readMany(db, sql`id = ${batchId}::uuid`);
  return batch;
}

export function readBatches(db: Db, batchIds: readonly string[]): Promise<Batch[]> {
  return readMany(db, sql`id in ${listOf(batchIds, "uuid")}`);
}

/** Whether a start was permitted, and its end was not seen. */
export function mayBeDialing({ startSentAtMs, state }: Batch): boolean {
  return startSentAtMs !== undefined && state !== "settled";
}

/** Batches that are not through yet, oldest first. */
export function listUnsettled(db: Db, campaignId: string): Promise<Batch[]> {
  return readMany(db, sql`campaign_id = ${campaignId}::uuid and state <> 'settled' order by planned_at, id`);
}

/** Slots that a campaign's batches hold. */
export async function readHeldSlots(db: Db, campaignId: string): Promise<number> {
  const sum = await firstRow<{ held: number }>(
    db,
    sql`select coalesce(sum(held), 0)::int as held from batches where campaign_id = ${campaignId}::uuid and state <> 'settled'`,
  );
  return sum?.held ?? 0;
}

export interface LockedBatch {
  campaign: Campaign;
  batch: Batch;
}

/** The batch under its campaign's lock: the order in which everybody takes them. Undefined where it is unknown. */
export async function lockBatch(tx: Db, batchId: string): Promise<LockedBatch | undefined> {
  const campaign = await lockCampaignOf(tx, batchId);
  if (!campaign) return undefined;
  const batch = await readBatch(tx, batchId);
  return batch && { campaign, batch };
}

/**
 * Moves a batch by compare-and-set and sets what goes with it.
 *
 * @returns false where the batch was in another state: somebody else moved it.
 */
export async function moveBatch(
  db: Db,
  batchId: string,
  from: BatchState,
  to: BatchState,
  changes?: SQL,
): Promise<boolean> {
  if (!canMoveBatch(from, to)) throw new Error(`a batch does not go from ${from} to ${to}`);
  const moved = await rows(
    db,
    sql`update batches set state = ${to} ${to === "settled" ? sql`, look_by = null` : sql``} ${changes ? sql`, ${changes}` : sql``} where id = ${batchId}::uuid and state = ${from} returning 1 as one`,
  );
  return moved.length > 0;
}

/**
 * Asks batches to take no new dial. Those that were never started give their attempts back at once, because
 * nobody can have been dialed; the others are stopped on the platform by their workflows.
 *
 * The caller holds the campaign's lock. The first reason given stays. They are given back in the order of the days whose
 * money they take: a campaign and its callbacks share a row for each, and may be asked to stop at once.
 */
export async function requestStop(
  tx: Db,
  input: { campaign: Campaign; batchIds: readonly string[]; reason: StopReason; nowMs: number },
): Promise<void> {
  const { campaign, batchIds, reason, nowMs } = input;
  if (batchIds.length === 0) return;
  const stopped = await readMany(
    tx,
    sql`id in ${listOf(batchIds, "uuid")} and campaign_id = ${campaign.id}::uuid and state <> 'settled' order by money_stretch, id`,
  );
  await rows(
    tx,
    sql`update batches set stop_reason = coalesce(stop_reason, ${reason}), stop_requested_at = coalesce(stop_requested_at, ${at(nowMs)}),
          look_by = least(look_by, ${at(nowMs + GRACE_MS)})
        where id in ${listOf(batchIds, "uuid")} and state <> 'settled'`,
  );
  for (const batch of stopped) {
    if (neverStarted(batch.state, batch.startSentAtMs) && batch.state !== "draining") {
      await moveBatch(tx, batch.id, batch.state, "draining", sql`held = 0`);
      await returnAttempts(tx, { campaign, batchId: batch.id, nowMs, dueAtMs: nowMs });
    }
  }
}

/**
 * Gives attempts back that were proven not to have been dialed: their contacts are due again at `dueAtMs`,
 * later each time that it happens to them. One of which the ledger holds a sign of a dial stays, whatever was
 * proven (I1). Whoever was taken back meanwhile is excluded (placement-changes.ts, withdrawing.ts), placements that are
 * held wait. The caller holds the campaign's lock.
 *
 * @param input.phones only these; absent: all open ones of the batch.
 * @param input.refused why the platform refused to call some of them: they wait longer, and people are told.
 */
export async function returnAttempts(
  tx: Db,
  input: {
    campaign: Campaign;
    batchId: string;
    phones?: readonly string[];
    refused?: ReadonlyMap<string, string>;
    nowMs: number;
    dueAtMs: number;
  },
): Promise<number> {
  const { campaign, batchId, phones, refused, nowMs, dueAtMs } = input;
  const returned = await rows<{ contact_id: number; phone: string; call_micros: number; stretch_ms: number }>(
    tx,
    sql`with back as (
          update attempts a set state = 'returned', settled_at = ${at(nowMs)}
          where a.batch_id = ${batchId}::uuid and a.state = 'open' and ${SHOWS_NO_DIAL}
            ${phones ? sql`and a.phone in ${listOf(phones, "text")}` : sql``}
          returning a.contact_id, a.phone),
        counted as (
          update batches set returned = returned + (select count(*) from back)
          where id = ${batchId}::uuid returning call_micros, ${ms(sql`money_stretch`)} as stretch_ms)
        select back.contact_id, back.phone, counted.call_micros, counted.stretch_ms from back cross join counted`,
  );
  const [one] = returned;
  if (one === undefined) return 0;
  const moved = await rows<EndedContact & { state: ContactState }>(
    tx,
    sql`with moved as (
        update contacts set returns = least(returns + 1, 100),
          state = case when ${IS_WITHDRAWN} then 'excluded' else 'open' end,
          held = held and not ${IS_WITHDRAWN},
          ended_at = case when ${IS_WITHDRAWN} then ${at(nowMs)} end,
          due_at = ${at(dueAtMs)} + make_interval(secs => case when returns < 1 then 0 else least(${RETURN_SPACING_MAX_S}, power(2, least(returns, 12))) end)
        where id in ${listOf(
          returned.map((row) => row.contact_id),
          "bigint",
        )} and state = 'leased' returning campaign_id, id, state, enrolment_id),
        told as (${contactsFinished(sql`select campaign_id, id from moved where state = 'excluded'`, nowMs)})
        select state, enrolment_id from moved`,
  );
  const gone = moved.filter(({ state }) => state === "excluded");
  const excluded = gone.length;
  // Nobody was called by them: what was held for it is free again.
  const money = { stretchMs: one.stretch_ms, heldMicros: -returned.length * one.call_micros };
  await bookTallies(tx, campaign, {
    open: returned.length - excluded,
    leased: -returned.length,
    excluded,
    money,
  });
  await tellEnded(tx, gone, nowMs);
  const refusals = returned.flatMap(({ phone, contact_id: contactId }) => {
    const why = refused?.get(phone);
    return why === undefined ? [] : [{ phone, contactId, why }];
  });
  await noteRefusals(tx, { campaign, batchId, refusals, nowMs });
  return returned.length;
}

/** Of a leased contact. */
const IS_WITHDRAWN = sql`(reason is not null)`;

/** A contact whose lease comes back again and again is offered this much later at most. Seconds. */
const RETURN_SPACING_MAX_S = 900;

/** Batches with an open attempt on one of the numbers, by campaign: whom a new suppression concerns. */
export async function findBatchesDialing(
  db: Db,
  phones: readonly string[],
  brand: string | undefined,
): Promise<Map<string, string[]>> {
  const found = await rows<BatchOfCampaign>(
    db,
    sql`select distinct a.campaign_id, a.batch_id from attempts a join campaigns c on c.id = a.campaign_id
        where a.phone in ${listOf(phones, "text")} and a.state = 'open'
          and (${brand ?? null}::text is null or c.brand = ${brand ?? null}::text)`,
  );
  return batchesByCampaign(found);
}

export interface BatchOfCampaign {
  campaign_id: string;
  batch_id: string;
}

export function batchesByCampaign(found: readonly BatchOfCampaign[]): Map<string, string[]> {
  const byCampaign = new Map<string, string[]>();
  for (const row of found)
    byCampaign.set(row.campaign_id, [...(byCampaign.get(row.campaign_id) ?? []), row.batch_id]);
  return byCampaign;
}

/** Asks every batch of a campaign to stop, in one transaction with whatever made it necessary. */
export async function requestStopOfAll(
  tx: Db,
  input: { campaign: Campaign; reason: StopReason; nowMs: number },
): Promise<string[]> {
  const batches = await listUnsettled(tx, input.campaign.id);
  const batchIds = batches.map((batch) => batch.id);
  await requestStop(tx, { ...input, batchIds });
  return batchIds;
}

/**
 * Stops the batches that are dialing numbers which were just suppressed. A campaign that somebody holds keeps no other
 * from it: its batches are told by the next look at them, which finds the suppression (settling.ts).
 *
 * @returns all of those batches: to be halted.
 */
export async function stopBatchesDialing(
  ledger: Ledger,
  input: { phones: readonly string[]; brand: string | undefined; nowMs: number },
): Promise<string[]> {
  const byCampaign = await findBatchesDialing(ledger.db, input.phones, input.brand);
  return stopSuppressed(ledger, byCampaign, input.nowMs);
}

/** The same of batches that were found, by campaign. */
export async function stopSuppressed(
  ledger: Ledger,
  byCampaign: ReadonlyMap<string, readonly string[]>,
  nowMs: number,
): Promise<string[]> {
  for (const [campaignId, batchIds] of byCampaign) {
    await unlessHeld(() =>
      ledger.urgent.transaction(async (tx) => {
        const campaign = await lockCampaign(tx, campaignId);
        if (campaign) await requestStop(tx, { campaign, batchIds, reason: "suppression", nowMs });
      }),
    );
  }
  return [...byCampaign.values()].flat();
}

async function unlessHeld(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LedgerUnavailableError)) throw error;
  }
}
