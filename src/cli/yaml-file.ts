import fs from "node:fs";
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  Parser,
  visit,
  type Alias,
  type CST,
  type Document,
  type Node,
  type ParsedNode,
} from "yaml";

import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { countText } from "./view/words.ts";

/*
 * The one reader of YAML, and of JSON, which is YAML. Files come from repositories that many write to: whatever they
 * hold is read within bounds, as one value that is what it looks like, or refused in words with its line.
 */

/** A document of a file, as plain data. */
export interface YamlDocument {
  /** From 1; 0 where the file has no other. */
  nth: number;
  value: unknown;
  /** The line where a field such as `steps[1].call` stands, or the nearest one around it that does. */
  lineOf: (field: string) => number;
}

/** What keeps a file, or a document of it, from being read. */
export interface YamlProblem {
  nth: number;
  /** Undefined where it is the file as a whole. */
  line: number | undefined;
  problem: string;
}

/** Hand-written files are smaller, and so is a workflow's JSON; more would also be refused as a request's body. */
export const LARGEST_YAML_BYTES = 1024 * 1024;

/** Hand-written data is some ten levels deep; what is far deeper breaks whoever walks it. */
const MOST_LEVELS = 64;

/** Values that all aliases together unfold to: far above a hand-written file, far below what takes memory. */
const MOST_UNFOLDED = 10_000;

/** Documents of a file, in their order; empty ones are none. Throws only what the system says of the file. */
export function readYamlDocuments(
  file: string,
  largestBytes = LARGEST_YAML_BYTES,
): { documents: YamlDocument[]; problems: YamlProblem[] } {
  const text = textOf(file, largestBytes);
  if (!text.ok) return { documents: [], problems: [{ nth: 0, line: undefined, problem: text.problem }] };
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text.text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    const problem = `nests deeper than ${MOST_LEVELS} levels: write it flatter`;
    return { documents: [], problems: [{ nth: 0, line: lines.linePos(deep).line, problem }] };
  }
  const composed = [...new Composer({ logLevel: "silent" }).compose(tokens)];
  const documents: YamlDocument[] = [];
  const problems: YamlProblem[] = [];
  for (const [index, document] of composed.entries()) {
    const nth = composed.length === 1 ? 0 : index + 1;
    const found = problemIn(document);
    if (found) {
      const line = found.offset === undefined ? undefined : lines.linePos(found.offset).line;
      problems.push({ nth, line, problem: found.problem });
    } else if (document.contents !== null && !isEmpty(document.contents)) {
      const value: unknown = document.toJS({ maxAliasCount: -1 });
      documents.push({ nth, value, lineOf: lineOf(document, lines) });
    }
  }
  return { documents, problems };
}

/** The one document of a file. @throws CliError where it can't be read, has none, or has several. */
export function readYamlFile(file: string, options: { largestBytes?: number; what: string }): YamlDocument {
  const { documents, problems } = readYamlDocuments(file, options.largestBytes);
  const [first] = problems;
  if (first) throw new CliError(yamlProblemText(file, first), EXIT.badInput);
  const [only, second] = documents;
  if (!only) throw new CliError(`${file} is empty, where ${options.what} is wanted`, EXIT.badInput);
  if (second) {
    throw new CliError(
      `${file}:${second.lineOf("")}: holds ${countText(documents.length, "document")}, where one, ${options.what}, is wanted: name a file with one; \`outdial apply\` takes several`,
      EXIT.badInput,
    );
  }
  return only;
}

/** `trial.yaml:7: writes the field "name" twice`. */
export function yamlProblemText(file: string, { line, nth, problem }: YamlProblem): string {
  if (line === undefined) return `${file} ${problem}`;
  return `${file}:${line}${nth === 0 ? "" : ` (document ${nth})`}: ${problem}`;
}

type Text = { ok: true; text: string } | { ok: false; problem: string };

function textOf(file: string, largestBytes: number): Text {
  const stats = fs.statSync(file);
  // A pipe would be waited for, and a device has no end. Folders are refused by the system, in its own words.
  if (!stats.isFile() && !stats.isDirectory())
    return { ok: false, problem: "is no file with an end, but a pipe, a socket or a device: name a file" };
  if (stats.size > largestBytes) {
    const most = countText(largestBytes, "byte");
    return {
      ok: false,
      problem: `is too large with ${countText(stats.size, "byte")}, and ${most} at most are read: is it a list of people, or another file?`,
    };
  }
  const notUtf8: Text = { ok: false, problem: "is not UTF-8: save it as UTF-8" };
  try {
    // Without a byte order mark, where there is one.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fs.readFileSync(file));
    // As UTF-16 has them, of which the rest may look like UTF-8.
    return text.includes("\0") ? notUtf8 : { ok: true, text };
  } catch (error) {
    if (error instanceof TypeError) return notUtf8;
    throw error;
  }
}

/** Where it nests too deep, found without recursion: what composes documents recurses, and would not come back. */
function tooDeep(tokens: readonly CST.Token[]): number | undefined {
  const waiting: [token: CST.Token, level: number][] = tokens.map((token) => [token, 0]);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [token, level] = next;
    if (level > MOST_LEVELS) return token.offset;
    if (token.type === "document" && token.value) waiting.push([token.value, level]);
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) waiting.push([key, level + 1]);
      if (value) waiting.push([value, level + 1]);
    }
  }
  return undefined;
}

interface Found {
  offset: number | undefined;
  problem: string;
}

function problemIn(document: Document.Parsed): Found | undefined {
  const [error] = document.errors;
  if (error) {
    const [offset] = error.pos;
    if (error.code === "DUPLICATE_KEY")
      return { offset, problem: "writes a field that is there already: keep one of the two" };
    return { offset, problem: `is not YAML: ${lowerFirst(error.message)}` };
  }
  // A tag that is not known would be passed over, and what it stands before be taken as it is.
  const [warning] = document.warnings;
  if (warning) {
    const told =
      warning.code === "TAG_RESOLVE_FAILED"
        ? "has a tag (!...) that is not known here: write the value out"
        : lowerFirst(warning.message);
    return { offset: warning.pos[0], problem: told };
  }
  return aliasProblem(document) ?? keyProblem(document);
}

/** An alias is followed as often as it is written: what all of them unfold to is counted before it is made. */
function aliasProblem(document: Document.Parsed): Found | undefined {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const sizes = new Map<Node, number>();
  const sizeOf = (node: Node): number => {
    let size = sizes.get(node) ?? 0;
    if (size > 0) return size;
    visit(node, {
      Value: () => {
        size += 1;
      },
      Alias: (_key, alias) => {
        const target = targets.get(alias);
        size += target === undefined ? 0 : sizeOf(target);
      },
    });
    sizes.set(node, size);
    return size;
  };
  let unfolded = 0;
  let problem: string | undefined;
  let offset: number | undefined;
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Alias: (_key, alias, parents) => {
      const { source } = alias;
      offset = alias.range?.[0];
      const target = anchors.get(source);
      if (target === undefined) problem = `names *${source}, and nothing before it is called so (&${source})`;
      else if (parents.includes(target)) problem = `has *${source} within what it repeats, which has no end`;
      else {
        targets.set(alias, target);
        unfolded += sizeOf(target);
        if (unfolded > MOST_UNFOLDED)
          problem = `repeats parts of itself (*${source}) too often: write out what is meant`;
      }
      return problem === undefined ? undefined : visit.BREAK;
    },
  });
  return problem === undefined ? undefined : { offset, problem };
}

/** Fields have names. A merge key is none of YAML 1.2, and would be a field called `<<`. */
function keyProblem(document: Document.Parsed): Found | undefined {
  let problem: Found | undefined;
  visit(document, {
    Pair: (_key, { key }) => {
      const offset = rangeOf(key);
      if (!isScalar(key)) problem = { offset, problem: "has a field whose name is no text: write a name" };
      else if (key.value === "<<" && key.type === "PLAIN")
        problem = { offset, problem: "merges fields (<<), which is not taken: write the fields out" };
      return problem ? visit.BREAK : undefined;
    },
  });
  return problem;
}

/** Nothing but comments. */
function isEmpty(contents: ParsedNode): boolean {
  return isScalar(contents) && contents.value === null && contents.source === "";
}

/** Problems of a file, each with its line, in the order in which they stand in it. */
export function byLine<Problem extends { field: string }>(
  problems: readonly Problem[],
  lineOf: (field: string) => number,
): (Problem & { line: number })[] {
  return problems
    .map((problem) => ({ ...problem, line: lineOf(problem.field) }))
    .toSorted((a, b) => a.line - b.line);
}

/** The same for people, a line for each. */
export function problemLines(
  problems: readonly { field: string; problem: string }[],
  lineOf: (field: string) => number,
): string[] {
  return byLine(problems, lineOf).map(({ line, field, problem }) => `  line ${line}: ${field}: ${problem}`);
}

function lineOf(document: Document, lines: LineCounter): (field: string) => number {
  return (field) => {
    const steps = field.split(/[.[\]]+/).filter((step) => step !== "");
    let offset = document.contents?.range?.[0] ?? 0;
    let node: unknown = document.contents;
    for (const step of steps) {
      if (isAlias(node)) node = node.resolve(document);
      const parent = node;
      const pair = isMap(parent) ? parent.items.find(({ key }) => nameOf(key) === step) : undefined;
      const inner: unknown = pair ? pair.value : itemOf(parent, step);
      const begin = rangeOf(pair?.key ?? inner);
      if (begin === undefined) break;
      offset = begin;
      node = inner;
    }
    return lines.linePos(offset).line;
  };
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : "";
}

function itemOf(node: unknown, step: string): unknown {
  if (typeof node !== "object" || node === null || !("items" in node) || !Array.isArray(node.items))
    return undefined;
  return /^\d+$/.test(step) ? node.items[Number(step)] : undefined;
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
