import { z } from "zod";

export const auditedSchema = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** Who: `cli`, `api`, `engine`, or the name of `x-outdial-actor`. */
  actor: z.string(),
  /** What, such as `campaign.pause`. */
  action: z.string(),
  /** Null: it is about no campaign. */
  campaign: z.object({ id: z.string(), name: z.string(), run: z.int(), brand: z.string() }).nullable(),
  /** What else was written down: reasons, what was and what is. Its fields are of the action. */
  detail: z.record(z.string(), z.unknown()),
});

export const auditPageSchema = z.object({
  /** The newest first. */
  items: z.array(auditedSchema),
  /** Give it as `before_id` for the next page, which is older; null on the last. */
  next_before_id: z.int().nullable(),
});

export type AuditedWire = z.output<typeof auditedSchema>;
