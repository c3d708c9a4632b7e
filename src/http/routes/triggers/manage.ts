import { z } from "zod";

import { UnknownSecretError, UnusableSecretError, webhookKey } from "../../../domain/ground/secrets.ts";
import { brandsOfTrigger, readTriggerDefinition, triggerCautions } from "../../../domain/triggers/trigger.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { countFailedDeliveries } from "../../../ledger/triggers/deliveries.ts";
import {
  findStoredTrigger,
  listTriggers,
  putTrigger,
  readableDefinition,
  setTriggerEnabled,
  type StoredTrigger,
} from "../../../ledger/triggers/triggers.ts";
import { actorOf } from "../../actor.ts";
import { ofBrands, requireBrands } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { warningsFor } from "../../missing.ts";
import { Problem } from "../../problem.ts";
import { triggerListSchema, triggerPutSchema, triggerSchemaOut } from "../../wire/triggers.ts";
import { unknownTrigger } from "../../unknown.ts";
import { ofBrandQuery } from "../../wire/text.ts";
import { ownTriggers } from "./own.ts";
import { triggerView } from "./views.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import type { Routes } from "../../route-scope.ts";

export const triggerParams = z.object({ name: z.string().min(1).max(200) });

const putBody = z.strictObject({ definition: z.unknown() });

/** Writing triggers down, and opening and closing them. */
export function triggerRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.put(
      "/v1/triggers",
      { config: { etag: "heeded" }, schema: { body: putBody, response: { 200: triggerPutSchema } } },
      async (request) => {
        const reading = readTriggerDefinition(request.body.definition);
        if (!reading.ok) throw invalidTrigger(reading.problems);
        const { definition } = reading;
        requireBrands(request, brandsOfTrigger(definition));
        const requireOwn = ownTriggers(request);
        const requireSeen = requiredBy(request, `trigger ${definition.name}`);
        const input = { definition, requireOwn, requireSeen, actor: actorOf(request), nowMs: deps.now() };
        const { trigger, change } = await deps.ledger.transaction((tx) => putTrigger(tx, input));
        const { auth: _auth, ...wanted } = definition;
        const warnings = [
          ...warningsOf(deps, trigger),
          ...(await warningsFor(deps, wanted, brandsOfTrigger(definition))),
        ];
        return { ...triggerView(trigger), change, warnings };
      },
    );

    app.get(
      "/v1/triggers",
      { schema: { querystring: ofBrandQuery, response: { 200: triggerListSchema } } },
      async (request) => {
        const of = ofBrands(request, request.query.brand);
        return { items: (await listTriggers(deps.ledger.db, of)).map(triggerView) };
      },
    );

    app.get(
      "/v1/triggers/:name",
      {
        config: { etag: "shown" },
        schema: { params: triggerParams, response: { 200: triggerSchemaOut } },
      },
      async (request) => {
        const trigger = await requireTrigger(deps.ledger.db, request.params.name);
        showsEdited(request, trigger.definition);
        return show(deps, trigger);
      },
    );

    for (const [command, enabled] of [
      ["enable", true],
      ["disable", false],
    ] as const) {
      app.post(
        `/v1/triggers/:name/${command}`,
        { schema: { params: triggerParams, response: { 200: triggerSchemaOut } } },
        async (request) => {
          const { name } = request.params;
          const input = { name, enabled, actor: actorOf(request), nowMs: deps.now() };
          const trigger = await deps.ledger.transaction((tx) => setTriggerEnabled(tx, input));
          if (!trigger) throw unknownTrigger(name);
          return show(deps, trigger);
        },
      );
    }
  };
}

async function show(deps: HttpDeps, trigger: StoredTrigger) {
  const failed = await countFailedDeliveries(deps.ledger.db, trigger.id);
  return { ...triggerView(trigger), failed_deliveries: failed, warnings: warningsOf(deps, trigger) };
}

export async function requireTrigger(db: Db, name: string): Promise<StoredTrigger> {
  const trigger = await findStoredTrigger(db, name);
  if (trigger) return trigger;
  throw unknownTrigger(name);
}

export function invalidTrigger(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_trigger",
    detail: `the trigger has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}

/**
 * A secret may be set after the trigger: until then nobody can show who they are, and every delivery is refused. And
 * what it takes for the same again may be more than its author means.
 */
function warningsOf(deps: HttpDeps, trigger: StoredTrigger): string[] {
  const definition = readableDefinition(trigger);
  if (!definition) return ["its definition can't be read by this version, and it takes nothing: put it anew"];
  const { auth } = definition;
  const cautions = triggerCautions(definition);
  try {
    const values = deps.secrets.read(auth.secret, brandsOfTrigger(definition));
    if (auth.scheme === "standard_webhooks") for (const value of values) webhookKey(auth.secret, value);
    return cautions;
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      return [error.message, ...cautions];
    throw error;
  }
}
