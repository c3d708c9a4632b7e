import { definitionJsonSchema } from "../../domain/declared/schemas.ts";
import type { DeclaredKind } from "../../domain/declared/documents.ts";
import { isFields, type Fields } from "./json.ts";

/**
 * Documents that requests carry. Routes read them by themselves, to name every problem in its own words, and so their
 * schemas say nothing of what is in them; the description does.
 */
const DEFINITIONS: Readonly<Record<string, DeclaredKind>> = {
  CampaignSpec: "campaign",
  SequenceDefinition: "sequence",
  TriggerDefinition: "trigger",
  ScheduleDefinition: "schedule",
  AutomationDefinition: "automation",
  AttentionRouteDefinition: "attention-route",
  EventWebhookDefinition: "event-webhook",
};

/** Which of them a field of a request's body is. */
export const DEFINITION_FIELDS: Readonly<Record<string, { field: string; component: string }>> = {
  createCampaign: { field: "spec", component: "CampaignSpec" },
  amendCampaign: { field: "spec", component: "CampaignSpec" },
  previewAmendment: { field: "spec", component: "CampaignSpec" },
  putSequence: { field: "definition", component: "SequenceDefinition" },
  checkSequence: { field: "definition", component: "SequenceDefinition" },
  putTrigger: { field: "definition", component: "TriggerDefinition" },
  putSchedule: { field: "definition", component: "ScheduleDefinition" },
  putAutomation: { field: "definition", component: "AutomationDefinition" },
  putRoute: { field: "definition", component: "AttentionRouteDefinition" },
  putEventWebhook: { field: "definition", component: "EventWebhookDefinition" },
};

/** What schemas say of themselves, and the description of its own; a field of that name holds a schema. */
const IDENTITY: ReadonlySet<string> = new Set(["$id", "id", "$schema"]);

let made: Fields | undefined;

/** As components, with the parts that they refer to beside them. Made once: nothing of them changes. */
export function definitionComponents(): Fields {
  made ??= Object.assign(
    {},
    ...Object.entries(DEFINITIONS).map(([name, kind]) => componentsOf(name, definitionJsonSchema(kind))),
  );
  return { ...made };
}

function componentsOf(name: string, { $defs, ...schema }: Fields): Fields {
  const parts = isFields($defs) ? Object.entries($defs) : [];
  const called = new Map(parts.map(([part], index) => [`#/$defs/${part}`, `${name}Part${index + 1}`]));
  const at = (component: string) => `#/components/schemas/${component}`;
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !IDENTITY.has(key) || isFields(value[key]))
        .map(([key, inner]) => {
          if (key !== "$ref" || typeof inner !== "string") return [key, moved(inner)];
          return [key, at(inner === "#" ? name : (called.get(inner) ?? inner))];
        }),
    );
  };
  return Object.fromEntries([
    [name, moved(schema)],
    ...parts.map(([part, inner]) => [called.get(`#/$defs/${part}`), moved(inner)]),
  ]);
}
