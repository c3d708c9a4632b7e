import { z } from "zod";

import { CONSENT_BASES, type ConsentBasis } from "../../domain/policy/consent.ts";
import { inFlightSchema } from "./in-flight.ts";

const instant = z.iso.datetime();
const count = z.int().min(0);

export const basisSchema = z.enum(Object.keys(CONSENT_BASES) as [ConsentBasis, ...ConsentBasis[]]);

export const consentSchema = z.object({
  id: z.int(),
  phone: z.string(),
  brand: z.string(),
  /** Null: all consent until then was withdrawn. */
  basis: basisSchema.nullable(),
  /** When it was given, or withdrawn. */
  at: instant,
  /** Where it can be seen; of a withdrawal, why. */
  proof: z.string().nullable(),
  expires_at: instant.nullable(),
  /** Through which door it came. */
  source: z.string(),
  recorded_at: instant,
});

export const consentListSchema = z.object({
  /** The newest first, 50 at most. */
  items: z.array(consentSchema),
});

export const consentAddedSchema = z.object({
  added: count,
  /** Those that were known before. */
  already: count,
});

export const consentWithdrawnSchema = z.object({
  phone: z.string(),
  brand: z.string(),
  /** Batches that were dialing the number, and take no new dial now. */
  stopped_batches: count,
  in_flight: inFlightSchema,
});

export type ConsentWire = z.output<typeof consentSchema>;
