import { z } from "zod";
import { inFlightSchema } from "./in-flight.ts";

const instant = z.iso.datetime();
const count = z.int().min(0);

const suppressionSchema = z.object({
  id: z.int(),
  phone: z.string(),
  /** Null: for every brand. */
  brand: z.string().nullable(),
  source: z.string(),
  reason: z.string(),
  created_at: instant,
  expires_at: instant.nullable(),
});

export const suppressionPageSchema = z.object({
  items: z.array(suppressionSchema),
  total: count,
  /** Give it as `after_id` for the next page; null on the last. */
  next_after_id: z.int().nullable(),
});

export const suppressionAddedSchema = z.object({
  /** Numbers that were not suppressed before. */
  added: count,
  already: count,
  /** Batches that were dialing one of the numbers, and take no new dial now. */
  stopped_batches: count,
  /** What those batches still have in flight. */
  in_flight: inFlightSchema,
});

const rejectedRowSchema = z.object({
  line: z.int(),
  code: z.string(),
  reason: z.string(),
  raw: z.string(),
});

export const suppressionImportSchema = suppressionAddedSchema.extend({
  rows: z.object({ read: count, rejected: count, partly_read: count }),
  /** Rows that suppressed nobody, the first 10,000 of them. */
  rejected: z.array(rejectedRowSchema),
  /** Rows that suppressed somebody, and hold another number that can't be read, the first 10,000 of them. */
  partly_read: z.array(rejectedRowSchema),
});

export const suppressionRemovedSchema = z.object({ phone: z.string(), removed: z.literal(true) });

export type SuppressionWire = z.output<typeof suppressionSchema>;
export type SuppressionImportWire = z.output<typeof suppressionImportSchema>;
