/** The platform as its published low-code clients know it: another prefix, bare lists, and ids by another name. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import {
  ask,
  CALLER_ID,
  eventually,
  listen,
  openSandbox,
  phone,
  PUBLISHED_AGENT,
  STANDING_STILL,
} from "./support.ts";

const record = z.record(z.string(), z.unknown());
const records = z.array(record);

async function send(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await ask(sandbox, method, path, body);
  expect([method, path, answer.status < 300, answer.body]).toMatchObject([method, path, true, {}]);
  return answer.body;
}

const NAMED = [
  ["call_id", ["GET", "/v1/calls/$call"]],
  ["call_id", ["GET", "/v1/calls"], [0]],
  ["call_id", ["POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT }]],
  ["agent_id", ["GET", `/v1/agents/${PUBLISHED_AGENT}`]],
  ["agent_id", ["GET", "/v1/agents"], ["items", 0]],
  ["batch_call_id", ["GET", "/v1/batch-calls/$batch"]],
  ["batch_call_id", ["GET", "/v1/batch-calls"], [0]],
  ["batch_call_id", ["GET", "/v1/batch-calls/active"], [0]],
  ["item_id", ["GET", "/v1/batch-calls/$batch/items"], ["items", 0]],
  ["workflow_id", ["GET", "/v1/workflows/$workflow"]],
  ["workflow_id", ["GET", "/v1/workflows"], ["items", 0]],
  ["workflow_id", ["GET", `/v1/agents/${PUBLISHED_AGENT}/workflows`], [0]],
  ["workflow_id", ["GET", `/v1/agents/${PUBLISHED_AGENT}`], ["linked_workflows", 0]],
  ["workflow_id", ["GET", "/v1/workflows/schedules"], ["scheduled_workflows", 0]],
  ["workflow_id", ["GET", "/v1/workflows/schedules/all"], ["scheduled_workflows", 0]],
  ["agent_id", ["GET", "/v1/workflows/$workflow/agents"], [0]],
  ["execution_id", ["GET", "/v1/workflows/$workflow/executions"], ["items", 0]],
  ["phone_number_id", ["GET", "/v1/phone-numbers/$number"]],
  ["sip_connection_id", ["GET", "/v1/phone-numbers/$number"], ["sip_connections", 0]],
  ["sip_connection_id", ["GET", "/v1/phone-numbers/$number/sip-connections"], [0]],
  ["dispatch_rule_id", ["GET", "/v1/phone-numbers/$number/dispatch-rules"], [0]],
  ["session_id", ["GET", "/v1/chat/sessions/$session"]],
  ["message_id", ["GET", "/v1/chat/sessions/$session"], ["messages", 0]],
  ["message_id", ["GET", "/v1/chat/sessions/$session"], ["greeting"]],
] as const satisfies readonly (readonly [
  string,
  readonly [string, string, object?],
  (readonly (string | number)[])?,
])[];

async function populate(sandbox: Sandbox): Promise<Record<string, string>> {
  const idOf = async (...request: [string, string, object?]) =>
    z.string().parse(record.parse(await send(sandbox, ...request))["id"]);
  const call = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, to_number: phone(1) };
  const { to_number: _to, ...batch } = { ...call, contacts: [{ phone_number: phone(2) }] };
  const made = {
    call: await idOf("POST", "/v1/calls/phone", call),
    batch: await idOf("POST", "/v1/batch-calls", batch),
    workflow: await idOf("POST", "/v1/workflows", { name: "W", trigger_type: "schedule", workflow_json: {} }),
    number: await idOf("POST", "/v1/phone-numbers", {
      phone_number: phone(9),
      inbound_agent_id: PUBLISHED_AGENT,
    }),
    session: await idOf("POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT }),
  };
  sandbox.faults.add({ kind: "pickup_delay", ms: 3_600_000 });
  await send(sandbox, "POST", `/v1/batch-calls/${made.batch}/start`);
  await send(sandbox, "POST", `/v1/workflows/${made.workflow}/schedule`, { cron: "0 9 * * *" });
  await send(sandbox, "POST", `/v1/workflows/${made.workflow}/agents/${PUBLISHED_AGENT}`);
  await send(sandbox, "POST", `/v1/workflows/${made.workflow}/test`);
  await send(sandbox, "POST", `/v1/phone-numbers/${made.number}/sip-connections`, {
    termination_uri: "sip:a.example",
  });
  return made;
}

describe("the dialect of published clients", () => {
  test("is served under /api, or where else it is asked for; the contract's at the root", async () => {
    const published = await openSandbox({ dialect: "published" });
    expect(new URL(published.url).pathname).toBe("/api");
    expect(new URL(published.wsUrl).pathname).toBe("/api");
    expect((await ask(published, "GET", "/v1/agents")).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${published.port}/v1/agents`)).status).toBe(404);
    const elsewhere = await openSandbox({ dialect: "published", basePath: "/voice/eu" });
    expect(new URL(elsewhere.url).pathname).toBe("/voice/eu");
    const root = await openSandbox({ dialect: "published", basePath: "" });
    expect(new URL(root.url).pathname).toBe("/");
    expect(new URL((await openSandbox()).url).pathname).toBe("/");
  });

  test("shows every record's id as id, beside its own name", async () => {
    const sandbox = await openSandbox({ dialect: "published" });
    const made = await populate(sandbox);
    for (const [name, [method, template, body], at = []] of NAMED) {
      const path = template.replaceAll(/\$(\w+)/g, (_, one: string) => Reflect.get(made, one));
      const found = at.reduce<unknown>(
        (value, step) => Reflect.get(Object(value), step),
        await send(sandbox, method, path, body),
      );
      const row = record.parse(found);
      expect([template, at, typeof row["id"], row["id"]]).toEqual([template, at, "string", row[name]]);
    }
  });

  test("gives a chat and a web call their rooms once, to whoever opens them", async () => {
    const sandbox = await openSandbox({ dialect: "published", speed: STANDING_STILL });
    const room = { access_token: expect.any(String), room_url: expect.any(String) };
    const session = record.parse(
      await send(sandbox, "POST", "/v1/chat/sessions", { agent_id: PUBLISHED_AGENT, transport: "livekit" }),
    );
    const { id } = session;
    expect(session).toMatchObject({
      ...room,
      session_id: id,
      room_name: `chat-${String(id)}`,
      status: "active",
      channel_type: "api",
      message_count: 0,
      agent_reply_count: 0,
      // It arrives in the room.
      greeting: null,
    });
    expect(
      (await ask(sandbox, "POST", `/v1/chat/sessions/${String(id)}/messages`, { content: "Hello" })).status,
    ).toBe(409);
    const shown = record.parse(await send(sandbox, "GET", `/v1/chat/sessions/${String(id)}`));
    expect(shown).toMatchObject({ id, session_id: id, session_metadata: { transport: "livekit" } });
    const call = record.parse(await send(sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT }));
    expect(call).toMatchObject({ ...room, room_name: `call-${String(call["id"])}`, call_type: "web" });
    const [listed] = records.parse(await send(sandbox, "GET", "/v1/calls?call_type=web"));
    expect(listed).toMatchObject({ id: call["id"], call_id: call["id"], call_type: "web" });
    for (const row of [shown, listed]) {
      for (const field of Object.keys(room)) expect(row).not.toHaveProperty(field);
    }
    const closed = await send(sandbox, "POST", `/v1/chat/sessions/${String(id)}/close`);
    expect(closed).toMatchObject({ session_id: id, status: "closed" });
  });

  test("answers whoever sets an automation off as it does whoever executes it", async () => {
    const sandbox = await openSandbox({ dialect: "published" });
    const made = record.parse(
      await send(sandbox, "POST", "/v1/workflows", {
        name: "From outside",
        trigger_type: "webhook",
        workflow_json: { nodes: [{ name: "Start" }] },
      }),
    );
    const path = `/v1/workflows/${String(made["workflow_id"])}`;
    await send(sandbox, "POST", `${path}/deploy`);
    const { webhook_slug: slug } = record.parse(await send(sandbox, "GET", path));
    const answer = record.parse((await ask(sandbox, "POST", `/hooks/${String(slug)}`, {}, null)).body);
    expect(answer["id"]).toBe(answer["execution_id"]);
    expect(answer["id"]).toEqual(expect.any(String));
  });

  test("shows the name of an agent and of a linked automation as name, too", async () => {
    const sandbox = await openSandbox({ dialect: "published" });
    await populate(sandbox);
    const agent = record.parse(await send(sandbox, "GET", `/v1/agents/${PUBLISHED_AGENT}`));
    expect(agent["name"]).toBe(agent["agent_name"]);
    expect(records.parse(agent["versions"])[0]).toMatchObject({ name: agent["agent_name"] });
    expect(agent["linked_workflows"]).toMatchObject([{ name: "W", workflow_name: "W" }]);
  });

  test("lists calls and batches bare, a page at a time, and everything else as the contract does", async () => {
    const sandbox = await openSandbox({ dialect: "published", speed: STANDING_STILL });
    for (const _ of [1, 2, 3]) {
      await send(sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
    }
    const all = records.parse(await send(sandbox, "GET", "/v1/calls"));
    expect(all).toHaveLength(3);
    expect(await send(sandbox, "GET", "/v1/calls?skip=1&limit=1")).toEqual([all[1]]);
    expect(await send(sandbox, "GET", "/v1/calls?status=ended&from_date=2020-01-01")).toEqual([]);
    expect(await send(sandbox, "GET", "/v1/batch-calls")).toEqual([]);
    expect(await send(sandbox, "GET", "/v1/agents")).toMatchObject({ total: 2, items: [{}, {}] });
    expect(await send(sandbox, "GET", "/v1/workflows/schedules")).toEqual({
      total: 0,
      scheduled_workflows: [],
    });
  });

  test("refuses in the same words, and says in a header what it passed over in a query", async () => {
    const sandbox = await openSandbox({ dialect: "published", speed: STANDING_STILL });
    expect(await ask(sandbox, "GET", "/v1/calls/nothing")).toMatchObject({
      status: 404,
      body: { detail: "Call not found" },
    });
    expect((await ask(sandbox, "GET", "/v1/calls?limit=0")).status).toBe(422);
    const found = await ask(sandbox, "GET", "/v1/agents?sort=name&x%0D%0Ay=1&limit=1");
    expect(found.status).toBe(200);
    expect(found.headers.get("x-sandbox-ignored-query")).toBe("sort, x%0D%0Ay");
    const long = Array.from({ length: 30 }, (_, nth) => `${"☎".repeat(49)}😀${nth}=1`).join("&");
    const many = await ask(sandbox, "GET", `/v1/agents?${encodeURI(long)}`);
    expect([many.status, (many.headers.get("x-sandbox-ignored-query") ?? "").length < 8_000]).toEqual([
      200,
      true,
    ]);
    expect(
      (await ask(sandbox, "GET", "/v1/agents?limit=1")).headers.get("x-sandbox-ignored-query"),
    ).toBeNull();
  });

  test("is spoken on the stream and in webhooks, too", async () => {
    const heard: unknown[] = [];
    const receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      request.on("end", () => {
        heard.push(JSON.parse(text));
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    // A server on a port has an address object.
    const { port } = receiver.address() as AddressInfo;
    const sandbox = await openSandbox({ dialect: "published" });
    await send(sandbox, "PATCH", `/v1/agents/${PUBLISHED_AGENT}`, {
      webhook_url: `http://127.0.0.1:${port}/`,
    });
    await send(sandbox, "POST", `/v1/agents/${PUBLISHED_AGENT}/publish`);
    const batch = record.parse(
      await send(sandbox, "POST", "/v1/batch-calls", {
        agent_id: PUBLISHED_AGENT,
        from_number: CALLER_ID,
        contacts: [{ phone_number: phone(3) }],
      }),
    );
    const id = z.string().parse(batch["batch_call_id"]);
    const listener = await listen(sandbox, id);
    await send(sandbox, "POST", `/v1/batch-calls/${id}/start`);
    expect((await listener.closed).code).toBe(1000);
    const item = listener.messages.find(({ type }) => type === "item_update")?.["item"];
    expect(listener.messages.find(({ type }) => type === "status")).toMatchObject({ id, batch_call_id: id });
    expect(Reflect.get(Object(item), "id")).toBe(Reflect.get(Object(item), "item_id"));
    await eventually(() => {
      const { call } = z.object({ call: record }).parse(heard[0]);
      expect(call["id"]).toBe(call["call_id"]);
    });
  });

  test("is what the description describes", async () => {
    const sandbox = await openSandbox({ dialect: "published" });
    const document: unknown = await (await fetch(`${sandbox.url}/openapi.json`)).json();
    const answerOf = (path: string) =>
      Reflect.get(Object(document), "paths")[`/api${path}`].get.responses["200"].content["application/json"]
        .schema;
    expect(answerOf("/v1/calls")).toMatchObject({
      type: "array",
      items: { required: expect.arrayContaining(["id", "call_id"]) },
    });
    expect(answerOf("/v1/batch-calls")).toMatchObject({ type: "array" });
    expect(answerOf("/v1/agents/{id}").required).toEqual(expect.arrayContaining(["id", "name"]));
    expect(answerOf("/v1/workflows/schedules")).toMatchObject({
      type: "object",
      properties: { scheduled_workflows: { type: "array" }, total: { type: "integer" } },
    });
  });
});

test("a path that clients would shorten, and a dialect that nobody speaks, are refused", async () => {
  for (const basePath of ["api", "/api/", "/", "/..", "/a/./b", "/a b", "/a?b", "/%2e"]) {
    await expect(openSandbox({ basePath })).rejects.toThrow("basePath: must be like /api");
  }
  // As a program without types would.
  await expect(openSandbox(JSON.parse('{"dialect":"klingon"}'))).rejects.toThrow("dialect: ");
});
