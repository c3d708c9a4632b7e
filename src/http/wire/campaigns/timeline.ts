import { z } from "zod";

const instant = z.iso.datetime();
const count = z.int().min(0);

export const timelineSchema = z.object({
  from: instant,
  until: instant,
  bucket_seconds: z.int().min(1),
  /** Lines that the campaign may have. */
  concurrency: count,
  buckets: z.array(
    z.object({
      from: instant,
      dials: count.describe("Calls that began in it."),
      answered: count.describe("Of these, so many were answered; calls that are up are not yet."),
      up: count.describe("Calls that were up at its end."),
    }),
  ),
});

export const zoneHoldsSchema = z.object({
  at: instant,
  items: z.array(
    z.object({
      zones: z.array(z.string()).describe("Empty: the whole campaign."),
      places: z.array(z.string()),
      reason: z.string(),
      detail: z.string(),
      since: instant,
      until: instant.nullable().describe("When it ends by itself, as far as that is known."),
      local: z
        .array(z.object({ at: z.iso.datetime({ offset: true }), zones: z.array(z.string()) }))
        .describe("What the clocks in its zones show now."),
    }),
  ),
  /** There are more. */
  more: z.boolean(),
});
