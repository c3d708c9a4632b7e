import { z } from "zod";

import { parseDurationMs } from "./duration.ts";

/** A text for a duration: a bare number, such as `14` for days, is told what is wanted, as a text that is none is. */
export function durationText(message: string) {
  return z.string({ error: ({ input }) => (input === undefined ? undefined : message) });
}

/** A duration as a person writes it, within bounds in milliseconds; the message says them, with an example. */
export function durationBetween(leastMs: number, mostMs: number, message: string) {
  return durationText(message).refine(
    (text) => {
      const durationMs = parseDurationMs(text);
      return durationMs !== undefined && durationMs >= leastMs && durationMs <= mostMs;
    },
    { message },
  );
}
