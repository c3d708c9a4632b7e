import { sql } from "drizzle-orm";

import { MAX_BATCHES_PER_PLAN, MAX_BATCH_SIZE, slotQuantum } from "../domain/batch-sizing.ts";
import { createWindowMemo, type WindowStatus } from "../domain/calling-window.ts";
import { isOver, type CampaignState } from "../domain/campaign-state.ts";
import { policyOf, type DialingPolicy } from "../domain/campaign-spec.ts";
import { decide, decideZones, type GateDecision } from "../domain/policy-gate.ts";
import { listUnsettled, type Batch } from "./batches.ts";
import { endIfThrough } from "./campaign-ending.ts";
import { bookTallies, lockCampaign, notePlanning, type Campaign, type Tallies } from "./campaigns.ts";
import { rows, type Db, type Ledger } from "./connection.ts";
import { readContactFacts } from "./contact-facts.ts";
import { recordRefusals, setHolds, type Hold, type Refusal } from "./explanations.ts";
import { readInstallation, requireRecovery } from "./installation.ts";
import { leaseCleared, refuseContacts, type Cleared } from "./leasing.ts";
import { paceEnds } from "./outbox.ts";
import type { PlanningPace } from "./planning-pace.ts";
import { at, listOf, ms } from "./sql.ts";
import { dropWakeUp } from "./wake-ups.ts";

/*
 * planBatches: the one place where attempts are leased (design: docs/architecture.md, "Planning").
 *
 * 1. One transaction under the campaign's lock, and idempotent: batches still `planned` come back first, so an
 *    answer that was lost loses nothing and leases nothing twice.
 * 2. Slots are the limit minus what unsettled batches hold; nothing else is counted anywhere.
 * 3. Attempts go in sorted by number under "one open attempt per number"; whoever conflicts is skipped,
 *    recorded, and looked at later.
 * 4. Who is due and not leased is explained: a hold for a zone set or the campaign, a refusal for one contact.
 */

/** Contacts looked at in one planning; bounds its transaction. */
const MAX_CANDIDATES = MAX_BATCHES_PER_PLAN * MAX_BATCH_SIZE;

/** Contacts excluded in one planning, for the same reason. */
const MAX_EXCLUDED = 5_000;

/**
 * A standing campaign with nothing under way has nothing to look for: each placement wakes it up, the outbox makes
 * up for a wake-up that was lost, and who waits in it is looked at when due. Four times a day it looks all the same.
 */
const STANDING_LOOK_MS = 6 * 60 * 60_000;

export interface PlanInput {
  campaignId: string;
  /** The highest sequence that the campaign's workflow ever saw; the ledger's must not be lower. */
  seenSeq: number;
  /** Why nothing may be dialed for a reason outside the ledger, such as clocks that disagree. */
  blockedBy: { reason: string; detail: string } | undefined;
  pace: PlanningPace;
  nowMs: number;
}

export interface PlanResult {
  state: CampaignState;
  seq: number;
  /** Batches that need their workflow, those of an earlier planning whose answer was lost included. */
  batchIds: string[];
  /** Batches under way, these included. */
  liveBatches: number;
  heldSlots: number;
  /** When to plan again at the latest. */
  waitMs: number;
  tallies: Tallies;
  /** Somebody whom others wait for may have been excluded: kick the outbox after the commit. */
  tellsOthers: boolean;
}

export async function planBatches(ledger: Ledger, input: PlanInput): Promise<PlanResult | undefined> {
  const seen: { restored?: string } = {};
  const result = await ledger.transaction((tx) => planInTransaction(tx, input, seen));
  // A statement of its own: whoever stops everything needs that row, and waits for no planning.
  if (seen.restored !== undefined) await requireRecovery(ledger.db, seen.restored, input.nowMs);
  return result;
}

interface Planning {
  tx: Db;
  campaign: Campaign;
  policy: DialingPolicy;
  windowOf: (zones: readonly string[], nowMs: number) => WindowStatus;
  input: PlanInput;
  /** Set where the ledger turns out to be older than its campaign's workflow. */
  seen: { restored?: string };
  holds: Hold[];
  refusals: Refusal[];
  /** Moments at which something changes by itself. */
  looksMs: number[];
}

async function planInTransaction(
  tx: Db,
  input: PlanInput,
  seen: Planning["seen"],
): Promise<PlanResult | undefined> {
  const { nowMs, pace } = input;
  const campaign = await lockCampaign(tx, input.campaignId);
  if (!campaign) {
    seen.restored = "a campaign that has a workflow is not in the ledger: it was restored";
    return undefined;
  }
  const excludedBefore = campaign.tallies.excluded;
  const unsettled = await listUnsettled(tx, campaign.id);
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const planning: Planning = {
    tx,
    campaign,
    policy,
    windowOf: createWindowMemo(policy.window),
    input,
    seen,
    holds: [],
    refusals: [],
    looksMs: [],
  };
  const blocked = await blocker(planning);
  let starved = false;
  if (blocked) {
    planning.holds.push({ zoneSetId: undefined, ...blocked });
  } else if (campaign.state === "running") {
    starved = await lease(planning, unsettled);
  }
  const live = await listUnsettled(tx, campaign.id);
  if (live.length === 0) {
    const { isLeft } = await endIfThrough(tx, campaign, { atOnce: MAX_EXCLUDED, nowMs });
    if (isLeft) planning.looksMs.push(nowMs);
  }
  const holds = isOver(campaign.state) ? [] : planning.holds;
  await recordRefusals(tx, { refusals: planning.refusals, policyVersion: policy.version, nowMs });
  await setHolds(tx, { campaignId: campaign.id, holds, policyVersion: policy.version, nowMs });
  const lookMs = nowMs + (live.length > 0 ? pace.busyLookMs : idleLookMs(planning, blocked?.reason));
  const nextLookAtMs = Math.max(nowMs, Math.min(lookMs, ...planning.looksMs));
  await notePlanning(tx, { campaignId: campaign.id, starved, nextLookAtMs });
  // All that was placed so far was seen, under the lock that placing takes.
  if (campaign.standing) await dropWakeUp(tx, campaign.id);
  return {
    state: campaign.state,
    seq: campaign.seq,
    batchIds: live.filter((batch) => batch.state === "planned").map((batch) => batch.id),
    liveBatches: live.length,
    heldSlots: heldBy(live),
    waitMs: nextLookAtMs - nowMs,
    tallies: campaign.tallies,
    tellsOthers: campaign.standing && campaign.tallies.excluded > excludedBefore,
  };
}

/** What blocks a whole campaign, other than a person who will say when it goes on, is looked at again soon. */
function idleLookMs({ campaign, input }: Planning, blockedBy: string | undefined): number {
  const isWaiting = blockedBy === undefined || blockedBy === "paused";
  return campaign.standing && isWaiting ? STANDING_LOOK_MS : input.pace.idleLookMs;
}

function heldBy(batches: readonly Batch[]): number {
  return batches.reduce((sum, batch) => sum + batch.held, 0);
}

/** Why the whole campaign dials nobody now, or undefined where it may. */
async function blocker({
  tx,
  campaign,
  input,
  seen,
}: Planning): Promise<{ reason: string; detail: string } | undefined> {
  if (campaign.seq < input.seenSeq) {
    const detail = `the ledger is older than its campaign's workflow (sequence ${campaign.seq} after ${input.seenSeq}): it was restored`;
    seen.restored = detail;
    return { reason: "recovery", detail };
  }
  const installation = await readInstallation(tx);
  if (installation.recoveryReason !== undefined)
    return { reason: "recovery", detail: installation.recoveryReason };
  if (installation.stopped) return { reason: "stop_all", detail: installation.stopped.reason };
  if (campaign.state !== "running") return { reason: campaign.state, detail: campaign.stateReason ?? "" };
  return input.blockedBy;
}

interface Lane {
  id: number;
  zoneSetId: number;
  priority: number;
  zones: string[];
  firstDueMs: number;
}

/** Leases whom it can. Returns whether due contacts were left for want of slots. */
async function lease(planning: Planning, unsettled: readonly Batch[]): Promise<boolean> {
  const { tx, campaign, input } = planning;
  const dueLanes = await openLanes(planning, await readLanes(tx, campaign.id));
  if (dueLanes.length === 0) return false;
  const freeSlots = campaign.concurrency - heldBy(unsettled);
  const moreToCome = unsettled.length > 0;
  const fewSlots = freeSlots < slotQuantum(campaign.concurrency) && moreToCome;
  // Those with priority take what there is.
  const open = fewSlots ? dueLanes.filter(isUrgent) : dueLanes;
  if (freeSlots <= 0 || open.length === 0) {
    planning.holds.push(slotsInUse(campaign));
    return true;
  }
  const oldestDueMs = Math.min(...open.map((lane) => lane.firstDueMs));
  const wanted = Math.min(MAX_CANDIDATES, freeSlots * MAX_BATCH_SIZE);
  const candidates = await dueContacts(tx, open, wanted, input.nowMs);
  const urgent = open.some(isUrgent);
  const fewRetries =
    candidates.length < Math.min(freeSlots, MAX_BATCH_SIZE) && !urgent && campaign.tallies.attempts > 0;
  if (fewRetries && input.nowMs - oldestDueMs < input.pace.gatherMs) {
    planning.looksMs.push(oldestDueMs + input.pace.gatherMs);
    return false;
  }
  const cleared = await askGate(planning, candidates);
  const due = candidates.length < wanted ? cleared.length : campaign.tallies.open;
  const { leased, beaten } = await leaseCleared(
    { tx, campaign, policy: planning.policy, pace: input.pace, nowMs: input.nowMs },
    cleared,
    due,
    freeSlots,
  );
  if (beaten > 0) planning.looksMs.push(input.nowMs + input.pace.openAttemptWaitMs);
  if (campaign.standing) await lookWhenNextIsDue(planning, dueLanes);
  const isLeft = candidates.length === wanted || leased + beaten < cleared.length;
  if (!isLeft && open.length === dueLanes.length) return false;
  planning.holds.push(slotsInUse(campaign));
  return true;
}

/** Between its looks of its own, hours apart, nobody in a standing campaign is forgotten behind those just seen. */
async function lookWhenNextIsDue(
  { tx, campaign, input, looksMs }: Planning,
  seen: readonly Lane[],
): Promise<void> {
  const ids = new Set(seen.map((lane) => lane.id));
  for (const { id, firstDueMs } of await readLanes(tx, campaign.id)) {
    if (ids.has(id) && firstDueMs > input.nowMs) looksMs.push(firstDueMs);
  }
}

function isUrgent(lane: Lane): boolean {
  return lane.priority > 0;
}

function slotsInUse({ concurrency }: Campaign): Hold {
  return { zoneSetId: undefined, reason: "slots", detail: `all ${concurrency} slots are in use` };
}

/** Lanes that have open contacts, each with its earliest due one: a probe of the index per lane. */
function readLanes(tx: Db, campaignId: string): Promise<Lane[]> {
  return rows<Lane>(
    tx,
    sql`select l.id, l.zone_set_id as "zoneSetId", l.priority, z.zones, ${ms(sql`d.due_at`)} as "firstDueMs"
        from lanes l join zone_sets z on z.id = l.zone_set_id
        cross join lateral (select c.due_at from contacts c where c.lane_id = l.id and c.state = 'open'
                            order by c.due_at, c.id limit 1) d
        where l.campaign_id = ${campaignId}::uuid`,
  );
}

/** Asks the gate for whole lanes: explains those that are closed, ends those that never open, returns the rest. */
async function openLanes(planning: Planning, lanes: readonly Lane[]): Promise<Lane[]> {
  const { policy, windowOf, input, holds, looksMs } = planning;
  const { nowMs } = input;
  const open: Lane[] = [];
  for (const lane of lanes) {
    const decision = decideZones({ facts: { zones: lane.zones }, policy, nowMs, windowOf });
    switch (decision.kind) {
      case "dial":
        if (lane.firstDueMs > nowMs) looksMs.push(lane.firstDueMs);
        else if (decision.untilMs - nowMs >= leadMs(planning)) open.push(lane);
        else {
          looksMs.push(decision.untilMs);
          holds.push({
            zoneSetId: lane.zoneSetId,
            reason: "window",
            detail: "closes too soon for a call to begin",
          });
        }
        break;
      case "wait":
        looksMs.push(Math.max(decision.untilMs, lane.firstDueMs));
        if (lane.firstDueMs <= nowMs) {
          holds.push({
            zoneSetId: decision.reason === "window" ? lane.zoneSetId : undefined,
            reason: decision.reason,
            detail: `until ${new Date(decision.untilMs).toISOString()}`,
          });
        }
        break;
      case "never":
        await excludeLane(planning, lane, decision);
        break;
    }
  }
  return open;
}

/** What is left of a window must hold the margin of a stop and a first call. */
function leadMs({ input }: Planning): number {
  return input.pace.dialByMarginMs + input.pace.minLeadMs;
}

async function excludeLane(
  { tx, campaign, input, looksMs }: Planning,
  lane: Lane,
  decision: Extract<GateDecision, { kind: "never" }>,
): Promise<void> {
  const gone = await rows(
    tx,
    sql`update contacts set state = 'excluded', reason = ${decision.reason}, ended_at = ${at(input.nowMs)}
        where id in (select id from contacts where lane_id = ${lane.id} and state = 'open' limit ${MAX_EXCLUDED})
        returning 1 as one`,
  );
  await bookTallies(tx, campaign, { open: -gone.length, excluded: gone.length });
  if (campaign.standing) await paceEnds(tx, gone.length, input.nowMs);
  if (gone.length === MAX_EXCLUDED) looksMs.push(input.nowMs);
}

/** Due contacts of the open lanes, by priority, then by how long they have been due. */
async function dueContacts(tx: Db, lanes: readonly Lane[], limit: number, nowMs: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx,
    sql`select c.id from lanes l cross join lateral (
          select c.id, c.due_at from contacts c
          where c.lane_id = l.id and c.state = 'open' and c.due_at <= ${at(nowMs)}
          order by c.due_at, c.id limit ${limit}) c
        where l.id in ${listOf(
          lanes.map((lane) => lane.id),
          "int",
        )}
        order by l.priority desc, c.due_at, c.id limit ${limit}`,
  );
  return found.map((row) => row.id);
}

/** Asks the gate for each contact; excludes and postpones those that it refuses. Keeps the order given. */
async function askGate(planning: Planning, contactIds: readonly number[]): Promise<Cleared[]> {
  const { tx, campaign, policy, windowOf, input, refusals } = planning;
  const contacts = await readContactFacts(tx, {
    contactIds,
    brand: campaign.brand,
    notCalledWithinMs: policy.notCalledWithinMs,
    nowMs: input.nowMs,
  });
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const cleared: Cleared[] = [];
  const excluded: { id: number; reason: string }[] = [];
  const postponed: { id: number; until: string }[] = [];
  for (const id of contactIds) {
    const contact = byId.get(id);
    if (!contact) continue;
    const decision = decide({
      facts: contact.facts,
      policy,
      nowMs: input.nowMs,
      openAttemptWaitMs: input.pace.openAttemptWaitMs,
      windowOf,
    });
    if (decision.kind === "dial") {
      cleared.push({ contact, untilMs: decision.untilMs });
    } else if (decision.kind === "never") {
      excluded.push({ id, reason: decision.reason });
      refusals.push({ contactId: id, reason: decision.reason, detail: decision.detail });
    } else {
      postponed.push({ id, until: new Date(decision.untilMs).toISOString() });
      refusals.push({
        contactId: id,
        reason: decision.reason,
        detail: `until ${new Date(decision.untilMs).toISOString()}`,
      });
      planning.looksMs.push(decision.untilMs);
    }
  }
  await refuseContacts(tx, campaign, { excluded, postponed, nowMs: input.nowMs });
  return cleared;
}
