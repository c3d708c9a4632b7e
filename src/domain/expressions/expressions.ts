import type { ParseResult } from "@marcbachmann/cel-js";
import { z } from "zod";

import { createEngine, variablesIn, type ExpressionEngine } from "./expression-engine.ts";
import { pathsIn, type FieldPath } from "./expression-nodes.ts";
import { expressionProblem, typeWords, valueWords } from "./expression-problems.ts";
import type { ExpressionScope } from "./expression-scopes.ts";
import { kindOfWhole, refusedPart } from "./refused-parts.ts";
import { asExpressionValue, asJson, MAX_RESULT_CHARS, type JsonValue } from "./expression-values.ts";

export { TakenIn, type JsonValue } from "./expression-values.ts";
export type { FieldPath } from "./expression-nodes.ts";
export type { ExpressionScope } from "./expression-scopes.ts";

/** What a place in a definition wants of an expression: a condition, text (numbers are written out), or any data. */
export type Wanted = "bool" | "text" | "any";

export type Evaluation<Value = JsonValue> = { ok: true; value: Value } | { ok: false; problem: string };

/** What an expression is evaluated over, by variable: JSON, or a Date where the variable is a point in time. */
export type ScopeValues = Readonly<Record<string, unknown>>;

/** Longer than this it is a program, and belongs into the system that it is about. */
const MAX_EXPRESSION_CHARS = 2_000;
/** Parsed expressions that are kept for each scope: those of the definitions in use. */
const MAX_PARSED = 2_000;

/**
 * What is wrong with an expression before it ever runs: its syntax, a variable or field that its scope does not
 * have, or a result that can't be what is wanted. Undefined where nothing is.
 */
export function checkExpression(source: string, scope: ExpressionScope, wanted: Wanted): string | undefined {
  const parsed = parse(source, scope);
  if (!parsed.ok) return parsed.problem;
  const { type, whole } = parsed;
  if (wanted === "bool" && whole !== undefined)
    return `is ${whole} where a condition is wanted: compare it with something, such as == "yes"`;
  if (wanted === "any" || type === "dyn" || type.startsWith("dyn<") || type.startsWith("optional"))
    return undefined;
  if (wanted === "bool") {
    if (type === "bool") return undefined;
    return `is ${typeWords(type)} where a condition is wanted: compare it with something, such as == "yes"`;
  }
  if (TEXT_TYPES.has(type)) return undefined;
  return `is ${typeWords(type)} where text is wanted: take one value of it, or join it`;
}

const TEXT_TYPES: ReadonlySet<string> = new Set([
  "string",
  "int",
  "uint",
  "double",
  "bool",
  "google.protobuf.Timestamp",
  "google.protobuf.Duration",
]);

/**
 * Evaluates an expression. Never throws: whatever goes wrong, a missing key included, is told in words. Bounded in
 * time and memory, and reads nothing but the values that it is given.
 */
export function evaluate(
  source: string,
  scope: ExpressionScope,
  values: ScopeValues,
  maxChars = MAX_RESULT_CHARS,
): Evaluation {
  const parsed = parse(source, scope);
  if (!parsed.ok) return parsed;
  const { run, names } = parsed;
  try {
    const context: Record<string, unknown> = {};
    for (const name of names) {
      if (values[name] !== undefined) context[name] = asExpressionValue(values[name]);
    }
    return { ok: true, value: engineOf(scope).spend(() => asJson(run(context), maxChars)) };
  } catch (error) {
    return { ok: false, problem: expressionProblem(error, scope, source) };
  }
}

/** Evaluates a condition: what is neither true nor false is a problem, never taken for either. */
export function evaluateCondition(
  source: string,
  scope: ExpressionScope,
  values: ScopeValues,
): Evaluation<boolean> {
  const result = evaluate(source, scope, values);
  if (!result.ok) return result;
  if (typeof result.value === "boolean") return { ok: true, value: result.value };
  return { ok: false, problem: `comes to ${valueWords(result.value)} where true or false is wanted` };
}

/** Evaluates to text: numbers, truth values and points in time are written out. No value is a problem. */
export function evaluateText(
  source: string,
  scope: ExpressionScope,
  values: ScopeValues,
): Evaluation<string> {
  const result = evaluate(source, scope, values);
  if (!result.ok) return result;
  const { value } = result;
  if (typeof value === "string") return { ok: true, value };
  if (typeof value === "number" || typeof value === "boolean") return { ok: true, value: String(value) };
  return { ok: false, problem: `comes to ${valueWords(value)} where text is wanted` };
}

/**
 * What an expression reads of a variable: each path of names below it, as far as it is written out. An empty path is
 * all of it. Of one that can't be read, nothing.
 */
export function pathsOf(source: string, scope: ExpressionScope, variable: string): FieldPath[] {
  const parsed = parse(source, scope);
  if (!parsed.ok) return [];
  return parsed.paths.flatMap(([name, ...rest]) => (name === variable ? [rest] : []));
}

/** For schemas of definitions: an expression of a scope, checked where it is read. */
export function expressionSchema(scope: ExpressionScope, wanted: Wanted): z.ZodString {
  return z.string().check((context) => {
    const problem = checkExpression(context.value, scope, wanted);
    if (problem !== undefined)
      context.issues.push({ code: "custom", input: context.value, message: problem });
  });
}

type Parsed =
  | {
      ok: true;
      run: ParseResult;
      type: string;
      names: readonly string[];
      paths: readonly FieldPath[];
      /** What it is where it is one field of a call, and no condition. */
      whole: string | undefined;
    }
  | { ok: false; problem: string };

const engines = new Map<ExpressionScope, ExpressionEngine>();
const parsedByScope = new Map<ExpressionScope, Map<string, Parsed>>();

function engineOf(scope: ExpressionScope): ExpressionEngine {
  const engine = engines.get(scope) ?? createEngine(scope);
  engines.set(scope, engine);
  return engine;
}

function parse(source: string, scope: ExpressionScope): Parsed {
  if (source.length > MAX_EXPRESSION_CHARS)
    return { ok: false, problem: `is longer than ${MAX_EXPRESSION_CHARS} characters: say less` };
  const known = parsedByScope.get(scope) ?? new Map<string, Parsed>();
  parsedByScope.set(scope, known);
  const before = known.get(source);
  if (before) return before;
  const parsed = parseAnew(source, scope);
  if (known.size >= MAX_PARSED) known.clear();
  known.set(source, parsed);
  return parsed;
}

function parseAnew(source: string, scope: ExpressionScope): Parsed {
  if (source.trim() === "") return { ok: false, problem: "must not be empty" };
  try {
    const run = engineOf(scope).parse(source);
    // Found before checking, which puts other nodes in the place of some.
    const names = variablesIn(run.ast, scope);
    const paths = pathsIn(run.ast);
    const whole = kindOfWhole(run.ast, scope);
    const refused = refusedPart(run.ast, scope);
    if (refused !== undefined) return { ok: false, problem: refused };
    const check = run.check();
    if (!check.valid) return { ok: false, problem: expressionProblem(check.error, scope, source) };
    return { ok: true, run, type: check.type ?? "dyn", names, paths, whole };
  } catch (error) {
    return { ok: false, problem: expressionProblem(error, scope, source) };
  }
}
