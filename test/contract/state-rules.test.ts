/** The contract's rules about states, over the real client (contract 3, 9). */
import { describe, expect, test } from "vitest";
import { ConflictError, NotFoundError, UnprocessableError } from "../../src/platform/index.ts";
import { aBatch, aWorkflow, failureOf, failuresOf, OTHER, OTHER_KEY } from "./support/attempts.ts";
import {
  CALLER_ID,
  clientWith,
  DRAFT_AGENT,
  eventually,
  freshPhone,
  PUBLISHED_AGENT,
  openWorld,
} from "./support/world.ts";

describe("an agent (contract 3.1, 9.2)", () => {
  test("is a draft first; each update is a new draft version; the current draft goes live, or the version named", async () => {
    const { agents } = (await openWorld()).platform;
    const { agent_id: id } = await agents.create({ agent_name: "A", temperature: 0.1 });
    expect(await agents.get(id)).toMatchObject({ is_published: false });
    for (const temperature of [0.2, 0.3, 0.4]) await agents.update(id, { temperature });
    expect((await agents.versions(id)).map((one) => [one.version, one["temperature"]])).toEqual([
      [1, 0.1],
      [2, 0.2],
      [3, 0.3],
      [4, 0.4],
    ]);
    expect(await agents.publish(id, { version: 2 })).toMatchObject({ published_version: 2 });
    await agents.update(id, { temperature: 0.5 });
    expect(await agents.get(id)).toMatchObject({ published_version: 2, is_published: true });
    expect(await agents.publish(id)).toMatchObject({ published_version: 5 });
    expect(await failureOf(agents.publish(id, { version: 99 }))).toBeInstanceOf(NotFoundError);
  });

  test("must be published for phone calls, web calls, chats and batches, and not for tests", async () => {
    const { platform } = await openWorld();
    const number = { from_number: CALLER_ID, to_number: freshPhone() };
    for (const error of await failuresOf([
      platform.calls.phone({ agent_id: DRAFT_AGENT, ...number }),
      platform.calls.web({ agent_id: DRAFT_AGENT }),
      platform.chat.create({ agent_id: DRAFT_AGENT }),
      platform.batchCalls.create(aBatch(DRAFT_AGENT)),
    ])) {
      expect(error).toBeInstanceOf(UnprocessableError);
      expect(error).toMatchObject({ fieldErrors: [{ field: "body.agent_id" }], effect: "did_not_happen" });
    }
    await platform.calls.test({ agent_id: DRAFT_AGENT });
    await platform.chat.test({ agent_id: DRAFT_AGENT });
    await platform.agents.publish(DRAFT_AGENT);
    await platform.calls.web({ agent_id: DRAFT_AGENT });
    await platform.calls.phone({ agent_id: DRAFT_AGENT, ...number });
  });

  test("talks in a chat as the version that was live when the chat was opened", async () => {
    const { agents, chat } = (await openWorld()).platform;
    const { agent_id: id } = await agents.create({ agent_name: "A", greeting_message: "One" });
    await agents.publish(id);
    const first = await chat.create({ agent_id: id });
    await agents.update(id, { greeting_message: "Two" });
    await agents.publish(id);
    expect(await chat.get(first.session_id)).toMatchObject({ agent_version: 1 });
    expect(await chat.create({ agent_id: id })).toMatchObject({
      agent_version: 2,
      greeting: { content: "Two" },
    });
  });

  test("is the same configuration after export and import, here and in another organization", async () => {
    const world = await openWorld({ sandbox: { otherOrganizations: [OTHER] } });
    const { agents } = world.platform;
    const { agent_id: id } = await agents.create({
      agent_name: "Traveller",
      agent_type: "realtime_agent",
      realtime_provider: "openai",
      temperature: 1.5,
      enable_backchannel: true,
      post_call_analysis_config: { fields: [{ name: "mood", type: "string" }] },
      llm_api_key: "sk-of-somebody-else",
    });
    const exported = await agents.export(id);
    expect(JSON.stringify(exported)).not.toContain("sk-of-somebody-else");
    const there = clientWith(world.sandbox, OTHER_KEY).agents;
    for (const where of [agents, there]) {
      const { agent_id: copy } = await where.import(exported);
      expect(await where.export(copy)).toEqual(exported);
      expect(await where.versions(copy)).toHaveLength(1);
    }
  });
});

describe("what does not fit the present state is a conflict", () => {
  test("a batch: what fits when, and no deleting while it runs (contract 3.3)", async () => {
    const { platform, sandbox } = await openWorld();
    const { batchCalls } = platform;
    const batch = aBatch();
    for (const { phone_number: phone } of batch.contacts)
      sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 24 * 3_600_000 }]);
    const { batch_call_id: id } = await batchCalls.create(batch);
    const refused = async (...actions: ("start" | "pause" | "resume" | "cancel" | "delete")[]) => {
      for (const action of actions) {
        const error = await failureOf(batchCalls[action](id));
        expect(error, action).toBeInstanceOf(ConflictError);
        expect(error).toMatchObject({ status: 409, effect: "did_not_happen" });
      }
    };
    await refused("pause", "resume");
    await batchCalls.start(id);
    await eventually(async () => expect((await batchCalls.get(id)).status).toBe("running"));
    await refused("start", "resume", "delete");
    await batchCalls.pause(id);
    await refused("pause");
    await batchCalls.resume(id);
    await batchCalls.cancel(id);
    await refused("start", "pause", "resume", "cancel");
    await batchCalls.delete(id);
    expect(await failureOf(batchCalls.get(id))).toBeInstanceOf(NotFoundError);
  });

  test("a schedule without trigger_type schedule, a run before it is deployed, a message to a livekit chat", async () => {
    const { workflows, chat, phoneNumbers } = (await openWorld()).platform;
    const { workflow_id: id } = await workflows.create(aWorkflow);
    const room = await chat.create({ agent_id: PUBLISHED_AGENT, transport: "livekit" });
    for (const error of await failuresOf([
      workflows.setSchedule(id, { interval_minutes: 5 }),
      workflows.execute(id),
      workflows.update(id, { is_active: true }),
      chat.send(room.session_id, "hello"),
      phoneNumbers.create({ phone_number: CALLER_ID }),
    ]))
      expect(error).toBeInstanceOf(ConflictError);
    const scheduled = await workflows.create({ ...aWorkflow, trigger_type: "schedule" });
    await workflows.setSchedule(scheduled.workflow_id, { interval_minutes: 5 });
  });
});
