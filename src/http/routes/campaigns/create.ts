import { z } from "zod";

import { readCampaignSpec, type SpecProblem } from "../../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import { createCampaign } from "../../../ledger/campaigns/campaign-specs.ts";
import { findCampaign, type Campaign } from "../../../ledger/campaigns/campaigns.ts";
import { actorOf } from "../../actor.ts";
import { requireBrand } from "../../caller.ts";
import { wordingWarnings } from "../../agent-wording.ts";
import { estimateIfPossible } from "../../cost-estimate.ts";
import { checkCaller } from "../../caller-check.ts";
import { requireOpenSource } from "../../contact-sources.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { Problem } from "../../problem.ts";
import { campaignCreatedSchema } from "../../wire/campaigns.ts";
import { campaignView } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

const createBody = z.strictObject({
  spec: z.unknown(),
  /** Makes the name's next run where its newest one is over. */
  new: z.boolean().default(false),
});

/** Writing a campaign down. Nothing dials before it is started. */
export function createRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/campaigns",
      { schema: { body: createBody, response: { 201: campaignCreatedSchema } } },
      async (request, reply) => {
        const reading = readCampaignSpec(request.body.spec);
        if (!reading.ok) throw invalidSpec(reading.problems);
        const { spec } = reading;
        requireBrand(request, spec.brand);
        requireOpenSource(request, spec.contacts);
        refuseExisting(await findCampaign(deps.ledger.db, spec.brand, spec.name), request.body.new);
        await checkCaller(deps.platform, spec);
        const warnings = [
          ...(await warningsFor(deps, spec, [spec.brand])),
          ...(await wordingWarnings(deps.platform, spec)),
        ];
        const actor = actorOf(request);
        const campaign = await deps.ledger.transaction(async (tx) => {
          const created = await createCampaign(tx, { spec, actor, nowMs: deps.now() });
          // Somebody else may have been quicker, to the end even: a new run is only made where it was asked for.
          if (created.run > 1 && !request.body.new) throw existing(created);
          return created;
        });
        const view = campaignView(campaign, [], { heldSlots: 0, liveBatches: 0 });
        return reply
          .code(201)
          .send({ ...view, warnings, estimate: await estimateIfPossible(deps, campaign) });
      },
    );
  };
}

/** Every problem of a spec at once. */
export function invalidSpec(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the campaign's spec has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}

function refuseExisting(newest: Campaign | undefined, isNew: boolean): void {
  if (newest && !(isNew && isOver(newest.state))) throw existing(newest);
}

/** It is there already. */
export function existing({ id, name, run, state }: Campaign): Problem {
  const remedy = isOver(state)
    ? "ask for a new run, or choose another name"
    : "carry on with it, amend it, or cancel it before a new run";
  return new Problem({
    status: 409,
    code: "campaign_exists",
    detail: `campaign "${name}" exists and is ${state} (run ${run}): ${remedy}`,
    extra: { campaign_id: id, run, state },
  });
}
