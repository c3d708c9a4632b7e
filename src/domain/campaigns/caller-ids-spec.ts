import { z } from "zod";

import { CALLER_MATCHES, MAX_NEWEST_OF_NUMBER, type CallerIdPolicy } from "./caller-ids.ts";
import { msOfDuration } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";

const MAX_CALLS = 100_000;
const MAX_WARM_UP_MS = 90 * 86_400_000;
const MIN_REST_MS = 60 * 60_000;
const MAX_REST_MS = 30 * 86_400_000;

const DEFAULT_NEWEST = 100;
const DEFAULT_LEAST = 50;

/** How the numbers in `from_numbers` are used, as a person writes it. */
export const callerIdsSchema = z
  .strictObject({
    sticky: z.boolean().default(false),
    match: z.enum(CALLER_MATCHES).default("none"),
    per_hour: z.int().min(1).max(MAX_CALLS).optional(),
    per_day: z.int().min(1).max(MAX_CALLS).optional(),
    warm_up: durationBetween(
      3_600_000,
      MAX_WARM_UP_MS,
      "must be a duration from 1h to 90d such as 14d",
    ).optional(),
    health: z
      .strictObject({
        answered: z.number().gt(0, "must be a share above 0, such as 0.05 for 5 %").max(1),
        newest: z.int().min(10).max(MAX_NEWEST_OF_NUMBER).default(DEFAULT_NEWEST),
        at_least: z.int().min(10).max(MAX_NEWEST_OF_NUMBER).default(DEFAULT_LEAST),
        rest: durationBetween(
          MIN_REST_MS,
          MAX_REST_MS,
          "must be a duration from 1h to 30d such as 24h",
        ).default("24h"),
      })
      .refine(({ newest, at_least: atLeast }) => atLeast <= newest, {
        message: "must not be more than `newest`: fewer calls are looked at",
        path: ["at_least"],
      })
      .optional(),
  })
  .refine(({ warm_up: warmUp, per_day: perDay }) => warmUp === undefined || perDay !== undefined, {
    message: "needs `per_day`: it is what a new number comes to",
    path: ["warm_up"],
  });

export type CallerIdsSpec = z.output<typeof callerIdsSchema>;

export function callerIdPolicyOf(spec: {
  from_numbers: readonly string[];
  caller_ids?: CallerIdsSpec | undefined;
}): CallerIdPolicy | undefined {
  const { from_numbers: numbers, caller_ids: callers } = spec;
  if (!callers) return undefined;
  const { health } = callers;
  return {
    numbers,
    sticky: callers.sticky,
    match: callers.match,
    perHour: callers.per_hour,
    perDay: callers.per_day,
    warmUpMs: callers.warm_up === undefined ? 0 : msOfDuration(callers.warm_up),
    health: health && {
      newest: health.newest,
      atLeast: health.at_least,
      answered: health.answered,
      restMs: msOfDuration(health.rest),
    },
  };
}
