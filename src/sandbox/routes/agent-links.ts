import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { linkedWorkflowResponse } from "../schemas/agents.ts";
import { idParams, messageResponse, rowsOf, wholeListQuery } from "../schemas/page.ts";
import { linkBody, linkQuery } from "../schemas/workflow-links.ts";
import { linkedWorkflowsOf, linkedWorkflowView } from "../views/agent-link.ts";
import { agentOf } from "./agents.ts";
import { linkFieldsOf } from "./workflow-links.ts";
import type { Routes } from "../route-scope.ts";

/** Where clients look for the workflows of an agent. */
const LIST_PATHS = [
  { path: "/v1/agents/:id/workflows", scope: "agents:read" },
  { path: "/v1/workflows/by-agent/:id", scope: "workflows:read" },
] as const;

const linkParams = z.object({ id: z.string().min(1), workflowId: z.string().min(1) });

/** Contract 4.1, the workflows of an agent. The same links are reached from the workflow's side (contract 4.5). */
export function agentLinkRoutes({ clock }: Core): Routes {
  return async (app) => {
    for (const { path, scope } of LIST_PATHS) {
      app.get(
        path,
        {
          onRequest: requires(scope),
          schema: {
            params: idParams,
            querystring: wholeListQuery({}),
            response: { 200: z.array(linkedWorkflowResponse) },
          },
        },
        (request, reply) => {
          const organization = organizationOf(request);
          const agent = agentOf(organization, request.params.id);
          const links = linkedWorkflowsOf(agent.id, organization);
          reply.send(
            rowsOf(links, request.query.window, (link) => linkedWorkflowView(link, organization, clock)),
          );
        },
      );
    }

    app.post(
      "/v1/agents/:id/workflows/:workflowId",
      {
        onRequest: requires("agents:write"),
        schema: {
          params: linkParams,
          querystring: linkQuery,
          body: linkBody,
          response: { 201: linkedWorkflowResponse },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = agentOf(organization, request.params.id);
        const workflow = organization.workflows.find(request.params.workflowId);
        if (workflow === null) {
          throw notFound("Workflow");
        }
        const fields = linkFieldsOf({ ...request.query, ...request.body });
        const link = organization.agentLinks.link(agent.id, workflow.id, fields);
        if (link === null) {
          throw conflict("The workflow is linked to this agent already");
        }
        reply.code(201).send(linkedWorkflowView(link, organization, clock));
      },
    );

    app.delete(
      "/v1/agents/:id/workflows/:workflowId",
      {
        onRequest: requires("agents:write"),
        schema: { params: linkParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = agentOf(organization, request.params.id);
        if (!organization.agentLinks.unlink(agent.id, request.params.workflowId)) {
          throw notFound("Link between agent and workflow");
        }
        reply.send({ message: "Workflow unlinked" });
      },
    );
  };
}
