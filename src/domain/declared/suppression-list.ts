import { z } from "zod";

import { campaignSpecSchema } from "../campaigns/campaign-spec.ts";
import { readBySchema, type DefinitionReading, type Fields } from "../ground/definition-reading.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";

/*
 * Numbers that must not be dialed, as they are declared. What is declared so is only ever added.
 */

/** One request holds them; longer lists are files. */
const MOST_NUMBERS = 10_000;

/** A suppression list as a person writes it. Unknown fields are refused by name. */
export const suppressionListSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,62}$/,
      "may hold lower-case letters, digits, dashes and underscores, 63 at most",
    ),
  /** Whose numbers; or `global`. */
  brand: campaignSpecSchema.shape.brand.unwrap().optional(),
  /** For every brand. */
  global: z.literal(true, { error: "must be true, or left out where a brand is named" }).optional(),
  /** Kept for good beside each number. */
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine((text) => !/\p{Cc}/u.test(text), "must not hold control characters: write it in one line"),
  /** The country of numbers without `+`. */
  default_region: campaignSpecSchema.shape.default_region,
  numbers: z
    .array(z.string({ error: 'must be text, in quotes: "+12025550143"' }).min(1).max(40))
    .min(1)
    .max(MOST_NUMBERS)
    .optional(),
  /** A CSV or NDJSON file with a column of phone numbers, beside this document. */
  file: z.string().min(1).max(1_000).optional(),
  /** Of that file; the command line writes it. */
  file_sha256: z
    .string()
    .regex(/^[\da-f]{64}$/, "must be the file's SHA-256, 64 hexadecimal digits")
    .optional(),
});

/** A suppression list as it is kept: its numbers in order, each once. */
export type SuppressionListDefinition = z.output<typeof suppressionListSchema>;

export type SuppressionListReading = DefinitionReading<SuppressionListDefinition>;

/** Reads a suppression list from parsed YAML or JSON, and reports every problem at once. */
export function readSuppressionList(value: unknown): SuppressionListReading {
  const called = { whole: "the suppression list", kind: "a suppression list" };
  const reading = readBySchema(suppressionListSchema, value, called, contradictions);
  if (!reading.ok) return reading;
  const { numbers, ...rest } = reading.definition;
  return { ok: true, definition: { ...rest, ...(numbers && { numbers: [...new Set(numbers)].sort() }) } };
}

function contradictions(fields: Fields): SpecProblem[] {
  const has = (field: string) => fields[field] !== undefined;
  const problems: SpecProblem[] = [];
  if (has("brand") === has("global"))
    problems.push({ field: "brand", problem: "give either brand, or global: true" });
  if (has("numbers") === has("file"))
    problems.push({ field: "numbers", problem: "give either numbers, or a file of them" });
  if (has("file_sha256") && !has("file"))
    problems.push({ field: "file_sha256", problem: "goes with file only: remove it" });
  return problems;
}
