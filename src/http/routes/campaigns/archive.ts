import { z } from "zod";

import { archiveCampaign, unarchiveCampaign } from "../../../ledger/campaigns/archiving.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { archiveResultSchema } from "../../wire/campaigns.ts";
import { isoOf } from "../../wire/instant.ts";
import { reasonText } from "../../wire/text.ts";
import { orRefusal } from "./commands.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const schema = {
  params: campaignParams,
  querystring: brandQuery,
  body: z.strictObject({ reason: reasonText("must say something, or be left out").optional() }),
  response: { 200: archiveResultSchema },
} as const;

/** Campaigns that are over leave the lists, and come back to them. */
export function archiveRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;

    app.post("/v1/campaigns/:ref/archive", { schema }, async (request) => {
      const { id } = await requireCampaign(db, request.params.ref, request.query.brand);
      const { reason } = request.body;
      const input = { campaignId: id, actor: actorOf(request), reason, nowMs: deps.now() };
      const atMs = await orRefusal(deps, id, () => archiveCampaign(deps.ledger, input));
      return { archived_at: isoOf(atMs) };
    });

    app.post("/v1/campaigns/:ref/unarchive", { schema }, async (request) => {
      const { id } = await requireCampaign(db, request.params.ref, request.query.brand);
      const { reason } = request.body;
      const input = { campaignId: id, actor: actorOf(request), reason, nowMs: deps.now() };
      await unarchiveCampaign(deps.ledger, input);
      return { archived_at: null };
    });
  };
}
