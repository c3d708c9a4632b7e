/**
 * How answers are read: tolerantly, since the contract lists field names and few types (2.1.5).
 *
 * D1 Only ids are required; any other field may be missing or null, which both read as undefined.
 * D2 The same id arrives under its own name or as `id`, a name as `name`; the contract's one is handed on, in records
 *    and in the lists inside of them.
 * D3 Fields that are not known are kept; words that are not known are kept as they are.
 * D4 A number may arrive as a text. Where a decision rests on a field (`firm...`), a value that makes no sense
 *    is an error: read as missing, it could pass for a proof, such as "no call was made". Elsewhere it is
 *    read as missing, so that a cosmetic field never makes a record unreadable.
 * D5 In batches, their items and calls (`told...`), of which many people's outcomes are read at once, such a value
 *    is told as what it is: a number that is none (NaN), a text that says so (`UNREADABLE`). It is not missing, and
 *    the record that it stands in is read all the same. A row of their lists that has no id is counted and left out.
 * D6 What comes in several shapes (`kept`) is handed on as it came, null as null: its reader looks at the shape.
 */
import { z } from "zod";
import { isPathSegment } from "./url.ts";

/** How a field is read, for whoever describes answers: the field reference is made of it. */
export interface Reading {
  readonly as:
    | "id"
    | "text"
    | "number"
    | "flag"
    | "texts"
    | "object"
    | "list"
    | "numbers"
    | "json"
    | "record";
  /** What a record inside of a record, or a row of a list, is read with: a schema. */
  readonly row?: object;
  /** Of a record: its schemas by name. */
  readonly fields?: object;
  /** Of a record: `Aliases`. */
  readonly aliases?: object;
}

export const readings = z.registry<Reading>();

/** Whatever JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** What `JSON.parse` makes of escapes, and no path, log or database takes. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether the platform can be asked about something by this id. */
function isUsableId(value: string): boolean {
  return isPathSegment(value) && value.isWellFormed() && !CONTROL.test(value);
}

/** A text that must be there: an id. One that can't stand in a path is none. */
export const id = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine(isUsableId, "must be an id: 1 to 255 characters that can stand in a path")
  .register(readings, { as: "id" });

/** A text on which decisions rest. Empty is missing. */
export const firmText = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === "" ? undefined : String(value)))
  .register(readings, { as: "text" });

const NUMERAL = /^\s*-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i;

/** A number on which decisions rest. */
export const firmNumber = z
  .union([z.number(), z.string().regex(NUMERAL).transform(Number).pipe(z.number()), z.literal("")])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === "" ? undefined : value))
  .register(readings, { as: "number" });

/** Stands for a text that came as something else. */
const UNREADABLE = "(unreadable)";

/** A text as it was told. Empty is missing; what is no text is `UNREADABLE`. */
export const toldText = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : UNREADABLE;
  })
  .register(readings, { as: "text" });

/** A number as it was told. What is no number, or beyond all numbers, is NaN. */
export const toldNumber = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null || value === "") return undefined;
    const number = typeof value === "string" && NUMERAL.test(value) ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : Number.NaN;
  })
  .register(readings, { as: "number" });

/** A flag on which decisions rest. */
export const firmFlag = z
  .union([z.boolean(), z.literal([0, 1]), z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })])
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Boolean(value)))
  .register(readings, { as: "flag" });

export const text = firmText.catch(undefined).register(readings, { as: "text" });
export const number = firmNumber.catch(undefined).register(readings, { as: "number" });

export const flag = firmFlag.catch(undefined).register(readings, { as: "flag" });

/** A text that may be empty, and then says so. */
export const words = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
  .catch(undefined)
  .register(readings, { as: "text" });

/** What is handed on as it came (D6). */
// What `JSON.parse` gave is what JSON can hold.
export const kept = z.unknown().optional().register(readings, { as: "json" }) as z.ZodType<
  JsonValue | undefined
>;

/** A list of texts. */
export const texts = z
  .array(z.string())
  .nullish()
  .transform((rows) => rows ?? undefined)
  .catch(undefined)
  .register(readings, { as: "texts" });

/** An object that is not looked into. */
export const map = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined)
  .catch(undefined)
  .register(readings, { as: "object" });

/** A list whose rows are not looked into. */
export const list = z
  .array(z.unknown())
  .nullish()
  .transform((rows) => rows ?? undefined)
  .catch(undefined)
  .register(readings, { as: "list" });

/**
 * Records inside of a record, each read as one; what is no record at all is left out, as a field that makes no sense
 * is (D4). None of their fields is needed, not even an id.
 */
export function listOf<Row>(row: z.ZodType<Row>) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((rows) =>
      rows?.flatMap((one) => {
        const read = row.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    )
    .catch(undefined)
    .register(readings, { as: "list", row });
}

/** A record inside of a record; missing where it is none. */
export function within<Row>(row: z.ZodType<Row>) {
  return row
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)
    .register(readings, { as: "record", row });
}

/** A record of numbers by name, such as counts by status. Entries that are no numbers are left out. */
export const counts = z
  .record(z.string(), number)
  .nullish()
  .transform((record) => {
    if (record === null || record === undefined) return undefined;
    const known = Object.entries(record).filter((entry): entry is [string, number] => entry[1] !== undefined);
    return Object.fromEntries(known);
  })
  .catch(undefined)
  .register(readings, { as: "numbers" });

type Shape = Readonly<Record<string, z.ZodType>>;

/** For a field that is missing, the other names that it is seen under: the first that is there counts. */
export type Aliases = Readonly<Record<string, string | readonly string[]>>;

/**
 * A record by the fields we know. What it has beside them is there (D3), and is not in its type, so that a misspelt
 * field does not compile: `unnamedField` reads it.
 */
export function record<Fields extends Shape>(
  aliases: Aliases,
  fields: Fields,
): z.ZodType<z.output<z.ZodObject<Fields>>> {
  return z
    .preprocess((value) => withAliases(value, aliases), z.looseObject(fields))
    .register(readings, { as: "record", fields, aliases });
}

/** A field of an answer that its type does not name; undefined where it has none. */
export function unnamedField(answer: object, name: string): unknown {
  return Object.hasOwn(answer, name) ? Reflect.get(answer, name) : undefined;
}

function withAliases(value: unknown, aliases: Aliases): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const given: Readonly<Record<string, unknown>> = { ...value };
  const named: Record<string, unknown> = { ...value };
  for (const [name, others] of Object.entries(aliases)) {
    const other = [name, ...[others].flat()].find((one) => given[one] !== undefined && given[one] !== null);
    if (other !== undefined) named[name] = given[other];
  }
  return named;
}

/** One page of a list. `total` is what the platform says the whole list has, where it says so. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number | undefined;
  /** Rows of the page that have no id and were left out, where there are such: of batches, their items, and calls. */
  readonly unreadable?: number;
}

/**
 * A page: the documented envelope (contract 2.1.2), whose rows stand under one of `rowsNames` or `items`, or a bare
 * array.
 * An envelope without rows is empty only if it says so itself (`total` 0): an unknown object must not pass
 * for the end of a list.
 */
export function pageOf<Row>(row: z.ZodType<Row>, rowsNames: readonly string[] = []): z.ZodType<Page<Row>> {
  return z.preprocess((value) => asPage(value, rowsNames), z.object({ items: z.array(row), total: number }));
}

/** The same for records that must not be lost to one among them that can't be read (D5). */
export function tolerantPageOf<Row>(row: z.ZodType<Row>, rowsNames: readonly string[]): z.ZodType<Page<Row>> {
  const page = z.object({ items: z.array(z.unknown()), total: number });
  return z
    .preprocess((value) => asPage(value, rowsNames), page)
    .transform(({ items, total }) => {
      const read = items.map((item) => row.safeParse(item));
      const readable = read.flatMap((one) => (one.success ? [one.data] : []));
      const unreadable = items.length - readable.length;
      return { items: readable, total, ...(unreadable > 0 && { unreadable }) };
    });
}

function asPage(value: unknown, rowsNames: readonly string[]): unknown {
  if (Array.isArray(value)) return { items: value };
  if (typeof value !== "object" || value === null) return value;
  const total: unknown = Reflect.get(value, "total");
  const rows: unknown = [...rowsNames, "items"]
    .map((name): unknown => Reflect.get(value, name))
    .find((one) => one !== undefined && one !== null);
  return { items: rows ?? (Number(total ?? Number.NaN) === 0 ? [] : undefined), total };
}

/** What an operation answers: an object, its shape not shown (contract 4), or no body at all. */
export const actionAnswer = z.preprocess((value) => value ?? {}, z.looseObject({}));

/** Problems of an answer in words: where and what was expected, never the value, which may be a phone number. */
export function describe(error: z.ZodError): string {
  const shown = error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  return shown.join("; ");
}
