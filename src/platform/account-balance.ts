import type { Platform } from "./client.ts";
import { PlatformError } from "./errors.ts";

/** What the platform says of its account. */
export interface AccountBalance {
  /** In US dollars; undefined: it could not be read, or is no amount. */
  balanceUsd: number | undefined;
  /** Why it could not be read. */
  unknown: string | undefined;
  /** More is let be spent than that. */
  isNoLimit: boolean;
}

/** Up to two requests. What the platform refuses is not known; nothing of the platform's throws. */
export async function readAccountBalance(platform: Pick<Platform, "billing">): Promise<AccountBalance> {
  try {
    const { current_balance: balance } = await platform.billing.balance();
    if (balance === undefined || !Number.isFinite(balance) || Math.abs(balance) >= MOST_BALANCE_USD)
      return { balanceUsd: undefined, unknown: "the platform names no balance", isNoLimit: false };
    const isNoLimit = balance < LOW_BALANCE_USD && (await coversMoreThan(platform, balance));
    return { balanceUsd: balance, unknown: undefined, isNoLimit };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { balanceUsd: undefined, unknown: error.message, isNoLimit: false };
  }
}

/** Below this it is asked whether the balance is the limit: from accounts that are billed later, or may be overdrawn, more is taken. */
const LOW_BALANCE_USD = 100;

/** Whether the platform lets more be spent than there is: an account without a balance calls nobody otherwise. */
async function coversMoreThan(platform: Pick<Platform, "billing">, balance: number): Promise<boolean> {
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
