import { randomUUID } from "node:crypto";

import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { listRuns } from "../../../ledger/schedules/schedule-runs.ts";
import { backfill, runNow } from "../../../ledger/schedules/schedule-commands.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import {
  scheduleBackfillSchema,
  scheduleRunPageSchema,
  scheduleRunSchema,
  scheduleRunState,
} from "../../wire/schedules.ts";
import { aboutSchedule, requireSchedule, scheduleParams } from "./lookup.ts";
import { runView } from "./views.ts";

const runsQuery = z.object({
  state: scheduleRunState.optional(),
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const runBody = z
  .strictObject({
    /** Names this giving of the command: the same id again is the same run. */
    command_id: z.string().min(1).max(100).optional(),
  })
  .default({});

const moment = z.iso.datetime({
  offset: true,
  error: "must be an ISO 8601 time with offset such as 2026-12-01T09:00:00Z",
});

const backfillBody = z
  .strictObject({ from: moment, to: moment })
  .refine(({ from, to }) => !(Date.parse(from) > Date.parse(to)), {
    message: "must not be before from",
    path: ["to"],
  });

/** Runs of a schedule: those that there were, one now, and those of the past that did not happen. */
export function scheduleRunRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  const { ledger } = deps;
  return async (app) => {
    app.get(
      "/v1/schedules/:name/runs",
      {
        schema: { params: scheduleParams, querystring: runsQuery, response: { 200: scheduleRunPageSchema } },
      },
      async (request) => {
        const schedule = await requireSchedule(ledger.db, request.params.name);
        const { items, total } = await listRuns(ledger.db, schedule.id, request.query);
        const { skip, limit } = request.query;
        return { items: items.map(runView), total, skip, limit };
      },
    );

    app.post(
      "/v1/schedules/:name/run",
      { schema: { params: scheduleParams, body: runBody, response: { 200: scheduleRunSchema } } },
      async (request) => {
        const { name } = request.params;
        const { command_id: commandId = randomUUID() } = request.body;
        const input = { name, commandId, actor: actorOf(request), nowMs: deps.now() };
        const run = await aboutSchedule(ledger, (tx) => runNow(tx, input));
        deps.outbox.kick();
        return runView(run);
      },
    );

    app.post(
      "/v1/schedules/:name/backfill",
      { schema: { params: scheduleParams, body: backfillBody, response: { 200: scheduleBackfillSchema } } },
      async (request) => {
        const { name } = request.params;
        const { from, to } = request.body;
        const input = {
          name,
          fromMs: Date.parse(from),
          toMs: Date.parse(to),
          actor: actorOf(request),
          nowMs: deps.now(),
        };
        const { runs, already } = await aboutSchedule(ledger, (tx) => backfill(tx, input));
        deps.outbox.kick();
        return { runs: runs.map(runView), already };
      },
    );
  };
}
