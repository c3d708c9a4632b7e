import { expect, test } from "vitest";
import type { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { analyticsSummary, callsByDayItem, latencyMetrics } from "../../src/sandbox/schemas/analytics.ts";
import { callListItem, callResponse } from "../../src/sandbox/schemas/calls.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { percentileOf } from "../../src/sandbox/state/analytics.ts";
import {
  createBatch,
  DRAFT_AGENT,
  eventually,
  get,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
  refusal,
  runBatch,
} from "./support.ts";

type Call = z.output<typeof callResponse>;

/** Every call of the sandbox, processed. */
async function processedCalls(sandbox: Sandbox): Promise<Call[]> {
  const { items } = await get(envelopeOf(callListItem), sandbox, "GET", "/v1/calls?limit=1000");
  return await eventually(async () => {
    const calls = await Promise.all(
      items.map(async ({ call_id: id }) => await get(callResponse, sandbox, "GET", `/v1/calls/${id}`)),
    );
    expect(calls.every((call) => call.processing_status === "completed")).toBe(true);
    return calls;
  });
}

async function runCalls(count: number): Promise<Sandbox> {
  const sandbox = await openSandbox({ speed: 20_000 });
  const batch = await createBatch(sandbox, phones(count), { max_concurrent_calls: 20 });
  await runBatch(sandbox, batch.batch_call_id);
  return sandbox;
}

async function summary(sandbox: Sandbox, query = "") {
  return await get(analyticsSummary, sandbox, "GET", `/v1/analytics/summary?${query}`);
}

test("the summary is what the calls add up to", async () => {
  const sandbox = await runCalls(40);
  const calls = await processedCalls(sandbox);
  const ended = calls.filter(({ status }) => status === "ended");
  const seconds = ended.reduce((sum, call) => sum + (call.duration_seconds ?? 0), 0);
  const failed = calls.length - ended.length;
  expect(failed).toBeGreaterThan(0);
  expect(await summary(sandbox)).toEqual({
    total_calls: calls.length,
    completed_calls: ended.length,
    failed_calls: failed,
    total_duration_seconds: seconds,
    average_duration_seconds: seconds / ended.length,
    success_rate: ended.length / calls.length,
    from_date: null,
    to_date: null,
  });
});

test("the percentiles of latency are those of the calls, and each is some call's own", async () => {
  const sandbox = await runCalls(40);
  const calls = await processedCalls(sandbox);
  const latency = await get(latencyMetrics, sandbox, "GET", "/v1/analytics/latency");
  for (const part of ["e2e", "stt", "llm", "tts"] as const) {
    const medians = calls.flatMap((call) => call.latency_metrics?.[part].p50 ?? []);
    expect(medians).toContain(latency[part].p50);
    for (const percent of [50, 90, 95, 99] as const) {
      const value = latency[part][`p${percent}`] ?? 0;
      const atMost = medians.filter((median) => median <= value).length;
      const below = medians.filter((median) => median < value).length;
      expect(atMost / medians.length).toBeGreaterThanOrEqual(percent / 100);
      expect(below / medians.length).toBeLessThan(percent / 100);
    }
  }
});

test("without calls there is no latency, no day and no rate", async () => {
  const sandbox = await openSandbox();
  const nothing = { p50: null, p90: null, p95: null, p99: null };
  expect(await get(latencyMetrics, sandbox, "GET", "/v1/analytics/latency")).toEqual({
    e2e: nothing,
    stt: nothing,
    llm: nothing,
    tts: nothing,
  });
  expect(await get(callsByDayItem.array(), sandbox, "GET", "/v1/analytics/calls-by-day")).toEqual([]);
  expect(await summary(sandbox)).toMatchObject({
    total_calls: 0,
    success_rate: 0,
    average_duration_seconds: 0,
  });
});

test("everything is filtered by agent and by date", async () => {
  const sandbox = await runCalls(5);
  const { total_calls: total } = await summary(sandbox);
  expect(total).toBeGreaterThanOrEqual(5);
  expect((await summary(sandbox, `agent_id=${PUBLISHED_AGENT}`)).total_calls).toBe(total);
  expect((await summary(sandbox, `agent_id=${DRAFT_AGENT}`)).total_calls).toBe(0);
  expect(await summary(sandbox, "from_date=2100-01-01")).toMatchObject({
    total_calls: 0,
    from_date: "2100-01-01",
  });
  expect((await summary(sandbox, "to_date=2020-01-01T00:00:00Z")).total_calls).toBe(0);
  const days = await get(callsByDayItem.array(), sandbox, "GET", "/v1/analytics/calls-by-day");
  expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  const path = "/v1/analytics/calls-by-day?from_date=2100-01-01";
  expect(await get(callsByDayItem.array(), sandbox, "GET", path)).toEqual([]);
  expect((await refusal(sandbox, "GET", "/v1/analytics/latency?from_date=soon")).status).toBe(422);
});

test("a call that is up counts in the total alone", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "never_finish" });
  sandbox.outcomes.force(phone(0), ["answered"]);
  await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: "+12025550100",
    to_number: phone(0),
  });
  expect(await summary(sandbox)).toMatchObject({ total_calls: 1, completed_calls: 0, failed_calls: 0 });
});

test("a percentile is the value of nearest rank", () => {
  expect([50, 90, 99].map((percent) => percentileOf([10, 20, 30, 40], percent))).toEqual([20, 40, 40]);
  expect(percentileOf([7], 50)).toBe(7);
  expect(percentileOf([], 50)).toBeNull();
});
