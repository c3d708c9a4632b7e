import { planColumns, type ColumnPlan } from "./column-plan.ts";
import { rejectRow, type ContactRow } from "./contact-row.ts";
import { csvDialect } from "./csv-dialect.ts";
import { CsvTokenizer, type CsvRow, type CsvTokens } from "./csv-tokenizer.ts";
import { ImportFileError, ImportHeaderError } from "./import-errors.ts";
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

/** The header. @throws what is wrong with it */
export function headerOf(tokens: CsvTokens, first: TextBlock): CsvRow {
  const [header] = tokens.rows;
  if (header === undefined) {
    if (tokens.failure !== undefined) throw tokens.failure;
    if (first.last) {
      throw new ImportFileError("empty_file", "The file is empty: it has not even a header line.");
    }
    throw new ImportHeaderError(
      "header_unreadable",
      "The first line is far too long for a header: check that the file is a contact list.",
    );
  }
  const damaged = first.mayBeDamaged && hasLoneSurrogate(header.raw);
  const problem = damaged ? invalidEncoding : header.problem;
  if (problem === undefined) return header;
  throw new ImportHeaderError(
    "header_unreadable",
    `The header can't be read. ${problem.reason}`,
    [],
    header.line,
  );
}

/** Reads CSV with a header line. */
export class CsvReader implements RowReader {
  readonly layout: FileLayout;
  readonly first: RowsRead;
  readonly #settings: ReadSettings;
  readonly #tokenizer: CsvTokenizer;
  readonly #plan: ColumnPlan;

  /**
   * @param first the beginning of the file, with the whole header in it
   * @throws {ImportHeaderError} if the header can't be used, {ImportFileError} if there is none
   */
  constructor(first: TextBlock, settings: ReadSettings) {
    const { map, limits, startAfterLine } = settings;
    const dialect = csvDialect(first.text, settings.delimiter, map["phone"]);
    this.#settings = settings;
    this.#tokenizer = new CsvTokenizer({
      delimiter: dialect.delimiter,
      maxRowChars: limits.maxRowChars,
      firstLine: dialect.firstLine,
      startAfterLine,
    });
    const tokens = this.#tokenizer.push(first.text.slice(dialect.start), first.last);
    const header = headerOf(tokens, first);
    this.#plan = planColumns(header.fields, map, header.line, limits);
    this.layout = {
      format: "csv",
      encoding: first.encoding,
      delimiter: dialect.delimiter,
      headerLine: header.line,
      columns: this.#plan.columns,
    };
    this.first = this.#rows({ ...tokens, rows: tokens.rows.slice(1) }, first.mayBeDamaged);
  }

  read(block: TextBlock): RowsRead {
    return this.#rows(this.#tokenizer.push(block.text, block.last), block.mayBeDamaged);
  }

  #rows(tokens: CsvTokens, mayBeDamaged: boolean): RowsRead {
    return { ...tokens, rows: this.#contacts(tokens.rows, mayBeDamaged) };
  }

  *#contacts(rows: readonly CsvRow[], mayBeDamaged: boolean): Generator<ContactRow, void, undefined> {
    for (const row of rows) yield this.#contact(row, mayBeDamaged);
  }

  #contact(row: CsvRow, mayBeDamaged: boolean): ContactRow {
    const problem =
      row.problem ?? textProblem(row.raw, mayBeDamaged) ?? columnProblem(row, this.#plan.columns.length);
    if (problem !== undefined) return rejectRow(row, problem);
    const { fields } = row;
    const { phone, timeZone, region, place, consent } = this.#plan;
    const cell = (index: number | undefined): string =>
      index === undefined ? "" : (fields[index] ?? "").trim();
    const { limits, rows } = this.#settings;
    const variables: Record<string, string> = {};
    for (const { name, index } of this.#plan.variables) variables[name] = fields[index] ?? "";
    const tooLong =
      row.raw.length > limits.maxValueChars ? valueProblem(variables, limits.maxValueChars) : undefined;
    if (tooLong !== undefined) return rejectRow(row, tooLong);
    return rows.row(row, {
      phone: fields[phone] ?? "",
      timeZone: cell(timeZone),
      region: cell(region),
      country: cell(place.country),
      state: cell(place.state),
      postalCode: cell(place.postal_code),
      variables,
      consent: {
        basis: cell(consent.consent_basis),
        at: cell(consent.consent_at),
        proof: cell(consent.consent_proof),
        expiresAt: cell(consent.consent_expires_at),
      },
    });
  }
}

/** A row with fewer cells than the header has, or more. */
export function columnProblem(
  { fields: { length: found } }: CsvRow,
  expected: number,
): RowProblem | undefined {
  if (found === expected) return undefined;
  return found < expected
    ? {
        code: "too_few_columns",
        reason: `The row has ${found} of ${expected} columns: add the missing delimiters, or close a quote.`,
      }
    : {
        code: "too_many_columns",
        reason: `The row has ${found} columns, the header ${expected}: put a cell with the delimiter in it in quotes.`,
      };
}
