import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { brandNameSchema } from "../../../domain/ground/brand-name.ts";
import { listAudit, type AuditRow } from "../../../ledger/ground/audit-reading.ts";
import type { HttpDeps } from "../../deps.ts";
import { auditPageSchema, type AuditEntryWire } from "../../wire/access.ts";
import { isoOf } from "../../wire/instant.ts";

const pageQuery = z.strictObject({
  since: z.iso.datetime({ offset: true }).optional(),
  /** Before this moment. */
  until: z.iso.datetime({ offset: true }).optional(),
  /** As an entry names it; `token:crm` for a token, whomever it said that it acts for. */
  actor: z.string().min(1).max(200).optional(),
  action: z.string().min(1).max(100).optional(),
  /** A campaign's id. */
  campaign: z.uuid().optional(),
  brand: brandNameSchema.optional(),
  /** What the page before gave as `next_before_id`. */
  before_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Who did what, when: the newest first. */
export function auditRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      "/v1/audit",
      { schema: { querystring: pageQuery, response: { 200: auditPageSchema } } },
      async (request) => {
        const { since, until, actor, action, campaign, brand, before_id: beforeId, limit } = request.query;
        const found = await listAudit(deps.ledger.db, {
          sinceMs: since === undefined ? undefined : Date.parse(since),
          untilMs: until === undefined ? undefined : Date.parse(until),
          actor,
          action,
          campaignId: campaign,
          brand,
          beforeId,
          // One more than the page tells whether there is another.
          limit: limit + 1,
        });
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return { items: page.map(entryView), next_before_id: last?.id ?? null };
      },
    );
  };
}

function entryView({ id, atMs, actor, onBehalfOf, action, campaignId, detail }: AuditRow): AuditEntryWire {
  return {
    id,
    at: isoOf(atMs),
    actor,
    on_behalf_of: onBehalfOf ?? null,
    action,
    campaign_id: campaignId ?? null,
    detail,
  };
}
