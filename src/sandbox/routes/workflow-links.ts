import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { idParams, messageResponse, rowsOf, wholeListQuery } from "../schemas/page.ts";
import {
  agentLinkResponse,
  linkBody,
  linkedAgentItem,
  linkParams,
  linkPatchBody,
  linkPatchQuery,
  linkQuery,
} from "../schemas/workflow-links.ts";
import type { LinkFields } from "../schemas/workflow-links.ts";
import type { AgentLink, AgentLinkFields } from "../state/agent-links.ts";
import { agentOf } from "./agents.ts";
import { workflowOf } from "./workflows.ts";
import type { Routes } from "../route-scope.ts";

const PATH = "/v1/workflows/:id/agents/:agent_id";

/** Contract 4.5: which agents a workflow works for. The same links as under an agent's path. */
export function workflowLinkRoutes(core: Core): Routes {
  return async (app) => {
    await linkRoutes(core)(app);
    await linkListRoute(core)(app);
  };
}

function linkRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      PATH,
      {
        onRequest: requires("workflows:write"),
        schema: {
          params: linkParams,
          querystring: linkQuery,
          body: linkBody,
          response: { 201: agentLinkResponse },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        const agent = agentOf(organization, request.params.agent_id);
        const fields = linkFieldsOf({ ...request.query, ...request.body });
        const link = organization.agentLinks.link(agent.id, workflow.id, fields);
        if (link === null) {
          throw conflict("The workflow is linked to the agent already");
        }
        reply.code(201).send(linkView(link, clock));
      },
    );

    app.patch(
      PATH,
      {
        onRequest: requires("workflows:write"),
        schema: {
          params: linkParams,
          querystring: linkPatchQuery,
          body: linkPatchBody,
          response: { 200: agentLinkResponse },
        },
      },
      (request, reply) => {
        const { agentLinks } = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        const changes = linkFieldsOf({ ...request.query, ...request.body });
        const link = agentLinks.patch(request.params.agent_id, workflow.id, changes);
        if (link === null) {
          throw notFound("Link");
        }
        reply.send(linkView(link, clock));
      },
    );

    app.delete(
      PATH,
      {
        onRequest: requires("workflows:write"),
        schema: { params: linkParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        if (!organizationOf(request).agentLinks.unlink(request.params.agent_id, workflow.id)) {
          throw notFound("Link");
        }
        reply.send({ message: "Agent unlinked" });
      },
    );
  };
}

function linkListRoute({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/workflows/:id/agents",
      {
        onRequest: requires("workflows:read"),
        schema: {
          params: idParams,
          querystring: wholeListQuery({}),
          response: { 200: z.array(linkedAgentItem) },
        },
      },
      (request, reply) => {
        const { agentLinks, agents } = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        reply.send(
          rowsOf(agentLinks.ofWorkflow(workflow.id), request.query.window, (link) => ({
            ...linkView(link, clock),
            agent_name: agents.find(link.agentId)?.fields.name ?? "",
          })),
        );
      },
    );
  };
}

/** Only what was given: a link keeps the rest. */
export function linkFieldsOf(body: LinkFields): Partial<AgentLinkFields> {
  const { trigger_condition_description: condition, priority, execution_mode_override: mode } = body;
  return {
    ...(condition === undefined ? {} : { triggerConditionDescription: condition }),
    ...(priority === undefined ? {} : { priority }),
    ...(mode === undefined ? {} : { executionModeOverride: mode }),
    ...(body.is_enabled === undefined ? {} : { isEnabled: body.is_enabled }),
  };
}

function linkView(link: AgentLink, clock: Clock): z.output<typeof agentLinkResponse> {
  return {
    workflow_id: link.workflowId,
    agent_id: link.agentId,
    trigger_condition_description: link.triggerConditionDescription,
    priority: link.priority,
    execution_mode_override: link.executionModeOverride,
    is_enabled: link.isEnabled,
    created_at: clock.iso(link.createdAt),
    updated_at: clock.iso(link.updatedAt),
  };
}
