import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  estimateBody,
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
  CHAT_MESSAGE_MICROS,
  GENERATION_MICROS,
  TELEPHONY_MICROS_PER_SECOND,
} from "../state/config.ts";
import type { Category } from "../state/config.ts";

/** Calls are placed down to a balance of nothing. */
export const MIN_BALANCE_USD = 0;

export function transactionView(
  organizationId: string,
  billing: Billing,
  clock: Clock,
  entry: LedgerEntry,
): TransactionView {
  const { charge } = entry;
  const reference =
    charge === null
      ? { reference_id: null, reference_type: null }
      : charge.kind === "call"
        ? { reference_id: billing.callIdAt(charge.callIndex), reference_type: "call" }
        : { reference_id: charge.referenceId, reference_type: charge.referenceType };
  return {
    id: billing.entryIdOf(entry),
    organization_id: organizationId,
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

export function usageEventView(
  organizationId: string,
  billing: Billing,
  clock: Clock,
  event: UsageEvent,
): UsageEventView {
  return {
    id: billing.eventIdOf(event),
    organization_id: organizationId,
    event_type: event.service,
    reference_id: event.referenceId,
    reference_type: event.referenceType,
    provider: event.provider,
    model: event.model,
    price_usd: usdOf(event.micros),
    created_at: clock.iso(event.atMs),
  };
}

type EstimateFields = NonNullable<z.output<typeof estimateBody>>;

const DEFAULT_TYPE = "orchestration_agent";

/** What a minute of a phone call costs, by component (contract 4.7). */
export function estimateView(asked: EstimateFields): z.output<typeof estimateResponse> {
  const { agent_type: asType, ...rest } = asked;
  const fields: PricedFields = { ...rest, agent_type: asType === "voice_agent" ? DEFAULT_TYPE : asType };
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

/** The whole price list, the same for everybody: an object by service, provider and model. */
export function pricingView(): z.output<typeof pricingResponse> {
  const byMinute = (category: Category) => ({
    unit: "minute" as const,
    providers: Object.fromEntries(
      CATALOGUE[category].map(({ id, models }) => [
        id,
        Object.fromEntries(models.map((model) => [model.id, usdOf(model.microsPerSecond * 60)])),
      ]),
    ),
  });
  const own = <Unit extends string>(unit: Unit, micros: number) => ({
    unit,
    providers: { platform: { standard: usdOf(micros) } },
  });
  return {
    voice_call_pricing: {
      orchestration_agent: minuteOf({ agent_type: "orchestration_agent" }),
      realtime_agent: minuteOf({ agent_type: "realtime_agent" }),
      billing_increment_seconds: 1,
    },
    service_pricing: {
      telephony: own("minute", TELEPHONY_MICROS_PER_SECOND * 60),
      stt: byMinute("stt"),
      llm: byMinute("llm"),
      tts: byMinute("tts"),
      realtime: byMinute("realtime"),
      post_call_analytics: own("call", ANALYSIS_MICROS_PER_CALL),
      chat_message: own("message", CHAT_MESSAGE_MICROS),
      workflow_generation: own("generation", GENERATION_MICROS),
    },
    credit_config: { currency: "USD", min_balance: MIN_BALANCE_USD },
  };
}

function minuteOf(fields: PricedFields) {
  const { total_per_minute, components } = estimateView(fields);
  return { total_per_minute, components };
}
