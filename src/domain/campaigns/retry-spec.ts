import { z } from "zod";

import { RETRYABLE_DISPOSITIONS } from "../policy/disposition.ts";
import type { RetryDelay, RetryWait } from "../policy/retry-delay.ts";
import { msOfDuration, parseDurationMs } from "../time/duration.ts";
import { durationBetween } from "../time/duration-schema.ts";

/** More than this is pressure, not persistence; the platform's own cap on retries is 5. */
const MAX_ATTEMPTS_LIMIT = 10;

/** A retry that comes later than a month after a call has nothing to do with it any more. */
const MAX_DELAY_MS = 30 * 86_400_000;

/** Less than this before a moment that is looked for says nothing. */
const LEAST_AFTER_MS = 60_000;

const AFTER_EXAMPLE = "{ after: 4h, at: other_part_of_day }";

const FORMS = `must be a duration up to 30d such as 10m, next_window, ${AFTER_EXAMPLE}, a list of these such as [10m, 1h, next_window], or a backoff such as { first: 10m, factor: 2, at_most: 1d }`;

/** A duration, or the word for when the window opens next. */
const momentSchema = z.string().check((context) => {
  const text = context.value;
  const durationMs = parseDurationMs(text);
  if (text === "next_window" || (durationMs !== undefined && durationMs <= MAX_DELAY_MS)) return;
  const message =
    text === "other_part_of_day" ? `needs how long after the call at least: ${AFTER_EXAMPLE}` : FORMS;
  context.issues.push({ code: "custom", input: text, message });
});

const laterSchema = z.strictObject({
  after: durationBetween(LEAST_AFTER_MS, MAX_DELAY_MS, "must be a duration from 1m to 30d such as 4h or 2d"),
  at: z.enum(["next_window", "other_part_of_day"]),
});

const waitSchema = z.union([momentSchema, laterSchema], { error: FORMS });

const backoffSchema = z
  .strictObject({
    first: durationBetween(1_000, MAX_DELAY_MS, "must be a duration from 1s to 30d such as 10m"),
    factor: z
      .number()
      .gt(1, "must be more than 1, such as 2: a delay that stays the same is one duration")
      .max(10),
    at_most: durationBetween(1_000, MAX_DELAY_MS, "must be a duration from 1s to 30d such as 1d"),
  })
  .check((context) => {
    const { first, at_most: most } = context.value;
    if ((parseDurationMs(most) ?? 0) >= (parseDurationMs(first) ?? 0)) return;
    const message = `must not be shorter than first, which is ${first}`;
    context.issues.push({ code: "custom", input: most, path: ["at_most"], message });
  });

/** No contact is called again more often. */
const MOST_WAITS = MAX_ATTEMPTS_LIMIT - 1;

const listSchema = z
  .array(waitSchema)
  .refine(({ length }) => length >= 1 && length <= MOST_WAITS, `must have 1 to ${MOST_WAITS} delays`);

const delaySchema = z.union([momentSchema, laterSchema, listSchema, backoffSchema], { error: FORMS });

/** How often somebody is tried, and when again after which outcome. */
export const retrySchema = z.strictObject({
  max_attempts: z.int().min(1).max(MAX_ATTEMPTS_LIMIT),
  delays: z.partialRecord(z.enum(RETRYABLE_DISPOSITIONS), delaySchema).default({}),
  max_per_disposition: z
    .partialRecord(z.enum(RETRYABLE_DISPOSITIONS), z.int().min(1).max(MAX_ATTEMPTS_LIMIT))
    .default({}),
});

type DelaySpec = z.output<typeof delaySchema>;

/** What a spec's delay means. */
export function retryDelayOf(delay: DelaySpec): RetryDelay {
  if (typeof delay === "object" && "first" in delay)
    return {
      kind: "backoff",
      firstMs: msOfDuration(delay.first),
      factor: delay.factor,
      atMostMs: msOfDuration(delay.at_most),
    };
  return { kind: "list", waits: (Array.isArray(delay) ? delay : [delay]).map(waitOf) };
}

function waitOf(wait: z.output<typeof waitSchema>): RetryWait {
  if (typeof wait === "object") return { kind: wait.at, afterMs: msOfDuration(wait.after) };
  return wait === "next_window" ? { kind: wait, afterMs: 0 } : { kind: "delay", afterMs: msOfDuration(wait) };
}
