import { z } from "zod";
import { counts, firmFlag, firmNumber, id, kept, listOf, map, number, record, text } from "../decoding.ts";
import { ledgerPeriodRules, offsetRules, periodRules, wordRule } from "../rules.ts";
import { array, get, object, type OperationsOf, page, post } from "./operation.ts";

const checkQuery = z.strictObject({ amount: z.number().min(0).describe("US dollars.") });

const transactionsQuery = z.strictObject({
  ...offsetRules,
  transaction_type: wordRule.optional(),
  ...ledgerPeriodRules,
});

/**
 * Contract 4.7. `limit` 1 to 1,000 (default 50), `offset` from 0. The filter's name is the entries' own. Filters by
 * date as published clients have them: ISO 8601, or the last so many `days`.
 */
export type TransactionsQuery = z.input<typeof transactionsQuery>;

const usageQuery = z.strictObject({
  ...offsetRules,
  event_type: wordRule.optional(),
  ...ledgerPeriodRules,
});

/** Contract 4.7. As `TransactionsQuery`. */
export type UsageQuery = z.input<typeof usageQuery>;

const periodQuery = z.strictObject(periodRules);

/** Contract 4.7. Dates are ISO 8601. */
export type BillingPeriod = z.input<typeof periodQuery>;

const estimateRules = z.strictObject({
  agent_type: z.enum(["orchestration_agent", "realtime_agent", "voice_agent"]).optional(),
  stt_provider: wordRule.optional(),
  stt_model: wordRule.optional(),
  llm_provider: wordRule.optional(),
  llm_model: wordRule.optional(),
  voice_provider: wordRule.optional(),
  realtime_provider: wordRule.optional(),
  realtime_model: wordRule.optional(),
});

/** Contract 4.7. What is left out is the platform's default. */
export type PricingEstimateRequest = z.input<typeof estimateRules>;

export const creditBalance = record(
  {},
  {
    current_balance: firmNumber,
    total_credits_added: number,
    total_credits_used: number,
    organization_id: text,
  },
);

/** Contract 2.9. Amounts in US dollars. */
export type CreditBalance = z.output<typeof creditBalance>;

export const balanceCheck = record(
  {},
  {
    sufficient: firmFlag,
    balance: firmNumber,
    required: firmNumber,
    min_balance: firmNumber,
    shortfall: firmNumber,
  },
);

/** Contract 2.9. `sufficient` undefined: the platform did not say. */
export type BalanceCheck = z.output<typeof balanceCheck>;

export const transaction = record(
  { id: "transaction_id" },
  {
    id,
    organization_id: text,
    transaction_type: text,
    amount_usd: number,
    balance_before: number,
    balance_after: number,
    description: text,
    reference_id: text,
    reference_type: text,
    metadata: map,
    created_at: text,
  },
);

/** An entry of the credit ledger. Amounts in US dollars. */
export type Transaction = z.output<typeof transaction>;

const EVENT_NAMES = { id: "event_id" } as const;

const eventShown = {
  organization_id: text,
  event_type: text,
  reference_id: text,
  reference_type: text,
  provider: text,
  model: text,
  price_usd: number,
  created_at: text,
};

export const usageEvent = record(EVENT_NAMES, { id, ...eventShown });

/** Something that was used and what it cost, in US dollars. */
export type UsageEvent = z.output<typeof usageEvent>;

export const usageSummary = record(
  {},
  { organization_id: text, period: kept, total_events: number, total_price_usd: number, breakdown: kept },
);

/** Contract 2.9. `period` and `breakdown` are kept as they came. */
export type UsageSummary = z.output<typeof usageSummary>;

export const dailyUsage = record({}, { date: text, event_count: number, total_price_usd: number });

/** Contract 2.9. */
export type DailyUsage = z.output<typeof dailyUsage>;

export const callUsage = record(
  { total_price_usd: "total_cost_usd" },
  {
    call_id: text,
    events: listOf(record(EVENT_NAMES, { id: text, ...eventShown })),
    total_price_usd: number,
  },
);

/** Contract 2.9: usage events and total cost of one call; the names of its fields are not shown. */
export type CallUsage = z.output<typeof callUsage>;

/** Contract 2.9: voice_call_pricing, service_pricing and credit_config, as they came. */
export const pricing = record({}, { voice_call_pricing: kept, service_pricing: kept, credit_config: kept });
export type ServicePricing = z.output<typeof pricing>;

export const estimate = record(
  {},
  {
    total_per_minute: number,
    pricing_type: text,
    components: counts,
    post_call_analytics_per_execution: number,
  },
);

/** Contract 2.9. US dollars; `components` by name. */
export type PricingEstimate = z.output<typeof estimate>;

export const billingOperations = {
  "billing.balance": get("/v1/billing/balance", {
    summary: "Show the credit balance",
    answer: object(creditBalance),
  }),
  "billing.check": get("/v1/billing/balance/check", {
    summary: "Check whether the balance covers an amount",
    query: checkQuery,
    // A platform that knows the other name only would call any amount covered.
    alsoAs: { amount: "required" },
    answer: object(balanceCheck),
  }),
  "billing.transactions": get("/v1/billing/transactions", {
    summary: "List the entries of the credit ledger",
    query: transactionsQuery,
    // The contract has a filter by type and no name for it: clients say `type`.
    alsoAs: { transaction_type: "type" },
    answer: page("offset", 50, transaction, "id", "entries"),
  }),
  "billing.usage": get("/v1/billing/usage", {
    summary: "List what was used",
    query: usageQuery,
    alsoAs: { event_type: "type" },
    answer: page("offset", 50, usageEvent, "id", "events"),
  }),
  "billing.usageSummary": get("/v1/billing/usage/summary", {
    summary: "Sum up what was used in a period",
    query: periodQuery,
    answer: object(usageSummary),
  }),
  "billing.usageDaily": get("/v1/billing/usage/daily", {
    summary: "Sum up what was used, by day",
    query: periodQuery,
    answer: array(dailyUsage, "date"),
  }),
  "billing.callUsage": get("/v1/billing/usage/calls/{call_id}", {
    summary: "Show what one call cost",
    answer: { ...object(callUsage), known: { call_id: "call_id" } },
  }),
  "billing.pricing": get("/v1/billing/pricing", { summary: "Show prices", answer: object(pricing) }),
  "billing.estimate": post(
    "/v1/billing/pricing/estimate",
    {
      summary: "Estimate the price of an agent's minute",
      body: estimateRules,
      answer: object(estimate),
    },
    { access: "read" },
  ),
} as const satisfies OperationsOf<"billing">;
