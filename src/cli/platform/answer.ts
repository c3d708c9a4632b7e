import { Readable, Writable } from "node:stream";

import type { OperationEntry, Platform, RequestInput } from "../../platform/index.ts";
import type { FormOptions } from "../answer-form.ts";
import type { CliContext, Voice } from "../context.ts";
import type { OutFile } from "./out-file.ts";
import { hideSecrets } from "./secrets.ts";
import { recordLines, tableOf, type RowTable } from "./show.ts";

/** What every operation's command understands beside its fields. */
export interface PerformOptions extends FormOptions {
  readonly yes?: true;
  readonly all?: true;
  readonly showSecret?: true;
  readonly out?: string;
}

/** One operation that may be sent, and where its answer goes. */
export interface Performance {
  readonly context: CliContext;
  readonly voice: Voice;
  readonly entry: OperationEntry;
  readonly options: PerformOptions;
  readonly platform: Platform;
  readonly input: RequestInput;
  readonly out: OutFile | undefined;
  readonly signal: AbortSignal;
}

/** Sends the operation and shows what it is answered with. @throws PlatformError */
export async function showAnswer(performance: Performance): Promise<void> {
  const { entry, options, platform, input, signal } = performance;
  const { kind } = entry.answer;
  if (options.all === true && (kind === "page" || kind === "array")) {
    await showRows(performance, platform.iterate(entry.name, input, { signal }));
    return;
  }
  const value = await platform.send(entry.name, input, { signal });
  switch (kind) {
    case "bytes":
      return showBytes(performance, value);
    case "nothing":
      return showRecord(performance, { done: true });
    case "object":
      return showRecord(performance, value);
    case "page":
      return showPage(performance, value);
    case "array":
      return showPage(performance, { items: value, total: Array.isArray(value) ? value.length : undefined });
  }
}

/** Shows one object, or writes it into its file whole, secrets included: that is what the file is for. */
async function showRecord(
  { entry, options, voice, out, context }: Performance,
  value: unknown,
): Promise<void> {
  if (out) {
    await out.write(`${JSON.stringify(value, undefined, 2)}\n`);
    tellFile(voice, out.path);
    return;
  }
  const { shown, hidden } =
    options.showSecret === true ? { shown: value, hidden: [] } : hideSecrets(entry.name, value);
  if (!voice.inWords) voice.json(shown);
  else if (typeof shown === "object" && shown !== null) {
    voice.tell(recordLines(Object.fromEntries(Object.entries(shown)), voice.colours));
  }
  tellHidden(context, hidden);
}

function tellHidden(context: CliContext, hidden: readonly string[]): void {
  if (hidden.length === 0) return;
  context.stderr.write(`${hidden.join(", ")} not shown: --show-secret prints it, --out <file> keeps it\n`);
}

function tellFile(voice: Voice, path: string): void {
  voice.tell([`written to ${path}, which only you may read`]);
  voice.json({ out: path });
}

async function showPage(performance: Performance, value: unknown): Promise<void> {
  const { entry, voice, options, out, context, input } = performance;
  const items: unknown = fieldOf(value, "items");
  const rows: readonly unknown[] = Array.isArray(items) ? items : [];
  if (out || !voice.inWords) {
    await showRecord(performance, value);
    return;
  }
  if (rows.length === 0) {
    voice.tell(["nothing"]);
    return;
  }
  const { shown, hidden } = options.showSecret ? { shown: rows, hidden: [] } : hideSecrets(entry.name, rows);
  const lines = Array.isArray(shown) ? shown : [];
  const table = tableOf(lines, rowIdOf(entry), voice.colours);
  voice.tell([table.header, ...lines.map((row) => table.line(row))]);
  tellHidden(context, hidden);
  const more = moreText(entry, input, rows.length, fieldOf(value, "total"));
  if (more !== undefined) voice.tell([more]);
}

function rowIdOf({ answer: { kind, ...rest } }: OperationEntry): string | undefined {
  return kind === "page" && "rowId" in rest ? rest.rowId : undefined;
}

/** How to see the rest. */
function moreText(
  { answer: of }: OperationEntry,
  { query }: RequestInput,
  shown: number,
  total: unknown,
): string | undefined {
  if (of.kind !== "page") return undefined;
  const asked = (name: string, otherwise: number): number => {
    const value = fieldOf(query, name);
    return typeof value === "number" ? value : otherwise;
  };
  const limit = asked(of.style === "page" ? "per_page" : "limit", of.limit);
  const before = of.style === "page" ? (asked("page", 1) - 1) * limit : asked(of.style, 0);
  const left = typeof total === "number" ? total - before - shown : undefined;
  if (left === undefined ? shown < limit : left <= 0) return undefined;
  const next = of.style === "page" ? `--page ${asked("page", 1) + 1}` : `--${of.style} ${before + shown}`;
  return `${left === undefined ? "perhaps more" : `and ${left} more`}: ${next}, or --all`;
}

/** Rows that a table's columns are chosen and measured by, with --all: one page of most lists. */
const MEASURED_ROWS = 100;

/** Rows as they come, however many: JSON lines, or a table. */
async function showRows(performance: Performance, rows: AsyncIterable<unknown>): Promise<void> {
  const { entry, voice, options, out, context } = performance;
  const hidden = new Set<string>();
  let waiting: unknown[] = [];
  let table: RowTable | undefined;
  let count = 0;
  const flush = (): void => {
    if (waiting.length === 0) return;
    if (!table) {
      table = tableOf(waiting, rowIdOf(entry), voice.colours);
      voice.tell([table.header]);
    }
    for (const row of waiting) voice.tell([table.line(row)]);
    waiting = [];
  };
  for await (const row of rows) {
    count += 1;
    if (out) {
      await out.write(`${JSON.stringify(row)}\n`);
      continue;
    }
    const covered = options.showSecret ? { shown: row, hidden: [] } : hideSecrets(entry.name, row);
    for (const name of covered.hidden) hidden.add(name);
    if (!voice.inWords) {
      await writeOut(context, `${JSON.stringify(covered.shown)}\n`);
    } else {
      waiting.push(covered.shown);
      if (table !== undefined || waiting.length >= MEASURED_ROWS) flush();
    }
  }
  flush();
  if (out) tellFile(voice, out.path);
  else if (count === 0 && voice.inWords) voice.tell(["nothing"]);
  tellHidden(context, [...hidden]);
}

async function writeOut({ stdout }: CliContext, text: string): Promise<void> {
  if (stdout instanceof Writable) await writeTo(stdout, text);
  else stdout.write(text);
}

/** Writes no faster than whoever reads takes it: a list or a recording may be longer than memory. */
async function writeTo(stream: Writable, data: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(data, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

async function showBytes({ context, voice, out }: Performance, value: unknown): Promise<void> {
  const body = fieldOf(value, "body");
  if (!(body instanceof Readable)) throw new TypeError("a download has a body");
  if (out) {
    const bytes = await out.take(body);
    voice.tell([`${bytes} bytes written to ${out.path}, which only you may read`]);
    voice.json({ out: out.path, bytes, content_type: fieldOf(value, "contentType") ?? null });
    return;
  }
  const { stdout } = context;
  if (!(stdout instanceof Writable)) throw new TypeError("bytes need a stream");
  for await (const chunk of body) await writeTo(stdout, chunk);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
