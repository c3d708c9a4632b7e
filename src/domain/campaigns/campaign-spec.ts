import { z } from "zod";

import { DEFAULT_WINDOW_SPEC, type CallingWindow } from "../policy/calling-window.ts";
import { breakerSchema, canarySchema } from "./breaker-spec.ts";
import { budgetSchema } from "./budget-spec.ts";
import { callerIdsSchema } from "./caller-ids-spec.ts";
import { transferPolicyOf, transfersSchema } from "./transfers-spec.ts";
import { variantsSchema } from "./variants.ts";
import { PRIORITIES } from "./account-lines.ts";
import { contactSourceSchema } from "./contact-source.ts";
import { brandNameSchema } from "../ground/brand-name.ts";
import {
  BESIDE_OTHERS,
  fieldsOf,
  readBySchema,
  withoutLiteralSecrets,
} from "../ground/definition-reading.ts";
import { DISPOSITIONS, RETRYABLE_DISPOSITIONS } from "../policy/disposition.ts";
import { msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { orderSchema, prioritySchema } from "./list-order.ts";
import { sensitiveProblems, sensitiveSchema } from "./sensitive-spec.ts";
import { overrideProblems, overrideSchema, presetsSchema } from "./presets-spec.ts";
import { datesOf, exceptionsSchema, holidaysSchema, weeklySchema, windowOf } from "./window-spec.ts";
import { hasDates } from "../policy/window-dates.ts";
import { retryDelayOf, retrySchema } from "./retry-spec.ts";
import { expressionSchema } from "../expressions/expressions.ts";
import { expressionsOf, followUpRulesSchema } from "../follow-ups/follow-up-rules.ts";
import { keptFieldSchema, MOST_KEPT_FIELDS } from "./kept-facts.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";
import type { DialingPolicy, FrequencyCap, InboundPolicy } from "../policy/dialing-policy.ts";
import { CONSENT_REQUIREMENTS, type ConsentPolicy } from "../policy/consent.ts";
import { sourceNameSchema } from "../policy/source-name.ts";
import { COSTLY_KINDS, isNumberedCountry } from "../policy/number-kind.ts";
import { consentRulesOf, placedRulesOf, presetCapsOf } from "../policy/presets/in-force.ts";

export type { SpecProblem } from "../ground/spec-problems.ts";

const MAX_DURATION_MS = 30 * 86_400_000;

const durationSchema = durationBetween(
  0,
  MAX_DURATION_MS,
  "must be a duration up to 30d such as 45s, 10m, 1h30m or 2d",
);

/** Who was called longer ago than this is nobody's complaint; the ledger keeps calls that long and longer. */
const MAX_LOOK_BACK_MS = 366 * 86_400_000;

/** How long ago somebody must have been called last to be called again. */
export const lookBackSchema = durationBetween(
  60_000,
  MAX_LOOK_BACK_MS,
  "must be a duration from 1m to 366d such as 12h, 7d or 30d",
);

/** Longer than this it is a question of whom to call at all: `not_called_within`. */
const MAX_LEAST_GAP_MS = 7 * 86_400_000;

const leastGapSchema = durationBetween(
  0,
  MAX_LEAST_GAP_MS,
  "must be a duration up to 7d such as 5m or 2h; real calls keep 1m at least",
);

/** Longer than a working day nobody watches a campaign grow. */
const MAX_RAMP_UP_MS = 86_400_000;

const rampUpSchema = durationBetween(
  0,
  MAX_RAMP_UP_MS,
  "must be a duration up to 24h such as 90s, 10m or 1h",
);

/** Long enough for somebody to notice that they were called, short enough for "call me back in a minute". */
const DEFAULT_LEAST_GAP = "5m";

const phoneSchema = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be a number in E.164 form such as +12025550100");

/** ISO 3166-1 has fewer. */
const MAX_COUNTRIES = 260;

/** More calls than this in a year are nobody's policy. */
const MAX_CAPPED = 100;

const frequencyCapSchema = z
  .strictObject({
    attempts: z.int().min(1).max(MAX_CAPPED).optional(),
    conversations: z.int().min(1).max(MAX_CAPPED).optional(),
    within: lookBackSchema,
    /** Whose calls count. */
    across: z.enum(["brand", "everything"]).default("brand"),
    /** What becomes of somebody at the cap: they wait until it lets go, or are left out for good. */
    at_cap: z.enum(["wait", "end"]).default("wait"),
  })
  .refine(({ attempts, conversations }) => (attempts === undefined) !== (conversations === undefined), {
    message: "must say either attempts or conversations",
  });

/** Each is asked for every contact, with a probe of an index. */
const MAX_CAPS = 5;

const numbersSchema = z
  .strictObject({
    /** Countries whose numbers may be called; absent: any. */
    countries: z
      .array(z.string().refine(isNumberedCountry, "must be a country's two-letter code such as US or DE"))
      .min(1)
      .max(MAX_COUNTRIES)
      .refine((codes) => new Set(codes).size === codes.length, "names a country twice")
      .optional(),
    /** Costly kinds that may be called, too. */
    kinds: z.array(z.enum(COSTLY_KINDS)).min(1).max(COSTLY_KINDS.length).optional(),
  })
  .refine(({ countries, kinds }) => countries !== undefined || kinds !== undefined, {
    message: "must say countries, kinds, or both",
  });

/** Longer than this no authority takes consent for fresh; who means for ever leaves it out. */
const MAX_CONSENT_AGE_MS = 5 * 366 * 86_400_000;

const consentSchema = z.strictObject({
  require: z.enum(CONSENT_REQUIREMENTS),
  /** How long ago it may have been given. */
  max_age: durationBetween(
    3_600_000,
    MAX_CONSENT_AGE_MS,
    "must be a duration from 1h to 1830d such as 90d or 540d",
  ).optional(),
});

/** Sources that every campaign asks for are declared for the brand; a handful are asked for by name. */
const MOST_REQUIRED = 20;

const requiredSourcesSchema = z
  .array(sourceNameSchema)
  .min(1)
  .max(MOST_REQUIRED)
  .refine((names) => new Set(names).size === names.length, "names a source twice");

/** Whether the prefix of a number that people keep when they move says where they are. */
const zonesSchema = z.literal("strict", {
  error: "must be `strict`, or left out: then numbers of +1 are placed by their prefix",
});

const instantSchema = z.iso.datetime({
  offset: true,
  error: "must be an ISO 8601 time with offset such as 2026-12-01T09:00:00Z",
});

/** What decides what a call came to: an answer word of the agent's own analysis, or a condition over the call. */
const analysisRuleSchema = z
  .strictObject({
    key: z.string().min(1).max(100).optional(),
    equals: z.union([z.string().max(200), z.boolean(), z.number()]).optional(),
    when: expressionSchema("call", "bool").optional(),
    disposition: z.enum(DISPOSITIONS),
  })
  .check((context) => {
    const { key, equals, when } = context.value;
    const say = (message: string, path: string[] = []) =>
      context.issues.push({ code: "custom", input: context.value, path, message });
    if (when === undefined && key === undefined)
      return void say(
        "must say when: a condition over the call, or key and equals: an answer of its analysis",
      );
    if (when !== undefined && (key !== undefined || equals !== undefined))
      return void say("must say either when, or key and equals: two rules say both");
    if (key !== undefined && equals === undefined)
      say("is missing: say what the answer has to be", ["equals"]);
  });

/** What a call from a contact to us does to the calls that were still to be made to them. */
const inboundSchema = z.union([z.enum(["close", "ignore"]), z.strictObject({ reschedule: durationSchema })], {
  error: "must be `close`, `ignore` or a reschedule such as { reschedule: 24h }",
});

/**
 * A campaign as a person writes it. Unknown fields are refused by name.
 * `window` absent means weekdays 09:00 to 18:00 in the contact's local time; see `withPresetsSaid` for what else.
 */
export const campaignSpecSchema = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(
        /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
        "may hold letters, digits, spaces, dots, dashes and underscores",
      ),
    brand: brandNameSchema.default("default"),
    agent_id: z.string().min(1).max(200),
    from_numbers: z
      .array(phoneSchema)
      .min(1)
      .max(1_000)
      .refine((numbers) => new Set(numbers).size === numbers.length, "names a number twice"),
    /** Agents or variables that are compared on the same list. */
    variants: variantsSchema.optional(),
    /** Which of them somebody is called from, and how often each may call. Absent: batches take turns. */
    caller_ids: callerIdsSchema.optional(),
    concurrency: z.int().min(1, "must be 1 or more: it is how many calls may be up at once").max(100_000),
    /** How long it takes from one call at once to all, at the beginning and after each pause. */
    ramp_up: rampUpSchema.optional(),
    /** Its part of the account's lines against other campaigns', where they share them. */
    weight: z.int().min(1, "must be 1 or more").max(1_000).default(1),
    /** Those who take transferred calls: nobody is called outside their hours, nor more at once than they can take. */
    transfers: transfersSchema.optional(),
    /** Before or behind other campaigns' lists where they share the account's lines; absent: normal. */
    priority: z.enum(PRIORITIES).optional(),
    default_region: z
      .string()
      .regex(/^[A-Z]{2}$/, "must be a two-letter country code such as US")
      .optional(),
    retry: retrySchema.default({ max_attempts: 1, delays: {}, max_per_disposition: {} }),
    /** A column of the list by which some are called before others; absent: nobody is. */
    contact_priority: prioritySchema.optional(),
    /** Columns of the list whose values are sealed in the ledger, and opened for the agent alone. */
    sensitive: sensitiveSchema.optional(),
    /** In which order first calls of one priority are made; absent: that of the list. */
    order: orderSchema.optional(),
    window: z
      .union([z.literal("always"), weeklySchema], { error: "must be `always` or days with ranges" })
      .default(DEFAULT_WINDOW_SPEC),
    /** Public holidays of these places, on which nobody there is called. */
    holidays: holidaysSchema.optional(),
    /** Dates that have hours of their own, or none; they go before holidays. */
    exceptions: exceptionsSchema.optional(),
    /** Rules of places, which hold besides all that the campaign says itself. */
    presets: presetsSchema.optional(),
    /** Rules of those that do not hold for it, and why. */
    override: overrideSchema.optional(),
    /** How often a number may be called in any stretch of time, over campaigns, callbacks and sequences. */
    frequency: z.array(frequencyCapSchema).min(1).max(MAX_CAPS).optional(),
    /** Which numbers may be called at all; absent: of any country, and of no costly kind. */
    numbers: numbersSchema.optional(),
    /** Which consent a number must have to be called; absent: none is asked for. */
    consent: consentSchema.optional(),
    /** Sources of suppressions that must be there and have a list for anybody to be called. */
    requires_sources: requiredSourcesSchema.optional(),
    /** Absent: a number of +1 is placed by its prefix, unless its row says where the person is. */
    zones: zonesSchema.optional(),
    /** The first so many calls; then it pauses until somebody has approved of them. */
    canary: canarySchema.optional(),
    /** Too many of its newest calls came to what nobody wants: it pauses itself. */
    breaker: breakerSchema.optional(),
    /** What becomes of it when another version of its agent is published while it runs; absent: people are told. */
    on_agent_change: z.enum(["tell", "pause"]).optional(),
    /** What its calls may cost; at a cap it waits. Absent: whatever its brand may spend. */
    budget: budgetSchema.optional(),
    starts_at: instantSchema.optional(),
    ends_at: instantSchema.optional(),
    analysis: z
      .strictObject({
        rules: z.array(analysisRuleSchema).min(1).max(20).optional(),
        /** What of each call is kept with it, for whoever asks later; sequences say it by themselves. */
        keep: z.array(keptFieldSchema).min(1).max(MOST_KEPT_FIELDS).optional(),
        /** How long an ended call may be waited for to be processed, before its item alone decides. */
        wait: durationSchema.default("10m"),
      })
      .refine(({ rules, keep }) => rules !== undefined || keep !== undefined, {
        message: "is missing: give rules, or say in keep what is asked for later",
        path: ["rules"],
      })
      .optional(),
    inbound: inboundSchema.default("ignore"),
    /** Between two calls to a number: retries, callbacks, other campaigns, sequences. A shorter delay of `retry` goes before it. */
    least_gap: leastGapSchema.default(DEFAULT_LEAST_GAP),
    /** Leaves out whoever another campaign of the brand, or an earlier run of this one, called within this. */
    not_called_within: lookBackSchema.optional(),
    /** Where runs that a schedule makes get their contacts from, fresh each time. */
    contacts: contactSourceSchema.optional(),
    follow_ups: followUpRulesSchema.optional(),
  })
  .refine(
    // Of what is no time, nothing is said here.
    (spec) => !(momentMs(spec.starts_at) >= momentMs(spec.ends_at)),
    { message: "must be after starts_at", path: ["ends_at"], ...BESIDE_OTHERS },
  )
  .superRefine((spec, context) => {
    for (const { path, rule, message } of overrideProblems(spec))
      context.addIssue({ code: "custom", input: rule, path: ["override", ...path], message });
  }, BESIDE_OTHERS)
  // Of rules that are none nothing can be said yet.
  .superRefine((spec, context) => {
    const rules = (spec.follow_ups ?? []).map(expressionsOf);
    for (const { path, message } of sensitiveProblems(spec, rules))
      context.addIssue({ code: "custom", input: spec.sensitive, path, message });
  });

/** Of what is no text it is not asked: it may be anything, and is told by itself. */
function momentMs(said: unknown): number {
  return typeof said === "string" ? Date.parse(said) : Number.NaN;
}

/** A spec with its defaults filled in: what the ledger keeps. Reading it again changes nothing. */
export type CampaignSpec = z.output<typeof campaignSpecSchema>;
/** A spec as written. */
export type CampaignSpecInput = z.input<typeof campaignSpecSchema>;

export function policyOf(spec: CampaignSpec, version: number): DialingPolicy {
  const delays: DialingPolicy["delays"] = {};
  for (const disposition of RETRYABLE_DISPOSITIONS) {
    const delay = spec.retry.delays[disposition];
    if (delay !== undefined) delays[disposition] = retryDelayOf(delay);
  }
  return {
    version,
    window: windowInSpec(spec),
    maxAttempts: spec.retry.max_attempts,
    delays,
    maxPerDisposition: spec.retry.max_per_disposition,
    startsAtMs: spec.starts_at === undefined ? undefined : Date.parse(spec.starts_at),
    endsAtMs: spec.ends_at === undefined ? undefined : Date.parse(spec.ends_at),
    analysisRules: spec.analysis?.rules ?? [],
    analysisWaitMs: analysisWaitMsOf(spec),
    ...keptFieldsOf(spec),
    inbound: inboundPolicyOf(spec.inbound),
    notCalledWithinMs:
      spec.not_called_within === undefined ? undefined : msOfDuration(spec.not_called_within),
    leastGapMs: msOfDuration(spec.least_gap),
    presetConsents: consentRulesOf(spec.presets, spec.override),
    frequency: [...(spec.frequency ?? []).map(frequencyCapOf), ...presetCapsOf(spec.presets, spec.override)],
    numbers: { countries: spec.numbers?.countries, kinds: spec.numbers?.kinds ?? [] },
    consent: consentPolicyOf(spec),
    ...(spec.requires_sources && { requiredSources: spec.requires_sources }),
    ...(spec.transfers && { transfers: transferPolicyOf(spec.transfers) }),
  };
}

/** The longest that a call is waited for to be processed, where nothing is said of its analysis but that it is asked. */
const TRANSFER_WAIT_MS = 10 * 60_000;

function analysisWaitMsOf({ analysis, transfers }: CampaignSpec): number {
  if (analysis) return msOfDuration(analysis.wait);
  return transfers?.answer === undefined ? 0 : TRANSFER_WAIT_MS;
}

/** What is asked of calls' analyses later; whether one was transferred, too. */
function keptFieldsOf({ analysis, transfers }: CampaignSpec): Pick<DialingPolicy, "keptFields"> {
  const keep = [...(analysis?.keep ?? []), ...(transfers?.answer === undefined ? [] : [transfers.answer])];
  return keep.length === 0 ? {} : { keptFields: [...new Set(keep)] };
}

function consentPolicyOf({ consent }: Pick<CampaignSpec, "consent">): ConsentPolicy | undefined {
  if (consent === undefined) return undefined;
  const { require, max_age: maxAge } = consent;
  return { require, maxAgeMs: maxAge === undefined ? undefined : msOfDuration(maxAge) };
}

function frequencyCapOf(cap: NonNullable<CampaignSpec["frequency"]>[number]): FrequencyCap {
  const { attempts, conversations, within, across, at_cap: atCap } = cap;
  return {
    counts: attempts === undefined ? "conversations" : "attempts",
    atMost: attempts ?? conversations ?? 1,
    withinMs: msOfDuration(within),
    across,
    thenEnd: atCap === "end",
  };
}

/** The agents that a campaign calls with, its variants' as well, each with the field that names it first. */
export function agentsOf({
  agent_id: agentId,
  variants = [],
}: Pick<CampaignSpec, "agent_id" | "variants">): Map<string, string> {
  const fields = new Map([[agentId, "agent_id"]]);
  for (const [index, variant] of variants.entries()) {
    if (variant.agent_id !== undefined && !fields.has(variant.agent_id))
      fields.set(variant.agent_id, `variants[${index}].agent_id`);
  }
  return fields;
}

/** How long its lines take to grow. In milliseconds; 0: all are there at once. */
export function rampUpMsOf({ ramp_up: rampUp }: CampaignSpec): number {
  return rampUp === undefined ? 0 : msOfDuration(rampUp);
}

function inboundPolicyOf(inbound: CampaignSpec["inbound"]): InboundPolicy {
  if (typeof inbound === "string") return { kind: inbound };
  return { kind: "reschedule", delayMs: msOfDuration(inbound.reschedule) };
}

/** With the dates that are unlike others, and the rules of its presets. */
export function windowInSpec(
  spec: Pick<CampaignSpec, "window" | "holidays" | "exceptions" | "presets" | "override">,
): CallingWindow {
  const dates = datesOf(spec);
  const presets = placedRulesOf(spec.presets, spec.override);
  return {
    ...windowOf(spec.window),
    ...(hasDates(dates) && { dates }),
    ...(presets.length > 0 && { presets }),
  };
}

export type SpecReading = { ok: true; spec: CampaignSpec } | { ok: false; problems: SpecProblem[] };

const CALLED = { whole: "the spec", kind: "a campaign spec" };

/** Reads a spec and reports every problem at once. Takes the parsed YAML or JSON value. */
export function readCampaignSpec(value: unknown): SpecReading {
  return withoutLiteralSecrets(value, readStoredSpec(value));
}

/** What is named for whoever names neither presets nor a window. */
const WHERE_NOTHING_IS_SAID = ["careful"];

/**
 * What a spec means that says nothing of when people may be called: `careful`. One that names presets and no window leaves
 * the hours to them. What is kept says both.
 */
export function withPresetsSaid(value: unknown): unknown {
  const { window, presets, ...rest } = fieldsOf(value);
  if (window !== undefined || Object.keys(rest).length === 0) return value;
  return presets === undefined
    ? { ...rest, presets: WHERE_NOTHING_IS_SAID }
    : { ...rest, presets, window: "always" };
}

/** Reads a spec that is kept already, and may be from before secrets' values were refused. */
export function readStoredSpec(value: unknown): SpecReading {
  const reading = readBySchema(campaignSpecSchema, withPresetsSaid(value), CALLED);
  return reading.ok ? { ok: true, spec: reading.definition } : reading;
}
