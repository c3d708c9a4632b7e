import { z } from "zod";

import { durationBetween } from "../time/duration-schema.ts";
import { secretNameSchema } from "../ground/secrets.ts";

/** Longer than this, a recorded request could be replayed by whoever found it in a log. */
const LONGEST_TOLERANCE_MS = 86_400_000;

/** How far a request's own time may be from ours: senders and Standard Webhooks themselves say five minutes. */
const toleranceSchema = durationBetween(
  1_000,
  LONGEST_TOLERANCE_MS,
  "must be a duration from 1s to 1d such as 5m",
).default("5m");

const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of a header such as X-Signature");

const once = (text: string, part: string) => text.split(part).length === 2;

const timestampSchema = z.strictObject({
  header: headerNameSchema,
  unit: z.enum(["seconds", "milliseconds"]).default("seconds"),
  /** What is signed. The body stands in it as it was sent, byte by byte. */
  template: z
    .string()
    .max(200)
    .default("{timestamp}.{body}")
    .refine((text) => once(text, "{timestamp}") && once(text, "{body}"), {
      message: "must hold {timestamp} and {body} once each, such as v0:{timestamp}:{body}",
    }),
  tolerance: toleranceSchema,
});

const publicUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be the address as HubSpot was given it, such as https://..." })
  .refine((text) => !/[?#@]/.test(text), {
    message: "must have no query, fragment or credentials: a query is taken from each request",
  });

/**
 * How a trigger makes sure who sends. Secrets stand in it by name only. A body that was signed is compared as
 * it came, byte by byte; during a rotation any of a secret's values fits.
 */
export const triggerAuthSchema = z.discriminatedUnion("scheme", [
  z.strictObject({
    scheme: z.literal("standard_webhooks"),
    secret: secretNameSchema,
    tolerance: toleranceSchema,
  }),
  z.strictObject({
    scheme: z.literal("hubspot_v3"),
    /** The client secret of the HubSpot app. */
    secret: secretNameSchema,
    /** HubSpot signs the address that it called; behind a proxy we can't see that one. */
    public_url: publicUrlSchema,
  }),
  z.strictObject({
    scheme: z.literal("hmac"),
    secret: secretNameSchema,
    header: headerNameSchema,
    algorithm: z.enum(["sha256", "sha1", "sha512"]).default("sha256"),
    encoding: z.enum(["hex", "base64"]).default("hex"),
    /** Before the signature, in its header, such as `sha256=`. */
    prefix: z.string().max(20).default(""),
    /** Absent: the body alone is signed, and a replay is told by its idempotency key only. */
    timestamp: timestampSchema.optional(),
  }),
  z.strictObject({ scheme: z.literal("bearer"), secret: secretNameSchema }),
]);

export type TriggerAuth = z.output<typeof triggerAuthSchema>;
