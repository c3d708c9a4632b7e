import { z } from "zod";

import { triedItem, type TriedItem } from "../../../contacts/tried-item.ts";
import { readSentBody } from "../../../domain/triggers/sent-body.ts";
import { mapOneByOne } from "../../../domain/triggers/trigger-mapping.ts";
import {
  readTriggerDefinition,
  triggerCautions,
  type TriggerDefinition,
} from "../../../domain/triggers/trigger.ts";
import { createBreather } from "../../../ledger/ground/breather.ts";
import { readableDefinition } from "../../../ledger/triggers/triggers.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { triggerTriedSchema } from "../../wire/tries.ts";
import { invalidTrigger, requireTrigger, triggerParams } from "./manage.ts";
import type { Routes } from "../../route-scope.ts";

/** As large as what comes through a trigger. */
const MOST_BODY_CHARS = 256 * 1024;

const tryBody = z.strictObject({
  body: z.string().max(MOST_BODY_CHARS).describe("What its sender sends, as text."),
  type: z.enum(["json", "form"]).default("json").describe("What the text is."),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(8_000))
    .default({})
    .describe("Headers of the request, as far as the trigger reads them."),
  definition: z
    .unknown()
    .optional()
    .describe("Tried instead of the one that is stored, which then need not be there."),
});

/** Trying a body against a trigger. Nothing is done, and nothing is written. */
export function triggerTryRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/triggers/:name/try",
      {
        // The same again is worked out again, and changes as little.
        config: { requestKey: "own" },
        schema: {
          summary: "Says what a trigger would make of a body. Nothing is done.",
          params: triggerParams,
          body: tryBody,
          response: { 200: triggerTriedSchema },
        },
      },
      async (request) => {
        const { body: text, type, headers, definition: given } = request.body;
        const definition =
          given === undefined ? await storedOf(deps, request.params.name) : definitionIn(given);
        const reading = readSentBody(type, text);
        if (!reading.ok) throw unfit("body", reading.problem);
        const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        const sent = { payload: reading.payload, headers: Object.fromEntries(names), atMs: deps.now() };
        const mapping = mapOneByOne(definition, sent);
        if (!mapping.ok) throw unfit(mapping.field, mapping.problem);
        const breathe = createBreather();
        const items: TriedItem[] = [];
        for (const item of mapping.items) {
          items.push(triedItem(item));
          await breathe();
        }
        return { ok: items.every(({ ok }) => ok), warnings: triggerCautions(definition), items };
      },
    );
  };
}

async function storedOf({ ledger }: HttpDeps, name: string): Promise<TriggerDefinition> {
  const definition = readableDefinition(await requireTrigger(ledger.db, name));
  if (definition) return definition;
  throw unfit("name", "its definition can't be read by this version: put it anew, or give one to try");
}

function definitionIn(value: unknown): TriggerDefinition {
  const reading = readTriggerDefinition(value);
  if (reading.ok) return reading.definition;
  throw invalidTrigger(reading.problems);
}

function unfit(field: string, message: string): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `${field}: ${message}`,
    errors: [{ field, message }],
  });
}
