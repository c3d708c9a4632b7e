import { z } from "zod";

import { wholeListQuery } from "./page.ts";
import { periodFields } from "./period.ts";

const filters = { agent_id: z.string().optional(), ...periodFields };

/** Contract 4.6. */
export const analyticsQuery = z.object(filters);
export const callsByDayQuery = wholeListQuery(filters);

export type AnalyticsQuery = z.output<typeof analyticsQuery>;

/** AnalyticsSummary (contract 2.9). `success_rate` is completed over finished calls, 0 to 1; 0 without any. */
export const analyticsSummary = z.object({
  total_calls: z.int(),
  completed_calls: z.int(),
  failed_calls: z.int(),
  total_duration_seconds: z.number(),
  average_duration_seconds: z.number(),
  success_rate: z.number(),
  from_date: z.string().nullable(),
  to_date: z.string().nullable(),
});

/** Milliseconds; null where no call was measured. */
const milliseconds = z.number().nullable();
const percentiles = z.object({
  p50: milliseconds,
  p90: milliseconds,
  p95: milliseconds,
  p99: milliseconds,
});

/** LatencyMetrics (contract 2.9). */
export const latencyMetrics = z.object({
  e2e: percentiles,
  stt: percentiles,
  llm: percentiles,
  tts: percentiles,
});

/** CallsByDay item (contract 2.9). Days are UTC; those without a call are left out. */
export const callsByDayItem = z.object({ date: z.string(), count: z.int() });
