import { findColumn, noPhoneColumn, type ColumnMap } from "./column-plan.ts";
import { rejectRow, type ContactRows, type RejectedRow, type RowSource } from "./contact-row.ts";
import { csvDialect } from "./csv-dialect.ts";
import { columnProblem, headerOf } from "./csv-reader.ts";
import { CsvTokenizer, type CsvRow, type CsvTokens } from "./csv-tokenizer.ts";
import { columnsFor, foldedName } from "./header-aliases.ts";
import { checkBeginning, JsonLines, tooLarge, type JsonLine } from "./ndjson-reader.ts";
import { parseObject, phoneText, RowRefused } from "./ndjson-row.ts";
import { openRows, type OpenedContacts, type ReadContactsOptions } from "./read-contacts.ts";
import type { RowProblem } from "./rejection.ts";
import type { FileLayout, ReadSettings, RowReader, RowsRead } from "./row-reader.ts";
import type { ContactSource, TextBlock } from "./text-decoding.ts";

/*
 * Lists of whom not to dial. Whoever stands on such a list and is not read is called, so nothing is asked of a row
 * but its numbers: what else stands in it, and in the header, is no fault here.
 */

/** A row that holds a number. */
export interface NumbersRow {
  readonly kind: "numbers";
  readonly line: number;
  /** E.164, each once. */
  readonly phones: readonly string[];
  /** What else looks like a number there, and can't be read. */
  readonly unread: RejectedRow | undefined;
}

export type NumberRow = NumbersRow | RejectedRow;

interface NumberCells {
  /** Where a number is to be. */
  readonly phones: readonly string[];
  /** Where one may be: that there is none is no fault. */
  readonly others: readonly string[];
  readonly region: string;
  /** What is wrong with the row besides: the reason where it holds no number. */
  readonly problem: RowProblem | undefined;
}

/**
 * Opens a list of numbers. All columns that look like a phone number are read, or the one that the mapping names;
 * in a row that is out of step with its header, every cell is.
 *
 * @throws as `openContacts` does
 */
export function openNumbers(
  source: ContactSource,
  options: ReadContactsOptions = {},
): Promise<OpenedContacts<NumberRow>> {
  return openRows(source, options, {
    csv: (first, settings) => new CsvNumbers(first, settings),
    ndjson: (first, settings) => new NdjsonNumbers(first, settings),
  });
}

/** What several numbers in one cell stand apart by. */
const BETWEEN_NUMBERS = /[;,|&/\r\n]|\s(?:or|and|oder|und|ou|et|o|y|e)\s/i;

/** Numbers of one cell, and why not all of it is one. */
function readCell(
  rows: ContactRows,
  text: string,
  region: string,
): { phones: string[]; problem?: RowProblem } {
  // Padding of fixed width. What is stored is the number alone.
  const cell = text.replaceAll("\0", "");
  const whole = rows.phone(cell, region);
  if (whole.ok) return { phones: [whole.phone] };
  if (whole.code !== "phone_several") return { phones: [], problem: whole };
  const parts = cell
    .split(BETWEEN_NUMBERS)
    .filter((part) => /\d/.test(part))
    .map((part) => rows.phone(part, region));
  const phones = parts.flatMap((part) => (part.ok ? [part.phone] : []));
  return phones.length === parts.length ? { phones } : { phones, problem: whole };
}

function numbersOf(rows: ContactRows, source: RowSource, cells: NumberCells): NumberRow {
  const phones = new Set<string>();
  let empty: RowProblem | undefined;
  let unread: RowProblem | undefined;
  for (const cell of cells.phones) {
    const read = readCell(rows, cell, cells.region);
    for (const phone of read.phones) phones.add(phone);
    // "none" beside a number is no number.
    if (/\d/.test(cell)) unread ??= read.problem;
    else empty ??= read.problem;
  }
  for (const cell of cells.others) {
    for (const phone of readCell(rows, cell, cells.region).phones) phones.add(phone);
  }
  if (phones.size === 0) return rejectRow(source, cells.problem ?? unread ?? empty ?? noNumber);
  return {
    kind: "numbers",
    line: source.line,
    phones: [...phones],
    unread: unread && rejectRow(source, unread),
  };
}

const noNumber: RowProblem = {
  code: "phone_empty",
  reason: "There is no phone number: fill the cell or remove the row.",
};

interface NumberColumns {
  readonly count: number;
  readonly phones: readonly number[];
  readonly region: number | undefined;
}

function numberColumns(header: CsvRow, map: ColumnMap): NumberColumns {
  const names = header.fields.map((name) => name.trim());
  const folded = names.map(foldedName);
  const named = (key: string): number | undefined => {
    const wanted = map[key];
    return wanted === undefined ? undefined : findColumn(names, wanted, key, header.line);
  };
  const phone = named("phone");
  const phones = phone === undefined ? columnsFor("phone", folded) : [phone];
  if (phones.length === 0) throw noPhoneColumn(names, header.line);
  const region = named("region") ?? columnsFor("region", folded)[0] ?? named("country");
  return { count: names.length, phones, region };
}

class CsvNumbers implements RowReader<NumberRow> {
  readonly layout: FileLayout;
  readonly first: RowsRead<NumberRow>;
  readonly #settings: ReadSettings;
  readonly #tokenizer: CsvTokenizer;
  readonly #columns: NumberColumns;

  constructor(first: TextBlock, settings: ReadSettings) {
    const { map, limits, startAfterLine } = settings;
    const { delimiter, firstLine, start } = csvDialect(first.text, settings.delimiter, map["phone"]);
    this.#settings = settings;
    this.#tokenizer = new CsvTokenizer({
      delimiter,
      maxRowChars: limits.maxRowChars,
      firstLine,
      startAfterLine,
    });
    const tokens = this.#tokenizer.push(first.text.slice(start), first.last);
    const header = headerOf(tokens, first);
    this.#columns = numberColumns(header, map);
    this.layout = { format: "csv", encoding: first.encoding, delimiter, headerLine: header.line };
    this.first = this.#rows({ ...tokens, rows: tokens.rows.slice(1) });
  }

  read(block: TextBlock): RowsRead<NumberRow> {
    return this.#rows(this.#tokenizer.push(block.text, block.last));
  }

  #rows(tokens: CsvTokens): RowsRead<NumberRow> {
    return { ...tokens, rows: this.#numbers(tokens.rows) };
  }

  *#numbers(rows: readonly CsvRow[]): Generator<NumberRow, void, undefined> {
    const { count, phones, region } = this.#columns;
    for (const row of rows) {
      const { fields } = row;
      const problem = row.problem ?? columnProblem(row, count);
      yield numbersOf(this.#settings.rows, row, {
        phones: phones.map((index) => fields[index] ?? ""),
        others: problem === undefined ? [] : fields.filter((_cell, index) => !phones.includes(index)),
        region: region === undefined ? "" : (fields[region] ?? "").trim(),
        problem,
      });
    }
  }
}

class NdjsonNumbers implements RowReader<NumberRow> {
  readonly layout: FileLayout;
  readonly first: RowsRead<NumberRow>;
  readonly #settings: ReadSettings;
  readonly #lines: JsonLines;

  constructor(first: TextBlock, settings: ReadSettings) {
    checkBeginning(first);
    this.#settings = settings;
    this.#lines = new JsonLines(settings.limits.maxRowChars);
    this.layout = { format: "ndjson", encoding: first.encoding };
    this.first = this.read(first);
  }

  read(block: TextBlock): RowsRead<NumberRow> {
    return { rows: this.#numbers(this.#lines.push(block.text, block.last)) };
  }

  *#numbers(lines: readonly JsonLine[]): Generator<NumberRow, void, undefined> {
    for (const line of lines) {
      if (line.line <= this.#settings.startAfterLine) continue;
      if (line.isTooLarge) yield rejectRow(line, tooLarge(this.#settings.limits));
      else if (line.raw.trim() !== "") yield this.#row(line);
    }
  }

  #row(line: JsonLine): NumberRow {
    try {
      return numbersOf(this.#settings.rows, line, this.#cells(line.raw));
    } catch (error) {
      if (error instanceof RowRefused) return rejectRow(line, error.problem);
      throw error;
    }
  }

  #cells(raw: string): NumberCells {
    const object = parseObject(raw);
    const keys = Object.keys(object);
    const folded = keys.map(foldedName);
    const named = (key: string): string[] => {
      const wanted = this.#settings.map[key];
      return wanted === undefined ? [] : keys.filter((_key, index) => folded[index] === foldedName(wanted));
    };
    const found = (role: "phone" | "region"): string[] =>
      this.#settings.map[role] === undefined
        ? columnsFor(role, folded).flatMap((index) => keys[index] ?? [])
        : named(role);
    const [region = ""] = [...found("region"), ...named("country")].flatMap((key) => {
      const value = object[key];
      return typeof value === "string" ? [value.trim()] : [];
    });
    const values = found("phone").flatMap((key) => object[key]);
    const cells = values.map((value) => cellOf(raw, value));
    return {
      phones: cells.flatMap((cell) => (typeof cell === "string" ? [cell] : [])),
      others: [],
      region,
      problem: cells.find((cell) => typeof cell !== "string"),
    };
  }
}

/** A value that is no text is in the way of its own number only. */
function cellOf(raw: string, value: unknown): string | RowProblem {
  try {
    return phoneText(raw, value);
  } catch (error) {
    if (error instanceof RowRefused) return error.problem;
    throw error;
  }
}
