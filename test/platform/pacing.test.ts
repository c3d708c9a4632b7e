/** The limiter as clients use it. */
import { expect, test } from "vitest";
import { createLimiter } from "../../src/platform/index.ts";
import { BATCH, clientOf, failureOf, json, settled, startPlatform, until } from "./fake-platform.ts";

test("clients that share a limiter have no more under way together than it allows", async () => {
  let underWay = 0;
  let most = 0;
  const server = await startPlatform((_, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      json(response, 200, { id: BATCH });
    }, 5);
  });
  const limiter = createLimiter({ maxConcurrent: 3 });
  const [one, other] = [clientOf(server, { limiter }), clientOf(server, { limiter })];
  await Promise.all(Array.from({ length: 20 }, (_, nth) => (nth % 2 ? one : other).batchCalls.get(BATCH)));
  expect(server.seen.length).toBe(20);
  expect(most).toBeLessThanOrEqual(3);
});

test("after a 429 with Retry-After nothing is sent by any client of the limiter; errors say when", async () => {
  const server = await startPlatform((_, response) => json(response, 429, {}, { "retry-after": "30" }));
  const limiter = createLimiter();
  const [one, other] = [clientOf(server, { limiter }), clientOf(server, { limiter })];
  await failureOf(one.batchCalls.get(BATCH));
  const error = await failureOf(other.batchCalls.start(BATCH));
  expect(error).toMatchObject({ code: "rate_limited", effect: "did_not_happen", status: undefined });
  expect(error.retryAfterMs).toBeGreaterThan(0);
  expect(error.retryAfterMs).toBeLessThanOrEqual(30_000);
  expect(error.message).toContain("nothing was sent");
  expect(server.seen.length).toBe(1);
});

test("what stops calls is sent all the same, and what its caller says can't wait", async () => {
  const server = await startPlatform((_, response) => json(response, 429, {}, { "retry-after": "30" }));
  const platform = clientOf(server, { limiter: createLimiter() });
  await failureOf(platform.batchCalls.get(BATCH));
  for (const method of ["pause", "cancel", "delete"] as const)
    await failureOf(platform.batchCalls[method](BATCH));
  await failureOf(platform.calls.end(BATCH));
  await failureOf(platform.batchCalls.start(BATCH, { atOnce: true }));
  expect(server.seen.length).toBe(6);
});

test("a request that is held back too long or given up was not sent", async () => {
  const server = await startPlatform(() => {});
  const limiter = createLimiter({ maxConcurrent: 1 });
  const platform = clientOf(server, { limiter });
  const holding = new AbortController();
  const held = failureOf(platform.batchCalls.get(BATCH, { signal: holding.signal }));
  await until("the first is under way", () => server.seen.length === 1);
  const abort = new AbortController();
  const aborted = failureOf(platform.batchCalls.start(BATCH, { signal: abort.signal }));
  const late = await failureOf(platform.batchCalls.start(BATCH, { timeoutMs: 30 }));
  abort.abort(new Error("enough"));
  expect(late).toMatchObject({ code: "timeout", effect: "did_not_happen", sent: false });
  expect(await aborted).toMatchObject({ code: "aborted", effect: "did_not_happen" });
  expect((await aborted).cause).toMatchObject({ message: "enough" });
  holding.abort();
  await held;
  await settled("what reached the server", () => server.seen.length);
  expect(server.seen.length).toBe(1);
});

test("a wait that is over is told in whole milliseconds, however long the limiter took of it", async () => {
  const server = await startPlatform(() => {});
  const platform = clientOf(server, { limiter: createLimiter() });
  const error = await failureOf(platform.batchCalls.get(BATCH, { timeoutMs: 50.25 }));
  expect(error.message).toMatch(/no answer within \d+ ms/);
});

test("a client that owns its retries paces itself by default; one under another's retries does not", async () => {
  const server = await startPlatform((_, response) => json(response, 429, {}, { "retry-after": "30" }));
  const under = clientOf(server);
  await failureOf(under.batchCalls.get(BATCH));
  await failureOf(under.batchCalls.get(BATCH));
  expect(server.seen.length).toBe(2);
  const refused: unknown[] = [];
  const own = clientOf(server, {
    retry: { attempts: 2, baseDelayMs: 1 },
    hooks: { onResponse: (event) => refused.push(event) },
  });
  const abort = new AbortController();
  const { signal } = abort;
  const first = failureOf(own.batchCalls.get(BATCH, { signal }));
  await until("the refusal has come back", () => refused.length === 1);
  expect(server.seen.length).toBe(3);
  const second = failureOf(own.batchCalls.get(BATCH, { signal }));
  await settled("what reached the server", () => server.seen.length);
  abort.abort();
  expect([(await first).code, (await second).code]).toEqual(["aborted", "aborted"]);
  expect(server.seen.length).toBe(3);
});
