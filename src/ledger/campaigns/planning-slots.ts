import {
  ENDLESS_LINES,
  shareLines,
  type AccountLines,
  type LineClaim,
} from "../../domain/campaigns/account-lines.ts";
import { MAX_BATCHES_PER_PLAN, MAX_BATCH_SIZE, slotQuantum } from "../../domain/campaigns/batch-sizing.ts";
import { troubleInWords, type BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import {
  rateInWords,
  roomForTurns,
  untilHalfBegun,
  type CallRate,
} from "../../domain/campaigns/call-rate.ts";
import type { TransferPace } from "../../domain/campaigns/transfer-pacing.ts";
import { rampedAtMs } from "../../domain/campaigns/ramp-up.ts";
import { lockForAll } from "./account-locks.ts";
import type { Batch } from "./batches.ts";
import { workLeftOf } from "./campaigns.ts";
import { readLineClaims } from "./line-claims.ts";
import { countDue, type OpenLane, type Planning } from "./planning-lanes.ts";

/** Its calls that are ready to be made and wait for their turn, and how many more may be. */
export function turnsOf(unsettled: readonly Batch[], rate: CallRate | undefined): Planning["turns"] {
  if (!rate) return { waiting: 0, room: Number.POSITIVE_INFINITY };
  const ready = unsettled.filter(({ state }) => state === "planned" || state === "created");
  const waiting = ready.reduce((sum, batch) => sum + batch.size, 0);
  return { waiting, room: roomForTurns(rate, waiting) };
}

export function moveTurns({ waiting, room }: Planning["turns"], leased: number): Planning["turns"] {
  return { waiting: waiting + leased, room: Math.max(0, room - leased) };
}

/** Slots below which it is not worth a batch: no batch has more than may begin at once. */
export function quantumOf({ campaign, rate }: Planning): number {
  return Math.min(slotQuantum(workLeftOf(campaign)), rate?.calls ?? MAX_BATCH_SIZE);
}

export function heldBy(batches: readonly Batch[]): number {
  return batches.reduce((sum, batch) => sum + batch.held, 0);
}

/** What leasing came to. */
export interface Leased {
  /** Due contacts were left for want of slots. */
  starved: boolean;
  /** Of the account's lines: how many more it could use, and how many nobody holds. None where they are not shared. */
  waiting: number;
  idle: number;
}

export const NOBODY_LEFT: Leased = { starved: false, waiting: 0, idle: 0 };

export interface Slots {
  /** Of the campaign. */
  limit: number;
  held: number;
  /** That it may take now. */
  free: number;
  /** That it could use now, as far as anybody has to know: where lines are shared. */
  waiting: number;
  /** Lines of the account that nobody holds, and that are not set aside for others. */
  idle: number;
}

/** What the campaign may take: what its own batches leave of its limit, and what it has of the account's lines. */
export async function slotsOf(
  planning: Planning,
  dueLanes: readonly OpenLane[],
  unsettled: readonly Batch[],
): Promise<Slots> {
  const { tx, campaign, account, limit, turns, nowMs } = planning;
  const { id, brand } = campaign;
  const held = heldBy(unsettled);
  const own = Math.min(limit - held, turns.room);
  if (!account) return { limit, held, free: own, waiting: waitingOf(planning, { own, due: own }), idle: 0 };
  const due = await countDue(tx, dueLanes, Math.min(own, account.limit), nowMs);
  const waiting = waitingOf(planning, { own, due });
  const { weight, priority = "normal" } = campaign.spec;
  const { servedAtMs, standing: isStanding } = campaign;
  const claim: LineClaim = { id, brand, weight, priority, isUrgent: isStanding, held, waiting, servedAtMs };
  const look = async (): Promise<Slots> => {
    const others = (await readLineClaims(tx)).filter((other) => other.id !== id);
    const { shares } = shareLines(account, [claim, ...others], nowMs);
    const { share = 0, free = 0, idle = 0 } = shares.get(id) ?? {};
    campaign.share = share;
    return { limit, held, free, waiting, idle };
  };
  const seen = await look();
  // Whoever gets nothing stands in no line for that.
  if (seen.free === 0) return seen;
  // Two plannings never count the same line as idle. Taken before attempts.
  await lockForAll(tx, "lines");
  return look();
}

/** Lines that it could use now; where they are not shared nobody asks. */
export function waitingOf({ account }: Planning, { own, due }: { own: number; due: number }): number {
  return account ? Math.max(0, Math.min(own, due, account.limit)) : Number.POSITIVE_INFINITY;
}

export function claimOf({ account }: Planning, { waiting, idle }: Slots): Pick<Leased, "waiting" | "idle"> {
  return account ? { waiting, idle } : { waiting: 0, idle: 0 };
}

/** Contacts looked at in one planning; bounds its transaction. */
const MAX_CANDIDATES = MAX_BATCHES_PER_PLAN * MAX_BATCH_SIZE;

/**
 * How many due contacts are looked at: as many as free slots could take, and no more than may be leased. But one slot's
 * at the least: where many refused ones stand in front, one that may make a single call would look at each in a planning
 * of its own.
 */
export function toLookAt({ rate }: Planning, { free, most }: { free: number; most: number }): number {
  const ofSlots = free * (rate ? 1 : MAX_BATCH_SIZE);
  return Math.min(MAX_CANDIDATES, Math.max(MAX_BATCH_SIZE, Math.min(ofSlots, most)));
}

/**
 * Lines that it could take if there were enough people: those who are fewer leave lines idle whether they are called at
 * once or together a little later, and are gathered. Where lines are shared it may take no more than there are people
 * due, so that what it may take tells nothing: what nobody holds does. Others may have those lines meanwhile.
 */
export function linesFor({ account, turns }: Planning, { limit, held, free, idle }: Slots): number {
  return account ? Math.min(limit - held, turns.room, idle) : free;
}

export function forWantOf(planning: Planning, slots: Slots, unsettled: readonly Batch[]): Leased {
  const detail = `${slotsInWords(planning, slots)}${troublesOf(unsettled)}`;
  planning.holds.push({ zoneSetId: undefined, reason: "slots", detail });
  const { ramp, limit, rate, turns, nowMs } = planning;
  // What those who take transfers leave it grows with what its calls come to, and these wake it up.
  if (limit < lastLimitOf(planning)) {
    // More than it may hold now, or what it could hold by then is as little as what it has.
    const next = Math.max(limit + 1, slots.held + quantumOf(planning));
    planning.looksMs.push(rampedAtMs(ramp, next));
  }
  // Nothing tells a campaign that starts of its batches had their turn.
  if (rate && isBoundByRate(planning, slots)) {
    planning.looksMs.push(nowMs + Math.max(rate.withinMs, untilHalfBegun(rate, turns.waiting)));
  }
  return { starved: true, ...claimOf(planning, slots) };
}

/** What it may hold once its ramp is over. */
function lastLimitOf({ campaign, paced }: Planning): number {
  return Math.min(campaign.concurrency, paced?.lines ?? campaign.concurrency);
}

/** As many of its calls wait for their turn as may, while it has slots for more. */
function isBoundByRate({ rate, turns }: Planning, { limit, held }: Slots): boolean {
  return rate !== undefined && turns.room < Math.min(rate.calls, limit - held);
}

function slotsInWords(planning: Planning, slots: Slots): string {
  const { account, campaign, rate, turns } = planning;
  const { limit, held, free } = slots;
  const { concurrency, share = limit } = campaign;
  if (rate && isBoundByRate(planning, slots)) {
    const waiting = turns.waiting === 1 ? "1 call waits" : `${turns.waiting} calls wait`;
    return `${waiting} for their turn: ${rateInWords(rate)} may begin (OUTDIAL_CALLS_PER_SECOND)`;
  }
  const { paced } = planning;
  const ofAll =
    paced !== undefined && limit === paced.lines && limit < concurrency
      ? pacedText(paced)
      : limit < concurrency
        ? `${limit} slots that it has so soon after it began (ramp_up)`
        : `${limit} slots`;
  const used =
    account !== undefined && held < limit
      ? `${held} of ${ofAll} are in use; ${share} of ${linesInWords(account, campaign.brand)} are for this campaign now`
      : `${held} of ${ofAll} are in use`;
  if (free > 0) return `${used}, and what is free is too little for a batch`;
  return held < limit ? used : `all ${ofAll} are in use`;
}

function pacedText({ lines, people, share }: TransferPace): string {
  const percent = Math.round(share * 1_000) / 10;
  return `${lines === 1 ? "1 slot" : `${lines} slots`} that ${people === 1 ? "1 person who takes" : `${people} people who take`} transferred calls leave${people === 1 ? "s" : ""} it, with ${percent} % of its calls transferred (transfers)`;
}

function linesInWords({ limit, brands }: AccountLines, brand: string): string {
  const ofBrand = brands?.get(brand);
  if (ofBrand === undefined) return `the account's ${limit} lines`;
  const ofAccount = limit < ENDLESS_LINES ? `, and the account's ${limit},` : "";
  return `the ${ofBrand} lines of brand ${brand}${ofAccount}`;
}

/** How many of the slots are held by batches for which the platform does not do what it was asked for, in words. */
function troublesOf(unsettled: readonly Batch[]): string {
  const heldFor = new Map<BatchTrouble, number>();
  for (const { trouble, held } of unsettled) {
    if (trouble !== undefined && held > 0) heldFor.set(trouble, (heldFor.get(trouble) ?? 0) + held);
  }
  return [...heldFor].map(([trouble, held]) => `; ${held} by batches ${troubleInWords(trouble)}`).join("");
}
