import { readCallerStates } from "../../../ledger/campaigns/caller-states.ts";
import type { HttpDeps } from "../../deps.ts";
import { callerIdsSchema } from "../../wire/caller-ids.ts";
import { isoOrNull } from "../../wire/instant.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

/** The numbers that a campaign calls from: how they do, what they may still call, and which of them rest. */
export function callerIdRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { db } = deps.ledger;
    app.get(
      "/v1/campaigns/:ref/caller-ids",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: callerIdsSchema } } },
      async (request) => {
        const { name, spec } = await requireCampaign(db, request.params.ref, request.query.brand);
        const states = await readCallerStates(db, spec, deps.now());
        return {
          name,
          items: states.map(({ number, lastHour, lastDay, newest, answered, left, ...at }) => ({
            number,
            last_hour: lastHour,
            last_day: lastDay,
            newest,
            answered,
            rests_until: isoOrNull(at.restsUntilMs),
            first_used_at: isoOrNull(at.firstUsedAtMs),
            left: left ?? null,
          })),
        };
      },
    );
  };
}
