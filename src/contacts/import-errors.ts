export type ImportErrorCode =
  | "empty_file"
  | "file_too_large"
  | "not_a_text_file"
  | "encoding_unknown"
  | "json_array"
  | "unterminated_quote"
  | "row_too_large"
  | "no_header"
  | "no_phone_column"
  | "phone_column_ambiguous"
  | "time_zone_column_ambiguous"
  | "column_not_found"
  | "column_mapped_twice"
  | "column_name_empty"
  | "column_name_repeated"
  | "column_name_forbidden"
  | "column_name_control_character"
  | "column_name_too_long"
  | "too_many_columns"
  | "header_unreadable"
  | "option_invalid";

/** Base of what stops a whole import. The message names the problem and the remedy. */
export class ImportError extends Error {
  override readonly name: string = "ImportError";
  readonly code: ImportErrorCode;
  /** The physical line the problem is on, where there is one. */
  readonly line: number | undefined;

  constructor(code: ImportErrorCode, message: string, line?: number) {
    super(message);
    this.code = code;
    this.line = line;
  }
}

/** The file as a whole can't be read, or not beyond `line`. Rows handed out before it are good. */
export class ImportFileError extends ImportError {
  override readonly name = "ImportFileError";
}

/** The header row can't be used; no row was read. `columns` are the column names concerned. */
export class ImportHeaderError extends ImportError {
  override readonly name = "ImportHeaderError";
  readonly columns: readonly string[];

  constructor(code: ImportErrorCode, message: string, columns: readonly string[] = [], line?: number) {
    super(code, message, line);
    this.columns = columns;
  }
}

/** The caller's options contradict themselves or name what does not exist. */
export class ImportOptionError extends ImportError {
  override readonly name = "ImportOptionError";

  constructor(message: string) {
    super("option_invalid", message);
  }
}
