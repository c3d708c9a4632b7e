import { parsePhoneNumberFromString } from "libphonenumber-js/max";

import { stableShare } from "../ground/stable-share.ts";

/*
 * Which of a campaign's own numbers a contact is called from.
 *
 * 1. A number that rests, or is at its cap of the hour or of the day, calls nobody. How many calls there are left over
 *    all numbers is known before anybody is leased, so that nobody is leased without a number.
 * 2. Within that, numbers near the contact's go first (`match`), and then the same one for the same contact (`sticky`).
 *    Neither keeps anybody from being called: where none of those may call, the others do.
 */

export const CALLER_MATCHES = ["none", "country", "area"] as const;
export type CallerMatch = (typeof CALLER_MATCHES)[number];

export interface CallerIdPolicy {
  numbers: readonly string[];
  /** A contact is called from the same number each time, as far as that may call. */
  sticky: boolean;
  match: CallerMatch;
  /** Calls of one number in any hour, and in any day, over all campaigns. */
  perHour: number | undefined;
  perDay: number | undefined;
  /** In which a number comes from a tenth of its calls a day to all of them, from its first call on. 0: at once. */
  warmUpMs: number;
  health: CallerHealthPolicy | undefined;
}

/** When a number that nobody answers any more rests, and for how long. */
export interface CallerHealthPolicy {
  /** How many of its newest calls are looked at, and how few say nothing. */
  newest: number;
  atLeast: number;
  /** The share of them that somebody answered, below which it rests. */
  answered: number;
  restMs: number;
}

/** What is known of one number of ours. */
export interface CallerIdFacts {
  number: string;
  /** Calls of batches that began within the last hour and the last day, or that are to begin. */
  lastHour: number;
  lastDay: number;
  /** Of these, calls that are to begin. */
  coming: number;
  firstUsedAtMs: number | undefined;
  restsUntilMs: number | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** What a number that is warmed up begins with, as a part of its calls a day. */
const FIRST_SHARE = 0.1;

/** How many calls more a number may begin now. */
export function allowanceOf(facts: CallerIdFacts, policy: CallerIdPolicy, nowMs: number): number {
  if (facts.restsUntilMs !== undefined && nowMs < facts.restsUntilMs) return 0;
  const { perHour = Number.POSITIVE_INFINITY } = policy;
  return Math.max(0, Math.min(perHour - facts.lastHour, callsADay(facts, policy, nowMs) - facts.lastDay));
}

/** How many calls a number may begin in a day that ends now: fewer while it is warmed up. */
function callsADay(
  { firstUsedAtMs }: Pick<CallerIdFacts, "firstUsedAtMs">,
  { perDay = Number.POSITIVE_INFINITY, warmUpMs }: CallerIdPolicy,
  nowMs: number,
): number {
  const ageMs = firstUsedAtMs === undefined ? 0 : Math.max(0, nowMs - firstUsedAtMs);
  const warmth = warmUpMs === 0 ? 1 : Math.min(1, ageMs / warmUpMs);
  return Math.max(1, Math.round(perDay * (FIRST_SHARE + (1 - FIRST_SHARE) * warmth)));
}

/** Calls of a number that began together. Unix milliseconds. */
export interface BegunCalls {
  atMs: number;
  calls: number;
}

/**
 * Why none of a campaign's numbers may call, in the way in which holds say it: with `until` before it where that is when
 * the first of them has rested, since only rests end by the clock alone.
 */
export function noRoomText(
  numbers: readonly string[],
  facts: ReadonlyMap<string, CallerIdFacts>,
  nowMs: number,
): string {
  const [first] = numbers;
  const restsMs = numbers
    .map((number) => facts.get(number)?.restsUntilMs ?? 0)
    .filter((untilMs) => nowMs < untilMs);
  if (restsMs.length === 0)
    return numbers.length === 1
      ? `${first} has begun the calls that it may in an hour or a day`
      : `all ${numbers.length} have begun the calls that they may in an hour or a day`;
  const until = new Date(Math.min(...restsMs)).toISOString();
  const few = "too few of the calls were answered";
  if (restsMs.length === numbers.length)
    return numbers.length === 1
      ? `until ${until}: ${first} rests, since ${few}`
      : `until ${until}: all ${numbers.length} rest, since ${few}`;
  const others = numbers.length - restsMs.length;
  return `${restsMs.length} of ${numbers.length} ${restsMs.length === 1 ? "rests" : "rest"}, since ${few}, the first until ${until}; ${others === 1 ? "the other has begun the calls that it may" : "the others have begun the calls that they may"} in an hour or a day`;
}

/**
 * When a number that may not call may call again, if no more of its calls begin until then: at a moment at which its
 * rest ends, calls leave the hour or the day, or it has warmed up for one more.
 *
 * @param begun its calls that began within the last day, in any order.
 * @param about.untilMs from then on it does not matter any more
 * @returns infinite where no clock tells, since calls that are to begin take all that it has.
 */
export function firstRoomMs(
  facts: CallerIdFacts,
  begun: readonly BegunCalls[],
  about: { policy: CallerIdPolicy; nowMs: number; untilMs?: number },
): number {
  const { policy, nowMs, untilMs = Number.POSITIVE_INFINITY } = about;
  const momentsMs = [
    facts.restsUntilMs ?? nowMs,
    ...begun.flatMap(({ atMs }) => [atMs + HOUR_MS, atMs + DAY_MS]),
    ...warmedMs(facts, { policy, nowMs }),
  ];
  const ahead = momentsMs.filter((atMs) => atMs > nowMs && atMs < untilMs).toSorted((a, b) => a - b);
  const callsSince = (sinceMs: number) =>
    begun.reduce((sum, { atMs, calls }) => (atMs > sinceMs ? sum + calls : sum), facts.coming);
  const hasRoomAt = (atMs: number) => {
    const [lastHour, lastDay] = [callsSince(atMs - HOUR_MS), callsSince(atMs - DAY_MS)];
    return allowanceOf({ ...facts, lastHour, lastDay }, policy, atMs) > 0;
  };
  const lastMs = ahead.at(-1);
  if (lastMs === undefined || !hasRoomAt(lastMs)) return Number.POSITIVE_INFINITY;
  // Once there is room, there is room from then on.
  let [without, within] = [-1, ahead.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    const atMs = ahead[middle];
    if (atMs !== undefined && hasRoomAt(atMs)) within = middle;
    else without = middle;
  }
  return ahead[within] ?? Number.POSITIVE_INFINITY;
}

/** Of a number that is warmed up it is asked this often whether it has warmed up for one more. */
const WARMS_MS = 5 * 60_000;

/** Moments of the next day, behind which no call that began before counts. */
function warmedMs(
  { firstUsedAtMs }: CallerIdFacts,
  { policy: { warmUpMs }, nowMs }: { policy: CallerIdPolicy; nowMs: number },
): number[] {
  if (firstUsedAtMs === undefined || nowMs >= firstUsedAtMs + warmUpMs) return [];
  return Array.from({ length: DAY_MS / WARMS_MS }, (_, index) => nowMs + (index + 1) * WARMS_MS);
}

/** Whether anything of it depends on what its numbers did before. */
export function hasMemory({ perHour, perDay, health }: CallerIdPolicy): boolean {
  return perHour !== undefined || perDay !== undefined || health !== undefined;
}

/** Somebody who is about to be called. */
export interface Called {
  phone: string;
  country: string | undefined;
}

/** Contacts that get their number together, where nothing speaks for another: as many as a batch may have. */
const TOGETHER = 100;

/**
 * Gives each of the contacts, in their order, one of the numbers.
 *
 * @param left calls that each of the numbers may begin, in their order. Those who are more than all of them get none.
 * @param turn with which of the numbers it begins where nothing speaks for one.
 */
export function assignCallerIds(
  policy: CallerIdPolicy,
  left: readonly number[],
  called: readonly Called[],
  turn: number,
): (string | undefined)[] {
  const { numbers, sticky } = policy;
  const rest = [...left];
  const poolsOf = createPools(policy);
  const runs = new Map<readonly number[], { at: number; given: number }>();
  const take = (index: number): string | undefined => {
    rest[index] = (rest[index] ?? 0) - 1;
    return numbers[index];
  };
  const mayCall = (index: number): boolean => (rest[index] ?? 0) > 0;
  const inTurn = (pool: readonly number[]): number | undefined => {
    const run = runs.get(pool) ?? { at: turn % pool.length, given: 0 };
    runs.set(pool, run);
    for (let tried = 0; tried <= pool.length; tried += 1) {
      const index = pool[run.at % pool.length];
      if (index !== undefined && mayCall(index) && run.given < TOGETHER) {
        run.given += 1;
        return index;
      }
      run.at += 1;
      run.given = 0;
    }
    return undefined;
  };
  const stuckTo = (pool: readonly number[], phone: string): number | undefined => {
    const first = Math.floor(stableShare([phone]) * pool.length);
    for (let tried = 0; tried < pool.length; tried += 1) {
      const index = pool[(first + tried) % pool.length];
      if (index !== undefined && mayCall(index)) return index;
    }
    return undefined;
  };
  return called.map((one) => {
    for (const pool of poolsOf(one)) {
      const index = sticky ? stuckTo(pool, one.phone) : inTurn(pool);
      if (index !== undefined) return take(index);
    }
    return undefined;
  });
}

/** Of +1 the area code; elsewhere two digits behind the country's code say that a number is from nearby. */
const AREA_DIGITS = { nanp: 3, elsewhere: 2 } as const;

/** The numbers, by their places in the list, that a contact is called from if they may: the nearest first. */
function createPools({ numbers, match }: CallerIdPolicy): (called: Called) => readonly (readonly number[])[] {
  const all = numbers.map((_number, index) => index);
  if (match === "none") return () => [all];
  const places = numbers.map((number) => {
    const parsed = parsePhoneNumberFromString(number);
    const code = parsed?.countryCallingCode ?? "";
    return { number, country: parsed?.country, begins: 1 + code.length, isNanp: code === "1" };
  });
  const known = new Map<string, readonly (readonly number[])[]>();
  // Digits behind the area tell nothing more of +1; elsewhere they do, as far as any two of ours begin alike.
  const telling = Math.max(
    longestAlike(numbers) + 1,
    ...places.map(({ begins }) => begins + AREA_DIGITS.elsewhere),
  );
  // The same numbers are the same pool, so that contacts of many places take turns in it.
  const pools = new Map<string, readonly number[]>([[all.join(), all]]);
  const poolOf = (indices: readonly number[]): readonly number[] => {
    const pool = pools.get(indices.join()) ?? indices;
    pools.set(indices.join(), pool);
    return pool;
  };
  const byCountry = new Map<string | undefined, readonly number[]>();
  const nearOf = (country: string | undefined): readonly number[] => {
    const near =
      byCountry.get(country) ??
      poolOf(all.filter((index) => country !== undefined && places[index]?.country === country));
    byCountry.set(country, near);
    return near;
  };
  return ({ phone, country }) => {
    const digits = phone.slice(0, phone.startsWith("+1") ? 2 + AREA_DIGITS.nanp : telling);
    const key = match === "country" ? (country ?? "") : `${country ?? ""} ${digits}`;
    const before = known.get(key);
    if (before) return before;
    const near = nearOf(country);
    const shared = near.map((index) => sharedArea(places[index], phone));
    const most = match === "area" ? Math.max(0, ...shared) : 0;
    const nearest = most === 0 ? [] : near.filter((_index, nth) => shared[nth] === most);
    const found = [poolOf(nearest), near, all].filter((pool) => pool.length > 0);
    known.set(key, found);
    return found;
  };
}

/** How many characters any two of the numbers begin alike with, at most. */
function longestAlike(numbers: readonly string[]): number {
  const sorted = [...numbers].sort();
  return Math.max(
    0,
    ...sorted.map((number, nth) => (nth === 0 ? 0 : sharedStart(sorted[nth - 1] ?? "", number))),
  );
}

function sharedStart(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** How many digits of the area a number of ours shares with a contact's; 0: too few to be from nearby. */
function sharedArea(
  place: { number: string; begins: number; isNanp: boolean } | undefined,
  phone: string,
): number {
  if (!place) return 0;
  const { number, begins, isNanp } = place;
  const alike = sharedStart(number, phone) - begins;
  const shared = isNanp ? Math.min(AREA_DIGITS.nanp, alike) : alike;
  return shared < (isNanp ? AREA_DIGITS.nanp : AREA_DIGITS.elsewhere) ? 0 : shared;
}

/** More of a number's newest calls are never kept. */
export const MAX_NEWEST_OF_NUMBER = 500;

/** The letter under which a call of a number is kept. */
export function answerLetter(isAnswered: boolean): string {
  return isAnswered ? "a" : "n";
}

/** How many of a number's newest calls somebody answered. */
export function answeredOf(newest: string): number {
  return newest.split(answerLetter(true)).length - 1;
}

/**
 * Why a number is to rest, or undefined where it need not.
 *
 * @param newest its newest calls since it rested last, a letter each.
 */
export function collapseOf(newest: string, health: CallerHealthPolicy): string | undefined {
  const seen = newest.slice(-health.newest);
  if (seen.length < health.atLeast) return undefined;
  const answered = answeredOf(seen);
  if (answered >= health.answered * seen.length) return undefined;
  return `${answered} of its last ${seen.length} calls were answered`;
}
