import { isFields, type Fields } from "./json.ts";

/** Values by what a field is called, where they fit its schema: an example is read by people. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  phone: "+12025550143",
  number: "+12025550100",
  brand: "acme",
  name: "spring list",
  campaign: "spring list",
  sequence: "welcome",
  actor: "token:dashboard",
  by: "token:dashboard",
  run: 1,
  version: 1,
  country: "US",
  reason: "asked for by the customer",
  summary: "an action failed for good: the CRM answered 500",
  remedy: "see what it says, then retry or skip it",
  zone: "America/New_York",
  url: "https://crm.example.com/calls",
  currency: "USD",
  digest: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
  next_after: null,
};

const UUID = "5f0c2f4e-6f2b-4a55-9d6c-0e1b1b0f3c9d";
const MOMENT = "2026-12-01T15:04:05.000Z";

/** Schemas refer to each other; one that comes to itself again ends here. */
const DEEPEST = 12;

/**
 * An example that fits a schema: every field that there always is, one item of each list. @throws Error where the
 * schema is of a kind that the description has none of yet
 */
export function sampleOf(schema: Fields, components: Fields, name = "", depth = 0): unknown {
  const { $ref, anyOf, oneOf, allOf, enum: words, const: only, type, default: byDefault } = schema;
  const inner = (next: unknown, called = name) =>
    sampleOf(isFields(next) ? next : {}, components, called, depth + 1);
  if (only !== undefined) return only;
  if (Array.isArray(words)) return words[0];
  const kinds = Array.isArray(type) ? type : [type];
  const byName = BY_NAME[name];
  if (byName !== undefined && fits(byName, kinds, schema)) return byName;
  if (typeof $ref === "string") return inner(components[$ref.replace("#/components/schemas/", "")]);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((part) => inner(part)));
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (choices) return inner(choices[0]);
  if (byDefault !== undefined) return byDefault;
  switch (kinds[0]) {
    case "object":
      return depth > DEEPEST ? {} : objectOf(schema, inner);
    case "array":
      return depth > DEEPEST || !isFields(schema["items"]) ? [] : [inner(schema["items"], singular(name))];
    case "string":
      return textOf(schema, name);
    case "integer":
    case "number":
      return Math.max(1, Number(schema["minimum"] ?? 1));
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return {};
  }
}

function objectOf(schema: Fields, inner: (next: unknown, called: string) => unknown): Fields {
  const { properties, required } = schema;
  if (!isFields(properties)) return {};
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).filter(([name]) => needed.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, inner(field, name)]));
}

function textOf({ format, pattern, minLength }: Fields, name: string): string {
  if (format === "uuid" || /(?:^|_)id$/.test(name)) return UUID;
  if (format === "date-time" || name.endsWith("_at")) return MOMENT;
  if (format === "date") return MOMENT.slice(0, 10);
  if (format === "uri") return "https://crm.example.com/calls";
  const text = typeof pattern === "string" || name === "" ? "text" : name.replaceAll("_", " ");
  return text.padEnd(Number(minLength ?? 0), "x");
}

function fits(value: unknown, kinds: readonly unknown[], { anyOf, format }: Fields): boolean {
  if (format === "uuid" || format === "date-time") return false;
  const kind = value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value;
  const nullable = Array.isArray(anyOf)
    ? anyOf.flatMap((part) => (isFields(part) ? [part["type"]] : []))
    : [];
  return kinds.includes(kind) || nullable.includes(kind);
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}
