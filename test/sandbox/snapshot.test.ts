import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { apiKeyCreatedResponse } from "../../src/sandbox/schemas/api-keys.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  eventually,
  get,
  openSandbox,
  operate,
  phone,
  phones,
  PUBLISHED_AGENT,
  readBatch,
  readItems,
  runBatch,
  untilStatus,
} from "./support.ts";

function dataFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbox-data-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return path.join(folder, "state.json");
}

/** Everything that lists show, to be compared. */
async function everything(sandbox: Sandbox): Promise<unknown> {
  const paths = [
    "/v1/agents",
    "/v1/calls?limit=1000",
    "/v1/batch-calls",
    "/v1/phone-numbers",
    "/v1/api-keys",
    "/v1/billing/balance",
    "/v1/billing/transactions",
    "/v1/billing/usage",
    "/v1/workflows",
    "/v1/knowledge-bases",
    "/_sandbox/dial-log",
  ];
  const answers = [];
  for (const at of paths) {
    const { status, body } = await ask(sandbox, "GET", at);
    answers.push([at, status, body]);
  }
  // The use of the key that asks is counted.
  return JSON.parse(
    JSON.stringify(answers).replaceAll(/"(usage_count|last_used_at)":("[^"]*"|\d+)/g, `"$1":0`),
  );
}

async function restarted(sandbox: Sandbox, options: SandboxOptions): Promise<Sandbox> {
  await sandbox.close();
  return await openSandbox(options);
}

test("a sandbox with a data file goes on where it ended", async () => {
  const data = dataFile();
  const first = await createSandbox({ speed: 600, data });
  await get(agentResponse, first, "PATCH", `/v1/agents/${PUBLISHED_AGENT}`, { system_prompt: "Be brief." });
  const key = await get(apiKeyCreatedResponse, first, "POST", "/v1/api-keys", { name: "kept" });
  await ask(first, "POST", "/v1/phone-numbers", { phone_number: "+4930123456" });
  const done = await createBatch(first, phones(20));
  await runBatch(first, done.batch_call_id);
  const waiting = await createBatch(first, phones(3, 50));
  const call = (await readItems(first, done.batch_call_id))[0]?.call_id;
  await ask(first, "DELETE", `/v1/calls/${call}`);
  const before = await everything(first);
  const second = await restarted(first, { data });
  expect(await everything(second)).toEqual(before);
  expect((await ask(second, "GET", "/v1/agents", undefined, key.key)).status).toBe(200);
  expect(readFileSync(data, "utf8")).not.toContain(key.key);
  // What was there is still what it was: the batch starts, and ids and dials go on counting.
  const items = await runBatch(second, waiting.batch_call_id);
  expect(items.every(({ attempt_count: attempts }) => attempts === 1)).toBe(true);
  expect(second.dialLog.of(phone(0))).toHaveLength(1);
  const again = await createBatch(second, phones(1));
  await runBatch(second, again.batch_call_id);
  expect(second.dialLog.of(phone(0)).map(({ nth }) => nth)).toEqual([1, 2]);
  expect([done.batch_call_id, waiting.batch_call_id]).not.toContain(again.batch_call_id);
});

test("a batch that was running and calls that were up run to their end after a restart, each dialed once", async () => {
  const data = dataFile();
  const first = await createSandbox({ speed: 60, data });
  const batch = await createBatch(first, phones(30), { max_concurrent_calls: 10 });
  await operate(first, batch.batch_call_id, "start");
  await untilStatus(first, batch.batch_call_id, "running");
  const queued = await createBatch(first, phones(2, 100));
  await operate(first, queued.batch_call_id, "start");
  const second = await restarted(first, { data, speed: 6_000 });
  await untilStatus(second, batch.batch_call_id, "completed");
  await untilStatus(second, queued.batch_call_id, "completed");
  const after = await readBatch(second, batch.batch_call_id);
  expect(after).toMatchObject({ total: 30, processed: 30, pending: 0, active: 0 });
  expect(second.dialLog.counts()).toMatchObject({ dials: 32, numbers: 32, most_dials_of_a_number: 1 });
  expect(second.stats().activeCalls).toBe(0);
});

test("a call that a fault kept up for ever ends after a restart", async () => {
  const data = dataFile();
  const first = await createSandbox({ speed: 600, data });
  first.faults.add({ kind: "never_finish" });
  const { call_id: id } = await get(callResponse, first, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  const second = await restarted(first, { data });
  await eventually(async () => {
    const call = await get(callResponse, second, "GET", `/v1/calls/${id}`);
    expect(["ended", "failed"]).toContain(call.status);
  });
});

test("the file is up to date while the sandbox runs, so a kill loses next to nothing", async () => {
  const data = dataFile();
  const sandbox = await openSandbox({ data });
  const created = await get(agentResponse, sandbox, "POST", "/v1/agents", { name: "Ada" });
  await eventually(() => {
    expect(readFileSync(data, "utf8")).toContain(created.agent_id);
  });
});

test("a file that is something else, or of another seed, is refused and left alone", async () => {
  const data = dataFile();
  writeFileSync(data, "precious");
  await expect(createSandbox({ data })).rejects.toThrow("is no data file");
  expect(readFileSync(data, "utf8")).toBe("precious");
  rmSync(data);
  await (await createSandbox({ data, seed: 7 })).close();
  await expect(createSandbox({ data })).rejects.toThrow("was made with seed 7, not 1");
});

test("one sandbox at a time keeps its state in a file", async () => {
  const data = dataFile();
  const first = await openSandbox({ data });
  await expect(createSandbox({ data })).rejects.toThrow("another sandbox keeps its state in");
  await first.close();
  await openSandbox({ data });
});

test("whoever started it is told that its file can't be written, and when it can again", async () => {
  const data = dataFile();
  const told: unknown[] = [];
  const sandbox = await openSandbox({ data, onDataTrouble: (error) => told.push(error) });
  // What stands where the next state is written first, and is no file.
  mkdirSync(`${data}.next`);
  await createBatch(sandbox, phones(1));
  await eventually(() => expect(told).toMatchObject([{ code: "EISDIR" }]));
  await createBatch(sandbox, phones(1));
  rmSync(`${data}.next`, { recursive: true });
  await eventually(() => expect(told).toMatchObject([{ code: "EISDIR" }, null]));
});
