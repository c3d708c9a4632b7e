import { z } from "zod";

import { inFlightSchema } from "./in-flight.ts";

const count = z.int().min(0);

/** What became of a withdrawal; each number is in one of the first five. */
export const withdrawalSchema = z.object({
  /** They waited, and are excluded. */
  excluded: count,
  /** Their call may be up: it ends by itself, and no other follows. */
  ringing: count,
  /** They were withdrawn before. */
  already: count,
  /** They were through before. */
  over: count,
  /** Numbers that are not in the campaign: nothing is kept of them. */
  unknown: z.array(z.string()),
  /** Of `all_open`: not all of them fit into one request, give it again. */
  more: z.boolean(),
  stopped_batches: count,
  in_flight: inFlightSchema,
});

export type WithdrawalWire = z.output<typeof withdrawalSchema>;
