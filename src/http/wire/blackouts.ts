import { z } from "zod";

import { inFlightSchema } from "./in-flight.ts";

export const blackoutSchema = z.object({
  id: z.int(),
  /** Null: for every brand. */
  brand: z.string().nullable(),
  /** Local dates, the last one included, wherever a contact is. */
  from: z.iso.date(),
  to: z.iso.date(),
  name: z.string(),
  created_at: z.iso.datetime(),
});

export const blackoutListSchema = z.object({
  /** Those that are not over, by their days. */
  items: z.array(blackoutSchema),
});

export const blackoutAddedSchema = z.object({
  blackout: blackoutSchema,
  /** False: one of these days and this brand was there already. */
  is_new: z.boolean(),
  /** Batches that were dialing against it, and take no new dial now. */
  stopped_batches: z.int().min(0),
  /** What those batches still have in flight. */
  in_flight: inFlightSchema,
  /** Campaigns whose batches could not be asked yet, most of them because something holds them. It is tried on. */
  waiting: z.array(z.object({ campaign_id: z.uuid(), name: z.string() })),
});

export const blackoutRemovedSchema = z.object({ removed: blackoutSchema });

export type BlackoutWire = z.output<typeof blackoutSchema>;
