import { z } from "zod";

import { LEFT_OUT, type LeftOut } from "../../domain/campaigns/cloned-people.ts";
import { campaignCreatedSchema } from "./campaigns.ts";

const count = z.int().min(0);

const reasons = Object.keys(LEFT_OUT) as LeftOut[];

/** A campaign that was made from another one, and what became of that one's people and dates. */
export const campaignClonedSchema = campaignCreatedSchema.extend({
  cloned_from: z.object({ id: z.string(), name: z.string(), run: z.int() }),
  people: z.object({
    /** In the campaign that was cloned, when it was. */
    looked_at: count,
    taken: count,
    /** Of those taken: they will not be called. */
    excluded: count,
    /** By why they were not taken; reasons of nobody are absent. */
    left_out: z.partialRecord(z.enum(reasons), count),
    /** Of those taken: the campaign that was cloned, which is not over, still has to call them. */
    still_open: count,
  }),
  /** What the clone does not have of the spec, because its date has passed. */
  dropped: z.array(z.string()),
});

export type CampaignClonedWire = z.output<typeof campaignClonedSchema>;
