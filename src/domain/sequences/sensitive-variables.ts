import { sensitiveProblems } from "../campaigns/sensitive-spec.ts";
import { pathsOf, type ExpressionScope } from "../expressions/expressions.ts";
import { expressionsOf, type FollowUpRule } from "../follow-ups/follow-up-rules.ts";
import type { Step } from "./steps.ts";

/*
 * Variables of enrolments that are sealed in the ledger beside their position (ledger/ground/data-keys.ts), and are opened
 * for the agent alone. A sequence that would show one, or do something by it, is refused here.
 */

/** The parts of a definition that may name a variable. */
interface Naming {
  readonly sensitive?: readonly string[] | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly re_enrolment: { key?: string | undefined };
  readonly goals: readonly { when: string }[];
  readonly exit_when: readonly { when: string }[];
  readonly steps: readonly Step[];
}

interface Problem {
  path: (string | number)[];
  message: string;
}

/** What of a definition would read, show or write a sensitive variable, each with its place. */
export function sensitiveVariableProblems(definition: Naming): Problem[] {
  const { sensitive = [] } = definition;
  if (sensitive.length === 0) return [];
  const problems: Problem[] = [];
  for (const { path, sources, scope = "sequence" } of placesOf(definition)) {
    const read = new Set(
      sources.flatMap((source) => pathsOf(source, scope, "variables")).map(([name]) => name),
    );
    const wrong = sensitive.find((name) => read.has(name));
    if (wrong !== undefined)
      problems.push({
        path,
        message: `reads variables.${wrong}, which is sensitive: the agent alone is told it, in every call. Leave it out here, or take it out of sensitive`,
      });
  }
  for (const { path, names } of writingsOf(definition)) {
    const wrong = sensitive.find((name) => names.includes(name));
    if (wrong !== undefined)
      problems.push({
        path: [...path, wrong],
        message: `is sensitive, and what is written here can be read by everybody: it comes with the person alone. Leave it out here, or take it out of sensitive`,
      });
  }
  return [...problems, ...ofFollowUps(definition.steps, sensitive)];
}

/** Where expressions over a person's variables stand. */
function* placesOf({ re_enrolment: again, goals, exit_when: exits, steps }: Naming): Generator<{
  path: (string | number)[];
  sources: string[];
  scope?: ExpressionScope;
}> {
  if (again.key !== undefined) yield { path: ["re_enrolment", "key"], sources: [again.key] };
  for (const [index, { when }] of goals.entries()) yield { path: ["goals", index, "when"], sources: [when] };
  for (const [index, { when }] of exits.entries())
    yield { path: ["exit_when", index, "when"], sources: [when] };
  for (const [
    index,
    { call, wait, wait_for: waitFor, branch, automation, webhook, set },
  ] of steps.entries()) {
    const at = (...path: string[]) => ["steps", index, ...path];
    yield { path: at("call", "variables"), sources: Object.values(call?.variables ?? {}) };
    yield {
      path: at("wait", "until_date"),
      sources: wait?.until_date === undefined ? [] : [wait.until_date],
    };
    yield {
      path: at("wait_for", "when"),
      sources: waitFor?.when === undefined ? [] : [waitFor.when],
      scope: "event",
    };
    yield {
      path: at("branch"),
      sources: (branch ?? []).flatMap((way) => ("when" in way ? [way.when] : [])),
    };
    yield { path: at("automation", "data"), sources: Object.values(automation?.data ?? {}) };
    yield { path: at("webhook", "data"), sources: Object.values(webhook?.data ?? {}) };
    yield { path: at("set"), sources: Object.values(set ?? {}) };
  }
}

/** Where variables are given a value. */
function writingsOf({ variables, steps }: Naming): { path: (string | number)[]; names: string[] }[] {
  return [
    { path: ["variables"], names: Object.keys(variables) },
    ...steps.flatMap(({ call, set }, index) => [
      { path: ["steps", index, "call", "variables"], names: Object.keys(call?.variables ?? {}) },
      { path: ["steps", index, "set"], names: Object.keys(set ?? {}) },
    ]),
  ];
}

function ofFollowUps(steps: readonly Step[], sensitive: readonly string[]): Problem[] {
  return steps.flatMap(({ call }, index) => {
    const rules: readonly FollowUpRule[] = call?.follow_ups ?? [];
    return sensitiveProblems({ sensitive }, rules.map(expressionsOf)).map(({ path, message }) => ({
      path: ["steps", index, "call", ...path],
      message,
    }));
  });
}
