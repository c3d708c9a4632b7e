import { z } from "zod";

import { organizationOf } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import {
  balanceCheckQuery,
  balanceCheckResponse,
  balanceResponse,
  callUsageResponse,
  dailyUsageItem,
  dailyUsageQuery,
  estimateBody,
  estimateResponse,
  pricingResponse,
  transactionsQuery,
  transactionsResponse,
  usageQuery,
  usageResponse,
  usageSummaryQuery,
  usageSummaryResponse,
} from "../schemas/billing.ts";
import { idParams, rowsOf } from "../schemas/page.ts";
import { totalOf, usdOf } from "../state/billing.ts";
import type { UsageEvent } from "../state/billing.ts";
import {
  estimateView,
  MIN_BALANCE_USD,
  pricingView,
  transactionView,
  usageEventView,
} from "../views/billing.ts";
import { dayOf } from "./analytics.ts";
import { boundsOf, wholePeriod } from "./period.ts";
import type { Routes } from "../route-scope.ts";

/** Where clients ask what a call cost. */
const CALL_PATHS = ["/v1/billing/usage/calls/:id", "/v1/billing/usage/call/:id"];

/** Contract 4.7. The contract has no scope for billing, so any key may ask. */
export function billingRoutes(core: Core): Routes {
  return async (app) => {
    await balanceRoutes()(app);
    await ledgerRoutes(core)(app);
    await usageTotalsRoutes(core)(app);
    await pricingRoutes()(app);
  };
}

function balanceRoutes(): Routes {
  return async (app) => {
    app.get("/v1/billing/balance", { schema: { response: { 200: balanceResponse } } }, (request, reply) => {
      const { billing, id } = organizationOf(request);
      reply.send({
        current_balance: billing.balanceUsd,
        total_credits_added: billing.addedUsd,
        total_credits_used: billing.usedUsd,
        organization_id: id,
      });
    });

    app.get(
      "/v1/billing/balance/check",
      { schema: { querystring: balanceCheckQuery, response: { 200: balanceCheckResponse } } },
      (request, reply) => {
        const { balanceUsd } = organizationOf(request).billing;
        const required = request.query.amount ?? request.query.required ?? 0;
        const shortfall = Math.max(0, required + MIN_BALANCE_USD - balanceUsd);
        reply.send({
          sufficient: shortfall === 0,
          balance: balanceUsd,
          required,
          min_balance: MIN_BALANCE_USD,
          shortfall,
        });
      },
    );
  };
}

/** What happened, one by one. */
function ledgerRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/billing/transactions",
      { schema: { querystring: transactionsQuery, response: { 200: transactionsResponse } } },
      (request, reply) => {
        const { billing, id } = organizationOf(request);
        const { window, type, transaction_type: own } = request.query;
        const { fromMs, toMs } = boundsOf(clock, request.query);
        const entries = billing
          .entries()
          .filter(
            (entry) =>
              entry.atMs >= fromMs &&
              entry.atMs <= toMs &&
              (type === undefined || entry.type === type) &&
              (own === undefined || entry.type === own),
          );
        reply.send({
          entries: rowsOf(entries, window, (entry) => transactionView(id, billing, clock, entry)),
          total: entries.length,
          limit: window.limit,
          offset: window.skip,
        });
      },
    );

    app.get(
      "/v1/billing/usage",
      { schema: { querystring: usageQuery, response: { 200: usageResponse } } },
      (request, reply) => {
        const { billing, id } = organizationOf(request);
        const { fromMs, toMs } = boundsOf(clock, request.query);
        const { page, total } = pageOfEvents(billing.events(fromMs, toMs), request.query);
        const { limit, skip } = request.query.window;
        reply.send({
          events: page.map((event) => usageEventView(id, billing, clock, event)),
          total,
          limit,
          offset: skip,
        });
      },
    );

    for (const path of CALL_PATHS) {
      app.get(
        path,
        { schema: { params: idParams, response: { 200: callUsageResponse } } },
        (request, reply) => {
          const { billing, calls, id } = organizationOf(request);
          const call = calls.find(request.params.id);
          if (call === null) {
            throw notFound("Call");
          }
          const events = billing.eventsOfCall(call.index);
          reply.send({
            call_id: calls.idOf(call),
            events: events.map((event) => usageEventView(id, billing, clock, event)),
            total_price_usd: usdOf(totalOf(events)),
          });
        },
      );
    }
  };
}

type UsageQuery = z.output<typeof usageQuery>;

/** The page of the events that fit, and how many fit. There are many of them: they are made one at a time. */
function pageOfEvents(events: Iterable<UsageEvent>, { window, type, event_type: own }: UsageQuery) {
  const page: UsageEvent[] = [];
  let total = 0;
  for (const event of events) {
    if ((type === undefined || event.service === type) && (own === undefined || event.service === own)) {
      if (total >= window.skip && page.length < window.limit) {
        page.push(event);
      }
      total += 1;
    }
  }
  return { page, total };
}

/** The same, added up. */
function usageTotalsRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/billing/usage/summary",
      { schema: { querystring: usageSummaryQuery, response: { 200: usageSummaryResponse } } },
      (request, reply) => {
        const { fromMs, toMs } = boundsOf(clock, request.query);
        const { billing, id } = organizationOf(request);
        const tally = new Tally();
        for (const event of billing.events(fromMs, toMs)) {
          tally.add(event.service, event.micros);
        }
        const { count, micros } = tally.sum();
        reply.send({
          organization_id: id,
          period: wholePeriod(clock, request.query),
          total_events: count,
          total_price_usd: usdOf(micros),
          breakdown: Object.fromEntries(tally.rows().map(({ key, ...row }) => [key, row])),
        });
      },
    );

    app.get(
      "/v1/billing/usage/daily",
      { schema: { querystring: dailyUsageQuery, response: { 200: z.array(dailyUsageItem) } } },
      (request, reply) => {
        const { fromMs, toMs } = boundsOf(clock, request.query);
        const tally = new Tally();
        for (const event of organizationOf(request).billing.events(fromMs, toMs)) {
          tally.add(dayOf(clock, event.atMs), event.micros);
        }
        reply.send(rowsOf(tally.rows(), request.query.window, ({ key, ...row }) => ({ date: key, ...row })));
      },
    );
  };
}

function pricingRoutes(): Routes {
  return async (app) => {
    app.get("/v1/billing/pricing", { schema: { response: { 200: pricingResponse } } }, (_request, reply) => {
      reply.send(pricingView());
    });

    app.post(
      "/v1/billing/pricing/estimate",
      { schema: { body: estimateBody, response: { 200: estimateResponse } } },
      (request, reply) => {
        reply.send(estimateView(request.body ?? {}));
      },
    );
  };
}

/** Counts and whole micro-dollars by a key, in the order in which the keys came. */
class Tally {
  readonly #rows = new Map<string, { count: number; micros: number }>();

  add(key: string, micros: number): void {
    const row = this.#rows.get(key) ?? { count: 0, micros: 0 };
    row.count += 1;
    row.micros += micros;
    this.#rows.set(key, row);
  }

  rows(): { readonly key: string; readonly event_count: number; readonly total_price_usd: number }[] {
    return [...this.#rows].map(([key, { count, micros }]) => ({
      key,
      event_count: count,
      total_price_usd: usdOf(micros),
    }));
  }

  sum(): { readonly count: number; readonly micros: number } {
    let [count, micros] = [0, 0];
    for (const row of this.#rows.values()) {
      count += row.count;
      micros += row.micros;
    }
    return { count, micros };
  }
}
