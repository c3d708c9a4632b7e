import { z } from "zod";

import { executionEndOf } from "../../../domain/ground/execution-status.ts";
import { listAttention, type Attention } from "../../../ledger/ground/attention.ts";
import { AUTOMATION_ATTENTION, rerunExecution } from "../../../ledger/automations/automation-commands.ts";
import {
  healthOf,
  listExecutions,
  readExecution,
} from "../../../ledger/automations/automation-executions.ts";
import { listAutomations, workflowIdsOf, type Automation } from "../../../ledger/automations/automations.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { automationHealthSchema, executionPageSchema, rerunSchema } from "../../wire/automations.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { aboutAutomation, automationParams, requireAutomation } from "./lookup.ts";
import { executionView } from "./views.ts";
import { isPlainText } from "../../../domain/ground/plain-text.ts";
import { afterQuery, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const executionsQuery = z.object({
  failed: z.enum(["true", "false"]).default("false"),
  after: afterQuery,
  limit: limitQuery,
});

/** For health. */
const DAY_MS = 24 * 60 * 60_000;

/** What automations ran, how they are, and running again what failed. */
export function automationExecutionRoutes(deps: HttpDeps): Routes {
  const { ledger } = deps;
  return async (app) => {
    app.get(
      "/v1/automations/:name/executions",
      {
        schema: {
          params: automationParams,
          querystring: executionsQuery,
          response: { 200: executionPageSchema },
        },
      },
      async (request) => {
        const automation = await requireAutomation(ledger.db, request.params.name);
        const { failed, after, limit } = request.query;
        const { items, total } = await listExecutions(ledger.db, {
          workflowIds: workflowIdsOf(automation),
          failed: failed === "true",
          ...timePlaceIn(after, z.string().max(200).refine(isPlainText)),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(items, limit, (one) => [one.startedAtMs, one.executionId]);
        return { items: page.map(executionView), total, next_after };
      },
    );

    app.get("/v1/automations/health", { schema: { response: { 200: automationHealthSchema } } }, async () => {
      const alerts = await alertsByName(deps);
      const automations = await listAutomations(ledger.db);
      const items = [];
      for (const automation of automations)
        items.push(await healthItem(deps, automation, alerts.get(automation.name) ?? []));
      return { items };
    });

    app.post(
      "/v1/automations/executions/:id/rerun",
      {
        schema: {
          params: z.object({ id: z.string().min(1).max(200) }),
          response: { 200: rerunSchema },
        },
      },
      async (request) => {
        const executionId = request.params.id;
        const automationId = await automationOf(deps, executionId);
        const input = { automationId, executionId, actor: actorOf(request), nowMs: deps.now() };
        const { automation, rerun } = await aboutAutomation(ledger, (tx) => rerunExecution(tx, input));
        deps.outbox.kick();
        return { id: rerun.id, automation: automation.name, repeats: executionId, state: rerun.state };
      },
    );
  };
}

/** More alerts than this of one kind are as many automations. */
const MOST_ALERTS = 1_000;

async function alertsByName({ ledger }: HttpDeps): Promise<Map<string, Attention[]>> {
  const byName = new Map<string, Attention[]>();
  for (const kind of AUTOMATION_ATTENTION) {
    const { items } = await listAttention(ledger.db, { kind, resolved: false, limit: MOST_ALERTS });
    for (const alert of items) byName.set(alert.subject, [...(byName.get(alert.subject) ?? []), alert]);
  }
  return byName;
}

async function healthItem(deps: HttpDeps, automation: Automation, alerts: readonly Attention[]) {
  const health = await healthOf(deps.ledger.db, workflowIdsOf(automation), deps.now() - DAY_MS);
  const { succeeded, failed, running, last } = health;
  return {
    name: automation.name,
    state: automation.state,
    workflow_id: automation.workflowId ?? null,
    success_rate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    succeeded,
    failed,
    running,
    last: last
      ? {
          execution_id: last.executionId,
          status: last.status,
          started_at: isoOf(last.startedAtMs),
          ended_at: isoOrNull(last.endedAtMs),
        }
      : null,
    alerts: alerts.map(({ kind, summary, remedy, atMs }) => ({ kind, summary, remedy, at: isoOf(atMs) })),
  };
}

/** Whose execution it is; only one that failed can be run again. */
async function automationOf({ ledger }: HttpDeps, executionId: string): Promise<string> {
  const execution = await readExecution(ledger.db, executionId);
  const automations = await listAutomations(ledger.db);
  const owner = execution && automations.find((one) => workflowIdsOf(one).includes(execution.workflowId));
  if (!execution || !owner)
    throw new Problem({
      status: 404,
      code: "unknown_execution",
      detail: `there is no execution ${JSON.stringify(executionId)} of an automation that is kept here: list them with \`outdial automation executions NAME\`; new ones are seen within a minute`,
    });
  const isUnderWay = execution.endedAtMs === undefined;
  const end = isUnderWay ? undefined : executionEndOf(execution.status);
  if (end === "failed" || end === "timed_out") return owner.id;
  throw new Problem({
    status: 409,
    code: "command_refused",
    detail: isUnderWay
      ? `execution ${executionId} is under way: wait for its end`
      : `execution ${executionId} ended as ${execution.status}: only what failed is run again`,
  });
}
