import { z } from "zod";

import { brandNameSchema } from "../ground/brand-name.ts";
import { readBySchema, withoutLiteralSecrets, type DefinitionReading } from "../ground/definition-reading.ts";
import { webhookSchema } from "../ground/webhook-address.ts";
import { EVENT_TYPE_NAMES, type EventTypeName } from "../ground/event-types.ts";

/* Webhooks of the feed: who is sent what happened, in order, each request signed. */

export const eventWebhookNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    "may hold lower-case letters, digits, dots, dashes and underscores, 63 at most",
  );

/** A webhook as a person writes it. Unknown fields are refused by name. */
export const eventWebhookSchema = z.strictObject({
  name: eventWebhookNameSchema,
  to: z.strictObject({ webhook: webhookSchema }),
  /** Absent: all of them. */
  types: z.array(z.enum(EVENT_TYPE_NAMES)).min(1).max(EVENT_TYPE_NAMES.length).optional(),
  /** Absent: every brand's, and what is of none. */
  brands: z.array(brandNameSchema).min(1).max(100).optional(),
});

export type EventWebhookDefinition = z.output<typeof eventWebhookSchema>;

const CALLED = { whole: "the webhook", kind: "a webhook of events" };

/** Reads a webhook from parsed JSON, and reports every problem at once. */
export function readEventWebhook(value: unknown): DefinitionReading<EventWebhookDefinition> {
  return withoutLiteralSecrets(value, readBySchema(eventWebhookSchema, value, CALLED));
}

/** One that is kept. */
export function readStoredEventWebhook(value: unknown): DefinitionReading<EventWebhookDefinition> {
  return readBySchema(eventWebhookSchema, value, CALLED);
}

/** Whether a webhook is sent an event. */
export function isSent(
  { types, brands }: Pick<EventWebhookDefinition, "types" | "brands">,
  event: { type: EventTypeName; brand: string | undefined },
): boolean {
  if (types && !types.includes(event.type)) return false;
  return brands === undefined || (event.brand !== undefined && brands.includes(event.brand));
}

/** Waits between tries, by how many failed in a row; the last one holds for as long as it goes on. */
const BACKOFF_MS = [5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000] as const;

const LONGEST_WAIT_MS = 3_600_000;

/** As long as a weekend and the days about it; the feed keeps what was not taken six times as long. */
export const DISABLED_AFTER_MS = 5 * 24 * 3_600_000;

/** Failures in a row from which on people are told: one lost connection is none. */
export const TOLD_FROM_FAILURES = 3;

/** How long to wait behind so many failures in a row. A receiver may ask for more patience, within an hour. */
export function waitAfterFailures(failures: number, atLeastMs = 0): number {
  const own = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? LONGEST_WAIT_MS;
  return Math.max(own, Math.min(atLeastMs, LONGEST_WAIT_MS));
}
