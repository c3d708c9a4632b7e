import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { idParams, messageResponse, rowsOf, wholeListQuery } from "../schemas/page.ts";
import {
  dispatchRuleResponse,
  sipConnectionCreateBody,
  sipConnectionParams,
  sipConnectionPatchBody,
  sipConnectionResponse,
} from "../schemas/sip-connections.ts";
import type { SipConnectionRecord } from "../state/sip-connections.ts";
import { dispatchRulesOf, sipConnectionView } from "../views/sip-connection.ts";
import { numberOf } from "./phone-numbers.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.3, SIP connections and dispatch rules. They are parts of a number, and need its scopes. */
export function sipConnectionRoutes(core: Core): Routes {
  return async (app) => {
    await listRoutes(core)(app);
    await connectionRoutes(core)(app);
  };
}

function listRoutes({ clock, faults }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/phone-numbers/:id/sip-connections",
      {
        onRequest: requires("phone_numbers:write"),
        schema: { params: idParams, body: sipConnectionCreateBody, response: { 201: sipConnectionResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const number = numberOf(organization, request.params.id);
        const record = organization.phoneNumbers.sipConnections.create(number.id, request.body, faults);
        reply.code(201).send(sipConnectionView(record, organization, clock));
      },
    );

    app.get(
      "/v1/phone-numbers/:id/sip-connections",
      {
        onRequest: requires("phone_numbers:read"),
        schema: {
          params: idParams,
          querystring: wholeListQuery({}),
          response: { 200: z.array(sipConnectionResponse) },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const number = numberOf(organization, request.params.id);
        const connections = organization.phoneNumbers.sipConnections.of(number.id);
        reply.send(
          rowsOf(connections, request.query.window, (record) =>
            sipConnectionView(record, organization, clock),
          ),
        );
      },
    );

    app.get(
      "/v1/phone-numbers/:id/dispatch-rules",
      {
        onRequest: requires("phone_numbers:read"),
        schema: {
          params: idParams,
          querystring: wholeListQuery({}),
          response: { 200: z.array(dispatchRuleResponse) },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const rules = dispatchRulesOf(numberOf(organization, request.params.id), organization, clock);
        reply.send(rowsOf(rules, request.query.window, (rule) => rule));
      },
    );
  };
}

function connectionRoutes({ clock, faults }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/phone-numbers/:id/sip-connections/:connectionId",
      {
        onRequest: requires("phone_numbers:read"),
        schema: { params: sipConnectionParams, response: { 200: sipConnectionResponse } },
      },
      (request, reply) => {
        const record = connectionOf(request, request.params);
        reply.send(sipConnectionView(record, organizationOf(request), clock));
      },
    );

    app.patch(
      "/v1/phone-numbers/:id/sip-connections/:connectionId",
      {
        onRequest: requires("phone_numbers:write"),
        schema: {
          params: sipConnectionParams,
          body: sipConnectionPatchBody,
          response: { 200: sipConnectionResponse },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const record = connectionOf(request, request.params);
        organization.phoneNumbers.sipConnections.patch(record, request.body, faults);
        reply.send(sipConnectionView(record, organization, clock));
      },
    );

    app.delete(
      "/v1/phone-numbers/:id/sip-connections/:connectionId",
      {
        onRequest: requires("phone_numbers:delete"),
        schema: { params: sipConnectionParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        organizationOf(request).phoneNumbers.sipConnections.remove(connectionOf(request, request.params));
        reply.send({ message: "SIP connection deleted" });
      },
    );
  };
}

/** Throws 404 unless the organization has the number, and the number the connection. */
function connectionOf(
  request: FastifyRequest,
  { id, connectionId }: z.output<typeof sipConnectionParams>,
): SipConnectionRecord {
  const organization = organizationOf(request);
  const number = numberOf(organization, id);
  const record = organization.phoneNumbers.sipConnections.find(number.id, connectionId);
  if (record === null) {
    throw notFound("SIP connection");
  }
  return record;
}
