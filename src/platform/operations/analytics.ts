import { z } from "zod";
import { number, record, text, within } from "../decoding.ts";
import { idRule, periodRules } from "../rules.ts";
import { array, get, object, type OperationsOf } from "./operation.ts";

const query = z.strictObject({ ...periodRules, agent_id: idRule.optional() });

/** Contract 4.6. Dates are ISO 8601. */
export type AnalyticsQuery = z.input<typeof query>;

export const summary = record(
  {},
  {
    total_calls: number,
    completed_calls: number,
    failed_calls: number,
    total_duration_seconds: number,
    average_duration_seconds: number,
    success_rate: number,
    from_date: text,
    to_date: text,
  },
);

/** Contract 2.9. Whether `success_rate` is a share or in percent is not shown. */
export type AnalyticsSummary = z.output<typeof summary>;

const percentiles = within(record({}, { p50: number, p90: number, p95: number, p99: number }));

export const latency = record({}, { e2e: percentiles, stt: percentiles, llm: percentiles, tts: percentiles });

/** Contract 2.9: percentiles of each stage. Their unit is not shown; milliseconds are usual. */
export type LatencyMetrics = z.output<typeof latency>;

export const callsByDay = record({}, { date: text, count: number });

/** Contract 2.9. */
export type CallsByDay = z.output<typeof callsByDay>;

export const analyticsOperations = {
  "analytics.summary": get("/v1/analytics/summary", {
    summary: "Count calls, their outcomes and duration",
    query,
    answer: object(summary),
  }),
  "analytics.latency": get("/v1/analytics/latency", {
    summary: "Show latency percentiles",
    query,
    answer: object(latency),
  }),
  "analytics.callsByDay": get("/v1/analytics/calls-by-day", {
    summary: "Count calls by day",
    query,
    answer: array(callsByDay, "date"),
  }),
} as const satisfies OperationsOf<"analytics">;
