import type { AnswerHeaders } from "./exchange.ts";
import { parseHttpDate } from "./http-date.ts";

/** What the platform's clock said, and what ours said when that arrived. Both in epoch milliseconds. */
export interface ClockReading {
  /** From the `Date` header: whole seconds, cut off, so up to 999 ms early. */
  readonly platformMs: number;
  readonly localMs: number;
}

export interface ClockWatch {
  note(headers: AnswerHeaders): void;
  /** The newest reading; undefined until an answer had a date. */
  read(): ClockReading | undefined;
}

/** Remembers the newest `Date` header, for whoever compares clocks before dialing. */
export function watchClock(): ClockWatch {
  let newest: ClockReading | undefined;
  return {
    note: (headers) => {
      // An answer from a cache is dated when it was made (RFC 9111 5.1), which says nothing about now.
      if (headers["age"] !== undefined && headers["age"] !== "0") return;
      const platformMs = parseHttpDate(headers["date"]);
      if (platformMs !== undefined) newest = { platformMs, localMs: Date.now() };
    },
    read: () => newest,
  };
}
