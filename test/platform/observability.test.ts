import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { loggingHooks, type RequestEvent, type ResponseEvent } from "../../src/platform/index.ts";
import { BATCH, clientOf, failureOf, json, KEY, startPlatform } from "./fake-platform.ts";

test("every try is told with its route, status, duration, request id and number", async () => {
  const begun: RequestEvent[] = [];
  const ended: ResponseEvent[] = [];
  const server = await startPlatform((_, response, nth) =>
    json(response, nth === 1 ? 503 : 200, { id: BATCH }, { "x-request-id": `r${nth}` }),
  );
  const platform = clientOf(server, {
    retry: { attempts: 2, baseDelayMs: 1 },
    hooks: { onRequest: (event) => begun.push(event), onResponse: (event) => ended.push(event) },
  });
  await platform.batchCalls.get(BATCH);
  const route = "/v1/batch-calls/{batch_id}";
  expect(begun).toEqual([
    { method: "GET", route, attempt: 1 },
    { method: "GET", route, attempt: 2 },
  ]);
  expect(ended).toMatchObject([
    { method: "GET", route, attempt: 1, status: 503, requestId: "r1", error: "unavailable" },
    { method: "GET", route, attempt: 2, status: 200, requestId: "r2", error: undefined },
  ]);
  for (const { durationMs } of ended) expect(durationMs).toBeGreaterThan(0);
});

test("a try without an answer is told, too", async () => {
  const ended: ResponseEvent[] = [];
  const server = await startPlatform((_, response) => response.destroy());
  const platform = clientOf(server, { hooks: { onResponse: (event) => ended.push(event) } });
  await failureOf(platform.batchCalls.start(BATCH));
  expect(ended).toMatchObject([{ status: undefined, requestId: undefined, error: "connection" }]);
});

test("a hook that throws changes nothing about the call, and is not silent", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const server = await startPlatform((_, response) => json(response, 200, {}));
  const platform = clientOf(server, {
    hooks: {
      onRequest: () => {
        throw new Error("no metric");
      },
      onResponse: () => {
        throw new Error("no log");
      },
    },
  });
  expect((await platform.batchCalls.start(BATCH)).batch_call_id).toBe(BATCH);
  await new Promise(setImmediate);
  expect(warnings.map((warning) => warning.message)).toEqual(["no metric", "no log"]);
});

test("requests are logged with their template, and without key, id of a request that is a number, or path", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
  const server = await startPlatform((_, response, nth) =>
    json(
      response,
      nth === 1 ? 200 : 422,
      { id: "a", detail: "to +12025550123" },
      { "x-request-id": "+12025550123" },
    ),
  );
  const platform = clientOf(server, { hooks: loggingHooks(logger) });
  await platform.agents.get("a-secret-agent");
  await failureOf(platform.agents.get("a-secret-agent"));
  const entries = lines.map((line): unknown => JSON.parse(line));
  expect(entries).toMatchObject([
    { level: 20, msg: "platform request", route: "/v1/agents/{agent_id}", status: 200, attempt: 1 },
    { level: 40, msg: "platform request failed", status: 422, error: "unprocessable", requestId: "+12***23" },
  ]);
  expect(lines.join("")).not.toMatch(/5550123|a-secret-agent/);
  expect(lines.join("")).not.toContain(KEY);
});

test("a request id that is not fit for a log line is dropped", async () => {
  const server = await startPlatform((_, response) =>
    json(response, 404, {}, { "x-request-id": "a b", "x-correlation-id": "c-1" }),
  );
  expect((await failureOf(clientOf(server).agents.get("a"))).requestId).toBe("c-1");
});

test("the platform's clock is known from its newest answer, failed ones included", async () => {
  const dates = ["Thu, 05 Mar 2026 10:00:00 GMT", "yesterday", "Thu, 05 Mar 2026 10:00:07 GMT"];
  const server = await startPlatform((_, response, nth) => {
    response.sendDate = false;
    json(response, nth === 3 ? 500 : 200, { id: "a" }, { date: dates[nth - 1] ?? "" });
  });
  const platform = clientOf(server);
  expect(platform.clock()).toBeUndefined();
  const beforeMs = Date.now();
  await platform.agents.get("a");
  const first = platform.clock();
  expect(first?.platformMs).toBe(Date.UTC(2026, 2, 5, 10, 0, 0));
  // Reckoned back by another clock, which counts parts of a millisecond.
  expect(first?.localMs).toBeGreaterThan(beforeMs - 1);
  await platform.agents.get("a");
  expect(platform.clock()?.platformMs).toBe(first?.platformMs);
  await failureOf(platform.agents.get("a"));
  expect(platform.clock()?.platformMs).toBe(Date.UTC(2026, 2, 5, 10, 0, 7));
});

test("a clock of ours that is set after an answer is seen to be, without another one", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { id: "a" }));
  const platform = clientOf(server);
  await platform.agents.get("a");
  const apart = () => {
    const reading = platform.clock();
    return reading && Math.abs(reading.platformMs - reading.localMs);
  };
  expect(apart()).toBeLessThan(30_000);
  const setBackMs = 5 * 3_600_000;
  const real = Date.now;
  const set = vi.spyOn(Date, "now").mockImplementation(() => real() - setBackMs);
  expect(apart()).toBeGreaterThan(setBackMs - 30_000);
  set.mockRestore();
  expect(apart()).toBeLessThan(30_000);
});

test("an answer out of a cache says nothing about the clock", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { id: "a" }, { age: "40" }));
  const platform = clientOf(server);
  await platform.agents.get("a");
  expect(platform.clock()).toBeUndefined();
});
