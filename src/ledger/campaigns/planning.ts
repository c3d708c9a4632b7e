import { isEnough, type AccountLines } from "../../domain/campaigns/account-lines.ts";
import { WORTH_A_BATCH } from "../../domain/campaigns/batch-sizing.ts";
import { createWindowMemo } from "../../domain/policy/calling-window.ts";
import { isOver, type CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { policyOf, rampUpMsOf } from "../../domain/campaigns/campaign-spec.ts";
import { scrubbersOf } from "../../domain/policy/suppression-source.ts";
import type { CallRate } from "../../domain/campaigns/call-rate.ts";
import { rampedLines, type RampUp } from "../../domain/campaigns/ramp-up.ts";
import { pacedByTransfers } from "./transfer-lines.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { listUnsettled, type Batch } from "./batches.ts";
import { askAgain } from "./asking-again.ts";
import { boundOf, pauseByCalls, type Bound } from "./breaking.ts";
import { readCallers } from "./caller-use.ts";
import { endIfThrough } from "./campaign-ending.ts";
import { noteNews } from "./campaign-news.ts";
import { lockCampaign, type Campaign, type Tallies } from "./campaigns.ts";
import { linkWork } from "../../tracing/work.ts";
import { notePlanning } from "./campaign-tallies.ts";
import type { Db, Ledger } from "../ground/connection.ts";
import { withAnswers } from "./scrubbing.ts";
import { recordRefusals, setHolds, type Hold } from "./explanations.ts";
import { lookForMoneyAgain, readMoneyLeft, tellOfMoney, type WantOfMoney } from "./money-left.ts";
import { askGate, type Cleared } from "./ask-gate.ts";
import { readSwitches, reportRestored, type DialingSwitches } from "../ground/installation.ts";
import { leaseCleared, refuseContacts } from "./leasing.ts";
import { dueContacts, isUrgent, openLanes, readLanes, type Lane, type Planning } from "./planning-lanes.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import { readSourcesInScope } from "../ground/suppression-sources.ts";
import {
  turnsOf,
  moveTurns,
  quantumOf,
  heldBy,
  type Leased,
  NOBODY_LEFT,
  type Slots,
  slotsOf,
  waitingOf,
  forWantOf,
  claimOf,
  linesFor,
  toLookAt,
} from "./planning-slots.ts";

/*
 * planBatches: the one place where attempts are leased (design: docs/architecture.md, "Planning").
 *
 * 1. One transaction under the campaign's lock, and idempotent: batches still `planned` come back first, so an
 *    answer that was lost loses nothing and leases nothing twice.
 * 2. Slots are the limit minus what unsettled batches hold; nothing else is counted anywhere. Where campaigns share the
 *    lines of an account, they are no more than its share of those, under a lock that all plannings take in turn.
 * 3. Attempts go in sorted by number under "one open attempt per number"; whoever conflicts is skipped,
 *    recorded, and looked at later.
 * 4. Who is due and not leased is explained: a hold for a zone set or the campaign, a refusal for one contact.
 * 5. One that leaves due people for want of its own bounds, while slots are free, is followed by another at once. It
 *    has leased, ended or put off somebody, or it is not: so there is an end to that.
 */

/** Contacts excluded in one planning, for the same reason. */
const MAX_EXCLUDED = 5_000;

/**
 * A standing campaign with nothing under way has nothing to look for: each placement wakes it up, the outbox makes
 * up for a wake-up that was lost, and who waits in it is looked at when due. Four times a day it looks all the same.
 */
const STANDING_LOOK_MS = 6 * 60 * 60_000;

export interface PlanInput {
  campaignId: string;
  /** How often the campaign's workflow saw it planned; the ledger must not have it planned less often. */
  seenPlannings: number;
  /** When that workflow was started; absent: after any recovery. Unix milliseconds. */
  startedAtMs?: number;
  /** Why nothing may be dialed for a reason outside the ledger, such as clocks that disagree. */
  blockedBy: { reason: string; detail: string } | undefined;
  pace: PlanningPace;
  /** The account's lines, where campaigns share them. */
  account?: AccountLines | undefined;
  /** How many calls may begin in any stretch of time, over all campaigns. */
  rate?: CallRate | undefined;
  nowMs: number;
}

export interface PlanResult {
  state: CampaignState;
  /** How often it was planned, this time included. */
  plannings: number;
  /** When that was. Unix milliseconds. */
  plannedAtMs: number;
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
  /** There may be lines of the account that others could use. */
  leavesLines: boolean;
}

interface Seen {
  /** Set where the ledger turns out to be older than its campaign's workflow. */
  restored?: { reason: string; seenIn: DialingSwitches };
}

export async function planBatches(ledger: Ledger, input: PlanInput): Promise<PlanResult | undefined> {
  const seen: Seen = {};
  const result = await ledger.transaction((tx) => planInTransaction(tx, input, seen));
  // A statement of its own: whoever stops everything needs that row, and waits for no planning.
  if (seen.restored !== undefined) await reportRestored(ledger.db, { ...seen.restored, nowMs: input.nowMs });
  return result;
}

/** Two lines a day, however many zones there are: from when it first closes for some, to when it is open for all. */
function noteWindow(
  tx: Db,
  { id: campaignId, brand, name, run, standing, state }: Campaign,
  wasClosed: boolean,
  holds: readonly Hold[],
): void {
  const closed = holds.filter(({ reason }) => reason === "window");
  if (standing || state !== "running" || wasClosed === closed.length > 0) return;
  const named = { campaignId, brand, name, run };
  if (wasClosed) noteNews(tx, { ...named, step: "window_opens", detail: {} });
  else noteNews(tx, { ...named, step: "window_closes", detail: { zones: closed.length } });
}

async function planInTransaction(tx: Db, input: PlanInput, seen: Seen): Promise<PlanResult | undefined> {
  const { nowMs, pace } = input;
  const campaign = await lockCampaign(tx, input.campaignId);
  // Behind the lock: a recovery that has ended since takes it, too.
  const installation = await readSwitches(tx);
  if (!campaign) {
    const { recoveredAtMs = 0 } = installation;
    const reason = "a campaign that has a workflow is not in the ledger: it was restored";
    // A recovery has booked what was dialed before it: whoever slept through it has nothing to tell any more. Whoever
    // saw it planned since counts from that moment on.
    if (
      (input.startedAtMs ?? Number.POSITIVE_INFINITY) > recoveredAtMs ||
      input.seenPlannings > recoveredAtMs
    )
      seen.restored = { reason, seenIn: installation };
    return undefined;
  }
  // It is planned for days: that is no part of the request that created it.
  linkWork([campaign.traceParent]);
  const isHeld =
    installation.recoveryReason !== undefined ||
    installation.stopped !== undefined ||
    input.blockedBy !== undefined ||
    campaign.plannings < input.seenPlannings;
  if (!isHeld) await pauseByCalls(tx, campaign, nowMs);
  const ramp = rampOf(campaign, installation);
  const paced = await pacedByTransfers(tx, campaign);
  const limit = Math.min(rampedLines(ramp, nowMs), paced?.lines ?? Number.POSITIVE_INFINITY);
  if (!input.account) campaign.share = limit < campaign.concurrency ? limit : undefined;
  const excludedBefore = campaign.tallies.excluded;
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const window = await windowInForce(tx, { window: policy.window, brand: campaign.brand, nowMs });
  const unsettled = await listUnsettled(tx, campaign.id);
  const planning: Planning = {
    tx,
    campaign,
    policy,
    windowOf: createWindowMemo(window),
    lists: await readSourcesInScope(tx, campaign.brand),
    pace,
    nowMs,
    holds: [],
    refusals: [],
    leased: 0,
    looksMs: [],
    excludable: MAX_EXCLUDED,
    account: input.account,
    rate: input.rate,
    turns: turnsOf(unsettled, input.rate),
    limit,
    ramp,
    paced,
    bound: boundOf(campaign),
    switches: installation,
  };
  const { probeAtMs } = campaign;
  // One that is held beyond its time probes once it is not: no clock tells when.
  if (probeAtMs !== undefined && probeAtMs > nowMs) planning.looksMs.push(probeAtMs);
  if (campaign.asksAgain && (await askAgain(tx, { campaign, nowMs }))) planning.looksMs.push(nowMs);
  const blocked = blocker(planning, input, { installation, seen });
  // One that finds its ledger restored must not make it look newer.
  if (!seen.restored) campaign.plannings += 1;
  let leased = NOBODY_LEFT;
  if (blocked) {
    planning.holds.push({ zoneSetId: undefined, ...blocked });
  } else if (campaign.state === "running") {
    leased = await lease(planning, unsettled);
  }
  // Under the campaign's lock nobody else adds or settles any.
  const live = planning.leased > 0 ? await listUnsettled(tx, campaign.id) : unsettled;
  if (live.length === 0) {
    const { isLeft } = await endIfThrough(tx, campaign, { atOnce: MAX_EXCLUDED, nowMs });
    if (isLeft) planning.looksMs.push(nowMs);
  }
  if (!seen.restored) await lookForMoneyAgain(planning, { isBlocked: blocked !== undefined });
  const holds = isOver(campaign.state) ? [] : planning.holds;
  await recordRefusals(tx, { refusals: planning.refusals, policyVersion: policy.version, nowMs });
  const before = await setHolds(tx, {
    campaignId: campaign.id,
    holds,
    policyVersion: policy.version,
    nowMs,
  });
  noteWindow(tx, campaign, before.has("window"), holds);
  const idleMs = idleLookMs(planning, { blockedBy: blocked?.reason, starved: leased.starved });
  const lookMs = nowMs + (live.length > 0 ? pace.busyLookMs : idleMs);
  const nextLookAtMs = Math.max(nowMs, Math.min(lookMs, ...planning.looksMs));
  const { starved, waiting, idle } = leased;
  const leavesLines = input.account !== undefined && (idle > 0 || waiting === 0);
  const { id: campaignId, plannings, share, servedAtMs } = campaign;
  // All that was placed so far was seen, under the lock that placing takes.
  await notePlanning(tx, {
    campaignId,
    plannings,
    isOver: isOver(campaign.state),
    starved,
    nextLookAtMs,
    waiting,
    share,
    servedAtMs,
    shortOf: isOver(campaign.state) ? undefined : campaign.shortOf,
  });
  return {
    state: campaign.state,
    plannings,
    plannedAtMs: nowMs,
    batchIds: live.filter((batch) => batch.state === "planned").map((batch) => batch.id),
    liveBatches: live.length,
    heldSlots: heldBy(live),
    waitMs: nextLookAtMs - nowMs,
    tallies: campaign.tallies,
    tellsOthers: campaign.standing && campaign.tallies.excluded > excludedBefore,
    leavesLines,
  };
}

/** What blocks a whole campaign, other than a person who will say when it goes on, is looked at again soon. */
function idleLookMs(
  { campaign, pace }: Planning,
  { blockedBy, starved }: { blockedBy: string | undefined; starved: boolean },
): number {
  // Lines of the account that others have may come to be its own by a setting, too.
  const isWaiting = !starved && (blockedBy === undefined || blockedBy === "paused");
  return campaign.standing && isWaiting ? STANDING_LOOK_MS : pace.idleLookMs;
}

/** Since whatever let it dial last: somebody who watches it then sees what it does with few calls. */
function rampOf(
  { concurrency, spec, runningSinceMs = 0 }: Campaign,
  { wentOnAtMs = 0, recoveredAtMs = 0 }: DialingSwitches,
): RampUp {
  return {
    concurrency,
    rampMs: rampUpMsOf(spec),
    sinceMs: Math.max(runningSinceMs, wentOnAtMs, recoveredAtMs),
  };
}

/** Why the whole campaign dials nobody now, or undefined where it may. */
function blocker(
  { campaign, policy, nowMs }: Planning,
  input: PlanInput,
  { installation, seen }: { installation: DialingSwitches; seen: Seen },
): { reason: string; detail: string } | undefined {
  if (campaign.plannings < input.seenPlannings) {
    const detail = `the ledger is older than its campaign's workflow (planned ${campaign.plannings} times, and before ${input.seenPlannings}): it was restored`;
    seen.restored = { reason: detail, seenIn: installation };
    return { reason: "recovery", detail };
  }
  if (installation.recoveryReason !== undefined)
    return { reason: "recovery", detail: installation.recoveryReason };
  if (installation.stopped) return { reason: "stop_all", detail: installation.stopped.reason };
  if (campaign.state !== "running") return { reason: campaign.state, detail: campaign.stateReason ?? "" };
  // Past its end the gate lets nobody through, and planning has it end: it does not wait for an agent that is gone.
  const isPastEnd = policy.endsAtMs !== undefined && nowMs >= policy.endsAtMs;
  if (campaign.agentProblem !== undefined && !isPastEnd)
    return { reason: "agent", detail: campaign.agentProblem };
  return input.blockedBy;
}

/** Leases whom it can, and says why it leaves the others. */
async function lease(planning: Planning, unsettled: readonly Batch[]): Promise<Leased> {
  const { tx, campaign, nowMs, pace } = planning;
  const dueLanes = await openLanes(planning, await readLanes(tx, campaign.id));
  if (dueLanes.length === 0) return NOBODY_LEFT;
  const slots = await slotsOf(planning, dueLanes, unsettled);
  const isFew = !isEnough({ ...slots, quantum: quantumOf(planning) });
  // Those with priority take what there is.
  const open = isFew ? dueLanes.filter(isUrgent) : dueLanes;
  const { calls: callsLeft, hold } = planning.bound;
  if (hold && callsLeft <= 0) return forWantOfCalls(planning, slots, hold);
  if (slots.free <= 0 || open.length === 0) return forWantOf(planning, slots, unsettled);
  const oldestDueMs = Math.min(...open.map((lane) => lane.firstDueMs));
  const callers = await readCallers(tx, campaign.spec, nowMs);
  if (callers?.roomAtMs !== undefined) {
    planning.holds.push({ zoneSetId: undefined, reason: "caller_ids", detail: callers.detail });
    planning.looksMs.push(callers.roomAtMs);
    return { starved: false, ...claimOf(planning, { ...slots, waiting: 0 }) };
  }
  const money = await readMoneyLeft(tx, campaign, { switches: planning.switches, nowMs });
  await tellOfMoney(tx, campaign, money, { switches: planning.switches, nowMs });
  if (money.short) return forWantOfMoney(planning, slots, money.short);
  const most = Math.min(callsLeft, callers?.room ?? Number.POSITIVE_INFINITY, money.calls);
  const wanted = toLookAt(planning, { free: slots.free, most });
  // One more than is looked at tells whether anybody is left behind them.
  const newestFirst = campaign.spec.order === "newest_first";
  const { ids: found, waiting } = await withAnswers(
    tx,
    (limit) => dueContacts(tx, open, { limit, newestFirst, nowMs }),
    { limit: wanted + 1, scrubbers: scrubbersOf(planning.lists), brand: campaign.brand, nowMs },
  );
  if (waiting !== undefined) {
    planning.holds.push({ zoneSetId: undefined, reason: "not_scrubbed", detail: waiting });
    // Whoever brings answers wakes it up; this is for what is lost.
    planning.looksMs.push(nowMs + pace.openAttemptWaitMs);
  }
  const candidates = found.slice(0, wanted);
  const urgent = open.some(isUrgent);
  const isFewRetries =
    candidates.length < Math.min(linesFor(planning, slots), WORTH_A_BATCH) &&
    !urgent &&
    campaign.tallies.attempts > 0;
  if (isFewRetries && nowMs - oldestDueMs < pace.gatherMs) {
    planning.looksMs.push(oldestDueMs + pace.gatherMs);
    return { ...NOBODY_LEFT, idle: slots.idle };
  }
  const { cleared: mayBeCalled, refused } = await clear(planning, candidates);
  const cleared = mayBeCalled.slice(0, most);
  const isMore = found.length > wanted || mayBeCalled.length > most;
  const due = isMore ? campaign.tallies.open : cleared.length;
  const { leased, beaten, slotsTaken } = await leaseCleared(
    { ...planning, callers, money },
    cleared,
    due,
    slots.free,
  );
  planning.leased += leased;
  if (leased > 0 && planning.account) campaign.servedAtMs = nowMs;
  if (planning.rate) planning.turns = moveTurns(planning.turns, leased);
  if (beaten > 0) planning.looksMs.push(nowMs + pace.openAttemptWaitMs);
  const left: Slots = {
    ...slots,
    held: slots.held + slotsTaken,
    free: slots.free - slotsTaken,
    waiting: waitingOf(planning, {
      own: Math.min(slots.limit - slots.held - slotsTaken, planning.turns.room),
      due: isMore ? campaign.tallies.open : cleared.length - leased - beaten,
    }),
    idle: slots.idle - slotsTaken,
  };
  // Slots that it has for them are no reason: what it may make is, or may spend.
  if (hold && isMore && leased === callsLeft && left.free > 0) return forWantOfCalls(planning, left, hold);
  const isLeft = isMore || leased + beaten < cleared.length;
  const isIdle = unsettled.length === 0 && leased === 0;
  const isWorth = left.free > 0 && (urgent || isIdle || isEnough({ ...left, quantum: quantumOf(planning) }));
  if (isLeft && isWorth) {
    // Who was moved is leased, over, or due later: a planning that goes on at once has fewer before it each time.
    if (refused + leased + beaten > 0) planning.looksMs.push(nowMs);
    return { starved: true, ...claimOf(planning, left) };
  }
  if (campaign.standing || isIdle) await lookWhenNextIsDue(planning, dueLanes);
  const isStarved = isLeft || open.length < dueLanes.length;
  const bound =
    isMore && cleared.length === money.calls && left.free > 0 ? money.boundAfter(leased) : undefined;
  if (bound) return { ...forWantOfMoney(planning, left, bound), starved: true };
  return isStarved ? forWantOf(planning, left, unsettled) : { ...NOBODY_LEFT, idle: left.idle };
}

/** Of a probe, or of the first calls, there are no more: what ends its calls tells it. */
function forWantOfCalls(planning: Planning, slots: Slots, hold: NonNullable<Bound["hold"]>): Leased {
  planning.holds.push({ zoneSetId: undefined, ...hold });
  return { starved: true, ...claimOf(planning, { ...slots, waiting: 0 }) };
}

/** What is under way goes on to its end, and nobody is leased before there is money again. */
function forWantOfMoney(planning: Planning, slots: Slots, { reason, detail, lookMs }: WantOfMoney): Leased {
  planning.holds.push({ zoneSetId: undefined, reason, detail });
  if (lookMs !== undefined) planning.looksMs.push(lookMs);
  return { starved: false, ...claimOf(planning, { ...slots, waiting: 0 }) };
}

/**
 * With nothing under way that would wake it up, or hours before its look of its own, a campaign does not forget who is
 * due next behind those just seen.
 */
async function lookWhenNextIsDue(
  { tx, campaign, nowMs, looksMs }: Planning,
  seen: readonly Lane[],
): Promise<void> {
  const ids = new Set(seen.map((lane) => lane.id));
  for (const { id, firstDueMs } of await readLanes(tx, campaign.id)) {
    if (ids.has(id) && firstDueMs !== undefined && firstDueMs > nowMs) looksMs.push(firstDueMs);
  }
}

/**
 * Asks the gate for each contact; excludes and postpones those that it refuses. Keeps the order given.
 *
 * @returns `refused`: how many are over, or due later, by that.
 */
async function clear(
  planning: Planning,
  contactIds: readonly number[],
): Promise<{ cleared: Cleared[]; refused: number }> {
  const { cleared, ...no } = await askGate(planning, contactIds);
  planning.refusals.push(...no.refusals);
  for (const { untilMs } of no.postponed) planning.looksMs.push(untilMs);
  const refused = await refuseContacts(planning.tx, planning.campaign, { ...no, nowMs: planning.nowMs });
  return { cleared, refused };
}
