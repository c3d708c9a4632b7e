import { needOfPaths } from "../../campaigns/call-rules.ts";
import type { Disposition } from "../../policy/disposition.ts";
import { pathsOf } from "../../expressions/expressions.ts";
import type { SequenceDefinition, Step } from "../definition.ts";

/*
 * Branches that go by what nobody knows beforehand: what processing makes of the last call, such as the answers of its
 * analysis. On a simulated clock there is none, and a condition that asks for it would look as if it never held.
 */

type BranchWay = NonNullable<Step["branch"]>[number];

/** Of these there is an analysis: somebody, or something, took the call. */
const TAKEN: ReadonlySet<string> = new Set<Disposition>([
  "answered",
  "voicemail",
  "callback_requested",
  "opted_out",
]);

export function hasProcessing(disposition: string): boolean {
  return TAKEN.has(disposition);
}

function isOpen(way: BranchWay): boolean {
  return "when" in way && needOfPaths(pathsOf(way.when, "sequence", "last_call")) === "processing";
}

/** Whether a way of the step is taken by what processing makes of a call. */
export function isOpenBranch({ branch = [] }: Step): boolean {
  return branch.some(isOpen);
}

function targetOf(way: BranchWay): string {
  return "when" in way ? way.to : way.otherwise;
}

export function branchTargetsOf({ branch = [] }: Step): string[] {
  return [...new Set(branch.map(targetOf))];
}

/** The definition in which these ways of the step alone are left. */
function withWays(
  definition: SequenceDefinition,
  stepId: string,
  waysOf: (ways: readonly BranchWay[]) => BranchWay[],
): SequenceDefinition {
  const steps = definition.steps.map((step) =>
    step.id === stepId ? { ...step, branch: waysOf(step.branch ?? []) } : step,
  );
  return { ...definition, steps };
}

/** In which only what is known beforehand decides at the step. */
export function withoutOpenWays(definition: SequenceDefinition, stepId: string): SequenceDefinition {
  return withWays(definition, stepId, (ways) => ways.filter((way) => !isOpen(way)));
}

/** In which these steps lead where it was decided. */
export function withDecided(
  definition: SequenceDefinition,
  decided: ReadonlyMap<string, string>,
): SequenceDefinition {
  let found = definition;
  for (const [stepId, to] of decided) found = withWays(found, stepId, () => [{ otherwise: to }]);
  return found;
}

/**
 * Where the step may lead: by each way that is open, and stands before the one that is taken by what is known.
 *
 * @param known the condition of that one; undefined: its `otherwise`
 */
export function possibleTargets({ branch = [] }: Step, known: string | undefined): string[] {
  const taken = branch.findIndex(
    (way) => !isOpen(way) && ("when" in way ? way.when === known : known === undefined),
  );
  const may = branch.filter((way, index) => index === taken || (index < taken && isOpen(way)));
  return [...new Set(may.map(targetOf))];
}
