import { z } from "zod";

/*
 * Words that follow-ups gave to people, as the API shows them.
 */

export const tagSchema = z.object({
  phone: z.string(),
  tag: z.string(),
  /** Who gave it: `follow-up` and the rule. */
  source: z.string(),
  at: z.iso.datetime(),
});

export const tagPageSchema = z.object({
  items: z.array(tagSchema),
  total: z.int().min(0),
  /** Null: these are the last ones. */
  next_after: z.string().nullable(),
});

export const tagRemovedSchema = z.object({ phone: z.string(), tag: z.string(), removed: z.literal(true) });

export type TagWire = z.output<typeof tagSchema>;
