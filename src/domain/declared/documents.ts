import { readAutomationDefinition, type AutomationDefinition } from "../automations/automation.ts";
import { readCampaignSpec, type CampaignSpec } from "../campaigns/campaign-spec.ts";
import { brandOfSchedule, readScheduleDefinition, type ScheduleDefinition } from "../schedules/schedule.ts";
import { readSequence, type SequenceDefinition } from "../sequences/definition.ts";
import type { DefinitionReading, Fields } from "../ground/definition-reading.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";
import { readSourceDefinition, type SourceDefinition } from "../policy/source-definition.ts";
import { readEventWebhook, type EventWebhookDefinition } from "../events/webhook.ts";
import { readRoute, type RouteDefinition } from "../notices/route.ts";
import { brandsOfTrigger, readTriggerDefinition, type TriggerDefinition } from "../triggers/trigger.ts";
import { readSuppressionList, type SuppressionListDefinition } from "./suppression-list.ts";

/*
 * Documents: what is declared, each with its `kind`. The other fields are those of the kind's own definition, as every
 * other way of giving it takes them.
 */

/** In the order in which they are applied: what others speak of comes first, and what must not be dialed before what dials. */
export const DECLARED_KINDS = [
  "attention-route",
  "event-webhook",
  "automation",
  "suppression-source",
  "suppression-list",
  "sequence",
  "campaign",
  "trigger",
  "schedule",
] as const;

export type DeclaredKind = (typeof DECLARED_KINDS)[number];

/** A document that was read: defaults filled in. */
export type Declared =
  | { kind: "attention-route"; definition: RouteDefinition }
  | { kind: "event-webhook"; definition: EventWebhookDefinition }
  | { kind: "automation"; definition: AutomationDefinition }
  | { kind: "suppression-source"; definition: SourceDefinition }
  | { kind: "suppression-list"; definition: SuppressionListDefinition }
  | { kind: "campaign"; definition: CampaignSpec }
  | { kind: "sequence"; definition: SequenceDefinition }
  | { kind: "trigger"; definition: TriggerDefinition }
  | { kind: "schedule"; definition: ScheduleDefinition };

/** What tells documents apart. `brand` is empty for what belongs to none. */
export interface DeclaredKey {
  kind: DeclaredKind;
  brand: string;
  name: string;
}

export type DocumentReading = { ok: true; declared: Declared } | { ok: false; problems: SpecProblem[] };

/** Reads a document from parsed YAML or JSON, and reports every problem at once. */
export function readDocument(value: unknown): DocumentReading {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refused("the document", "must be a group of fields that begins with kind");
  const { kind, ...fields } = Object.fromEntries(Object.entries(value));
  const known = DECLARED_KINDS.find((one) => one === kind);
  if (known === undefined) {
    const guess = kind === undefined ? guessKind(fields) : undefined;
    if (guess !== undefined)
      return refused("kind", `is missing: write \`kind: ${guess}\`, by which its other fields are read`);
    const told = kind === undefined ? "is missing: it" : "is not known: it";
    return refused("kind", `${told} must be one of ${DECLARED_KINDS.join(", ")}`);
  }
  return readKind(known, fields);
}

function refused(field: string, problem: string): DocumentReading {
  return { ok: false, problems: [{ field, problem }] };
}

function readKind(kind: DeclaredKind, fields: Fields): DocumentReading {
  switch (kind) {
    case "attention-route":
      return declaredAs(kind, readRoute(fields));
    case "event-webhook":
      return declaredAs(kind, readEventWebhook(fields));
    case "automation":
      return declaredAs(kind, readAutomationDefinition(fields));
    case "suppression-source":
      return declaredAs(kind, readSourceDefinition(fields));
    case "suppression-list":
      return declaredAs(kind, readSuppressionList(fields));
    case "campaign": {
      const reading = readCampaignSpec(fields);
      return declaredAs(kind, reading.ok ? { ok: true, definition: reading.spec } : reading);
    }
    case "sequence":
      return declaredAs(kind, readSequence(fields));
    case "trigger":
      return declaredAs(kind, readTriggerDefinition(fields));
    case "schedule":
      return declaredAs(kind, readScheduleDefinition(fields));
  }
}

function declaredAs<Kind extends DeclaredKind, Definition>(
  kind: Kind,
  reading: DefinitionReading<Definition>,
) {
  return reading.ok ? { ok: true as const, declared: { kind, definition: reading.definition } } : reading;
}

/** Fields that no other kind has: each says by itself what something is. */
const MARKS: readonly (readonly [DeclaredKind, field: string])[] = [
  ["attention-route", "kinds"],
  ["attention-route", "except_kinds"],
  ["attention-route", "gather"],
  ["attention-route", "remind"],
  ["attention-route", "quiet_hours"],
  ["event-webhook", "types"],
  ["automation", "workflow"],
  ["automation", "generate"],
  ["suppression-source", "max_age"],
  ["suppression-source", "scrub"],
  ["suppression-list", "numbers"],
  ["suppression-list", "file"],
  ["sequence", "steps"],
  ["trigger", "auth"],
  ["schedule", "run"],
];

/** Who calls, and how many at once. Sequences may have both, beside their steps. */
const CALLING = ["agent_id", "concurrency"] as const;

/**
 * What a definition without `kind` clearly is, by its fields. Undefined where it has those of several kinds, or of
 * none: then its problems are told by whoever wants it.
 */
export function guessKind(value: unknown): DeclaredKind | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  // Which numbers may be called (`numbers` of a campaign or sequence) is no list of them.
  const isPolicy = "numbers" in value && !Array.isArray(value.numbers);
  const has = (field: string) => Object.hasOwn(value, field) && !(field === "numbers" && isPolicy);
  const marked = MARKS.filter(([, field]) => has(field)).map(([kind]) => kind);
  const [only, ...others] = new Set(isToPeople(value) ? [...marked, "attention-route" as const] : marked);
  if (only === undefined) return CALLING.every(has) ? "campaign" : undefined;
  return others.length === 0 ? only : undefined;
}

/** Webhooks of events go to programs alone. */
function isToPeople(value: object): boolean {
  const to = "to" in value ? value.to : undefined;
  return typeof to === "object" && to !== null && ("slack" in to || "email" in to);
}

export function keyOf(declared: Declared): DeclaredKey {
  const { kind, definition } = declared;
  // A source is known by its name alone: its brand is its scope, which may change.
  const isOfBrand = kind !== "suppression-source" && "brand" in definition;
  const brand = isOfBrand ? (definition.brand ?? "") : "";
  return { kind, brand, name: definition.name };
}

/**
 * Whose a document is: what it declares acts for these brands, and for no other. Undefined: for every brand, or for what
 * all of them share.
 */
export function brandsOfDocument({ kind, definition }: Declared): readonly string[] | undefined {
  switch (kind) {
    case "attention-route":
    case "event-webhook":
    case "automation":
    case "suppression-source":
      return undefined;
    case "suppression-list":
      return definition.brand === undefined ? undefined : [definition.brand];
    case "campaign":
    case "sequence":
      return [definition.brand];
    case "trigger":
      return brandsOfTrigger(definition);
    case "schedule": {
      const brand = brandOfSchedule(definition);
      return brand === undefined ? undefined : [brand];
    }
  }
}

/** A document as it is written: its kind before everything else. */
export function documentOf({ kind, definition }: Declared): Record<string, unknown> {
  return { kind, ...definition };
}

export function isSameKey(a: DeclaredKey, b: DeclaredKey): boolean {
  return a.kind === b.kind && a.brand === b.brand && a.name === b.name;
}

/** By kind in the order of applying, then by brand and name. */
export function inOrder(a: DeclaredKey, b: DeclaredKey): number {
  const byKind = DECLARED_KINDS.indexOf(a.kind) - DECLARED_KINDS.indexOf(b.kind);
  if (byKind !== 0) return byKind;
  if (a.brand !== b.brand) return a.brand < b.brand ? -1 : 1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** `trigger crm-lead`, `campaign "Spring" of brand acme`. */
export function nameOf({ kind, brand, name }: DeclaredKey): string {
  const quoted = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  return `${kind} ${quoted}${brand === "" || brand === "default" ? "" : ` of brand ${brand}`}`;
}
