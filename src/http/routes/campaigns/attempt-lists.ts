import { z } from "zod";

import { ATTEMPT_STAGES } from "../../../domain/campaigns/attempt-stage.ts";
import { BATCH_STATES } from "../../../domain/campaigns/batch-state.ts";
import { DISPOSITIONS } from "../../../domain/policy/disposition.ts";
import {
  findBatchOf,
  listAttempts,
  listAttemptsOfBatch,
  listBatches,
  type AttemptFilter,
  type AttemptPlace,
} from "../../../ledger/campaigns/attempt-listing.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { afterQuery, cursorOf, cutPage, limitQuery, readCursor } from "../../cursor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requirePhone } from "../../phone.ts";
import { unknownBatch } from "../../unknown.ts";
import { attemptPageSchema, batchDetailSchema, batchPageSchema } from "../../wire/campaigns/contacts.ts";
import { attemptView, batchDetailView, batchView } from "./contact-views.ts";
import { brandQuery, campaignParams, requireCampaign } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const baseQuery = z.strictObject({
  ...brandQuery.shape,
  disposition: z.enum(DISPOSITIONS).optional().describe("Only those that came to this."),
  phone: z.string().min(1).max(40).optional().describe("Only those to this number."),
  after: afterQuery,
  limit: limitQuery,
});

const attemptsQuery = baseQuery.extend({
  state: z.enum(ATTEMPT_STAGES).optional().describe("Only those in this state."),
});

const CALL_STATES = ["live", "ended"] as const;
const callsQuery = baseQuery.extend({
  state: z
    .enum(CALL_STATES)
    .optional()
    .describe("live: only those that are under way; ended: that are over."),
});

const batchesQuery = z.strictObject({
  ...brandQuery.shape,
  state: z.enum(BATCH_STATES).optional().describe("Only those in this state."),
  unsettled: z.stringbool().default(false).describe("Only those that are not settled."),
  after: afterQuery,
  limit: limitQuery,
});

const batchParams = campaignParams.extend({
  id: z.uuid({ error: "must be the id of a batch, as GET /v1/campaigns/{ref}/batches shows it" }),
});

/** When a batch was planned, its id, and an attempt of it; 0: behind all of them. */
const attemptPlaceSchema = z.tuple([z.int().min(0), z.uuid(), z.int().min(0)]);
const batchPlaceSchema = z.tuple([z.int().min(0), z.uuid()]);

/** Above the largest batch that is ever planned; what a recovery found may be larger. */
const ATTEMPTS_SHOWN = 1_000;

const FILTERED =
  "With a filter other than the number it is looked for among the next 2,500: such a page may have fewer items than its limit, or none, while next_after is not null. What is live is found at once.";

/** The calls of a campaign, whole or as attempts, and the batches in which they are made. */
export function attemptListRoutes(deps: HttpDeps): Routes {
  const { db } = deps.ledger;
  return async (app) => {
    app.get(
      "/v1/campaigns/:ref/attempts",
      {
        schema: {
          summary: "Lists every intended call of a campaign, the newest batches first, made or not.",
          description: FILTERED,
          params: campaignParams,
          querystring: attemptsQuery,
          response: { 200: attemptPageSchema },
        },
      },
      async (request) => {
        const { state } = request.query;
        return readPage(db, request, { stages: state === undefined ? undefined : [state] });
      },
    );

    app.get(
      "/v1/campaigns/:ref/calls",
      {
        schema: {
          summary:
            "Lists the calls of a campaign that are under way or count as dialed, the newest batches first.",
          description: FILTERED,
          params: campaignParams,
          querystring: callsQuery,
          response: { 200: attemptPageSchema },
        },
      },
      async (request) => {
        const { state } = request.query;
        return readPage(db, request, { stages: state === undefined ? CALL_STATES : [state] });
      },
    );

    app.get(
      "/v1/campaigns/:ref/batches",
      {
        schema: {
          summary: "Lists the batches of a campaign, the newest first.",
          params: campaignParams,
          querystring: batchesQuery,
          response: { 200: batchPageSchema },
        },
      },
      async (request) => {
        const { brand, state, unsettled, after, limit } = request.query;
        const campaign = await requireCampaign(db, request.params.ref, brand);
        const batches = await listBatches(db, campaign.id, {
          state,
          unsettled,
          after: after === undefined ? undefined : batchPlaceOf(after),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(batches, limit, ({ plannedAtMs, id }) => [plannedAtMs, id]);
        return { items: page.map(batchView), next_after };
      },
    );

    app.get(
      "/v1/campaigns/:ref/batches/:id",
      {
        schema: {
          summary: "Shows a batch, and what became of each of its people.",
          params: batchParams,
          querystring: brandQuery,
          response: { 200: batchDetailSchema },
        },
      },
      async (request) => {
        const campaign = await requireCampaign(db, request.params.ref, request.query.brand);
        const batch = await findBatchOf(db, campaign.id, request.params.id);
        if (!batch) throw unknownBatch(request.params.id, campaign);
        return batchDetailView(batch, await listAttemptsOfBatch(db, batch.id, ATTEMPTS_SHOWN));
      },
    );
  };
}

async function readPage(
  db: Db,
  { params, query }: { params: z.output<typeof campaignParams>; query: z.output<typeof baseQuery> },
  { stages }: Pick<AttemptFilter, "stages">,
): Promise<z.output<typeof attemptPageSchema>> {
  const { brand, disposition, phone, after, limit } = query;
  const campaign = await requireCampaign(db, params.ref, brand);
  const { attempts, lookedThrough } = await listAttempts(db, campaign.id, {
    filter: { stages, disposition, phone: phone === undefined ? undefined : requirePhone(phone) },
    after: after === undefined ? undefined : attemptPlaceOf(after),
    limit: limit + 1,
  });
  const { page, next_after } = cutPage(attempts, limit, (attempt) => [
    attempt.batchPlannedAtMs,
    attempt.batchId,
    attempt.id,
  ]);
  const looked = lookedThrough && [
    lookedThrough.batchPlannedAtMs,
    lookedThrough.batchId,
    lookedThrough.attemptId,
  ];
  return { items: page.map(attemptView), next_after: next_after ?? (looked ? cursorOf(looked) : null) };
}

function attemptPlaceOf(after: string): AttemptPlace {
  const [batchPlannedAtMs, batchId, attemptId] = readCursor(after, attemptPlaceSchema);
  return { batchPlannedAtMs, batchId, attemptId };
}

function batchPlaceOf(after: string): { plannedAtMs: number; id: string } {
  const [plannedAtMs, id] = readCursor(after, batchPlaceSchema);
  return { plannedAtMs, id };
}
