import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { workflowFileOf } from "../../domain/automations/automation.ts";
import { inOrder, keyOf, nameOf, readDocument, type Declared } from "../../domain/declared/documents.ts";
import { countText, numberText } from "../view/words.ts";
import { withWorkflow } from "../automations/definition-file.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { byLine, readYamlDocuments, yamlProblemText, type YamlDocument } from "../yaml-file.ts";

/** More than this is another folder: a repository's whole, or somebody's home. */
const MOST_DOCUMENTS = 1_000;

const DOCUMENT_FILE = /\.(?:ya?ml|json)$/i;

/** A document of a folder. */
export interface FolderDocument {
  declared: Declared;
  /** As people find it: file and line. */
  where: string;
  /** The list of numbers that it names, to be sent before it. */
  listFile?: string;
}

/** A document before it is read. */
interface Written extends YamlDocument {
  file: string;
}

/**
 * Reads every document of a folder, its folders included, or of one file; in the order in which they are applied.
 *
 * @throws CliError with every problem of all files at once, each with its file, line, document and field.
 */
export function readFolder(folder: string): FolderDocument[] {
  const problems: string[] = [];
  const files: string[] = [];
  for (const file of filesOf(folder)) {
    files.push(file);
    // Each document may have a workflow in a file of its own.
    refuseMany(folder, files.length, 2 * MOST_DOCUMENTS, "file");
  }
  const read = files.flatMap((file) => readFile(file, problems));
  const taken = new Set(read.flatMap((one) => filesNamedBy(one)));
  const written = read.filter(({ file }) => !taken.has(path.resolve(file)));
  refuseMany(folder, written.length, MOST_DOCUMENTS, "document");
  const documents = written.flatMap((one) => readOne(one, problems));
  problems.push(...twice(documents));
  if (problems.length > 0) throw new CliError(problemsText(problems), EXIT.badInput);
  if (documents.length === 0) {
    throw new CliError(
      `${folder} holds no document: write some into files that end with .yaml, .yml or .json, as in examples/declared`,
      EXIT.badInput,
    );
  }
  return documents.toSorted((a, b) => inOrder(keyOf(a.declared), keyOf(b.declared)));
}

function refuseMany(folder: string, count: number, most: number, what: string): void {
  if (count <= most) return;
  throw new CliError(
    `${folder} holds more than ${countText(most, what)}: ${numberText(most)} at most are read, so name the folder that declares them`,
    EXIT.badInput,
  );
}

/** Sorted, so that the order is the same everywhere. Folders that are links, and what begins with a dot, are left out. */
function* filesOf(folder: string): Generator<string> {
  if (!fs.statSync(folder).isDirectory()) return yield folder;
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) yield* filesOf(file);
    // A file may be a link: mounted configuration is.
    else if (DOCUMENT_FILE.test(entry.name) && !fs.statSync(file).isDirectory()) yield file;
  }
}

function readFile(file: string, problems: string[]): Written[] {
  const read = readYamlDocuments(file);
  problems.push(...read.problems.map((problem) => yamlProblemText(file, problem)));
  return read.documents.map((document) => ({ file, ...document }));
}

/** Files beside a document that are part of it, and no documents themselves. */
function filesNamedBy({ file, value }: Written): string[] {
  const named = workflowFileOf(value);
  return named === undefined ? [] : [path.resolve(path.dirname(file), named)];
}

function readOne(written: Written, problems: string[]): FolderDocument[] {
  const { file, nth, lineOf: line } = written;
  const where = (field: string) => `${file}:${line(field)}${nth === 0 ? "" : ` (document ${nth})`}`;
  const say = (field: string, problem: string) => problems.push(`${where(field)}: ${field}: ${problem}`);
  const whole = withWorkflow(file, written.value, say);
  const reading = readDocument(whole);
  if (!reading.ok && isWorkflow(written.value)) {
    const named = `workflow: { file: ${path.basename(file)} }`;
    say(
      "kind",
      `is missing: a workflow is read where an automation names it (${named}): name it, or move it away`,
    );
    return [];
  }
  if (!reading.ok) {
    for (const { field, problem } of byLine(reading.problems, line)) say(field, problem);
    return [];
  }
  const { declared } = reading;
  if (declared.kind !== "suppression-list" || declared.definition.file === undefined)
    return [{ declared, where: where("kind") }];
  const listFile = path.resolve(path.dirname(file), declared.definition.file);
  const digest = digestOfFile(listFile);
  if (digest === undefined) {
    say(
      "file",
      `names ${listFile}, which is no file that can be read: check the path, which begins at the document's folder`,
    );
    return [];
  }
  const definition = { ...declared.definition, file_sha256: digest };
  return [{ declared: { kind: declared.kind, definition }, where: where("kind"), listFile }];
}

/** What the platform exports, and no document. */
function isWorkflow(value: unknown): boolean {
  return typeof value === "object" && value !== null && "nodes" in value && !("kind" in value);
}

function digestOfFile(file: string): string | undefined {
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(1024 * 1024);
    const handle = fs.openSync(file, "r");
    try {
      for (let read = fs.readSync(handle, buffer); read > 0; read = fs.readSync(handle, buffer))
        hash.update(buffer.subarray(0, read));
    } finally {
      fs.closeSync(handle);
    }
    return hash.digest("hex");
  } catch {
    // Missing, a folder, or not ours to read: the caller says so.
    return undefined;
  }
}

/** Two documents of one key. */
function twice(documents: readonly FolderDocument[]): string[] {
  const firsts = new Map<string, FolderDocument>();
  return documents.flatMap((document) => {
    const key = keyOf(document.declared);
    const id = JSON.stringify([key.kind, key.brand, key.name]);
    const first = firsts.get(id);
    if (!first) {
      firsts.set(id, document);
      return [];
    }
    return [`${document.where}: name: ${nameOf(key)} is declared in ${first.where}, too: keep one`];
  });
}

function problemsText(problems: readonly string[]): string {
  const lines = problems.map((problem) => `  ${problem}`);
  return `${countText(problems.length, "problem")}, and nothing was sent:\n${lines.join("\n")}`;
}
