import { sql, type SQL } from "drizzle-orm";

/** PostgreSQL reads the years that are written with four digits, and has no year 0. */
const EARLIEST_MS = Date.UTC(1970, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * A moment as a parameter. Unix milliseconds. One before 1970 is 1970 and one after the year 9999 is 9999: nothing of
 * ours happens there, and it stands for "long ago" or "never".
 *
 * @throws RangeError where it is no number.
 */
export function at(ms: number): SQL {
  const within = Math.max(EARLIEST_MS, Math.min(LATEST_MS, ms));
  return sql`${new Date(within).toISOString()}::timestamptz`;
}

/** A moment, or null, as a parameter. */
export function atOrNull(ms: number | undefined): SQL {
  return ms === undefined || !Number.isFinite(ms) ? sql`null::timestamptz` : at(ms);
}

/** A timestamp column as Unix milliseconds, the same from both drivers. */
export function ms(column: SQL): SQL {
  return sql`round(extract(epoch from ${column}) * 1000)::float8`;
}

/** A timestamp column as the API writes moments: in UTC, to the millisecond. */
export function iso(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Escapes that PostgreSQL's jsonb refuses: NUL, and halves of surrogate pairs. */
const REFUSED_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Many rows as one parameter, for `jsonb_to_recordset`. Text that jsonb can't hold is replaced by U+FFFD. */
export function json(value: unknown): SQL {
  let text = JSON.stringify(value);
  if (REFUSED_ESCAPE.test(text)) text = JSON.stringify(value, (_key, inner: unknown) => holdable(inner));
  return sql`${text}::jsonb`;
}

/** What jsonb holds of a text, or of an object's names. */
function holdable(value: unknown): unknown {
  if (typeof value === "string") return holdableText(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [holdableText(name), inner]));
}

function holdableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** A list of numbers or strings as one parameter: `id in ${listOf(ids, "bigint")}`. */
export function listOf(values: readonly (string | number)[], type: "bigint" | "text" | "uuid" | "int"): SQL {
  return sql`(select value::${sql.raw(type)} from jsonb_array_elements_text(${json(values)}) as t(value))`;
}
