import { z } from "zod";

import {
  actionRetrySchema,
  automationTemplateSchema,
  durationMsOf,
  durationUpTo,
  webhookTemplateSchema,
} from "./action-templates.ts";
import { DISPOSITIONS, type Disposition } from "../policy/disposition.ts";
import type { CallField } from "../expressions/call-fields.ts";
import { expressionSchema, pathsOf } from "../expressions/expressions.ts";

/*
 * Follow-up rules: which calls they select, what is found out about those, and what is done.
 *
 * A rule whose `on` does not name a call's disposition costs nothing: no row is written for such a call.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A folder below the one for recordings: names, with `/` between them, none of which leads elsewhere. */
const FOLDER = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}(?:\/[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}){0,4}$/u;

const callbackTemplate = z.strictObject({
  /** What was said (callback-time.ts): a time, a local time, how long from the end of the call. */
  at: expressionSchema("follow_up", "any").optional(),
  /** Where `at` is missing, or nothing was said. */
  default_delay: durationUpTo(30 * DAY_MS, "30d").default("1h"),
  /** Where something was said that can't be read for certain: it waits for a person, or `default_delay` is taken. */
  on_unreadable: z.enum(["ask", "default_delay"]).default("ask"),
  /** Callbacks that one number gets of one campaign, at most. */
  max_per_contact: z.int().min(1).max(20).default(3),
  retry: actionRetrySchema.optional(),
});

const suppressTemplate = z.strictObject({
  scope: z.enum(["brand", "global"]).default("brand"),
  reason: z.string().min(1).max(500),
  retry: actionRetrySchema.optional(),
});

const enrollTemplate = z.strictObject({
  sequence: z.string().min(1).max(100),
  variables: z
    .record(z.string().min(1).max(100), expressionSchema("follow_up", "text"))
    .refine((variables) => Object.keys(variables).length <= 100, "may have 100 variables at most")
    .default({}),
  /** Tells several enrolments of one person apart, where the sequence allows them. */
  key: expressionSchema("follow_up", "text").optional(),
  retry: actionRetrySchema.optional(),
});

const tagTemplate = z.strictObject({
  tag: z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,99}$/u,
      "may hold letters, digits, spaces, dots, colons, dashes and underscores",
    ),
  retry: actionRetrySchema.optional(),
});

const recordingTemplate = z.strictObject({
  folder: z
    .string()
    .regex(FOLDER, "must be a folder below the one for recordings, such as renewals/2026")
    .optional(),
  timeout: durationUpTo(90_000, "90s").default("1m"),
  retry: actionRetrySchema.optional(),
});

/** One action of a rule: exactly one of the kinds. */
const actionTemplateSchema = z
  .strictObject({
    automation: automationTemplateSchema("follow_up").optional(),
    webhook: webhookTemplateSchema("follow_up").optional(),
    callback: callbackTemplate.optional(),
    suppress: suppressTemplate.optional(),
    enroll: enrollTemplate.optional(),
    tag: tagTemplate.optional(),
    recording: recordingTemplate.optional(),
  })
  .refine((action) => Object.values(action).filter((template) => template !== undefined).length === 1, {
    message: "must be one of automation, webhook, callback, suppress, enroll, tag, recording",
  });

export type ActionTemplate = z.output<typeof actionTemplateSchema>;

const labelName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,49}$/, "may hold letters, digits and underscores, and begins with a letter");

/** The longest wait for a call to be processed. */
const MAX_WAIT_MS = 7 * DAY_MS;

const followUpRuleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, "may hold lower-case letters, digits, dashes and underscores"),
  /** Dispositions of the calls that it is for. */
  on: z.array(z.enum(DISPOSITIONS)).min(1).default(["answered", "callback_requested"]),
  /** Which of those; by default all. */
  when: expressionSchema("follow_up", "bool").optional(),
  /** Whether the call has to be processed before; `auto`: where an expression asks what only that tells. */
  needs_processing: z.union([z.boolean(), z.literal("auto")]).default("auto"),
  /** How long that is waited for. */
  wait: durationUpTo(MAX_WAIT_MS, "7d").default("30m"),
  /** Where it was not processed in that time, or badly: act on what is known, or leave the call alone. */
  on_unprocessed: z.enum(["act", "skip"]).default("act"),
  classify: z
    .array(z.strictObject({ label: labelName, value: expressionSchema("follow_up", "text") }))
    .max(20)
    .default([]),
  mode: z.enum(["in_order", "parallel"]).default("in_order"),
  /** What becomes of the actions behind one that failed for good, in order. */
  on_failure: z.enum(["stop", "continue"]).default("stop"),
  actions: z.array(actionTemplateSchema).min(1).max(10),
});

export type FollowUpRule = z.output<typeof followUpRuleSchema>;

/** Follow-up rules as a campaign's spec or a call step of a sequence has them. */
export const followUpRulesSchema = z
  .array(followUpRuleSchema)
  .max(20)
  .check((context) => {
    const seen = new Set<string>();
    const labels = new Set<string>();
    for (const [index, rule] of context.value.entries()) {
      if (seen.has(rule.id))
        context.issues.push({
          code: "custom",
          input: rule.id,
          path: [index, "id"],
          message: "is the id of another rule: each needs its own",
        });
      seen.add(rule.id);
      for (const [at, { label }] of rule.classify.entries()) {
        if (labels.has(label))
          context.issues.push({
            code: "custom",
            input: label,
            path: [index, "classify", at, "label"],
            message: "is given by another line: each label has one source",
          });
        labels.add(label);
      }
    }
  });

export type FollowUpRules = z.output<typeof followUpRulesSchema>;

/** The dispositions that any of the rules is for. */
export function selectedDispositions(rules: readonly FollowUpRule[] | undefined): Disposition[] {
  return [...new Set((rules ?? []).flatMap((rule) => rule.on))];
}

/** The rules that are for a disposition. */
export function rulesFor(rules: readonly FollowUpRule[] | undefined, disposition: string): FollowUpRule[] {
  return (rules ?? []).filter((rule) => (rule.on as readonly string[]).includes(disposition));
}

/** What the ledger holds of a call that is over; everything else of it is read from the platform. */
const IN_LEDGER: ReadonlySet<string> = new Set<CallField>([
  "call_id",
  "attempt",
  "error",
  "disposition",
  "reason",
  "started_at",
  "ended_at",
]);

/** Whether an expression speaks of what only the processed call says. */
function asksTheCall(source: string): boolean {
  const asked = pathsOf(source, "follow_up", "call");
  return (
    asked.some(([field]) => field === undefined || !IN_LEDGER.has(field)) ||
    pathsOf(source, "follow_up", "analysis").length > 0
  );
}

/** Whether the call has to be processed before the rule can act on it. */
export function needsProcessing(rule: FollowUpRule): boolean {
  if (rule.needs_processing !== "auto") return rule.needs_processing;
  if (rule.actions.some((action) => action.recording !== undefined)) return true;
  return expressionsOf(rule).some(asksTheCall);
}

/** How long the call of such a rule may take to be processed. Milliseconds. */
export function waitMsOf(rules: readonly FollowUpRule[]): number {
  return Math.max(0, ...rules.filter(needsProcessing).map((rule) => durationMsOf(rule.wait)));
}

/** Every expression of a rule. */
export function expressionsOf(rule: FollowUpRule): string[] {
  return [
    ...(rule.when === undefined ? [] : [rule.when]),
    ...rule.classify.map(({ value }) => value),
    ...rule.actions.flatMap(({ automation, webhook, callback, enroll }) => [
      ...Object.values(automation?.data ?? {}),
      ...Object.values(webhook?.data ?? {}),
      ...(callback?.at === undefined ? [] : [callback.at]),
      ...Object.values(enroll?.variables ?? {}),
      ...(enroll?.key === undefined ? [] : [enroll.key]),
    ]),
  ];
}
