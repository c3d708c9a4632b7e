import { EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";

import { scopeOf, type ExpressionScope } from "./expression-scopes.ts";
import { ValueProblem, type JsonValue } from "./expression-values.ts";

/** A problem is read beside the field that it is of: no longer than a line or two. */
const MAX_PROBLEM_CHARS = 300;

/**
 * What an expression's author has to know of an error, with what may be done about it. Of the data that came from
 * outside nothing is told: problems stand in lists that people see, beside the data of others.
 */
export function expressionProblem(error: unknown, scope: ExpressionScope, source: string): string {
  return bounded(problemOf(error, scope, source));
}

function problemOf(error: unknown, scope: ExpressionScope, source: string): string {
  if (error instanceof ValueProblem) return error.message;
  if (error instanceof ParseError)
    return `can't be read at character ${(error.range?.start ?? 0) + 1}: ${lowerFirst(error.summary)}`;
  if (error instanceof EvaluationError || error instanceof CelTypeError) {
    // Our own conversions are called by the library, which wraps what they throw.
    if (error.cause instanceof ValueProblem) return error.cause.message;
    return celProblem(error.code, error.summary, scope, source);
  }
  if (error instanceof RangeError) return `can't be evaluated: ${lowerFirst(withoutValue(error.message))}`;
  return `can't be evaluated: ${error instanceof Error ? lowerFirst(error.message) : "for a reason unknown"}`;
}

/** What the library, and Node, say of a value behind a colon. */
function withoutValue(message: string): string {
  return message.replace(/: [^]*$/, "");
}

/** Errors of the library that repeat a value. */
const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_duration: "is given a text that is no duration: 90s, 10m and 1h30m are some",
  numeric_overflow: "comes to a whole number that is too large: use number()",
};

function celProblem(code: string, summary: string, scope: ExpressionScope, source: string): string {
  if (Object.hasOwn(PROBLEMS, code)) return PROBLEMS[code] ?? "";
  if (code === "unknown_variable") {
    const name = summary.slice(summary.lastIndexOf(" ") + 1);
    if (Object.hasOwn(scopeOf(scope).variables, name)) return `finds no ${name} here`;
    return `knows no ${name}: there are ${Object.keys(scopeOf(scope).variables).join(", ")}`;
  }
  if (code === "no_such_key") {
    const key = summary.replace(/^No such key: /, "");
    if (!source.includes(key))
      return `finds no such key: ask with in first, or give a default as in .?name.orValue("")`;
    return `finds no ${key}: ask with has(...) first, or give a default as in .?${key}.orValue("")`;
  }
  if (code === "no_such_overload")
    return `${typesInWords(summary.replace("no such overload: ", ""))} does not go together: convert with number(), int() or text()`;
  if (code === "no_matching_overload")
    return `${typesInWords(summary.replace("found no matching overload for ", ""))} is no function that there is: check its name and what it is given`;
  return typesInWords(lowerFirst(summary.replace(/ value ".*"$/s, "")));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  uint: "a whole number",
  double: "a number",
  bool: "true or false",
  null: "nothing",
  list: "a list",
  map: "a map",
  bytes: "bytes",
  "google.protobuf.Timestamp": "a point in time",
  "google.protobuf.Duration": "a duration",
};

/** A type of the language as people call it. */
export function typeWords(type: string): string {
  return TYPE_WORDS[type] ?? TYPE_WORDS[type.replace(/<.*/, "")] ?? type;
}

/** `dyn<string> + int` is `text + a whole number`. */
function typesInWords(summary: string): string {
  return summary
    .replaceAll(/dyn<([\w.]+)>/g, "$1")
    .replaceAll(/\bgoogle\.protobuf\.(?:Timestamp|Duration)\b/g, typeWords)
    .replaceAll(/(?<![\w.])(?:string|int|uint|double|bool|null)(?![\w.(])/g, typeWords);
}

/** A value, as a problem names it: never the value itself, which may be anything that came from outside. */
export function valueWords(value: JsonValue): string {
  if (value === null) return "nothing";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "a number";
  if (typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "a list" : "a map";
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function bounded(text: string): string {
  return text.length <= MAX_PROBLEM_CHARS ? text : `${text.slice(0, MAX_PROBLEM_CHARS - 1)}…`;
}
