import { stripVTControlCharacters } from "node:util";
import { stringify } from "yaml";

import type { Colours } from "../view/colours.ts";
import { fitText, padText, textWidth } from "../view/text-width.ts";

/*
 * Records and rows of any operation as a person reads them. What comes from the platform is shown without
 * control characters: a name must not move the cursor.
 */

/** As many as fit beside each other and are told apart at a glance. */
const MAX_COLUMNS = 7;

/** An id has 36. */
const MAX_CELL_COLUMNS = 40;

/** A record: its plain fields aligned, what has an inside below, in YAML. */
export function recordLines(record: Readonly<Record<string, unknown>>, colours: Colours): string[] {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const plain = entries.filter(([, value]) => isPlain(value) && !plainText(value).includes("\n"));
  const nested = entries.filter(([name]) => !plain.some(([other]) => other === name));
  const width = Math.max(0, ...plain.map(([name]) => textWidth(name)));
  return [
    ...plain.map(
      ([name, value]) => `${colours.dim(padText(clean(name), width))}  ${clean(plainText(value))}`,
    ),
    ...nested.flatMap(([name, value]) => [
      colours.dim(clean(name)),
      ...stringify(value, { lineWidth: 0 })
        .trimEnd()
        .split("\n")
        .map((line) => `  ${clean(line)}`),
    ]),
  ];
}

/** Rows as a table whose columns are decided by its first rows, so that a list of any length can flow through. */
export interface RowTable {
  readonly header: string;
  line(row: unknown): string;
}

/**
 * @param first the rows that the columns are chosen and measured by
 * @param rowId the field that is a row's id; it comes first
 */
export function tableOf(first: readonly unknown[], rowId: string | undefined, colours: Colours): RowTable {
  const columns = columnsOf(first.map(fieldsOf), rowId);
  const widths = columns.map((column) =>
    Math.max(textWidth(column), ...first.map((row) => textWidth(cell(fieldsOf(row)[column])))),
  );
  const join = (cells: readonly string[]) =>
    cells
      .map((text, index) => padText(fitText(text, widths[index] ?? 0), widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return {
    header: colours.dim(join(columns)),
    line: (row) => join(columns.map((column) => cell(fieldsOf(row)[column]))),
  };
}

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[], rowId: string | undefined): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const told = names.filter((name) => rows.some((row) => isPlain(row[name]) && cell(row[name]) !== ""));
  // The same id under its other name tells nothing more.
  const useful = told.filter(
    (name) => name === rowId || rowId === undefined || !rows.every((row) => row[name] === row[rowId]),
  );
  const ordered = [...useful.filter((name) => name === rowId), ...useful.filter((name) => name !== rowId)];
  return ordered.slice(0, MAX_COLUMNS);
}

function fieldsOf(row: unknown): Readonly<Record<string, unknown>> {
  return typeof row === "object" && row !== null ? Object.fromEntries(Object.entries(row)) : { value: row };
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object";
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function cell(value: unknown): string {
  return isPlain(value) ? fitText(clean(plainText(value)), MAX_CELL_COLUMNS) : "";
}

/** Text of the platform for a terminal. */
export function clean(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
}
