import { z } from "zod";

import { campaignSpecSchema, withPresetsSaid, type CampaignSpec } from "../campaigns/campaign-spec.ts";
import { overrideProblems } from "../campaigns/presets-spec.ts";
import {
  BESIDE_OTHERS,
  fieldsOf,
  readBySchema,
  withoutLiteralSecrets,
  type DefinitionReading,
  type Fields,
} from "../ground/definition-reading.ts";
import { expressionSchema } from "../expressions/expressions.ts";
import { sensitiveSchema } from "../campaigns/sensitive-spec.ts";
import { graphProblems } from "./graph.ts";
import { MOST_KEPT_FIELDS } from "../campaigns/kept-facts.ts";
import { keptForExpressions } from "./asked-of-calls.ts";
import { sensitiveVariableProblems } from "./sensitive-variables.ts";
import { callDefaults, stepSchema, variablesOf, waitDurationSchema, wordSchema, type Step } from "./steps.ts";

export { workOf, type Step, type Work } from "./steps.ts";

/** More steps than this nobody can follow in a diagram. */
const MAX_STEPS = 200;
/** A definition is read at every turn of everybody in it. */
const MAX_DEFINITION_BYTES = 65_536;
/** Calls of one step that may be up at once, where nothing is said. */
const DEFAULT_CALL_CONCURRENCY = 5;
/** Times that a call is put off for a person who calls: more are a mistake. */
const MAX_RESCHEDULES = 100;
/** The longest name of a campaign. */
const MAX_NAME_CHARS = 100;

const watchSchema = z
  .array(z.strictObject({ when: expressionSchema("sequence", "bool"), outcome: wordSchema }))
  .max(20)
  .default([]);

const reEnrolmentSchema = z
  .strictObject({
    policy: z.enum(["ignore", "restart", "parallel"]).default("ignore"),
    /** Tells the enrolments of one person apart. */
    key: expressionSchema("sequence", "text").optional(),
  })
  .check((context) => {
    const { policy, key } = context.value;
    if (policy === "parallel" && key === undefined)
      context.issues.push({
        code: "custom",
        input: key,
        path: ["key"],
        message: "is missing: parallel enrolments of one person need an expression that tells them apart",
      });
    if (policy !== "parallel" && key !== undefined)
      context.issues.push({
        code: "custom",
        input: key,
        path: ["key"],
        message: "goes with the policy parallel only: remove it",
      });
  });

const inboundSchema = z
  .strictObject({
    do: z.enum(["close", "reschedule", "ignore"]),
    /** Of reschedule: how long after their call the waiting one is made. */
    delay: waitDurationSchema.optional(),
    /** Of reschedule: how often, while one call step lasts. Each time begins the call's tries anew. */
    times: z.int().min(1).max(MAX_RESCHEDULES).optional(),
    /** Of close. */
    outcome: wordSchema.optional(),
  })
  .check((context) => {
    const { do: what, delay, times, outcome } = context.value;
    const say = (field: string, message: string) =>
      context.issues.push({ code: "custom", input: context.value, path: [field], message });
    if (delay !== undefined && what !== "reschedule")
      say("delay", "goes with do: reschedule only: remove it");
    if (times !== undefined && what !== "reschedule")
      say("times", "goes with do: reschedule only: remove it");
    if (outcome !== undefined && what !== "close") say("outcome", "goes with do: close only: remove it");
  });

export const definitionSchema = z
  .strictObject({
    name: campaignSpecSchema.shape.name,
    brand: campaignSpecSchema.shape.brand,
    ...callDefaults,
    default_region: campaignSpecSchema.shape.default_region,
    /** Of whoever is enrolled under this version. */
    zones: campaignSpecSchema.shape.zones,
    variables: variablesOf(z.string().max(4_000)).default({}),
    /** Variables of people that are sealed in the ledger, and opened for the agent alone. */
    sensitive: sensitiveSchema.optional(),
    re_enrolment: reEnrolmentSchema.default({ policy: "ignore" }),
    inbound: inboundSchema.default({ do: "ignore" }),
    goals: watchSchema,
    exit_when: watchSchema,
    steps: z.array(stepSchema).min(1).max(MAX_STEPS),
  })
  .superRefine((sequence, context) => {
    for (const { call, index } of callsIn(sequence)) {
      for (const field of ["agent_id", "from_numbers"] as const) {
        if (call[field] === undefined && sequence[field] === undefined)
          context.addIssue({
            code: "custom",
            input: undefined,
            path: ["steps", index, "call", field],
            message: "is missing: give it here, or once for the whole sequence",
          });
      }
    }
    for (const { path, rule, message } of overrideProblemsOf(sequence))
      context.addIssue({ code: "custom", input: rule, path, message });
  }, BESIDE_OTHERS)
  // Of steps that are none nothing can be said yet.
  .superRefine((sequence, context) => {
    for (const { path, message } of sensitiveVariableProblems(sequence))
      context.addIssue({ code: "custom", input: sequence.sensitive, path, message });
  });

/** The call steps of what may be wrong elsewhere. */
function callsIn({ steps }: { steps: unknown }): { call: Fields; index: number }[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, index) => {
    const { call } = fieldsOf(step);
    return typeof call === "object" && call !== null ? [{ call: fieldsOf(call), index }] : [];
  });
}

/** Of what each call step comes to, told where it is written: a step that names its own presets has the sequence's overrides. */
function overrideProblemsOf(sequence: { presets?: unknown; override?: unknown; steps: unknown }) {
  return callsIn(sequence).flatMap(({ call, index }) => {
    const where = call["override"] === undefined ? ["override"] : ["steps", index, "call", "override"];
    const step = {
      presets: call["presets"] ?? sequence.presets,
      override: call["override"] ?? sequence.override,
    };
    return overrideProblems(step).map(({ path, ...problem }) => ({ ...problem, path: [...where, ...path] }));
  });
}

/** A definition with its defaults filled in: what the ledger keeps. Reading it again changes nothing. */
export type SequenceDefinition = z.output<typeof definitionSchema>;

export type SequenceReading = DefinitionReading<SequenceDefinition>;

const CALLED = {
  whole: "the sequence",
  kind: "a sequence",
  kindAt([first, , kind]: readonly PropertyKey[]): string | undefined {
    if (first !== "steps") return undefined;
    if (kind === undefined || kind === "on") return "a step";
    const does = String(kind);
    return `${/^[aeiou]/.test(does) ? "an" : "a"} ${does} step`;
  },
};

/**
 * Reads a definition and reports every problem at once: of its fields, and of the way that its steps make. Takes the parsed YAML or JSON value.
 */
export function readSequence(value: unknown): SequenceReading {
  const tooLarge = sizeProblem(value);
  if (tooLarge !== undefined) return { ok: false, problems: [{ field: CALLED.whole, problem: tooLarge }] };
  const reading = readBySchema(definitionSchema, value, CALLED, () => graphProblems(value));
  return withoutLiteralSecrets(value, reading);
}

/**
 * Reads a definition that the ledger keeps. The way of its steps was judged when it was put, and people are on it:
 * a rule that is stricter by now holds for the next version.
 */
export function readStoredSequence(value: unknown): SequenceReading {
  return readBySchema(definitionSchema, value, CALLED);
}

function sizeProblem(value: unknown): string | undefined {
  try {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
    if (bytes > MAX_DEFINITION_BYTES)
      return `is ${bytes} bytes of JSON: ${MAX_DEFINITION_BYTES} at most, so split it into several sequences`;
  } catch {
    return "can't be written as JSON: an alias in it goes round in a circle";
  }
  return undefined;
}

/** The campaign that makes the calls of a step. */
export interface CallSpec {
  stepId: string;
  spec: CampaignSpec;
}

/** What each call step asks of the one dialing path: an ordinary campaign spec, with the sequence's defaults. */
export function callSpecsOf(definition: SequenceDefinition): CallSpec[] {
  const asked = keptForExpressions(definition);
  return definition.steps.flatMap((step) => {
    const spec = callSpec(definition, step, asked);
    return spec ? [{ stepId: step.id, spec }] : [];
  });
}

function callSpec(
  definition: SequenceDefinition,
  step: Step,
  asked: readonly string[],
): CampaignSpec | undefined {
  const { call } = step;
  if (!call) return undefined;
  const {
    window,
    holidays,
    exceptions,
    presets,
    override,
    frequency,
    numbers,
    consent,
    requires_sources: requiredSources,
    transfers,
    on_agent_change: onAgentChange,
    retry,
    analysis,
    least_gap: leastGap,
    follow_ups: followUps,
  } = { ...definition, follow_ups: undefined, ...call };
  const said = withPresetsSaid({
    name: `${definition.name.slice(0, MAX_NAME_CHARS - 1 - step.id.length).trimEnd()}.${step.id}`,
    brand: definition.brand,
    agent_id: call.agent_id ?? definition.agent_id,
    from_numbers: call.from_numbers ?? definition.from_numbers,
    concurrency: call.concurrency ?? definition.concurrency ?? DEFAULT_CALL_CONCURRENCY,
    weight: call.weight ?? definition.weight,
    default_region: definition.default_region,
    ...(definition.zones && { zones: definition.zones }),
    ...(definition.sensitive && { sensitive: definition.sensitive }),
    window,
    ...(holidays && { holidays }),
    ...(exceptions && { exceptions }),
    ...(presets && { presets }),
    ...(override && { override }),
    ...(frequency && { frequency }),
    ...(numbers && { numbers }),
    ...(consent && { consent }),
    ...(requiredSources && { requires_sources: requiredSources }),
    ...(transfers && { transfers }),
    ...(onAgentChange && { on_agent_change: onAgentChange }),
    retry,
    analysis: analysisKeeping(analysis, asked),
    least_gap: leastGap,
    ...(followUps && { follow_ups: followUps }),
  });
  return campaignSpecSchema.parse(said);
}

/** What a call step says of the analysis, with what the sequence's own expressions ask of it. */
function analysisKeeping(
  analysis: CampaignSpec["analysis"],
  asked: readonly string[],
): Partial<NonNullable<CampaignSpec["analysis"]>> | undefined {
  const keep = [...new Set([...(analysis?.keep ?? []), ...asked])].slice(0, MOST_KEPT_FIELDS);
  return keep.length === 0 ? analysis : { ...analysis, keep };
}

/** Whether anybody in it may do something because of an event: a step waits for it, or an expression looks at events. */
export function asksForEvent(definition: SequenceDefinition, name: string): boolean {
  if (definition.steps.some((step) => step.wait_for?.event === name)) return true;
  // Some text that is no expression may hold the word, too: then it is not told that nobody heard.
  return /\bevents\b/.test(JSON.stringify(definition));
}
