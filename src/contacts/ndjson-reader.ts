import { rejectRow, type ContactRow } from "./contact-row.ts";
import { ImportFileError } from "./import-errors.ts";
import type { ImportLimits } from "./import-limits.ts";
import { NdjsonRows } from "./ndjson-row.ts";
import type { RowProblem } from "./rejection.ts";
import {
  hasLoneSurrogate,
  invalidEncoding,
  textProblem,
  valueProblem,
  type FileLayout,
  type ReadSettings,
  type RowReader,
  type RowsRead,
} from "./row-reader.ts";
import type { TextBlock } from "./text-decoding.ts";

export interface JsonLine {
  readonly line: number;
  readonly raw: string;
  readonly isTooLarge: boolean;
}

/**
 * Lines of any pieces of text. JSON never has a raw newline inside a string, so a line that is too long can
 * be passed over up to the next newline without the risk of reading text as a row.
 */
export class JsonLines {
  readonly #maxChars: number;
  #rest = "";
  #line = 1;
  /** The beginning of a line that is too long, while its end is still to come. */
  #tooLargeStart: string | undefined;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  push(piece: string, last: boolean): JsonLine[] {
    const text = this.#rest + piece;
    const lines: JsonLine[] = [];
    let start = 0;
    for (;;) {
      const found = text.indexOf("\n", start);
      if (found === -1 && !last) break;
      const end = found === -1 ? text.length : found;
      const isTooLarge = this.#tooLargeStart !== undefined || end - start > this.#maxChars;
      lines.push({ line: this.#line, raw: this.#tooLargeStart ?? text.slice(start, end), isTooLarge });
      this.#tooLargeStart = undefined;
      this.#line += 1;
      start = end + 1;
      if (found === -1) break;
    }
    this.#rest = text.slice(start);
    if (this.#tooLargeStart !== undefined) this.#rest = "";
    else if (this.#rest.length > this.#maxChars) {
      this.#tooLargeStart = this.#rest;
      this.#rest = "";
    }
    return lines;
  }
}

export function tooLarge({ maxRowChars }: ImportLimits): RowProblem {
  return { code: "row_too_large", reason: `The line has more than ${maxRowChars} characters: shorten it.` };
}

/** @throws {ImportFileError} for an empty file, or one JSON array instead of lines */
export function checkBeginning({ text, last }: TextBlock): void {
  const beginning = text.trimStart();
  if (beginning === "" && last) throw new ImportFileError("empty_file", "The file is empty.");
  if (!beginning.startsWith("[")) return;
  throw new ImportFileError(
    "json_array",
    "The file is one JSON array: write one object a line instead (jq -c '.[]' does that).",
  );
}

/** Reads NDJSON: one object a line, blank lines between them ignored. */
export class NdjsonReader implements RowReader {
  readonly layout: FileLayout;
  readonly first: RowsRead;
  readonly #settings: ReadSettings;
  readonly #lines: JsonLines;
  readonly #rows: NdjsonRows;

  /** @throws {ImportFileError} for an empty file, or one JSON array instead of lines */
  constructor(first: TextBlock, settings: ReadSettings) {
    checkBeginning(first);
    this.#settings = settings;
    this.#lines = new JsonLines(settings.limits.maxRowChars);
    this.#rows = new NdjsonRows(settings.map, settings.limits);
    this.layout = { format: "ndjson", encoding: first.encoding };
    this.first = this.read(first);
  }

  read(block: TextBlock): RowsRead {
    return { rows: this.#contacts(this.#lines.push(block.text, block.last), block.mayBeDamaged) };
  }

  *#contacts(lines: readonly JsonLine[], mayBeDamaged: boolean): Generator<ContactRow, void, undefined> {
    for (const line of lines) {
      if (line.line <= this.#settings.startAfterLine) continue;
      if (line.isTooLarge) yield rejectRow(line, tooLarge(this.#settings.limits));
      else if (line.raw.trim() !== "") yield this.#contact(line, mayBeDamaged);
    }
  }

  #contact(line: JsonLine, mayBeDamaged: boolean): ContactRow {
    const { limits, rows } = this.#settings;
    const problem = textProblem(line.raw, mayBeDamaged);
    if (problem !== undefined) return rejectRow(line, problem);
    const cells = this.#rows.cells(line.raw);
    if ("code" in cells) return rejectRow(line, cells);
    const valuesProblem =
      this.#escapedProblem(line.raw, cells.variables) ?? valueProblem(cells.variables, limits.maxValueChars);
    if (valuesProblem !== undefined) return rejectRow(line, valuesProblem);
    return rows.row(line, cells);
  }

  /** Escapes can spell what no text has: `\\u0000`, `\\ud800`. */
  #escapedProblem(raw: string, variables: Readonly<Record<string, string>>): RowProblem | undefined {
    if (!raw.includes("\\u")) return undefined;
    for (const [name, value] of Object.entries(variables)) {
      if (hasLoneSurrogate(name)) return invalidEncoding;
      const problem = textProblem(value, true);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}
