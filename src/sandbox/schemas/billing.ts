import { z } from "zod";

import { SERVICES } from "../state/billing-prices.ts";
import { offsetQuery, wholeListQuery } from "./page.ts";
import { periodFields } from "./period.ts";
import { queryNumber } from "./query.ts";

/** CreditBalanceResponse (contract 2.9), in US dollars. */
export const balanceResponse = z.object({
  current_balance: z.number(),
  total_credits_added: z.number(),
  total_credits_used: z.number(),
  organization_id: z.string(),
});

/** Beyond this, micro-dollars are no longer exact in a JSON number. */
const MOST_USD = 1e9;

const amount = queryNumber(z.number().min(0).max(MOST_USD).optional());

/** The contract says `amount`, some clients say `required`: the same. */
export const balanceCheckQuery = z
  .object({ amount, required: amount })
  .refine(({ amount: one, required: other }) => one === undefined || other === undefined || one === other, {
    path: ["required"],
    error: "amount and required contradict each other",
  });

/** BalanceCheckResponse (contract 2.9). */
export const balanceCheckResponse = z.object({
  sufficient: z.boolean(),
  balance: z.number(),
  required: z.number(),
  min_balance: z.number(),
  shortfall: z.number(),
});

const TRANSACTION_TYPES = ["credit", "adjustment", "usage"] as const;

/**
 * The contract does not name the filter: it is `type`, as clients have it, or the field's own name. An unknown value
 * fits nothing.
 */
const filters = { type: z.string().optional(), ...periodFields };
export const transactionsQuery = offsetQuery(50, { transaction_type: z.string().optional(), ...filters });
export const usageQuery = offsetQuery(50, { event_type: z.string().optional(), ...filters });

export const usageSummaryQuery = z.object(periodFields);
export const dailyUsageQuery = wholeListQuery(periodFields);

/** One line of the ledger; `amount_usd` is negative where credits are taken. */
const transactionEntry = z.object({
  id: z.string(),
  organization_id: z.string(),
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
  organization_id: z.string(),
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

/** UsageSummaryResponse (contract 2.9); `breakdown` by event type. Clients read the period as texts: none is null. */
export const usageSummaryResponse = z.object({
  organization_id: z.string(),
  period: z.object({ from_date: z.string(), to_date: z.string() }),
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
  total_price_usd: z.number(),
});

const perMinute = z.record(z.string(), z.number());

/** ServicePricingResponse (contract 2.9), US dollars. */
export const pricingResponse = z.object({
  voice_call_pricing: z.object({
    orchestration_agent: z.object({ total_per_minute: z.number(), components: perMinute }),
    realtime_agent: z.object({ total_per_minute: z.number(), components: perMinute }),
    billing_increment_seconds: z.int(),
  }),
  /** By service, provider and model. */
  service_pricing: z.record(
    z.enum(SERVICES),
    z.object({
      unit: z.enum(["minute", "call", "message", "generation"]),
      providers: z.record(z.string(), z.record(z.string(), z.number())),
    }),
  ),
  credit_config: z.object({ currency: z.string(), min_balance: z.number() }),
});

const text = z.string().max(255).nullish();

/** Contract 4.7: everything is optional, and so is the body. */
export const estimateBody = z
  .object({
    /** `voice_agent`, as some clients say, is an orchestration agent. */
    agent_type: z.enum(["orchestration_agent", "realtime_agent", "voice_agent"]).nullish(),
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
