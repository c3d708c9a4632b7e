import { z } from "zod";

import { dropBudget, putBudget } from "../../../commands/budgets.ts";
import { amountSchema, moneyZoneSchema } from "../../../domain/campaigns/budget-spec.ts";
import { microsOf, usdOf } from "../../../domain/campaigns/money.ts";
import type { Budget, BudgetUse } from "../../../ledger/campaigns/brand-caps.ts";
import { listBudgets } from "../../../ledger/campaigns/budgets.ts";
import { readInstallation } from "../../../ledger/ground/installation.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import {
  balanceSeenSchema,
  budgetListSchema,
  budgetRemovedSchema,
  budgetSetSchema,
  type BudgetUseWire,
  type BudgetWire,
} from "../../wire/budgets.ts";
import { isoOf } from "../../wire/instant.ts";
import { reasonText } from "../../wire/text.ts";
import { brandName } from "../suppressions/suppressions.ts";
import type { Routes } from "../../route-scope.ts";

const setBody = z
  .strictObject({
    /** Absent: of all brands together. */
    brand: brandName.optional(),
    /** US dollars, since it was set first. */
    total: amountSchema.optional(),
    /** US dollars on a day of UTC, or of `zone`. */
    per_day: amountSchema.optional(),
    /** By whose midnight the day ends. */
    zone: moneyZoneSchema.optional(),
    /** The total counts from today on, whatever was spent before. */
    restart: z.boolean().default(false),
  })
  .refine(({ total, per_day: perDay }) => total !== undefined || perDay !== undefined, {
    message: "must say total, per_day, or both, in US dollars",
  })
  .refine(({ zone, per_day: perDay }) => zone === undefined || perDay !== undefined, {
    path: ["zone"],
    message: "is of per_day, which is not said: add that, or leave this out",
  });

const removeBody = z.strictObject({
  /** Absent: that of all brands together. */
  brand: brandName.optional(),
  reason: reasonText("is needed: it is kept for good"),
});

const listQuery = z.strictObject({
  /** Only that of this brand, without that of all brands together. */
  brand: brandName.optional(),
});

const ABOUT =
  "What a brand, or all of them together, may spend. One takes the place of the one before. At a cap campaigns wait, and go on by themselves.";

const CHECKED =
  "Reads what the platform's account has, now. Campaigns that wait for money look again, and calls are tried at once where the account is not empty, though the platform refused some before.";

/** What brands may spend. */
export function budgetRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.put(
      "/v1/budgets",
      { schema: { description: ABOUT, body: setBody, response: { 200: budgetSetSchema } } },
      async (request) => {
        const { brand, total, per_day: perDay, zone, restart } = request.body;
        const budget = await putBudget(deps, {
          brand,
          totalMicros: total === undefined ? undefined : microsOf(total),
          perDayMicros: perDay === undefined ? undefined : microsOf(perDay),
          zone,
          restart,
          actor: actorOf(request),
        });
        return { budget: budgetView(budget) };
      },
    );

    app.get(
      "/v1/budgets",
      { schema: { querystring: listQuery, response: { 200: budgetListSchema } } },
      async (request) => {
        const items = await listBudgets(deps.ledger.db, deps.now(), request.query.brand);
        return { items: items.map(budgetUseView) };
      },
    );

    app.post(
      "/v1/budgets/check",
      { schema: { description: CHECKED, response: { 200: balanceSeenSchema } } },
      async () => {
        const { balanceMicros, unknown, isNoLimit, campaignIds } = await deps.lookAtBalance();
        const { noCreditAtMs, noCreditReason = "" } = await readInstallation(deps.ledger.db);
        return {
          balance: balanceMicros === undefined ? null : usdOf(balanceMicros),
          unknown: unknown ?? null,
          is_limit: !isNoLimit,
          no_credit:
            noCreditAtMs === undefined ? null : { since: isoOf(noCreditAtMs), reason: noCreditReason },
          campaigns: campaignIds.length,
        };
      },
    );

    app.delete(
      "/v1/budgets",
      { schema: { body: removeBody, response: { 200: budgetRemovedSchema } } },
      async (request) => {
        const { brand, reason } = request.body;
        const removed = await dropBudget(deps, { brand, reason, actor: actorOf(request) });
        if (removed) return { removed: budgetView(removed) };
        throw new Problem({
          status: 404,
          code: "unknown_budget",
          detail: `${brand === undefined ? "all brands together have" : `brand ${brand} has`} no budget: list them to see which there are`,
        });
      },
    );
  };
}

function budgetView({ brand, totalMicros, perDayMicros, zone, fromDay, createdAtMs }: Budget): BudgetWire {
  return {
    brand: brand ?? null,
    total: totalMicros === undefined ? null : usdOf(totalMicros),
    per_day: perDayMicros === undefined ? null : usdOf(perDayMicros),
    zone: perDayMicros === undefined ? null : zone,
    from: fromDay,
    created_at: isoOf(createdAtMs),
  };
}

function budgetUseView(budget: BudgetUse): BudgetUseWire {
  const { spentMicros, heldMicros, day, daySpentMicros, dayHeldMicros } = budget;
  return {
    ...budgetView(budget),
    spent: usdOf(spentMicros),
    held: usdOf(heldMicros),
    today: { date: day.date, spent: usdOf(daySpentMicros), held: usdOf(dayHeldMicros) },
  };
}
