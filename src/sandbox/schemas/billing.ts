import { z } from "zod";

import { SERVICES } from "../state/billing-prices.ts";
import { LARGEST_PAGE } from "./page.ts";
import { queryInteger, queryNumber } from "./query.ts";

/** CreditBalanceResponse (contract 2.9), in US dollars. */
export const balanceResponse = z.object({
  current_balance: z.number(),
  total_credits_added: z.number(),
  total_credits_used: z.number(),
  organization_id: z.string(),
});

/** Beyond this, micro-dollars are no longer exact in a JSON number. */
const MOST_USD = 1e9;

export const balanceCheckQuery = z.object({
  amount: queryNumber(z.number().min(0).max(MOST_USD).default(0)),
});

/** BalanceCheckResponse (contract 2.9). */
export const balanceCheckResponse = z.object({
  sufficient: z.boolean(),
  balance: z.number(),
  required: z.number(),
  min_balance: z.number(),
  shortfall: z.number(),
});

/** Billing lists count with `offset` (contract 2.1.2). */
const offsetQuery = z.object({
  limit: queryInteger(z.int().min(1).max(LARGEST_PAGE).default(50)),
  offset: queryInteger(z.int().min(0).default(0)),
});

const TRANSACTION_TYPES = ["credit", "adjustment", "usage"] as const;

/** The filters' names and values are the fields' own; an unknown value fits nothing. */
export const transactionsQuery = offsetQuery.extend({ transaction_type: z.string().optional() });
export const usageQuery = offsetQuery.extend({ event_type: z.string().optional() });

/** One line of the ledger; `amount_usd` is negative where credits are taken. */
const transactionEntry = z.object({
  id: z.string(),
  transaction_type: z.enum(TRANSACTION_TYPES),
  amount_usd: z.number(),
  balance_before: z.number(),
  balance_after: z.number(),
  description: z.string(),
  reference_id: z.string().nullable(),
  reference_type: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});

const usageEvent = z.object({
  id: z.string(),
  event_type: z.enum(SERVICES),
  reference_id: z.string(),
  reference_type: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  price_usd: z.number(),
  created_at: z.string(),
});

const counts = { total: z.int(), limit: z.int(), offset: z.int() };

/** TransactionListResponse and UsageListResponse (contract 2.9), oldest first. */
export const transactionsResponse = z.object({ entries: z.array(transactionEntry), ...counts });
export const usageResponse = z.object({ events: z.array(usageEvent), ...counts });

export type TransactionView = z.output<typeof transactionEntry>;
export type UsageEventView = z.output<typeof usageEvent>;

/** UsageSummaryResponse (contract 2.9); `breakdown` by event type. */
export const usageSummaryResponse = z.object({
  period: z.object({ from_date: z.string().nullable(), to_date: z.string().nullable() }),
  total_events: z.int(),
  total_price_usd: z.number(),
  breakdown: z.record(z.string(), z.object({ event_count: z.int(), total_price_usd: z.number() })),
});

/** DailyUsageItem (contract 2.9). Days are UTC; those without usage are left out. */
export const dailyUsageItem = z.object({
  date: z.string(),
  event_count: z.int(),
  total_price_usd: z.number(),
});

/** CallUsageResponse (contract 2.9). */
export const callUsageResponse = z.object({
  call_id: z.string(),
  events: z.array(usageEvent),
  total_cost_usd: z.number(),
});

const perMinute = z.record(z.string(), z.number());

/** ServicePricingResponse (contract 2.9), US dollars. */
export const pricingResponse = z.object({
  voice_call_pricing: z.object({
    orchestration_agent: z.object({ total_per_minute: z.number(), components: perMinute }),
    realtime_agent: z.object({ total_per_minute: z.number(), components: perMinute }),
    billing_increment_seconds: z.int(),
  }),
  service_pricing: z.array(
    z.object({
      service: z.string(),
      provider: z.string(),
      model: z.string().nullable(),
      unit: z.enum(["minute", "call", "message", "generation"]),
      price_usd: z.number(),
    }),
  ),
  credit_config: z.object({ currency: z.string(), min_balance: z.number() }),
});

const text = z.string().max(255).nullish();

/** Contract 4.7: everything is optional, and so is the body. */
export const estimateBody = z
  .object({
    agent_type: z.enum(["orchestration_agent", "realtime_agent"]).nullish(),
    stt_provider: text,
    stt_model: text,
    llm_provider: text,
    llm_model: text,
    voice_provider: text,
    realtime_provider: text,
    realtime_model: text,
  })
  .nullish();

/** PricingEstimateResponse (contract 2.9), US dollars. */
export const estimateResponse = z.object({
  total_per_minute: z.number(),
  pricing_type: z.enum(["orchestration", "realtime"]),
  components: perMinute,
  post_call_analytics_per_execution: z.number(),
});
