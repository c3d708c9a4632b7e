import { z } from "zod";

import { inForce } from "../../../ledger/campaigns/commands.ts";
import { listCampaigns } from "../../../ledger/campaigns/campaigns.ts";
import { listFirstCalls } from "../../../ledger/campaigns/first-calls.ts";
import { explainContact } from "../../../ledger/campaigns/explanations.ts";
import { listImports } from "../../../ledger/campaigns/list-imports.ts";
import { readHeldSlots, readHeldSlotsOf, readProgress } from "../../../ledger/campaigns/progress.ts";
import { usdOf } from "../../../domain/campaigns/money.ts";
import { PACE_MS, readListedFigures } from "../../../ledger/campaigns/listed-figures.ts";
import { readPastCalls } from "../../../ledger/campaigns/past-calls.ts";
import { readReport } from "../../../ledger/campaigns/reports.ts";
import { estimateCost } from "../../cost-estimate.ts";
import type { HttpDeps } from "../../deps.ts";
import { showsEdited } from "../../plugins/etags.ts";
import { requirePhone } from "../../phone.ts";
import { unknownCampaign } from "../../problem.ts";
import { unknownContact } from "../../unknown.ts";
import {
  campaignPageSchema,
  campaignSchema,
  canarySchema,
  pastCallsSchema,
  explanationSchema,
  progressSchema,
  reportSchema,
} from "../../wire/campaigns.ts";
import { estimateSchema } from "../../wire/estimates.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { campaignView, canaryView, explanationView, progressView, reportView, summaryOf } from "./views.ts";
import { afterQuery, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import { flagQuery } from "../../wire/text.ts";
import type { Routes } from "../../route-scope.ts";

const pageQuery = z.strictObject({
  after: afterQuery,
  limit: limitQuery,
  /** Only those that are not over. */
  open: flagQuery,
  /** Also those that sequences and callbacks place their calls into. */
  standing: flagQuery,
  /** Only those that are archived; by default only others. */
  archived: flagQuery,
  /** Only those of this brand. */
  brand: z.string().min(1).max(100).optional(),
});

/** Looking at campaigns. */
export function readRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.get(
      "/v1/campaigns",
      { schema: { querystring: pageQuery, response: { 200: campaignPageSchema } } },
      async (request) => {
        const { after, limit, ...asked } = request.query;
        const { campaigns, total } = await listCampaigns(db, {
          ...asked,
          ...timePlaceIn(after),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(campaigns, limit, ({ createdAtMs, id }) => [createdAtMs, id]);
        const held = await readHeldSlotsOf(
          db,
          page.map(({ id }) => id),
        );
        const figuresOf = await readListedFigures(db, page, deps.now());
        const items = page.map((campaign) => {
          const { spentMicros, begun } = figuresOf(campaign);
          return {
            ...summaryOf(campaign),
            held_slots: held.get(campaign.id) ?? 0,
            calls_a_minute: (60_000 * begun) / PACE_MS,
            spent: usdOf(spentMicros),
          };
        });
        return { items, total, next_after };
      },
    );

    app.get(
      "/v1/campaigns/:ref",
      {
        config: { etag: "shown" },
        schema: { params: campaignParams, querystring: brandQuery, response: { 200: campaignSchema } },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        showsEdited(request, inForce(campaign));
        return campaignView(
          campaign,
          await listImports(db, { campaignId: campaign.id }),
          await readHeldSlots(db, campaign.id),
        );
      },
    );

    app.get(
      "/v1/campaigns/:ref/progress",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: progressSchema } } },
      async (request) => {
        const { ref } = request.params;
        const { id } = await requireCampaign(db, ref, request.query.brand);
        const progress = await readProgress(db, id, deps.now());
        if (!progress) throw unknownCampaign(ref);
        return progressView(progress, deps.now());
      },
    );

    app.get(
      "/v1/campaigns/:ref/report",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: reportSchema } } },
      async (request) => {
        const { ref } = request.params;
        const { id } = await requireCampaign(db, ref, request.query.brand);
        const report = await readReport(db, id, deps.now());
        if (!report) throw unknownCampaign(ref);
        return reportView(report);
      },
    );
  };
}

/** What is known of calls before the next ones are made. */
export function pastRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/past-calls",
      {
        schema: {
          querystring: brandQuery.extend({ agent_id: z.string().min(1).max(200) }),
          response: { 200: pastCallsSchema },
        },
      },
      async (request) => {
        const { agent_id: agentId, brand } = request.query;
        const past = await readPastCalls(deps.ledger.db, { agentId, brand });
        return {
          campaigns: past.campaigns,
          contacts_dialed: past.dialed,
          attempt_dispositions: past.dispositions,
          talk_seconds: past.talkSeconds,
          spent: usdOf(past.spentMicros),
        };
      },
    );
  };
}

/** What a campaign is likely to cost. */
export function estimateRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/campaigns/:ref/estimate",
      {
        schema: { params: campaignParams, querystring: brandQuery, response: { 200: estimateSchema } },
      },
      async (request) => {
        const { ref } = request.params;
        return estimateCost(deps, await requireCampaign(deps.ledger.db, ref, request.query.brand));
      },
    );
  };
}

/** A campaign without a canary shows so many of its first calls. */
const FIRST_CALLS = 20;

/** The first calls of a campaign, which somebody approves of. */
export function canaryRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    app.get(
      "/v1/campaigns/:ref/canary",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: canarySchema } } },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const calls = await listFirstCalls(db, campaign.id, campaign.spec.canary ?? FIRST_CALLS);
        return canaryView(campaign, calls);
      },
    );
  };
}

/** Why one number was or was not dialed (I7). */
export function explanationRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.get(
      "/v1/campaigns/:ref/contacts/:phone/explanation",
      {
        schema: {
          params: campaignParams.extend({ phone: z.string().min(1).max(40) }),
          querystring: brandQuery,
          response: { 200: explanationSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const explanation = await explainContact(db, campaign.id, requirePhone(request.params.phone));
        if (explanation) return explanationView(explanation);
        throw unknownContact(campaign);
      },
    );
  };
}
