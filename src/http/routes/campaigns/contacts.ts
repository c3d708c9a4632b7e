import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { takerOfCampaign } from "../../../contacts/take-list.ts";
import type { Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { noteManyContacts } from "../../../ledger/ground/statistics.ts";
import type { HttpDeps } from "../../deps.ts";
import { digestQuery, letPass, listQuery, listUploadSchema, takeLists } from "../../list-upload.ts";
import { takeUpload, type UploadTaker } from "../../take-upload.ts";
import { importResultSchema } from "../../wire/campaigns.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { neverDialedView, rowsOf } from "./views.ts";

const uploadQuery = listQuery.extend(brandQuery.shape).extend(digestQuery.shape);

/** Taking lists of contacts. */
export function contactRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  const { db } = deps.ledger;
  return async (app) => {
    takeLists(app);
    app.post(
      "/v1/campaigns/:ref/contacts",
      {
        config: { requestKey: "list" },
        schema: {
          params: campaignParams,
          querystring: uploadQuery,
          ...listUploadSchema,
          response: { 200: importResultSchema },
        },
      },
      async (request) => {
        try {
          const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
          const { list, already } = await takeUpload(deps, request, request.query, uploadOf(deps, campaign));
          if (!already) {
            await noteManyContacts(db, list.rowsAccepted);
            // Contacts of a campaign that is running are there to be dialed now.
            deps.wake.campaign(campaign.id);
          }
          return {
            campaign_id: campaign.id,
            digest: list.digest,
            rows: rowsOf(list),
            never_dialed: neverDialedView(list),
            through_line: list.throughLine,
            already,
          };
        } finally {
          letPass(request);
        }
      },
    );
  };
}

function uploadOf({ ledger, now, dataKeys }: HttpDeps, { id, spec }: Campaign): UploadTaker {
  return {
    ...takerOfCampaign(ledger, id, { now, dataKeys }),
    owner: { campaignId: id },
    defaultRegion: spec.default_region,
    words: {
      people: "contacts",
      sameAgain: "mapping, region and format",
      partly:
        "Its rows so far are in the campaign, which does not start on a partial list: send the announced file again, or allow a partial list",
    },
  };
}
