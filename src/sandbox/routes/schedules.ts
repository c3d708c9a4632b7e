import type { FastifyRequest } from "fastify";
import type { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, unprocessable } from "../errors.ts";
import type { ApiError } from "../errors.ts";
import { idParams, messageResponse, rowsOf, wholeListQuery } from "../schemas/page.ts";
import type { PageAsked } from "../schemas/page.ts";
import {
  scheduleBody,
  scheduledWorkflows,
  scheduleList,
  scheduleQuery,
  scheduleStatusResponse,
} from "../schemas/schedules.ts";
import { isZone } from "../state/cron-times.ts";
import { nextAfter } from "../state/schedules.ts";
import type { Recurrence } from "../state/schedules.ts";
import { scheduleView } from "../views/schedules.ts";
import { workflowOf } from "./workflows.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.5: workflows that run by the calendar. */
export function scheduleRoutes(core: Core): Routes {
  return async (app) => {
    await scheduleRecordRoutes(core)(app);
    await scheduleListRoutes(core)(app);
  };
}

function scheduleRecordRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/:id/schedule",
      {
        onRequest: requires("workflows:write"),
        schema: {
          params: idParams,
          body: scheduleBody,
          querystring: scheduleQuery,
          response: { 200: scheduleStatusResponse },
        },
      },
      (request, reply) => {
        const { schedules } = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        const settings = { ...request.query, ...given(request.body ?? {}) };
        const recurrence = recurrenceOf(settings);
        if (workflow.triggerType !== "schedule") {
          throw conflict(`A workflow with trigger_type ${workflow.triggerType} cannot be scheduled`);
        }
        if (!schedules.set(workflow.id, recurrence)) {
          throw neverDue();
        }
        workflow.triggerConfig = { ...workflow.triggerConfig, ...configOf(recurrence) };
        reply.send(scheduleView(workflow, schedules, clock));
      },
    );

    app.get(
      "/v1/workflows/:id/schedule",
      {
        onRequest: requires("workflows:read"),
        schema: { params: idParams, response: { 200: scheduleStatusResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        reply.send(scheduleView(workflow, organizationOf(request).schedules, clock));
      },
    );

    app.delete(
      "/v1/workflows/:id/schedule",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        if (!organizationOf(request).schedules.remove(workflow.id)) {
          throw notFound("Schedule");
        }
        reply.send({ message: "Schedule removed" });
      },
    );
  };
}

function scheduleListRoutes({ clock }: Core): Routes {
  return async (app) => {
    const onRequest = requires("workflows:read");

    app.get(
      "/v1/workflows/schedules",
      { onRequest, schema: { querystring: wholeListQuery({}), response: { 200: scheduleList } } },
      (request, reply) => {
        reply.send(schedulesOf(request, request.query.window, clock));
      },
    );

    // Where published clients ask; what they read is no bare list.
    app.get(
      "/v1/workflows/schedules/all",
      { onRequest, schema: { querystring: wholeListQuery({}), response: { 200: scheduledWorkflows } } },
      (request, reply) => {
        const { schedules } = organizationOf(request);
        reply.send({
          total: schedules.all().length,
          scheduled_workflows: schedulesOf(request, request.query.window, clock),
        });
      },
    );
  };
}

function schedulesOf(request: FastifyRequest, window: PageAsked, clock: Clock) {
  const { schedules, workflows } = organizationOf(request);
  const scheduled = schedules.all().flatMap(({ workflowId }) => workflows.find(workflowId) ?? []);
  return rowsOf(scheduled, window, (workflow) => scheduleView(workflow, schedules, clock));
}

type Settings = NonNullable<z.output<typeof scheduleBody>>;

/** What is said, without what is null. */
function given(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Throws 422 unless the settings say one way of recurring. */
function recurrenceOf(settings: Settings): Recurrence {
  const { cron, interval_minutes: intervalMinutes, timezone = "UTC" } = settings;
  const zone = timezone ?? "UTC";
  if (!isZone(zone)) {
    throw unprocessable(["body", "timezone"], `No such time zone: ${zone}`, "value_error");
  }
  if (typeof intervalMinutes === "number" && typeof cron !== "string") {
    return { kind: "interval", intervalMinutes, timezone: zone };
  }
  if (typeof cron !== "string" || typeof intervalMinutes === "number") {
    throw unprocessable(["body"], "Give either cron or interval_minutes", "value_error");
  }
  const recurrence: Recurrence = { kind: "cron", cron, timezone: zone };
  if (!isCron(recurrence)) {
    throw neverDue();
  }
  return recurrence;
}

function neverDue(): ApiError {
  const message = "Must be a cron expression of five fields that comes due some day";
  return unprocessable(["body", "cron"], message, "value_error");
}

function isCron(recurrence: Recurrence): boolean {
  try {
    nextAfter(recurrence, 0);
    return true;
  } catch {
    // croner throws for what is no expression.
    return false;
  }
}

function configOf(recurrence: Recurrence): Record<string, unknown> {
  const { timezone } = recurrence;
  return recurrence.kind === "cron"
    ? { cron: recurrence.cron, interval_minutes: null, timezone }
    : { cron: null, interval_minutes: recurrence.intervalMinutes, timezone };
}
