import { randomUUID } from "node:crypto";
import { z } from "zod";

import { eventWebhookNameSchema, readEventWebhook } from "../../../domain/events/webhook.ts";
import { fieldsOf } from "../../../domain/ground/definition-reading.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { cursorText } from "../../../ledger/events/event-document.ts";
import {
  definitionOf,
  enableWebhook,
  findWebhook,
  listWebhooks,
  placeReached,
  putWebhook,
  removeWebhook,
  type StoredWebhook,
} from "../../../ledger/events/webhooks.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy, showsEdited } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import {
  eventWebhookEnabledSchema,
  eventWebhookListSchema,
  eventWebhookPutSchema,
  eventWebhookRemovedSchema,
  eventWebhookShownSchema,
  eventWebhookTestedSchema,
  type EventWebhookWire,
} from "../../wire/event-webhooks.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import type { Routes } from "../../route-scope.ts";

const nameParams = z.strictObject({ name: eventWebhookNameSchema });

const UNREADABLE = "its definition can't be read by this version, and it is sent nothing: put it anew";

/** Who is sent what happens. */
export function eventWebhookRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;
    const path = "/v1/events/webhooks";

    app.get(path, { schema: { response: { 200: eventWebhookListSchema } } }, async () => ({
      items: (await listWebhooks(ledger.db)).map(webhookView),
    }));

    app.get(
      `${path}/:name`,
      {
        config: { etag: "shown" },
        schema: { params: nameParams, response: { 200: eventWebhookShownSchema } },
      },
      async (request) => {
        const webhook = await requireWebhook(deps, request.params.name);
        showsEdited(request, webhook.definition);
        return { webhook: webhookView(webhook), warnings: await warningsOf(deps, webhook) };
      },
    );

    app.put(
      path,
      {
        config: { etag: "heeded" },
        schema: {
          description:
            "Declares a webhook of events, or changes it. A new one is sent what happens from then on; a changed one goes on where it was.",
          body: z.strictObject({ definition: z.unknown() }),
          response: { 200: eventWebhookPutSchema },
        },
      },
      async (request) => {
        const reading = readEventWebhook(request.body.definition);
        if (!reading.ok) throw invalidWebhook(reading.problems);
        const { definition } = reading;
        const requireSeen = requiredBy(request, `webhook of events ${definition.name}`);
        const input = { definition, requireSeen, actor: actorOf(request), nowMs: deps.now() };
        const { webhook, change } = await ledger.transaction((tx) => putWebhook(tx, input));
        return { webhook: webhookView(webhook), change, warnings: await warningsOf(deps, webhook) };
      },
    );

    app.delete(
      `${path}/:name`,
      { schema: { params: nameParams, response: { 200: eventWebhookRemovedSchema } } },
      async (request) => {
        const { name } = request.params;
        const input = { name, actor: actorOf(request), nowMs: deps.now() };
        const removed = await ledger.transaction((tx) => removeWebhook(tx, input));
        if (!removed) throw unknownWebhook(name);
        return { removed: webhookView(removed) };
      },
    );

    app.post(
      `${path}/:name/enable`,
      { schema: { params: nameParams, response: { 200: eventWebhookEnabledSchema } } },
      async (request) => {
        const { name } = request.params;
        const input = { name, actor: actorOf(request), nowMs: deps.now() };
        const enabled = await ledger.transaction((tx) => enableWebhook(tx, input));
        if (!enabled) throw unknownWebhook(name);
        const { webhook, wasDisabled, passedOver } = enabled;
        return { webhook: webhookView(webhook), was_disabled: wasDisabled, passed_over: passedOver };
      },
    );

    app.post(
      `${path}/:name/test`,
      {
        schema: {
          description: "Sends a request without events now, of the type `test`, and says what was answered.",
          params: nameParams,
          response: { 200: eventWebhookTestedSchema },
        },
      },
      async (request) => test(deps, await requireWebhook(deps, request.params.name)),
    );
  };
}

async function test(deps: HttpDeps, webhook: StoredWebhook) {
  const definition = definitionOf(webhook);
  if (!definition) return { delivered: false, said: UNREADABLE };
  const sent = await deps.sendSigned(definition.to.webhook, {
    id: `test_${randomUUID()}`,
    body: JSON.stringify({
      type: "test",
      timestamp: isoOf(deps.now()),
      data: { webhook: webhook.name, events: [], next_after: null },
    }),
  });
  return sent.ok ? { delivered: true, said: sent.answer } : { delivered: false, said: sent.error };
}

async function requireWebhook({ ledger }: HttpDeps, name: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(ledger.db, name);
  if (webhook) return webhook;
  throw unknownWebhook(name);
}

/** Secrets may be set, and hosts allowed, after the webhook. */
async function warningsOf(deps: HttpDeps, webhook: StoredWebhook): Promise<string[]> {
  const definition = definitionOf(webhook);
  return definition ? warningsFor(deps, definition, "every") : [UNREADABLE];
}

function unknownWebhook(name: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_webhook",
    detail: `there is no webhook of events ${name}: list them with \`outdial webhook list\``,
  });
}

function invalidWebhook(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_webhook",
    detail: `the webhook has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}

function webhookView(webhook: StoredWebhook): EventWebhookWire {
  const { name, definition, failures, trouble, disabledAtMs } = webhook;
  return {
    name,
    definition: { ...(definitionOf(webhook) ?? fieldsOf(definition)) },
    state: disabledAtMs === undefined ? (failures > 0 ? "failing" : "active") : "disabled",
    delivered_at: isoOrNull(webhook.deliveredAtMs),
    failures,
    failing_since: isoOrNull(webhook.failingSinceMs),
    trouble: trouble ?? null,
    next_at: isoOrNull(webhook.nextAtMs),
    disabled_at: isoOrNull(disabledAtMs),
    after: cursorText(placeReached(webhook)),
    created_at: isoOf(webhook.createdAtMs),
    changed_at: isoOf(webhook.changedAtMs),
  };
}
