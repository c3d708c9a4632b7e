import { expect, test } from "vitest";
import type { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { callExecution, executeResponse, executionResponse } from "../../src/sandbox/schemas/executions.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { agentLinkResponse } from "../../src/sandbox/schemas/workflow-links.ts";
import {
  deployResponse,
  workflowCreateResponse,
  workflowPatchResponse,
} from "../../src/sandbox/schemas/workflows.ts";
import { CALLER_ID, eventually, get, openSandbox, phone, PUBLISHED_AGENT, refusal } from "./support.ts";

async function deployed(sandbox: Sandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const { workflow_id: id } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "After calls",
    trigger_type: "post_call",
    workflow_json: { nodes: [{ name: "Start" }] },
    ...fields,
  });
  await get(deployResponse, sandbox, "POST", `/v1/workflows/${id}/deploy`);
  return id;
}

async function link(sandbox: Sandbox, id: string, fields: Record<string, unknown> = {}): Promise<void> {
  await get(agentLinkResponse, sandbox, "POST", `/v1/workflows/${id}/agents/${PUBLISHED_AGENT}`, fields);
}

async function execute(sandbox: Sandbox, id: string, body: Record<string, unknown> = {}) {
  return await get(executeResponse, sandbox, "POST", `/v1/workflows/${id}/execute`, body);
}

async function executions(sandbox: Sandbox, id: string, query = "") {
  const path = `/v1/workflows/${id}/executions?limit=1000&${query}`;
  return (await get(envelopeOf(executionResponse), sandbox, "GET", path)).items;
}

/** Places a call, and waits until it has so many executions and all of them are over. */
async function callWithExecutions(sandbox: Sandbox, to: string, count: number) {
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: to,
  });
  return await eventually(async () => {
    const read = await get(callResponse, sandbox, "GET", `/v1/calls/${call.call_id}`);
    const found: z.output<typeof callExecution>[] = callExecution.array().parse(read.workflow_executions);
    expect(found).toHaveLength(count);
    expect(found.map(({ status }) => status)).not.toContain("running");
    return found;
  });
}

test("a synchronous execution answers with what came of it, an asynchronous one at once", async () => {
  const sandbox = await openSandbox({ speed: 100 });
  const id = await deployed(sandbox, { execution_mode: "sync" });
  const sync = await execute(sandbox, id, { context_data: { lead: 7 } });
  expect(sync).toMatchObject({ status: "success", output: { ok: true, nodes_executed: 1 }, error: null });
  expect(sync.execution_time_ms).toBeGreaterThanOrEqual(100);
  sandbox.faults.add({ kind: "execution_slow", ms: 300, times: 1 });
  const pending = await execute(sandbox, id, { execution_mode: "async" });
  expect(pending).toMatchObject({ status: "running", execution_time_ms: null, output: null });
  const done = await eventually(async () => {
    const all = await executions(sandbox, id, "status=success");
    expect(all).toHaveLength(2);
    return all;
  });
  expect(done).toMatchObject([
    { execution_id: sync.execution_id, input_snapshot: { lead: 7 }, trigger_source: "manual" },
    { execution_id: pending.execution_id, input_snapshot: null },
  ]);
});

test("only an active workflow is executed; a draft can be tested", async () => {
  const sandbox = await openSandbox();
  const { workflow_id: id } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "Draft",
    trigger_type: "webhook",
    workflow_json: {},
  });
  expect((await refusal(sandbox, "POST", `/v1/workflows/${id}/execute`)).status).toBe(409);
  const tested = await get(executeResponse, sandbox, "POST", `/v1/workflows/${id}/test`);
  expect(tested.status).toBe("success");
});

test("a share of executions fails, the same in every run", async () => {
  const outcomes = async () => {
    const sandbox = await openSandbox({ speed: 1_000 });
    const id = await deployed(sandbox, { execution_mode: "sync" });
    sandbox.faults.add({ kind: "execution", outcome: "timeout", share: 0.3 });
    const ends: string[] = [];
    for (let nth = 0; nth < 40; nth += 1) ends.push((await execute(sandbox, id)).status);
    return ends;
  };
  const ends = await outcomes();
  const struck = ends.filter((end) => end === "timeout").length;
  expect(struck).toBeGreaterThan(4);
  expect(struck).toBeLessThan(24);
  expect(await outcomes()).toEqual(ends);
});

test("faults make executions fail, time out after timeout_seconds, or never end", async () => {
  const sandbox = await openSandbox({ speed: 100 });
  const id = await deployed(sandbox, { execution_mode: "sync", timeout_seconds: 3 });
  sandbox.faults.add({ kind: "execution", outcome: "failed", error: "no such lead", times: 1 });
  sandbox.faults.add({ kind: "execution", outcome: "timeout", workflow_id: id, times: 1 });
  sandbox.faults.add({ kind: "execution", outcome: "stuck", workflow_id: "another", times: 1 });
  expect(await execute(sandbox, id)).toMatchObject({ status: "failed", error: "no such lead", output: null });
  expect(await execute(sandbox, id)).toMatchObject({
    status: "timeout",
    error: "Timed out after 3 s",
    execution_time_ms: 3_000,
  });
  expect(await execute(sandbox, id)).toMatchObject({ status: "success" });
  sandbox.faults.add({ kind: "execution", outcome: "stuck", times: 1 });
  expect(await execute(sandbox, id, { execution_mode: "async" })).toMatchObject({ status: "running" });
  expect(await executions(sandbox, id, "status=running")).toMatchObject([
    { completed_at: null, execution_time_ms: null },
  ]);
});

test("two sandboxes with one seed run workflows to the same ends, of which a few are failures", async () => {
  const ends = async () => {
    const sandbox = await openSandbox({ seed: 3, speed: 100_000 });
    const id = await deployed(sandbox, { execution_mode: "sync" });
    const statuses: string[] = [];
    for (let nth = 0; nth < 60; nth += 1) {
      const { status, execution_time_ms: ms } = await execute(sandbox, id);
      statuses.push(`${status} ${ms}`);
    }
    return statuses;
  };
  const one = await ends();
  expect(await ends()).toEqual(one);
  const failed = one.filter((end) => end.startsWith("failed")).length;
  expect(failed).toBeGreaterThan(0);
  expect(failed).toBeLessThan(15);
});

test("a call sets off the linked, enabled and active workflows of its agent once it is processed", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.faults.add({ kind: "execution", outcome: "success" });
  sandbox.outcomes.force(phone(1), [{ outcome: "answered", talk_ms: 20_000 }]);
  const [low, high, disabled, draft] = [
    await deployed(sandbox, { name: "Low", execution_mode: "sync" }),
    await deployed(sandbox, { name: "High", execution_mode: "sync" }),
    await deployed(sandbox),
    await deployed(sandbox),
  ];
  await link(sandbox, low);
  await link(sandbox, high, { priority: 5 });
  await link(sandbox, disabled);
  await link(sandbox, draft);
  const off = { is_enabled: false };
  await get(agentLinkResponse, sandbox, "PATCH", `/v1/workflows/${disabled}/agents/${PUBLISHED_AGENT}`, off);
  await get(workflowPatchResponse, sandbox, "PATCH", `/v1/workflows/${draft}`, { is_active: false });
  const found = await callWithExecutions(sandbox, phone(1), 2);
  expect(found).toMatchObject([
    { workflow_id: high, workflow_name: "High", status: "success", trigger_source: "post_call_worker" },
    { workflow_id: low, workflow_name: "Low", status: "success", trigger_type: "post_call" },
  ]);
  const [first, second] = found;
  expect(Date.parse(second?.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(first?.completed_at ?? ""));
  const [record] = await executions(sandbox, high);
  expect(record).toMatchObject({
    input_snapshot: { to_number: phone(1), status: "ended", duration_seconds: 20 },
  });
  expect(await executions(sandbox, draft)).toEqual([]);
});

test("a condition that the call does not meet skips its workflow, and says so", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.faults.add({ kind: "execution", outcome: "success" });
  sandbox.outcomes.force(phone(1), [{ outcome: "answered", callback_requested: true }]);
  sandbox.outcomes.force(phone(2), ["no_answer"]);
  const id = await deployed(sandbox);
  await link(sandbox, id, { trigger_condition_description: "The contact asked to be called back" });
  expect(await callWithExecutions(sandbox, phone(1), 1)).toMatchObject([{ status: "success" }]);
  expect(await callWithExecutions(sandbox, phone(2), 1)).toMatchObject([
    { status: "skipped", error_message: "The trigger condition is not met" },
  ]);
});

test("what an agent asks for in a call runs while it is up", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.outcomes.force(phone(1), ["answered"]);
  sandbox.outcomes.force(phone(2), ["voicemail"]);
  await link(sandbox, await deployed(sandbox, { trigger_type: "in_call" }));
  expect(await callWithExecutions(sandbox, phone(1), 1)).toMatchObject([
    { trigger_type: "in_call", trigger_source: "voice_agent" },
  ]);
  expect(await callWithExecutions(sandbox, phone(2), 0)).toEqual([]);
});
