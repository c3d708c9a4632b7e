import { expect } from "vitest";
import { AGENT, DISPATCH_RULE, LINK, PHONE_NUMBER, PHONE_NUMBER_DETAIL, SIP_CONNECTION } from "./fields.ts";
import type { Walks } from "./walk.ts";
import { all, eventually, freshPhone, given, PUBLISHED_AGENT, type World } from "./world.ts";

const CONFIGURATION = {
  description: "For renewals",
  system_prompt: "Be brief.",
  greeting_message: "Hello!",
  temperature: 0.2,
  language: "en-GB",
  voice_speed: 1.5,
  knowledge_base_ids: ["kb-1"],
  native_tools_config: { end_call: { enabled: true } },
};

const newAgent = ({ platform }: World, name = "Walker") =>
  platform.agents.create({ agent_name: name, ...CONFIGURATION });

const newAutomation = ({ platform }: World) =>
  platform.workflows.create({ name: "Tell sales", trigger_type: "post_call", workflow_json: { nodes: [] } });

const newNumber = ({ platform }: World) =>
  platform.phoneNumbers.create({ phone_number: freshPhone(), nickname: "desk" });

const CARRIER = {
  termination_uri: "sip.carrier.example:5060",
  username: "outdial",
  password: "very secret",
  connection_type: "outbound",
  transport: "TLS",
} as const;

/** Contract 4.1. */
export const agentWalks: Walks = {
  "POST /v1/agents": async (world) => {
    const created = await newAgent(world, "Ann");
    world.has(created, AGENT);
    expect(created).toMatchObject({ agent_name: "Ann", is_published: false, ...CONFIGURATION });
    const read = await world.platform.agents.get(created.agent_id);
    expect(read).toMatchObject({ agent_id: created.agent_id, agent_name: "Ann", ...CONFIGURATION });
  },
  "GET /v1/agents/{agent_id}": async (world) => {
    const agent = await world.platform.agents.get(PUBLISHED_AGENT);
    world.has(agent, AGENT);
    world.says(agent, { agent_id: PUBLISHED_AGENT, is_published: true, published_version: 1 });
    if (world.withheld.has("versions")) return;
    expect(given(agent.versions).length).toBeGreaterThan(0);
  },
  "GET /v1/agents": async (world) => {
    const { agent_id: id } = await newAgent(world);
    const ids = (await all(world.platform.agents.iterate({ limit: 2 }))).map((agent) => agent.agent_id);
    expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await world.platform.agents.list({ skip: ids.length })).items).toEqual([]);
  },
  "PATCH /v1/agents/{agent_id}": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    const changed = await agents.update(id, { agent_name: "Bob", temperature: 1 });
    expect(changed).toMatchObject({ agent_id: id, agent_name: "Bob", temperature: 1, voice_speed: 1.5 });
    expect(await agents.get(id)).toMatchObject({ agent_name: "Bob", temperature: 1 });
    expect((await agents.versions(id)).length).toBe(2);
  },
  "DELETE /v1/agents/{agent_id}": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    await agents.delete(id);
    await expect(agents.get(id)).rejects.toMatchObject({ code: "not_found", status: 404 });
    await expect(agents.versions(id)).rejects.toMatchObject({ code: "not_found" });
  },
  "POST /v1/agents/{agent_id}/publish": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    await agents.update(id, { temperature: 1 });
    expect(await agents.publish(id)).toMatchObject({ is_published: true, published_version: 2 });
    expect(await agents.publish(id, { version: 1 })).toMatchObject({ published_version: 1 });
    expect(await agents.get(id)).toMatchObject({ is_published: true, published_version: 1, temperature: 1 });
  },
  "GET /v1/agents/{agent_id}/versions": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    await agents.update(id, { temperature: 1, version_description: "warmer" });
    await agents.publish(id);
    expect(await agents.versions(id)).toMatchObject([
      { version: 1, temperature: 0.2, is_published: false },
      { version: 2, temperature: 1, is_published: true, version_description: "warmer" },
    ]);
  },
  "GET /v1/agents/{agent_id}/export": async (world) => {
    const { agent_id: id } = await newAgent(world, "Traveller");
    const exported = await world.platform.agents.export(id);
    expect(JSON.stringify(exported)).toContain("Traveller");
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
  },
  "POST /v1/agents/import": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world, "Traveller");
    const exported = await agents.export(id);
    const imported = await agents.import(exported);
    world.has(imported, AGENT);
    expect(imported).toMatchObject({ agent_name: "Traveller", is_published: false, ...CONFIGURATION });
    expect(imported.agent_id).not.toBe(id);
    expect(await agents.export(imported.agent_id)).toEqual(exported);
  },
  "POST /v1/agents/{agent_id}/workflows/{workflow_id}": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    const { workflow_id: workflowId } = await newAutomation(world);
    await agents.linkWorkflow(id, workflowId, { priority: 3, execution_mode_override: "sync" });
    expect(await agents.workflows(id)).toMatchObject([
      { workflow_id: workflowId, priority: 3, execution_mode_override: "sync" },
    ]);
    const linked = given((await agents.get(id)).linked_workflows);
    expect(linked).toMatchObject([{ workflow_id: workflowId }]);
  },
  "DELETE /v1/agents/{agent_id}/workflows/{workflow_id}": async (world) => {
    const { agents } = world.platform;
    const { agent_id: id } = await newAgent(world);
    const { workflow_id: workflowId } = await newAutomation(world);
    await agents.linkWorkflow(id, workflowId);
    await agents.unlinkWorkflow(id, workflowId);
    expect(await agents.workflows(id)).toEqual([]);
    await expect(agents.unlinkWorkflow(id, workflowId)).rejects.toMatchObject({ code: "not_found" });
  },
  "GET /v1/agents/{agent_id}/workflows": async (world) => {
    const { agents, workflows } = world.platform;
    const { agent_id: id } = await newAgent(world);
    const { workflow_id: workflowId } = await newAutomation(world);
    expect(await agents.workflows(id)).toEqual([]);
    await workflows.linkAgent(workflowId, id, { trigger_condition_description: "when angry" });
    const [link] = await agents.workflows(id);
    world.has(link, ["workflow_id", ...LINK]);
    expect(link).toMatchObject({ workflow_id: workflowId, trigger_condition_description: "when angry" });
  },
};

/** Contract 4.3. */
export const phoneNumberWalks: Walks = {
  "POST /v1/phone-numbers": async (world) => {
    const { phoneNumbers } = world.platform;
    const phone = freshPhone();
    const created = await phoneNumbers.create({
      phone_number: phone,
      nickname: "desk",
      provider: "twilio",
      inbound_agent_id: PUBLISHED_AGENT,
      allowed_outbound_countries: ["US"],
    });
    world.has(created, PHONE_NUMBER);
    expect(created).toMatchObject({ phone_number: phone, nickname: "desk", provider: "twilio" });
    expect(await phoneNumbers.get(created.phone_number_id)).toMatchObject({
      phone_number: phone,
      inbound_agent_id: PUBLISHED_AGENT,
      allowed_outbound_countries: ["US"],
      allowed_inbound_countries: ["*"],
    });
  },
  "GET /v1/phone-numbers/{id}": async (world) => {
    const { phone_number_id: id } = await newNumber(world);
    const number = await world.platform.phoneNumbers.get(id);
    world.has(number, PHONE_NUMBER_DETAIL);
    expect(number).toMatchObject({ phone_number_id: id, nickname: "desk", provider: "custom" });
    expect(number).toMatchObject({ sip_connections: [], dispatch_rules: [] });
  },
  "GET /v1/phone-numbers": async (world) => {
    const { phone_number: phone } = await newNumber(world);
    const found = await all(world.platform.phoneNumbers.iterate({ limit: 2 }));
    expect(found.map((number) => number.phone_number)).toContain(phone);
    expect(new Set(found.map((number) => number.phone_number_id)).size).toBe(found.length);
  },
  "PATCH /v1/phone-numbers/{id}": async (world) => {
    const { phoneNumbers } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const changes = { nickname: "sales", allowed_inbound_countries: ["TR", "GB"] };
    const changed = await phoneNumbers.update(id, changes);
    world.has(changed, PHONE_NUMBER_DETAIL);
    expect(changed).toMatchObject(changes);
    expect(await phoneNumbers.get(id)).toMatchObject({ ...changes, provider: "custom" });
  },
  "DELETE /v1/phone-numbers/{id}": async (world) => {
    const { phoneNumbers, sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const connection = await sipConnections.create(id, CARRIER);
    await phoneNumbers.delete(id);
    await expect(phoneNumbers.get(id)).rejects.toMatchObject({ code: "not_found" });
    await expect(sipConnections.get(id, connection.sip_connection_id)).rejects.toMatchObject({
      code: "not_found",
    });
  },
  "PATCH /v1/phone-numbers/{id}/agents": async (world) => {
    const { phoneNumbers } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const both = { inbound_agent_id: PUBLISHED_AGENT, outbound_agent_id: PUBLISHED_AGENT };
    const set = await phoneNumbers.setAgents(id, both);
    world.has(set, PHONE_NUMBER_DETAIL);
    expect(set).toMatchObject({ ...both, inbound_agent_name: "Renewal assistant" });
    await phoneNumbers.setAgents(id, { inbound_agent_id: null });
    const read = await phoneNumbers.get(id);
    expect(read.outbound_agent_id).toBe(PUBLISHED_AGENT);
    expect(read.inbound_agent_id).toBeUndefined();
  },
  "POST /v1/phone-numbers/{id}/sip-connections": async (world) => {
    const { sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const created = await sipConnections.create(id, CARRIER);
    world.has(created, SIP_CONNECTION);
    const { password: _password, ...shown } = CARRIER;
    expect(created).toMatchObject({ phone_number_id: id, ...shown });
    expect(JSON.stringify(created)).not.toContain(CARRIER.password);
    await eventually(async () => {
      const read = await sipConnections.get(id, created.sip_connection_id);
      expect(read).toMatchObject({ ...shown, sync_status: "synced" });
      expect(read.livekit_trunk_id).toBeDefined();
    });
  },
  "GET /v1/phone-numbers/{id}/sip-connections/{connection_id}": async (world) => {
    const { sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const { sip_connection_id: connectionId } = await sipConnections.create(id, CARRIER);
    const read = await sipConnections.get(id, connectionId);
    world.has(read, SIP_CONNECTION);
    expect(read).toMatchObject({ sip_connection_id: connectionId, phone_number_id: id, username: "outdial" });
    const other = await newNumber(world);
    await expect(sipConnections.get(other.phone_number_id, connectionId)).rejects.toMatchObject({
      code: "not_found",
    });
  },
  "GET /v1/phone-numbers/{id}/sip-connections": async (world) => {
    const { sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    expect(await sipConnections.list(id)).toEqual([]);
    const one = await sipConnections.create(id, CARRIER);
    const other = await sipConnections.create(id, { termination_uri: "sip.other.example" });
    const found = await sipConnections.list(id);
    expect(found.map((connection) => connection.sip_connection_id)).toEqual([
      one.sip_connection_id,
      other.sip_connection_id,
    ]);
    for (const connection of found) world.has(connection, SIP_CONNECTION);
  },
  "PATCH /v1/phone-numbers/{id}/sip-connections/{connection_id}": async (world) => {
    const { sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const { sip_connection_id: connectionId } = await sipConnections.create(id, CARRIER);
    const changed = await sipConnections.update(id, connectionId, { transport: "UDP", nickname: "backup" });
    world.has(changed, SIP_CONNECTION);
    expect(changed).toMatchObject({ transport: "UDP", nickname: "backup", username: "outdial" });
    expect(await sipConnections.get(id, connectionId)).toMatchObject({
      transport: "UDP",
      nickname: "backup",
    });
  },
  "DELETE /v1/phone-numbers/{id}/sip-connections/{connection_id}": async (world) => {
    const { sipConnections } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    const { sip_connection_id: connectionId } = await sipConnections.create(id, CARRIER);
    await sipConnections.delete(id, connectionId);
    expect(await sipConnections.list(id)).toEqual([]);
    await expect(sipConnections.delete(id, connectionId)).rejects.toMatchObject({ code: "not_found" });
  },
  "GET /v1/phone-numbers/{id}/dispatch-rules": async (world) => {
    const { phoneNumbers, dispatchRules } = world.platform;
    const { phone_number_id: id } = await newNumber(world);
    expect(await dispatchRules.list(id)).toEqual([]);
    await phoneNumbers.setAgents(id, { inbound_agent_id: PUBLISHED_AGENT });
    const [rule] = await dispatchRules.list(id);
    world.has(rule, DISPATCH_RULE);
    expect(rule).toMatchObject({ agent_id: PUBLISHED_AGENT });
    expect((await phoneNumbers.get(id)).dispatch_rules).toMatchObject([{ agent_id: PUBLISHED_AGENT }]);
  },
};
