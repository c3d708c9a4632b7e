import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  estimateResponse,
  pricingResponse,
  TransactionView,
  UsageEventView,
} from "../schemas/billing.ts";
import { ratesOf } from "../state/billing-prices.ts";
import type { PricedFields } from "../state/billing-prices.ts";
import { usdOf } from "../state/billing.ts";
import type { Billing, LedgerEntry, UsageEvent } from "../state/billing.ts";
import {
  ANALYSIS_MICROS_PER_CALL,
  CATALOGUE,
  CATEGORIES,
  CHAT_MESSAGE_MICROS,
  GENERATION_MICROS,
  TELEPHONY_MICROS_PER_SECOND,
} from "../state/config.ts";

/** Calls are placed down to a balance of nothing. */
export const MIN_BALANCE_USD = 0;

export function transactionView(billing: Billing, clock: Clock, entry: LedgerEntry): TransactionView {
  const { charge } = entry;
  const reference =
    charge === null
      ? { reference_id: null, reference_type: null }
      : charge.kind === "call"
        ? { reference_id: billing.callIdAt(charge.callIndex), reference_type: "call" }
        : { reference_id: charge.referenceId, reference_type: charge.referenceType };
  return {
    id: billing.entryIdOf(entry),
    transaction_type: entry.type,
    amount_usd: usdOf(entry.micros),
    balance_before: usdOf(entry.balanceBefore),
    balance_after: usdOf(entry.balanceBefore + entry.micros),
    description: descriptionOf(entry),
    ...reference,
    metadata: charge?.kind === "call" ? { billed_seconds: charge.seconds } : {},
    created_at: clock.iso(entry.atMs),
  };
}

function descriptionOf({ type, charge }: LedgerEntry): string {
  if (charge === null) {
    return type === "credit" ? "Credits added" : "Balance adjusted";
  }
  return charge.kind === "call" ? `Call of ${charge.seconds} s` : charge.service.replace("_", " ");
}

export function usageEventView(billing: Billing, clock: Clock, event: UsageEvent): UsageEventView {
  return {
    id: billing.eventIdOf(event),
    event_type: event.service,
    reference_id: event.referenceId,
    reference_type: event.referenceType,
    provider: event.provider,
    model: event.model,
    price_usd: usdOf(event.micros),
    created_at: clock.iso(event.atMs),
  };
}

/** What a minute of a phone call costs, by component (contract 4.7). */
export function estimateView(fields: PricedFields): z.output<typeof estimateResponse> {
  const { rates } = ratesOf(fields, true);
  const components = rates.map(({ service, microsPerSecond }): [string, number] => [
    service,
    usdOf(microsPerSecond * 60),
  ]);
  const micros = rates.reduce((sum, { microsPerSecond }) => sum + microsPerSecond * 60, 0);
  return {
    total_per_minute: usdOf(micros),
    pricing_type: fields.agent_type === "realtime_agent" ? "realtime" : "orchestration",
    components: Object.fromEntries(components),
    post_call_analytics_per_execution: usdOf(ANALYSIS_MICROS_PER_CALL),
  };
}

/** The whole price list, the same for everybody. */
export function pricingView(): z.output<typeof pricingResponse> {
  const models = CATEGORIES.flatMap((category) =>
    CATALOGUE[category].flatMap((provider) =>
      provider.models.map((model) => ({
        service: category,
        provider: provider.id,
        model: model.id,
        unit: "minute" as const,
        price_usd: usdOf(model.microsPerSecond * 60),
      })),
    ),
  );
  const platform = { provider: "platform", model: null };
  return {
    voice_call_pricing: {
      orchestration_agent: minuteOf({ agent_type: "orchestration_agent" }),
      realtime_agent: minuteOf({ agent_type: "realtime_agent" }),
      billing_increment_seconds: 1,
    },
    service_pricing: [
      {
        service: "telephony",
        ...platform,
        unit: "minute",
        price_usd: usdOf(TELEPHONY_MICROS_PER_SECOND * 60),
      },
      ...models,
      {
        service: "post_call_analytics",
        ...platform,
        unit: "call",
        price_usd: usdOf(ANALYSIS_MICROS_PER_CALL),
      },
      { service: "chat_message", ...platform, unit: "message", price_usd: usdOf(CHAT_MESSAGE_MICROS) },
      {
        service: "workflow_generation",
        ...platform,
        unit: "generation",
        price_usd: usdOf(GENERATION_MICROS),
      },
    ],
    credit_config: { currency: "USD", min_balance: MIN_BALANCE_USD },
  };
}

function minuteOf(fields: PricedFields) {
  const { total_per_minute, components } = estimateView(fields);
  return { total_per_minute, components };
}
