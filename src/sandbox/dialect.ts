import { z } from "zod";

/**
 * How the platform shows itself. `contract`: by the words of its contract. `published`: as its published low-code
 * clients know it, under `/api`, with bare lists of calls and batches, and with `id` and `name` beside the contract's
 * own names. Views and routes know nothing of it: answers are dressed on their way out, by their schemas.
 */
export const DIALECTS = ["contract", "published"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What differs about a record or a list in the dialect of published clients. */
interface Published {
  /** The field that is shown as `id`, too. */
  readonly idFrom?: string;
  /** The field that is shown as `name`, too. */
  readonly nameFrom?: string;
  /** An envelope of which only these rows are shown. */
  readonly bare?: string;
  /** A bare list that is shown in an envelope, under this name and with its total. */
  readonly under?: string;
}

/** Schemas of answers say here what differs: `z.object(...).register(published, { idFrom: "call_id" })`. */
export const published = z.registry<Published>();

type Dress = (value: unknown) => unknown;

/** What makes a published answer of one that fits a schema; null where nothing differs. */
export function dressOf(schema: unknown): Dress | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return dressOf(schema.unwrap());
  }
  if (schema instanceof z.ZodArray) {
    return dressOfList(schema);
  }
  return schema instanceof z.ZodObject ? dressOfRecord(schema) : null;
}

/** Shows a value that fits a schema in a dialect, where no route does: in streams and webhooks. */
export type Show = (schema: z.ZodType, value: object) => unknown;

export function showIn(dialect: Dialect): Show {
  if (dialect === "contract") {
    return (_schema, value) => value;
  }
  const dresses = new WeakMap<z.ZodType, Dress>();
  return (schema, value) => {
    const dress = dresses.get(schema) ?? dressOf(schema) ?? ((plain) => plain);
    dresses.set(schema, dress);
    return dress(value);
  };
}

function dressOfList(schema: z.ZodArray): Dress | null {
  const dressRow = dressOf(schema.element);
  const under = published.get(schema)?.under;
  if (dressRow === null && under === undefined) {
    return null;
  }
  return (value) => {
    if (!Array.isArray(value)) {
      return value;
    }
    const rows: unknown[] = dressRow === null ? value : value.map(dressRow);
    return under === undefined ? rows : { total: rows.length, [under]: rows };
  };
}

function dressOfRecord(schema: z.ZodObject): Dress | null {
  const { idFrom, nameFrom, bare } = published.get(schema) ?? {};
  const inner = Object.entries(schema.shape).flatMap(([field, of]) => {
    const dress = dressOf(of);
    return dress === null ? [] : [{ field, dress }];
  });
  if (idFrom === undefined && nameFrom === undefined && bare === undefined && inner.length === 0) {
    return null;
  }
  return (value) => {
    if (typeof value !== "object" || value === null) {
      return value;
    }
    const shown: Record<string, unknown> = {
      ...(idFrom === undefined ? {} : { id: Reflect.get(value, idFrom) }),
      ...(nameFrom === undefined ? {} : { name: Reflect.get(value, nameFrom) }),
      ...value,
    };
    for (const { field, dress } of inner) {
      if (field in shown) {
        shown[field] = dress(shown[field]);
      }
    }
    return bare === undefined ? shown : shown[bare];
  };
}

/** Changes the JSON Schema of a schema into that of what is shown. */
export function describePublished(schema: z.core.$ZodType, described: z.core.JSONSchema.BaseSchema): void {
  const { idFrom, nameFrom, bare, under } = published.get(schema) ?? {};
  const { properties } = described;
  if (properties !== undefined) {
    const beside = [
      ["id", idFrom],
      ["name", nameFrom],
    ] as const;
    for (const [name, from] of beside) {
      const own = from === undefined ? undefined : properties[from];
      if (own !== undefined && !Object.hasOwn(properties, name)) {
        properties[name] = own;
        described.required = [...(described.required ?? []), name];
      }
    }
  }
  const rows = bare === undefined ? undefined : properties?.[bare];
  if (typeof rows === "object") {
    replace(described, rows);
  }
  if (under !== undefined) {
    replace(described, {
      type: "object",
      properties: { total: { type: "integer" }, [under]: { ...described } },
      required: ["total", under],
      additionalProperties: false,
    });
  }
}

/** The object stays the same, since it stands in the whole already. */
function replace(described: z.core.JSONSchema.BaseSchema, by: z.core.JSONSchema.BaseSchema): void {
  for (const key of Object.keys(described)) {
    Reflect.deleteProperty(described, key);
  }
  Object.assign(described, by);
}
