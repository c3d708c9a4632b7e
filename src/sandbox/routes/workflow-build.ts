import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, paymentRequired, unprocessable } from "../errors.ts";
import { idParams, rowsOf, wholeListQuery } from "../schemas/page.ts";
import {
  credentialSchemaResponse,
  credentialTypeParams,
  DEFAULT_MODE,
  DEFAULT_TIMEOUT_SECONDS,
  deployResponse,
  generateBody,
  generateResponse,
  refineBody,
  restoreBody,
  restoreQuery,
  secretsBody,
  secretsResponse,
  workflowDetailResponse,
} from "../schemas/workflows.ts";
import { ANALYTICS_PROVIDERS, GENERATION_MICROS } from "../state/config.ts";
import { credentialOf, faultInSecret, missingSecrets } from "../state/workflow-credentials.ts";
import { generateWorkflow, refineWorkflow } from "../state/workflow-generator.ts";
import { currentOf } from "../state/workflows.ts";
import type { WorkflowRecord, Workflows } from "../state/workflows.ts";
import {
  credentialSchemaView,
  credentialView,
  engineIdOf,
  generatedView,
  workflowDetailView,
} from "../views/workflows.ts";
import { agentOf } from "./agents.ts";
import { workflowOf } from "./workflows.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.5: how a workflow comes to what it does, and into the engine. */
export function workflowBuildRoutes(core: Core): Routes {
  return async (app) => {
    await generationRoutes()(app);
    await versionRoutes(core)(app);
    await credentialRoutes()(app);
    await deploymentRoutes()(app);
  };
}

function generationRoutes(): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/generate",
      {
        onRequest: requires("workflows:write"),
        schema: { body: generateBody, response: { 201: generateResponse } },
      },
      (request, reply) => {
        const {
          name,
          description,
          trigger_type: trigger,
          trigger_config: config,
          agent_id: agentId,
        } = request.body;
        const organization = organizationOf(request);
        const agent = agentId === null || agentId === undefined ? null : agentOf(organization, agentId);
        checkCredits(request);
        const workflow = organization.workflows.create(
          {
            name,
            description,
            trigger_type: trigger,
            trigger_config: config ?? null,
            execution_mode: DEFAULT_MODE,
            timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
          },
          generateWorkflow(name, trigger, description),
          "generated",
          description,
        );
        if (agent !== null) {
          organization.agentLinks.link(agent.id, workflow.id, {});
        }
        payForGeneration(request, workflow);
        reply.code(201).send(generatedView(workflow));
      },
    );
  };
}

function versionRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/:id/refine",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, body: refineBody, response: { 200: generateResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        const { feedback } = request.body;
        checkCredits(request);
        const json = refineWorkflow(currentOf(workflow).json, feedback);
        organizationOf(request).workflows.addVersion(workflow, json, "refined", feedback);
        payForGeneration(request, workflow);
        reply.send(generatedView(workflow));
      },
    );

    app.post(
      "/v1/workflows/:id/restore",
      {
        onRequest: requires("workflows:write"),
        schema: {
          params: idParams,
          querystring: restoreQuery,
          body: restoreBody,
          response: { 200: workflowDetailResponse },
        },
      },
      (request, reply) => {
        const { workflows } = organizationOf(request);
        const workflow = workflows.findForgotten(request.params.id);
        if (workflow === null) {
          throw notFound("Workflow");
        }
        restore(workflows, workflow, request.body?.version ?? request.query.version ?? null);
        reply.send(workflowDetailView(workflow, workflows, clock));
      },
    );
  };
}

/**
 * Brings a deleted workflow back, a version back, or both. Without a version, one that is there gets back what it was
 * before its last change. Throws 404 for a version that it never had, 409 where there is nothing to bring back.
 */
function restore(workflows: Workflows, workflow: WorkflowRecord, asked: number | null): void {
  const isDeleted = workflow.deletedAt !== null;
  const version = asked ?? (isDeleted ? null : workflow.versions.length - 1);
  if (version === 0) {
    throw conflict("The workflow has one version only: there is nothing to restore");
  }
  if (version !== null && !workflows.restoreVersion(workflow, version)) {
    throw notFound(`Version ${version} of the workflow`);
  }
  if (isDeleted) {
    workflows.revive(workflow);
  }
}

/** Throws 402 without credits: a model is asked. */
function checkCredits(request: FastifyRequest): void {
  if (organizationOf(request).billing.exhausted) {
    throw paymentRequired();
  }
}

function payForGeneration(request: FastifyRequest, workflow: WorkflowRecord): void {
  organizationOf(request).billing.charge({
    referenceType: "workflow",
    referenceId: workflow.id,
    service: "workflow_generation",
    provider: ANALYTICS_PROVIDERS[0].id,
    model: ANALYTICS_PROVIDERS[0].models[0],
    micros: GENERATION_MICROS,
  });
}

function credentialRoutes(): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/:id/secrets",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, body: secretsBody, response: { 200: secretsResponse } },
      },
      (request, reply) => {
        const { workflows } = organizationOf(request);
        const workflow = workflowOf(request, request.params.id);
        const { secrets, validate_credentials: isChecked } = request.body;
        for (const [index, { type, value }] of secrets.entries()) {
          const fault = isChecked ? faultInSecret(type, value) : null;
          if (fault !== null) {
            throw unprocessable(["body", "secrets", index, "value"], `Value ${fault}`, "value_error");
          }
        }
        for (const { key_name: name, type, value } of secrets) {
          workflows.keepSecret(workflow, name, type, value);
        }
        const present = new Set(Object.keys(workflow.secrets));
        reply.send({
          message: "Secrets stored",
          stored: secrets.map(({ key_name: name }) => name),
          missing: missingSecrets(currentOf(workflow).json, present),
        });
      },
    );

    app.get(
      "/v1/workflows/:id/credential-schema",
      {
        onRequest: requires("workflows:read"),
        schema: {
          params: idParams,
          querystring: wholeListQuery({}),
          response: { 200: z.array(credentialSchemaResponse) },
        },
      },
      (request, reply) => {
        const credentials = credentialSchemaView(workflowOf(request, request.params.id));
        reply.send(rowsOf(credentials, request.query.window, (credential) => credential));
      },
    );

    // In no contract: clients ask it for one type, without a workflow.
    app.get(
      "/v1/workflows/credential-schema/:type",
      {
        onRequest: requires("workflows:read"),
        schema: { params: credentialTypeParams, response: { 200: credentialSchemaResponse } },
      },
      (request, reply) => {
        reply.send(credentialView(credentialOf(request.params.type)));
      },
    );
  };
}

function deploymentRoutes(): Routes {
  return async (app) => {
    app.post(
      "/v1/workflows/:id/deploy",
      {
        onRequest: requires("workflows:write"),
        schema: { params: idParams, response: { 200: deployResponse } },
      },
      (request, reply) => {
        const workflow = workflowOf(request, request.params.id);
        const missing = organizationOf(request).workflows.deploy(workflow);
        const isActive = missing.length === 0;
        reply.send({
          status: isActive ? "active" : "error",
          workflow_id: workflow.id,
          n8n_workflow_id: engineIdOf(workflow),
          error: isActive ? null : `Missing secrets: ${missing.join(", ")}`,
        });
      },
    );
  };
}
