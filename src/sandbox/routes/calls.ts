import type { FastifyRequest } from "fastify";
import type { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { callListItem, callResponse, callsQuery, callsResponse } from "../schemas/calls.ts";
import { idParams, messageResponse, pageOf } from "../schemas/page.ts";
import type { CallFilter, CallRecord } from "../state/calls.ts";
import type { Organization } from "../state/organization.ts";
import { callTypeOf } from "../views/call.ts";
import type { CallViews } from "../views/call.ts";
import { boundsOf } from "./period.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.2, what can be done with a call that is there. */
export function callRoutes({ clock, callRun, callViews }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/calls",
      {
        onRequest: requires("calls:read"),
        schema: { querystring: callsQuery, response: { 200: callsResponse } },
      },
      (request, reply) => {
        const calls = selectCalls(organizationOf(request), clock, callViews, request.query);
        reply.send(pageOf(calls, request.query.window, (call) => callViews.listed(call)));
      },
    );

    app.get(
      "/v1/calls/:id",
      {
        onRequest: requires("calls:read"),
        schema: { params: idParams, response: { 200: callResponse } },
      },
      (request, reply) => {
        reply.send(callViews.full(callOf(request, request.params.id)));
      },
    );

    app.post(
      "/v1/calls/:id/end",
      {
        onRequest: requires("calls:write"),
        schema: { params: idParams, response: { 200: callListItem } },
      },
      (request, reply) => {
        const call = callOf(request, request.params.id);
        if (call.phase === "ended") {
          throw conflict("Call is not active");
        }
        callRun.end(call);
        reply.send(callViews.listed(call));
      },
    );

    app.delete(
      "/v1/calls/:id",
      {
        onRequest: requires("calls:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const call = callOf(request, request.params.id);
        if (call.phase !== "ended") {
          throw conflict("An active call cannot be deleted");
        }
        call.organization.calls.remove(call);
        reply.send({ message: "Call deleted" });
      },
    );
  };
}

/** Throws 404 unless the caller's organization has the call. */
export function callOf(request: FastifyRequest, id: string): CallRecord {
  const call = organizationOf(request).calls.find(id);
  if (call === null) {
    throw notFound("Call");
  }
  return call;
}

type CallsQuery = z.output<typeof callsQuery>;

function selectCalls(
  organization: Organization,
  clock: Clock,
  views: CallViews,
  query: CallsQuery,
): CallRecord[] {
  const { calls, batches } = organization;
  const { fromMs: since, toMs: until } = boundsOf(clock, query);
  const fits = filterOf(since, until, views, query);
  const ofBatch = query.batch_call_id;
  if (ofBatch === undefined || ofBatch === "none" || ofBatch === "any") {
    return calls.select(since, fits);
  }
  // The calls of a batch outlive it.
  const batch = batches.findForgotten(ofBatch);
  return batch === null ? [] : calls.selectOf(batch, fits);
}

function filterOf(since: number, until: number, views: CallViews, query: CallsQuery): CallFilter {
  // `completed` is in the contract's filter example, among no call's statuses: read as what an ended call is.
  const status = query.status === "completed" ? "ended" : query.status;
  const { agent_id: agentId, call_type: type, batch_call_id: batch } = query;
  return (call) =>
    call.createdAt >= since &&
    call.createdAt <= until &&
    (agentId === undefined || call.agent.id === agentId) &&
    (type === undefined || isOfType(call, type)) &&
    (batch !== "none" || call.batch === null) &&
    (batch !== "any" || call.batch !== null) &&
    (status === undefined || views.statusWord(call) === status);
}

/** `phone` is a filter of both directions, and no call's own type. */
function isOfType(call: CallRecord, type: string): boolean {
  const own = callTypeOf(call);
  return type === "phone" ? own !== "web" : own === type;
}
