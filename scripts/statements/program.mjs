// The ledger's sources as the compiler reads them: where its statements stand, and what the names in them mean.
import path from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API, SymbolFlags } from "typescript/unstable/sync";

import { root } from "../prepare.mjs";

/** What every statement of the ledger goes through; the second argument is the statement. */
const CONNECTION = path.join(root, "src/ledger/ground/connection.ts");
const RUNNERS = new Set(["rows", "firstRow"]);

/** Opens a project of the compiler; whoever opens it closes it. */
export function openProgram(config) {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    return { ...readProgram(project), close: () => api.close() };
  } catch (error) {
    api.close();
    throw error;
  }
}

function readProgram(project) {
  const { checker, program, rootFiles } = project;
  const sources = rootFiles.map((name) => program.getSourceFile(name));
  const nodesOf = (kind) => sources.flatMap((source) => [...descendants(source, kind)]);

  /** What a name stands for, past imports and shorthands. */
  const declarationOf = (name) => {
    let symbol =
      name.parent.kind === SyntaxKind.ShorthandPropertyAssignment
        ? checker.getShorthandAssignmentValueSymbol(name.parent)
        : checker.getSymbolAtLocation(name);
    if (symbol && (symbol.flags & SymbolFlags.Alias) !== 0) symbol = checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration?.resolve(project);
  };

  /** The function of ours that is called; undefined where it is somebody else's, or a value. */
  const calledBy = ({ expression }) =>
    functionOf(
      declarationOf(expression.kind === SyntaxKind.PropertyAccessExpression ? expression.name : expression),
    );

  const callsOf = new Map();
  for (const call of nodesOf(SyntaxKind.CallExpression)) {
    const fn = calledBy(call);
    if (fn) callsOf.set(fn, [...(callsOf.get(fn) ?? []), call]);
  }
  const isRunner = (fn) => RUNNERS.has(fn.name?.text) && fn.getSourceFile().fileName === CONNECTION;
  return {
    checker,
    calledBy,
    declarationOf,
    callsOf: (fn) => callsOf.get(fn) ?? [],
    /** Calls that run a statement, but those that hand on what they were given. */
    statements: [...callsOf.keys()]
      .filter(isRunner)
      .flatMap((fn) => callsOf.get(fn))
      .filter((call) => call.getSourceFile().fileName !== CONNECTION),
    /** Every piece of SQL. */
    pieces: nodesOf(SyntaxKind.TaggedTemplateExpression).filter(({ tag }) => tag.getText() === "sql"),
  };
}

export function* descendants(node, kind) {
  if (node.kind === kind) yield node;
  const children = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) yield* descendants(child, kind);
}

const FUNCTIONS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
]);

export function isFunction(node) {
  return FUNCTIONS.has(node.kind);
}

/** A function by its declaration, or by that of the constant that holds it. */
function functionOf(declaration) {
  const isHeld = declaration?.kind === SyntaxKind.VariableDeclaration;
  const value = isHeld ? declaration.initializer : declaration;
  return value && isFunction(value) && value.body ? value : undefined;
}

/** As people find it: file and line. */
export function placeOf(node) {
  const { fileName, text } = node.getSourceFile();
  const line = text.slice(0, node.getStart()).split("\n").length;
  return `${path.relative(root, fileName).split(path.sep).join("/")}:${line}`;
}
