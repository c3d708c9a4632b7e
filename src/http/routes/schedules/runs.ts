import { randomUUID } from "node:crypto";

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
import { afterQuery, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const runsQuery = z.object({
  state: scheduleRunState.optional(),
  after: afterQuery,
  limit: limitQuery,
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
export function scheduleRunRoutes(deps: HttpDeps): Routes {
  const { ledger } = deps;
  return async (app) => {
    app.get(
      "/v1/schedules/:name/runs",
      {
        schema: { params: scheduleParams, querystring: runsQuery, response: { 200: scheduleRunPageSchema } },
      },
      async (request) => {
        const schedule = await requireSchedule(ledger.db, request.params.name);
        const { state, after, limit } = request.query;
        const filter = { state, ...timePlaceIn(after), limit: limit + 1 };
        const { items, total } = await listRuns(ledger.db, schedule.id, filter);
        const { page, next_after } = cutPage(items, limit, ({ dueAtMs, id }) => [dueAtMs, id]);
        return { items: page.map(runView), total, next_after };
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
