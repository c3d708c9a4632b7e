import { createHash, type Hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { openContacts } from "../../../contacts/read-contacts.ts";
import { findImport, takeChunks } from "../../../contacts/take-list.ts";
import type { Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { completeImport, type Import } from "../../../ledger/campaigns/imports.ts";
import { noteManyContacts } from "../../../ledger/ground/statistics.ts";
import type { HttpDeps } from "../../deps.ts";
import {
  bodyOf,
  formatOf,
  letPass,
  listQuery,
  readToEnd,
  takeLists,
  listUploadSchema,
} from "../../list-upload.ts";
import { keepKey } from "../../plugins/idempotency.ts";
import { Problem } from "../../problem.ts";
import { importResultSchema, type ImportResultWire } from "../../wire/campaigns.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { neverDialedView, rowsOf } from "./views.ts";

const uploadQuery = listQuery.extend(brandQuery.shape).extend({
  /** What makes it the same list again, and what shows that all of it arrived. */
  digest: z
    .string()
    .regex(/^[\da-f]{64}$/i, "must be the file's SHA-256, 64 hexadecimal digits")
    .transform((digest) => digest.toLowerCase()),
});

type Upload = z.output<typeof uploadQuery>;

/**
 * Taking lists. Each chunk is accepted for good once it is in the ledger; whatever cuts an upload off, the same
 * file again goes on behind the last accepted line.
 */
export function contactRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
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
          const campaign = await requireCampaign(deps.ledger.db, request.params.ref, request.query.brand);
          return await takeList(deps, campaign, request, request.query);
        } finally {
          letPass(request);
        }
      },
    );
  };
}

async function takeList(
  deps: HttpDeps,
  campaign: Campaign,
  request: FastifyRequest,
  upload: Upload,
): Promise<ImportResultWire> {
  const begun = await findImport(deps.ledger.db, campaign.id, upload.digest);
  const hash = createHash("sha256");
  const region = upload.default_region ?? campaign.spec.default_region;
  const opened = await openContacts(bodyOf(request, hash), {
    ...formatOf(request, upload.format),
    fileName: upload.source_name,
    map: upload.map,
    ...(region !== undefined && { defaultRegion: region }),
    ...(begun && { startAfterLine: begun.throughLine }),
  });
  const settings = { map: upload.map, default_region: region ?? null, format: opened.layout.format };
  try {
    if (begun) refuseOtherSettings(begun, settings);
    if (begun?.completedAtMs !== undefined) {
      await readToEnd(opened.chunks);
      checkDigest(hash, upload.digest, begun);
      return resultOf(campaign, begun, true);
    }
    const list = await takeChunks(
      deps.ledger,
      { campaignId: campaign.id, digest: upload.digest, sourceName: upload.source_name, settings },
      opened.chunks,
      { begun, now: deps.now, beforeEach: async () => keepKey(request) },
    );
    if (!list) throw noRows();
    checkDigest(hash, upload.digest, list);
    await completeImport(deps.ledger, { campaignId: campaign.id, importId: list.id, nowMs: deps.now() });
  } finally {
    await opened.chunks.return();
  }
  const done = await findImport(deps.ledger.db, campaign.id, upload.digest);
  if (!done) throw new Error("the import vanished when it was complete");
  await noteManyContacts(deps.ledger.db, done.rowsAccepted);
  // Contacts of a campaign that is running are there to be dialed now.
  deps.wake.campaign(campaign.id);
  return resultOf(campaign, done, false);
}

/** A list that is read in another way is another list: going on would mix the two. */
function refuseOtherSettings(begun: Import, settings: Record<string, unknown>): void {
  if (isDeepStrictEqual(begun.settings, settings)) return;
  throw new Problem({
    status: 409,
    code: "import_differs",
    detail:
      `the list ${begun.sourceName} was begun with other settings (${JSON.stringify(begun.settings)}, now ${JSON.stringify(settings)}): ` +
      "give the same mapping, region and format as then",
  });
}

function noRows(): Problem {
  return new Problem({
    status: 422,
    code: "invalid_list",
    detail: "the list has a header and no rows: add contacts to it",
    extra: { list_code: "no_rows" },
  });
}

function checkDigest(hash: Hash, expected: string, list: Import): void {
  const digest = hash.digest("hex");
  if (digest === expected) return;
  throw new Problem({
    status: 409,
    code: "digest_mismatch",
    detail:
      `the list ${list.sourceName} is not the announced one (SHA-256 ${digest}, announced ${expected}): it changed on the way, or while it was sent. ` +
      "Its rows so far are in the campaign, which does not start on a partial list: send the announced file again, or allow a partial list",
    extra: { digest },
  });
}

function resultOf(campaign: Campaign, list: Import, already: boolean): ImportResultWire {
  return {
    campaign_id: campaign.id,
    digest: list.digest,
    rows: rowsOf(list),
    never_dialed: neverDialedView(list),
    through_line: list.throughLine,
    already,
  };
}
