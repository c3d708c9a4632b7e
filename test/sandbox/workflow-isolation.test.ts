import { expect, test } from "vitest";

import { chatCreatedResponse } from "../../src/sandbox/schemas/chat-sessions.ts";
import { knowledgeBaseResponse } from "../../src/sandbox/schemas/knowledge-bases.ts";
import { scheduleStatusResponse } from "../../src/sandbox/schemas/schedules.ts";
import { callListItem, callResponse } from "../../src/sandbox/schemas/calls.ts";
import { workflowCreateResponse } from "../../src/sandbox/schemas/workflows.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { ask, CALLER_ID, eventually, get, openSandbox, phone, PUBLISHED_AGENT } from "./support.ts";

const OTHER_KEY = "other-organization-key";
const OTHER_AGENT = "33333333-3333-4333-8333-333333333333";
const READ_ONLY_KEY = "reads-agents-only";

/** A sandbox with one of everything in the first organization, the paths of it all, and a second organization. */
async function twoOrganizations() {
  const sandbox = await openSandbox({
    speed: 5_000,
    apiKeys: ["first-key", { key: READ_ONLY_KEY, scopes: ["agents:read"] }],
    otherOrganizations: [
      {
        agents: [{ id: OTHER_AGENT, name: "Theirs", published: true }],
        numbers: [],
        balanceUsd: 5,
        apiKeys: [{ key: OTHER_KEY, scopes: ["*"] }],
      },
    ],
  });
  const { workflow_id: workflow } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: "Ours",
    trigger_type: "schedule",
    workflow_json: {},
  });
  const daily = { cron: "0 9 * * *" };
  await get(scheduleStatusResponse, sandbox, "POST", `/v1/workflows/${workflow}/schedule`, daily);
  const { id: base } = await get(knowledgeBaseResponse, sandbox, "POST", "/v1/knowledge-bases", {
    name: "Ours",
  });
  const chat = await get(chatCreatedResponse, sandbox, "POST", "/v1/chat/sessions", {
    agent_id: PUBLISHED_AGENT,
  });
  sandbox.outcomes.force(phone(1), ["answered"]);
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  await eventually(async () => {
    const { items } = await get(envelopeOf(callListItem), sandbox, "GET", "/v1/calls?status=ended");
    expect(items).toHaveLength(1);
  });
  return { sandbox, workflow, base, chat: chat.id, call: call.call_id };
}

test("no record of one organization can be reached with the key of another", async () => {
  const { sandbox, workflow, base, chat, call } = await twoOrganizations();
  const secrets = { secrets: [{ key_name: "a", value: "b" }] };
  const requests: readonly (readonly [string, string, unknown?])[] = [
    ["GET", `/v1/workflows/${workflow}`],
    ["PATCH", `/v1/workflows/${workflow}`, { name: "Theirs" }],
    ["DELETE", `/v1/workflows/${workflow}`],
    ["POST", `/v1/workflows/${workflow}/refine`, { feedback: "more" }],
    ["POST", `/v1/workflows/${workflow}/restore`, { version: 1 }],
    ["POST", `/v1/workflows/${workflow}/secrets`, secrets],
    ["GET", `/v1/workflows/${workflow}/credential-schema`],
    ["POST", `/v1/workflows/${workflow}/deploy`],
    ["POST", `/v1/workflows/${workflow}/test`],
    ["POST", `/v1/workflows/${workflow}/execute`, {}],
    ["GET", `/v1/workflows/${workflow}/executions`],
    ["GET", `/v1/workflows/${workflow}/export`],
    ["GET", `/v1/workflows/${workflow}/agents`],
    ["POST", `/v1/workflows/${workflow}/agents/${OTHER_AGENT}`, {}],
    ["PATCH", `/v1/workflows/${workflow}/agents/${PUBLISHED_AGENT}`, {}],
    ["DELETE", `/v1/workflows/${workflow}/agents/${PUBLISHED_AGENT}`],
    ["POST", `/v1/workflows/${workflow}/schedule`, { interval_minutes: 5 }],
    ["GET", `/v1/workflows/${workflow}/schedule`],
    ["DELETE", `/v1/workflows/${workflow}/schedule`],
    ["GET", `/v1/knowledge-bases/${base}`],
    ["DELETE", `/v1/knowledge-bases/${base}`],
    ["DELETE", `/v1/knowledge-bases/${base}/documents/x`],
    ["GET", `/v1/chat/sessions/${chat}`],
    ["POST", `/v1/chat/sessions/${chat}/messages`, { content: "Hi" }],
    ["POST", `/v1/chat/sessions/${chat}/close`],
    ["POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT }],
    ["POST", "/v1/chat/test", { agent_id: PUBLISHED_AGENT }],
    ["GET", `/v1/billing/usage/calls/${call}`],
    ["POST", "/v1/workflows/generate", { name: "x", description: "y", agent_id: PUBLISHED_AGENT }],
  ];
  for (const [method, path, body] of requests) {
    const { status } = await ask(sandbox, method, path, body, OTHER_KEY);
    expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 404`);
  }
});

test("lists, sums and balances of one organization say nothing of another", async () => {
  const { sandbox } = await twoOrganizations();
  const theirs = async (path: string) => (await ask(sandbox, "GET", path, undefined, OTHER_KEY)).body;
  expect(await theirs("/v1/workflows?include_deleted=true")).toMatchObject({ total: 0, items: [] });
  expect(await theirs("/v1/workflows/schedules")).toEqual([]);
  expect(await theirs("/v1/knowledge-bases")).toEqual([]);
  expect(await theirs("/v1/chat/sessions")).toMatchObject({ total: 0 });
  expect(await theirs("/v1/analytics/summary")).toMatchObject({ total_calls: 0 });
  expect(await theirs("/v1/analytics/calls-by-day")).toEqual([]);
  expect(await theirs("/v1/analytics/latency")).toMatchObject({ e2e: { p50: null } });
  expect(await theirs("/v1/billing/balance")).toMatchObject({ current_balance: 5, total_credits_used: 0 });
  expect(await theirs("/v1/billing/usage")).toMatchObject({ total: 0 });
  expect(await theirs("/v1/billing/transactions")).toMatchObject({ total: 1 });
});

test("a key without the scope is refused with 403, one that is none with 401", async () => {
  const { sandbox, workflow } = await twoOrganizations();
  for (const path of [
    "/v1/workflows",
    `/v1/workflows/${workflow}/executions`,
    "/v1/workflows/schedules",
    "/v1/analytics/summary",
    "/v1/config/defaults",
    "/v1/knowledge-bases",
    "/v1/chat/sessions",
  ]) {
    expect((await ask(sandbox, "GET", path, undefined, READ_ONLY_KEY)).status).toBe(403);
    expect((await ask(sandbox, "GET", path, undefined, "nobody's")).status).toBe(401);
  }
  expect((await ask(sandbox, "GET", "/v1/billing/balance", undefined, null)).status).toBe(401);
});
