import { z } from "zod";

import {
  BESIDE_OTHERS,
  readBySchema,
  withoutLiteralSecrets,
  type DefinitionReading,
} from "../ground/definition-reading.ts";
import { CONTROLS_REFUSED, isPlainText } from "../ground/plain-text.ts";
import { expressionSchema } from "../expressions/expressions.ts";
import { triggerAuthSchema } from "./trigger-auth.ts";

/*
 * A trigger: a door through which another system tells of something, and what becomes of that. Its expressions
 * see `payload` (what was sent), `item` (the element that is being worked off, or the payload again), `headers`
 * (lower-case names, without what proves who sent it) and `now` (when it came).
 */

/** Names that begin so are the engine's own: an inbound call tells sequences of itself under one. */
const RESERVED_EVENT_PREFIX = "outdial.";

/** The event of somebody who calls back, in the inbox of their enrolments. */
export const INBOUND_CALL_EVENT = `${RESERVED_EVENT_PREFIX}inbound_call`;

const EVENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,99}$/;

export function isEventName(text: string): boolean {
  return EVENT_NAME.test(text) && !text.startsWith(RESERVED_EVENT_PREFIX);
}

const condition = expressionSchema("trigger", "bool");
const text = expressionSchema("trigger", "text");
const data = expressionSchema("trigger", "any");

const sequenceName = z.string().min(1).max(100);

const brandName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, "may hold lower-case letters, digits, dots, dashes and underscores");

const region = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code such as US");

/** Who it is about. */
const person = {
  brand: brandName.default("default"),
  phone: text,
  /** The country of numbers without `+`. */
  default_region: region.optional(),
};

const fields = (value: z.ZodString) =>
  z
    .record(z.string().min(1).max(100).refine(isPlainText, CONTROLS_REFUSED), value)
    .refine((all) => Object.keys(all).length <= 100, "may have 100 fields at most");

const enrollSchema = z.strictObject({
  ...person,
  sequence: sequenceName,
  time_zone: text.optional(),
  /** Where the person lives, from which their zones are found. */
  country: text.optional(),
  state: text.optional(),
  postal_code: text.optional(),
  /** What was said of consent to be called, each as a list has it. */
  consent_basis: text.optional(),
  consent_at: text.optional(),
  consent_proof: text.optional(),
  consent_expires_at: text.optional(),
  variables: fields(text).default({}),
  /** Tells several enrolments of one person apart, where the sequence allows them. */
  key: text.optional(),
});

const eventSchema = z
  .strictObject({
    ...person,
    name: z
      .string()
      .refine(isEventName, {
        message: `must be 1 to 100 letters, digits, \`_\`, \`.\`, \`:\` or \`-\`, and not begin with ${RESERVED_EVENT_PREFIX}`,
      })
      .optional(),
    /** Where the payload says what happened. */
    name_from: text.optional(),
    /** Absent: every sequence of the brand that the person is in. */
    sequence: sequenceName.optional(),
    data: fields(data).default({}),
  })
  .refine(({ name, name_from }) => (name === undefined) !== (name_from === undefined), {
    message: "must have either name or name_from",
    ...BESIDE_OTHERS,
  });

const exitSchema = z.strictObject({
  ...person,
  sequence: sequenceName,
  outcome: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, "may hold lower-case letters, digits, dashes and underscores")
    .default("exited"),
});

const idempotencySchema = z
  .strictObject({
    /** A header of the request whose value is the same whenever the same thing is sent again. */
    header: z
      .string()
      .max(100)
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of a header such as webhook-id")
      .transform((name) => name.toLowerCase())
      .optional(),
    /** A part of the payload; with `each`, of every item. */
    field: text.optional(),
  })
  .refine(({ header, field }) => (header === undefined) !== (field === undefined), {
    message: "must have either header or field",
  });

export const triggerSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,62}$/,
        "may hold lower-case letters, digits, dashes and underscores, 63 at most",
      ),
    auth: triggerAuthSchema,
    /** Absent: the header webhook-id, else Idempotency-Key, else the body itself. */
    idempotency: idempotencySchema.optional(),
    /** The list that a payload holds, each element an item of its own. */
    each: data.optional(),
    /** Which payloads, or items, count; by default all. */
    when: condition.optional(),
    enroll: enrollSchema.optional(),
    event: eventSchema.optional(),
    exit: exitSchema.optional(),
  })
  .refine(({ enroll, event, exit }) => (enroll ?? event ?? exit) !== undefined, {
    message: "does nothing yet: give it enroll, event or exit",
    path: ["enroll"],
    ...BESIDE_OTHERS,
  });

/** A trigger as it is kept: defaults filled in. Reading it again changes nothing. */
export type TriggerDefinition = z.output<typeof triggerSchema>;

/** For whom it acts: it belongs to all of them. */
export function brandsOfTrigger({ enroll, event, exit }: TriggerDefinition): string[] {
  return [...new Set([enroll, event, exit].flatMap((act) => act?.brand ?? []))].sort();
}

/** Into which sequence its deliveries enroll; undefined: into none. */
export function sequenceOfTrigger({
  enroll,
}: TriggerDefinition): { brand: string; name: string } | undefined {
  return enroll && { brand: enroll.brand, name: enroll.sequence };
}

export type TriggerReading = DefinitionReading<TriggerDefinition>;

/** Reads a trigger from the parsed YAML or JSON, expressions included, and reports every problem at once. */
export function readTriggerDefinition(value: unknown): TriggerReading {
  const called = { whole: "the trigger", kind: "a trigger" };
  return withoutLiteralSecrets(value, readBySchema(triggerSchema, value, called));
}

/** What is taken as it is, and may not be what its author means. */
export function triggerCautions({ auth, idempotency }: TriggerDefinition): string[] {
  // Its senders name each message in a header that is signed.
  if (idempotency !== undefined || auth.scheme === "standard_webhooks") return [];
  return [
    "it has no idempotency: where its sender sends no header webhook-id or Idempotency-Key, a second event with the same body as one before does nothing for 90 days. Name what is different for each event, such as idempotency: { field: payload.id }",
  ];
}
