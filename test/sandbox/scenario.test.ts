import { readdirSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { latencyMs } from "../../src/sandbox/fault-hooks.ts";
import { Random } from "../../src/sandbox/random.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { readScenario } from "../../src/sandbox/scenario.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  eventually,
  get,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
  readBatch,
} from "./support.ts";

const EXAMPLES = path.join(import.meta.dirname, "../../examples/scenarios");

async function statusOf(sandbox: Awaited<ReturnType<typeof openSandbox>>): Promise<number> {
  return (await ask(sandbox, "GET", "/v1/agents")).status;
}

// It opens a sandbox for each, which takes a busy machine its time.
test("every example can be loaded, by option and by request", { timeout: 60_000 }, async () => {
  const files = readdirSync(EXAMPLES).map((name) => path.join(EXAMPLES, name));
  expect(files.length).toBeGreaterThanOrEqual(7);
  const sandbox = await openSandbox();
  for (const file of files) {
    const loaded = await ask(sandbox, "PUT", "/_sandbox/scenario", readScenario(file));
    expect([file, loaded.status]).toEqual([file, 200]);
    const own = await openSandbox({ scenario: file });
    expect(own.scenario.current).toEqual(readScenario(file));
  }
});

test("trouble comes, goes and comes again", async () => {
  const sandbox = await openSandbox({
    scenario: {
      name: "bursts",
      steps: [
        {
          at_ms: 50,
          for_ms: 150,
          every_ms: 400,
          faults: [{ kind: "status", route: "*", status: 429, retry_after: "1" }],
        },
      ],
    },
  });
  for (const status of [200, 429, 200, 429, 200]) {
    await eventually(async () => {
      expect(await statusOf(sandbox)).toBe(status);
    });
  }
  sandbox.scenario.unload();
  expect(sandbox.faults.list()).toEqual([]);
});

test("another scenario takes the place of the running one; faults added by hand stay", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "date_skew", ms: 1 });
  const scenario = (status: number) => ({
    name: `always ${status}`,
    steps: [{ faults: [{ kind: "status", route: "*", status }] }],
  });
  expect((await ask(sandbox, "PUT", "/_sandbox/scenario", scenario(500))).status).toBe(200);
  expect(await statusOf(sandbox)).toBe(500);
  await ask(sandbox, "PUT", "/_sandbox/scenario", scenario(503));
  expect(await statusOf(sandbox)).toBe(503);
  await ask(sandbox, "DELETE", "/_sandbox/scenario");
  expect(await statusOf(sandbox)).toBe(200);
  expect(sandbox.faults.list().map(({ fault }) => fault.kind)).toEqual(["date_skew"]);
});

test("a scenario with a slip in it is refused as a whole, by name", async () => {
  const sandbox = await openSandbox();
  const wrong = {
    name: "wrong",
    steps: [
      {
        faults: [
          { kind: "date_skew", ms: 1 },
          { kind: "drop_before", route: "GET /v1/unicorns" },
        ],
      },
    ],
  };
  const answer = await ask(sandbox, "PUT", "/_sandbox/scenario", wrong);
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain("no such route: GET /v1/unicorns");
  expect(sandbox.faults.list()).toEqual([]);
  await expect(
    createSandbox({
      scenario: { name: "x", steps: [{ every_ms: 100, faults: [{ kind: "stream_silence" }] }] },
    }),
  ).rejects.toThrow("for_ms");
});

test("a share of requests is struck, the same ones in every run", async () => {
  const struck = async () => {
    const sandbox = await openSandbox();
    sandbox.faults.add({ kind: "status", route: "GET /v1/agents", status: 503, share: 0.3 });
    const statuses = [];
    for (let index = 0; index < 60; index += 1) {
      statuses.push(await statusOf(sandbox));
    }
    return statuses;
  };
  const first = await struck();
  const share = first.filter((status) => status === 503).length / first.length;
  expect(share).toBeGreaterThan(0.1);
  expect(share).toBeLessThan(0.5);
  expect(await struck()).toEqual(first);
});

test("processing is late, fails or never ends where a fault says so", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "processing", end: "failed", phone: phone(1) });
  sandbox.faults.add({ kind: "processing", end: "never", phone: phone(2) });
  // The others are through with it in a fraction of that, even on a busy machine.
  sandbox.faults.add({ kind: "processing", ms: 3_000, phone: phone(3) });
  const ids: string[] = [];
  for (const index of [1, 2, 3, 4]) {
    sandbox.outcomes.force(phone(index), [{ outcome: "answered", ring_ms: 1_000, talk_ms: 1_000 }]);
    const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
      agent_id: PUBLISHED_AGENT,
      from_number: CALLER_ID,
      to_number: phone(index),
    });
    ids.push(call.call_id);
  }
  const states = async () =>
    await Promise.all(
      ids.map(async (id) => {
        const call = await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
        expect(call.transcript === null).toBe(call.processing_status !== "completed");
        return call.processing_status;
      }),
    );
  await eventually(async () => {
    expect(await states()).toEqual(["failed", "processing", "processing", "completed"]);
  });
  await eventually(async () => {
    expect(await states()).toEqual(["failed", "processing", "completed", "completed"]);
  });
});

test("calls and batches are shown under words that nobody has seen, and found under them", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "call_words", words: { failed: "gave_up" } });
  sandbox.faults.add({ kind: "batch_words", words: { pending: "asleep" } });
  const batch = await createBatch(sandbox, phones(1));
  expect((await readBatch(sandbox, batch.batch_call_id)).status).toBe("asleep");
  sandbox.outcomes.force(phone(1), ["busy"]);
  const { call_id: id } = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  await eventually(async () => {
    expect((await get(callResponse, sandbox, "GET", `/v1/calls/${id}`)).status).toBe("gave_up");
  });
  expect((await ask(sandbox, "GET", "/v1/calls?status=gave_up")).body).toMatchObject({ total: 1 });
});

test("latencies scatter around their median", () => {
  const fault = { kind: "latency", route: "GET /v1/agents", ms: 10 } as const;
  const draw = (sigma: number | undefined) => {
    const dice = new Random(7, "latencies");
    return Array.from({ length: 999 }, () => latencyMs({ ...fault, sigma }, dice)).sort(
      (one, other) => one - other,
    );
  };
  expect(new Set([...draw(undefined), ...draw(0)])).toEqual(new Set([10]));
  const scattered = draw(1);
  const [median = 0, tenth = 0] = [scattered[499], scattered[99]];
  expect(median).toBeGreaterThan(8);
  expect(median).toBeLessThan(12.5);
  // A tenth of a log-normal lies below exp(-1.28) of its median.
  expect(tenth / median).toBeGreaterThan(0.2);
  expect(tenth / median).toBeLessThan(0.4);
});

test("a request waits at least as long as its latency was drawn", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "latency", route: "GET /v1/agents", ms: 60, sigma: 0 });
  const startedMs = performance.now();
  expect(await statusOf(sandbox)).toBe(200);
  // A timer may fire a millisecond early.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(58);
});
