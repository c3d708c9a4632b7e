import { sql, type SQL } from "drizzle-orm";

/*
 * Records: what rows of one kind are to the program, said once. From that come the columns that a statement selects,
 * the type of what is read, and the reading. The gate has such statements prepared and holds what they give against
 * the type (scripts/statements.mjs).
 *
 * A field is the column of its name: `campaignId` is `campaign_id`, and `endedAtMs`, which is a moment, `ended_at`. Null
 * is undefined here.
 */

/** What is selected for a field, and of which type its values are. */
export interface Column<T> {
  /** Absent: the column that is named like the field. */
  readonly source?: string;
  readonly isMoment?: boolean;
  readonly isOptional?: boolean;
  /** What a value is made into; absent: it stays as the driver gives it. */
  readonly made?: (value: unknown) => T;
}

export const text: Column<string> = {};
export const texts: Column<readonly string[]> = {};
export const number: Column<number> = {};
export const flag: Column<boolean> = {};
/** A `timestamptz`, as Unix milliseconds. */
export const moment: Column<number> = { isMoment: true };

/** A text that is one of some words. */
export function word<T extends string>(): Column<T> {
  return {};
}

/** A `jsonb` that is what was written; or what is made of it, if anything can go wrong with that. */
export function document<T>(made?: (value: unknown) => T): Column<T> {
  return made ? { made } : {};
}

/** A column that may be null. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return { ...column, isOptional: true };
}

/** A column that is not named like its field, or an expression. */
export function from<T>(source: string, column: Column<T>): Column<T> {
  return { ...column, source };
}

type Columns = Readonly<Record<string, Column<unknown>>>;
/** What is read of columns, by field. */
export type FieldsOf<C extends Columns> = {
  -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never;
};

/** Rows of one kind. */
export interface Shape<T> {
  /** What a statement selects, or returns, of which its rows are made. */
  readonly columns: SQL;
  /** Makes a row that a statement gave into what it is here, in place. */
  read(row: object): T;
}

/** What is read of a shape's rows. */
export type RecordOf<S extends Shape<unknown>> = ReturnType<S["read"]>;

/** @param table what stands before the columns that are named like their fields, where a statement joins tables. */
export function record<C extends Columns>(columns: C, table?: string): Shape<FieldsOf<C>> {
  const fields = Object.entries(columns);
  const optionals = fields.flatMap(([name, { isOptional }]) => (isOptional ? [name] : []));
  const makings = fields.flatMap(([name, { made }]) => (made ? [[name, made] as const] : []));
  return {
    columns: sql.raw(fields.map(([name, column]) => selected(name, column, table)).join(", ")),
    read(row: object) {
      const values = row as Record<string, unknown>;
      for (const name of optionals) if (values[name] === null) values[name] = undefined;
      for (const [name, made] of makings) if (values[name] !== undefined) values[name] = made(values[name]);
      return values as FieldsOf<C>;
    },
  };
}

/** scripts/statements/texts.mjs writes the same. */
function selected(name: string, { source, isMoment = false }: Column<unknown>, table?: string): string {
  const column = source ?? `${table === undefined ? "" : `${table}.`}${columnNamed(name, isMoment)}`;
  const value = isMoment ? `round(extract(epoch from ${column}) * 1000)::float8` : column;
  return `${value} as "${name}"`;
}

function columnNamed(field: string, isMoment: boolean): string {
  const name = isMoment ? field.replace(/Ms$/, "") : field;
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
