import { z } from "zod";
import { pageOf } from "./page.ts";

/*
 * Triggers and what came through them, as the API shows them.
 */

const instant = z.iso.datetime();
const count = z.int().min(0);

export const triggerViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int(),
  enabled: z.boolean(),
  /** Where other systems send to, under this system's address. */
  path: z.string(),
  definition: z.record(z.string(), z.unknown()),
  created_at: instant,
  updated_at: instant,
});

export const triggerSchemaOut = triggerViewSchema.extend({
  /** Deliveries that wait for a person. */
  failed_deliveries: count,
  /**
   * Why it takes nothing as it is (a secret that is not set, a definition that this version can't read), or may take a
   * second event for the first one again.
   */
  warnings: z.array(z.string()),
});

export const triggerPutSchema = triggerViewSchema.extend({
  change: z.enum(["created", "changed", "none"]),
  /** What is taken as it is, and does not work yet (a secret that is not set), or may not be what is meant. */
  warnings: z.array(z.string()),
});

export const triggerListSchema = z.object({ items: z.array(triggerViewSchema) });

export const deliverySummarySchema = z.object({
  id: z.string(),
  trigger: z.string(),
  state: z.enum(["received", "done", "ignored", "failed"]),
  /** How often it came. */
  times: count,
  received_at: instant,
  ended_at: instant.nullable(),
  /** Events of it that nobody heard: whom they are about is in no sequence, or in none that asks for them. */
  unheard: count,
  /** What became of each of its items. */
  result: z.record(z.string(), z.unknown()).nullable(),
});

export const deliverySchemaOut = deliverySummarySchema.extend({
  key: z.string(),
  digest: z.string(),
  /** Null: forgotten, some time after it was worked off. */
  body: z
    .object({ type: z.enum(["json", "form"]), headers: z.record(z.string(), z.string()), text: z.string() })
    .nullable(),
});

export const deliveryPageSchema = pageOf(deliverySummarySchema).extend({ total: count });

export const deliveryAcceptedSchema = z.object({
  delivery_id: z.string(),
  /** It came before under the same key, and nothing more is done. */
  duplicate: z.literal(true).optional(),
  /** It came before with another body; the first one counts. */
  differs: z.literal(true).optional(),
});

/** Whoever sends learns no more than that. */
export const hintAcceptedSchema = z.object({ accepted: z.literal(true) });

export const retriedSchema = z.object({ retried: count });

export const retriedPageSchema = z.object({
  retried: count,
  next_after: z
    .string()
    .nullable()
    .describe("Where others may stand behind these: `after` of the request that goes on; else null."),
});

export type TriggerWire = z.output<typeof triggerViewSchema>;
export type DeliveryWire = z.output<typeof deliverySchemaOut>;
export type DeliverySummaryWire = z.output<typeof deliverySummarySchema>;
