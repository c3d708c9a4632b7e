import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { chatCreatedResponse, chatReplyResponse } from "../../src/sandbox/schemas/chat-sessions.ts";
import { executeResponse, executionResponse } from "../../src/sandbox/schemas/executions.ts";
import { knowledgeBaseResponse } from "../../src/sandbox/schemas/knowledge-bases.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { scheduleStatusResponse } from "../../src/sandbox/schemas/schedules.ts";
import { agentLinkResponse } from "../../src/sandbox/schemas/workflow-links.ts";
import {
  deployResponse,
  secretsResponse,
  workflowCreateResponse,
} from "../../src/sandbox/schemas/workflows.ts";
import { ask, CALLER_ID, eventually, get, openSandbox, phone, PUBLISHED_AGENT } from "./support.ts";

function dataFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbox-data-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return path.join(folder, "state.json");
}

async function deployed(sandbox: Sandbox, trigger: string): Promise<string> {
  const { workflow_id: id } = await get(workflowCreateResponse, sandbox, "POST", "/v1/workflows", {
    name: trigger,
    trigger_type: trigger,
    workflow_json: {},
  });
  await get(deployResponse, sandbox, "POST", `/v1/workflows/${id}/deploy`);
  return id;
}

async function executionsOf(sandbox: Sandbox, id: string) {
  const all = `/v1/workflows/${id}/executions?limit=1000`;
  return (await get(envelopeOf(executionResponse), sandbox, "GET", all)).items;
}

test("workflows, secrets, chats and the ledger are there after a restart, and what was under way goes on", async () => {
  const options = { data: dataFile(), speed: 100 };
  const first = await createSandbox(options);
  const webhook = await deployed(first, "webhook");
  const secret = "xoxb-very-secret";
  await get(secretsResponse, first, "POST", `/v1/workflows/${webhook}/secrets`, {
    secrets: [{ key_name: "slackApi.accessToken", value: secret }],
  });
  first.faults.add({ kind: "execution", outcome: "success" });
  first.faults.add({ kind: "execution_slow", ms: 60_000, times: 1 });
  const slow = await get(executeResponse, first, "POST", `/v1/workflows/${webhook}/execute`, {});
  const quick = await get(executeResponse, first, "POST", `/v1/workflows/${webhook}/execute`, {});
  const base = await get(knowledgeBaseResponse, first, "POST", "/v1/knowledge-bases", { name: "Manuals" });
  const chat = await get(chatCreatedResponse, first, "POST", "/v1/chat/sessions", {
    agent_id: PUBLISHED_AGENT,
  });
  const messages = `/v1/chat/sessions/${chat.id}/messages`;
  await get(chatReplyResponse, first, "POST", messages, { content: "Hello" });
  const shown = [`/v1/workflows/${webhook}`, "/v1/billing/usage", `/v1/knowledge-bases/${base.id}`];
  const before = await Promise.all(shown.map(async (at) => (await ask(first, "GET", at)).body));
  await first.close();
  expect(readFileSync(options.data, "utf8")).not.toContain(secret);

  const second = await openSandbox(options);
  const after = await Promise.all(shown.map(async (at) => (await ask(second, "GET", at)).body));
  expect(after).toEqual(before);
  await eventually(async () => {
    expect(await executionsOf(second, webhook)).toMatchObject([
      { execution_id: slow.execution_id, status: "running" },
      { execution_id: quick.execution_id, status: "success" },
    ]);
  });
  const reply = await get(chatReplyResponse, second, "POST", messages, { content: "Still there?" });
  expect(reply.session_id).toBe(chat.id);
  const another = await get(chatCreatedResponse, second, "POST", "/v1/chat/sessions", {
    agent_id: PUBLISHED_AGENT,
  });
  expect(another.id).not.toBe(chat.id);
});

test("schedules come due after a restart, and a call that was being processed sets its automation off", async () => {
  const options = { data: dataFile(), speed: 20 };
  const first = await createSandbox(options);
  const scheduled = await deployed(first, "schedule");
  // A simulated minute takes three seconds: it is not up before the restart.
  const every = { interval_minutes: 1 };
  await get(scheduleStatusResponse, first, "POST", `/v1/workflows/${scheduled}/schedule`, every);
  const afterCalls = await deployed(first, "post_call");
  await get(agentLinkResponse, first, "POST", `/v1/workflows/${afterCalls}/agents/${PUBLISHED_AGENT}`);
  first.faults.add({ kind: "processing", ms: 2_000 });
  first.outcomes.force(phone(1), [{ outcome: "answered", ring_ms: 0, talk_ms: 0 }]);
  const call = await get(callResponse, first, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  await eventually(async () => {
    const { status } = await get(callResponse, first, "GET", `/v1/calls/${call.call_id}`);
    expect(status).toBe("ended");
  });
  await first.close();

  const second = await openSandbox(options);
  await eventually(async () => {
    expect(await executionsOf(second, afterCalls)).toMatchObject([{ call_id: call.call_id }]);
    expect((await executionsOf(second, scheduled)).length).toBeGreaterThan(0);
  });
});
