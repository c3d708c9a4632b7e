import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { envelopeOf, idParams, messageResponse, pageOf, pageQuery } from "../schemas/page.ts";
import {
  phoneNumberAgentsBody,
  phoneNumberCreateBody,
  phoneNumberDetailResponse,
  phoneNumberPatchBody,
  phoneNumberResponse,
} from "../schemas/phone-numbers.ts";
import type { PhoneNumberPatch } from "../schemas/phone-numbers.ts";
import type { Organization } from "../state/organization.ts";
import type { PhoneNumberRecord } from "../state/phone-numbers.ts";
import { phoneNumberDetailView, phoneNumberView } from "../views/phone-number.ts";
import { agentOf } from "./agents.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.3; SIP connections and dispatch rules are in a file of their own. */
export function phoneNumberRoutes(core: Core): Routes {
  return async (app) => {
    await numberRoutes(core)(app);
    await agentsRoutes(core)(app);
  };
}

function numberRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/phone-numbers",
      {
        onRequest: requires("phone_numbers:write"),
        schema: { body: phoneNumberCreateBody, response: { 201: phoneNumberResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        checkAgents(organization, request.body);
        const record = organization.phoneNumbers.create(request.body);
        if (record === null) {
          throw conflict("Phone number is already registered");
        }
        reply.code(201).send(phoneNumberView(record, clock));
      },
    );

    app.get(
      "/v1/phone-numbers",
      {
        onRequest: requires("phone_numbers:read"),
        schema: { querystring: pageQuery(50, {}), response: { 200: envelopeOf(phoneNumberResponse) } },
      },
      (request, reply) => {
        reply.send(
          pageOf(organizationOf(request).phoneNumbers.all(), request.query.window, (record) =>
            phoneNumberView(record, clock),
          ),
        );
      },
    );

    app.get(
      "/v1/phone-numbers/:id",
      {
        onRequest: requires("phone_numbers:read"),
        schema: { params: idParams, response: { 200: phoneNumberDetailResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        reply.send(phoneNumberDetailView(numberOf(organization, request.params.id), organization, clock));
      },
    );

    app.patch(
      "/v1/phone-numbers/:id",
      {
        onRequest: requires("phone_numbers:write"),
        schema: {
          params: idParams,
          body: phoneNumberPatchBody,
          response: { 200: phoneNumberDetailResponse },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const record = numberOf(organization, request.params.id);
        checkAgents(organization, request.body);
        organization.phoneNumbers.patch(record, request.body);
        reply.send(phoneNumberDetailView(record, organization, clock));
      },
    );

    app.delete(
      "/v1/phone-numbers/:id",
      {
        onRequest: requires("phone_numbers:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        organization.phoneNumbers.remove(numberOf(organization, request.params.id));
        reply.send({ message: "Phone number deleted" });
      },
    );
  };
}

function agentsRoutes({ clock }: Core): Routes {
  return async (app) => {
    // The contract says PATCH, some clients PUT: what is left out stays in both.
    for (const method of ["PATCH", "PUT"] as const) {
      app.route({
        method,
        url: "/v1/phone-numbers/:id/agents",
        onRequest: requires("phone_numbers:write"),
        schema: {
          params: idParams,
          body: phoneNumberAgentsBody,
          response: { 200: phoneNumberDetailResponse },
        },
        handler: (request, reply) => {
          const organization = organizationOf(request);
          const record = numberOf(organization, request.params.id);
          checkAgents(organization, request.body);
          organization.phoneNumbers.patch(record, request.body);
          reply.send(phoneNumberDetailView(record, organization, clock));
        },
      });
    }
  };
}

/** Throws 404 unless the organization has the number. */
export function numberOf(organization: Organization, id: string): PhoneNumberRecord {
  const record = organization.phoneNumbers.find(id);
  if (record === null) {
    throw notFound("Phone number");
  }
  return record;
}

/** Throws 404 if a number is to be linked to an agent that is not there. */
function checkAgents(organization: Organization, links: PhoneNumberPatch): void {
  for (const id of [links.inbound_agent_id, links.outbound_agent_id]) {
    if (id !== null && id !== undefined) {
      agentOf(organization, id);
    }
  }
}
