import { describe, expect, it } from "vitest";

import { looksAhead, type RetryDelay, type RetryWait } from "../../../src/domain/policy/retry-delay.ts";

const list = (...kinds: RetryWait["kind"][]): RetryDelay => ({
  kind: "list",
  waits: kinds.map((kind) => ({ kind, afterMs: 60_000 })),
});
const backoff: RetryDelay = { kind: "backoff", firstMs: 60_000, factor: 2, atMostMs: 600_000 };

describe("whether a retry is due by more than the clock", () => {
  it.each<[string, Partial<Record<string, RetryDelay>>, boolean]>([
    ["nothing is said", {}, false],
    ["all are delays", { busy: list("delay", "delay"), failed: list("delay") }, false],
    ["one grows", { busy: backoff }, false],
    ["one waits for the next window", { busy: list("next_window") }, true],
    ["one waits for another part of the day", { busy: list("other_part_of_day") }, true],
    ["one does so the second time", { busy: list("delay", "next_window") }, true],
    [
      "one of several dispositions does",
      { busy: backoff, failed: list("delay"), no_answer: list("next_window") },
      true,
    ],
    ["nothing is said of one", { busy: undefined, failed: list("next_window") }, true],
  ])("where %s", (_what, delays, isSo) => {
    expect(looksAhead(delays)).toBe(isSo);
  });
});
