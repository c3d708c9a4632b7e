import fs from "node:fs";
import type { Readable } from "node:stream";

import type { OperationEntry, RequestInput, UploadSource } from "../../platform/index.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { takesBody, type Field } from "./fields.ts";
import { readValue, splitPair, type GivenValue } from "./values.ts";

/** Standard input, as the name of a file. */
const STDIN = "-";

/** As much as the client reads of an answer: what was exported can be imported. */
const LARGEST_BODY_BYTES = 10_000_000;

/** A key or certificate chain is a few KB. */
const LARGEST_SECRET_BYTES = 100_000;

/** What stands on the command line for one operation. */
export interface Given {
  /** Texts of path parameters, in the path's order. */
  readonly ids: readonly string[];
  /** By field name; only what was given. */
  readonly fields: ReadonlyMap<Field, GivenValue>;
  /** A file with the JSON body. */
  readonly body: string | undefined;
  /** A file to upload, and what the platform is to call it. */
  readonly upload: { readonly file: string; readonly filename: string | undefined } | undefined;
}

/**
 * What to send. Fields that were given one by one stand above those of the body's file.
 *
 * @throws CliError where something can't be read, or standard input would have to be read twice.
 */
export async function gather(
  entry: OperationEntry,
  given: Given,
  stdin: Readable | undefined,
): Promise<RequestInput> {
  const read = readerOf(given, stdin);
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  if (given.body !== undefined) Object.assign(body, await readBody(given.body, read));
  for (const [field, values] of given.fields) {
    const target = field.part === "query" ? query : body;
    target[field.name] = await valueOf(field, values, read);
  }
  const params = Object.fromEntries(
    Object.keys(entry.params.shape).map((name, index) => [name, given.ids[index] ?? ""]),
  );
  return {
    params,
    ...(entry.query !== undefined && { query }),
    ...(takesBody(entry) && { body }),
    ...(given.upload !== undefined && { file: uploadOf(given.upload, stdin) }),
  };
}

/** Whether standard input is used up by what is sent: then nobody can be asked through it. */
export function readsStdin({ fields, body, upload }: Given): boolean {
  return stdinReaders({ fields, body, upload }).length > 0;
}

function stdinReaders({ fields, body, upload }: Pick<Given, "fields" | "body" | "upload">): string[] {
  const readers = [...fields].flatMap(([{ kind, flag }, values]) => {
    if (kind === "secret") return values.filter((value) => value === STDIN).map(() => flag);
    if (kind === "secrets")
      return values.filter((value) => String(value).endsWith(`=${STDIN}`)).map(() => flag);
    return [];
  });
  if (body === STDIN) readers.push("--body");
  if (upload?.file === STDIN) readers.push("--file");
  return readers;
}

type ReadFile = (file: string, largestBytes: number) => Promise<string>;

function readerOf(given: Given, stdin: Readable | undefined): ReadFile {
  const readers = stdinReaders(given);
  if (readers.length > 1) {
    throw new CliError(
      `standard input can be read once, and ${readers.join(" and ")} name it: put all but one into files`,
      EXIT.badInput,
    );
  }
  return async (file, largestBytes) => {
    if (file !== STDIN && fs.statSync(file).isDirectory()) {
      throw new CliError(`${file} is a folder: name a file`, EXIT.badInput);
    }
    const source = file === STDIN ? stdin : fs.createReadStream(file);
    if (source === undefined) throw new CliError("there is no standard input: name a file", EXIT.badInput);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of source) {
      const piece = Buffer.from(chunk as Uint8Array | string);
      bytes += piece.length;
      if (bytes > largestBytes) {
        const what = file === STDIN ? "standard input" : file;
        throw new CliError(`${what} has more than ${largestBytes} bytes: is it another file?`, EXIT.badInput);
      }
      chunks.push(piece);
    }
    return Buffer.concat(chunks).toString("utf8");
  };
}

async function readBody(file: string, read: ReadFile): Promise<Record<string, unknown>> {
  const text = await read(file, LARGEST_BODY_BYTES);
  const what = file === STDIN ? "standard input" : file;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words quote what it read, which may be a secret.
    throw new CliError(`${what} is not JSON: --body takes a JSON object`, EXIT.badInput);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CliError(`${what} holds no JSON object: --body takes one`, EXIT.badInput);
  }
  return Object.fromEntries(Object.entries(value));
}

async function valueOf(field: Field, given: GivenValue, read: ReadFile): Promise<unknown> {
  if (field.kind === "secret") return readSecret(field.flag, String(given.at(-1) ?? ""), read);
  if (field.kind !== "secrets") return readValue(field, given);
  const secrets: { key_name: string; value: string }[] = [];
  for (const pair of given) {
    const [name, file] = splitPair(field.flag, String(pair));
    secrets.push({ key_name: name, value: await readSecret(field.flag, file, read) });
  }
  return secrets;
}

/** The line break that editors and `echo` put at the end is no part of a secret. */
async function readSecret(flag: string, file: string, read: ReadFile): Promise<string> {
  const secret = (await read(file, LARGEST_SECRET_BYTES)).replace(/\r?\n$/, "");
  if (secret === "") throw new CliError(`${flag}: ${file} holds nothing`, EXIT.badInput);
  return secret;
}

function uploadOf(
  { file, filename }: NonNullable<Given["upload"]>,
  stdin: Readable | undefined,
): UploadSource {
  if (file !== STDIN) return { path: file, ...(filename !== undefined && { filename }) };
  if (stdin === undefined) throw new CliError("there is no standard input: name a file", EXIT.badInput);
  if (filename === undefined) {
    throw new CliError("--file - needs --filename: what the platform is to call it", EXIT.badInput);
  }
  return { stream: stdin, filename };
}
