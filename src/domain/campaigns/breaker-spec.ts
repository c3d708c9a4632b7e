import { z } from "zod";

import { BREAKER_CAUSES, MAX_NEWEST_CALLS, type BreakerCause, type BreakerPolicy } from "./breaker.ts";
import { msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";

/** More calls than this are no first few. */
const MAX_CANARY = 1_000;

/** Fewer calls than this are chance. */
const LEAST_CALLS = 5;

/** Longer conversations than this are none that somebody hung up at once. */
const MAX_SHORT_MS = 10 * 60_000;

const MIN_PROBE_MS = 60_000;
const MAX_PROBE_MS = 7 * 86_400_000;
const MAX_PROBE_CALLS = 100;
const MAX_PROBE_TRIES = 20;

const DEFAULT_NEWEST = 50;
const DEFAULT_LEAST = 20;
const DEFAULT_PROBE_CALLS = 5;
const DEFAULT_PROBE_TRIES = 3;

const shareSchema = z
  .number()
  .gt(0, "must be a share above 0, such as 0.3 for 30 % of the calls")
  .max(1, "must be a share of 1 at most, such as 0.3 for 30 % of the calls");

/** The first so many calls, after which a person says whether it goes on. */
export const canarySchema = z
  .int("must be a number of calls, such as 20")
  .min(1, "must be 1 or more: it is how many calls are made before somebody looks")
  .max(MAX_CANARY);

/** A breaker as a person writes it. Which share of the newest calls opens it, by what they came to. */
export const breakerSchema = z
  .strictObject({
    newest: z.int().min(LEAST_CALLS).max(MAX_NEWEST_CALLS).default(DEFAULT_NEWEST),
    at_least: z.int().min(LEAST_CALLS).max(MAX_NEWEST_CALLS).default(DEFAULT_LEAST),
    failed: shareSchema.optional(),
    invalid_number: shareSchema.optional(),
    voicemail: shareSchema.optional(),
    opted_out: shareSchema.optional(),
    /** Conversations that were over at once. */
    short: z
      .strictObject({
        under: durationBetween(1_000, MAX_SHORT_MS, "must be a duration from 1s to 10m such as 10s"),
        share: shareSchema,
      })
      .optional(),
    /** Absent: whoever looks at it resumes the campaign. */
    probe: z
      .strictObject({
        after: durationBetween(
          MIN_PROBE_MS,
          MAX_PROBE_MS,
          "must be a duration from 1m to 7d such as 15m or 2h",
        ),
        calls: z.int().min(1).max(MAX_PROBE_CALLS).default(DEFAULT_PROBE_CALLS),
        tries: z.int().min(1).max(MAX_PROBE_TRIES).default(DEFAULT_PROBE_TRIES),
      })
      .optional(),
  })
  .refine((breaker) => BREAKER_CAUSES.some((cause) => breaker[cause] !== undefined), {
    message: `must say what opens it: a share of ${BREAKER_CAUSES.join(", ")}, or several of them`,
  })
  .refine(({ newest, at_least: atLeast }) => atLeast <= newest, {
    message: "must not be more than `newest`: fewer calls are looked at",
    path: ["at_least"],
  });

export type BreakerSpec = z.output<typeof breakerSchema>;

export function breakerPolicyOf(spec: BreakerSpec): BreakerPolicy {
  const { newest, at_least: atLeast, short, probe } = spec;
  const shares: Partial<Record<BreakerCause, number>> = {};
  for (const cause of BREAKER_CAUSES) {
    const share = cause === "short" ? short?.share : spec[cause];
    if (share !== undefined) shares[cause] = share;
  }
  return {
    newest,
    atLeast,
    shares,
    // Nothing is shorter than nothing.
    shortMs: short === undefined ? 0 : msOfDuration(short.under),
    probe: probe && { calls: probe.calls, tries: probe.tries, afterMs: msOfDuration(probe.after) },
  };
}
