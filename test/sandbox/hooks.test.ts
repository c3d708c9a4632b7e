import { expect, onTestFinished, test, vi } from "vitest";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { executeResponse, executionResponse } from "../../src/sandbox/schemas/executions.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import {
  deployResponse,
  workflowCreateResponse,
  workflowDetailResponse,
} from "../../src/sandbox/schemas/workflows.ts";
import { ask, get, openSandbox, STANDING_STILL } from "./support.ts";

/** An automation that others set off, and its address. */
async function hooked(
  sandbox: Sandbox,
  { fields = {}, isDeployed = true }: { fields?: Record<string, unknown>; isDeployed?: boolean } = {},
): Promise<{ id: string; address: string }> {
  const { workflow_id: id } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "From outside",
    trigger_type: "webhook",
    workflow_json: { nodes: [{ name: "Start" }] },
    ...fields,
  });
  if (isDeployed) await get(deployResponse, sandbox, "POST", `/v1/workflows/${id}/deploy`);
  const { webhook_slug: slug } = await get(workflowDetailResponse, sandbox, "GET", `/v1/workflows/${id}`);
  return { id, address: `/hooks/${slug ?? ""}` };
}

const post = (sandbox: Sandbox, address: string, body?: unknown) => ask(sandbox, "POST", address, body, null);

async function executionsOf(sandbox: Sandbox, id: string) {
  const path = `/v1/workflows/${id}/executions`;
  return (await get(envelopeOf(executionResponse), sandbox, "GET", path)).items;
}

test("whoever knows an automation's address sets it off, with what they send, and without a key", async () => {
  const sandbox = await openSandbox();
  const { id, address } = await hooked(sandbox, { fields: { execution_mode: "sync" } });
  const { status, body } = await post(sandbox, address, { lead: 7 });
  expect(status).toBe(200);
  const answered = executeResponse.parse(body);
  expect(answered.status).not.toBe("running");
  expect(await executionsOf(sandbox, id)).toMatchObject([
    {
      execution_id: answered.execution_id,
      trigger_type: "webhook",
      trigger_source: "external",
      input_snapshot: { lead: 7 },
      call_id: null,
    },
  ]);
});

test("one that takes its time is answered for before its end, and nothing has to be sent", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const { id, address } = await hooked(sandbox, { fields: { execution_mode: "async" } });
  expect(executeResponse.parse((await post(sandbox, address)).body).status).toBe("running");
  expect(await executionsOf(sandbox, id)).toMatchObject([{ status: "running", input_snapshot: null }]);
});

test("an address leads nowhere before the automation is active, after it is not any more, and where it is made up", async () => {
  const sandbox = await openSandbox();
  const draft = await hooked(sandbox, { isDeployed: false });
  const paused = await hooked(sandbox);
  await ask(sandbox, "PATCH", `/v1/workflows/${paused.id}`, { status: "paused" });
  const gone = await hooked(sandbox);
  await ask(sandbox, "DELETE", `/v1/workflows/${gone.id}`);
  const madeUp = `/hooks/${"a".repeat(22)}`;
  for (const address of [draft.address, paused.address, gone.address, madeUp, "/hooks/null", "/hooks/"]) {
    expect((await post(sandbox, address, { lead: 7 })).status).toBe(404);
  }
  expect(await executionsOf(sandbox, draft.id)).toEqual([]);
  expect(await executionsOf(sandbox, paused.id)).toEqual([]);
});

test("what is no JSON object, or too large, sets nothing off", async () => {
  const sandbox = await openSandbox();
  const { id, address } = await hooked(sandbox);
  expect((await post(sandbox, address, [1])).status).toBe(422);
  expect((await post(sandbox, address, "{")).status).toBe(422);
  expect((await post(sandbox, address, { text: "a".repeat(1024 * 1024) })).status).toBe(413);
  expect(await executionsOf(sandbox, id)).toEqual([]);
});

test("an address is held to a rate of its own, which keys do not count towards", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const { address } = await hooked(sandbox, { fields: { execution_mode: "async" } });
  const other = await hooked(sandbox, { fields: { execution_mode: "async" } });
  // So that nothing comes back while they are sent, however slow this machine is.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => {
    clock.mockRestore();
  });
  for (let sent = 0; sent < 100; sent += 1) expect((await post(sandbox, address)).status).toBe(200);
  const refused = await post(sandbox, address);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await post(sandbox, other.address)).status).toBe(200);
});

test("one that a key executes was not set off from outside", async () => {
  const sandbox = await openSandbox();
  const { id } = await hooked(sandbox);
  await ask(sandbox, "POST", `/v1/workflows/${id}/execute`, { context_data: { lead: 8 } });
  expect(await executionsOf(sandbox, id)).toMatchObject([{ trigger_source: "manual" }]);
});
