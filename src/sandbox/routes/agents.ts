import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { agentCreateBody, agentPatchBody, agentResponse } from "../schemas/agents.ts";
import { envelopeOf, idParams, messageResponse, pageOf, pageQuery } from "../schemas/page.ts";
import type { AgentRecord } from "../state/agents.ts";
import type { Organization } from "../state/organization.ts";
import { agentView } from "../views/agent.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.1, the agents themselves. */
export function agentRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/agents",
      {
        onRequest: requires("agents:write"),
        schema: { body: agentCreateBody, response: { 201: agentResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = organization.agents.create(request.body);
        reply.code(201).send(agentView(agent, organization, clock, true));
      },
    );

    app.get(
      "/v1/agents",
      {
        onRequest: requires("agents:read"),
        schema: { querystring: pageQuery(50, {}), response: { 200: envelopeOf(agentResponse) } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        reply.send(
          pageOf(organization.agents.all(), request.query.window, (agent) =>
            agentView(agent, organization, clock, false),
          ),
        );
      },
    );

    app.get(
      "/v1/agents/:id",
      {
        onRequest: requires("agents:read"),
        schema: { params: idParams, response: { 200: agentResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        reply.send(agentView(agentOf(organization, request.params.id), organization, clock, true));
      },
    );

    app.patch(
      "/v1/agents/:id",
      {
        onRequest: requires("agents:write"),
        schema: { params: idParams, body: agentPatchBody, response: { 200: agentResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = agentOf(organization, request.params.id);
        organization.agents.patch(agent, request.body);
        reply.send(agentView(agent, organization, clock, true));
      },
    );

    app.delete(
      "/v1/agents/:id",
      {
        onRequest: requires("agents:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = agentOf(organization, request.params.id);
        organization.agents.remove(agent);
        organization.phoneNumbers.forgetAgent(agent.id);
        organization.agentLinks.forgetAgent(agent.id);
        reply.send({ message: "Agent deleted" });
      },
    );
  };
}

/** Throws 404 unless the organization has the agent. */
export function agentOf(organization: Organization, id: string): AgentRecord {
  const agent = organization.agents.find(id);
  if (agent === null) {
    throw notFound("Agent");
  }
  return agent;
}
