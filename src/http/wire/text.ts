import { z } from "zod";

/** Text that goes into the ledger as it is: PostgreSQL refuses a NUL, and other control characters are of no use. */
export function plainText(maxChars: number): z.ZodString {
  return z.string().min(1).max(maxChars).regex(NO_CONTROLS, CONTROLS_REFUSED);
}

/** Why a person did something: it is kept, and shown to others. `missing` is what is said where there is none. */
export function reasonText(missing: string): z.ZodString {
  return z.string().trim().min(1, missing).max(500).regex(NO_CONTROLS, CONTROLS_REFUSED);
}

const NO_CONTROLS = /^\P{Cc}*$/u;
const CONTROLS_REFUSED = "must not hold control characters: write it in one line";

/** The `:id` of an address. `what` it is the id of, and `where` such ids are found. */
export function idParams(what: string, where: string) {
  return z.object({ id: z.uuid({ error: `must be the id of ${what}, as ${where} shows it` }) });
}
