import { z } from "zod";

import { automationSchema } from "../automations/automation.ts";
import { campaignSpecSchema } from "../campaigns/campaign-spec.ts";
import { eventWebhookSchema } from "../events/webhook.ts";
import { routeSchema } from "../notices/route.ts";
import { scheduleSchema } from "../schedules/schedule.ts";
import { sourceDefinitionSchema } from "../policy/source-definition.ts";
import { definitionSchema } from "../sequences/definition.ts";
import { triggerSchema } from "../triggers/trigger.ts";
import { DESCRIPTIONS } from "./descriptions.ts";
import { DECLARED_KINDS, type DeclaredKind } from "./documents.ts";
import { suppressionListSchema } from "./suppression-list.ts";

/*
 * JSON Schemas of documents, for editors. What no JSON Schema can say (expressions, time zones, what fields say to
 * each other) is checked when documents are read.
 */

/** Each kind, and all of them in one, for files with several. */
export const SCHEMA_NAMES = ["declared", ...DECLARED_KINDS] as const;

export type SchemaName = (typeof SCHEMA_NAMES)[number];

const SCHEMAS: Readonly<Record<DeclaredKind, z.ZodType>> = {
  "attention-route": routeSchema,
  "event-webhook": eventWebhookSchema,
  automation: automationSchema,
  "suppression-source": sourceDefinitionSchema,
  "suppression-list": suppressionListSchema,
  campaign: campaignSpecSchema,
  sequence: definitionSchema,
  trigger: triggerSchema,
  schedule: scheduleSchema,
};

/** What editors read; later drafts they read in part. */
const DRAFT = "http://json-schema.org/draft-07/schema#";

/** A schema's file, as it is to be. */
export function schemaFileText(name: SchemaName): string {
  return `${JSON.stringify(name === "declared" ? ofAll() : schemaOf(name), null, 2)}\n`;
}

function ofAll(): Record<string, unknown> {
  return {
    $schema: DRAFT,
    title: "Declared state of Outdial: a document of any kind",
    type: "object",
    properties: { kind: { description: "What it is.", enum: DECLARED_KINDS } },
    required: ["kind"],
    allOf: DECLARED_KINDS.map((kind) => ({
      if: { properties: { kind: { const: kind } }, required: ["kind"] },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own word, in data that nobody awaits.
      then: { $ref: `./${kind}.json` },
    })),
  };
}

function schemaOf(kind: DeclaredKind): Record<string, unknown> {
  const { $schema, properties, required, ...rest } = jsonSchemaOf(kind, "draft-7");
  return {
    $schema: $schema ?? DRAFT,
    title: kind,
    ...rest,
    properties: { kind: { const: kind }, ...properties },
    required: ["kind", ...(required ?? [])],
  };
}

/** What a document of that kind holds beside its kind, as it is put by itself; in the draft that OpenAPI 3.1 speaks. */
export function definitionJsonSchema(kind: DeclaredKind): Record<string, unknown> {
  return jsonSchemaOf(kind, "draft-2020-12");
}

function jsonSchemaOf(kind: DeclaredKind, target: "draft-7" | "draft-2020-12") {
  const { whole, fields } = DESCRIPTIONS[kind];
  const { properties, ...rest } = z.toJSONSchema(SCHEMAS[kind], { io: "input", target });
  const described = Object.entries(properties ?? {}).map(([name, schema]) => [
    name,
    typeof schema === "object" && fields[name] !== undefined
      ? { description: fields[name], ...schema }
      : schema,
  ]);
  return { description: whole, ...rest, properties: Object.fromEntries(described) };
}
