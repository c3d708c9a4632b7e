import { z } from "zod";

const count = z.int().min(0);

export const callerIdsSchema = z.object({
  name: z.string(),
  /** In the order of the spec. */
  items: z.array(
    z.object({
      number: z.string(),
      /** Calls from it that began within the last hour and the last day, or are to begin, whichever campaign's. */
      last_hour: count,
      last_day: count,
      /** Of its newest calls since it rested last; campaigns without `caller_ids` are not in it. */
      newest: count,
      answered: count,
      /** Nobody is called from it before, by campaigns that say `caller_ids`. */
      rests_until: z.iso.datetime().nullable(),
      first_used_at: z.iso.datetime().nullable(),
      /** Calls that the campaign's spec lets it begin now; null: it bounds them by nothing. */
      left: count.nullable(),
    }),
  ),
});

export type CallerIdsWire = z.output<typeof callerIdsSchema>;
