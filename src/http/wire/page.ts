import { z } from "zod";

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** Give it as `after` for the next page; null on the last. */
    next_after: z.string().nullable(),
  });
}
