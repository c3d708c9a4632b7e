import { z } from "zod";

import { readCampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import type { Answer } from "../../../domain/campaigns/amendment-effects.ts";
import { previewAmendment, type PreviewPart } from "../../../ledger/campaigns/amendment-preview.ts";
import { amendmentOf } from "../../../ledger/campaigns/commands.ts";
import type { HttpDeps } from "../../deps.ts";
import { amendmentPreviewSchema, type AmendmentPreviewWire } from "../../wire/amendments.ts";
import { isoOf } from "../../wire/instant.ts";
import { orRefusal, refuseFixedFields } from "./commands.ts";
import { invalidSpec } from "./create.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const ABOUT =
  "What an amendment would do, by counts and a few numbers each: who would be excluded, wait, or be called, and was not, or was, before; and which batches would be stopped. Changes nothing. It is true of the moment: give its policy_version as if_version with the amendment.";

/** What `amend` would do. */
export function amendmentPreviewRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    app.post(
      "/v1/campaigns/:ref/amend/preview",
      {
        // It only looks: what was seen before is no answer to what is asked now.
        config: { requestKey: "own" },
        schema: {
          description: ABOUT,
          params: campaignParams,
          querystring: brandQuery,
          body: z.strictObject({ spec: z.unknown() }),
          response: { 200: amendmentPreviewSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const reading = readCampaignSpec(request.body.spec);
        if (!reading.ok) throw invalidSpec(reading.problems);
        const { spec } = reading;
        refuseFixedFields(campaign, spec);
        const differences = await orRefusal(deps, campaign.id, async () => amendmentOf(campaign, spec));
        const nowMs = deps.now();
        const { dialByMarginMs, openAttemptWaitMs } = deps.pace;
        const pace = { dialByMarginMs, openAttemptWaitMs };
        const parts = await previewAmendment(db, { campaign, spec, pace, nowMs });
        return {
          policy_version: campaign.policyVersion,
          at: isoOf(nowMs),
          differences: differences.map(({ field, before, after }) => ({ field, before, after })),
          parts: parts.map(partView),
        };
      },
    );
  };
}

function partView(part: PreviewPart): AmendmentPreviewWire["parts"][number] {
  const { open, asked } = part;
  return {
    campaign_id: part.campaignId,
    name: part.name,
    callbacks: part.isCallbacks,
    open,
    asked,
    one_in: part.oneIn,
    unchanged: part.unchanged,
    effects: part.effects.map(({ before, after, contacts, untilMs, samples }) => ({
      before: answerView(before),
      after: answerView(after),
      contacts,
      contacts_in_all: part.oneIn === 1 ? contacts : Math.round((contacts * open) / asked),
      until: untilMs ? { first: isoOf(untilMs.first), last: isoOf(untilMs.last) } : null,
      samples,
    })),
    stopped: part.stopped,
  };
}

function answerView(answer: Answer): AmendmentPreviewWire["parts"][number]["effects"][number]["before"] {
  return { kind: answer.kind, reason: answer.kind === "called" ? null : answer.reason };
}
