import type { CountryCode } from "libphonenumber-js/max";
import { createBreather } from "../ledger/ground/breather.ts";
import type { ColumnMap } from "./column-plan.ts";
import { ContactRows, type ContactRow } from "./contact-row.ts";
import { checkDelimiter } from "./csv-dialect.ts";
import { CsvReader } from "./csv-reader.ts";
import { ImportOptionError } from "./import-errors.ts";
import { defaultImportLimits, type ImportLimits } from "./import-limits.ts";
import { NdjsonReader } from "./ndjson-reader.ts";
import { phoneRegion } from "./phone.ts";
import type { FileLayout, ReadSettings, RowReader } from "./row-reader.ts";
import { textBlocks, type ContactSource, type TextBlock } from "./text-decoding.ts";

type ContactFormat = "csv" | "ndjson";

export interface ReadContactsOptions {
  /** Absent: by the file's name, then by its first character. */
  readonly format?: ContactFormat;
  readonly fileName?: string;
  readonly map?: ColumnMap;
  /** ISO 3166-1 alpha-2: the country of numbers without `+`. */
  readonly defaultRegion?: string;
  /** CSV. Absent: stated by `sep=`, or found in the header among comma, semicolon, tab and bar. */
  readonly delimiter?: string;
  /** To go on with a file: rows that begin on this line or before are passed over. */
  readonly startAfterLine?: number;
  /** Rows a chunk at most; 1,000 if absent. */
  readonly chunkRows?: number;
  readonly limits?: Partial<ImportLimits>;
}

export interface ContactChunk<Row = ContactRow> {
  readonly layout: FileLayout;
  readonly rows: readonly Row[];
  /** Line of the last row: as `startAfterLine`, it goes on exactly behind this chunk. */
  readonly lastLine: number;
}

export interface OpenedContacts<Row = ContactRow> {
  readonly layout: FileLayout;
  /** To be read once. Leaving the loop early closes the source. */
  readonly chunks: AsyncGenerator<ContactChunk<Row>, void>;
}

// One ledger transaction's worth: short enough for the embedded ledger, where one blocks all others.
const defaultChunkRows = 1_000;

function checkedRegion(region: string | undefined): CountryCode | undefined {
  if (region === undefined) return undefined;
  const known = phoneRegion(region);
  if (known === undefined) {
    throw new ImportOptionError(
      `The default region ${JSON.stringify(region)} is no country with phone numbers: give its two-letter code, such as US or DE.`,
    );
  }
  return known;
}

function checkedChunkRows(chunkRows: number): number {
  if (!Number.isSafeInteger(chunkRows) || chunkRows < 1) {
    throw new ImportOptionError(`A chunk of ${chunkRows} rows is not possible: give a whole number from 1.`);
  }
  return chunkRows;
}

function settingsOf(options: ReadContactsOptions): ReadSettings {
  if (options.delimiter !== undefined) checkDelimiter(options.delimiter);
  return {
    rows: new ContactRows(checkedRegion(options.defaultRegion)),
    map: options.map ?? {},
    limits: { ...defaultImportLimits, ...options.limits },
    delimiter: options.delimiter,
    startAfterLine: options.startAfterLine ?? 0,
  };
}

function formatOf(options: ReadContactsOptions, text: string): ContactFormat {
  if (options.format !== undefined) return options.format;
  if (/\.(?:ndjson|jsonl|json)$/i.test(options.fileName ?? "")) return "ndjson";
  if (/\.(?:csv|tsv|tab)$/i.test(options.fileName ?? "")) return "csv";
  return /^\s*[[{]/.test(text) ? "ndjson" : "csv";
}

/** Makes the reader of a format. */
export type Readers<Row> = Record<
  ContactFormat,
  (first: TextBlock, settings: ReadSettings) => RowReader<Row>
>;

const contactReaders: Readers<ContactRow> = {
  csv: (first, settings) => new CsvReader(first, settings),
  ndjson: (first, settings) => new NdjsonReader(first, settings),
};

async function* chunksOf<Row extends { readonly line: number }>(
  reader: RowReader<Row>,
  blocks: AsyncGenerator<TextBlock>,
  chunkRows: number,
): AsyncGenerator<ContactChunk<Row>, void> {
  const chunk = (rows: readonly Row[]): ContactChunk<Row> => ({
    layout: reader.layout,
    rows,
    lastLine: rows.at(-1)?.line ?? 0,
  });
  const breathe = createBreather();
  try {
    let pending: Row[] = [];
    let read = reader.first;
    for (;;) {
      for (const row of read.rows) {
        pending.push(row);
        if (pending.length >= chunkRows) yield chunk(pending.splice(0, chunkRows));
        await breathe();
      }
      const next = read.failure === undefined ? await blocks.next() : undefined;
      if (next === undefined || next.done === true) break;
      read = reader.read(next.value);
    }
    if (pending.length > 0) yield chunk(pending);
    pending = [];
    if (read.failure !== undefined) throw read.failure;
  } finally {
    await blocks.return(undefined);
  }
}

/**
 * Opens a contact file: its layout is known, and its header found good, before a row is read. A file with a
 * header and nothing else has no chunks; an empty file is an error.
 *
 * @throws {ImportOptionError} for options that can't be
 * @throws {ImportHeaderError} for a header that can't be used, naming the column
 * @throws {ImportFileError} for what is no contact file; from `chunks`, too, after the rows before the fault
 */
export function openContacts(
  source: ContactSource,
  options: ReadContactsOptions = {},
): Promise<OpenedContacts> {
  return openRows(source, options, contactReaders);
}

/** Opens a file of people, with what makes rows of it. */
export async function openRows<Row extends { readonly line: number }>(
  source: ContactSource,
  options: ReadContactsOptions,
  readers: Readers<Row>,
): Promise<OpenedContacts<Row>> {
  const settings = settingsOf(options);
  const chunkRows = checkedChunkRows(options.chunkRows ?? defaultChunkRows);
  const blocks = textBlocks(source, settings.limits.maxFileBytes);
  const first = await blocks.next();
  try {
    // The block stream always ends with a block, be it an empty one.
    if (first.done === true) throw new TypeError("the text of the source has no end");
    const reader = readers[formatOf(options, first.value.text)](first.value, settings);
    return { layout: reader.layout, chunks: chunksOf(reader, blocks, chunkRows) };
  } catch (error) {
    await blocks.return(undefined);
    throw error;
  }
}

/** The rows of a contact file in chunks, in constant memory; see `openContacts`. */
export async function* readContacts(
  source: ContactSource,
  options: ReadContactsOptions = {},
): AsyncGenerator<ContactChunk, void> {
  const { chunks } = await openContacts(source, options);
  yield* chunks;
}
