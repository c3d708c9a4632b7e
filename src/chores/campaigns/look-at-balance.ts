import type { ActivityDeps } from "../../activities/deps.ts";
import { microsOf } from "../../domain/campaigns/money.ts";
import { listShortOf, noteBalance } from "../../ledger/campaigns/credit.ts";
import { PlatformError } from "../../platform/index.ts";

type BalanceDeps = Pick<ActivityDeps, "ledger" | "platform" | "wake" | "log" | "now">;

/** What the platform says of its account. */
export interface BalanceSeen {
  /** Undefined: it could not be read, or is no amount. */
  balanceMicros: number | undefined;
  /** Why it could not be read. */
  unknown: string | undefined;
  /** More is let be spent than that. */
  isNoLimit: boolean;
  /** Campaigns that were told to look again. */
  campaignIds: readonly string[];
}

/**
 * Reads what the account has, and lets campaigns go on that waited for it. One that can't be read keeps nobody from
 * dialing: a platform without credit says so when it is asked to call. Safe to repeat, and to be done by two.
 *
 * @param isAsked by somebody: calls are tried at once, and whoever waits for money of any kind looks again
 */
export async function lookAtBalance(
  deps: BalanceDeps,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<BalanceSeen> {
  const { ledger, wake, now } = deps;
  const seen = await readBalance(deps);
  const { balanceMicros, isNoLimit } = seen;
  const told = await noteBalance(ledger, { balanceMicros, isNoLimit, isAsked, nowMs: now() });
  const short = isAsked ? await listShortOf(ledger.db, undefined) : [];
  const campaignIds = [...new Set([...told, ...short])];
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  return { ...seen, campaignIds };
}

async function readBalance({ platform, log }: BalanceDeps): Promise<Omit<BalanceSeen, "campaignIds">> {
  try {
    const { current_balance: balance } = await platform.billing.balance();
    if (balance === undefined || !Number.isFinite(balance) || Math.abs(balance) >= MOST_BALANCE_USD)
      return { balanceMicros: undefined, unknown: "the platform names no balance", isNoLimit: false };
    const isNoLimit = balance < LOW_BALANCE_USD && (await coversMoreThan(platform, balance));
    return { balanceMicros: microsOf(balance), unknown: undefined, isNoLimit };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    log.warn({ error: error.message }, "the platform's balance can't be read: calls go on");
    return { balanceMicros: undefined, unknown: error.message, isNoLimit: false };
  }
}

/** Below this it is asked whether the balance is the limit: from accounts that are billed later, or may be overdrawn, more is taken. */
const LOW_BALANCE_USD = 100;

/** Whether the platform lets more be spent than there is: an account without a balance calls nobody otherwise. */
async function coversMoreThan(platform: BalanceDeps["platform"], balance: number): Promise<boolean> {
  try {
    const { sufficient } = await platform.billing.check(Math.max(0, balance) + 1);
    return sufficient === true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return false;
  }
}

/** What does not fit into exact sums is no balance. */
const MOST_BALANCE_USD = 1_000_000_000;
