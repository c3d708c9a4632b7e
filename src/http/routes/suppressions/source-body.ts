import { z } from "zod";

import {
  secretNameSchema,
  UnknownSecretError,
  UnusableSecretError,
  webhookKey,
} from "../../../domain/ground/secrets.ts";
import { WHEN_AWAY, type WhenAway } from "../../../domain/policy/scrubbing.ts";
import { SOURCE_TYPES, type SourceType } from "../../../domain/policy/suppression-source.ts";
import { parseDurationMs } from "../../../domain/time/duration.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { brandName } from "./suppressions.ts";

/* What a source of suppressions is declared with. */

const SHORTEST_AGE_MS = 60_000;
const LONGEST_AGE_MS = 5 * 366 * 86_400_000;

const maxAge = z.string().transform((text, context) => {
  const ageMs = parseDurationMs(text);
  if (ageMs !== undefined && ageMs >= SHORTEST_AGE_MS && ageMs <= LONGEST_AGE_MS) return ageMs;
  context.addIssue({ code: "custom", message: "must be a duration from 1m to 1830d such as 24h or 31d" });
  return z.NEVER;
});

const SHORTEST_CACHE_MS = 3_600_000;
const LONGEST_CACHE_MS = 366 * 86_400_000;
const DEFAULT_CACHE = "30d";

const cacheFor = z
  .string()
  .default(DEFAULT_CACHE)
  .transform((text, context) => {
    const cacheMs = parseDurationMs(text);
    if (cacheMs !== undefined && cacheMs >= SHORTEST_CACHE_MS && cacheMs <= LONGEST_CACHE_MS) return cacheMs;
    context.addIssue({ code: "custom", message: "must be a duration from 1h to 366d such as 24h or 30d" });
    return z.NEVER;
  });

const scrubBody = z.strictObject({
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
  cache_for: cacheFor,
  /** What holds for numbers without an answer while it is away. */
  when_away: z.enum(Object.keys(WHEN_AWAY) as [WhenAway, ...WhenAway[]]).default("wait"),
});

export const sourceBody = z
  .strictObject({
    type: z.enum(Object.keys(SOURCE_TYPES) as [SourceType, ...SourceType[]]),
    /** Absent: for every brand. */
    brand: brandName.optional(),
    /** How old its list may be to be dialed by; absent: as old as it is. */
    max_age: maxAge.optional(),
    /** A service that is asked about numbers before they are dialed; absent: it has a list. */
    scrub: scrubBody.optional(),
  })
  .refine(({ scrub, type }) => scrub === undefined || type === "scrub", {
    message: "must be scrub, since the source is asked about numbers",
    path: ["type"],
  })
  .refine(({ scrub, max_age: ageMs }) => scrub === undefined || ageMs === undefined, {
    message: "is for lists: how old an answer may be is said by scrub.cache_for",
    path: ["max_age"],
  });

/** @throws Problem 422 where its address would not be sent to, or its secret is not there. */
export async function refuseUnaskable(
  deps: Pick<HttpDeps, "refusalOf" | "secrets">,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const refuse = (field: string, detail: string) =>
    new Problem({
      status: 422,
      code: "invalid_request",
      detail: `${field}: ${detail}`,
      errors: [{ field, message: detail }],
    });
  const why = await deps.refusalOf(url);
  if (why !== undefined) throw refuse("scrub.url", why);
  try {
    for (const value of deps.secrets.read(secret)) webhookKey(secret, value);
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      throw refuse("scrub.secret", error.message);
    throw error;
  }
}
