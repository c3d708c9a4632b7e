import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import { analyticsQuery, analyticsSummary, callsByDayItem, latencyMetrics } from "../schemas/analytics.ts";
import type { AnalyticsQuery, Period } from "../schemas/analytics.ts";
import { wallTimeOf } from "../schemas/calls.ts";
import { latencyOver, totalsOf } from "../state/analytics.ts";
import type { CallRecord } from "../state/calls.ts";
import type { Organization } from "../state/organization.ts";

/** Contract 4.6. */
export function analyticsRoutes({ clock, seed }: Core): FastifyPluginAsyncZod {
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
          ...shownPeriod(request.query),
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
      { onRequest, schema: { querystring: analyticsQuery, response: { 200: z.array(callsByDayItem) } } },
      (request, reply) => {
        const counts = new Map<string, number>();
        for (const call of selectCalls(organizationOf(request), clock, request.query)) {
          const date = dayOf(clock, call.createdAt);
          counts.set(date, (counts.get(date) ?? 0) + 1);
        }
        reply.send([...counts].map(([date, count]) => ({ date, count })));
      },
    );
  };
}

/** A period in terms of the clock's `now()`, ends included. */
export function boundsOf(clock: Clock, { from_date: from, to_date: to }: Period) {
  return {
    fromMs: from === undefined ? 0 : clock.since(wallTimeOf(from)),
    toMs: to === undefined ? Number.POSITIVE_INFINITY : clock.since(wallTimeOf(to)),
  };
}

/** A period as it was asked for. */
export function shownPeriod({ from_date: from, to_date: to }: Period) {
  return { from_date: from ?? null, to_date: to ?? null };
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
