import { ImportFileError } from "./import-errors.ts";
import type { RowProblem } from "./rejection.ts";

/** One row of a CSV, split into cells. */
export interface CsvRow {
  /** Physical line of the row's first character; the file's first line is 1. */
  readonly line: number;
  readonly raw: string;
  /** With a problem: its cells as well as they can be told apart. */
  readonly fields: readonly string[];
  readonly problem?: RowProblem;
}

export interface CsvTokens {
  readonly rows: readonly CsvRow[];
  /** What makes the rest of the file unreadable. The rows before it are good. */
  readonly failure?: ImportFileError;
}

export interface CsvTokenizerInput {
  readonly delimiter: string;
  readonly maxRowChars: number;
  /** The line that the first character is on. */
  readonly firstLine: number;
  /** Rows after the first one (the header) that begin on this line or before are passed over unsplit. */
  readonly startAfterLine: number;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;

const badQuoting: RowProblem = {
  code: "bad_quoting",
  reason:
    'There is text after a closing quote: put the whole cell in quotes, and write each quote inside it twice ("").',
};

/** A row with quotes: where it ends, and what it holds. */
interface QuotedRow {
  readonly complete: true;
  readonly end: number;
  readonly next: number;
  /** Line breaks inside its cells. */
  readonly innerLines: number;
  readonly fields: readonly string[];
  readonly bad: boolean;
}

/** A row whose end is not in the text. */
interface OpenRow {
  readonly complete: false;
  /** The line of the quote that is open there; without one, only the end of the line is missing. */
  readonly quoteLine: number | undefined;
}

/**
 * RFC 4180, fed in pieces of any size. Written out here because csv-parse counts a CRLF inside quotes as two
 * lines, stops for good at a row with a stray quote, and settles on one line end a file; an import resumes by
 * line number and rejects by row, so lines have to be exact and rows independent.
 *
 * Rows end at LF, CRLF or CR, mixed as they come. A quote opens a quoted cell only as its first character;
 * elsewhere it is a character like any other (`5" nail`). Rows of nothing but spaces and delimiters are
 * passed over.
 *
 * A quote that never closes, or a row beyond all measure, ends the file: reading on behind it would take text
 * inside a cell for rows, and whoever wrote that text would choose the numbers that are dialed.
 */
export class CsvTokenizer {
  readonly #delimiter: string;
  readonly #maxRowChars: number;
  readonly #startAfterLine: number;
  #rest = "";
  #line: number;
  #isFirst = true;

  constructor(input: CsvTokenizerInput) {
    this.#delimiter = input.delimiter;
    this.#maxRowChars = input.maxRowChars;
    this.#startAfterLine = input.startAfterLine;
    this.#line = input.firstLine;
  }

  /** The rows that are complete with this piece of text. `last` says that there is no more. */
  push(piece: string, last: boolean): CsvTokens {
    const text = this.#rest === "" ? piece : this.#rest + piece;
    const rows: CsvRow[] = [];
    const ends = new LineEnds(text);
    let start = 0;
    while (start < text.length) {
      const lineEnd = ends.after(start);
      const quoted =
        ends.quoteAfter(start) < lineEnd
          ? scanQuoted(text, start, this.#line, this.#delimiter, last)
          : undefined;
      const end = quoted?.complete === true ? quoted.end : lineEnd;
      const next =
        quoted === undefined ? ends.nextLine(lineEnd, last) : quoted.complete ? quoted.next : undefined;
      if (next === undefined) {
        // Two more than the limit, because the row may be waiting for nothing but the LF of its CRLF.
        if (text.length - start > this.#maxRowChars + 2) {
          return { rows, failure: this.#oversized(text, start) };
        }
        if (!last) break;
        return { rows, failure: unterminated(quoted?.complete === false ? quoted.quoteLine : this.#line) };
      }
      const raw = text.slice(start, end);
      if (raw.length > this.#maxRowChars) return { rows, failure: this.#oversized(text, start) };
      this.#take(rows, raw, quoted?.complete === true ? quoted : undefined);
      this.#line += 1 + (quoted?.complete === true ? quoted.innerLines : 0);
      start = next;
    }
    this.#rest = text.slice(start);
    return { rows };
  }

  #take(rows: CsvRow[], raw: string, quoted: QuotedRow | undefined): void {
    const line = this.#line;
    if (!this.#isFirst && line <= this.#startAfterLine) return;
    if (quoted === undefined && this.#isBlank(raw)) return;
    this.#isFirst = false;
    const fields = quoted?.fields ?? raw.split(this.#delimiter);
    rows.push({ line, raw, fields, ...(quoted?.bad === true && { problem: badQuoting }) });
  }

  #isBlank(raw: string): boolean {
    const first = raw.charCodeAt(0);
    if (first > 32 && first !== 0xa0 && raw[0] !== this.#delimiter) return false;
    return raw.replaceAll(this.#delimiter, "").trim() === "";
  }

  /** Looks at no more than the limit, so that the answer does not depend on how much text came with the row. */
  #oversized(text: string, start: number): ImportFileError {
    const within = text.slice(start, start + this.#maxRowChars);
    const scan = scanQuoted(within, 0, this.#line, this.#delimiter, false);
    if (!scan.complete && scan.quoteLine !== undefined) return unterminated(scan.quoteLine);
    return new ImportFileError(
      "row_too_large",
      `The row on line ${this.#line} has more than ${this.#maxRowChars} characters: shorten or remove it, and import again.`,
      this.#line,
    );
  }
}

function unterminated(line: number | undefined): ImportFileError {
  return new ImportFileError(
    "unterminated_quote",
    `A quote opens on line ${line} and does not close: the rows from there on can't be told apart. Close it, or remove it, and import again.`,
    line,
  );
}

function scanQuoted(
  text: string,
  start: number,
  startLine: number,
  delimiterText: string,
  last: boolean,
): QuotedRow | OpenRow {
  const delimiter = delimiterText.charCodeAt(0);
  const fields: string[] = [];
  let innerLines = 0;
  let bad = false;
  let at = start;
  for (;;) {
    let value = "";
    const isQuoted = text.charCodeAt(at) === QUOTE;
    if (isQuoted) {
      const close = closingQuote(text, at + 1, last);
      if (close === undefined) return { complete: false, quoteLine: startLine + innerLines };
      value = text.slice(at + 1, close);
      innerLines += lineBreaks(value);
      if (value.includes('"')) value = value.replaceAll('""', '"');
      at = close + 1;
    }
    const cellEnd = endOfCell(text, at, delimiter);
    if (cellEnd > at) {
      bad ||= isQuoted;
      value += text.slice(at, cellEnd);
    }
    fields.push(value);
    const code = text.charCodeAt(cellEnd);
    at = cellEnd + 1;
    if (code === delimiter) continue;
    if (at >= text.length && code !== LF && !last) return { complete: false, quoteLine: undefined };
    const next = code === CR && text.charCodeAt(at) === LF ? at + 1 : at;
    return { complete: true, end: cellEnd, next, innerLines, fields, bad };
  }
}

/** The quote that closes a cell, past doubled ones; undefined if it is not (or not surely) in the text. */
function closingQuote(text: string, from: number, last: boolean): number | undefined {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return undefined;
    // The last character might be the first half of a doubled quote.
    if (quote + 1 === text.length) return last ? quote : undefined;
    if (text.charCodeAt(quote + 1) !== QUOTE) return quote;
    at = quote + 2;
  }
}

function endOfCell(text: string, from: number, delimiter: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LF || code === CR) break;
  }
  return at;
}

function lineBreaks(text: string): number {
  return text.includes("\n") || text.includes("\r") ? (text.match(/\r\n|\r|\n/g)?.length ?? 0) : 0;
}

/** Finds line ends and quotes going forward, looking at each stretch of the text once. */
class LineEnds {
  readonly length: number;
  readonly #text: string;
  #lf = -2;
  #cr = -2;
  #quote = -2;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  /** Where the line that `from` is in ends: at LF or CR, or Infinity. */
  after(from: number): number {
    if (this.#lf < from) this.#lf = this.#find("\n", from);
    if (this.#cr < from) this.#cr = this.#find("\r", from);
    return Math.min(this.#lf, this.#cr);
  }

  quoteAfter(from: number): number {
    if (this.#quote < from) this.#quote = this.#find('"', from);
    return this.#quote;
  }

  /** Where the next line begins, or undefined as long as that can't be said. */
  nextLine(lineEnd: number, last: boolean): number | undefined {
    if (lineEnd === Infinity) return last ? this.length : undefined;
    if (this.#text.charCodeAt(lineEnd) === LF) return lineEnd + 1;
    if (lineEnd + 1 === this.length) return last ? this.length : undefined;
    return this.#text.charCodeAt(lineEnd + 1) === LF ? lineEnd + 2 : lineEnd + 1;
  }

  #find(character: string, from: number): number {
    const found = this.#text.indexOf(character, from);
    return found === -1 ? Infinity : found;
  }
}
