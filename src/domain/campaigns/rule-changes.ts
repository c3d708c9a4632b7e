import { isDeepStrictEqual } from "node:util";

import { withoutSecrets } from "../ground/literal-secrets.ts";
import type { CampaignSpec } from "./campaign-spec.ts";

/** A rule that two specs have differently. */
export interface RuleChange {
  /** `analysis.rules[0]`, or `follow_ups.warm`. */
  rule: string;
  /** Null: it was not there. */
  before: unknown;
  /** Null: it is not there any more. */
  after: unknown;
}

/**
 * The rules over calls in which two specs differ: those that decide what calls come to by their place, since the first
 * that fits decides, and follow-up rules by their id. Without secrets' values.
 */
export function ruleChanges(before: CampaignSpec, after: CampaignSpec): RuleChange[] {
  return [...changesOf(rulesIn(before), rulesIn(after))];
}

function rulesIn({ analysis, follow_ups: followUps = [] }: CampaignSpec): Map<string, unknown> {
  return new Map<string, unknown>([
    ...(analysis?.rules ?? []).map((rule, index): [string, unknown] => [`analysis.rules[${index}]`, rule]),
    ...followUps.map((rule): [string, unknown] => [`follow_ups.${rule.id}`, rule]),
  ]);
}

function* changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): Generator<RuleChange> {
  for (const rule of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(rule), after.get(rule)];
    if (isDeepStrictEqual(was, is)) continue;
    yield { rule, before: withoutSecrets(was ?? null), after: withoutSecrets(is ?? null) };
  }
}
