import { expect, test } from "vitest";

import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { envelopeOf, messageResponse } from "../../src/sandbox/schemas/page.ts";
import { phoneNumberDetailResponse } from "../../src/sandbox/schemas/phone-numbers.ts";
import { DRAFT_AGENT, get, openSandbox, PUBLISHED_AGENT, refusal } from "./support.ts";

test("the seed has a published agent and a draft", async () => {
  const sandbox = await openSandbox();
  const page = await get(envelopeOf(agentResponse), sandbox, "GET", "/v1/agents");
  expect(page).toMatchObject({ total: 2, skip: 0, limit: 50 });
  expect(page.items.map((agent) => [agent.agent_id, agent.is_published])).toEqual([
    [PUBLISHED_AGENT, true],
    [DRAFT_AGENT, false],
  ]);
});

test("an agent is created from `name`, shown with `agent_name`, and starts as a draft with defaults", async () => {
  const sandbox = await openSandbox();
  const agent = await get(agentResponse, sandbox, "POST", "/v1/agents", {
    name: "Ada",
    temperature: 0.2,
    llm_api_key: "never-shown",
    something_new: true,
  });
  expect(agent).toMatchObject({
    agent_name: "Ada",
    is_published: false,
    published_version: null,
    temperature: 0.2,
    llm_model: "gpt-4o",
    versions: [{ version: 1, agent_name: "Ada" }],
  });
  expect(JSON.stringify(agent)).not.toContain("never-shown");
  expect(agent).not.toHaveProperty("something_new");
});

test("each change is a new draft version, and publishing makes one of them live", async () => {
  const sandbox = await openSandbox();
  const path = `/v1/agents/${DRAFT_AGENT}`;
  await get(agentResponse, sandbox, "PATCH", path, { system_prompt: "Be brief." });
  const live = await get(agentResponse, sandbox, "POST", `${path}/publish`);
  expect(live).toMatchObject({ is_published: true, published_version: 2 });
  const changed = await get(agentResponse, sandbox, "PATCH", path, { name: "Grace" });
  expect(changed).toMatchObject({ agent_name: "Grace", published_version: 2, is_published: true });
  expect(changed.versions).toHaveLength(3);
  expect(changed.versions?.[1]).toMatchObject({ system_prompt: "Be brief.", is_published: true });
  const old = await get(agentResponse, sandbox, "POST", `${path}/publish?version=1`);
  expect(old.published_version).toBe(1);
  expect(await refusal(sandbox, "POST", `${path}/publish?version=9`)).toMatchObject({ status: 404 });
});

test("a deleted agent is gone, from its numbers as well", async () => {
  const sandbox = await openSandbox();
  const number = await get(phoneNumberDetailResponse.partial(), sandbox, "POST", "/v1/phone-numbers", {
    phone_number: "+12025550177",
    inbound_agent_id: DRAFT_AGENT,
  });
  await get(messageResponse, sandbox, "DELETE", `/v1/agents/${DRAFT_AGENT}`);
  expect(await refusal(sandbox, "GET", `/v1/agents/${DRAFT_AGENT}`)).toEqual({
    status: 404,
    detail: "Agent not found",
  });
  const path = `/v1/phone-numbers/${number.phone_number_id ?? ""}`;
  const detail = await get(phoneNumberDetailResponse, sandbox, "GET", path);
  expect(detail).toMatchObject({ inbound_agent_id: null, inbound_agent_name: null });
});

test.each([
  [{}, ["body", "name"], "missing"],
  [{ name: "" }, ["body", "name"], "too_short"],
  [{ name: "x".repeat(256) }, ["body", "name"], "too_long"],
  [{ name: 5 }, ["body", "name"], "string_type"],
  [{ name: "A", temperature: 2.1 }, ["body", "temperature"], "less_than_equal"],
  [{ name: "A", voice_speed: 0.4 }, ["body", "voice_speed"], "greater_than_equal"],
  [{ name: "A", max_completion_tokens: 8193 }, ["body", "max_completion_tokens"], "less_than_equal"],
  [{ name: "A", agent_type: "robot" }, ["body", "agent_type"], "enum"],
  [{ name: "A", language: "not a tag" }, ["body", "language"], "string_pattern_mismatch"],
])("an agent made of %j is refused with the field's name", async (body, loc, type) => {
  const sandbox = await openSandbox();
  const refused = await refusal(sandbox, "POST", "/v1/agents", body);
  expect(refused).toMatchObject({ status: 422, detail: [{ loc, type, msg: expect.any(String) }] });
});

test("pages follow skip and limit, and refuse what makes no page", async () => {
  const sandbox = await openSandbox();
  for (const name of ["C", "D", "E"]) {
    await get(agentResponse, sandbox, "POST", "/v1/agents", { name });
  }
  const page = await get(envelopeOf(agentResponse), sandbox, "GET", "/v1/agents?skip=3&limit=1");
  expect(page).toMatchObject({ total: 5, skip: 3, limit: 1 });
  expect(page.items.map((agent) => agent.agent_name)).toEqual(["D"]);
  for (const query of ["limit=0", "limit=x", "skip=-1"]) {
    const refused = await refusal(sandbox, "GET", `/v1/agents?${query}`);
    expect(refused).toMatchObject({ status: 422, detail: [{ loc: ["query", query.split("=")[0]] }] });
  }
});
