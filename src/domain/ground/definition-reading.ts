import type { z } from "zod";

import { literalSecretProblems } from "./literal-secrets.ts";
import { problemWords, specProblems, type Called, type SpecProblem } from "./spec-problems.ts";

/**
 * With this a check of a group as a whole is made beside problems of its fields, so that all are told at once: whenever
 * there is a group. What it finds in a field may be anything.
 */
export const BESIDE_OTHERS = {
  when: ({ value }: { value: unknown }) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
};

interface Refused {
  ok: false;
  problems: SpecProblem[];
}

/** A definition with its defaults filled in, or every problem of it. */
export type DefinitionReading<Definition> = { ok: true; definition: Definition } | Refused;

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a group; none of what is no group. */
export function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value));
}

/**
 * Reads a definition from parsed YAML or JSON, and reports every problem at once.
 *
 * @param contradictions what its fields say to each other; each for itself is the schema's affair
 */
export function readBySchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  called: Called,
  contradictions: (fields: Fields) => SpecProblem[] = () => [],
): DefinitionReading<z.output<Schema>> {
  const parsed = schema.safeParse(value, { error: problemWords });
  const problems = [...specProblems(parsed.error?.issues ?? [], called), ...contradictions(fieldsOf(value))];
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  return { ok: true, definition: parsed.data };
}

/**
 * What was read of a definition that is given anew: one that holds a secret's value is refused. One that is kept may be
 * from before such were.
 */
export function withoutLiteralSecrets<Read extends { ok: true }>(
  value: unknown,
  reading: Read | Refused,
): Read | Refused {
  const literal = literalSecretProblems(value);
  if (literal.length === 0) return reading;
  return { ok: false, problems: [...(reading.ok ? [] : reading.problems), ...literal] };
}
