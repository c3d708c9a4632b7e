import { expect, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { apiKeyCreatedResponse } from "../../src/sandbox/schemas/api-keys.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { phoneNumberResponse } from "../../src/sandbox/schemas/phone-numbers.ts";
import { sipConnectionResponse } from "../../src/sandbox/schemas/sip-connections.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  get,
  listen,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
} from "./support.ts";

const OTHER_KEY = "key-of-another-organization";

async function twoOrganizations(): Promise<Sandbox> {
  return await openSandbox({
    otherOrganizations: [
      { agents: [], numbers: [], balanceUsd: 10, apiKeys: [{ key: OTHER_KEY, scopes: ["*"] }] },
    ],
  });
}

test("what one organization owns is 404 for another, whatever the method", async () => {
  const sandbox = await twoOrganizations();
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  const batch = await createBatch(sandbox, phones(1));
  const number = await get(phoneNumberResponse, sandbox, "POST", "/v1/phone-numbers", {
    phone_number: "+12025550111",
  });
  const sip = await get(
    sipConnectionResponse,
    sandbox,
    "POST",
    `/v1/phone-numbers/${number.phone_number_id}/sip-connections`,
    { termination_uri: "sip.example.com" },
  );
  const key = await get(apiKeyCreatedResponse, sandbox, "POST", "/v1/api-keys", { name: "a key" });
  const sipPath = `/v1/phone-numbers/${number.phone_number_id}/sip-connections`;
  for (const [method, path, body] of [
    ["GET", `/v1/agents/${PUBLISHED_AGENT}`],
    ["PATCH", `/v1/agents/${PUBLISHED_AGENT}`, {}],
    ["DELETE", `/v1/agents/${PUBLISHED_AGENT}`],
    ["POST", `/v1/agents/${PUBLISHED_AGENT}/publish`],
    ["GET", `/v1/agents/${PUBLISHED_AGENT}/versions`],
    ["GET", `/v1/agents/${PUBLISHED_AGENT}/export`],
    ["GET", `/v1/agents/${PUBLISHED_AGENT}/workflows`],
    ["GET", `/v1/calls/${call.call_id}`],
    ["POST", `/v1/calls/${call.call_id}/end`],
    ["DELETE", `/v1/calls/${call.call_id}`],
    ["GET", `/v1/calls/${call.call_id}/recording`],
    ["GET", `/v1/batch-calls/${batch.batch_call_id}`],
    ["POST", `/v1/batch-calls/${batch.batch_call_id}/start`],
    ["GET", `/v1/batch-calls/${batch.batch_call_id}/items`],
    ["GET", `/v1/phone-numbers/${number.phone_number_id}`],
    ["PATCH", `/v1/phone-numbers/${number.phone_number_id}/agents`, {}],
    ["GET", sipPath],
    ["GET", `${sipPath}/${sip.sip_connection_id}`],
    ["DELETE", `${sipPath}/${sip.sip_connection_id}`],
    ["GET", `/v1/api-keys/${key.id}`],
    ["POST", `/v1/api-keys/${key.id}/rotate`],
    ["DELETE", `/v1/api-keys/${key.id}`],
    ["POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT }],
    ["POST", "/v1/calls/test", { agent_id: PUBLISHED_AGENT }],
  ] as const) {
    const answer = await ask(sandbox, method, path, body, OTHER_KEY);
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
  await expect(listen(sandbox, batch.batch_call_id, { header: OTHER_KEY })).rejects.toThrow("refused: 404");
});

test("lists show an organization its own things alone", async () => {
  const sandbox = await twoOrganizations();
  await createBatch(sandbox, phones(1));
  for (const path of ["/v1/agents", "/v1/calls", "/v1/batch-calls", "/v1/phone-numbers"]) {
    const answer = await ask(sandbox, "GET", path, undefined, OTHER_KEY);
    expect(answer).toMatchObject({ status: 200, body: { items: [], total: 0 } });
  }
  const keys = await ask(sandbox, "GET", "/v1/api-keys", undefined, OTHER_KEY);
  expect(z.array(z.unknown()).parse(keys.body)).toHaveLength(1);
});

test("an agent that one organization exports can be imported by another", async () => {
  const sandbox = await twoOrganizations();
  const exported = await ask(sandbox, "GET", `/v1/agents/${PUBLISHED_AGENT}/export`);
  const imported = await ask(sandbox, "POST", "/v1/agents/import", exported.body, OTHER_KEY);
  expect(imported.status).toBe(201);
  const agent = agentResponse.parse(imported.body);
  expect(agent).toMatchObject({ agent_name: "Renewal assistant", is_published: false });
  expect((await ask(sandbox, "GET", `/v1/agents/${agent.agent_id}`)).status).toBe(404);
});
