import { slotQuantum, type WorkLeft } from "./batch-sizing.ts";

/**
 * How campaigns share the lines of one account.
 *
 * Weighted max-min fairness: nobody gets more than it can use, what one leaves goes to the others by their weights, and
 * nothing stays idle while somebody waits. What a share has beyond whole lines is given in turns, to whoever was
 * served longest ago for that part: with more campaigns than lines, each has its turn, and the urgent have theirs first.
 *
 * Campaigns that calls are placed into one by one (callbacks, sequences) are urgent: lines that come free are theirs
 * first, up to their share, and the reserve is theirs alone. They don't get more than that: a flood of leads starves
 * no campaign.
 *
 * Among lists a higher priority goes before a lower one, but for one line in twenty: what lists have together is as
 * without priorities, and all that they have beyond that twentieth goes to the highest that could use it. So nothing
 * that the urgent have depends on it, and nobody is left out for good.
 *
 * A brand may have a limit of its own within those lines: its campaigns share that first, by the same rules, and want no
 * more of the account's lines than what each of them has of it.
 */

/** Of an account whose lines are bounded for brands alone. */
export const ENDLESS_LINES = 100_000;

/** The lines of an account. */
export interface AccountLines {
  /** How many calls may be up at once, over all campaigns. */
  limit: number;
  /** Of these, how many only urgent ones may take. */
  reserve: number;
  /** How many calls of a brand may be up at once, where that is bounded. */
  brands?: ReadonlyMap<string, number>;
}

/** Of campaigns with lists; the highest first. */
export const PRIORITIES = ["high", "normal", "low"] as const;
export type LinePriority = (typeof PRIORITIES)[number];

/** What a campaign has of the account's lines, and wants. */
export interface LineClaim {
  id: string;
  brand: string;
  /** Its part against the others', from 1. */
  weight: number;
  /** Of one that is not urgent: before or behind other lists. */
  priority: LinePriority;
  isUrgent: boolean;
  /** Lines that its batches hold. */
  held: number;
  /** How many more it could use now. */
  waiting: number;
  /** When it was given lines last; undefined: never. Unix milliseconds. */
  servedAtMs: number | undefined;
}

/** One that waits for lines. */
export interface Waiting extends LineClaim {
  /** What is left for it to do; its limit is its own concurrency. */
  work: WorkLeft;
  /** It was told of idle lines, and has not looked yet. */
  isOffered: boolean;
}

/** What a claim comes to at this moment. */
export interface LineShare {
  /** Lines that it may hold. */
  share: number;
  /** Lines that it may take now. */
  free: number;
  /** Lines that nobody holds, and that are not set aside for others. */
  idle: number;
}

export interface Sharing {
  /** Lines that nobody holds; none where more are held than there are. */
  idle: number;
  /** By the claims' ids. */
  shares: ReadonlyMap<string, LineShare>;
}

export function shareLines(lines: AccountLines, asked: readonly LineClaim[], nowMs: number): Sharing {
  const claims = withinBrands(lines, asked, nowMs);
  const urgent = claims.filter((claim) => claim.isUrgent);
  const others = claims.filter((claim) => !claim.isUrgent);
  const forOthers = Math.max(0, lines.limit - lines.reserve);
  const together = inWholeLines(lines.limit, claims, nowMs);
  const isKept = sum(others, ({ id }) => together.get(id) ?? 0) <= forOthers;
  const shares = isKept ? together : apart(lines.limit, { urgent, others, forOthers }, nowMs);
  const idle = Math.max(0, lines.limit - heldBy(claims));
  const lacking = ({ id, held }: LineClaim) => Math.max(0, (shares.get(id) ?? 0) - held);
  const idleOf = idleOfBrands(lines, claims, lacking);
  // What urgent ones may take is theirs first.
  const mayTake = (claim: LineClaim) => Math.min(lacking(claim), idleOf(claim));
  const idleForOthers = Math.min(idle - sum(urgent, mayTake), forOthers - heldBy(others));
  const shareOf = (claim: LineClaim): LineShare => {
    const idleForIt = Math.max(0, Math.min(claim.isUrgent ? idle : idleForOthers, idleOf(claim)));
    return { share: shares.get(claim.id) ?? 0, free: Math.min(lacking(claim), idleForIt), idle: idleForIt };
  };
  return { idle, shares: new Map(claims.map((claim) => [claim.id, shareOf(claim)])) };
}

/** Whether lines are worth a batch, or are not worth waiting for others to come free. */
export function isEnough(lines: {
  /** That it may take now. */
  free: number;
  held: number;
  /** How many it could use now. */
  waiting: number;
  quantum: number;
}): boolean {
  const { free, held, waiting, quantum } = lines;
  return free > 0 && (free >= quantum || free >= waiting || held === 0);
}

/** What a campaign has still to do with the lines that it may count on. */
export function workWithin({ due, limit, holdMs }: WorkLeft, share: number | undefined): WorkLeft {
  return { due, limit: Math.max(1, Math.min(limit, share ?? limit)), holdMs };
}

const NOTHING: LineShare = { share: 0, free: 0, idle: 0 };

/** Lines that are worth a batch to whoever waits. */
export function quantumOf({ isUrgent, work }: Waiting, share: number): number {
  return isUrgent ? 1 : slotQuantum(workWithin(work, share));
}

/** Who is to be told of idle lines, whoever lacks most of its share first: as many as there are lines for. */
export function nextInLine(sharing: Sharing, claims: readonly Waiting[]): Waiting[] {
  const shareOf = ({ id }: LineClaim) => sharing.shares.get(id) ?? NOTHING;
  const lackOf = (claim: LineClaim) => {
    const { share } = shareOf(claim);
    return (share - claim.held) / share;
  };
  const inOrder = claims
    .filter((claim) => {
      const { share, free } = shareOf(claim);
      return isEnough({ ...claim, free, quantum: quantumOf(claim, share) });
    })
    .sort((a, b) => lackOf(b) - lackOf(a));
  // What is set aside for the urgent is no line for others, and they see of theirs what is left.
  return [true, false].flatMap((isUrgent) => {
    const group = inOrder.filter((claim) => claim.isUrgent === isUrgent);
    let idle = Math.max(0, ...group.map((claim) => shareOf(claim).idle));
    // Those who were told already have theirs first.
    for (const claim of group.filter((one) => one.isOffered)) idle -= shareOf(claim).free;
    return group.filter((claim) => {
      if (claim.isOffered || idle <= 0) return false;
      idle -= shareOf(claim).free;
      return true;
    });
  });
}

/** A claim that gets no more than its part of its brand's lines. */
interface Bounded extends LineClaim {
  most: number;
}

function withinBrands({ brands }: AccountLines, claims: readonly LineClaim[], nowMs: number): Bounded[] {
  const most = new Map<string, number>();
  for (const [brand, limit] of brands ?? []) {
    const own = claims.filter((claim) => claim.brand === brand).map((claim) => bounded(claim));
    for (const [id, share] of inWholeLines(limit, own, nowMs)) most.set(id, share);
  }
  return claims.map((claim) => bounded(claim, most.get(claim.id)));
}

function bounded(claim: LineClaim, most = Number.POSITIVE_INFINITY): Bounded {
  return { ...claim, most };
}

/** How many lines of its brand nobody holds, and are not set aside for its urgent ones. */
function idleOfBrands(
  { brands }: AccountLines,
  claims: readonly LineClaim[],
  lacking: (claim: LineClaim) => number,
): (claim: LineClaim) => number {
  const idle = new Map<string, { urgent: number; others: number }>();
  for (const [brand, limit] of brands ?? []) {
    const own = claims.filter((claim) => claim.brand === brand);
    const free = Math.max(0, limit - heldBy(own));
    const forUrgent = sum(
      own.filter(({ isUrgent }) => isUrgent),
      lacking,
    );
    idle.set(brand, { urgent: free, others: Math.max(0, free - forUrgent) });
  }
  return ({ brand, isUrgent }) =>
    idle.get(brand)?.[isUrgent ? "urgent" : "others"] ?? Number.POSITIVE_INFINITY;
}

/** Where the others' shares would reach into the reserve. */
function apart(
  limit: number,
  split: { urgent: readonly Bounded[]; others: readonly Bounded[]; forOthers: number },
  nowMs: number,
): Map<string, number> {
  const others = inWholeLines(split.forOthers, split.others, nowMs);
  const taken = [...others.values()].reduce((total, share) => total + share, 0);
  return new Map([...others, ...inWholeLines(limit - taken, split.urgent, nowMs)]);
}

/** Of what a priority could use, those behind it together have this part, as far as they can use it. */
const PART_BEHIND = 1 / 20;

/** Shares of so many lines, in whole lines; their sum is all lines, or all that is demanded. */
function inWholeLines(limit: number, claims: readonly Bounded[], nowMs: number): Map<string, number> {
  const shares = rounded(limit, byWeight(limit, claims), nowMs);
  const lists = claims.filter((claim) => !claim.isUrgent);
  if (new Set(lists.map(({ priority }) => priority)).size < 2) return shares;
  const ofLists = sum(lists, ({ id }) => shares.get(id) ?? 0);
  return new Map([...shares, ...rounded(ofLists, byPriority(ofLists, lists), nowMs)]);
}

/** What of some lines is a claim's, before lines are whole. */
type Exact = readonly (readonly [claim: Bounded, exact: number])[];

/** Weighted max-min shares. */
function byWeight(limit: number, claims: readonly Bounded[]): Exact {
  const level = levelOf(limit, claims);
  return claims.map((claim) => [claim, Math.min(demandOf(claim), level * claim.weight)]);
}

/** The higher before the lower, by weight among equals. */
function byPriority(limit: number, lists: readonly Bounded[]): Exact {
  let left = limit;
  return PRIORITIES.flatMap((priority, index) => {
    const own = lists.filter((claim) => claim.priority === priority);
    const behind = lists.filter((claim) => PRIORITIES.indexOf(claim.priority) > index);
    const kept = Math.min(
      left * PART_BEHIND,
      behind.reduce((total, claim) => total + demandOf(claim), 0),
    );
    const shares = byWeight(left - kept, own);
    left -= shares.reduce((total, [, exact]) => total + exact, 0);
    return shares;
  });
}

/** In whole lines; what is left of them by parts is given in turns. */
function rounded(limit: number, exactShares: Exact, nowMs: number): Map<string, number> {
  const shares = new Map<string, number>();
  const fractions: Fraction[] = [];
  for (const [claim, exact] of exactShares) {
    const whole = Math.floor(exact + ROUNDING);
    shares.set(claim.id, whole);
    const fraction = exact - whole;
    const turn = turnOf(claim, { whole, fraction }, nowMs);
    if (fraction > ROUNDING) fractions.push({ claim, fraction, turn });
  }
  const left = limit - [...shares.values()].reduce((total, share) => total + share, 0);
  for (const { id } of whoseTurn(fractions, left)) shares.set(id, (shares.get(id) ?? 0) + 1);
  return shares;
}

interface Fraction {
  claim: LineClaim;
  fraction: number;
  turn: number;
}

/** Who has a line for a part of one: of the urgent as many as their parts come to, rounded up, and then the others. */
function whoseTurn(fractions: readonly Fraction[], left: number): LineClaim[] {
  const urgent = inTurn(fractions.filter(({ claim }) => claim.isUrgent));
  const others = inTurn(fractions.filter(({ claim }) => !claim.isUrgent));
  const parts = urgent.reduce((total, { fraction }) => total + fraction, 0);
  const first = Math.ceil(parts - ROUNDING);
  return [...urgent.slice(0, first), ...others, ...urgent.slice(first)]
    .slice(0, left)
    .map(({ claim }) => claim);
}

function inTurn(fractions: readonly Fraction[]): Fraction[] {
  // Infinity is as much as Infinity.
  return [...fractions].sort((a, b) =>
    a.turn === b.turn ? (a.claim.id < b.claim.id ? -1 : 1) : b.turn - a.turn,
  );
}

/** Whole shares are seldom exact in binary. */
const ROUNDING = 1e-9;

/** Lines for each unit of weight of whoever could use more than its share. */
function levelOf(limit: number, claims: readonly Bounded[]): number {
  const byNeed = [...claims].sort((a, b) => demandOf(a) / a.weight - demandOf(b) / b.weight);
  let lines = limit;
  let weights = sum(claims, ({ weight }) => weight);
  for (const claim of byNeed) {
    const level = lines / weights;
    if (demandOf(claim) > level * claim.weight) return level;
    lines -= demandOf(claim);
    weights -= claim.weight;
  }
  return Number.POSITIVE_INFINITY;
}

function demandOf({ held, waiting, most }: Bounded): number {
  return Math.min(held + waiting, most);
}

/** The higher, the sooner it is its turn to have a line for a part of one. Whoever has it already keeps it. */
function turnOf(
  { held, servedAtMs = 0 }: LineClaim,
  { whole, fraction }: { whole: number; fraction: number },
  nowMs: number,
): number {
  return held > whole ? Number.POSITIVE_INFINITY : fraction * Math.max(0, nowMs - servedAtMs);
}

function heldBy(claims: readonly LineClaim[]): number {
  return sum(claims, ({ held }) => held);
}

function sum(claims: readonly LineClaim[], of: (claim: LineClaim) => number): number {
  return claims.reduce((total, claim) => total + of(claim), 0);
}
