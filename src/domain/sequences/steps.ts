import { z } from "zod";

import { automationTemplateSchema, webhookTemplateSchema } from "../follow-ups/action-templates.ts";
import { DAY_NAMES } from "../policy/calling-window.ts";
import { campaignSpecSchema } from "../campaigns/campaign-spec.ts";
import { DISPOSITIONS } from "../policy/disposition.ts";
import { durationBetween, durationText } from "../time/duration-schema.ts";
import { parseDurationMs } from "../time/duration.ts";
import { nearMiss } from "../ground/near-miss.ts";
import { expressionSchema } from "../expressions/expressions.ts";
import { followUpRulesSchema } from "../follow-ups/follow-up-rules.ts";

/** A wait that is longer than a year is a date, and belongs into `until_date`. */
const MAX_WAIT_MS = 366 * 86_400_000;

export const wordSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, "may hold lower-case letters, digits and underscores, 50 at most");

const stepIdSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,49}$/,
    "may hold lower-case letters, digits, underscores and dashes, 50 at most",
  );

const targetSchema = z.string().min(1);

export const waitDurationSchema = durationBetween(
  1_000,
  MAX_WAIT_MS,
  "must be a duration from 1s to 366d such as 45s, 10m, 1h30m or 2d",
);

const OFFSET = "must be a duration up to 366d with + or - before it, such as -3d or +2h";

const offsetSchema = durationText(OFFSET).refine(
  (text) => {
    const durationMs = parseDurationMs(text.trim().replace(/^[+-]/, ""));
    return durationMs !== undefined && durationMs <= MAX_WAIT_MS;
  },
  { message: OFFSET },
);

const clockSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in quotes such as "09:00"');

const variableName = z
  .string()
  .regex(/^[^\p{Cc}]{1,100}$/u, "is no name of a variable: 1 to 100 characters, no control characters");

export function variablesOf<Value extends z.ZodType>(value: Value) {
  return z
    .record(variableName, value)
    .refine((variables) => Object.keys(variables).length <= 100, "may have 100 variables at most");
}

/** Settings of calls that a sequence gives to all of its call steps, or a step to its own calls. */
export const callDefaults = {
  agent_id: campaignSpecSchema.shape.agent_id.optional(),
  from_numbers: campaignSpecSchema.shape.from_numbers.optional(),
  window: campaignSpecSchema.shape.window.unwrap().optional(),
  holidays: campaignSpecSchema.shape.holidays,
  exceptions: campaignSpecSchema.shape.exceptions,
  presets: campaignSpecSchema.shape.presets,
  override: campaignSpecSchema.shape.override,
  frequency: campaignSpecSchema.shape.frequency,
  numbers: campaignSpecSchema.shape.numbers,
  consent: campaignSpecSchema.shape.consent,
  requires_sources: campaignSpecSchema.shape.requires_sources,
  transfers: campaignSpecSchema.shape.transfers,
  on_agent_change: campaignSpecSchema.shape.on_agent_change,
  concurrency: campaignSpecSchema.shape.concurrency.optional(),
  weight: campaignSpecSchema.shape.weight.unwrap().optional(),
  retry: campaignSpecSchema.shape.retry.unwrap().optional(),
  analysis: campaignSpecSchema.shape.analysis,
  least_gap: campaignSpecSchema.shape.least_gap.unwrap().optional(),
};

const callSchema = z.strictObject({
  ...callDefaults,
  /** Added to those of the person, for the agent. */
  variables: variablesOf(expressionSchema("sequence", "text")).optional(),
  follow_ups: followUpRulesSchema.optional(),
  /** How long a call may wait to be made: for a window, a slot, its next try. */
  give_up_after: waitDurationSchema.default("14d"),
});

/** A year of them. */
const MAX_BUSINESS_DAYS = 250;

const waitSchema = z
  .strictObject({
    for: waitDurationSchema.optional(),
    /** The next time that it is this late, where the person is. */
    until: clockSchema.optional(),
    days: z
      .union([z.enum(["weekdays", "weekend", "business"]), z.array(z.enum(DAY_NAMES)).min(1).max(7)], {
        error: "must be weekdays, weekend, business, or a list of days such as [monday, thursday]",
      })
      .optional(),
    /** So many days on which business is done, where the person is. */
    business_days: z.int().min(1).max(MAX_BUSINESS_DAYS).optional(),
    /** An expression that comes to a date or a time. */
    until_date: expressionSchema("sequence", "text").optional(),
    at: clockSchema.optional(),
    offset: offsetSchema.optional(),
  })
  .check((context) => {
    const {
      for: duration,
      until,
      days,
      business_days: business,
      until_date: untilDate,
      at,
      offset,
    } = context.value;
    const say = (field: string, message: string) =>
      context.issues.push({ code: "custom", input: context.value, path: [field], message });
    const ways = [duration, until, business, untilDate].filter((way) => way !== undefined).length;
    if (ways !== 1)
      context.issues.push({
        code: "custom",
        input: context.value,
        message: "must say exactly one of for, until, business_days and until_date",
      });
    if (days !== undefined && until === undefined) say("days", "goes with until only: remove it");
    if (at !== undefined && untilDate === undefined && business === undefined)
      say("at", "goes with until_date and business_days only: remove it");
    if (offset !== undefined && untilDate === undefined)
      say("offset", "goes with until_date only: remove it");
  });

const waitForSchema = z.strictObject({
  event: z.string().min(1).max(100),
  /** Which of them; by default any. */
  when: expressionSchema("event", "bool").optional(),
  timeout: waitDurationSchema,
});

const caseSchema = z.strictObject({ when: expressionSchema("sequence", "bool"), to: targetSchema });
const otherwiseSchema = z.strictObject({ otherwise: targetSchema });

const branchSchema = z
  .array(
    z.union([caseSchema, otherwiseSchema], {
      error: "must be { when: ..., to: ... } or { otherwise: ... }",
    }),
  )
  .min(2)
  .max(50)
  .check((context) => {
    const last = context.value.length - 1;
    for (const [index, way] of context.value.entries()) {
      if ("otherwise" in way && index !== last)
        context.issues.push({
          code: "custom",
          input: way,
          path: [index, "otherwise"],
          message: "must come last, and once: what is behind it is never asked",
        });
    }
    const end = context.value[last];
    if (end && !("otherwise" in end))
      context.issues.push({
        code: "custom",
        input: end,
        message: "has no otherwise: end it with { otherwise: <step> }, for when nothing applies",
      });
  });

const splitSchema = z
  .array(
    z.strictObject({
      weight: z
        .number()
        .gt(0, "must be more than 0: leave the way out where nobody is to take it")
        .max(1_000_000),
      to: targetSchema,
    }),
  )
  .min(2)
  .max(20);

const exitSchema = z.strictObject({ outcome: wordSchema, reason: z.string().min(1).max(500).optional() });

const suppressSchema = z.strictObject({
  scope: z.enum(["brand", "global"]).default("brand"),
  reason: z.string().min(1).max(500),
});

/** What a step may do. Exactly one of them. */
const works = {
  call: callSchema.optional(),
  wait: waitSchema.optional(),
  wait_for: waitForSchema.optional(),
  branch: branchSchema.optional(),
  split: splitSchema.optional(),
  automation: automationTemplateSchema("sequence").optional(),
  webhook: webhookTemplateSchema("sequence").optional(),
  set: variablesOf(expressionSchema("sequence", "text")).optional(),
  suppress: suppressSchema.optional(),
  exit: exitSchema.optional(),
};

export type StepKind = keyof typeof works;

const STEP_KINDS = Object.keys(works) as StepKind[];

/** The ways that `on` may name, by what a step does. */
const WAYS: Readonly<Record<StepKind, readonly string[]>> = {
  call: [...DISPOSITIONS, "otherwise", "refused", "not_reached_in_time", "problem"],
  wait: ["problem"],
  wait_for: ["event", "timeout"],
  branch: [],
  split: [],
  automation: ["done", "failed", "unknown"],
  webhook: ["done", "failed"],
  set: ["problem"],
  suppress: [],
  exit: [],
};

export const stepSchema = z
  .strictObject({
    id: stepIdSchema,
    ...works,
    on: z.record(z.string(), targetSchema).optional(),
    next: targetSchema.optional(),
  })
  .check((context) => {
    const step = context.value;
    const say = (path: PropertyKey[], message: string) =>
      context.issues.push({ code: "custom", input: step, path, message });
    const kinds = STEP_KINDS.filter((kind) => step[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1)
      return void say(
        [],
        `must do exactly one of ${STEP_KINDS.join(", ")}${kind === undefined ? "" : `, not ${kinds.join(" and ")}`}`,
      );
    if (step.next !== undefined && (kind === "branch" || kind === "split" || kind === "exit"))
      say(["next"], `is never taken after ${kind}: remove it`);
    for (const [path, message] of onProblems(kind, step.on, step.wait !== undefined && mayFail(step.wait)))
      say(path, message);
  });

/** A date may be none, and business days may never come. */
function mayFail(wait: z.output<typeof waitSchema>): boolean {
  return wait.until_date !== undefined || wait.business_days !== undefined || wait.days === "business";
}

function onProblems(
  kind: StepKind,
  on: Readonly<Record<string, string>> | undefined,
  waitMayFail: boolean,
): [path: PropertyKey[], message: string][] {
  if (on === undefined) return [];
  const ways = kind === "wait" && !waitMayFail ? [] : WAYS[kind];
  if (ways.length === 0)
    return [
      [
        ["on"],
        `is not asked by this step: ${kind === "branch" || kind === "split" ? "its ways stand in it" : "use next"}`,
      ],
    ];
  const problems = Object.keys(on)
    .filter((way) => !ways.includes(way))
    .map((way): [PropertyKey[], string] => [
      ["on", way],
      `never happens here${nearMiss(way, ways)}: there are ${ways.join(", ")}`,
    ]);
  const missing = requiredWays(kind, on).filter((way) => on[way] === undefined);
  if (missing.length > 0)
    problems.push([
      ["on"],
      kind === "call" && missing.some((way) => way !== "unknown")
        ? `says nothing of ${missing.join(", ")}: name a step for each, or one for otherwise${missing.includes("unknown") ? " and one for unknown" : ""}`
        : `says nothing of ${missing.join(", ")}: name a step for ${missing.length === 1 ? "it" : "each"}`,
    ]);
  return problems;
}

/** What an `on` has to speak of: an unknown outcome is never swept into `otherwise`. */
function requiredWays(kind: StepKind, on: Readonly<Record<string, string>>): readonly string[] {
  if (kind === "call") return on["otherwise"] === undefined ? DISPOSITIONS : ["unknown"];
  return kind === "wait_for" || kind === "automation" || kind === "webhook" ? WAYS[kind] : [];
}

export type Step = z.output<typeof stepSchema>;

/** What a step does, as one value. */
export type Work = {
  [Kind in StepKind]: { kind: Kind; spec: NonNullable<Step[Kind]> };
}[StepKind];

export function workOf(step: Step): Work {
  if (step.call) return { kind: "call", spec: step.call };
  if (step.wait) return { kind: "wait", spec: step.wait };
  if (step.wait_for) return { kind: "wait_for", spec: step.wait_for };
  if (step.branch) return { kind: "branch", spec: step.branch };
  if (step.split) return { kind: "split", spec: step.split };
  if (step.automation) return { kind: "automation", spec: step.automation };
  if (step.webhook) return { kind: "webhook", spec: step.webhook };
  if (step.set) return { kind: "set", spec: step.set };
  if (step.suppress) return { kind: "suppress", spec: step.suppress };
  if (step.exit) return { kind: "exit", spec: step.exit };
  throw new Error(`step ${step.id} does nothing: its definition was never read`);
}
