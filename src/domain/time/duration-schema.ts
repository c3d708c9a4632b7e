import { z } from "zod";

import { parseDurationMs } from "./duration.ts";

/** A duration as a person writes it, within bounds in milliseconds; the message says them, with an example. */
export function durationBetween(leastMs: number, mostMs: number, message: string) {
  return z.string().refine(
    (text) => {
      const durationMs = parseDurationMs(text);
      return durationMs !== undefined && durationMs >= leastMs && durationMs <= mostMs;
    },
    { message },
  );
}
