import { Optional } from "@marcbachmann/cel-js";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What a payload may hold: above the body limit of every door that data comes through. */
const MAX_VALUES = 100_000;
/** JSON that people send is some ten levels deep; each level here is one of the call stack. */
const MAX_DEPTH = 64;
/** A result is a variable, a header or a request's field: this is far more than either may hold. */
export const MAX_RESULT_CHARS = 65_536;

/** A value that can't be taken in or handed out, said in words. */
export class ValueProblem extends Error {}

/** Data that was taken in once, for many expressions over it. It must not be changed after that. */
export class TakenIn {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = asExpressionValue(value);
  }
}

/**
 * JSON as expressions see it: whole numbers are whole (so that they can be counted on), and objects are maps. A
 * sender may call a field `constructor` or `__proto__`: in a map that is a key like any other, while of an object
 * the library reads `constructor` to tell what it is.
 *
 * @throws ValueProblem where it is no JSON, too deep or too large.
 */
export function asExpressionValue(value: unknown): unknown {
  if (value instanceof TakenIn) return value.value;
  let size = 0;
  const taken = (inner: unknown, depth: number): unknown => {
    size += 1;
    if (size > MAX_VALUES) throw new ValueProblem("is given more data than an expression may read");
    if (depth > MAX_DEPTH) throw new ValueProblem(`is given data nested deeper than ${MAX_DEPTH} levels`);
    if (inner === null || typeof inner === "string" || typeof inner === "boolean") return inner;
    if (typeof inner === "number") return Number.isSafeInteger(inner) ? BigInt(inner) : inner;
    if (inner instanceof Date) return inner;
    if (Array.isArray(inner)) return inner.map((item) => taken(item, depth + 1));
    if (typeof inner !== "object") throw new ValueProblem(`is given a ${typeof inner}, which is no JSON`);
    const map = new Map<string, unknown>();
    for (const [key, field] of Object.entries(inner)) {
      if (field !== undefined) map.set(key, taken(field, depth + 1));
    }
    return map;
  };
  return taken(value, 0);
}

/**
 * What an expression came to, as JSON: whole numbers too large for JSON become text, points in time ISO 8601,
 * durations seconds such as `90s`, and an optional that has nothing is null.
 *
 * @throws ValueProblem where it can't be JSON, or is too large.
 */
export function asJson(value: unknown, maxChars: number): JsonValue {
  let chars = 0;
  const given = (inner: unknown, depth: number): JsonValue => {
    if (depth > MAX_DEPTH) throw new ValueProblem(`comes to data nested deeper than ${MAX_DEPTH} levels`);
    const json = jsonOf(inner, depth, given);
    chars += typeof json === "string" ? json.length : 1;
    if (chars > maxChars)
      throw new ValueProblem(`comes to more than ${maxChars} characters: take less of it`);
    return json;
  };
  return given(value, 0);
}

function jsonOf(
  value: unknown,
  depth: number,
  given: (inner: unknown, depth: number) => JsonValue,
): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new ValueProblem("comes to a number without an end, or to none");
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new ValueProblem("comes to a time that does not exist");
    return value.toISOString();
  }
  if (value instanceof Optional) return value.hasValue() ? given(value.value(), depth) : null;
  if (Array.isArray(value)) return value.map((item) => given(item, depth + 1));
  if (value instanceof Map) return fieldsOf([...value.entries()], depth, given);
  if (typeof value === "object" && isPlain(value)) return fieldsOf(Object.entries(value), depth, given);
  if (typeof value === "object" && isUnsignedInt(value)) return given(value.value, depth);
  if (typeof value === "object" && isDuration(value)) return `${Number(value.seconds) + value.nanos / 1e9}s`;
  throw new ValueProblem("comes to something that is no data: text, a number, a list or a map is wanted");
}

function fieldsOf(
  fields: readonly (readonly [key: unknown, field: unknown])[],
  depth: number,
  given: (inner: unknown, depth: number) => JsonValue,
): JsonValue {
  return Object.fromEntries(
    fields
      .filter(([key]) => key !== "__proto__")
      .map(([key, field]) => [String(key), given(field, depth + 1)]),
  );
}

/** The library keeps these two classes to itself. Data are maps and plain objects, so nothing else looks like them. */
function isUnsignedInt(value: object): value is { value: bigint } {
  return "verify" in value && "value" in value && typeof value.value === "bigint";
}

function isDuration(value: object): value is { seconds: bigint; nanos: number } {
  return "seconds" in value && typeof value.seconds === "bigint" && "extendTimestamp" in value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
