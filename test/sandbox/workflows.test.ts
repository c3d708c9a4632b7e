import { expect, test } from "vitest";
import type { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { messageResponse } from "../../src/sandbox/schemas/page.ts";
import { agentLinkResponse, linkedAgentItem } from "../../src/sandbox/schemas/workflow-links.ts";
import {
  credentialSchemaResponse,
  deployResponse,
  exportedWorkflow,
  generateResponse,
  secretsResponse,
  workflowCreateResponse,
  workflowDetailResponse,
  workflowPatchResponse,
  workflowResponse,
  workflowsResponse,
} from "../../src/sandbox/schemas/workflows.ts";
import { ask, get, openSandbox, PUBLISHED_AGENT, refusal } from "./support.ts";

type Detail = z.output<typeof workflowDetailResponse>;

const JSON_OF_ONE_NODE = { nodes: [{ name: "Start", type: "n8n-nodes-base.webhook" }], connections: {} };

async function createWorkflow(sandbox: Sandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const created = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "Tell sales",
    trigger_type: "post_call",
    workflow_json: JSON_OF_ONE_NODE,
    ...fields,
  });
  return created.workflow_id;
}

async function read(sandbox: Sandbox, id: string): Promise<Detail> {
  return await get(workflowDetailResponse, sandbox, "GET", `/v1/workflows/${id}`);
}

async function listIds(sandbox: Sandbox, query: string): Promise<string[]> {
  const { items } = await get(workflowsResponse, sandbox, "GET", `/v1/workflows?${query}`);
  return items.map((item) => item.workflow_id);
}

test("a workflow is a draft until it is deployed, can be paused and resumed, and shelved again", async () => {
  const sandbox = await openSandbox();
  const id = await createWorkflow(sandbox);
  const path = `/v1/workflows/${id}`;
  const patch = async (body: Record<string, unknown>) => {
    const { workflow_status: status } = await get(workflowPatchResponse, sandbox, "PATCH", path, body);
    return status;
  };
  expect(await read(sandbox, id)).toMatchObject({
    status: "draft",
    is_active: false,
    n8n_workflow_id: null,
    execution_mode: "async",
    timeout_seconds: 60,
  });
  expect((await refusal(sandbox, "PATCH", path, { is_active: true })).status).toBe(409);
  const deployed = await get(deployResponse, sandbox, "POST", `${path}/deploy`);
  expect(deployed).toMatchObject({ status: "active", error: null });
  expect(await read(sandbox, id)).toMatchObject({
    is_active: true,
    n8n_workflow_id: deployed.n8n_workflow_id,
    deployed_version: 1,
  });
  expect(await patch({ is_active: false })).toBe("paused");
  expect(await patch({ status: "active", name: "Tell support" })).toBe("active");
  expect(await patch({ status: "draft" })).toBe("draft");
  expect((await read(sandbox, id)).name).toBe("Tell support");
  expect((await refusal(sandbox, "PATCH", path, { status: "active", is_active: false })).status).toBe(422);
  expect((await refusal(sandbox, "PATCH", path, { status: "error" })).status).toBe(422);
});

test("the same description makes the same workflow, and feedback adds to it as a new version", async () => {
  const sandbox = await openSandbox();
  const body = { name: "Alert", description: "Send an email when a call failed", agent_id: PUBLISHED_AGENT };
  const generate = async () => await get(generateResponse, sandbox, "POST", "/v1/workflows/generate", body);
  const one = await generate();
  const other = await generate();
  expect(other.workflow_json).toEqual(one.workflow_json);
  expect(other.workflow_id).not.toBe(one.workflow_id);
  expect(one.required_secrets.map(({ key_name: name }) => name)).toEqual([
    "smtp.host",
    "smtp.user",
    "smtp.password",
  ]);
  expect(one.visualization.nodes.map(({ name }) => name)).toContain("Send email");
  expect(one.visualization.mermaid).toContain("Send email");
  expect(one.visualization.edges).toContainEqual({ from: "n0", to: "n1" });
  const path = `/v1/workflows/${one.workflow_id}`;
  const refined = await get(generateResponse, sandbox, "POST", `${path}/refine`, {
    feedback: "Post it to Slack, too",
  });
  expect(refined.visualization.mermaid).toContain("Slack");
  const detail = await read(sandbox, one.workflow_id);
  expect(detail).toMatchObject({ version: 2, detected_credentials: ["smtp", "slackApi"] });
  expect(detail.generation_history).toMatchObject([
    { version: 1, action: "generated", prompt: body.description },
    { version: 2, action: "refined", prompt: "Post it to Slack, too" },
  ]);
  const restored = await get(workflowDetailResponse, sandbox, "POST", `${path}/restore`, { version: 1 });
  expect(restored.workflow_json).toEqual(one.workflow_json);
  expect(restored.generation_history).toHaveLength(3);
  expect((await refusal(sandbox, "POST", `${path}/restore`, { version: 9 })).status).toBe(404);
  expect(await listIds(sandbox, `agent_id=${PUBLISHED_AGENT}`)).toEqual([one.workflow_id, other.workflow_id]);
});

test("restoring without a version takes the last change back, and brings a deleted workflow back", async () => {
  const sandbox = await openSandbox();
  const id = await createWorkflow(sandbox);
  const path = `/v1/workflows/${id}`;
  expect(await refusal(sandbox, "POST", `${path}/restore`)).toMatchObject({ status: 409 });
  const first = await read(sandbox, id);
  await get(generateResponse, sandbox, "POST", `${path}/refine`, { feedback: "Post it to Slack" });
  const restored = await get(workflowDetailResponse, sandbox, "POST", `${path}/restore`);
  expect(restored).toMatchObject({ version: 3, workflow_json: first.workflow_json });
  await ask(sandbox, "DELETE", path);
  expect((await refusal(sandbox, "GET", path)).status).toBe(404);
  const back = await get(workflowDetailResponse, sandbox, "POST", `${path}/restore`);
  expect(back).toMatchObject({ version: 3, status: "draft", deleted_at: null });
  expect((await read(sandbox, id)).workflow_id).toBe(id);
  await ask(sandbox, "DELETE", path);
  expect((await refusal(sandbox, "POST", `${path}/restore?version=9`)).status).toBe(404);
  expect((await refusal(sandbox, "GET", path)).status).toBe(404);
  const earlier = await get(workflowDetailResponse, sandbox, "POST", `${path}/restore?version=2`);
  expect(earlier).toMatchObject({ version: 4, deleted_at: null });
  expect((await refusal(sandbox, "POST", "/v1/workflows/nothing/restore")).status).toBe(404);
});

test("what is shown of a workflow grows no faster than the workflow, whatever its nodes are called", async () => {
  const sandbox = await openSandbox();
  const many = Array.from({ length: 3_000 }, () => ({ name: "Same", type: "t" }));
  const json = {
    nodes: [...many, { name: "__proto__" }, { name: "constructor" }],
    connections: { Same: { main: [many.map(() => ({ node: "Same" }))] }, other: 3 },
  };
  const id = await createWorkflow(sandbox, { workflow_json: json });
  const { visualization } = await read(sandbox, id);
  expect([visualization.nodes.length, visualization.edges.length]).toEqual([3_002, 3_000]);
  for (const odd of [{}, { nodes: "none" }, { nodes: [1, null], connections: [] }]) {
    const shown = await read(sandbox, await createWorkflow(sandbox, { workflow_json: odd }));
    expect(shown.visualization).toEqual({ nodes: [], edges: [], mermaid: "flowchart LR\n" });
  }
});

test("only a workflow that others set off has an address, which stays its own", async () => {
  const sandbox = await openSandbox();
  const [one, other] = [
    await createWorkflow(sandbox, { trigger_type: "webhook" }),
    await createWorkflow(sandbox, { trigger_type: "webhook" }),
  ];
  const { webhook_slug: slug } = await read(sandbox, one);
  expect(slug).toMatch(/^[\w-]{22}$/);
  expect((await read(sandbox, other)).webhook_slug).not.toBe(slug);
  expect((await read(sandbox, await createWorkflow(sandbox))).webhook_slug).toBeNull();
  await ask(sandbox, "PATCH", `/v1/workflows/${one}`, { name: "Another name" });
  expect((await read(sandbox, one)).webhook_slug).toBe(slug);
});

test("generation is paid for, and refused without credits", async () => {
  const sandbox = await openSandbox();
  sandbox.setBalance(0);
  const body = { name: "Alert", description: "Send an email" };
  expect((await refusal(sandbox, "POST", "/v1/workflows/generate", body)).status).toBe(402);
});

test("a deployment without its secrets is an error that names them; with them it goes live; none is shown", async () => {
  const sandbox = await openSandbox();
  const generated = await get(generateResponse, sandbox, "POST", "/v1/workflows/generate", {
    name: "Alert",
    description: "Post to Slack",
  });
  const path = `/v1/workflows/${generated.workflow_id}`;
  expect(await get(deployResponse, sandbox, "POST", `${path}/deploy`)).toMatchObject({
    status: "error",
    error: "Missing secrets: slackApi.accessToken",
  });
  expect((await read(sandbox, generated.workflow_id)).status).toBe("error");
  const schemas = await get(credentialSchemaResponse.array(), sandbox, "GET", `${path}/credential-schema`);
  expect(schemas).toMatchObject([
    { credential_type: "slackApi", fields: [{ name: "accessToken", required: true, type: "string" }] },
  ]);
  const value = "xoxb-very-secret";
  const stored = await ask(sandbox, "POST", `${path}/secrets`, {
    secrets: [{ key_name: "slackApi.accessToken", value }],
  });
  expect(secretsResponse.parse(stored.body)).toMatchObject({ stored: ["slackApi.accessToken"], missing: [] });
  expect(await get(deployResponse, sandbox, "POST", `${path}/deploy`)).toMatchObject({ status: "active" });
  const everything = await Promise.all(
    [path, `${path}/export`, "/v1/workflows", `${path}/credential-schema`].map(
      async (one) => await ask(sandbox, "GET", one),
    ),
  );
  expect(JSON.stringify([stored, ...everything].map(({ body }) => body))).not.toContain(value);
});

test("credentials are checked where that is asked for", async () => {
  const sandbox = await openSandbox();
  const path = `/v1/workflows/${await createWorkflow(sandbox)}/secrets`;
  const secrets = [
    { key_name: "a", value: "fine" },
    { key_name: "b", value: "not json", type: "json" },
  ];
  const refused = await refusal(sandbox, "POST", path, { secrets, validate_credentials: true });
  expect(refused).toMatchObject({ status: 422, detail: [{ loc: ["body", "secrets", 1, "value"] }] });
  expect(await get(secretsResponse, sandbox, "POST", path, { secrets })).toMatchObject({
    stored: ["a", "b"],
  });
});

test("export then import is the identity on configuration", async () => {
  const sandbox = await openSandbox();
  const id = await createWorkflow(sandbox, {
    description: "For sales",
    trigger_type: "webhook",
    trigger_config: { path: "lead" },
    execution_mode: "sync",
    timeout_seconds: 7,
  });
  const exported = await get(exportedWorkflow, sandbox, "GET", `/v1/workflows/${id}/export`);
  const imported = await get(workflowResponse, sandbox, "POST", "/v1/workflows/import", exported);
  expect(imported).toMatchObject({ status: "draft", version: 1 });
  expect(imported.workflow_id).not.toBe(id);
  const again = await ask(sandbox, "GET", `/v1/workflows/${imported.workflow_id}/export`);
  expect(again.body).toEqual(exported);
});

test("the list is filtered and paged, and tells of deleted workflows only where it is asked to", async () => {
  const sandbox = await openSandbox();
  const first = await createWorkflow(sandbox);
  const second = await createWorkflow(sandbox, { trigger_type: "webhook" });
  const third = await createWorkflow(sandbox);
  await get(deployResponse, sandbox, "POST", `/v1/workflows/${second}/deploy`);
  await get(messageResponse, sandbox, "DELETE", `/v1/workflows/${first}`);
  expect(await listIds(sandbox, "")).toEqual([second, third]);
  expect(await listIds(sandbox, "include_deleted=true")).toEqual([first, second, third]);
  expect(await listIds(sandbox, "trigger_type=webhook")).toEqual([second]);
  expect(await listIds(sandbox, "status=active")).toEqual([second]);
  const page = await get(workflowsResponse, sandbox, "GET", "/v1/workflows/?page=2&per_page=1");
  expect(page).toMatchObject({ total: 2, page: 2, per_page: 1, items: [{ workflow_id: third }] });
  for (const [method, suffix] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/deploy"],
    ["GET", "/export"],
  ] as const) {
    expect((await refusal(sandbox, method, `/v1/workflows/${first}${suffix}`)).status).toBe(404);
  }
});

test("a link to an agent is one link, whichever path it is reached by", async () => {
  const sandbox = await openSandbox();
  const id = await createWorkflow(sandbox);
  const path = `/v1/workflows/${id}/agents/${PUBLISHED_AGENT}`;
  const link = await get(agentLinkResponse, sandbox, "POST", path, { priority: 3 });
  expect(link).toMatchObject({ priority: 3, is_enabled: true, trigger_condition_description: null });
  expect((await refusal(sandbox, "POST", path)).status).toBe(409);
  const other = `/v1/agents/${PUBLISHED_AGENT}/workflows/${id}`;
  expect((await refusal(sandbox, "POST", other)).status).toBe(409);
  const patched = await get(agentLinkResponse, sandbox, "PATCH", path, {
    is_enabled: false,
    trigger_condition_description: "The caller asked for a callback",
  });
  expect(patched).toMatchObject({ is_enabled: false, priority: 3 });
  const linked = await get(linkedAgentItem.array(), sandbox, "GET", `/v1/workflows/${id}/agents`);
  expect(linked).toEqual([{ ...patched, agent_name: "Renewal assistant" }]);
  await get(messageResponse, sandbox, "DELETE", other);
  expect((await refusal(sandbox, "DELETE", path)).status).toBe(404);
  expect((await refusal(sandbox, "PATCH", path, {})).status).toBe(404);
  expect((await refusal(sandbox, "POST", `/v1/workflows/${id}/agents/nobody`)).status).toBe(404);
});

test("a deleted workflow leaves no link behind", async () => {
  const sandbox = await openSandbox();
  const id = await createWorkflow(sandbox);
  await get(agentLinkResponse, sandbox, "POST", `/v1/workflows/${id}/agents/${PUBLISHED_AGENT}`);
  await get(messageResponse, sandbox, "DELETE", `/v1/workflows/${id}`);
  const { body } = await ask(sandbox, "GET", `/v1/agents/${PUBLISHED_AGENT}/workflows`);
  expect(body).toEqual([]);
});

test("what breaks the rules of the fields is refused field by field", async () => {
  const sandbox = await openSandbox();
  const refused = await refusal(sandbox, "POST", "/v1/workflows", {
    name: "",
    trigger_type: "sometimes",
    timeout_seconds: 301,
  });
  expect(refused).toMatchObject({
    status: 422,
    detail: [
      { loc: ["body", "name"] },
      { loc: ["body", "trigger_type"] },
      { loc: ["body", "workflow_json"] },
      { loc: ["body", "timeout_seconds"] },
    ],
  });
});
