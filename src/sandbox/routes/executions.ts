import type { FastifyRequest } from "fastify";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict } from "../errors.ts";
import { executeBody, executeResponse, executionResponse, executionsQuery } from "../schemas/executions.ts";
import { envelopeOf, idParams, pageOf } from "../schemas/page.ts";
import type { ExecutionRecord } from "../state/executions.ts";
import { executedView, executionView } from "../views/executions.ts";
import { workflowOf } from "./workflows.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.5: running workflows, and what came of it. */
export function executionRoutes(core: Core): Routes {
  return async (app) => {
    await runningRoutes(core)(app);
    await resultRoutes(core)(app);
  };
}

function runningRoutes({ clock, workflowRun }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/:id/test",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, response: { 200: executeResponse } },
      },
      async (request, reply) => {
        const organization = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        const input = { test: true };
        const execution = workflowRun.run({
          organization,
          workflow,
          source: "manual",
          mode: "sync",
          input,
          call: null,
        });
        await isOver(request, execution);
        return await reply.send(executedView(execution, organization, clock));
      },
    );

    app.post(
      "/v1/workflows/:id/execute",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, body: executeBody, response: { 200: executeResponse } },
      },
      async (request, reply) => {
        const organization = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        if (workflow.status !== "active") {
          throw conflict(`A workflow that is ${workflow.status} cannot be executed: deploy it first`);
        }
        const mode = request.body?.execution_mode ?? workflow.executionMode;
        const execution = workflowRun.run({
          organization,
          workflow,
          source: "manual",
          mode,
          input: request.body?.context_data ?? null,
          call: null,
        });
        if (mode === "sync") {
          await isOver(request, execution);
        }
        return await reply.send(executedView(execution, organization, clock));
      },
    );
  };
}

function resultRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/workflows/:id/executions",
      {
        onRequest: requires("workflows:read"),
        schema: {
          params: idParams,
          querystring: executionsQuery,
          response: { 200: envelopeOf(executionResponse) },
        },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const { status } = request.query;
        const all = organization.executions.ofWorkflow(workflowOf(request, request.params.id).id);
        const wanted = status === undefined ? all : all.filter((execution) => execution.status === status);
        reply.send(
          pageOf(wanted, request.query.window, (execution) => executionView(execution, organization, clock)),
        );
      },
    );
  };
}

/** Resolves once the execution is over: never, for one that is stuck, until the client gives up. */
async function isOver(request: FastifyRequest, execution: ExecutionRecord): Promise<void> {
  await new Promise<void>((resolve) => {
    organizationOf(request).executions.whenOver(execution, resolve);
  });
}
