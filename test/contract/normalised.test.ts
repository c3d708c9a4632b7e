/**
 * What users of the client get is the same whichever dialect the platform speaks: the contract's names, whole lists,
 * filters that filter. Client and sandbox know nothing of each other; what they agree on here they read by themselves.
 */
import { describe, expect, test } from "vitest";
import type { Platform } from "../../src/platform/index.ts";
import {
  all,
  CALLER_ID,
  eventually,
  freshPhone,
  given,
  openWorld,
  PUBLISHED_AGENT,
} from "./support/world.ts";

/** An automation that has to sign in somewhere. */
const CREDENTIALS = { nodes: [{ name: "A", credentials: { slackApi: {} } }] };

async function automation(platform: Platform, trigger: "post_call" | "schedule"): Promise<string> {
  const made = await platform.workflows.create({
    name: `On ${trigger}`,
    trigger_type: trigger,
    workflow_json: CREDENTIALS,
  });
  return made.workflow_id;
}

describe.each(["contract", "published"] as const)("a platform in the dialect %s", (dialect) => {
  test("shows an agent's automations the same in the agent, in its list and from the other side", async () => {
    const { platform } = await openWorld({ sandbox: { dialect } });
    const id = await automation(platform, "post_call");
    await platform.workflows.linkAgent(id, PUBLISHED_AGENT, {
      priority: 4,
      trigger_condition_description: "voicemail",
    });
    const link = {
      workflow_id: id,
      priority: 4,
      is_enabled: true,
      trigger_condition_description: "voicemail",
    };
    expect(await platform.agents.workflows(PUBLISHED_AGENT)).toMatchObject([
      { ...link, workflow_name: "On post_call" },
    ]);
    const agent = await platform.agents.get(PUBLISHED_AGENT);
    expect(agent.linked_workflows).toMatchObject([{ ...link, workflow_name: "On post_call" }]);
    expect(await platform.workflows.agents(id)).toMatchObject([
      { ...link, agent_id: PUBLISHED_AGENT, agent_name: agent.agent_name },
    ]);
    expect((await platform.agents.list()).items[0]?.linked_workflows).toMatchObject([link]);
  });

  test("lists schedules, calls and batches whole, page by page or at once", async () => {
    const { platform } = await openWorld({ sandbox: { dialect } });
    const scheduled = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const id = await automation(platform, "schedule");
      await platform.workflows.setSchedule(id, { interval_minutes: 60 });
      scheduled.push(id);
      await platform.calls.web({ agent_id: PUBLISHED_AGENT });
      await platform.batchCalls.create({
        agent_id: PUBLISHED_AGENT,
        from_number: CALLER_ID,
        contacts: [{ phone_number: freshPhone() }],
      });
    }
    expect((await platform.workflows.schedules()).map((one) => one.workflow_id)).toEqual(scheduled);
    expect((await platform.calls.list({ limit: 2 })).items).toHaveLength(2);
    expect((await all(platform.calls.iterate({ limit: 2 }))).map((one) => one.call_id)).toHaveLength(3);
    expect(
      new Set((await all(platform.batchCalls.iterate({ limit: 1 }))).map((one) => one.batch_call_id)).size,
    ).toBe(3);
  });

  test("filters the ledger by type and dates, and checks the amount that it was asked about", async () => {
    const { platform, sandbox } = await openWorld({ sandbox: { dialect } });
    sandbox.setBalance(3);
    await platform.workflows.generate({ name: "G", description: "Slack" });
    const types = async (query: Parameters<typeof platform.billing.transactions>[0]) =>
      (await platform.billing.transactions(query)).items.map((entry) => entry.transaction_type);
    expect(await types({ transaction_type: "usage", days: 1 })).toEqual(["usage"]);
    expect(await types({ start_date: "2100-01-01" })).toEqual([]);
    expect((await platform.billing.usage({ event_type: "llm" })).items).toEqual([]);
    expect((await platform.billing.usage({ event_type: "workflow_generation" })).items).toHaveLength(1);
    expect(await platform.billing.check(1)).toMatchObject({ sufficient: true, required: 1 });
    expect(await platform.billing.check(1_000)).toMatchObject({ sufficient: false, required: 1_000 });
    expect(await platform.billing.pricing()).toMatchObject({
      service_pricing: { llm: {} },
      voice_call_pricing: {},
    });
  });

  test("tells what a call used, and what an automation is and did", async () => {
    const { platform, sandbox } = await openWorld({ sandbox: { dialect } });
    const phone = freshPhone();
    sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 60_000 }]);
    const { call_id: id } = await platform.calls.phone({
      agent_id: PUBLISHED_AGENT,
      from_number: CALLER_ID,
      to_number: phone,
    });
    await eventually(async () => {
      const used = await platform.billing.callUsage(id);
      expect(used).toMatchObject({ call_id: id, total_price_usd: 0.09 });
      expect(used.events).toHaveLength(4);
    });
    const { workflow_id: made, visualization } = await platform.workflows.generate({
      name: "G",
      description: "Call an API",
    });
    expect(visualization).toMatchObject({ nodes: [{}, {}], edges: [{}] });
    await platform.workflows.deploy(made);
    await platform.workflows.execute(made, { execution_mode: "sync" });
    expect((await platform.workflows.executions(made)).items).toMatchObject([{ workflow_id: made }]);
    const detail = await platform.workflows.get(made);
    expect(detail).toMatchObject({
      original_description: "Call an API",
      last_executed_at: expect.any(String),
    });
  });

  test("shows a chat with its messages, counters and times", async () => {
    const { platform } = await openWorld({ sandbox: { dialect } });
    const opened = await platform.chat.create({ agent_id: PUBLISHED_AGENT, external_user_key: "u-1" });
    const reply = await platform.chat.send(opened.session_id, "How much is it?");
    expect(reply.session_id).toBe(opened.session_id);
    const session = await platform.chat.get(opened.session_id);
    expect(session).toMatchObject({
      external_user_key: "u-1",
      message_count: 3,
      agent_reply_count: 1,
      status: "active",
    });
    expect(session.messages).toMatchObject([
      { message_id: given(opened.greeting)["message_id"], role: "assistant" },
      { message_id: reply.user_message_id, tokens_in: reply.tokens_in },
      { message_id: reply.assistant_message_id, tokens_out: reply.tokens_out },
    ]);
    expect(session.total_tokens_in).toBe(reply.tokens_in);
    await platform.chat.close(opened.session_id);
    expect((await platform.chat.list({ status: "closed" })).items).toMatchObject([
      { session_id: opened.session_id },
    ]);
  });

  test("takes a carrier's address in each form that the client lets through", async () => {
    const { platform } = await openWorld({ sandbox: { dialect } });
    const { phone_number_id: id } = await platform.phoneNumbers.create({ phone_number: freshPhone() });
    const uris = [
      "sip:carrier.example",
      "sip:carrier.example:5061",
      "sip://carrier.example:5060",
      "[2001:db8::1]:5060",
      "carrier.example",
    ];
    for (const uri of uris) {
      const made = await platform.sipConnections.create(id, { termination_uri: uri });
      expect((await platform.sipConnections.get(id, made.sip_connection_id)).termination_uri).toBe(uri);
    }
    const number = await platform.phoneNumbers.get(id);
    expect(number.sip_connections?.map((row) => Reflect.get(Object(row), "sip_connection_id"))).toEqual(
      (await platform.sipConnections.list(id)).map((row) => row.sip_connection_id),
    );
  });
});
