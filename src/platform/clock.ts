import type { AnswerHeaders } from "./exchange.ts";
import { parseHttpDate } from "./http-date.ts";

/** What the platform's clock said, and when that was by ours. Both in epoch milliseconds. */
export interface ClockReading {
  /** From the `Date` header: whole seconds, cut off, so up to 999 ms early. */
  readonly platformMs: number;
  /**
   * As our clock reckons now: where it was set since, or this machine has slept, it is as far from what it showed then as
   * it was moved.
   */
  readonly localMs: number;
  /** How long ago that was, in milliseconds that this machine was awake. */
  readonly ageMs: number;
}

export interface ClockWatch {
  note(headers: AnswerHeaders): void;
  /** The newest reading; undefined until an answer had a date. */
  read(): ClockReading | undefined;
}

/**
 * Remembers the newest `Date` header, for whoever compares clocks before dialing. How long ago it was is told by a clock
 * that nobody sets: one that is set between two answers is seen at once.
 */
export function watchClock(): ClockWatch {
  let newest: { platformMs: number; at: number } | undefined;
  return {
    note: (headers) => {
      // An answer from a cache is dated when it was made (RFC 9111 5.1), which says nothing about now.
      if (headers["age"] !== undefined && headers["age"] !== "0") return;
      const platformMs = parseHttpDate(headers["date"]);
      if (platformMs !== undefined) newest = { platformMs, at: performance.now() };
    },
    read: () => {
      if (newest === undefined) return undefined;
      const ageMs = performance.now() - newest.at;
      return { platformMs: newest.platformMs, localMs: Date.now() - ageMs, ageMs };
    },
  };
}
