import { jwtVerify } from "jose";
import { expect, test } from "vitest";
import type { z } from "zod";

import { SIMULATED_API_SECRET } from "../../src/sandbox/rooms/rooms.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { usageResponse } from "../../src/sandbox/schemas/billing.ts";
import {
  chatCreatedResponse,
  chatReplyResponse,
  chatSessionDetailResponse,
  chatSessionResponse,
} from "../../src/sandbox/schemas/chat-sessions.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { MOST_USER_MESSAGES } from "../../src/sandbox/state/chat-sessions.ts";
import { DRAFT_AGENT, eventually, get, openSandbox, PUBLISHED_AGENT, refusal } from "./support.ts";

const SESSIONS = "/v1/chat/sessions";

async function open(sandbox: Sandbox, fields: Record<string, unknown> = {}) {
  return await get(chatCreatedResponse, sandbox, "POST", SESSIONS, { agent_id: PUBLISHED_AGENT, ...fields });
}

async function say(sandbox: Sandbox, id: string, content: string) {
  return await get(chatReplyResponse, sandbox, "POST", `${SESSIONS}/${id}/messages`, { content });
}

async function read(sandbox: Sandbox, id: string): Promise<z.output<typeof chatSessionDetailResponse>> {
  return await get(chatSessionDetailResponse, sandbox, "GET", `${SESSIONS}/${id}`);
}

async function publishGreeting(sandbox: Sandbox, greeting: string): Promise<void> {
  const path = `/v1/agents/${PUBLISHED_AGENT}`;
  await get(agentResponse, sandbox, "PATCH", path, { greeting_message: greeting });
  await get(agentResponse, sandbox, "POST", `${path}/publish`);
}

test("a chat greets, answers each message, and ends when the user says goodbye", async () => {
  const sandbox = await openSandbox({ speed: 200 });
  await publishGreeting(sandbox, "Hello {{first_name}}, {{unknown}}!");
  const session = await open(sandbox, {
    dynamic_variables: { first_name: "Ada" },
    external_user_key: "user-7",
  });
  expect(session).toMatchObject({
    organization_id: sandbox.seeds.organizationId,
    agent_version: 2,
    channel_type: "api",
    status: "active",
    external_user_key: "user-7",
    greeting: { role: "assistant", content: "Hello Ada, {{unknown}}!" },
    access_token: null,
    room_url: null,
    processing_status: null,
  });
  const reply = await say(sandbox, session.id, "What does it cost?");
  expect(reply).toMatchObject({ session_closed: false, close_reason: null, tool_calls: [], tokens_in: 5 });
  expect(reply.assistant_content).toContain("dollars");
  const last = await say(sandbox, session.id, "No thanks, bye");
  expect(last).toMatchObject({
    session_closed: true,
    close_reason: "agent_end_chat",
    tool_calls: [{ name: "end_chat" }],
  });
  expect(
    (await refusal(sandbox, "POST", `${SESSIONS}/${session.id}/messages`, { content: "?" })).status,
  ).toBe(409);
  const closed = await eventually(async () => {
    const found = await read(sandbox, session.id);
    expect(found.processing_status).toBe("done");
    return found;
  });
  expect(closed).toMatchObject({ status: "closed", message_count: 5 });
  expect(closed.messages.map(({ role }) => role)).toEqual([
    "assistant",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(closed.messages[1]?.message_id).toBe(reply.user_message_id);
  expect(closed.messages[2]).toMatchObject({
    message_id: reply.assistant_message_id,
    content: reply.assistant_content,
  });
});

test("a session stays with the version that was published when it was opened", async () => {
  const sandbox = await openSandbox();
  await publishGreeting(sandbox, "First");
  const early = await open(sandbox);
  await publishGreeting(sandbox, "Second");
  const late = await open(sandbox);
  expect([early, late]).toMatchObject([
    { agent_version: 2, greeting: { content: "First" } },
    { agent_version: 3, greeting: { content: "Second" } },
  ]);
  expect((await read(sandbox, early.id)).agent_version).toBe(2);
});

test("an agent whose greeting is empty waits for the user", async () => {
  const sandbox = await openSandbox();
  await publishGreeting(sandbox, "");
  expect(await open(sandbox)).toMatchObject({ greeting: null, message_count: 0 });
});

test("chats need a published agent; test chats take a draft, with a configuration of their own", async () => {
  const sandbox = await openSandbox();
  const refused = await refusal(sandbox, "POST", SESSIONS, { agent_id: DRAFT_AGENT });
  expect(refused).toMatchObject({ status: 422, detail: [{ loc: ["body", "agent_id"] }] });
  expect((await refusal(sandbox, "POST", SESSIONS, { agent_id: "nobody" })).status).toBe(404);
  const tested = await get(chatCreatedResponse, sandbox, "POST", "/v1/chat/test", {
    agent_id: DRAFT_AGENT,
    temp_config: { greeting_message: "Just trying" },
  });
  expect(tested).toMatchObject({
    channel_type: "dashboard_test",
    agent_version: 1,
    greeting: { content: "Just trying" },
  });
  const agent = await get(agentResponse, sandbox, "GET", `/v1/agents/${DRAFT_AGENT}`);
  expect(agent).not.toHaveProperty("greeting_message", "Just trying");
  const invalid = { agent_id: DRAFT_AGENT, temp_config: { temperature: 3 } };
  expect((await refusal(sandbox, "POST", "/v1/chat/test", invalid)).status).toBe(422);
});

test("a livekit session has a room and a signed token instead of a greeting, and takes no messages here", async () => {
  const sandbox = await openSandbox();
  const session = await open(sandbox, { transport: "livekit", external_user_key: "user-7" });
  expect(session).toMatchObject({ greeting: null, transport: "livekit" });
  const secret = new TextEncoder().encode(SIMULATED_API_SECRET);
  const { payload } = await jwtVerify(session.access_token ?? "", secret);
  expect(payload).toMatchObject({ sub: "user-7", video: { room: session.room_name, canPublish: false } });
  const path = `${SESSIONS}/${session.id}`;
  expect((await refusal(sandbox, "POST", `${path}/messages`, { content: "Hi" })).status).toBe(409);
  expect(await get(chatSessionResponse, sandbox, "POST", `${path}/close`)).toMatchObject({
    status: "closed",
    close_reason: "explicit_close",
  });
  expect((await refusal(sandbox, "POST", `${path}/close`)).status).toBe(409);
});

test("a session is closed after so many messages, and idle after a silence until the next one", async () => {
  const sandbox = await openSandbox({ speed: 20 });
  const capped = await open(sandbox);
  for (let nth = 1; nth < MOST_USER_MESSAGES; nth += 1) {
    expect((await say(sandbox, capped.id, "Go on")).session_closed).toBe(false);
  }
  expect(await say(sandbox, capped.id, "Go on")).toMatchObject({ close_reason: "message_cap" });
  const fast = await openSandbox({ speed: 5_000 });
  const quiet = await open(fast);
  await eventually(async () => {
    expect((await read(fast, quiet.id)).status).toBe("idle");
  });
  await say(fast, quiet.id, "Still there?");
  expect((await read(fast, quiet.id)).closed_at).toBeNull();
});

test("replies are paid for; without credits no chat opens, and an open one ends", async () => {
  const sandbox = await openSandbox();
  const session = await open(sandbox);
  await say(sandbox, session.id, "Hello");
  const path = "/v1/billing/usage?event_type=chat_message";
  expect(await get(usageResponse, sandbox, "GET", path)).toMatchObject({
    total: 1,
    events: [
      { reference_type: "chat_session", reference_id: session.id, provider: "openai", model: "gpt-4o" },
    ],
  });
  sandbox.setBalance(0);
  expect(await say(sandbox, session.id, "Hello?")).toMatchObject({
    session_closed: true,
    close_reason: "insufficient_credits",
  });
  expect((await refusal(sandbox, "POST", SESSIONS, { agent_id: PUBLISHED_AGENT })).status).toBe(402);
});

test("sessions are listed by agent, status, channel and date", async () => {
  const sandbox = await openSandbox({ speed: 1 });
  const api = await open(sandbox);
  const widget = await open(sandbox, { channel_type: "web_widget" });
  await get(chatSessionResponse, sandbox, "POST", `${SESSIONS}/${api.id}/close`);
  const list = async (query: string) => {
    const page = await get(envelopeOf(chatSessionResponse), sandbox, "GET", `${SESSIONS}?${query}`);
    return page.items.map(({ id }) => id);
  };
  expect(await list("")).toEqual([api.id, widget.id]);
  expect(await list("limit=1&skip=1")).toEqual([widget.id]);
  expect(await list("status=closed")).toEqual([api.id]);
  expect(await list("status=active")).toEqual([widget.id]);
  expect(await list("channel_type=web_widget")).toEqual([widget.id]);
  expect(await list(`agent_id=${DRAFT_AGENT}`)).toEqual([]);
  expect(await list("from_date=2100-01-01")).toEqual([]);
  expect(await list("to_date=2100-01-01")).toEqual([api.id, widget.id]);
});

test("a message has 1 to 4,000 characters, and a session that exists", async () => {
  const sandbox = await openSandbox();
  const { id } = await open(sandbox);
  const status = async (path: string, content: unknown) =>
    (await refusal(sandbox, "POST", `${SESSIONS}/${path}/messages`, { content })).status;
  expect(await status(id, "")).toBe(422);
  expect(await status(id, "x".repeat(4_001))).toBe(422);
  expect(await status("nothing", "Hi")).toBe(404);
  expect((await say(sandbox, id, "x".repeat(4_000))).tokens_in).toBe(1_000);
});
