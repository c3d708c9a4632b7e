import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentExport, agentResponse, agentVersionResponse } from "../../src/sandbox/schemas/agents.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { ask, DRAFT_AGENT, eventually, get, openSandbox, PUBLISHED_AGENT, refusal } from "./support.ts";

async function exported(sandbox: Sandbox, id: string) {
  return await get(agentExport, sandbox, "GET", `/v1/agents/${id}/export`);
}

async function imported(sandbox: Sandbox, body: unknown): Promise<string> {
  return (await get(agentResponse, sandbox, "POST", "/v1/agents/import", body)).agent_id;
}

/** Configurations as clients may send them. */
const configs = fc.record(
  {
    name: fc.string({ minLength: 1, maxLength: 255 }),
    description: fc.option(fc.string()),
    agent_type: fc.constantFrom("orchestration_agent", "realtime_agent"),
    agent_mode: fc.constantFrom("single_prompt", "conversation_flow"),
    system_prompt: fc.option(fc.string()),
    greeting_message: fc.option(fc.string()),
    temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
    max_completion_tokens: fc.option(fc.integer({ min: 1, max: 8192 })),
    voice_speed: fc.double({ min: 0.5, max: 2, noNaN: true }),
    interruption_sensitivity: fc.double({ min: 0, max: 1, noNaN: true }),
    stt_multilingual: fc.boolean(),
    language: fc.constantFrom("en-US", "de", "zh-Hant-TW"),
    knowledge_base_ids: fc.array(fc.uuid(), { maxLength: 3 }),
    webhook_url: fc.option(fc.webUrl()),
    mcp_config: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })),
    native_tools_config: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: 2,
    }),
    post_call_analysis_config: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ["name"] },
);

/** What JSON makes of a value: it has no -0. Nor does anybody keep what is called like an object's prototype. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    key === "__proto__" ? undefined : inner,
  );
}

test("an agent that is exported, imported and exported again is the same configuration", async () => {
  const sandbox = await openSandbox();
  await fc.assert(
    fc.asyncProperty(configs, async (config) => {
      const created = await get(agentResponse, sandbox, "POST", "/v1/agents", config);
      const before = await exported(sandbox, created.agent_id);
      expect(before.agent).toMatchObject(throughJson(config) as Record<string, unknown>);
      const after = await exported(sandbox, await imported(sandbox, before));
      expect(after).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

test("an import is a new draft with a history of its own, and keys of providers do not travel", async () => {
  const sandbox = await openSandbox();
  const secret = "sk-of-a-provider";
  const patched = { llm_api_key: secret, stt_api_key: secret, system_prompt: "Be brief." };
  await get(agentResponse, sandbox, "PATCH", `/v1/agents/${PUBLISHED_AGENT}`, patched);
  const file = await exported(sandbox, PUBLISHED_AGENT);
  expect(JSON.stringify(file)).not.toContain(secret);
  const id = await imported(sandbox, file);
  expect(id).not.toBe(PUBLISHED_AGENT);
  const agent = await get(agentResponse, sandbox, "GET", `/v1/agents/${id}`);
  expect(agent).toMatchObject({
    is_published: false,
    system_prompt: "Be brief.",
    versions: [{ version: 1 }],
  });
});

test("keys of other providers are not in the data file, wherever they were given", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbox-agents-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const data = path.join(folder, "state.json");
  const sandbox = await createSandbox({ speed: 600, rooms: "simulated", data });
  const secrets = { llm_api_key: "sk-of-a-provider", stt_api_key: "sk-of-a-provider" };
  const { agent_id: id } = await get(agentResponse, sandbox, "POST", "/v1/agents", {
    name: "Ada",
    mcp_config: { headers: { "x-kept": "as it is" } },
    ...secrets,
  });
  await get(agentResponse, sandbox, "PATCH", `/v1/agents/${id}`, { system_prompt: "Be brief.", ...secrets });
  await imported(sandbox, {
    format: "agent-export",
    format_version: 1,
    agent: { name: "Grace", ...secrets },
  });
  await get(callResponse, sandbox, "POST", "/v1/calls/test", {
    agent_id: id,
    temp_config: { greeting_message: "Just trying", ...secrets },
  });
  await sandbox.close();
  const file = readFileSync(data, "utf8");
  expect(file).toContain("Just trying");
  expect(file).toContain("as it is");
  expect(file).not.toContain("sk-of-a-provider");
});

test("what is no export is refused with the field that is wrong", async () => {
  const sandbox = await openSandbox();
  const file = await exported(sandbox, PUBLISHED_AGENT);
  for (const [body, loc] of [
    [{}, ["body", "format"]],
    [{ ...file, agent: {} }, ["body", "agent", "name"]],
    [{ ...file, agent: { ...file.agent, temperature: 3 } }, ["body", "agent", "temperature"]],
  ] as const) {
    const { status, detail } = await refusal(sandbox, "POST", "/v1/agents/import", body);
    expect(status).toBe(422);
    expect(detail).toContainEqual(expect.objectContaining({ loc }));
  }
});

test("the versions of an agent are listed oldest first, and go with it", async () => {
  const sandbox = await openSandbox();
  const path = `/v1/agents/${DRAFT_AGENT}`;
  await get(agentResponse, sandbox, "PATCH", path, { temperature: 1 });
  await get(agentResponse, sandbox, "PATCH", path, { temperature: 2, version_description: "warmer" });
  await get(agentResponse, sandbox, "POST", `${path}/publish?version=2`);
  const versions = await get(z.array(agentVersionResponse), sandbox, "GET", `${path}/versions`);
  expect(versions).toMatchObject([
    { version: 1, is_published: false, temperature: 0.7 },
    { version: 2, is_published: true, temperature: 1 },
    { version: 3, is_published: false, temperature: 2, version_description: "warmer" },
  ]);
  expect((await ask(sandbox, "DELETE", path)).status).toBe(200);
  expect((await ask(sandbox, "GET", `${path}/versions`)).status).toBe(404);
});

test("a call talks as the version that was live when it was placed", async () => {
  const sandbox = await openSandbox();
  const path = `/v1/agents/${PUBLISHED_AGENT}`;
  await get(agentResponse, sandbox, "PATCH", path, { greeting_message: "Hello from version two" });
  const { call_id: id } = await get(callResponse, sandbox, "POST", "/v1/calls/web", {
    agent_id: PUBLISHED_AGENT,
  });
  await get(agentResponse, sandbox, "POST", `${path}/publish`);
  const call = await eventually(async () => {
    const read = await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
    expect(read.processing_status).toBe("completed");
    return read;
  });
  expect(JSON.stringify(call.transcript)).not.toContain("version two");
});

test("a workflow that is linked to an agent is seen from both, and is unlinked with it", async () => {
  const sandbox = await openSandbox();
  const workflow = await get(z.looseObject({ workflow_id: z.string() }), sandbox, "POST", "/v1/workflows", {
    name: "After the call",
    trigger_type: "post_call",
    workflow_json: { nodes: [], connections: {} },
  });
  const path = `/v1/agents/${DRAFT_AGENT}/workflows`;
  const link = await ask(sandbox, "POST", `${path}/${workflow.workflow_id}`, { priority: 7 });
  expect(link).toMatchObject({ status: 201, body: { priority: 7, is_enabled: true } });
  expect((await ask(sandbox, "POST", `${path}/${workflow.workflow_id}`)).status).toBe(409);
  expect((await ask(sandbox, "GET", path)).body).toMatchObject([
    { workflow_id: workflow.workflow_id, workflow_name: "After the call", trigger_type: "post_call" },
  ]);
  const agent = await get(agentResponse, sandbox, "GET", `/v1/agents/${DRAFT_AGENT}`);
  expect(agent.linked_workflows).toMatchObject([{ workflow_id: workflow.workflow_id }]);
  const agents = `/v1/workflows/${workflow.workflow_id}/agents`;
  expect((await ask(sandbox, "GET", agents)).body).toMatchObject([{ agent_id: DRAFT_AGENT, priority: 7 }]);
  expect((await ask(sandbox, "DELETE", `/v1/agents/${DRAFT_AGENT}`)).status).toBe(200);
  expect((await ask(sandbox, "GET", agents)).body).toEqual([]);
});

test("only a workflow and an agent that are there can be linked", async () => {
  const sandbox = await openSandbox();
  expect((await ask(sandbox, "POST", `/v1/agents/${DRAFT_AGENT}/workflows/nothing`)).status).toBe(404);
  expect((await ask(sandbox, "POST", "/v1/agents/nobody/workflows/nothing")).status).toBe(404);
  expect((await ask(sandbox, "DELETE", `/v1/agents/${DRAFT_AGENT}/workflows/nothing`)).status).toBe(404);
});
