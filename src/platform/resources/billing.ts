import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate, rows } from "../lists.ts";
import type {
  BalanceCheck,
  BillingPeriod,
  CallUsage,
  CreditBalance,
  DailyUsage,
  PricingEstimate,
  PricingEstimateRequest,
  ServicePricing,
  Transaction,
  TransactionsQuery,
  UsageEvent,
  UsageQuery,
  UsageSummary,
} from "../operations/billing.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** Credits, what they were spent on, and prices (contract 4.7). Amounts in US dollars. */
export interface Billing {
  balance(options?: CallOptions): Promise<CreditBalance>;
  /** Whether the balance covers `amount` (from 0, US dollars). Reserves nothing. */
  check(amount: number, options?: CallOptions): Promise<BalanceCheck>;
  /** One page of the credit ledger. */
  transactions(query?: TransactionsQuery, options?: CallOptions): Promise<Page<Transaction>>;
  iterateTransactions(
    query?: TransactionsQuery,
    options?: WalkOptions,
  ): AsyncGenerator<Transaction, void, undefined>;
  /** One page of usage events. */
  usage(query?: UsageQuery, options?: CallOptions): Promise<Page<UsageEvent>>;
  iterateUsage(query?: UsageQuery, options?: WalkOptions): AsyncGenerator<UsageEvent, void, undefined>;
  usageSummary(period?: BillingPeriod, options?: CallOptions): Promise<UsageSummary>;
  usageDaily(period?: BillingPeriod, options?: CallOptions): Promise<readonly DailyUsage[]>;
  callUsage(callId: string, options?: CallOptions): Promise<CallUsage>;
  pricing(options?: CallOptions): Promise<ServicePricing>;
  /** What a minute with such an agent costs. Changes nothing. */
  estimate(request?: PricingEstimateRequest, options?: CallOptions): Promise<PricingEstimate>;
}

export function billing(caller: Caller): Answering<Billing> {
  return {
    balance: (options) => caller.call("billing.balance", { params: {} }, options),
    check: (amount, options) => caller.call("billing.check", { params: {}, query: { amount } }, options),
    transactions: (query, options) => caller.call("billing.transactions", { params: {}, query }, options),
    iterateTransactions: (query, options) =>
      iterate(caller, "billing.transactions", { params: {}, query }, options),
    usage: (query, options) => caller.call("billing.usage", { params: {}, query }, options),
    iterateUsage: (query, options) => iterate(caller, "billing.usage", { params: {}, query }, options),
    usageSummary: (query, options) => caller.call("billing.usageSummary", { params: {}, query }, options),
    usageDaily: (query, options) => rows(caller, "billing.usageDaily", { params: {}, query }, options),
    callUsage: (callId, options) =>
      caller.call("billing.callUsage", { params: { call_id: callId } }, options),
    pricing: (options) => caller.call("billing.pricing", { params: {} }, options),
    estimate: (body, options) => caller.call("billing.estimate", { params: {}, body }, options),
  };
}
