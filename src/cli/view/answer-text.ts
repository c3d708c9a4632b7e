import { csvRow } from "../../contacts/csv-cell.ts";
import type { AskedForm } from "../answer-form.ts";
import type { Colours } from "./colours.ts";
import { printable } from "./printable.ts";
import { table } from "./report.ts";

/*
 * An answer of the API as text, in whatever form it was asked for. Nothing is known here of any command: a list is
 * what has `items`, a field is named as the API names it, with a dot before what is inside of another.
 */

interface AnswerText {
  readonly text: string;
  /** Fields that were asked for, and that nothing in the answer has. */
  readonly absent: readonly string[];
  /** What could have been asked for instead. */
  readonly present: readonly string[];
}

interface Terminal {
  readonly colours: Colours;
  /** What would drive a terminal is kept from one; a file gets what is there. */
  readonly isTTY: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** Loads what the form needs, so that what comes then waits for nothing. */
export async function answerWriter(
  { form, fields }: Pick<AskedForm, "form" | "fields">,
  { colours, isTTY }: Terminal,
): Promise<(value: unknown) => AnswerText> {
  const shown = (text: string) => (isTTY ? printable(text) : text);
  const stringify = form === "yaml" ? (await import("yaml")).stringify : undefined;
  let written = 0;
  return (value) => {
    const rows = rowsOf(value);
    const known = fields === undefined ? [] : columnsOf(rows, { deep: true });
    const absent =
      rows.length === 0 ? [] : (fields ?? []).filter((name) => !rows.some((row) => has(row, name)));
    written += 1;
    return { text: textOf(value, rows), absent, present: known };
  };

  function textOf(value: unknown, rows: readonly Row[]): string {
    const cut = fields === undefined ? value : pickedAnswer(value, fields);
    switch (form) {
      case "json":
        return `${JSON.stringify(cut)}\n`;
      case "yaml":
        return shown(`${written > 1 ? "---\n" : ""}${stringify?.(cut, { lineWidth: 0 }) ?? ""}`);
      case "csv": {
        const columns = fields ?? columnsOf(rows, { deep: true });
        if (columns.length === 0) return "";
        const lines = [columns, ...rows.map((row) => columns.map((name) => cellOf(valueAt(row, name))))];
        return shown(lines.map((line) => csvRow(line)).join(""));
      }
      case "wide":
      case "table":
        return isList(value) ? listText(rows) : recordText(rows[0] ?? {});
    }
  }

  function listText(rows: readonly Row[]): string {
    if (rows.length === 0) return "nothing\n";
    const columns = fields ?? columnsOf(rows, { deep: false }).filter((name) => isSaid(rows, name));
    const cells = rows.map((row) => columns.map((name) => lineOf(valueAt(row, name))));
    return linesText(table([[...columns], ...cells], colours, { header: true, rightAligned: 0 }));
  }

  function recordText(row: Row): string {
    const names = fields ?? columnsOf([row], { deep: true });
    return linesText(
      table(
        names.map((name) => [name, lineOf(valueAt(row, name))]),
        colours,
        { rightAligned: 0 },
      ),
    );
  }
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${printable(line)}\n`).join("");
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const items = isRow(value) ? value["items"] : undefined;
  return Array.isArray(items) ? items : undefined;
}

function isList(value: unknown): boolean {
  return itemsOf(value) !== undefined;
}

/** The rows of a list, or an object as the only one. */
function rowsOf(value: unknown): Row[] {
  return (itemsOf(value) ?? [value]).map((one) => (isRow(one) ? one : { value: one }));
}

/**
 * The names of fields, in the order in which they come. What is inside of objects is told by its own name.
 *
 * @param deep false: plain values alone, and of objects those that hold nothing else
 */
function columnsOf(rows: readonly Row[], { deep }: { deep: boolean }): string[] {
  const names = new Set<string>();
  const add = (row: Row, before: string): void => {
    for (const [key, value] of Object.entries(row)) {
      const name = `${before}${key}`;
      if (isRow(value) && Object.keys(value).length > 0) {
        if (deep || (before === "" && Object.values(value).every(isPlain))) add(value, `${name}.`);
      } else if (deep || isPlain(value)) names.add(name);
    }
  };
  for (const row of rows) add(row, "");
  // What is an object in one row and nothing in another is told by what is inside of it.
  const inside = new Set([...names].flatMap((name) => parentsOf(name)));
  return [...names].filter((name) => !inside.has(name));
}

function parentsOf(name: string): string[] {
  const parts = name.split(".");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("."));
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** A column that says nothing of any row only takes room. */
function isSaid(rows: readonly Row[], name: string): boolean {
  return rows.some((row) => lineOf(valueAt(row, name)) !== "");
}

/** A key with a dot in it is found as a whole before it is taken apart. */
function valueAt(value: unknown, name: string): unknown {
  if (!isRow(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (let at = name.indexOf("."); at > 0; at = name.indexOf(".", at + 1)) {
    const head = name.slice(0, at);
    if (Object.hasOwn(value, head)) return valueAt(value[head], name.slice(at + 1));
  }
  return undefined;
}

function has(row: Row, name: string): boolean {
  return valueAt(row, name) !== undefined;
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** In a table a row is one line. */
function lineOf(value: unknown): string {
  return cellOf(value).replaceAll(/\s+/g, " ").trim();
}

/** The answer in its own shape, of each of its items only what was asked for. */
function pickedAnswer(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => picked(one, names));
  const items = itemsOf(value);
  if (items === undefined || !isRow(value)) return picked(value, names);
  return { ...value, items: items.map((one) => picked(one, names)) };
}

function picked(value: unknown, names: readonly string[]): unknown {
  if (!isRow(value)) return value;
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const found = valueAt(value, name);
    if (found !== undefined) place(result, value, name, found);
  }
  return result;
}

/** Puts what was found where it stood. */
function place(into: Record<string, unknown>, from: Row, name: string, found: unknown): void {
  const head = Object.hasOwn(from, name)
    ? name
    : (parentsOf(name).find((parent) => Object.hasOwn(from, parent)) ?? name);
  const inner = from[head];
  if (head === name || !isRow(inner)) {
    define(into, name, found);
    return;
  }
  const before = into[head];
  const within: Record<string, unknown> = isRow(before) ? { ...before } : {};
  place(within, inner, name.slice(head.length + 1), found);
  define(into, head, within);
}

/** Keys come from outside: `__proto__` is one as any other. */
function define(into: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
}
