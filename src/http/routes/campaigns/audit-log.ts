import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { listAudit, type Audited } from "../../../ledger/campaigns/audit-log.ts";
import type { HttpDeps } from "../../deps.ts";
import { auditPageSchema, type AuditedWire } from "../../wire/audit.ts";
import { isoOf } from "../../wire/instant.ts";
import { requireCampaign } from "./lookup.ts";

const pageQuery = z.strictObject({
  /** A campaign's name or id. */
  campaign: z.string().min(1).max(100).optional(),
  /** Whose campaign a name is. */
  brand: z.string().min(1).max(100).default("default"),
  action: z
    .string()
    .regex(/^[a-z_]{1,50}(?:\.[a-z_]{1,50})?$/, "must be an action such as campaign.amend")
    .optional(),
  before_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

/** Who did what, and when. It only ever grows. */
export function auditRoutes({ ledger: { db } }: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/v1/audit",
      { schema: { querystring: pageQuery, response: { 200: auditPageSchema } } },
      async (request) => {
        const { campaign, brand, action, before_id: beforeId, limit } = request.query;
        const of = campaign === undefined ? undefined : await requireCampaign(db, campaign, brand);
        // One more than the page tells whether there is another.
        const found = await listAudit(db, { campaignId: of?.id, action, beforeId, limit: limit + 1 });
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return { items: page.map(auditedView), next_before_id: last?.id ?? null };
      },
    );
  };
}

function auditedView({
  id,
  atMs,
  actor,
  action,
  campaignId,
  campaign,
  run,
  brand,
  detail,
}: Audited): AuditedWire {
  const isOf = campaignId !== undefined && campaign !== undefined && run !== undefined && brand !== undefined;
  return {
    id,
    at: isoOf(atMs),
    actor,
    action,
    campaign: isOf ? { id: campaignId, name: campaign, run, brand } : null,
    detail,
  };
}
