import { z } from "zod";

/*
 * Webhooks of the feed, as the API shows them.
 */

const instant = z.iso.datetime();

export const eventWebhookViewSchema = z.object({
  name: z.string(),
  /** As it was declared. */
  definition: z.record(z.string(), z.unknown()),
  state: z.enum(["active", "failing", "disabled"]),
  /** When its receiver took events last. */
  delivered_at: instant.nullable(),
  /** Failures in a row, since when, why the last try failed, and when the next one is made. */
  failures: z.int(),
  failing_since: instant.nullable(),
  trouble: z.string().nullable(),
  next_at: instant.nullable(),
  disabled_at: instant.nullable(),
  /** Behind what it has taken: what is still to be sent is GET /v1/events with this as `after`. */
  after: z.string(),
  created_at: instant,
  changed_at: instant,
});

export const eventWebhookListSchema = z.object({ items: z.array(eventWebhookViewSchema) });

export const eventWebhookShownSchema = z.object({
  webhook: eventWebhookViewSchema,
  /** What it needs and is not there, each with its field. */
  warnings: z.array(z.string()),
});

export const eventWebhookPutSchema = eventWebhookShownSchema.extend({
  change: z.enum(["created", "changed", "none"]),
});

export const eventWebhookEnabledSchema = z.object({
  webhook: eventWebhookViewSchema,
  was_disabled: z.boolean(),
  /** Whether some of what it was still to be sent was forgotten meanwhile. */
  passed_over: z.boolean(),
});

export const eventWebhookRemovedSchema = z.object({ removed: eventWebhookViewSchema });

export const eventWebhookTestedSchema = z.object({
  delivered: z.boolean(),
  /** What its receiver said, or why nothing arrived. */
  said: z.string(),
});

export type EventWebhookWire = z.output<typeof eventWebhookViewSchema>;
