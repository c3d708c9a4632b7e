import { z } from "zod";

import { brandNameSchema } from "../ground/brand-name.ts";
import { readBySchema, withoutLiteralSecrets, type DefinitionReading } from "../ground/definition-reading.ts";
import { secretNameSchema } from "../ground/secrets.ts";
import { exactDuration, msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";
import { WHEN_AWAY, type WhenAway } from "./scrubbing.ts";
import { sourceNameSchema } from "./source-name.ts";
import { SOURCE_TYPES, type SourceType } from "./suppression-source.ts";

/* What a source of suppressions is declared with, by whichever door. */

const SHORTEST_AGE_MS = 60_000;
const LONGEST_AGE_MS = 5 * 366 * 86_400_000;

const SHORTEST_CACHE_MS = 3_600_000;
const LONGEST_CACHE_MS = 366 * 86_400_000;
const DEFAULT_CACHE = "30d";

/** One duration is kept in one way, so that the same one is no change. */
const kept = (text: string) => exactDuration(msOfDuration(text));

const scrubFields = z.strictObject({
  /** Where it is asked. */
  url: z
    .url({ protocol: /^https?$/, error: "must be an address that begins with https://" })
    .max(2_000)
    .refine(
      (url) => !/^https?:\/\/[^/?#]*@/i.test(url),
      "must hold no user and password: requests are signed",
    ),
  /** The name of the secret that signs requests. */
  secret: secretNameSchema,
  /** How long an answer holds. */
  cache_for: durationBetween(
    SHORTEST_CACHE_MS,
    LONGEST_CACHE_MS,
    "must be a duration from 1h to 366d such as 24h or 30d",
  )
    .transform(kept)
    .default(DEFAULT_CACHE),
  /** What holds for numbers without an answer while it is away. */
  when_away: z.enum(Object.keys(WHEN_AWAY) as [WhenAway, ...WhenAway[]]).default("wait"),
});

/** Everything but its name. */
export const sourceFields = {
  type: z.enum(Object.keys(SOURCE_TYPES) as [SourceType, ...SourceType[]]),
  /** Absent: for every brand. */
  brand: brandNameSchema.optional(),
  /** How old its list may be to be dialed by; absent: as old as it is. */
  max_age: durationBetween(
    SHORTEST_AGE_MS,
    LONGEST_AGE_MS,
    "must be a duration from 1m to 1830d such as 24h or 31d",
  )
    .transform(kept)
    .optional(),
  /** A service that is asked about numbers before they are dialed; absent: it has a list. */
  scrub: scrubFields.optional(),
};

/** What its fields say to each other. */
export function checkSource(context: z.core.ParsePayload<SourceFields>): void {
  const { type, scrub, max_age: maxAge } = context.value;
  if (scrub === undefined) return;
  const say = (field: string, input: unknown, message: string) =>
    void context.issues.push({ code: "custom", input, path: [field], message });
  if (type !== "scrub") say("type", type, "must be scrub, since the source is asked about numbers");
  if (maxAge !== undefined)
    say("max_age", maxAge, "is for lists: how old an answer may be is said by scrub.cache_for");
}

type SourceFields = z.output<z.ZodObject<typeof sourceFields>>;

/** A source as a person writes it. Unknown fields are refused by name. */
export const sourceDefinitionSchema = z
  .strictObject({ name: sourceNameSchema, ...sourceFields })
  .check(checkSource);

/** A source as it is compared and shown: its durations written in one way. Reading it again changes nothing. */
export type SourceDefinition = z.output<typeof sourceDefinitionSchema>;

/** Reads a source from parsed YAML or JSON, and reports every problem at once. */
export function readSourceDefinition(value: unknown): DefinitionReading<SourceDefinition> {
  const called = { whole: "the suppression source", kind: "a suppression source" };
  return withoutLiteralSecrets(value, readBySchema(sourceDefinitionSchema, value, called));
}
