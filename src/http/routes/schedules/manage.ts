import { z } from "zod";

import { brandOfSchedule, readScheduleDefinition } from "../../../domain/schedules/schedule.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { listLastRuns } from "../../../ledger/schedules/schedule-runs.ts";
import {
  pauseSchedule,
  putSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../../ledger/schedules/schedule-changes.ts";
import { keepAgain, listSchedules, type Schedule } from "../../../ledger/schedules/schedules.ts";
import { actorOf } from "../../actor.ts";
import { ofBrands } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import { isoOf } from "../../wire/instant.ts";
import {
  scheduleListSchema,
  scheduleNextSchema,
  schedulePutSchema,
  scheduleSchemaOut,
  scheduleViewSchema,
} from "../../wire/schedules.ts";
import { ofBrandQuery, reasonText } from "../../wire/text.ts";
import { aboutSchedule, requireSchedule, scheduleParams } from "./lookup.ts";
import { ownSchedules, requireOwnSchedule } from "./own.ts";
import { unsourcedWarnings } from "./unsourced.ts";
import { nextOf, scheduleView } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

const putBody = z.strictObject({ definition: z.unknown() });

const reasonBody = z
  .strictObject({ reason: reasonText("must say something, or be left out").optional() })
  .default({});

const nextQuery = z.object({ count: z.coerce.number().int().min(1).max(1_000).default(10) });

/** Of each schedule in a list. */
const NEXT_SHOWN = 3;

const COMMANDS = { pause: pauseSchedule, resume: resumeSchedule, repair: keepAgain } as const;

/** Declaring schedules, and pausing, resuming and removing them. Workflows and the platform follow within seconds. */
export function scheduleRoutes(deps: HttpDeps): Routes {
  const { ledger } = deps;
  const show = async (schedule: Schedule) => {
    const last = (await listLastRuns(ledger.db)).find(({ scheduleId }) => scheduleId === schedule.id);
    return {
      ...scheduleView(schedule),
      next: nextOf(schedule, deps.now(), NEXT_SHOWN),
      last_run: last ? { state: last.state, due_at: isoOf(last.dueAtMs) } : null,
    };
  };
  return async (app) => {
    app.put(
      "/v1/schedules",
      { config: { etag: "heeded" }, schema: { body: putBody, response: { 200: schedulePutSchema } } },
      async (request) => {
        const reading = readScheduleDefinition(request.body.definition);
        if (!reading.ok) throw invalidSchedule(reading.problems);
        const { definition } = reading;
        requireOwnSchedule(request, definition);
        const requireOwn = ownSchedules(request);
        const requireSeen = requiredBy(request, `schedule ${definition.name}`);
        const input = { definition, requireOwn, requireSeen, actor: actorOf(request), nowMs: deps.now() };
        const { schedule, change } = await ledger.transaction((tx) => putSchedule(tx, input));
        deps.outbox.kick();
        const brand = brandOfSchedule(definition);
        const warnings = [
          ...(await unsourcedWarnings(ledger.db, definition, deps.now())),
          ...(await warningsFor(deps, definition, brand === undefined ? "every" : [brand])),
        ];
        return { ...scheduleView(schedule), change, warnings };
      },
    );

    app.get(
      "/v1/schedules",
      { schema: { querystring: ofBrandQuery, response: { 200: scheduleListSchema } } },
      async (request) => {
        const last = new Map((await listLastRuns(ledger.db)).map((run) => [run.scheduleId, run]));
        const of = ofBrands(request, request.query.brand);
        const schedules = await listSchedules(ledger.db, of);
        return {
          items: schedules.map((schedule) => {
            const run = last.get(schedule.id);
            return {
              ...scheduleView(schedule),
              next: nextOf(schedule, deps.now(), NEXT_SHOWN),
              last_run: run ? { state: run.state, due_at: isoOf(run.dueAtMs) } : null,
            };
          }),
        };
      },
    );

    app.get(
      "/v1/schedules/:name",
      {
        config: { etag: "shown" },
        schema: { params: scheduleParams, response: { 200: scheduleSchemaOut } },
      },
      async (request) => {
        const schedule = await requireSchedule(ledger.db, request.params.name);
        showsEdited(request, schedule.state === "removed" ? undefined : schedule.definition);
        return show(schedule);
      },
    );

    app.get(
      "/v1/schedules/:name/next",
      { schema: { params: scheduleParams, querystring: nextQuery, response: { 200: scheduleNextSchema } } },
      async (request) => {
        const schedule = await requireSchedule(ledger.db, request.params.name);
        return { items: nextOf(schedule, deps.now(), request.query.count) };
      },
    );

    for (const command of ["pause", "resume", "repair"] as const) {
      app.post(
        `/v1/schedules/:name/${command}`,
        { schema: { params: scheduleParams, body: reasonBody, response: { 200: scheduleSchemaOut } } },
        async (request) => {
          const { name } = request.params;
          const { reason } = request.body;
          const input = { name, actor: actorOf(request), reason, nowMs: deps.now() };
          await aboutSchedule(ledger, (tx) => COMMANDS[command](tx, input));
          deps.outbox.kick();
          return show(await requireSchedule(ledger.db, name));
        },
      );
    }

    app.delete(
      "/v1/schedules/:name",
      { schema: { params: scheduleParams, response: { 200: scheduleViewSchema } } },
      async (request) => {
        const { name } = request.params;
        const input = { name, actor: actorOf(request), reason: undefined, nowMs: deps.now() };
        const removed = await aboutSchedule(ledger, (tx) => removeSchedule(tx, input));
        deps.outbox.kick();
        return scheduleView(removed);
      },
    );
  };
}

function invalidSchedule(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the schedule has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}
