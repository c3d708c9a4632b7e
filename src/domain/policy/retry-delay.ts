/** When a retry is due after the end of the call before it. */
export type RetryWait =
  | { kind: "delay"; afterMs: number }
  /** When the contact's window next opens, that long after the call at the earliest. */
  | { kind: "next_window"; afterMs: number }
  /** In a part of the contact's day in which it was not called yet, that long after the call at the earliest. */
  | { kind: "other_part_of_day"; afterMs: number };

/** What a spec says of the retries after one disposition. */
export type RetryDelay =
  /** The first time that a contact came to the disposition, the second, and so on; the last holds for all behind it. */
  | { kind: "list"; waits: readonly RetryWait[] }
  | { kind: "backoff"; firstMs: number; factor: number; atMostMs: number };

/**
 * What a contact waits for now.
 *
 * @param times how often it came to the disposition, this time included: 1 or more.
 */
export function waitAfter(delay: RetryDelay, times: number): RetryWait | undefined {
  switch (delay.kind) {
    case "list":
      return delay.waits[Math.min(times, delay.waits.length) - 1];
    case "backoff": {
      const afterMs = Math.round(delay.firstMs * delay.factor ** (times - 1));
      return { kind: "delay", afterMs: Math.min(afterMs, delay.atMostMs) };
    }
  }
}

/** Whether anything but the clock decides when a retry is due: the contact's window, and where it is. */
export function looksAhead(delays: Readonly<Partial<Record<string, RetryDelay>>>): boolean {
  return Object.values(delays).some(
    (delay) => delay?.kind === "list" && delay.waits.some(({ kind }) => kind !== "delay"),
  );
}
