import { pathsOf, type ExpressionScope } from "../expressions/expressions.ts";
import { LISTED_FIELDS, PROCESSED_FIELDS } from "../expressions/call-fields.ts";
import { MOST_KEPT_FIELDS } from "../campaigns/kept-facts.ts";
import type { Step } from "./steps.ts";

/** The parts of a definition that hold expressions. */
interface Expressive {
  readonly goals: readonly { when: string }[];
  readonly exit_when: readonly { when: string }[];
  readonly steps: readonly Step[];
}

/**
 * What a definition's expressions ask of `last_call` that is there only once the call is read, as fields that are kept
 * of it (kept-facts.ts). Where nothing is asked, nobody waits for a call's processing.
 */
export function keptForExpressions(definition: Expressive): string[] {
  const kept = new Set<string>();
  for (const { source, scope } of expressionsIn(definition)) {
    for (const [field, answer] of pathsOf(source, scope, "last_call")) {
      if (field === undefined) EVERYTHING.forEach((one) => kept.add(one));
      else if (field === "analysis" && answer !== undefined) kept.add(`analysis.${answer}`);
      else if (EVERYTHING.includes(field)) kept.add(field);
    }
  }
  const named = [...kept].filter((field) => !field.startsWith("analysis"));
  const answers = [...kept].filter((field) => field.startsWith("analysis"));
  // All of the analysis holds each answer of it, and more answers than may be named are all of them.
  const isAll = kept.has("analysis") || answers.some(isUnnameable) || kept.size > MOST_KEPT_FIELDS;
  return isAll ? [...named, "analysis"] : [...kept];
}

/** Calls of sequences are all of one direction. */
const EVERYTHING = [...LISTED_FIELDS, ...PROCESSED_FIELDS].filter((field) => field !== "direction");

/** A key that no name of a field may be: then all are kept. */
function isUnnameable(field: string): boolean {
  return field.length > 110 || /\p{Cc}/u.test(field) || field === "analysis.";
}

function* expressionsIn({ goals, exit_when: exits, steps }: Expressive): Generator<{
  source: string;
  scope: ExpressionScope;
}> {
  for (const { when } of [...goals, ...exits]) yield { source: when, scope: "sequence" };
  for (const step of steps) {
    if (step.wait_for?.when !== undefined) yield { source: step.wait_for.when, scope: "event" };
    for (const source of sourcesOf(step)) yield { source, scope: "sequence" };
  }
}

function sourcesOf({ call, wait, branch, automation, webhook, set }: Step): string[] {
  return [
    ...Object.values(call?.variables ?? {}),
    ...(wait?.until_date === undefined ? [] : [wait.until_date]),
    ...(branch ?? []).flatMap((way) => ("when" in way ? [way.when] : [])),
    ...Object.values(automation?.data ?? {}),
    ...Object.values(webhook?.data ?? {}),
    ...Object.values(set ?? {}),
  ];
}
