import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { takeImports } from "../imports.ts";
import { agentExport, agentResponse, agentVersionResponse, publishQuery } from "../schemas/agents.ts";
import { idParams, rowsOf, wholeListQuery } from "../schemas/page.ts";
import { agentView, exportOf, versionsOf } from "../views/agent.ts";
import { agentOf } from "./agents.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.1: versions, publishing, and configurations that travel. */
export function agentVersionRoutes(core: Core): Routes {
  const { clock } = core;
  return async (app) => {
    app.post(
      "/v1/agents/:id/publish",
      {
        onRequest: requires("agents:write"),
        schema: { params: idParams, querystring: publishQuery, response: { 200: agentResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = agentOf(organization, request.params.id);
        if (!organization.agents.publish(agent, request.query.version)) {
          throw notFound(`Version ${request.query.version} of the agent`);
        }
        reply.send(agentView(agent, organization, clock, true));
      },
    );

    app.get(
      "/v1/agents/:id/versions",
      {
        onRequest: requires("agents:read"),
        schema: {
          params: idParams,
          querystring: wholeListQuery({}),
          response: { 200: z.array(agentVersionResponse) },
        },
      },
      (request, reply) => {
        const versions = versionsOf(agentOf(organizationOf(request), request.params.id), clock);
        reply.send(rowsOf(versions, request.query.window, (version) => version));
      },
    );

    app.get(
      "/v1/agents/:id/export",
      {
        onRequest: requires("agents:read"),
        schema: { params: idParams, response: { 200: agentExport } },
      },
      (request, reply) => {
        reply.send(exportOf(agentOf(organizationOf(request), request.params.id)));
      },
    );

    await app.register(importRoute(core));
  };
}

function importRoute({ clock }: Core): FastifyPluginAsyncZod {
  return async (app) => {
    await takeImports(app);

    app.post(
      "/v1/agents/import",
      {
        onRequest: requires("agents:write"),
        schema: { body: agentExport, response: { 201: agentResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = organization.agents.create(request.body.agent);
        reply.code(201).send(agentView(agent, organization, clock, true));
      },
    );
  };
}
