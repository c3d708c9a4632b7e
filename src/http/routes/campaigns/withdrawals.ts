import { z } from "zod";

import { withdraw } from "../../../commands/withdrawals.ts";
import { nationalHome } from "../../../contacts/phone-region.ts";
import { normalisePhone } from "../../../contacts/phone.ts";
import { MOST_WITHDRAWN } from "../../../ledger/campaigns/withdrawing.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { inFlightView } from "../../in-flight.ts";
import { Problem } from "../../problem.ts";
import type { FieldProblem } from "../../wire/problem.ts";
import { reasonText } from "../../wire/text.ts";
import { withdrawalSchema } from "../../wire/withdrawals.ts";
import { orRefusal } from "./commands.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const withdrawBody = z
  .strictObject({
    /** In any form that a list may have. */
    phones: z.array(z.string().min(1).max(40)).min(1).max(MOST_WITHDRAWN).optional(),
    /** Everybody who is not through yet, a thousand a request: again while the answer says `more`. */
    all_open: z.literal(true).optional(),
    reason: reasonText("is needed: it is kept with each of them"),
    /** The country of numbers without `+`; the campaign's own by default. */
    default_region: z.string().length(2).optional(),
  })
  .refine(({ phones, all_open }) => (phones === undefined) !== (all_open === undefined), {
    message: "must say either phones or all_open",
  });

const ABOUT =
  "Takes people out of a campaign and its callbacks while it goes on. Whoever waits is excluded as `withdrawn`; of whoever may be ringing the call ends by itself, and no other follows. Batches that may be dialing one of them are stopped. The same again changes nothing. Other campaigns, later runs and sequences may still call them: that is a suppression.";

/** Taking people out of one campaign. */
export function withdrawalRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    app.post(
      "/v1/campaigns/:ref/withdrawals",
      {
        schema: {
          description: ABOUT,
          params: campaignParams,
          querystring: brandQuery,
          body: withdrawBody,
          response: { 200: withdrawalSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const { phones, reason, default_region: region = campaign.spec.default_region } = request.body;
        const whom = phones ? { phones: readPhones(phones, region) } : ("everybody_open" as const);
        const done = await orRefusal(deps, campaign.id, () =>
          withdraw(deps, { campaignId: campaign.id, whom, reason, actor: actorOf(request) }),
        );
        return {
          excluded: done.excluded,
          ringing: done.inFlight,
          already: done.already,
          over: done.over,
          unknown: [...done.unknown],
          more: done.isLeft,
          stopped_batches: done.stoppedBatchIds.length,
          in_flight: inFlightView(done.inFlightNow),
        };
      },
    );
  };
}

/** @throws Problem 422 with every one that can't be read: half a list of people who are not to be called is no list */
function readPhones(texts: readonly string[], region: string | undefined): string[] {
  const home = region === undefined ? undefined : nationalHome(region);
  const errors: FieldProblem[] = [];
  const phones = texts.flatMap((text, index) => {
    const number = normalisePhone(text, home);
    if (number.ok) return [number.phone];
    errors.push({ field: `phones.${index}`, message: number.message });
    return [];
  });
  if (errors.length === 0) return phones;
  const told = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `nobody was withdrawn: ${told}`,
    errors,
  });
}
