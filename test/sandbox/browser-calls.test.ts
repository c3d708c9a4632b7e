import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import type { z } from "zod";

import { SIMULATED_API_KEY, SIMULATED_API_SECRET } from "../../src/sandbox/rooms/rooms.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { callListItem, callResponse } from "../../src/sandbox/schemas/calls.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import {
  ask,
  CALLER_ID,
  DRAFT_AGENT,
  eventually,
  get,
  openSandbox,
  phone,
  PUBLISHED_AGENT,
  refusal,
  STANDING_STILL,
} from "./support.ts";

async function processed(sandbox: Sandbox, id: string): Promise<z.output<typeof callResponse>> {
  return await eventually(async () => {
    const call = await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
    expect(call.processing_status).toBe("completed");
    return call;
  });
}

test("a web call is answered with a room and a token that opens that room and no other", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/web", {
    agent_id: PUBLISHED_AGENT,
    metadata: { page: "pricing" },
    dynamic_variables: { name: "Ada" },
  });
  expect(call).toMatchObject({
    call_type: "web",
    status: "waiting",
    from_number: null,
    to_number: null,
    metadata: { page: "pricing" },
    room_url: expect.stringMatching(/^ws:/),
  });
  const secret = new TextEncoder().encode(SIMULATED_API_SECRET);
  const { payload, protectedHeader } = await jwtVerify(call.access_token ?? "", secret, {
    issuer: SIMULATED_API_KEY,
  });
  expect(protectedHeader.alg).toBe("HS256");
  expect(payload["video"]).toMatchObject({ room: call.room_name, roomJoin: true, canPublish: true });
  const later = await get(callResponse, sandbox, "GET", `/v1/calls/${call.call_id}`);
  expect(later).toMatchObject({ access_token: null, room_name: call.room_name });
});

test("somebody joins a web call, talks, and it is processed like any other", async () => {
  const sandbox = await openSandbox();
  const call = await get(callResponse, sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
  const done = await processed(sandbox, call.call_id);
  expect(done).toMatchObject({ status: "ended", call_summary: expect.anything() });
  expect(done.transcript?.length).toBeGreaterThan(1);
});

test("a draft takes test calls and no others", async () => {
  const sandbox = await openSandbox();
  expect(await refusal(sandbox, "POST", "/v1/calls/web", { agent_id: DRAFT_AGENT })).toMatchObject({
    status: 422,
    detail: [{ loc: ["body", "agent_id"] }],
  });
  const test = await ask(sandbox, "POST", "/v1/calls/test", { agent_id: DRAFT_AGENT });
  expect(test).toMatchObject({
    status: 201,
    body: { agent_id: DRAFT_AGENT, access_token: expect.any(String) },
  });
});

test("what a test call changes is used in that call and kept nowhere", async () => {
  const sandbox = await openSandbox();
  const greeting = "Only this once";
  const { call_id: id } = await get(callResponse, sandbox, "POST", "/v1/calls/test", {
    agent_id: DRAFT_AGENT,
    temp_config: { greeting_message: greeting },
  });
  const call = await processed(sandbox, id);
  expect(call.transcript?.[0]).toMatchObject({ role: "agent", content: greeting });
  expect(JSON.stringify((await ask(sandbox, "GET", `/v1/agents/${DRAFT_AGENT}`)).body)).not.toContain(
    greeting,
  );
  const wrong = await refusal(sandbox, "POST", "/v1/calls/test", {
    agent_id: DRAFT_AGENT,
    temp_config: { temperature: 9 },
  });
  expect(wrong).toMatchObject({ status: 422, detail: [{ loc: ["body", "temp_config", "temperature"] }] });
});

test("calls are found by what kind of call they are", async () => {
  const sandbox = await openSandbox();
  const list = async (type: string) => {
    const page = await get(envelopeOf(callListItem), sandbox, "GET", `/v1/calls?call_type=${type}`);
    return page.items.map((call) => call.call_id);
  };
  const web = await get(callResponse, sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
  const out = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  expect([await list("web"), await list("outbound"), await list("phone"), await list("inbound")]).toEqual([
    [web.call_id],
    [out.call_id],
    [out.call_id],
    [],
  ]);
});

test("a call from a browser is no dial: the next dial of any number is what it would have been", async () => {
  const dialed = async (before: number) => {
    const sandbox = await openSandbox();
    for (let index = 0; index < before; index += 1) {
      await get(callResponse, sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
    }
    const call = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
      agent_id: PUBLISHED_AGENT,
      from_number: CALLER_ID,
      to_number: phone(3),
    });
    expect(sandbox.dialLog.length).toBe(1);
    const done = await processed(sandbox, call.call_id);
    return [done.status, done.duration_seconds, done.transcript];
  };
  expect(await dialed(2)).toEqual(await dialed(0));
});

test("without credits no call begins", async () => {
  const sandbox = await openSandbox();
  sandbox.setBalance(0);
  expect(await refusal(sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT })).toMatchObject({
    status: 402,
  });
});

test("a sandbox without rooms says so, in one way, to whatever would need one, and makes nothing", async () => {
  const sandbox = await openSandbox({ rooms: "none" });
  const session = { agent_id: PUBLISHED_AGENT, transport: "livekit" };
  const refused = [
    await refusal(sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT }),
    await refusal(sandbox, "POST", "/v1/calls/test", { agent_id: DRAFT_AGENT }),
    await refusal(sandbox, "POST", "/v1/chat/sessions", session),
    await refusal(sandbox, "POST", "/v1/chat/test", session),
  ];
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
  expect(new Set(refused.map(({ detail }) => detail)).size).toBe(1);
  expect(refused[0]?.detail).toMatch(/no rooms.*--livekit-url.*--livekit-server.*--rooms simulated/);
  for (const path of ["/v1/calls", "/v1/chat/sessions"]) {
    expect(await ask(sandbox, "GET", path)).toMatchObject({ body: { total: 0 } });
  }
  const rest = { agent_id: PUBLISHED_AGENT };
  expect((await ask(sandbox, "POST", "/v1/chat/sessions", rest)).status).toBe(201);
});

test("a fault of rooms is refused where there are none for it to happen in", async () => {
  const sandbox = await openSandbox();
  const fault = { kind: "room_drops" };
  expect(await refusal(sandbox, "POST", "/_sandbox/faults", fault)).toMatchObject({
    status: 422,
    detail: [{ msg: expect.stringContaining("no rooms on a LiveKit server") }],
  });
});
