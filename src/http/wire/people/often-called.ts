import { z } from "zod";

const instant = z.iso.datetime();
const count = z.int().min(0);

export const oftenCalledSchema = z.object({
  since: instant.describe("From then on calls were counted."),
  /** Those with most calls first. */
  items: z.array(
    z.object({
      phone: z.string(),
      calls: count,
      campaigns: count.describe("So many campaigns and steps of sequences called."),
      last_at: instant.describe("When the last of the calls began."),
    }),
  ),
  total: count.describe("All who were called so often; `items` are the first of them."),
  looked_through: count.describe("Calls that were looked at."),
  back_to: instant
    .nullable()
    .describe(
      "Where there are more calls than are looked at: only those since then were. Null: all since `since` were.",
    ),
});
