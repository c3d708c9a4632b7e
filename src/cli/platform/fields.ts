import { z } from "zod";

import type { OperationEntry } from "../../platform/index.ts";
import { isSecretField } from "./secrets.ts";

/*
 * What an operation takes, as options of a command line: one option a field, made from the rules by which the
 * client checks a request, so that help, command line and checks can't say different things.
 */

/** How the text of an option becomes a value. */
export type FieldKind =
  | "text"
  | "number"
  | "flag"
  /** A list of texts: commas between them, or the option again for each. */
  | "texts"
  /** Texts by name: `name=value`, again for each. */
  | "map"
  /** Whatever JSON can say. */
  | "json"
  /** Read from a file, never from an argument. */
  | "secret"
  /** Secrets by name, each in a file of its own. */
  | "secrets";

export interface Field {
  /** As the contract writes it. */
  readonly name: string;
  readonly part: "query" | "body";
  readonly kind: FieldKind;
  readonly flag: string;
  readonly isRequired: boolean;
  /** `null` may stand for it, which takes something away. */
  readonly isNullable: boolean;
  /** Type and rules in words. */
  readonly rules: string;
}

const ruleSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

type Rule = z.output<typeof ruleSchema>;

const objectSchema = z.looseObject({
  properties: z.record(z.string(), ruleSchema).optional(),
  required: z.array(z.string()).optional(),
});

/** Every field of an operation's query and body, in the table's order. */
export function fieldsOf(entry: OperationEntry): Field[] {
  return [...fieldsIn(entry, "query"), ...fieldsIn(entry, "body")];
}

/** Whether an operation takes a JSON body at all. */
export function takesBody({ body }: OperationEntry): boolean {
  return body !== undefined && body !== "multipart";
}

function fieldsIn(entry: OperationEntry, part: "query" | "body"): Field[] {
  const rules = entry[part];
  if (rules === undefined || rules === "multipart") return [];
  const { properties = {}, required = [] } = objectSchema.parse(z.toJSONSchema(rules, { io: "input" }));
  return Object.entries(properties).map(([name, rule]) => {
    const kind = isSecretField(entry.name, name) ?? kindOf(rule);
    return {
      name,
      part,
      kind,
      flag: flagOf(name, kind),
      isRequired: required.includes(name),
      isNullable: alternativesOf(rule).some(({ type }) => type === "null"),
      rules: rulesText(rule, kind),
    };
  });
}

/** `agent_name` as `--agent-name`; what holds a secret names a file. */
function flagOf(name: string, kind: FieldKind): string {
  if (kind === "secrets") return "--secret-file";
  const words = name.replaceAll("_", "-");
  return kind === "secret" ? `--${words}-file` : `--${words}`;
}

function alternativesOf(rule: Rule): Rule[] {
  return rule.anyOf === undefined ? [rule] : rule.anyOf.map((one) => ruleSchema.parse(one));
}

/** The rule that says most: of a value or null the value's. */
function mainRule(rule: Rule): Rule {
  return alternativesOf(rule).find(({ type }) => type !== "null") ?? rule;
}

function kindOf(rule: Rule): FieldKind {
  const main = mainRule(rule);
  switch (main.type ?? "") {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "flag";
    case "array":
      return typeIn(main.items) === "string" ? "texts" : "json";
    case "object":
      return typeIn(main.additionalProperties) === "string" ? "map" : "json";
    default:
      return "json";
  }
}

function typeIn(value: unknown): string | undefined {
  return ruleSchema.safeParse(value).data?.type;
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: "http or https address",
  date: "date, or date and time with its offset (ISO 8601)",
};

/** Patterns that say less than a word does. */
const PATTERNS: Readonly<Record<string, string>> = {
  "^\\+[1-9]\\d{1,14}$": "number in E.164, such as +12025550143",
};

function rulesText(rule: Rule, kind: FieldKind): string {
  const main = mainRule(rule);
  const parts = [typeText(main, kind)];
  if (alternativesOf(rule).some(({ type }) => type === "null")) parts.push("or null");
  if (main.examples !== undefined) parts.push(`such as ${main.examples.map(String).join(", ")}`);
  if (rule.description !== undefined) parts.push(rule.description.replace(/\.$/, ""));
  return parts.join("; ");
}

function typeText(rule: Rule, kind: FieldKind): string {
  switch (kind) {
    case "secret":
      return "file that holds the secret; - is standard input";
    case "secrets":
      return "name of a secret and the file that holds it; again for each";
    case "flag":
      return "true or false";
    case "number":
      return numberText(rule);
    case "texts":
      return "texts with commas between, or again for each";
    case "map":
      return "name=value, again for each; or a JSON object, or @file";
    case "json":
      return "JSON, or @file that holds it";
    case "text":
      return textText(rule);
  }
}

function numberText({ type, minimum, maximum }: Rule): string {
  const noun = type === "integer" ? "whole number" : "number";
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && hasMaximum) return `${noun}, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun} from ${minimum}`;
  return noun;
}

function textText({ enum: words, format, pattern, maxLength }: Rule): string {
  if (words !== undefined) return `one of ${words.map(String).join(", ")}`;
  const known = (format && FORMATS[format]) ?? (pattern && PATTERNS[pattern]);
  if (known) return known;
  return maxLength === undefined ? "text" : `text, at most ${maxLength} characters`;
}
