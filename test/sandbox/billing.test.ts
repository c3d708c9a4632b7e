import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";

import { Clock } from "../../src/sandbox/clock.ts";
import { IdSequence } from "../../src/sandbox/ids.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import {
  balanceResponse,
  callUsageResponse,
  dailyUsageItem,
  estimateResponse,
  pricingResponse,
  transactionsResponse,
  usageResponse,
  usageSummaryResponse,
} from "../../src/sandbox/schemas/billing.ts";
import { callListItem, callResponse } from "../../src/sandbox/schemas/calls.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { generateResponse } from "../../src/sandbox/schemas/workflows.ts";
import { Billing, totalOf } from "../../src/sandbox/state/billing.ts";
import {
  CALLER_ID,
  createBatch,
  eventually,
  get,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
  refusal,
  runBatch,
} from "./support.ts";

/** Dollars of an answer as whole micro-dollars: what they must add up in. */
function micros(usd: number): number {
  const whole = Math.round(usd * 1_000_000);
  expect(Math.abs(usd * 1_000_000 - whole)).toBeLessThan(1e-3);
  return whole;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

type Transaction = z.output<typeof transactionsResponse>["entries"][number];
type UsageEvent = z.output<typeof usageResponse>["events"][number];

async function transactions(sandbox: Sandbox): Promise<Transaction[]> {
  const path = "/v1/billing/transactions?limit=1000";
  return (await get(transactionsResponse, sandbox, "GET", path)).entries;
}

async function usage(sandbox: Sandbox, query = ""): Promise<UsageEvent[]> {
  return (await get(usageResponse, sandbox, "GET", `/v1/billing/usage?limit=1000&${query}`)).events;
}

/** Calls of three agents with different prices, and generations: whatever costs money. */
async function spend(sandbox: Sandbox): Promise<void> {
  const configs = [
    { agent_type: "realtime_agent", realtime_provider: "google" },
    {
      llm_provider: "anthropic",
      stt_model: "nova-3",
      voice_provider: "own-server",
      analytics_prompt: "Why?",
    },
  ];
  const agents = [PUBLISHED_AGENT];
  for (const [index, config] of configs.entries()) {
    const body = { name: `Priced ${index}`, ...config };
    const { agent_id: id } = await get(agentResponse, sandbox, "POST", "/v1/agents", body);
    await get(agentResponse, sandbox, "POST", `/v1/agents/${id}/publish`);
    agents.push(id);
  }
  for (const [index, agent] of agents.entries()) {
    const numbers = phones(10, 100 * index);
    const batch = await createBatch(sandbox, numbers, { agent_id: agent, retry_attempts: 0 });
    await runBatch(sandbox, batch.batch_call_id);
  }
  const body = { name: "Alert", description: "Post to Slack" };
  await get(generateResponse, sandbox, "POST", "/v1/workflows/generate", body);
}

test("ledger, usage, daily sums, calls and balance all add up to the micro-dollar", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  sandbox.setBalance(50);
  await spend(sandbox);
  const balance = await get(balanceResponse, sandbox, "GET", "/v1/billing/balance");
  const entries = await transactions(sandbox);
  const events = await usage(sandbox);
  const used = micros(balance.total_credits_used);
  expect(used).toBeGreaterThan(0);
  expect(micros(balance.current_balance)).toBe(micros(balance.total_credits_added) - used);

  let running = 0;
  for (const entry of entries) {
    expect(micros(entry.balance_before)).toBe(running);
    running += micros(entry.amount_usd);
    expect(micros(entry.balance_after)).toBe(running);
  }
  expect(running).toBe(micros(balance.current_balance));
  expect(sum(events.map((event) => micros(event.price_usd)))).toBe(used);

  const summary = await get(usageSummaryResponse, sandbox, "GET", "/v1/billing/usage/summary");
  expect(micros(summary.total_price_usd)).toBe(used);
  expect(summary.total_events).toBe(events.length);
  const breakdown = Object.values(summary.breakdown);
  expect(sum(breakdown.map((row) => micros(row.total_price_usd)))).toBe(used);
  expect(sum(breakdown.map((row) => row.event_count))).toBe(events.length);
  const daily = await get(dailyUsageItem.array(), sandbox, "GET", "/v1/billing/usage/daily");
  expect(sum(daily.map((row) => micros(row.total_price_usd)))).toBe(used);

  const calls = await get(envelopeOf(callListItem), sandbox, "GET", "/v1/calls?limit=1000");
  for (const { call_id: id, duration_seconds: seconds } of calls.items) {
    const ofCall = await get(callUsageResponse, sandbox, "GET", `/v1/billing/usage/calls/${id}`);
    const taken = entries.filter((entry) => entry.reference_id === id);
    expect(sum(ofCall.events.map((event) => micros(event.price_usd)))).toBe(micros(ofCall.total_price_usd));
    expect(sum(taken.map((entry) => micros(entry.amount_usd)))).toBe(0 - micros(ofCall.total_price_usd));
    expect(taken.length).toBe(seconds === 0 ? 0 : 1);
    const call = await eventually(async () => {
      const read = await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
      expect(read.call_cost).not.toBeNull();
      return read;
    });
    expect(call.call_cost?.["total_usd"]).toBe(ofCall.total_price_usd);
  }
});

test("whatever is charged in whatever order, the entries add up to the balance, before and after a restart", () => {
  const clock = new Clock(1);
  const ids = (seed: number) => ({
    entry: new IdSequence(seed, "entry"),
    event: new IdSequence(seed, "event"),
    call: new IdSequence(seed, "call"),
  });
  const call = fc.record({
    kind: fc.constant("call" as const),
    talkMs: fc.integer({ min: 0, max: 4_000_000 }),
    overPhone: fc.boolean(),
    fields: fc.constantFrom(
      { name: "a" },
      { name: "b", agent_type: "realtime_agent" as const },
      { name: "c", llm_provider: "google", analytics_prompt: "Why?" },
    ),
  });
  const other = fc.record({
    kind: fc.constant("set" as const),
    usd: fc.float({ min: -5, max: 500, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.oneof(call, other), { maxLength: 40 }), (seed, steps) => {
      const billing = new Billing(clock, ids(seed), 12.345678);
      for (const [index, step] of steps.entries()) {
        if (step.kind === "call") {
          billing.chargeCall({ index, ...step });
        } else {
          billing.setBalance(step.usd);
        }
      }
      const restored = new Billing(clock, ids(seed), 0);
      restored.restore(JSON.parse(JSON.stringify(billing.dump())));
      for (const one of [billing, restored]) {
        expect(totalOf(one.entries())).toBe(Math.round(one.balanceUsd * 1_000_000));
        const taken = one.entries().filter(({ type }) => type === "usage");
        expect(totalOf([...one.events()])).toBe(0 - totalOf(taken));
        expect(new Set([...one.events()].map((event) => one.eventIdOf(event))).size).toBe(
          [...one.events()].length,
        );
      }
      expect([...restored.events()]).toEqual([...billing.events()]);
      expect(restored.balanceUsd).toBe(billing.balanceUsd);
    }),
  );
  clock.close();
});

test("a call costs what the estimate for its agent says, seconds begun being paid", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  sandbox.outcomes.force(phone(1), [{ outcome: "answered", talk_ms: 59_001 }]);
  const config = { llm_provider: "openai", llm_model: "gpt-4o-mini", stt_provider: "assemblyai" };
  const agent = await get(agentResponse, sandbox, "POST", "/v1/agents", { name: "Cheap", ...config });
  await get(agentResponse, sandbox, "POST", `/v1/agents/${agent.agent_id}/publish`);
  const estimate = await get(estimateResponse, sandbox, "POST", "/v1/billing/pricing/estimate", config);
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: agent.agent_id,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  const path = `/v1/billing/usage/calls/${call.call_id}`;
  const used = await eventually(async () => {
    const read = await get(callUsageResponse, sandbox, "GET", path);
    expect(read.events).not.toEqual([]);
    return read;
  });
  expect(used.total_price_usd).toBe(estimate.total_per_minute);
  expect(Object.fromEntries(used.events.map((event) => [event.event_type, event.price_usd]))).toEqual(
    estimate.components,
  );
  expect(used.events.map(({ provider }) => provider)).toEqual([
    "platform",
    "assemblyai",
    "openai",
    "elevenlabs",
  ]);
});

test("the price list names what an estimate is made of", async () => {
  const sandbox = await openSandbox();
  const pricing = await get(pricingResponse, sandbox, "GET", "/v1/billing/pricing");
  const estimate = await get(estimateResponse, sandbox, "POST", "/v1/billing/pricing/estimate");
  const { orchestration_agent: orchestration } = pricing.voice_call_pricing;
  expect(orchestration.total_per_minute).toBe(estimate.total_per_minute);
  expect(estimate).toMatchObject({ total_per_minute: 0.09, pricing_type: "orchestration" });
  const realtime = await get(estimateResponse, sandbox, "POST", "/v1/billing/pricing/estimate", {
    agent_type: "realtime_agent",
  });
  expect(realtime.pricing_type).toBe("realtime");
  expect(Object.keys(realtime.components)).toEqual(["telephony", "realtime"]);
  expect(pricing.service_pricing.llm.providers["openai"]?.["gpt-4o"]).toBe(estimate.components["llm"]);
  expect(Object.keys(pricing.service_pricing).toSorted()).toEqual([
    "chat_message",
    "llm",
    "post_call_analytics",
    "realtime",
    "stt",
    "telephony",
    "tts",
    "workflow_generation",
  ]);
});

test("pages of the ledger and of usage lose none and repeat none, and filters keep to their kind", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  const batch = await createBatch(sandbox, phones(12));
  await runBatch(sandbox, batch.batch_call_id);
  const all = await usage(sandbox);
  const paged: UsageEvent[] = [];
  for (let offset = 0; offset < all.length; offset += 5) {
    const page = await get(usageResponse, sandbox, "GET", `/v1/billing/usage?limit=5&offset=${offset}`);
    expect(page).toMatchObject({ total: all.length, limit: 5, offset });
    paged.push(...page.events);
  }
  expect(paged).toEqual(all);
  const stt = await usage(sandbox, "event_type=stt");
  expect(stt).toEqual(all.filter((event) => event.event_type === "stt"));
  const path = "/v1/billing/transactions?transaction_type=credit";
  expect(await get(transactionsResponse, sandbox, "GET", path)).toMatchObject({
    total: 1,
    limit: 50,
    offset: 0,
    entries: [{ amount_usd: 100_000, balance_before: 0 }],
  });
  expect((await refusal(sandbox, "GET", "/v1/billing/usage?limit=0")).status).toBe(422);
});

test("usage is summed up over the dates that are asked for", async () => {
  const sandbox = await openSandbox({ speed: 20_000 });
  const batch = await createBatch(sandbox, phones(6));
  await runBatch(sandbox, batch.batch_call_id);
  const past = "from_date=2020-01-01&to_date=2020-12-31";
  expect(await get(usageSummaryResponse, sandbox, "GET", `/v1/billing/usage/summary?${past}`)).toEqual({
    organization_id: sandbox.seeds.organizationId,
    period: { from_date: "2020-01-01", to_date: "2020-12-31" },
    total_events: 0,
    total_price_usd: 0,
    breakdown: {},
  });
  const daily = "/v1/billing/usage/daily?from_date=2020-01-01";
  expect((await get(dailyUsageItem.array(), sandbox, "GET", daily)).length).toBeGreaterThan(0);
  expect((await refusal(sandbox, "GET", "/v1/billing/usage/daily?to_date=x")).status).toBe(422);
  expect((await refusal(sandbox, "GET", "/v1/billing/usage/calls/nothing")).status).toBe(404);
});
