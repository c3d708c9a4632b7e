import type { ASTNode } from "@marcbachmann/cel-js";

/** Every node of a parsed expression. */
export function* nodesOf(part: unknown): Generator<ASTNode> {
  if (Array.isArray(part)) {
    for (const inner of part) yield* nodesOf(inner);
  } else if (isNode(part)) {
    yield part;
    yield* nodesOf(part.args);
  }
}

export function isNode(part: unknown): part is ASTNode {
  return typeof part === "object" && part !== null && "op" in part && "args" in part;
}

/** One step from a value to a part of it. `isSure`: what is not there is a problem, not nothing. */
export interface FieldOf {
  readonly from: ASTNode;
  /** Undefined: it is computed. */
  readonly name: string | undefined;
  readonly isSure: boolean;
}

/** What a node takes of another one by name or index; undefined where it is something else. */
export function fieldOf(node: ASTNode): FieldOf | undefined {
  if (node.op === "." || node.op === ".?") {
    const [from, name] = node.args;
    return { from, name, isSure: node.op === "." };
  }
  if (node.op !== "[]" && node.op !== "[?]") return undefined;
  const [from, index] = node.args;
  const name = index.op === "value" && typeof index.args === "string" ? index.args : undefined;
  return { from, name, isSure: node.op === "[]" };
}

/** Names from a variable on, as far as they are written out: `["call", "analysis", "interested"]`. */
export type FieldPath = readonly string[];

/** What an expression reads: each path as far as it is written out, so that `["call"]` is all of it. */
export function pathsIn(root: ASTNode): FieldPath[] {
  const paths: FieldPath[] = [];
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(walk);
    if (!isNode(part)) return;
    const path = pathOf(part);
    if (path) paths.push(path);
    walkComputed(part, path !== undefined);
  };
  /** Of a chain that is told already, only what is computed in it. */
  const walkComputed = (node: ASTNode, isTold: boolean): void => {
    const field = fieldOf(node);
    if (!isTold || !field) return isTold && node.op === "id" ? undefined : walk(node.args);
    if (field.name === undefined && Array.isArray(node.args)) walk(node.args[1]);
    walkComputed(field.from, true);
  };
  walk(root);
  return paths;
}

/** The path of a chain that begins with a variable, up to what is computed in it. */
function pathOf(node: ASTNode): FieldPath | undefined {
  if (node.op === "id") return [node.args];
  const field = fieldOf(node);
  const before = field && pathOf(field.from);
  if (!field || !before) return undefined;
  // Behind an index that is computed nothing is known.
  return field.name === undefined || isCut(field.from) ? before : [...before, field.name];
}

function isCut(node: ASTNode): boolean {
  const field = fieldOf(node);
  return field !== undefined && (field.name === undefined || isCut(field.from));
}
