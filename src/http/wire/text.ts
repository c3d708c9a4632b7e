import { z } from "zod";

import { CONTROLS_REFUSED, isPlainText, textFault, valueFault } from "../../domain/ground/plain-text.ts";

/** Text that goes into the ledger as it is: PostgreSQL refuses a NUL, and other control characters are of no use. */
export function plainText(maxChars: number): z.ZodString {
  return z.string().min(1).max(maxChars).refine(isPlainText, CONTROLS_REFUSED);
}

/** Text of more lines, or none, that goes into the ledger as it is. */
export function keptText(maxChars: number): z.ZodString {
  return z
    .string()
    .max(maxChars)
    .refine((text) => textFault(text) === undefined, NOT_STORED);
}

/** A value of any kind, whose texts and names go into the ledger. */
export function isKept(value: unknown): boolean {
  return valueFault(value) === undefined;
}

export const NOT_STORED =
  "holds a NUL (\\u0000), half a character, or a control character in a name, which can't be stored";

/** Why a person did something: it is kept, and shown to others. `missing` is what is said where there is none. */
export function reasonText(missing: string): z.ZodString {
  return z.string().trim().min(1, missing).max(500).refine(isPlainText, CONTROLS_REFUSED);
}

/** The `:id` of an address. `what` it is the id of, and `where` such ids are found. */
export function idParams(what: string, where: string) {
  return z.object({ id: z.uuid({ error: `must be the id of ${what}, as ${where} shows it` }) });
}

/** A value of JSON, of any kind and depth. */
export const jsonValueSchema = z.json();

/** Of a list that is not read page by page: whose things. Undefined: of all brands, and of none. */
export const ofBrandQuery = z.strictObject({ brand: plainText(100).optional() });

/** Yes or no in a query. */
export const flagQuery = z
  .stringbool()
  .default(false)
  .meta({ enum: ["true", "false"] });
