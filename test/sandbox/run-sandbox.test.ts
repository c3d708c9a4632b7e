import { expect, onTestFinished, test } from "vitest";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { runSandbox } from "../../src/sandbox/run-sandbox.ts";
import { ask, createBatch, eventually, listen, openSandbox, operate, phones } from "./support.ts";

test("options out of range are refused together, by name", async () => {
  const wrong = { port: 70_000, speed: 0, seed: 1.5, basePath: "api/", apiKeys: [] };
  await expect(createSandbox(wrong)).rejects.toThrow(
    /sandbox options: port: .*; seed: .*; speed: .*; basePath: must be like \/api.*; apiKeys: /,
  );
});

test("a port that is taken is an error, not a second sandbox", async () => {
  const sandbox = await openSandbox();
  await expect(createSandbox({ port: sandbox.port })).rejects.toThrow("EADDRINUSE");
});

test("a sandbox that others can reach needs a key of its own", async () => {
  await expect(runSandbox({ host: "0.0.0.0" })).rejects.toThrow("give it an API key of your own");
  await expect(runSandbox({ host: "::", apiKeys: ["sandbox-key"] })).rejects.toThrow("--api-key");
  const sandbox = await runSandbox({ host: "0.0.0.0", apiKeys: ["a-key-of-its-own"] });
  onTestFinished(async () => {
    await sandbox.close();
  });
  expect((await ask(sandbox, "GET", "/v1/agents")).status).toBe(200);
});

test("a seed describes another organization", async () => {
  const agent = { id: "agent-one", name: "One", published: true };
  const organization = { agents: [agent], numbers: ["+4930123456"], balanceUsd: 1 };
  const sandbox = await openSandbox({ organization });
  expect(sandbox.seeds).toMatchObject({ agents: [agent], numbers: ["+4930123456"] });
  const fields = { agent_id: "agent-one", from_number: "+4930123456" };
  expect(await createBatch(sandbox, phones(1), fields)).toMatchObject(fields);
  await expect(
    createSandbox({ organization: { ...organization, numbers: ["+4930123456", "4930123456"] } }),
  ).rejects.toThrow("is listed twice");
});

test("closing cuts calls, listeners and waiting requests at once", async () => {
  const sandbox = await createSandbox({ speed: 1 });
  const batch = await createBatch(sandbox, phones(5));
  await operate(sandbox, batch.batch_call_id, "start");
  const listener = await listen(sandbox, batch.batch_call_id);
  sandbox.faults.add({ kind: "latency", route: "GET /v1/agents", ms: 60_000 });
  const waiting = Promise.allSettled([ask(sandbox, "GET", "/v1/agents")]);
  await eventually(() => {
    expect(sandbox.faults.list()).toMatchObject([{ hits: 1 }]);
  });
  await sandbox.close();
  expect(await waiting).toMatchObject([{ status: "rejected" }]);
  expect(await listener.closed).toEqual({ code: 1006 });
});
