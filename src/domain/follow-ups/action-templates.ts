import { z } from "zod";

import type { SpecOf } from "./actions.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { parseDurationMs } from "../time/duration.ts";
import {
  evaluate,
  expressionSchema,
  type ExpressionScope,
  type JsonValue,
  type ScopeValues,
} from "../expressions/expressions.ts";
import { secretNameSchema } from "../ground/secrets.ts";

/*
 * Actions as people write them, and how their expressions are filled in. What rules and steps of sequences share
 * stands here; expressions differ only in what they may speak of (`scope`).
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration up to a bound. */
export function durationUpTo(maxMs: number, words: string) {
  return durationBetween(0, maxMs, `must be a duration up to ${words} such as 45s, 10m or 1h30m`);
}

/** Of a text that its schema has let pass. */
export function durationMsOf(text: string): number {
  return parseDurationMs(text) ?? 0;
}

/** More tries than this in one round are a receiver that is gone. */
const MAX_TRIES = 50;

/** How often and when something is tried again. Tries go on to the end of `delays`, unless `max_tries` says so. */
export const actionRetrySchema = z.strictObject({
  max_tries: z.int().min(1).max(MAX_TRIES).optional(),
  delays: z
    .array(durationUpTo(7 * DAY_MS, "7d"))
    .min(1)
    .max(MAX_TRIES)
    .optional(),
});

export type ActionRetryTemplate = z.output<typeof actionRetrySchema>;

/** Within minutes for what passes, within a working day for what somebody has to mend. */
export const USUAL_DELAYS_MS = [30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/** As Standard Webhooks suggest: ten tries over three days and some hours. */
export const WEBHOOK_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A step waits for its webhook's end: what passes is waited out, and no person for days. */
export const STEP_WEBHOOK_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];

/** The retry that a spec carries, out of what was written and what is usual. */
export function retryOf(
  template: ActionRetryTemplate | undefined,
  usualMs: readonly number[],
): { maxTries: number; delaysMs: number[] } {
  const delaysMs = template?.delays?.map(durationMsOf) ?? [...usualMs];
  return { maxTries: template?.max_tries ?? delaysMs.length + 1, delaysMs };
}

const fieldName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,99}$/, "may hold letters, digits, dots, dashes and underscores");

/** Fields of what is sent, each an expression. */
function dataSchema(scope: ExpressionScope) {
  return z
    .record(fieldName, expressionSchema(scope, "any"))
    .refine((data) => Object.keys(data).length <= 100, "may have 100 fields at most")
    .default({});
}

/** Runs an automation of the platform. */
export function automationTemplateSchema(scope: ExpressionScope) {
  return z.strictObject({
    workflow_id: z.string().min(1).max(200),
    data: dataSchema(scope),
    /** How long an execution may take. */
    timeout: durationUpTo(DAY_MS, "1d").default("10m"),
    /** Whether it may be run once more where nobody can tell whether it was. */
    repeat: z.enum(["safe", "never"]).default("never"),
    retry: actionRetrySchema.optional(),
  });
}

export type AutomationTemplate = z.output<ReturnType<typeof automationTemplateSchema>>;

/** Set by the delivery itself, or by HTTP. */
const OWN_HEADERS = /^(?:webhook-.*|content-(?:type|length)|host|connection|transfer-encoding|user-agent)$/i;

const ADDRESS_WORDS =
  "must be an address that begins with https:// or http://, or { secret: <name> } where that is one";

/** Delivers a signed message. */
export function webhookTemplateSchema(scope: ExpressionScope) {
  return z.strictObject({
    /** Or the name of a secret that is the address: whoever knows the one of some systems may post there. */
    url: z.union(
      [
        z.url({ protocol: /^https?$/, error: ADDRESS_WORDS }).max(2_000),
        z.strictObject({ secret: secretNameSchema }),
      ],
      { error: ADDRESS_WORDS },
    ),
    /** Name of the secret that signs it. */
    secret: secretNameSchema.optional(),
    headers: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header")
          .refine((name) => !OWN_HEADERS.test(name), "is set by the delivery itself: leave it out"),
        z.union([
          z
            .string()
            .max(2_000)
            .regex(/^[\t\x20-\x7E]*$/, "may hold printable ASCII only"),
          z.strictObject({ secret: secretNameSchema }),
        ]),
      )
      .default({}),
    data: dataSchema(scope),
    timeout: durationUpTo(60 * SECOND_MS, "1m").default("15s"),
    retry: actionRetrySchema.optional(),
    /** Statuses at which it is given up at once; 410 always is one. */
    give_up_on: z.array(z.int().min(300).max(599)).max(50).default([]),
  });
}

export type WebhookTemplate = z.output<ReturnType<typeof webhookTemplateSchema>>;

interface Filled {
  data: Record<string, JsonValue>;
  /** Fields whose expression has no value. */
  problems: string[];
}

/** Fields of one message, in characters of JSON: the platform keeps inputs up to some 16,000 of them. */
const MAX_AUTOMATION_CHARS = 8_000;
/** As much as receivers take without a second thought. */
const MAX_WEBHOOK_CHARS = 64_000;

/** Fills expressions in. One without a value is null, and told: what is sent says so, and nothing is left out. */
function fillData(
  templates: Readonly<Record<string, string>>,
  scope: ExpressionScope,
  values: ScopeValues,
  maxChars: number,
): Filled {
  const data: Record<string, JsonValue> = {};
  const problems: string[] = [];
  let leftChars = maxChars;
  for (const [name, source] of Object.entries(templates)) {
    const result = evaluate(source, scope, values);
    const chars = result.ok ? JSON.stringify(result.value).length : 0;
    if (result.ok && chars <= leftChars) {
      data[name] = result.value;
      leftChars -= chars;
      continue;
    }
    data[name] = null;
    const problem = result.ok
      ? `makes it longer than ${maxChars} characters: take less of it`
      : result.problem;
    problems.push(`data.${name}: ${problem}`);
  }
  return { data, problems };
}

export function fillAutomation(
  template: AutomationTemplate,
  scope: ExpressionScope,
  values: ScopeValues,
  subject: Record<string, JsonValue>,
): SpecOf<"automation"> {
  const { data, problems } = fillData(template.data, scope, values, MAX_AUTOMATION_CHARS);
  return {
    kind: "automation",
    subject,
    retry: retryOf(template.retry, USUAL_DELAYS_MS),
    ...(problems.length > 0 && { problems }),
    workflowId: template.workflow_id,
    data,
    timeoutMs: durationMsOf(template.timeout),
    repeat: template.repeat,
  };
}

/**
 * @param about.brand whose rule or step it is
 * @param about.type what happened, as receivers are told: `follow_up.<rule>`, `sequence.<step>`.
 * @param about.delaysMs between its tries, where the template says nothing
 */
export function fillWebhook(
  template: WebhookTemplate,
  scope: ExpressionScope,
  values: ScopeValues,
  about: { brand: string; subject: Record<string, JsonValue>; type: string; delaysMs: readonly number[] },
): SpecOf<"webhook"> {
  const { data, problems } = fillData(template.data, scope, values, MAX_WEBHOOK_CHARS);
  return {
    kind: "webhook",
    brand: about.brand,
    subject: about.subject,
    retry: retryOf(template.retry, about.delaysMs),
    ...(problems.length > 0 && { problems }),
    url: template.url,
    ...(template.secret !== undefined && { secret: template.secret }),
    headers: template.headers,
    type: about.type,
    data,
    timeoutMs: durationMsOf(template.timeout),
    finalStatuses: template.give_up_on,
  };
}
