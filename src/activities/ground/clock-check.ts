import type { ActivityDeps } from "../deps.ts";
import { readClock } from "../../ledger/ground/clock.ts";
import { PlatformError, type ClockReading, type Platform } from "../../platform/index.ts";

/** Calling windows are kept to the minute: clocks that differ by more than this can't keep them. */
const CLOCK_BOUND_MS = 30_000;

/** A reading that is no older is not taken anew. */
const FRESH_MS = 1_000;

/** The answer of a platform that is up. */
const ASK_MS = 5_000;

/** Platforms that were asked for their clock before they had answered anything: some never tell it. */
const asked = new WeakSet<Platform>();

/**
 * Why nobody may be dialed by these clocks, or undefined where worker, ledger and platform agree. The platform's is
 * taken from the `Date` of its last answer; it is asked anew where that is far from ours, as it seems to be once this
 * machine has slept or its clock was set.
 */
export async function clockDisagreement({
  ledger,
  platform,
  now,
}: Pick<ActivityDeps, "ledger" | "platform" | "now">): Promise<
  { reason: string; detail: string } | undefined
> {
  const { aheadMs, tookMs } = await compareWithLedger({ ledger, now });
  const differences = new Map<string, number>([["ledger", aheadMs]]);
  const platformClock = await clockOf(platform);
  if (platformClock) differences.set("platform", platformClock.platformMs - platformClock.localMs);
  for (const [whose, differenceMs] of differences) {
    if (isApart(differenceMs, tookMs)) {
      const seconds = Math.round(differenceMs / 1_000);
      return {
        reason: "clock",
        detail: `the ${whose}'s clock differs from this machine's by ${seconds} s: set the clocks (bound ${CLOCK_BOUND_MS / 1_000} s)`,
      };
    }
  }
  return undefined;
}

/** What a slow answer may hide of a difference: no more, since there are faster ones. */
const HIDDEN_MS = 5_000;

function isApart(differenceMs: number, tookMs: number): boolean {
  return Math.abs(differenceMs) > CLOCK_BOUND_MS + Math.min(tookMs / 2, HIDDEN_MS);
}

/** The ledger's clock minus ours, in the middle of a question that took so long: by what nobody sets, nor a sleep. */
async function compareWithLedger({
  ledger,
  now,
}: Pick<ActivityDeps, "ledger" | "now">): Promise<{ aheadMs: number; tookMs: number }> {
  const askedMs = now();
  const askedAt = performance.now();
  const ledgerMs = await readClock(ledger.db);
  const tookMs = performance.now() - askedAt;
  return { aheadMs: ledgerMs === undefined ? 0 : ledgerMs - askedMs - tookMs / 2, tookMs };
}

/** This machine's clock is not the ledger's: what is due by it may not be. */
export class WrongClockError extends Error {
  override readonly name = "WrongClockError";
  /** The ledger's clock minus this machine's. */
  readonly aheadMs: number;
  constructor(aheadMs: number) {
    const seconds = Math.round(Math.abs(aheadMs) / 1_000);
    super(
      `this machine's clock is ${seconds} s ${aheadMs > 0 ? "behind" : "ahead of"} the ledger's: set the clocks (bound ${CLOCK_BOUND_MS / 1_000} s)`,
    );
    this.aheadMs = aheadMs;
  }
}

/** Compared so long ago it is right, unless it was set meanwhile, or this machine has slept. */
const COMPARED_FOR_MS = 5_000;
const SET_MS = 1_000;

/** Clocks of one machine are read to the millisecond; ones that are kept well differ by some. */
const SAME_MS = 50;

const compared = new WeakMap<ActivityDeps["ledger"], { at: number; sinceAwakeMs: number; aheadMs: number }>();

/**
 * For what goes by the clock without dialing: steps that are due, due times, what is over or too old. A process whose
 * clock is an hour ahead would do all of it an hour early, and others hold what it writes against theirs. Costs a small
 * statement every few seconds.
 *
 * @throws WrongClockError where this machine's clock is not the ledger's.
 */
export async function requireRightClock(deps: Pick<ActivityDeps, "ledger" | "now">): Promise<void> {
  await differenceWithinBound(deps);
}

/**
 * The same with the ledger's time for `now()`. Two clocks that are right may still be a minute apart, and some of what
 * several processes measure by one another's moments is shorter.
 *
 * @throws WrongClockError where this machine's clock is not the ledger's.
 */
export async function onLedgersTime<Deps extends Pick<ActivityDeps, "ledger" | "now">>(
  deps: Deps,
): Promise<Deps> {
  const aheadMs = await differenceWithinBound(deps);
  return aheadMs === 0 ? deps : { ...deps, now: () => deps.now() + aheadMs };
}

/** The ledger's clock minus this machine's; 0 where they may be the same. @throws WrongClockError */
async function differenceWithinBound(deps: Pick<ActivityDeps, "ledger" | "now">): Promise<number> {
  const at = performance.now();
  const sinceAwakeMs = deps.now() - at;
  const known = compared.get(deps.ledger);
  if (known && at - known.at < COMPARED_FOR_MS && Math.abs(sinceAwakeMs - known.sinceAwakeMs) < SET_MS)
    return known.aheadMs;
  const measured = await compareWithLedger(deps);
  if (isApart(measured.aheadMs, measured.tookMs)) throw new WrongClockError(measured.aheadMs);
  const isSame = Math.abs(measured.aheadMs) <= measured.tookMs / 2 + SAME_MS;
  const aheadMs = isSame ? 0 : measured.aheadMs;
  compared.set(deps.ledger, { at, sinceAwakeMs, aheadMs });
  return aheadMs;
}

/** The ledger's clock minus this machine's, however much that is; 0 where they may be the same. */
export async function differenceToLedger(deps: Pick<ActivityDeps, "ledger" | "now">): Promise<number> {
  try {
    return await differenceWithinBound(deps);
  } catch (error) {
    if (error instanceof WrongClockError) return error.aheadMs;
    throw error;
  }
}

/** Whether it is the ledger's clock that is right, by the platform's, where that was told and says so. */
export function isLedgerRight(platform: Platform, { aheadMs }: { aheadMs: number }): boolean {
  const told = platform.clock();
  return told !== undefined && Math.abs(told.platformMs - told.localMs - aheadMs) <= CLOCK_BOUND_MS;
}

/** Whether it is this machine's clock that is right and the ledger's that is not, by the platform's, where that was told. */
export function isMachineRight(platform: Platform, { aheadMs }: { aheadMs: number }): boolean {
  const told = platform.clock();
  if (told === undefined || Math.abs(aheadMs) <= CLOCK_BOUND_MS) return false;
  return Math.abs(told.platformMs - told.localMs) <= CLOCK_BOUND_MS;
}

/** For whoever then does nothing, and asks again. */
export async function isClockRight(deps: Pick<ActivityDeps, "ledger" | "now">): Promise<boolean> {
  try {
    await requireRightClock(deps);
    return true;
  } catch (error) {
    if (error instanceof WrongClockError) return false;
    throw error;
  }
}

async function clockOf(platform: Platform): Promise<ClockReading | undefined> {
  const known = platform.clock();
  if (known === undefined) {
    if (asked.has(platform)) return undefined;
    asked.add(platform);
  } else if (known.ageMs < FRESH_MS || Math.abs(known.platformMs - known.localMs) <= CLOCK_BOUND_MS) {
    return known;
  }
  try {
    await platform.billing.balance({ timeoutMs: ASK_MS, retry: "none" });
  } catch (error) {
    // A refusal tells the time as well; without any answer what was known stands.
    if (!(error instanceof PlatformError)) throw error;
  }
  return platform.clock();
}
