import { z } from "zod";

import { ATTENTION_KINDS, type AttentionKind } from "../ground/attention.ts";
import { brandNameSchema } from "../ground/brand-name.ts";
import { readBySchema, withoutLiteralSecrets, type DefinitionReading } from "../ground/definition-reading.ts";
import { secretAddressSchema, webhookSchema } from "../ground/webhook-address.ts";
import { exactDuration, msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { quietHoursSchema } from "./quiet-hours.ts";

/* Routes: who is told of what waits for people, by which way, and how often. */

export const routeNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    "may hold lower-case letters, digits, dots, dashes and underscores, 63 at most",
  );

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What goes on is told again after this at most, however long it has been gathered. */
export const LONGEST_GATHER_MS = 24 * HOUR_MS;

/** One duration is kept in one way, so that the same one is no change. */
const kept = (text: string) => exactDuration(msOfDuration(text));

const slackFields = z.strictObject({
  /** Whoever knows the address may write there: it is always a secret, by its name. */
  url: secretAddressSchema,
});

/** A mailing list has one address. */
const MOST_RECIPIENTS = 20;

const address = z.email({ error: "must be an address such as on-call@example.com, in ASCII" }).max(254);

const emailFields = z.strictObject({
  to: z
    .array(address)
    .min(1)
    .max(MOST_RECIPIENTS)
    .refine((all) => new Set(all).size === all.length, "names an address twice"),
  /** Absent: OUTDIAL_SMTP_FROM. */
  from: address.optional(),
});

const toSchema = z
  .strictObject({
    webhook: webhookSchema.optional(),
    slack: slackFields.optional(),
    email: emailFields.optional(),
  })
  .check((context) => {
    if (Object.values(context.value).filter((way) => way !== undefined).length !== 1)
      context.issues.push({
        code: "custom",
        input: context.value,
        message: "must be one of webhook, slack and email: several of them are several routes",
      });
  });

const kindsSchema = z.array(z.enum(ATTENTION_KINDS)).min(1).max(ATTENTION_KINDS.length);

/** A route as a person writes it. Unknown fields are refused by name. */
export const routeSchema = z
  .strictObject({
    name: routeNameSchema,
    to: toSchema,
    /** Absent: all of them. */
    kinds: kindsSchema.optional(),
    /** All but these. */
    except_kinds: kindsSchema.optional(),
    /** Absent: every brand's. */
    brands: z.array(brandNameSchema).min(1).max(100).optional(),
    /** What goes on, or comes again, is told again after this; then after twice as long, a day at most. */
    gather: durationBetween(MINUTE_MS, LONGEST_GATHER_MS, "must be a duration from 1m to 24h such as 15m")
      .transform(kept)
      .default("15m"),
    /** Nobody has acknowledged it: told again. */
    remind: z
      .strictObject({
        every: durationBetween(
          5 * MINUTE_MS,
          7 * 24 * HOUR_MS,
          "must be a duration from 5m to 7d such as 4h",
        ).transform(kept),
        times: z.int().min(1).max(100).default(3),
      })
      .optional(),
    quiet_hours: quietHoursSchema.optional(),
  })
  .check((context) => {
    const { kinds, except_kinds: except } = context.value;
    if (kinds !== undefined && except !== undefined)
      context.issues.push({
        code: "custom",
        input: except,
        path: ["except_kinds"],
        message: "goes without kinds: name those that are told, or those that are not",
      });
  });

/** A route as it is kept: defaults filled in. */
export type RouteDefinition = z.output<typeof routeSchema>;

export type RouteWay = "webhook" | "slack" | "email";

const CALLED = { whole: "the attention route", kind: "an attention route" };

/** Reads a route from parsed YAML or JSON, and reports every problem at once. */
export function readRoute(value: unknown): DefinitionReading<RouteDefinition> {
  return withoutLiteralSecrets(value, readBySchema(routeSchema, value, CALLED));
}

/** One that is kept. */
export function readStoredRoute(value: unknown): DefinitionReading<RouteDefinition> {
  return readBySchema(routeSchema, value, CALLED);
}

export function wayOf({ to }: Pick<RouteDefinition, "to">): RouteWay {
  if (to.webhook) return "webhook";
  return to.slack ? "slack" : "email";
}

/** Whether a route tells of it. What a route itself can't deliver is for the others. */
export function concerns(
  route: RouteDefinition,
  entry: { kind: AttentionKind; subject: string; brand: string },
): boolean {
  const { name, kinds, except_kinds: except, brands } = route;
  if (entry.kind === "notices_failing" && entry.subject === name) return false;
  if (kinds && !kinds.includes(entry.kind)) return false;
  if (except?.includes(entry.kind)) return false;
  return brands === undefined || brands.includes(entry.brand);
}

/** Whether it is told in quiet hours, too. */
export function breaksQuiet({ quiet_hours: quiet }: RouteDefinition, kind: string): boolean {
  return quiet === undefined || quiet.except?.some((one) => one === kind) === true;
}
