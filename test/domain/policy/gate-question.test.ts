import { describe, expect, it } from "vitest";

import { waitText } from "../../../src/domain/policy/gate-question.ts";

describe("what somebody waits for, in words", () => {
  const untilMs = Date.UTC(2026, 5, 1, 9);

  it.each([
    ["a time", "window", undefined, "until 2026-06-01T09:00:00.000Z"],
    ["a time and more", "frequency", "3 calls in 7d", "until 2026-06-01T09:00:00.000Z: 3 calls in 7d"],
    ["a list that somebody has to renew", "stale_list", "dnc is 3 days old", "dnc is 3 days old"],
    ["a source that somebody has to name", "missing_source", "dnc is not there", "dnc is not there"],
    ["one of which nothing is known", "stale_list", undefined, "until 2026-06-01T09:00:00.000Z"],
  ] as const)("is %s", (_what, reason, detail, says) => {
    expect(waitText({ kind: "wait", reason, untilMs, ...(detail !== undefined && { detail }) })).toBe(says);
  });
});
