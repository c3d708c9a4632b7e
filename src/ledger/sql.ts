import { sql, type SQL } from "drizzle-orm";

/** A moment as a parameter. Unix milliseconds. */
export function at(ms: number): SQL {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

/** A moment, or null, as a parameter. */
export function atOrNull(ms: number | undefined): SQL {
  return ms === undefined || !Number.isFinite(ms) ? sql`null::timestamptz` : at(ms);
}

/** A timestamp column as Unix milliseconds, the same from both drivers. */
export function ms(column: SQL): SQL {
  return sql`round(extract(epoch from ${column}) * 1000)::float8`;
}

/** Escapes that PostgreSQL's jsonb refuses: NUL, and halves of surrogate pairs. */
const REFUSED_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** Many rows as one parameter, for `jsonb_to_recordset`. Text that jsonb can't hold is replaced by U+FFFD. */
export function json(value: unknown): SQL {
  let text = JSON.stringify(value);
  if (REFUSED_ESCAPE.test(text)) {
    text = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "string" ? inner.toWellFormed().replaceAll("\0", "\uFFFD") : inner,
    );
  }
  return sql`${text}::jsonb`;
}

/** A list of numbers or strings as one parameter: `id in ${listOf(ids, "bigint")}`. */
export function listOf(values: readonly (string | number)[], type: "bigint" | "text" | "uuid" | "int"): SQL {
  return sql`(select value::${sql.raw(type)} from jsonb_array_elements_text(${json(values)}) as t(value))`;
}
