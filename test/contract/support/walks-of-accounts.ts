import { expect } from "vitest";
import {
  ANALYTICS_SUMMARY,
  BALANCE,
  BALANCE_CHECK,
  CALLS_BY_DAY,
  DAILY_USAGE,
  ESTIMATE,
  LANGUAGE,
  PERCENTILES,
  PRICING,
  PROVIDERS,
  STAGES,
  USAGE_SUMMARY,
} from "./fields.ts";
import type { Walks } from "./walk.ts";
import { all, CALLER_ID, eventually, freshPhone, given, PUBLISHED_AGENT, type World } from "./world.ts";

/** A call of so many simulated seconds that is over and processed. Its id. */
async function paidCall({ platform, sandbox }: World, seconds = 60): Promise<string> {
  const to_number = freshPhone();
  sandbox.outcomes.force(to_number, [{ outcome: "answered", ring_ms: 1_000, talk_ms: seconds * 1_000 }]);
  const placed = await platform.calls.phone({ agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, to_number });
  await eventually(async () =>
    expect((await platform.calls.get(placed.call_id)).processing_status).toBe("completed"),
  );
  return placed.call_id;
}

/** Contract 4.6. */
const analyticsWalks: Walks = {
  "GET /v1/analytics/summary": async (world) => {
    const { analytics } = world.platform;
    const before = await analytics.summary({ agent_id: PUBLISHED_AGENT });
    await paidCall(world, 60);
    const after = await analytics.summary({ agent_id: PUBLISHED_AGENT });
    world.has(after, ANALYTICS_SUMMARY);
    expect(given(after.completed_calls) - given(before.completed_calls)).toBe(1);
    expect(given(after.total_duration_seconds) - given(before.total_duration_seconds)).toBe(60);
    expect((await analytics.summary({ to_date: "2020-01-01" })).total_calls).toBe(0);
  },
  "GET /v1/analytics/latency": async (world) => {
    await paidCall(world);
    const latency = await world.platform.analytics.latency({ agent_id: PUBLISHED_AGENT });
    world.has(latency, STAGES);
    for (const stage of [latency.e2e, latency.stt, latency.llm, latency.tts]) {
      world.has(stage, PERCENTILES);
      const { p50, p90, p95, p99 } = given(stage);
      const ordered = [p50, p90, p95, p99].map(given);
      expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
      expect(ordered[0]).toBeGreaterThan(0);
    }
  },
  "GET /v1/analytics/calls-by-day": async (world) => {
    await paidCall(world);
    const { analytics } = world.platform;
    const days = await analytics.callsByDay({ agent_id: PUBLISHED_AGENT });
    for (const day of days) world.has(day, CALLS_BY_DAY);
    const counted = days.reduce((sum, day) => sum + given(day.count), 0);
    expect(counted).toBe((await analytics.summary({ agent_id: PUBLISHED_AGENT })).total_calls);
    expect(await analytics.callsByDay({ to_date: "2020-01-01" })).toEqual([]);
  },
};

/** Contract 4.7. */
const billingWalks: Walks = {
  "GET /v1/billing/balance": async (world) => {
    const { billing } = world.platform;
    const before = await billing.balance();
    await paidCall(world);
    const after = await billing.balance();
    world.has(after, BALANCE);
    expect(after.organization_id).toBe(world.sandbox.seeds.organizationId);
    expect(given(after.current_balance)).toBeLessThan(given(before.current_balance));
    expect(after.total_credits_added).toBe(before.total_credits_added);
  },
  "GET /v1/billing/balance/check": async (world) => {
    const { billing } = world.platform;
    const balance = given((await billing.balance()).current_balance);
    const enough = await billing.check(1);
    world.has(enough, BALANCE_CHECK);
    expect(enough).toMatchObject({ sufficient: true, required: 1, shortfall: 0 });
    expect(await billing.check(balance + 1_000)).toMatchObject({ sufficient: false });
  },
  "GET /v1/billing/transactions": async (world) => {
    const { billing } = world.platform;
    const callId = await paidCall(world);
    const entries = await all(billing.iterateTransactions({ limit: 3 }));
    const entry = entries.find((one) => one.reference_id === callId);
    world.has(entry, [
      "id",
      "transaction_type",
      "amount_usd",
      "balance_before",
      "balance_after",
      "created_at",
    ]);
    expect(given(entry?.amount_usd)).toBeLessThan(0);
    const credits = (await billing.transactions({ transaction_type: "credit" })).items;
    expect(credits.every((one) => one.transaction_type === "credit")).toBe(true);
    expect((await billing.transactions({ offset: entries.length + 100 })).items).toEqual([]);
  },
  "GET /v1/billing/usage": async (world) => {
    const { billing } = world.platform;
    const callId = await paidCall(world);
    const events = (await all(billing.iterateUsage({ limit: 100 }))).filter(
      (one) => one.reference_id === callId,
    );
    expect(events.length).toBeGreaterThan(1);
    for (const event of events) world.has(event, ["id", "event_type", "price_usd", "created_at"]);
    const telephony = (await billing.usage({ event_type: "telephony" })).items;
    expect(telephony.every((one) => one.event_type === "telephony")).toBe(true);
  },
  "GET /v1/billing/usage/summary": async (world) => {
    await paidCall(world);
    const summary = await world.platform.billing.usageSummary();
    world.has(summary, USAGE_SUMMARY);
    expect(given(summary.total_price_usd)).toBeGreaterThan(0);
    expect(await world.platform.billing.usageSummary({ to_date: "2020-01-01" })).toMatchObject({
      total_events: 0,
      total_price_usd: 0,
    });
  },
  "GET /v1/billing/usage/daily": async (world) => {
    await paidCall(world);
    const { billing } = world.platform;
    const days = await billing.usageDaily();
    for (const day of days) world.has(day, DAILY_USAGE);
    const counted = days.reduce((sum, day) => sum + given(day.event_count), 0);
    expect(counted).toBe((await billing.usageSummary()).total_events);
    expect(await billing.usageDaily({ to_date: "2020-01-01" })).toEqual([]);
  },
  "GET /v1/billing/usage/calls/{call_id}": async (world) => {
    const callId = await paidCall(world);
    const usage = await world.platform.billing.callUsage(callId);
    world.has(usage, ["call_id", "events"]);
    expect(usage.call_id).toBe(callId);
    expect(given(usage.events).length).toBeGreaterThan(1);
    expect(given(usage.total_price_usd)).toBeGreaterThan(0);
  },
  "GET /v1/billing/pricing": async (world) => {
    const pricing = await world.platform.billing.pricing();
    world.has(pricing, PRICING);
  },
  "POST /v1/billing/pricing/estimate": async (world) => {
    const { billing } = world.platform;
    const estimate = await billing.estimate({
      agent_type: "orchestration_agent",
      stt_provider: "deepgram",
      llm_provider: "openai",
      llm_model: "gpt-4o",
      voice_provider: "elevenlabs",
    });
    world.has(estimate, ESTIMATE);
    const parts = Object.values(given(estimate.components)).reduce((sum, part) => sum + given(part), 0);
    expect(estimate.total_per_minute).toBeCloseTo(parts, 9);
    const realtime = await billing.estimate({ agent_type: "realtime_agent" });
    expect(realtime.pricing_type).not.toBe(estimate.pricing_type);
  },
};

/** Contract 4.8. */
const configWalks: Walks = {
  "GET /v1/config/providers": async (world) => {
    const providers = await world.platform.config.providers();
    world.has(providers, PROVIDERS);
  },
  "GET /v1/config/providers/{category}": async (world) => {
    const { config } = world.platform;
    const providers = await config.providers();
    for (const category of ["stt", "llm", "tts", "realtime"] as const)
      expect(await config.category(category)).toMatchObject(Object(Reflect.get(providers, category)));
  },
  "GET /v1/config/defaults": async (world) => {
    const { config } = world.platform;
    const defaults = await config.defaults();
    expect(Object.keys(defaults).length).toBeGreaterThan(0);
    expect(Reflect.get(await config.providers(), "defaults")).toEqual(defaults);
  },
  "GET /v1/config/languages": async (world) => {
    const languages = await world.platform.config.languages();
    for (const language of languages) world.has(language, LANGUAGE);
    expect(languages.map((language) => language.code)).toContain("en-US");
  },
};

export const accountWalks: Walks = { ...analyticsWalks, ...billingWalks, ...configWalks };
