import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, unprocessable } from "../errors.ts";
import { takeImports } from "../imports.ts";
import { idParams, messageResponse, rowsOf } from "../schemas/page.ts";
import {
  exportedWorkflow,
  workflowCreateBody,
  workflowCreateResponse,
  workflowDetailResponse,
  workflowPatchBody,
  workflowPatchResponse,
  workflowResponse,
  workflowsQuery,
  workflowsResponse,
} from "../schemas/workflows.ts";
import type { WorkflowPatch } from "../schemas/workflows.ts";
import type { Organization } from "../state/organization.ts";
import type { WorkflowEvent } from "../state/workflow-status.ts";
import type { WorkflowRecord } from "../state/workflows.ts";
import { exportedView, workflowDetailView, workflowView } from "../views/workflows.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.5, the records. */
export function workflowRoutes(core: Core): Routes {
  return async (app) => {
    await workflowRecordRoutes(core)(app);
    await workflowChangeRoutes()(app);
    await app.register(workflowPortRoutes(core));
  };
}

function workflowRecordRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows",
      {
        onRequest: requires("workflows:write"),
        schema: { body: workflowCreateBody, response: { 201: workflowCreateResponse } },
      },
      (request, reply) => {
        const { workflow_json: json, ...input } = request.body;
        const { id, name, triggerType, status } = organizationOf(request).workflows.create(
          input,
          json,
          "created",
          null,
        );
        const message = "Workflow created";
        reply.code(201).send({ workflow_id: id, name, trigger_type: triggerType, status, message });
      },
    );

    app.get(
      "/v1/workflows",
      {
        onRequest: requires("workflows:read"),
        schema: { querystring: workflowsQuery, response: { 200: workflowsResponse } },
      },
      (request, reply) => {
        const { window } = request.query;
        const { workflows } = organizationOf(request);
        const found = selectWorkflows(organizationOf(request), request.query);
        const countsRows = request.query.skip !== undefined || request.query.limit !== undefined;
        reply.send({
          items: rowsOf(found, window, (one) => workflowView(one, workflows, clock)),
          total: found.length,
          page: Math.floor(window.skip / window.limit) + 1,
          per_page: window.limit,
          ...(countsRows ? { skip: window.skip, limit: window.limit } : {}),
        });
      },
    );

    app.get(
      "/v1/workflows/:id",
      {
        onRequest: requires("workflows:read"),
        schema: { params: idParams, response: { 200: workflowDetailResponse } },
      },
      (request, reply) => {
        const { workflows } = organizationOf(request);
        reply.send(workflowDetailView(workflowOf(request, request.params.id), workflows, clock));
      },
    );
  };
}

function workflowChangeRoutes(): Routes {
  return async (app) => {
    app.patch(
      "/v1/workflows/:id",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, body: workflowPatchBody, response: { 200: workflowPatchResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        patchWorkflow(organizationOf(request), workflow, request.body);
        const { id, status } = workflow;
        reply.send({
          status: "updated",
          workflow_id: id,
          workflow_status: status,
          is_active: status === "active",
        });
      },
    );

    app.delete(
      "/v1/workflows/:id",
      {
        onRequest: requires("workflows:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        const { workflows, schedules, agentLinks } = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        workflows.remove(workflow);
        schedules.remove(workflow.id);
        agentLinks.forgetWorkflow(workflow.id);
        reply.send({ message: "Workflow deleted" });
      },
    );
  };
}

/** Out of one organization and into another. */
function workflowPortRoutes({ clock }: Core): FastifyPluginAsyncZod {
  return async (app) => {
    await takeImports(app);

    app.get(
      "/v1/workflows/:id/export",
      {
        onRequest: requires("workflows:read"),
        schema: { params: idParams, response: { 200: exportedWorkflow } },
      },
      (request, reply) => {
        reply.send(exportedView(workflowOf(request, request.params.id)));
      },
    );

    app.post(
      "/v1/workflows/import",
      {
        onRequest: requires("workflows:write"),
        schema: { body: exportedWorkflow, response: { 201: workflowResponse } },
      },
      (request, reply) => {
        const { workflow_json: json, ...input } = request.body;
        const { workflows } = organizationOf(request);
        const workflow = workflows.create(input, json, "imported", null);
        reply.code(201).send(workflowView(workflow, workflows, clock));
      },
    );
  };
}

/** Throws 404 unless the caller's organization has the workflow. */
export function workflowOf(request: FastifyRequest, id: string): WorkflowRecord {
  const workflow = organizationOf(request).workflows.find(id);
  if (workflow === null) {
    throw notFound("Workflow");
  }
  return workflow;
}

type WorkflowsQuery = z.output<typeof workflowsQuery>;

function selectWorkflows(organization: Organization, query: WorkflowsQuery): WorkflowRecord[] {
  const { trigger_type: trigger, status, agent_id: agentId, include_deleted: everyone } = query;
  return organization.workflows
    .all()
    .filter(
      (workflow) =>
        (everyone || workflow.deletedAt === null) &&
        (trigger === undefined || workflow.triggerType === trigger) &&
        (status === undefined || workflow.status === status) &&
        (agentId === undefined || organization.agentLinks.find(agentId, workflow.id) !== null),
    );
}

const EVENTS: Readonly<Record<NonNullable<WorkflowPatch["status"]>, WorkflowEvent>> = {
  draft: "shelve",
  active: "activate",
  paused: "pause",
};

/** Throws 422 where `status` and `is_active` contradict each other, 409 for activating what is not deployed. */
function patchWorkflow({ workflows }: Organization, workflow: WorkflowRecord, patch: WorkflowPatch): void {
  const { is_active: isActive, status } = patch;
  if (isActive !== undefined && status !== undefined && isActive !== (status === "active")) {
    throw unprocessable(["body", "is_active"], "is_active contradicts status", "value_error");
  }
  const event =
    status === undefined ? (isActive === undefined ? null : isActive ? "activate" : "pause") : EVENTS[status];
  if (event !== null && !workflows.apply(workflow, event)) {
    throw conflict(`A workflow that is ${workflow.status} must be deployed before it can be active`);
  }
  workflows.patch(workflow, {
    name: patch.name,
    description: patch.description,
    executionMode: patch.execution_mode,
    timeoutSeconds: patch.timeout_seconds,
  });
}
