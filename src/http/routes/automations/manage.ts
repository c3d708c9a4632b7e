import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { definitionOfExport, readAutomationDefinition } from "../../../domain/automations/automation.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import {
  askAutomation,
  removeAutomation,
  retryAutomation,
} from "../../../ledger/automations/automation-commands.ts";
import { listAutomations, putAutomation } from "../../../ledger/automations/automations.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import {
  automationExportSchema,
  automationListSchema,
  automationPutSchema,
  automationSchemaOut,
  automationViewSchema,
} from "../../wire/automations.ts";
import { aboutAutomation, automationParams, requireAutomation } from "./lookup.ts";
import { automationDetail, automationView } from "./views.ts";
import type { Routes } from "../../route-scope.ts";

const putBody = z.strictObject({ definition: z.unknown() });

const importBody = z.strictObject({
  /** As `GET /v1/automations/{name}/export`, or the platform, gave it. */
  exported: z.unknown(),
  /** Fields of the declaration that come before what the export says: its name, its agents, its secrets. */
  definition: z.record(z.string(), z.unknown()).default({}),
});

const flag = z.enum(["true", "false"]).default("false");

/** Declaring automations and removing them. The platform follows within seconds. */
export function automationRoutes(deps: HttpDeps): Routes {
  const { ledger } = deps;
  const put = async (request: FastifyRequest, value: unknown) => {
    const reading = readAutomationDefinition(value);
    if (!reading.ok) throw invalidAutomation(reading.problems);
    const { definition } = reading;
    const requireSeen = requiredBy(request, `automation ${definition.name}`);
    const input = { definition, requireSeen, actor: actorOf(request), nowMs: deps.now() };
    const { automation, change } = await ledger.transaction((tx) => putAutomation(tx, input));
    deps.outbox.kick();
    const warnings = await warningsFor(deps, definition, "every");
    return { ...automationView(automation), change, warnings };
  };
  return async (app) => {
    app.put(
      "/v1/automations",
      { config: { etag: "heeded" }, schema: { body: putBody, response: { 200: automationPutSchema } } },
      async (request) => put(request, request.body.definition),
    );

    app.post(
      "/v1/automations/import",
      { config: { etag: "heeded" }, schema: { body: importBody, response: { 200: automationPutSchema } } },
      async (request) => {
        const { exported, definition } = request.body;
        const made = definitionOfExport(exported, definition);
        if (!made.ok) throw invalidAutomation([{ field: "exported", problem: made.problem }]);
        return put(request, made.value);
      },
    );

    app.get("/v1/automations", { schema: { response: { 200: automationListSchema } } }, async () => ({
      items: (await listAutomations(ledger.db)).map(automationView),
    }));

    app.get(
      "/v1/automations/:name",
      {
        config: { etag: "shown" },
        schema: { params: automationParams, response: { 200: automationSchemaOut } },
      },
      async (request) => {
        const automation = await requireAutomation(ledger.db, request.params.name);
        showsEdited(request, automation.state === "removed" ? undefined : automation.definition);
        return automationDetail(automation);
      },
    );

    app.get(
      "/v1/automations/:name/export",
      { schema: { params: automationParams, response: { 200: automationExportSchema } } },
      async (request) => {
        const { name, workflowId, definition } = await requireAutomation(ledger.db, request.params.name);
        if (workflowId === undefined)
          throw new Problem({
            status: 409,
            code: "command_refused",
            detail: `automation ${name} does not work on the platform yet: see \`outdial automation show ${name}\``,
          });
        const exported = await deps.platform.workflows.export(workflowId);
        const { generate: _, refine: __, ...declared } = definition;
        const { workflow_json: workflow = definition.workflow } = exported;
        return { definition: { ...declared, workflow }, exported: { ...exported } };
      },
    );

    app.delete(
      "/v1/automations/:name",
      {
        schema: {
          params: automationParams,
          querystring: z.object({ platform: flag }),
          response: { 200: automationViewSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const platform = request.query.platform === "true";
        const input = { name, platform, actor: actorOf(request), nowMs: deps.now() };
        const removed = await aboutAutomation(ledger, (tx) => removeAutomation(tx, input));
        deps.outbox.kick();
        return automationView(removed);
      },
    );
  };
}

/** What people ask of an automation beside what is declared. Each is done by its workflow; the answer says that it was asked. */
export function automationCommandRoutes(deps: HttpDeps): Routes {
  const { ledger } = deps;
  return async (app) => {
    for (const kind of ["test", "deploy"] as const) {
      app.post(
        `/v1/automations/:name/${kind}`,
        { schema: { params: automationParams, response: { 200: automationViewSchema } } },
        async (request) => {
          const input = { name: request.params.name, kind, actor: actorOf(request), nowMs: deps.now() };
          const asked = await aboutAutomation(ledger, (tx) => askAutomation(tx, input));
          deps.outbox.kick();
          return automationView(asked);
        },
      );
    }

    app.post(
      "/v1/automations/:name/restore",
      {
        schema: {
          params: automationParams,
          querystring: z.object({ version: z.coerce.number().int().min(1).max(1_000_000) }),
          response: { 200: automationViewSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const { version } = request.query;
        const input = { name, kind: "restore" as const, version, actor: actorOf(request), nowMs: deps.now() };
        const asked = await aboutAutomation(ledger, (tx) => askAutomation(tx, input));
        deps.outbox.kick();
        return automationView(asked);
      },
    );

    app.post(
      "/v1/automations/:name/retry",
      { schema: { params: automationParams, response: { 200: automationViewSchema } } },
      async (request) => {
        const input = { name: request.params.name, actor: actorOf(request), nowMs: deps.now() };
        const asked = await aboutAutomation(ledger, (tx) => retryAutomation(tx, input));
        deps.outbox.kick();
        return automationView(asked);
      },
    );
  };
}

function invalidAutomation(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the automation has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}
