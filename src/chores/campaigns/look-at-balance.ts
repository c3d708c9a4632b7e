import type { ActivityDeps } from "../../activities/deps.ts";
import { microsOf } from "../../domain/campaigns/money.ts";
import { listShortOf, noteBalance } from "../../ledger/campaigns/credit.ts";
import { watchCredit } from "../../ledger/campaigns/low-credit.ts";
import { readAccountBalance } from "../../platform/account-balance.ts";

type BalanceDeps = Pick<ActivityDeps, "ledger" | "platform" | "lowCreditMicros" | "wake" | "log" | "now">;

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
  // Where more is let be spent than there is, what is left says nothing.
  if (balanceMicros !== undefined && !isNoLimit)
    await watchCredit(ledger, { balanceMicros, lowMicros: deps.lowCreditMicros, nowMs: now() });
  const short = isAsked ? await listShortOf(ledger.db, undefined) : [];
  const campaignIds = [...new Set([...told, ...short])];
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  return { ...seen, campaignIds };
}

async function readBalance({ platform, log }: BalanceDeps): Promise<Omit<BalanceSeen, "campaignIds">> {
  const { balanceUsd, unknown, isNoLimit } = await readAccountBalance(platform);
  const balanceMicros = balanceUsd === undefined ? undefined : microsOf(balanceUsd);
  if (unknown !== undefined)
    log.warn({ error: unknown }, "the platform's balance can't be read: calls go on");
  return { balanceMicros, unknown, isNoLimit };
}
