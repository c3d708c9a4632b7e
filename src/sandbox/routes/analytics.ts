import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import {
  analyticsQuery,
  analyticsSummary,
  callsByDayItem,
  callsByDayQuery,
  latencyMetrics,
} from "../schemas/analytics.ts";
import type { AnalyticsQuery } from "../schemas/analytics.ts";
import { rowsOf } from "../schemas/page.ts";
import { latencyOver, totalsOf } from "../state/analytics.ts";
import type { CallRecord } from "../state/calls.ts";
import type { Organization } from "../state/organization.ts";
import { boundsOf, shownPeriod } from "./period.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.6. */
export function analyticsRoutes({ clock, seed }: Core): Routes {
  return async (app) => {
    const onRequest = requires("analytics:read");

    app.get(
      "/v1/analytics/summary",
      { onRequest, schema: { querystring: analyticsQuery, response: { 200: analyticsSummary } } },
      (request, reply) => {
        const totals = totalsOf(selectCalls(organizationOf(request), clock, request.query));
        reply.send({
          total_calls: totals.total,
          completed_calls: totals.completed,
          failed_calls: totals.failed,
          total_duration_seconds: totals.totalSeconds,
          average_duration_seconds: totals.averageSeconds,
          success_rate: totals.successRate,
          ...shownPeriod(clock, request.query),
        });
      },
    );

    app.get(
      "/v1/analytics/latency",
      { onRequest, schema: { querystring: analyticsQuery, response: { 200: latencyMetrics } } },
      async (request, reply) =>
        await reply.send(await latencyOver(seed, selectCalls(organizationOf(request), clock, request.query))),
    );

    app.get(
      "/v1/analytics/calls-by-day",
      { onRequest, schema: { querystring: callsByDayQuery, response: { 200: z.array(callsByDayItem) } } },
      (request, reply) => {
        const counts = new Map<string, number>();
        for (const call of selectCalls(organizationOf(request), clock, request.query)) {
          const date = dayOf(clock, call.createdAt);
          counts.set(date, (counts.get(date) ?? 0) + 1);
        }
        reply.send(rowsOf([...counts], request.query.window, ([date, count]) => ({ date, count })));
      },
    );
  };
}

/** The UTC day of a `now()`, such as 2026-03-29. */
export function dayOf(clock: Clock, atMs: number): string {
  return clock.iso(atMs).slice(0, "2026-03-29".length);
}

function selectCalls(organization: Organization, clock: Clock, query: AnalyticsQuery): CallRecord[] {
  const { fromMs, toMs } = boundsOf(clock, query);
  return organization.calls.select(
    fromMs,
    (call) => call.createdAt <= toMs && (query.agent_id === undefined || call.agent.id === query.agent_id),
  );
}
