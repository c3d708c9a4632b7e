import { z } from "zod";

import {
  MOST_ZONE_HOLDS,
  readTimeline,
  readZoneHolds,
  type Bucket,
} from "../../../ledger/campaigns/timeline.ts";
import type { HttpDeps } from "../../deps.ts";
import { localTimes } from "../../local-times.ts";
import { timelineSchema, zoneHoldsSchema } from "../../wire/campaigns/timeline.ts";
import { isoOf } from "../../wire/instant.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import { shareAnswers } from "./shared-answers.ts";
import { holdEnd } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

/** What fits on a screen. */
const BUCKETS = 60;
const MINUTE_MS = 60_000;

/**
 * Minutes, so that a part is one or six of them. Of a longer stretch every call would be read, of which a campaign has
 * hundreds of thousands a day.
 */
const STRETCHES = ["60", "360"] as const;

/** For all who ask, by how much a part shows of it. */
const KEPT_MS: Record<(typeof STRETCHES)[number], number> = { "60": 10_000, "360": 30_000 };

interface Stretch {
  fromMs: number;
  untilMs: number;
  buckets: Bucket[];
}

const timelineQuery = brandQuery.extend({
  minutes: z.enum(STRETCHES).default("60").describe(`So many minutes, up to now, in ${BUCKETS} parts.`),
});

/** How a campaign's calls went over the last hours, and what keeps whom from being called now. */
export function timelineRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  const stretches = shareAnswers<Stretch>();
  const read = async (campaignId: string, bucketMs: number): Promise<Stretch> => {
    // Parts begin at whole minutes, so that the same call stands in the same part when it is asked again.
    const untilMs = Math.ceil(deps.now() / MINUTE_MS) * MINUTE_MS;
    const fromMs = untilMs - BUCKETS * bucketMs;
    return { fromMs, untilMs, buckets: await readTimeline(db, { campaignId, fromMs, untilMs, bucketMs }) };
  };
  return async (app) => {
    app.get(
      "/v1/campaigns/:ref/timeline",
      { schema: { params: campaignParams, querystring: timelineQuery, response: { 200: timelineSchema } } },
      async (request) => {
        const { id, spec } = await requireCampaign(db, request.params.ref, request.query.brand);
        const { minutes } = request.query;
        const bucketMs = (Number(minutes) / BUCKETS) * MINUTE_MS;
        const stretch = await stretches.of(`${id} ${minutes}`, KEPT_MS[minutes], () => read(id, bucketMs));
        const { fromMs, untilMs, buckets } = stretch;
        return {
          from: isoOf(fromMs),
          until: isoOf(untilMs),
          bucket_seconds: bucketMs / 1_000,
          concurrency: spec.concurrency,
          buckets: buckets.map(({ fromMs: from, ...counts }) => ({ from: isoOf(from), ...counts })),
        };
      },
    );

    app.get(
      "/v1/campaigns/:ref/holds",
      { schema: { params: campaignParams, querystring: brandQuery, response: { 200: zoneHoldsSchema } } },
      async (request) => {
        const { id } = await requireCampaign(db, request.params.ref, request.query.brand);
        const nowMs = deps.now();
        const holds = await readZoneHolds(db, id);
        return {
          at: isoOf(nowMs),
          items: holds.map(({ zones, places, reason, detail, sinceMs }) => ({
            zones,
            places,
            reason,
            detail,
            since: isoOf(sinceMs),
            until: holdEnd(detail),
            local: localTimes(nowMs, zones),
          })),
          more: holds.length === MOST_ZONE_HOLDS,
        };
      },
    );
  };
}
