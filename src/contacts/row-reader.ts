import type { ColumnMap, ColumnUse } from "./column-plan.ts";
import type { ContactRow, ContactRows } from "./contact-row.ts";
import type { ImportFileError } from "./import-errors.ts";
import type { ImportLimits } from "./import-limits.ts";
import type { RowProblem } from "./rejection.ts";
import type { TextBlock, TextEncoding } from "./text-decoding.ts";

/** What was found out about the file before its first row. */
export interface FileLayout {
  readonly format: "csv" | "ndjson";
  readonly encoding: TextEncoding;
  /** CSV only, as are the next two. */
  readonly delimiter?: string;
  readonly headerLine?: number;
  readonly columns?: readonly ColumnUse[];
}

export interface ReadSettings {
  readonly rows: ContactRows;
  readonly map: ColumnMap;
  readonly limits: ImportLimits;
  readonly delimiter: string | undefined;
  readonly startAfterLine: number;
}

export interface RowsRead<Row = ContactRow> {
  /** To be read once, before the next block: each row is only worked out when its turn comes. */
  readonly rows: Iterable<Row>;
  /** What makes the rest of the file unreadable; the rows before it are good. */
  readonly failure?: ImportFileError;
}

/** Turns blocks of text into rows. */
export interface RowReader<Row = ContactRow> {
  readonly layout: FileLayout;
  /** The rows of the block that the reader was made with. */
  readonly first: RowsRead<Row>;
  read(block: TextBlock): RowsRead<Row>;
}

export const invalidEncoding: RowProblem = {
  code: "invalid_encoding",
  reason: "The row has bytes that are not text in the file's encoding: save the file as UTF-8.",
};

const nulCharacter: RowProblem = {
  code: "nul_character",
  reason: "The row has a NUL character, which can't be stored: remove it.",
};

// In the `u` mode a surrogate only matches on its own, which text never has.
const loneSurrogate = /\p{Surrogate}/u;

export const hasLoneSurrogate = (text: string): boolean => loneSurrogate.test(text);

/** Why this text of a row can't be stored as text, if so. */
export function textProblem(text: string, mayBeDamaged: boolean): RowProblem | undefined {
  if (text.includes("\0")) return nulCharacter;
  return mayBeDamaged && hasLoneSurrogate(text) ? invalidEncoding : undefined;
}

/** The first variable that is longer than allowed. */
export function valueProblem(
  variables: Readonly<Record<string, string>>,
  maxValueChars: number,
): RowProblem | undefined {
  const long = Object.keys(variables).find((name) => (variables[name]?.length ?? 0) > maxValueChars);
  if (long === undefined) return undefined;
  return {
    code: "value_too_long",
    reason: `The value of ${JSON.stringify(long)} has more than ${maxValueChars} characters: shorten it.`,
  };
}
