/** What a contact file may hold. Every limit is there so that one bad file can't take the process down. */
export interface ImportLimits {
  /** Bytes of the whole file. */
  readonly maxFileBytes: number;
  /** Characters of one row, quoted newlines included. */
  readonly maxRowChars: number;
  /** Columns of a CSV, or names in an NDJSON object. */
  readonly maxColumns: number;
  /** Characters of a column's name. */
  readonly maxColumnNameChars: number;
  /** Characters of one dynamic variable. */
  readonly maxValueChars: number;
}

export const defaultImportLimits: ImportLimits = {
  // Some 20 million rows: far above one campaign, and reading stays constant in memory anyway.
  maxFileBytes: 2 * 1024 ** 3,
  // Also how far an opening quote without its end is followed, so it is the reader's memory bound.
  maxRowChars: 256 * 1024,
  maxColumns: 200,
  maxColumnNameChars: 100,
  // A variable ends up in an agent's prompt; this is already some 2,500 tokens.
  maxValueChars: 10_000,
};
