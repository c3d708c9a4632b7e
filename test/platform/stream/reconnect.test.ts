import { describe, expect, test } from "vitest";
import type { ConnectionEnd } from "../../../src/platform/stream/connection.ts";
import { nextWait } from "../../../src/platform/stream/reconnect.ts";

const timing = { backoffBaseMs: 500, backoffMaxMs: 30_000, stableMs: 10_000, refusedMs: 60_000 };
const refused = (status: number, retryAfterMs?: number): ConnectionEnd => ({
  kind: "refused",
  status,
  retryAfterMs,
});

describe("after the loss of a connection", () => {
  test.each<[string, ConnectionEnd, boolean, string, number]>([
    ["a refused key", refused(401), false, "unauthorized", 60_000],
    ["refused scopes", refused(403), false, "forbidden", 60_000],
    ["an unknown batch", refused(404), false, "not_found", 60_000],
    ["a rate limit with its wait", refused(429, 20_000), false, "refused", 20_000],
    ["a rate limit with a short wait", refused(429, 100), false, "refused", 2_000],
    ["a server error", refused(503), false, "refused", 2_000],
    ["a redirect", refused(302), false, "refused", 2_000],
    ["a normal close", { kind: "closed", code: 1000 }, false, "closed", 2_000],
    ["a normal close of a batch that is over", { kind: "closed", code: 1000 }, true, "batch_ended", 60_000],
    ["a restarting server", { kind: "closed", code: 1012 }, true, "closed", 2_000],
    ["silence", { kind: "silent" }, false, "silent", 2_000],
    ["a frame that is too large", { kind: "oversize" }, false, "oversize", 2_000],
    ["a broken connection", { kind: "failed", code: "ECONNRESET" }, true, "unreachable", 2_000],
  ])("%s", (_, end, batchEnded, reason, delayMs) => {
    const loss = { end, livedMs: 0, failures: 2, batchEnded };
    expect(nextWait(loss, timing, () => 1)).toEqual({ reason, delayMs, failures: 3 });
    expect(nextWait(loss, timing, () => 0).delayMs).toBeGreaterThanOrEqual(delayMs / 2);
  });

  test("the wait grows to its cap while connections do not live, and starts again once one did", () => {
    const lost: ConnectionEnd = { kind: "closed", code: 1006 };
    const waits: number[] = [];
    let failures = 0;
    for (const livedMs of [0, 9_999, 0, 0, 0, 0, 0, 0, 10_000, 0]) {
      const wait = nextWait({ end: lost, livedMs, failures, batchEnded: false }, timing, () => 1);
      failures = wait.failures;
      waits.push(wait.delayMs);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 500, 1_000]);
  });
});
