import type { ActivityDeps } from "../deps.ts";
import { readClock } from "../../ledger/ground/clock.ts";

/** Calling windows are kept to the minute: clocks that differ by more than this can't keep them. */
const CLOCK_BOUND_MS = 30_000;

/**
 * Why nobody may be dialed by these clocks, or undefined where worker, ledger and platform agree. The
 * platform's is taken from the `Date` of its last answer.
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
  const platformClock = platform.clock();
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
