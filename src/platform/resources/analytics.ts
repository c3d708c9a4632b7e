import type { Caller } from "../caller.ts";
import { rows } from "../lists.ts";
import type {
  AnalyticsQuery,
  AnalyticsSummary,
  CallsByDay,
  LatencyMetrics,
} from "../operations/analytics.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** What calls came to, over a period and optionally for one agent (contract 4.6). */
export interface Analytics {
  summary(query?: AnalyticsQuery, options?: CallOptions): Promise<AnalyticsSummary>;
  latency(query?: AnalyticsQuery, options?: CallOptions): Promise<LatencyMetrics>;
  callsByDay(query?: AnalyticsQuery, options?: CallOptions): Promise<readonly CallsByDay[]>;
}

export function analytics(caller: Caller): Answering<Analytics> {
  return {
    summary: (query, options) => caller.call("analytics.summary", { params: {}, query }, options),
    latency: (query, options) => caller.call("analytics.latency", { params: {}, query }, options),
    callsByDay: (query, options) => rows(caller, "analytics.callsByDay", { params: {}, query }, options),
  };
}
