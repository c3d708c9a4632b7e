import type { ASTNode } from "@marcbachmann/cel-js";

import { CALL_FIELD_NAMES, kindOfCallField, type FieldKind } from "./call-fields.ts";
import { nearestWord } from "../ground/near-miss.ts";
import { PROBE } from "./expression-engine.ts";
import { fieldOf, isNode, nodesOf } from "./expression-nodes.ts";
import { scopeOf, type ExpressionScope } from "./expression-scopes.ts";

/**
 * What the language has and we do not offer, a field that a variable never has, or a comparison of a call's field with
 * what it never is. Undefined where there is none.
 */
export function refusedPart(root: ASTNode, scope: ExpressionScope): string | undefined {
  for (const node of nodesOf(root)) {
    if (node.op === "rcall" && node.args[0] === "matches")
      return "uses matches(), which is not offered, since a pattern may take forever: use contains(), startsWith(), endsWith() or in [...]";
    if (node.op === "rcall" && node.args[0] === "json")
      return "uses json(), which is not offered: name the fields of what came";
    if (node.op === "call" && node.args[0] === PROBE) return `calls ${PROBE}(), which does not exist`;
    const refused = unknownField(node, scope) ?? neverEqual(node, scope);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function unknownField(node: ASTNode, scope: ExpressionScope): string | undefined {
  const field = fieldOf(node);
  if (field?.name === undefined || field.from.op !== "id") return undefined;
  const variable = field.from.args;
  const { fields, call } = scopeOf(scope);
  const offered = fields[variable];
  if (!offered || offered.includes(field.name)) return undefined;
  // What the platform adds to its own record of a call may be there, and may not.
  const isPlatforms = scope === "follow_up" && variable === call;
  if (isPlatforms && !field.isSure) return undefined;
  const nearest = nearestWord(field.name, offered);
  const near = nearest === undefined ? "" : `, and ${variable}.${nearest} may be meant`;
  const further = isPlatforms ? `; what the platform adds to it is ${variable}.?${field.name}` : "";
  const named = isPlatforms ? CALL_FIELD_NAMES : offered;
  return `asks for ${variable}.${field.name}: ${variable} has ${named.join(", ")}${near}${further}`;
}

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  text: "text",
  number: "a number",
  flag: "true or false",
  map: "a map",
};

/** A field of a call beside a written value of another kind: it would hold for no call, or have no value for any. */
function neverEqual(node: ASTNode, scope: ExpressionScope): string | undefined {
  if (!COMPARISONS.has(node.op) || !Array.isArray(node.args)) return undefined;
  const [left, right] = node.args;
  return mismatch(left, right, scope) ?? mismatch(right, left, scope);
}

function mismatch(asked: unknown, written: unknown, scope: ExpressionScope): string | undefined {
  const name = callFieldOf(asked, scope);
  const kind = name === undefined ? undefined : kindOfCallField(name);
  const other = kindOfWritten(written);
  if (kind === undefined || other === undefined || kind === other) return undefined;
  return `compares ${scopeOf(scope).call ?? ""}.${name ?? ""}, which is ${KIND_WORDS[kind]}, with ${KIND_WORDS[other]}`;
}

/** The name of the call's field that a node is; undefined where it is something else. */
function callFieldOf(node: unknown, scope: ExpressionScope): string | undefined {
  const field = isNode(node) ? fieldOf(node) : undefined;
  if (!field?.isSure || field.from.op !== "id") return undefined;
  return field.from.args === scopeOf(scope).call ? field.name : undefined;
}

function kindOfWritten(node: unknown): FieldKind | undefined {
  if (!isNode(node)) return undefined;
  if (node.op === "-_") return kindOfWritten(node.args);
  if (node.op !== "value") return undefined;
  const value: unknown = node.args;
  if (typeof value === "string") return "text";
  if (typeof value === "number" || typeof value === "bigint") return "number";
  return typeof value === "boolean" ? "flag" : undefined;
}

/** What a condition is where it is nothing but a field of a call that is neither true nor false. */
export function kindOfWhole(root: ASTNode, scope: ExpressionScope): string | undefined {
  const name = callFieldOf(root, scope);
  const kind = name === undefined ? undefined : kindOfCallField(name);
  return kind === undefined || kind === "flag" ? undefined : KIND_WORDS[kind];
}
