import { z } from "zod";

export const eventSchema = z.object({
  /** Its place in the feed: what comes behind it is asked for by this. */
  id: z.string(),
  /** One of docs/events.md; more may come. */
  type: z.string(),
  at: z.iso.datetime(),
  /** Null: of none, or of every brand. */
  brand: z.string().nullable(),
  campaign_id: z.uuid().nullable(),
  /** Of callbacks: the campaign that they are of. */
  callbacks_of: z.uuid().nullable(),
  campaign: z.string().nullable(),
  /** By its type. */
  data: z.record(z.string(), z.unknown()),
});

export type EventWire = z.infer<typeof eventSchema>;

export const eventPageSchema = z.object({
  items: z.array(eventSchema),
  /** Where this page ended, always: give it as `after`, at once or later. */
  next_after: z.string(),
  /** There is more behind it already. A page may be empty, and there be more. */
  more: z.boolean(),
});

export type EventPageWire = z.infer<typeof eventPageSchema>;

/** How often the stream says that it is there. Whoever hears nothing for three times as long takes it for cut. */
export const BEAT_EVERY_MS = 15_000;

/**
 * What the stream says of itself, beside what happened: from where on it tells everything; that it is there, and how far it
 * is; why it ends. Types of events have a dot, and these words have none.
 */
export const STREAM_WORDS = ["listening", "still_here", "cut_off", "unauthorized"] as const;

export type StreamWord = (typeof STREAM_WORDS)[number];
