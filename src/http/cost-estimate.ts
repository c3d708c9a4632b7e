import { inTime } from "../commands/in-time.ts";
import { budgetCapsOf } from "../domain/campaigns/budget-spec.ts";
import { agentsOf, policyOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { costRange, estimateCalls, isCovered, type CallPrice } from "../domain/campaigns/cost-estimate.ts";
import { microsOf, toldMicrosOf, usdOf } from "../domain/campaigns/money.ts";
import type { Range } from "../domain/campaigns/rehearsal/forecast.ts";
import {
  modelOfPast,
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../domain/campaigns/rehearsal/outcome-model.ts";
import { readBudgetsOver } from "../ledger/campaigns/brand-caps.ts";
import { readHeld, readSpending } from "../ledger/campaigns/budgets.ts";
import type { Campaign } from "../ledger/campaigns/campaigns.ts";
import { notePrice, readPrices } from "../ledger/campaigns/credit.ts";
import { readPastCalls } from "../ledger/campaigns/past-calls.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { readAccountBalance } from "../platform/account-balance.ts";
import { readAgentPrice } from "../platform/agent-price.ts";
import { PlatformError } from "../platform/index.ts";
import type { HttpDeps } from "./deps.ts";
import type { EstimateWire } from "./wire/estimates.ts";

/*
 * What a campaign's calls are likely to cost, told whoever writes one down or starts it. Nobody waits for it longer than
 * a moment: what the platform has not said by then is not known, and why is said.
 */

/** The platform answers within a tenth of this, where it answers. */
const WITHIN_MS = 2_000;

/** A balance that was read within this is told as it is. */
const BALANCE_HOLDS_MS = 2 * 60_000;

/** Calls of the past that say enough, and take the ledger some hundredths of a second. */
const PAST_CALLS = 10_000;

/** Fewer say less than what is usual. */
const LEAST_PAST = 50;

type Deps = Pick<HttpDeps, "ledger" | "platform" | "now" | "log">;

/**
 * Of a campaign that was just written down or started: that stands, whatever becomes of its estimate.
 */
export async function estimateIfPossible(deps: Deps, campaign: Campaign): Promise<EstimateWire> {
  try {
    return await estimateCost(deps, campaign);
  } catch (error) {
    deps.log.error({ error, campaignId: campaign.id }, "what a campaign is likely to cost can't be reckoned");
    const { open, leased } = campaign.tallies;
    const none = { low: 0, median: 0, high: 0 };
    return {
      contacts: open + leased,
      cost: null,
      per_contact: null,
      unknown: "it could not be reckoned: the server's log says why",
      calls: none,
      minutes: none,
      by_disposition: {},
      per_minute: null,
      per_call: null,
      outcomes_from: "nobody's",
      left: [],
    };
  }
}

export async function estimateCost(deps: Deps, campaign: Campaign): Promise<EstimateWire> {
  const { spec, tallies } = campaign;
  const contacts = tallies.open + tallies.leased;
  const [price, balanceMicros] = await Promise.all([readPrice(deps, spec), readBalance(deps)]);
  const { model, outcomesFrom } = await readOutcomes(deps, spec);
  const policy = policyOf(spec, campaign.policyVersion);
  // Of one without people, what a contact costs: of so many that luck says little.
  const estimate = estimateCalls(contacts === 0 ? NOBODY_YET : contacts, policy, model);
  const cost = price.ok ? costRange(estimate, price.value) : undefined;
  const people = estimate.contacts;
  const isEmpty = contacts === 0;
  const none = { low: 0, median: 0, high: 0 };
  return {
    contacts,
    cost: cost && !isEmpty ? usdRange(cost) : null,
    per_contact: cost ? usdRange(cost, people) : null,
    unknown: price.ok ? (isEmpty ? "it has no contacts yet" : null) : price.why,
    calls: isEmpty ? none : estimate.calls,
    minutes: minutesRange(isEmpty ? none : estimate.talkMs),
    by_disposition: Object.fromEntries(
      Object.entries(isEmpty ? {} : estimate.byDisposition).map(([word, { calls, talkMs }]) => [
        word,
        { calls: Math.round(calls), minutes: minutesOf(talkMs) },
      ]),
    ),
    per_minute: price.ok ? usdOf(price.value.minuteMicros) : null,
    per_call: price.ok ? usdOf(price.value.perCallMicros) : null,
    outcomes_from: outcomesFrom,
    left: await leftOf(deps, campaign, { balanceMicros, cost: isEmpty ? undefined : cost }),
  };
}

/** As many contacts as a campaign without any is reckoned with. */
const NOBODY_YET = 1_000;

type Known<T> = { ok: true; value: T } | { ok: false; why: string };

/** The dearest of its agents: what the ledger knows of a day ago at most, and else what the platform says now. */
export async function readPrice(
  { ledger, platform, now }: Deps,
  spec: CampaignSpec,
): Promise<Known<CallPrice>> {
  const agentIds = [...agentsOf(spec).keys()];
  const known = new Map<string, CallPrice>();
  for (const { agentId, ...price } of await readPrices(ledger.db, agentIds, now())) known.set(agentId, price);
  const asked = agentIds.filter((agentId) => !known.has(agentId));
  let why = "the platform's estimate names no price";
  const reading = asked.map(async (agentId) => {
    try {
      const told = await readAgentPrice(platform, agentId);
      const minuteMicros = toldMicrosOf(told?.perMinuteUsd);
      if (minuteMicros === undefined) return;
      const price = { minuteMicros, perCallMicros: toldMicrosOf(told?.perCallUsd) ?? 0 };
      known.set(agentId, price);
      await notePrice(ledger.db, { agentId, price, nowMs: now() });
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      why = `the platform could not be asked for the price (${error.message})`;
    }
  });
  const read = await inTime(
    Promise.all(reading).then(() => true),
    WITHIN_MS,
  );
  if (read === undefined) why = `the platform did not tell the price within ${WITHIN_MS / 1_000} seconds`;
  const prices = [...known.values()];
  if (prices.length < agentIds.length) return { ok: false, why };
  return {
    ok: true,
    value: {
      minuteMicros: Math.max(...prices.map(({ minuteMicros }) => minuteMicros)),
      perCallMicros: Math.max(...prices.map(({ perCallMicros }) => perCallMicros)),
    },
  };
}

/**
 * What the account has for calls to come: less than that is held for those under way. Undefined: it is not known now, or
 * more may be spent than there is.
 */
export async function readBalance({ ledger, platform, now }: Deps): Promise<number | undefined> {
  const { balanceMicros, balanceAtMs = Number.NEGATIVE_INFINITY } = await readInstallation(ledger.db);
  const isFresh = now() - balanceAtMs <= BALANCE_HOLDS_MS;
  const asked = isFresh ? undefined : await inTime(readAccountBalance(platform), WITHIN_MS);
  const told = asked?.balanceUsd === undefined || asked.isNoLimit ? undefined : microsOf(asked.balanceUsd);
  const balance = isFresh ? balanceMicros : told;
  return balance === undefined ? undefined : balance - (await readHeld(ledger.db));
}

export async function readOutcomes(
  { ledger }: Deps,
  { brand, agent_id: agentId }: CampaignSpec,
): Promise<{ model: OutcomeModel; outcomesFrom: string }> {
  const past = await readPastCalls(ledger.db, { brand, agentId, atMost: PAST_CALLS });
  const calls = Object.values(past.dispositions).reduce((sum, n) => sum + n, 0);
  const model = modelOfPast({ ...past, invalid: past.dispositions["invalid_number"] ?? 0 });
  if (!model || calls < LEAST_PAST)
    return {
      model: USUAL_OUTCOMES,
      outcomesFrom: "usual ones, since this brand has too few calls with its agent",
    };
  const campaigns = past.campaigns === 1 ? "campaign" : `${past.campaigns} campaigns`;
  return { model, outcomesFrom: `as the last ${campaigns} of brand ${brand} with this agent had them` };
}

/** What there is to pay it from: the account, the campaign's own budget, and those of brands. */
async function leftOf(
  { ledger, now }: Deps,
  campaign: Campaign,
  { balanceMicros, cost }: { balanceMicros: number | undefined; cost: Range | undefined },
): Promise<EstimateWire["left"]> {
  const { id, parentId, brand, spec } = campaign;
  const nowMs = now();
  const { totalMicros, perDayMicros, zone } = budgetCapsOf(spec.budget);
  const own = await readSpending(ledger.db, parentId ?? id, nowMs, zone);
  const spentOf = { ...own, totalMicros, perDayMicros };
  const brands = (await readBudgetsOver(ledger.db, brand, nowMs)).map((budget) => ({
    of: budget.brand === undefined ? "all brands" : `brand ${budget.brand}`,
    ...budget,
  }));
  const left: EstimateWire["left"] = [];
  const tell = (of: string, period: "balance" | "total" | "day", micros: number) => {
    // A day's is there again on the next one.
    const enough = cost === undefined || period === "day" ? null : isCovered(micros, cost);
    left.push({ of, period, usd: usdOf(Math.max(0, micros)), enough });
  };
  if (balanceMicros !== undefined) tell("account", "balance", balanceMicros);
  for (const one of [{ of: "campaign", ...spentOf }, ...brands]) {
    if (one.totalMicros !== undefined)
      tell(one.of, "total", one.totalMicros - one.spentMicros - one.heldMicros);
    if (one.perDayMicros !== undefined)
      tell(one.of, "day", one.perDayMicros - one.daySpentMicros - one.dayHeldMicros);
  }
  return left;
}

function usdRange({ low, median, high }: Range, among = 1): Range {
  const usd = (micros: number) => usdOf(Math.round(micros / among));
  return { low: usd(low), median: usd(median), high: usd(high) };
}

function minutesRange({ low, median, high }: Range): Range {
  return { low: minutesOf(low), median: minutesOf(median), high: minutesOf(high) };
}

function minutesOf(ms: number): number {
  return Math.round(ms / 6_000) / 10;
}
