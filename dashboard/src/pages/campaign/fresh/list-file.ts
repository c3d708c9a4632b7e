import { words } from "../../../words.ts";

/*
 * What the page itself reads of a list: its header, and single rows that somebody mends. What a list means, the server
 * says; lines are counted as it counts them.
 */

/** More of a file is mended where it was made: it is held in memory whole. */
const MOST_BYTES = 20_000_000;

/** A header, and some rows to show what stands in its columns. */
const HEAD_BYTES = 65_536;

const DELIMITERS = [",", ";", "\t", "|"] as const;

export interface Row {
  /** Of its first character, from 1. */
  line: number;
  start: number;
  end: number;
  fields: readonly string[];
}

/** The rows of a CSV, its header first. Quoted as in RFC 4180; empty lines are none. */
function* rowsIn(text: string, delimiter: string): Generator<Row> {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  const sep = /^"?sep=[^\r\n]"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i.exec(text.slice(at, at + 64));
  if (sep) {
    at += sep[0].length;
    line += 1;
  }
  while (at < text.length) {
    const row = rowAt(text, at, delimiter);
    if (row.fields.some((field) => field.trim() !== "")) yield { ...row, line, start: at };
    line += 1 + row.innerLines;
    at = row.next;
  }
}

interface Scanned {
  end: number;
  next: number;
  innerLines: number;
  fields: string[];
}

function rowAt(text: string, start: number, delimiter: string): Scanned {
  const fields: string[] = [];
  let innerLines = 0;
  let at = start;
  for (;;) {
    let field = "";
    if (text[at] === '"') {
      at += 1;
      for (; at < text.length; at += 1) {
        if (text[at] !== '"') {
          if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) innerLines += 1;
          field += text[at];
        } else if (text[at + 1] === '"') {
          field += '"';
          at += 1;
        } else {
          at += 1;
          break;
        }
      }
    }
    // What stands behind a closing quote is kept: the server says what is wrong with it.
    for (; at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r"; at += 1)
      field += text[at];
    fields.push(field);
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    const isCrLf = text[at] === "\r" && text[at + 1] === "\n";
    return { end: at, next: at + (isCrLf ? 2 : 1), innerLines, fields };
  }
}

/** A cell as a file has it. */
function cellOf(text: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(text) && !text.includes(delimiter) && text.trim() === text;
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

export interface Head {
  columns: readonly string[];
  /** What stands in its first row. */
  sample: readonly string[];
}

/** The header of a CSV; undefined: it is none, or not in an encoding that is read here. */
export async function headOf(file: File): Promise<Head | undefined> {
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return undefined;
  const text = await textOf(file.slice(0, HEAD_BYTES), file.size > HEAD_BYTES);
  if (text === undefined) return undefined;
  const heads = DELIMITERS.map((delimiter) => {
    const rows = rowsIn(text, delimiter);
    const [header, first] = [rows.next().value, rows.next().value];
    return { columns: header?.fields ?? [], sample: first?.fields ?? [] };
  });
  return heads.reduce((best, head) => (head.columns.length > best.columns.length ? head : best));
}

/** @returns undefined where it is no UTF-8 */
async function textOf(file: Blob, isCut: boolean): Promise<string | undefined> {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    // The last character of a cut one may be half there.
    return decoder.decode(await file.arrayBuffer(), { stream: isCut });
  } catch {
    return undefined;
  }
}

/** The whole of a list as text, where it is mended here. @throws Error that says why it is not */
async function wholeOf(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new Error(words.fresh.tooLarge(MOST_BYTES));
  const text = await textOf(file, false);
  if (text === undefined) throw new Error(words.fresh.notUtf8);
  return text;
}

export interface Found {
  columns: readonly string[];
  rows: readonly Row[];
}

/** The rows that begin on these lines. @throws Error that says why they can't be shown */
export async function rowsOn(file: File, delimiter: string, lines: readonly number[]): Promise<Found> {
  const text = await wholeOf(file);
  const wanted = new Set(lines);
  const found: Row[] = [];
  let columns: readonly string[] | undefined;
  for (const row of rowsIn(text, delimiter)) {
    if (columns === undefined) columns = row.fields;
    else if (wanted.has(row.line)) found.push(row);
    if (found.length === wanted.size) break;
  }
  return { columns: columns ?? [], rows: found };
}

/** The list with other cells on a line: another file, under its name. @throws Error that says why it can't be mended */
export async function mended(
  file: File,
  { delimiter, line, fields }: { delimiter: string; line: number; fields: readonly string[] },
): Promise<File> {
  const text = await wholeOf(file);
  for (const row of rowsIn(text, delimiter)) {
    if (row.line !== line) continue;
    const cells = fields.map((field) => cellOf(field, delimiter)).join(delimiter);
    const parts = [text.slice(0, row.start), cells, text.slice(row.end)];
    return new File(parts, file.name, { type: "text/csv" });
  }
  throw new Error(words.fresh.lineGone(line));
}
