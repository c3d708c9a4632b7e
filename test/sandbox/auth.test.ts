import fc from "fast-check";
import { expect, test } from "vitest";

import { allows } from "../../src/sandbox/auth.ts";
import { ask, createBatch, listen, openSandbox, phones, refusal } from "./support.ts";

test("every request needs a known key in the Authorization header", async () => {
  const sandbox = await openSandbox({ apiKeys: ["first-key", "second-key"] });
  for (const path of ["/v1/agents", "/v1/calls", "/v1/billing/balance", "/_sandbox/dial-log"]) {
    expect((await ask(sandbox, "GET", path, undefined, null)).status).toBe(401);
    expect((await ask(sandbox, "GET", path, undefined, "first-ke")).status).toBe(401);
    expect((await ask(sandbox, "GET", path, undefined, "first-key")).status).toBe(200);
    expect((await ask(sandbox, "GET", path, undefined, "second-key")).status).toBe(200);
  }
  const bare = await fetch(`${sandbox.url}/v1/agents`, { headers: { authorization: "first-key" } });
  expect(bare.status).toBe(401);
  expect(bare.headers.get("www-authenticate")).toBe("Bearer");
  expect(await bare.json()).toEqual({ detail: "Invalid or expired API key" });
});

test("a key without the scope is told 403, on the stream as well", async () => {
  const sandbox = await openSandbox({
    apiKeys: ["everything", { key: "reader", scopes: ["batch_calls:read"] }, { key: "none", scopes: [] }],
  });
  const batch = await createBatch(sandbox, phones(1));
  const path = `/v1/batch-calls/${batch.batch_call_id}`;
  expect((await ask(sandbox, "GET", path, undefined, "reader")).status).toBe(200);
  expect((await ask(sandbox, "POST", `${path}/start`, undefined, "reader")).status).toBe(403);
  expect((await ask(sandbox, "DELETE", path, undefined, "reader")).status).toBe(403);
  expect((await ask(sandbox, "GET", "/v1/agents", undefined, "reader")).status).toBe(403);
  await listen(sandbox, batch.batch_call_id, { header: "reader" });
  await expect(listen(sandbox, batch.batch_call_id, { header: "none" })).rejects.toThrow("refused: 403");
});

test("write implies read, delete implies write and read, and a star is everything", () => {
  expect(allows(["agents:write"], "agents:read")).toBe(true);
  expect(allows(["agents:delete"], "agents:write")).toBe(true);
  expect(allows(["agents:delete"], "agents:read")).toBe(true);
  expect(allows(["agents:read"], "agents:write")).toBe(false);
  expect(allows(["agents:write"], "agents:delete")).toBe(false);
  expect(allows(["calls:delete"], "agents:read")).toBe(false);
  expect(allows(["agents:admin", "agents", ""], "agents:read")).toBe(false);
  fc.assert(
    fc.property(
      fc.constantFrom("agents", "calls", "batch_calls"),
      fc.constantFrom("read", "write", "delete"),
      (resource, right) => {
        expect(allows(["*"], `${resource}:${right}`)).toBe(true);
        expect(allows([`${resource}:${right}`], `${resource}:read`)).toBe(true);
      },
    ),
  );
});

test("every answer carries a date and a request id, refusals and unknown paths included", async () => {
  const sandbox = await openSandbox();
  for (const [path, key] of [
    ["/v1/agents", sandbox.apiKey],
    ["/v1/agents", null],
    ["/v1/agents/nobody", sandbox.apiKey],
    ["/nowhere", null],
  ] as const) {
    const beforeMs = Date.now();
    const answer = await ask(sandbox, "GET", path, undefined, key);
    const dateMs = Date.parse(answer.headers.get("date") ?? "");
    // Whole seconds, which Node renews once a second.
    expect(dateMs).toBeGreaterThan(beforeMs - 2_000);
    expect(dateMs).toBeLessThanOrEqual(Date.now());
    expect(answer.headers.get("x-request-id")).toMatch(/^req-\d+$/);
  }
});

test("a path that does not exist and a body that is no JSON are told in the platform's words", async () => {
  const sandbox = await openSandbox();
  expect(await refusal(sandbox, "GET", "/v1/unicorns")).toEqual({ status: 404, detail: "Not Found" });
  const broken = await refusal(sandbox, "POST", "/v1/agents", "{");
  expect(broken).toMatchObject({ status: 422, detail: [{ loc: ["body"], type: "json_invalid" }] });
  const missing = await refusal(sandbox, "POST", "/v1/agents");
  expect(missing).toMatchObject({ status: 422, detail: [{ loc: ["body"], type: expect.any(String) }] });
});
