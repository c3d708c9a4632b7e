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
  const askedMs = now();
  const ledgerMs = await readClock(ledger.db);
  const tookMs = now() - askedMs;
  const differences = new Map<string, number>();
  if (ledgerMs !== undefined) differences.set("ledger", ledgerMs - askedMs - tookMs / 2);
  const platformClock = await clockOf(platform);
  if (platformClock) differences.set("platform", platformClock.platformMs - platformClock.localMs);
  for (const [whose, differenceMs] of differences) {
    if (Math.abs(differenceMs) > CLOCK_BOUND_MS + tookMs) {
      const seconds = Math.round(differenceMs / 1_000);
      return {
        reason: "clock",
        detail: `the ${whose}'s clock differs from this machine's by ${seconds} s: set the clocks (bound ${CLOCK_BOUND_MS / 1_000} s)`,
      };
    }
  }
  return undefined;
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
