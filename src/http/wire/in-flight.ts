import { z } from "zod";

const count = z.int().min(0);

/** What goes on after a stop, as it was seen when it was given. */
export const inFlightSchema = z.object({
  /** Batches that may have been dialing. */
  batches: count,
  /** Calls that are up; they end by themselves. */
  calls_up: count,
  /** Attempts of which it could not be seen that they are not being dialed. */
  uncertain: count,
});
