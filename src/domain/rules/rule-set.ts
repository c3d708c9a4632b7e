import { readCampaignSpec } from "../campaigns/campaign-spec.ts";
import type { DefinitionReading } from "../ground/definition-reading.ts";
import { callSpecsOf, readSequence, type SequenceDefinition } from "../sequences/definition.ts";
import type { RuleSet } from "./rehearsal.ts";

/**
 * Reads the rules of a campaign or a sequence. Takes the parsed YAML or JSON value.
 *
 * @param stepId of a sequence: whose calls they are; undefined: it has one call step.
 */
export function readRuleSet(value: unknown, stepId: string | undefined): DefinitionReading<RuleSet> {
  if (!isSequence(value)) {
    if (stepId !== undefined) return problem("step", "goes with a sequence only: leave it out");
    const reading = readCampaignSpec(withoutKind(value));
    return reading.ok ? { ok: true, definition: { spec: reading.spec } } : reading;
  }
  const reading = readSequence(withoutKind(value));
  return reading.ok ? ruleSetOf(reading.definition, stepId) : reading;
}

function ruleSetOf(definition: SequenceDefinition, stepId: string | undefined): DefinitionReading<RuleSet> {
  const calls = callSpecsOf(definition);
  const names = calls.map((call) => call.stepId).join(", ");
  if (calls.length === 0) return problem("steps", "make no call: there are no rules over calls in it");
  const call = stepId === undefined ? calls[0] : calls.find((one) => one.stepId === stepId);
  if (call === undefined)
    return problem("step", `${JSON.stringify(stepId)} makes no call: there are ${names}`);
  if (stepId === undefined && calls.length > 1)
    return problem("step", `is missing: say of which step the calls are, ${names}`);
  return { ok: true, definition: { spec: call.spec, sequence: { definition, stepId: call.stepId } } };
}

function problem(field: string, text: string): DefinitionReading<RuleSet> {
  return { ok: false, problems: [{ field, problem: text }] };
}

function isSequence(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return "kind" in value ? value.kind === "sequence" : "steps" in value;
}

function withoutKind(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { kind: _kind, ...fields } = value as { kind?: unknown };
  return fields;
}
