import { Environment, type ASTNode, type ParseResult } from "@marcbachmann/cel-js";

import { nodesOf } from "./expression-nodes.ts";
import { scopeOf, type ExpressionScope } from "./expression-scopes.ts";
import { ValueProblem } from "./expression-values.ts";

/** A condition that people can still read has some fifty nodes. */
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 40,
  maxListElements: 200,
  maxMapEntries: 100,
  maxCallArguments: 8,
};

/** Steps of one evaluation, a few hundredths of a second: walking a list of a thousand takes a few thousand. */
const MAX_STEPS = 100_000;
/** Data that is looked at costs a step for so much of it: what comparing or searching it may take. */
const DATA_A_STEP = 256;

/**
 * CEL with the variables of a scope, three conversions (text, number, instant), and a budget.
 *
 * The library bounds what is parsed, not what is evaluated: `[1].map(x, x + x)` and its like grow without end, and a
 * list from outside may be of any length. Every node is evaluated through its evaluator's `run`, so that is where
 * the steps are counted. The version of the library is pinned, and a test asks whether the budget still holds.
 */
export interface ExpressionEngine {
  parse(source: string): ParseResult;
  /** @throws ValueProblem where the budget is used up. */
  spend<Result>(run: () => Result): Result;
}

export function createEngine(scope: ExpressionScope): ExpressionEngine {
  const found: { evaluator?: unknown } = {};
  const environment = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  });
  for (const [name, type] of Object.entries(scopeOf(scope).variables))
    environment.registerVariable(name, type);
  addConversions(environment);
  environment.registerFunction(
    `${PROBE}(): bool`,
    function (this: unknown) {
      Object.assign(found, { evaluator: this });
      return true;
    },
    { async: false },
  );
  environment.evaluate(`${PROBE}()`, {});
  const budget = countingSteps(found.evaluator);
  return {
    parse: (source) => environment.parse(source),
    spend: (run) => {
      budget.left = MAX_STEPS;
      const result = run();
      // `||` and `exists` pass over errors of one side: what they came to without it is no answer.
      if (budget.left < 0) throw TOO_LONG;
      return result;
    },
  };
}

/** Hands out the evaluator once; expressions may not call what begins like this. */
export const PROBE = "_evaluator";

function countingSteps(evaluator: unknown): { left: number } {
  if (typeof evaluator !== "object" || evaluator === null || !("run" in evaluator))
    throw new Error("expressions can't be bounded: @marcbachmann/cel-js evaluates in another way than 8.0.0");
  const { run } = evaluator;
  if (typeof run !== "function") throw new Error("expressions can't be bounded: no run");
  const budget = { left: 0 };
  const counted = (node: ASTNode, context: unknown): unknown => {
    budget.left -= 1;
    if (budget.left < 0) throw TOO_LONG;
    const result: unknown = Reflect.apply(run, evaluator, [node, context]);
    budget.left -= costOf(node, result);
    if (budget.left < 0) throw TOO_LONG;
    return result;
  };
  Object.defineProperty(evaluator, "run", { value: counted });
  return budget;
}

/** A list or text that a node made costs its length; one that it only found, a small part of that. */
function costOf(node: ASTNode, result: unknown): number {
  if (typeof result === "string") return result.length / DATA_A_STEP;
  if (!Array.isArray(result)) return 0;
  const made = node.op === "+" || node.op === "call" || node.op === "rcall";
  return made ? result.length : result.length / DATA_A_STEP;
}

/** One for all: it is thrown for every item of what is left of a list. */
const TOO_LONG = new ValueProblem("takes too long: it walks along too much data, or makes too much of it");

/** Numbers and dates come as text more often than not; CEL's own conversions take less of it. */
function addConversions(environment: Environment): void {
  environment.registerFunction("text(dyn): string", textOf, { async: false });
  environment.registerFunction("number(dyn): double", numberOf, { async: false });
  environment.registerFunction("instant(dyn): google.protobuf.Timestamp", instantOf, { async: false });
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw new ValueProblem("text() takes text, a number, true or false, or a point in time");
}

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value.trim())) return Number(value);
  throw new ValueProblem("number() is given what is no number: digits with a decimal point at most are read");
}

/** Seconds since 1970 reach this in the year 5138; milliseconds reached it in 1973. */
const SECONDS_BELOW = 100_000_000_000;

function instantOf(value: unknown): Date {
  if (value instanceof Date) return value;
  const instant = dateFrom(value);
  if (instant && !Number.isNaN(instant.getTime())) return instant;
  throw new ValueProblem(
    "instant() takes 2026-12-31 (midnight UTC), 2026-12-31T09:00:00Z, or seconds or milliseconds since 1970",
  );
}

function dateFrom(value: unknown): Date | undefined {
  if (typeof value === "bigint" || typeof value === "number") {
    const number = Number(value);
    return new Date(Math.abs(number) < SECONDS_BELOW ? number * 1_000 : number);
  }
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^-?\d{1,16}$/.test(text)) return dateFrom(Number(text));
  return ISO_TEXT.test(text) ? new Date(text) : undefined;
}

const ISO_TEXT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The variables of the scope that an expression may read. */
export function variablesIn(root: ASTNode, scope: ExpressionScope): string[] {
  const offered = scopeOf(scope).variables;
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.op === "id" && Object.hasOwn(offered, node.args)) names.add(node.args);
  }
  return [...names];
}
