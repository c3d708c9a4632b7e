import { z } from "zod";

const callOfPersonSchema = z.object({
  call_id: z.string(),
  direction: z.enum(["outbound", "inbound"]),
  /** As the platform says it, with transcript and analysis, and without what would let somebody into a call; null: it has none. */
  record: z.record(z.string(), z.unknown()).nullable(),
  /** It names a recording, which may be fetched. */
  has_recording: z.boolean(),
});

/** Calls to and from a person, with what the platform holds of each. */
export const personCallPageSchema = z.object({
  phone: z.string(),
  items: z.array(callOfPersonSchema),
  /** Give it as `after` for the next page; null on the last. */
  next_after: z.string().nullable(),
});

export type PersonCallPageWire = z.output<typeof personCallPageSchema>;
