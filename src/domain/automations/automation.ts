import { z } from "zod";

import {
  fieldsOf,
  readBySchema,
  withoutLiteralSecrets,
  type DefinitionReading,
  type Fields,
} from "../ground/definition-reading.ts";
import { parseDurationMs } from "../time/duration.ts";
import { evaluateCondition, expressionSchema, type Evaluation } from "../expressions/expressions.ts";
import { secretNameSchema } from "../ground/secrets.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";

/*
 * An automation (a workflow of the platform) as it is declared: how it is made, what it needs, whose calls it works
 * for, and when people are to be told of it.
 */

/** What sets it off (contract 4.5). */
const TRIGGER_TYPES = ["post_call", "in_call", "webhook", "schedule"] as const;

/** A definition of n8n with hundreds of nodes is smaller; it is kept in one row and sent in one request. */
const LARGEST_WORKFLOW_CHARS = 512 * 1024;

/** Each is a request that a model works on. */
const MOST_REFINEMENTS = 20;

const MOST_SECRETS = 50;
const MOST_AGENTS = 100;
const MAX_DURATION_MS = 7 * 86_400_000;

const modeSchema = z.enum(["sync", "async"]);

const secretSchema = z.strictObject({
  /** The name of a secret; its value goes to the platform and nowhere else. */
  secret: secretNameSchema,
  type: z.enum(["string", "pem", "json", "oauth"]).default("string"),
});

const agentSchema = z.strictObject({
  agent_id: z.string().min(1).max(200),
  /** In words, for the platform: for which calls it runs. Absent: for all. */
  when: z.string().min(1).max(2_000).optional(),
  priority: z.int().min(0).max(1_000_000).optional(),
  mode: modeSchema.optional(),
});

const testSchema = z.strictObject({
  /** What the test run is given. The platform takes it for a run of what is deployed only, so it is tested then. */
  data: z.record(z.string(), z.json()).optional(),
  /** A condition over `result` and `output`; by default that it ends well. */
  expect: expressionSchema("automation", "bool").optional(),
});

const alertsSchema = z.strictObject({
  /** Whether people are told of runs that fail or time out. */
  failed: z.boolean().default(true),
  longer_than: z
    .string()
    .refine((text) => isDuration(text), { message: "must be a duration up to 7d such as 45s, 10m or 1h30m" })
    .optional(),
  /** Of the runs that ended within a day, 0 to 1. */
  success_rate_below: z.number().min(0).max(1).optional(),
});

function isDuration(text: string): boolean {
  const durationMs = parseDurationMs(text);
  return durationMs !== undefined && durationMs > 0 && durationMs <= MAX_DURATION_MS;
}

const workflowSchema = z.record(z.string(), z.json()).check((context) => {
  const { value } = context;
  const say = (message: string) => context.issues.push({ code: "custom", input: value, message });
  if (isFileReference(value)) say("names a file, which only the command line reads: give what is in it");
  else if (JSON.stringify(value).length > LARGEST_WORKFLOW_CHARS)
    say(`is larger than ${LARGEST_WORKFLOW_CHARS / 1024} KB: give a smaller one`);
});

/** What stands in a name's place in the API's paths. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["health", "import", "executions"]);

/** An automation as a person writes it. Unknown fields are refused by name. */
export const automationSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,62}$/,
      "may hold lower-case letters, digits, dashes and underscores, 63 at most",
    )
    .refine((name) => !RESERVED_NAMES.has(name), { message: "is taken by the API: choose another name" }),
  description: z.string().max(2_000).optional(),
  /** What it does, as the platform's JSON. */
  workflow: workflowSchema.optional(),
  /** Or in words, for the platform to write it, and what to change about that, one after the other. */
  generate: z.string().min(1).max(8_000).optional(),
  refine: z.array(z.string().min(1).max(8_000)).max(MOST_REFINEMENTS).optional(),
  trigger_type: z.enum(TRIGGER_TYPES),
  trigger_config: z.record(z.string(), z.json()).optional(),
  execution_mode: modeSchema.optional(),
  timeout_seconds: z.int().min(1).max(300).optional(),
  /** By the name under which the automation looks for it. */
  secrets: z
    .record(z.string().min(1).max(200), secretSchema)
    .refine((secrets) => Object.keys(secrets).length <= MOST_SECRETS, {
      message: `may have ${MOST_SECRETS} at most`,
    })
    .default({}),
  test: testSchema.optional(),
  active: z.boolean().default(true),
  /** Whose calls it works for. Absent: links are left as they are; empty: there are none. */
  agents: z.array(agentSchema).max(MOST_AGENTS).optional(),
  /** Whether an execution whose fate is unknown may be run again. */
  repeat: z.enum(["safe", "never"]).default("never"),
  alerts: alertsSchema.default({ failed: true }),
  /** What becomes of one that somebody changed on the platform. */
  drift: z.enum(["repair", "report"]).default("repair"),
});

/** An automation as it is kept: defaults filled in. Reading it again changes nothing. */
export type AutomationDefinition = z.output<typeof automationSchema>;

export type AutomationReading = DefinitionReading<AutomationDefinition>;

/** Reads an automation from parsed YAML or JSON, and reports every problem at once. */
export function readAutomationDefinition(value: unknown): AutomationReading {
  return withoutLiteralSecrets(value, readStoredAutomation(value));
}

/** Reads an automation that is kept already, and may be from before secrets' values were refused. */
export function readStoredAutomation(value: unknown): AutomationReading {
  const called = { whole: "the automation", kind: "an automation" };
  return readBySchema(automationSchema, value, called, contradictions);
}

/** What the fields say to each other; each for itself is the schema's affair. */
function contradictions(fields: Fields): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const { workflow, generate, refine, agents } = fields;
  if (workflow === undefined && generate === undefined)
    problems.push({ field: "workflow", problem: "is missing: give workflow, or generate" });
  if (workflow !== undefined && generate !== undefined)
    problems.push({ field: "generate", problem: "can't stand beside workflow: give one of them" });
  if (refine !== undefined && generate === undefined)
    problems.push({ field: "refine", problem: "goes with generate only: change the workflow itself" });
  if (Array.isArray(agents)) {
    const ids: unknown[] = agents.map((agent) => fieldsOf(agent)["agent_id"]);
    for (const [index, agentId] of ids.entries()) {
      if (agentId !== undefined && ids.indexOf(agentId) !== index)
        problems.push({
          field: `agents[${index}].agent_id`,
          problem: "is there already: name each agent once",
        });
    }
  }
  return problems;
}

/** The file that stands in a workflow's place where a person wrote `workflow: { file: crm-sync.json }`. */
export function workflowFileOf(value: unknown): string | undefined {
  const { workflow } = fieldsOf(value);
  return isFileReference(workflow) ? workflow.file : undefined;
}

function isFileReference(value: unknown): value is { file: string } {
  if (typeof value !== "object" || value === null) return false;
  const entries = Object.entries(value);
  return entries.length === 1 && entries[0]?.[0] === "file" && typeof entries[0][1] === "string";
}

const MARK = /\n*outdial:[0-9a-f-]{36}(?:#\d+)?\s*$/;

/** What makes an automation of the platform ours: the last line of its description. */
export function withMark(description: string | undefined, mark: string): string {
  return description === undefined || description === "" ? mark : `${description}\n\n${mark}`;
}

export function withoutMark(description: string): string {
  return description.replace(MARK, "");
}

/** The n-th time that an automation was made on the platform. */
export function markOf(automationId: string, build: number): string {
  return `outdial:${automationId}#${build}`;
}

const exportedSchema = z.object({
  name: z.string().optional(),
  description: z.string().nullish(),
  trigger_type: z.string().nullish(),
  trigger_config: z.record(z.string(), z.json()).nullish(),
  execution_mode: z.string().nullish(),
  timeout_seconds: z.number().nullish(),
  workflow_json: z.record(z.string(), z.json()),
});

/** A definition of what the platform exported, before it is read. `changes` come before what it says. */
export function definitionOfExport(
  exported: unknown,
  changes: Readonly<Record<string, unknown>>,
): { ok: true; value: Record<string, unknown> } | { ok: false; problem: string } {
  const read = exportedSchema.safeParse(exported);
  if (!read.success)
    return {
      ok: false,
      problem: "is not an exported automation: give the JSON of `outdial automation export`",
    };
  const { workflow_json: workflow, name, description, ...rest } = read.data;
  const told = {
    name: name === undefined ? undefined : nameFrom(name),
    description: typeof description === "string" ? withoutMark(description) : undefined,
    ...rest,
    workflow,
    ...changes,
  };
  const value = Object.entries(told).filter(
    ([, field]) => field !== undefined && field !== null && field !== "",
  );
  return { ok: true, value: Object.fromEntries(value) };
}

/** "CRM sync (v2)" becomes crm-sync-v2. */
function nameFrom(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "")
    .slice(0, 63);
}

/** What the platform says of a test run that is over. */
export interface TestResult {
  status: string;
  output: unknown;
  error: string | undefined;
  executionId: string | undefined;
}

/** Whether a test run came to what its definition expects. */
export function meetsExpectation(expect: string, result: TestResult, nowMs: number): Evaluation<boolean> {
  const { status, error, executionId } = result;
  const output = result.output ?? null;
  return evaluateCondition(expect, "automation", {
    result: { status, output, error: error ?? null, execution_id: executionId ?? null },
    output,
    now: new Date(nowMs),
  });
}
