import { z } from "zod";

/**
 * Values of a query are texts. These take the texts that spell a value and nothing else: `skip=` is no zero, and
 * `limit=0x10` no sixteen.
 */

/** A whole number of a query, then held to `schema`. */
export function queryInteger<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (isText(text, /^-?\d{1,16}$/) ? Number(text) : text), schema);
}

/** A decimal number of a query, then held to `schema`. */
export function queryNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (text) => (isText(text, /^-?\d{1,16}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i) ? Number(text) : text),
    schema,
  );
}

/** A yes or no of a query. */
export function queryBoolean<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (text) => (isText(text, /^(true|1)$/i) ? true : isText(text, /^(false|0)$/i) ? false : text),
    schema,
  );
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}
