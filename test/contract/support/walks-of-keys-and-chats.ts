import { expect } from "vitest";
import { API_KEY, API_KEY_USAGE, DOCUMENT, KNOWLEDGE_BASE } from "./fields.ts";
import type { Walks } from "./walk.ts";
import {
  all,
  clientWith,
  DRAFT_AGENT,
  eventually,
  given,
  PUBLISHED_AGENT,
  SPEED,
  type World,
} from "./world.ts";

const newBase = ({ platform }: World) =>
  platform.knowledgeBases.create({ name: "Prices", description: "All of them" });

const PAGE = { data: Buffer.from("One dollar.\n".repeat(500)), filename: "prices.txt" };

/** Contract 4.9. */
export const knowledgeBaseWalks: Walks = {
  "POST /v1/knowledge-bases": async (world) => {
    const created = await newBase(world);
    world.has(created, KNOWLEDGE_BASE);
    expect(await world.platform.knowledgeBases.get(created.id)).toMatchObject({
      name: "Prices",
      description: "All of them",
      documents: [],
    });
  },
  "GET /v1/knowledge-bases": async (world) => {
    const { id } = await newBase(world);
    const bases = await world.platform.knowledgeBases.list();
    for (const base of bases) world.has(base, KNOWLEDGE_BASE);
    expect(bases.map((base) => base.id)).toContain(id);
  },
  "GET /v1/knowledge-bases/{kb_id}": async (world) => {
    const { knowledgeBases } = world.platform;
    const { id } = await newBase(world);
    await knowledgeBases.addDocument(id, PAGE);
    await eventually(async () => {
      const base = await knowledgeBases.get(id);
      world.has(base, [...KNOWLEDGE_BASE, "documents"]);
      const [document] = given(base.documents);
      world.has(document, DOCUMENT);
      expect(document).toMatchObject({ filename: PAGE.filename, file_size_bytes: PAGE.data.length });
      expect(document).toMatchObject({ status: "ready" });
      expect(given(document?.chunk_count)).toBeGreaterThan(0);
    });
  },
  "DELETE /v1/knowledge-bases/{kb_id}": async (world) => {
    const { knowledgeBases } = world.platform;
    const { id } = await newBase(world);
    await knowledgeBases.delete(id);
    await expect(knowledgeBases.get(id)).rejects.toMatchObject({ code: "not_found" });
  },
  "POST /v1/knowledge-bases/{kb_id}/documents": async (world) => {
    const { knowledgeBases } = world.platform;
    const { id } = await newBase(world);
    const uploaded = await knowledgeBases.addDocument(id, PAGE);
    world.has(uploaded, DOCUMENT);
    expect(uploaded).toMatchObject({ filename: PAGE.filename, file_size_bytes: PAGE.data.length });
    const streamed = await knowledgeBases.addDocument(id, {
      stream: (async function* () {
        yield PAGE.data;
        yield PAGE.data;
      })(),
      filename: 'prices twice, "quoted".md',
    });
    expect(streamed.file_size_bytes).toBe(2 * PAGE.data.length);
    expect(given((await knowledgeBases.get(id)).documents).map((one) => one.id)).toEqual([
      uploaded.id,
      streamed.id,
    ]);
  },
  "DELETE /v1/knowledge-bases/{kb_id}/documents/{document_id}": async (world) => {
    const { knowledgeBases } = world.platform;
    const { id } = await newBase(world);
    const documentId = given((await knowledgeBases.addDocument(id, PAGE)).id);
    await knowledgeBases.deleteDocument(id, documentId);
    expect((await knowledgeBases.get(id)).documents).toEqual([]);
    await expect(knowledgeBases.deleteDocument(id, documentId)).rejects.toMatchObject({ code: "not_found" });
  },
};

/** Contract 4.10. */
export const apiKeyWalks: Walks = {
  "POST /v1/api-keys": async (world) => {
    const fields = {
      name: "ci",
      scopes: ["agents:read"],
      rate_limit_tier: "professional",
      ip_allowlist: ["127.0.0.0/8"],
    } as const;
    const before = Date.now();
    const created = await world.platform.apiKeys.create({
      ...fields,
      scopes: [...fields.scopes],
      ip_allowlist: [...fields.ip_allowlist],
      expires_in_days: 30,
    });
    world.has(created, [...API_KEY, "key"]);
    expect(created).toMatchObject({ ...fields, is_active: true });
    expect(created.key.startsWith(given(created.key_prefix))).toBe(true);
    const days = (Date.parse(given(created.expires_at)) - before) / 86_400_000;
    // Days pass as fast as everything in the sandbox.
    expect(days * SPEED).toBeCloseTo(30, 0);
    expect((await clientWith(world.sandbox, created.key).agents.list()).items.length).toBeGreaterThan(0);
  },
  "GET /v1/api-keys": async (world) => {
    const { apiKeys } = world.platform;
    const { id, key } = await apiKeys.create({ name: "listed" });
    const keys = await all(apiKeys.iterate({ limit: 2 }));
    for (const one of keys) world.has(one, API_KEY);
    expect(keys.map((one) => one.id)).toContain(id);
    expect(JSON.stringify(keys)).not.toContain(key);
    await apiKeys.update(id, { is_active: false });
    const idsOf = async (query: object) => (await all(apiKeys.iterate(query))).map((one) => one.id);
    expect(await idsOf({})).not.toContain(id);
    expect(await idsOf({ include_inactive: true })).toContain(id);
  },
  "GET /v1/api-keys/{key_id}": async (world) => {
    const { apiKeys } = world.platform;
    const { id, key, key_prefix } = await apiKeys.create({ name: "read", scopes: ["calls:read"] });
    const read = await apiKeys.get(id);
    world.has(read, API_KEY);
    expect(read).toMatchObject({ id, name: "read", key_prefix, scopes: ["calls:read"] });
    expect(JSON.stringify(read)).not.toContain(key);
  },
  "PATCH /v1/api-keys/{key_id}": async (world) => {
    const { apiKeys } = world.platform;
    const { id, key } = await apiKeys.create({ name: "before" });
    const changes = { name: "after", scopes: ["config:read" as const], rate_limit_tier: "free" as const };
    const changed = await apiKeys.update(id, { ...changes, ip_allowlist: ["127.0.0.1"] });
    world.has(changed, API_KEY);
    expect(changed).toMatchObject({ ...changes, ip_allowlist: ["127.0.0.1"] });
    expect(await apiKeys.get(id)).toMatchObject(changes);
    const client = clientWith(world.sandbox, key);
    await client.config.defaults();
    await expect(client.agents.list()).rejects.toMatchObject({ code: "forbidden" });
    await apiKeys.update(id, { is_active: false });
    await expect(client.config.defaults()).rejects.toMatchObject({ code: "unauthorized" });
    await apiKeys.update(id, { is_active: true });
    await client.config.defaults();
  },
  "DELETE /v1/api-keys/{key_id}": async (world) => {
    const { apiKeys } = world.platform;
    const { id, key } = await apiKeys.create({ name: "revoked" });
    const client = clientWith(world.sandbox, key);
    await client.agents.list();
    await apiKeys.delete(id);
    await expect(client.agents.list()).rejects.toMatchObject({ code: "unauthorized", status: 401 });
    expect((await all(apiKeys.iterate())).map((one) => one.id)).not.toContain(id);
  },
  "POST /v1/api-keys/{key_id}/rotate": async (world) => {
    const { apiKeys } = world.platform;
    const old = await apiKeys.create({ name: "rotated", scopes: ["agents:read"] });
    const fresh = await apiKeys.rotate(old.id, { grace_period_hours: 0 });
    world.has(fresh, [...API_KEY, "key"]);
    expect(fresh.key).not.toBe(old.key);
    expect(fresh).toMatchObject({ name: "rotated", scopes: ["agents:read"], is_active: true });
    await clientWith(world.sandbox, fresh.key).agents.list();
    await expect(clientWith(world.sandbox, old.key).agents.list()).rejects.toMatchObject({
      code: "unauthorized",
    });
  },
  "GET /v1/api-keys/{key_id}/usage": async (world) => {
    const { apiKeys } = world.platform;
    const { id, key } = await apiKeys.create({ name: "used" });
    const client = clientWith(world.sandbox, key);
    await client.agents.list();
    await client.config.defaults();
    const usage = await apiKeys.usage(id);
    world.has(usage, API_KEY_USAGE);
    expect(usage).toMatchObject({ total_requests: 2, last_used_ip: "127.0.0.1", is_active: true });
  },
};

const newChat = ({ platform }: World) => platform.chat.create({ agent_id: PUBLISHED_AGENT });

/** Contract 4.11, and what published clients ask for besides. */
export const chatWalks: Walks = {
  "POST /v1/chat/sessions": async (world) => {
    const { agents, chat } = world.platform;
    const agent = await agents.create({ agent_name: "Greeter", greeting_message: "Hello {{name}}!" });
    await agents.publish(agent.agent_id);
    const session = await chat.create({
      agent_id: agent.agent_id,
      channel_type: "web_widget",
      dynamic_variables: { name: "Ann" },
      external_user_key: "u-1",
    });
    expect(session).toMatchObject({ agent_id: agent.agent_id, agent_version: 1, status: "active" });
    expect(session.greeting).toMatchObject({ role: "assistant", content: "Hello Ann!" });
    const room = await chat.create({ agent_id: agent.agent_id, transport: "livekit" });
    for (const field of [room.access_token, room.room_url, room.room_name])
      expect(given(field).length).toBeGreaterThan(0);
    expect(room.greeting).toBeUndefined();
  },
  "POST /v1/chat/sessions/{id}/messages": async (world) => {
    const { chat } = world.platform;
    const { session_id: id } = await newChat(world);
    const reply = await chat.send(id, "How much is it?");
    expect(given(reply.assistant_content).length).toBeGreaterThan(0);
    expect(reply).toMatchObject({ session_id: id, session_closed: false });
    const spoken = given((await chat.get(id)).messages);
    expect(JSON.stringify(spoken)).toContain("How much is it?");
    expect(JSON.stringify(spoken)).toContain(given(reply.assistant_content));
  },
  "POST /v1/chat/test": async (world) => {
    const session = await world.platform.chat.test({
      agent_id: DRAFT_AGENT,
      temp_config: { greeting_message: "Only now." },
    });
    expect(session).toMatchObject({ agent_id: DRAFT_AGENT, channel_type: "dashboard_test" });
    expect(session.greeting).toMatchObject({ content: "Only now." });
  },
  "GET /v1/chat/sessions": async (world) => {
    const { chat } = world.platform;
    const { session_id: id } = await newChat(world);
    const idsOf = async (query: object) =>
      (await all(chat.iterate({ limit: 3, ...query }))).map((session) => session.session_id);
    expect(await idsOf({ agent_id: PUBLISHED_AGENT, channel_type: "api" })).toContain(id);
    expect(await idsOf({ status: "closed" })).not.toContain(id);
    expect(await idsOf({ to_date: "2020-01-01" })).toEqual([]);
  },
  "GET /v1/chat/sessions/{id}": async (world) => {
    const { session_id: id } = await newChat(world);
    const session = await world.platform.chat.get(id);
    expect(session).toMatchObject({ session_id: id, agent_id: PUBLISHED_AGENT, channel_type: "api" });
    expect(Array.isArray(session.messages)).toBe(true);
  },
  "POST /v1/chat/sessions/{id}/close": async (world) => {
    const { chat } = world.platform;
    const { session_id: id } = await newChat(world);
    await chat.close(id);
    expect(await chat.get(id)).toMatchObject({ status: "closed", close_reason: "explicit_close" });
  },
};
