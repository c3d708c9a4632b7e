import { expect, test } from "vitest";
import { z } from "zod";

import { ask, openSandbox } from "./support.ts";

/** Every endpoint of the contract, section by section, and those that published clients show beside it. */
const ENDPOINTS = `
POST /v1/agents
GET /v1/agents/{}
GET /v1/agents
PATCH /v1/agents/{}
DELETE /v1/agents/{}
POST /v1/agents/{}/publish
GET /v1/agents/{}/versions
GET /v1/agents/{}/export
POST /v1/agents/import
POST /v1/agents/{}/workflows/{}
DELETE /v1/agents/{}/workflows/{}
GET /v1/agents/{}/workflows
POST /v1/calls/phone
POST /v1/calls/web
POST /v1/calls/test
GET /v1/calls/{}
GET /v1/calls
POST /v1/calls/{}/end
DELETE /v1/calls/{}
GET /v1/calls/{}/recording
POST /v1/phone-numbers
GET /v1/phone-numbers/{}
GET /v1/phone-numbers
PATCH /v1/phone-numbers/{}
DELETE /v1/phone-numbers/{}
PATCH /v1/phone-numbers/{}/agents
PUT /v1/phone-numbers/{}/agents
POST /v1/phone-numbers/{}/sip-connections
GET /v1/phone-numbers/{}/sip-connections/{}
GET /v1/phone-numbers/{}/sip-connections
PATCH /v1/phone-numbers/{}/sip-connections/{}
DELETE /v1/phone-numbers/{}/sip-connections/{}
GET /v1/phone-numbers/{}/dispatch-rules
POST /v1/batch-calls
GET /v1/batch-calls/{}
GET /v1/batch-calls
GET /v1/batch-calls/active
GET /v1/batch-calls/{}/items
DELETE /v1/batch-calls/{}
POST /v1/batch-calls/{}/start
POST /v1/batch-calls/{}/pause
POST /v1/batch-calls/{}/resume
POST /v1/batch-calls/{}/cancel
POST /v1/workflows
POST /v1/workflows/generate
POST /v1/workflows/{}/refine
GET /v1/workflows/{}
GET /v1/workflows
PATCH /v1/workflows/{}
DELETE /v1/workflows/{}
POST /v1/workflows/{}/restore
POST /v1/workflows/{}/secrets
GET /v1/workflows/{}/credential-schema
GET /v1/workflows/credential-schema/{}
POST /v1/workflows/{}/deploy
POST /v1/workflows/{}/test
POST /v1/workflows/{}/execute
GET /v1/workflows/{}/executions
GET /v1/workflows/{}/export
POST /v1/workflows/import
POST /v1/workflows/{}/agents/{}
PATCH /v1/workflows/{}/agents/{}
DELETE /v1/workflows/{}/agents/{}
GET /v1/workflows/{}/agents
POST /v1/workflows/{}/schedule
GET /v1/workflows/{}/schedule
DELETE /v1/workflows/{}/schedule
GET /v1/workflows/schedules
GET /v1/workflows/schedules/all
GET /v1/workflows/by-agent/{}
GET /v1/analytics/summary
GET /v1/analytics/latency
GET /v1/analytics/calls-by-day
GET /v1/billing/balance
GET /v1/billing/balance/check
GET /v1/billing/transactions
GET /v1/billing/usage
GET /v1/billing/usage/summary
GET /v1/billing/usage/daily
GET /v1/billing/usage/calls/{}
GET /v1/billing/usage/call/{}
GET /v1/billing/pricing
POST /v1/billing/pricing/estimate
GET /v1/config/providers
GET /v1/config/providers/{}
GET /v1/config/defaults
GET /v1/config/languages
POST /v1/knowledge-bases
GET /v1/knowledge-bases
GET /v1/knowledge-bases/{}
DELETE /v1/knowledge-bases/{}
POST /v1/knowledge-bases/{}/documents
DELETE /v1/knowledge-bases/{}/documents/{}
POST /v1/api-keys
GET /v1/api-keys
GET /v1/api-keys/{}
PATCH /v1/api-keys/{}
DELETE /v1/api-keys/{}
POST /v1/api-keys/{}/rotate
GET /v1/api-keys/{}/usage
POST /v1/chat/sessions
POST /v1/chat/sessions/{}/messages
POST /v1/chat/test
GET /v1/chat/sessions
GET /v1/chat/sessions/{}
POST /v1/chat/sessions/{}/close
`
  .trim()
  .split("\n");

const openApi = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        requestBody: z.unknown().optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});

async function description(basePath = "") {
  const sandbox = await openSandbox({ basePath });
  const answer = await ask(sandbox, "GET", "/openapi.json", undefined, null);
  expect(answer.status).toBe(200);
  const { openapi, paths } = openApi.parse(answer.body);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`,
      ...operation,
    })),
  );
  return { sandbox, openapi, operations };
}

test("the description has every endpoint of the contract, and nothing else", async () => {
  const { openapi, operations } = await description();
  expect(openapi).toBe("3.1.0");
  expect(operations.map(({ name }) => name).sort()).toEqual([...ENDPOINTS].sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test("every operation says what it takes, what it answers and how it refuses", async () => {
  const { operations } = await description();
  for (const { name, responses } of operations) {
    const statuses = Object.keys(responses);
    expect([name, statuses]).toEqual([
      name,
      expect.arrayContaining(["401", "403", "404", "409", "422", "429"]),
    ]);
    expect([name, statuses.some((status) => status.startsWith("2"))]).toEqual([name, true]);
  }
  const bodies = operations.filter(({ requestBody }) => requestBody !== undefined).map(({ name }) => name);
  expect(bodies).toEqual(
    expect.arrayContaining(["POST /v1/agents", "POST /v1/batch-calls", "POST /v1/api-keys"]),
  );
});

test("what needs a room says how it refuses where the rooms are away, and nothing else does", async () => {
  const { operations } = await description();
  const away = operations.filter(({ responses }) => "503" in responses).map(({ name }) => name);
  expect(away.sort()).toEqual([
    "POST /v1/calls/test",
    "POST /v1/calls/web",
    "POST /v1/chat/sessions",
    "POST /v1/chat/test",
  ]);
});

test("what answers show of themselves is what the description promises", async () => {
  const { sandbox, operations } = await description();
  const response = z.looseObject({
    content: z.object({
      "application/json": z.object({
        schema: z.looseObject({ type: z.string().optional(), required: z.array(z.string()).optional() }),
      }),
    }),
  });
  for (const { name, responses } of operations) {
    if (!name.startsWith("GET ") || name.includes("{}") || name.includes("/languages")) {
      continue;
    }
    const { schema } = response.parse(responses["200"]).content["application/json"];
    const { status, body } = await ask(sandbox, "GET", name.slice("GET ".length));
    expect([name, status, Array.isArray(body)]).toEqual([name, 200, schema.type === "array"]);
    expect([name, Object.keys(z.record(z.string(), z.unknown()).catch({}).parse(body))]).toEqual([
      name,
      expect.arrayContaining(schema.required ?? []),
    ]);
  }
});

test("the page at the root lists what is served, and loads nothing from elsewhere", async () => {
  const { sandbox, operations } = await description("/api");
  expect(operations.every(({ name }) => name.includes(" /api/v1/"))).toBe(true);
  const answer = await fetch(`${sandbox.url}/`);
  expect(answer.headers.get("content-type")).toContain("text/html");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await answer.text();
  expect(html).toContain("<code>/api/v1/agents/:id/publish</code>");
  expect(html).toContain('href="/api/openapi.json"');
  expect(html.match(/<li>/g)).toHaveLength(ENDPOINTS.length);
});

test("a method that a path does not take is 405, with those that it takes", async () => {
  const sandbox = await openSandbox();
  const answer = await ask(sandbox, "PUT", "/v1/agents/some-agent");
  expect(answer).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(answer.headers.get("allow")?.split(", ").sort()).toEqual(["DELETE", "GET", "PATCH"]);
  expect((await ask(sandbox, "GET", "/v1/agents/import")).status).toBe(404);
  const fixed = await ask(sandbox, "PUT", "/v1/agents/import");
  expect(fixed.headers.get("allow")).toBe("POST");
  expect((await ask(sandbox, "GET", "/v1/agents/a/b/c/d")).status).toBe(404);
  const unreadable = await fetch(`${sandbox.url}/v1/agents/%zz`);
  expect(unreadable.status).toBe(404);
  expect(unreadable.headers.get("x-powered-by")).toBe("outdial-sandbox");
  expect(unreadable.headers.get("x-request-id")).toMatch(/^req-/);
});

test("a form without a boundary is refused, not failed on", async () => {
  const sandbox = await openSandbox();
  const { body } = await ask(sandbox, "POST", "/v1/knowledge-bases", { name: "Papers" });
  const { id } = z.object({ id: z.string() }).parse(body);
  const answer = await fetch(`${sandbox.url}/v1/knowledge-bases/${id}/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "multipart/form-data" },
    body: "x",
  });
  expect(answer.status).toBe(422);
});
