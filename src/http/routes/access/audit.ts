import { z } from "zod";

import { brandNameSchema } from "../../../domain/ground/brand-name.ts";
import { listAudit, type AuditRow } from "../../../ledger/ground/audit-reading.ts";
import type { HttpDeps } from "../../deps.ts";
import { auditPageSchema, type AuditEntryWire } from "../../wire/access.ts";
import { isoOf } from "../../wire/instant.ts";
import { afterQuery, cutPage, numberIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

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
  after: afterQuery,
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** Who did what, when: the newest first. */
export function auditRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/audit",
      { schema: { querystring: pageQuery, response: { 200: auditPageSchema } } },
      async (request) => {
        const { since, until, actor, action, campaign, brand, after, limit } = request.query;
        const found = await listAudit(deps.ledger.db, {
          sinceMs: since === undefined ? undefined : Date.parse(since),
          untilMs: until === undefined ? undefined : Date.parse(until),
          actor,
          action,
          campaignId: campaign,
          brand,
          beforeId: numberIn(after),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(found, limit, ({ id }) => [id]);
        return { items: page.map(entryView), next_after };
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
