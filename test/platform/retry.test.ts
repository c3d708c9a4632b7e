import { describe, expect, test } from "vitest";
import { backoffMs } from "../../src/platform/backoff.ts";
import type { RetryPolicy } from "../../src/platform/index.ts";
import { parseRetryAfter } from "../../src/platform/retry-after.ts";
import { A_BATCH, BATCH, clientOf, failureOf, json, startPlatform, until } from "./fake-platform.ts";

const quick: RetryPolicy = { attempts: 3, baseDelayMs: 2, maxDelayMs: 4 };

const once = (status: number, headers: Record<string, string> = {}) =>
  startPlatform((_, response, nth) => json(response, nth === 1 ? status : 200, { id: BATCH }, headers));

describe("without a retry policy", () => {
  test.each([429, 500, 502, 503, 504])("%i is handed to the caller, who owns the retry", async (status) => {
    const server = await once(status);
    expect(await failureOf(clientOf(server).batchCalls.get(BATCH))).toMatchObject({ status });
    expect(server.seen.length).toBe(1);
  });
});

describe("with a retry policy", () => {
  test.each([429, 500, 502, 503, 504])("a read is repeated after %i", async (status) => {
    const server = await once(status);
    expect((await clientOf(server, { retry: quick }).batchCalls.get(BATCH)).batch_call_id).toBe(BATCH);
    expect(server.seen.length).toBe(2);
  });

  test.each([400, 401, 402, 403, 404, 409, 422, 308])("nothing is repeated after %i", async (status) => {
    const server = await once(status);
    await failureOf(clientOf(server, { retry: quick }).batchCalls.get(BATCH));
    expect(server.seen.length).toBe(1);
  });

  test("a write is repeated after 429, which says that it did not happen", async () => {
    const server = await once(429);
    await clientOf(server, { retry: quick }).batchCalls.start(BATCH);
    expect(server.seen.length).toBe(2);
  });

  test.each([500, 502, 503, 504])("a write that may have happened is never repeated: %i", async (status) => {
    const server = await once(status);
    const platform = clientOf(server, { retry: quick });
    expect((await failureOf(platform.batchCalls.create(A_BATCH))).message).toContain("may have happened");
    expect(server.seen.length).toBe(1);
    await platform.batchCalls.delete(BATCH);
    expect(server.seen.length).toBe(2);
  });

  test("a write whose answer was lost is never repeated", async () => {
    const server = await startPlatform((_, response) => response.destroy());
    await failureOf(clientOf(server, { retry: quick }).batchCalls.delete(BATCH));
    expect(server.seen.length).toBe(1);
  });

  test("a read whose answer was lost is repeated", async () => {
    const server = await startPlatform((_, response, nth) => {
      if (nth < 3) response.destroy();
      else json(response, 200, { id: BATCH });
    });
    await clientOf(server, { retry: quick }).batchCalls.get(BATCH);
    expect(server.seen.length).toBe(3);
  });

  test("a write is repeated where no connection was made, until the tries are used up", async () => {
    const gone = await startPlatform(() => {});
    await new Promise((resolve) => gone.server.close(resolve));
    const tries: number[] = [];
    const platform = clientOf(gone, {
      retry: quick,
      hooks: { onRequest: ({ attempt }) => tries.push(attempt) },
    });
    expect(await failureOf(platform.batchCalls.start(BATCH))).toMatchObject({ effect: "did_not_happen" });
    expect(tries).toEqual([1, 2, 3]);
  });

  test("a read that timed out is not repeated", async () => {
    const server = await startPlatform(() => {});
    const platform = clientOf(server, { retry: quick });
    expect(await failureOf(platform.batchCalls.get(BATCH, { timeoutMs: 1_500 }))).toMatchObject({
      code: "timeout",
    });
    expect(server.seen.length).toBe(1);
  });

  test("the platform's Retry-After is waited for, where it is longer than the backoff", async () => {
    const server = await once(429, { "retry-after": "0.3" });
    const startedMs = performance.now();
    await clientOf(server, { retry: quick }).batchCalls.start(BATCH);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(295);
  });

  test("an abort ends the wait", async () => {
    const server = await once(429, { "retry-after": "60" });
    const abort = new AbortController();
    const refused: (number | undefined)[] = [];
    const platform = clientOf(server, {
      retry: quick,
      hooks: { onResponse: ({ status }) => refused.push(status) },
    });
    const start = failureOf(platform.batchCalls.start(BATCH, { signal: abort.signal }));
    await until("the client has the refusal", () => refused.length === 1);
    abort.abort();
    expect(await start).toMatchObject({ code: "aborted", effect: "did_not_happen" });
    expect(server.seen.length).toBe(1);
  });
});

test("a client that was closed while it waited does not try again", async () => {
  const server = await once(429);
  const platform = clientOf(server, { retry: { attempts: 3, baseDelayMs: 100 } });
  const start = failureOf(platform.batchCalls.start(BATCH));
  await until("the server has the request", () => server.seen.length === 1);
  await platform.close();
  expect(await start).toMatchObject({ code: "aborted", effect: "did_not_happen" });
  expect(server.seen.length).toBe(1);
});

test("the backoff doubles to its cap, with jitter in its upper half", () => {
  const bounds = { baseMs: 500, maxMs: 30_000 };
  const lowest = [1, 2, 3, 4, 5, 6, 7, 8, 200].map((failures) => backoffMs(failures, bounds, () => 0));
  const highest = [1, 2, 3, 4, 5, 6, 7, 8, 200].map((failures) => backoffMs(failures, bounds, () => 1));
  expect(lowest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(highest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

describe("Retry-After", () => {
  const date = "Thu, 05 Mar 2026 10:00:00 GMT";
  test.each<[string | undefined, number | undefined, string]>([
    ["7", 7_000, "seconds"],
    [" 7 ", 7_000, "spaces around"],
    ["0", 0, "now"],
    ["1.5", 1_500, "a fraction"],
    ["-5", 0, "negative seconds"],
    ["86400", 60_000, "a day"],
    ["99999999999999999999999", 60_000, "the age of the universe"],
    ["Thu, 05 Mar 2026 10:00:30 GMT", 30_000, "a date"],
    ["Thursday, 05-Mar-26 10:00:30 GMT", 30_000, "a date in the older form"],
    ["Thu, 05 Mar 2026 09:00:00 GMT", 0, "a date in the past"],
    ["Fri, 05 Mar 2027 10:00:00 GMT", 60_000, "a date in a year"],
    [undefined, undefined, "nothing"],
    ["", undefined, "empty"],
    ["soon", undefined, "a word"],
    ["Infinity", undefined, "no number"],
    ["1e9", undefined, "not a number of HTTP"],
    ["5, 10", undefined, "two values"],
    ["0x10", undefined, "hexadecimal"],
    ["Thu, 99 Foo 2026 10:00:30 GMT", undefined, "an impossible date"],
  ])("%s is %s (%s)", (value, expectedMs) => {
    // The answer's own date counts: our clock may be years off.
    expect(parseRetryAfter(value, { date, nowMs: 0 })).toBe(expectedMs);
  });

  test("a date counts from our own clock where the answer has none", () => {
    const nowMs = Date.parse(date) - 10_000;
    expect(parseRetryAfter(date, { date: undefined, nowMs })).toBe(10_000);
  });

  test("a header that was sent twice is read once", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(429, ["retry-after", "3", "retry-after", "9"]).end();
    });
    expect((await failureOf(clientOf(server).batchCalls.get(BATCH))).retryAfterMs).toBe(3_000);
  });
});
