/** Who sees what, and what nobody sees (contract 2.4, 2.8, 4.3, 5). */
import { expect, test } from "vitest";
import { ForbiddenError, NotFoundError, UnauthorizedError } from "../../src/platform/index.ts";
import { aBatch, aWorkflow, failureOf, OTHER, OTHER_KEY } from "./support/attempts.ts";
import { lists, operationsThatLetIn } from "./support/strangers.ts";
import { clientWith, eventually, freshPhone, given, PUBLISHED_AGENT, openWorld } from "./support/world.ts";

test("two organizations never see each other's things, by any operation that takes an id", async () => {
  const world = await openWorld({ sandbox: { otherOrganizations: [OTHER] } });
  const { platform, sandbox } = world;
  const stranger = clientWith(sandbox, OTHER_KEY);
  const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
  const number = await platform.phoneNumbers.create({ phone_number: freshPhone() });
  const sip = await platform.sipConnections.create(number.phone_number_id, {
    termination_uri: "sip.example",
  });
  const batch = await platform.batchCalls.create(aBatch());
  const workflow = await platform.workflows.create({ ...aWorkflow, trigger_type: "schedule" });
  const base = await platform.knowledgeBases.create({ name: "kb" });
  const document = await platform.knowledgeBases.addDocument(base.id, {
    data: Buffer.from("x"),
    filename: "x.txt",
  });
  const key = await platform.apiKeys.create({ name: "key" });
  const chat = await platform.chat.create({ agent_id: PUBLISHED_AGENT });
  const ids: Readonly<Record<string, string>> = {
    agent_id: PUBLISHED_AGENT,
    call_id: call.call_id,
    connection_id: sip.sip_connection_id,
    batch_id: batch.batch_call_id,
    workflow_id: workflow.workflow_id,
    kb_id: base.id,
    document_id: given(document.id),
    key_id: key.id,
  };
  const seen = await operationsThatLetIn(stranger, (entry, param) =>
    param === "id"
      ? entry.resource === "chat"
        ? chat.session_id
        : number.phone_number_id
      : given(ids[param]),
  );
  expect(seen).toEqual([]);
  for (const readList of lists) {
    const text = JSON.stringify(await readList(stranger));
    for (const id of [...Object.values(ids), chat.session_id, number.phone_number_id])
      expect(text).not.toContain(id);
  }
  // And nothing was changed by trying.
  expect(await platform.agents.get(PUBLISHED_AGENT)).toMatchObject({ is_published: true });
  expect((await platform.batchCalls.get(batch.batch_call_id)).status).toBe("pending");
});

test("what is secret goes in and never comes out", async () => {
  const { platform } = await openWorld();
  const secret = "s3cret-that-nobody-sees";
  const agent = await platform.agents.create({ agent_name: "A", llm_api_key: secret, stt_api_key: secret });
  const id = agent.agent_id;
  const number = await platform.phoneNumbers.create({ phone_number: freshPhone() });
  const n = number.phone_number_id;
  const sip = await platform.sipConnections.create(n, { termination_uri: "sip.example", password: secret });
  const { workflow_id: w } = await platform.workflows.create(aWorkflow);
  const stored = await platform.workflows.setSecrets(w, { secrets: [{ key_name: "token", value: secret }] });
  await platform.workflows.deploy(w);
  const key = await platform.apiKeys.create({ name: "key" });
  const read = [
    agent,
    sip,
    stored,
    await platform.agents.get(id),
    await platform.agents.update(id, { temperature: 1 }),
    await platform.agents.versions(id),
    await platform.agents.export(id),
    await platform.agents.list(),
    await platform.phoneNumbers.get(n),
    await platform.sipConnections.update(n, sip.sip_connection_id, { nickname: "x" }),
    await platform.sipConnections.list(n),
    await platform.workflows.get(w),
    await platform.workflows.export(w),
    await platform.workflows.credentialSchema(w),
    await platform.workflows.execute(w, { execution_mode: "sync" }),
    await platform.workflows.executions(w),
  ];
  expect(JSON.stringify(read)).not.toContain(secret);
  const masked = [
    await platform.apiKeys.get(key.id),
    await platform.apiKeys.list(),
    await platform.apiKeys.usage(key.id),
    await platform.apiKeys.update(key.id, { name: "renamed" }),
  ];
  expect(JSON.stringify(masked)).not.toContain(key.key);
});

test("a number takes its SIP connections with it, and they do not come back with it", async () => {
  const { phoneNumbers, sipConnections } = (await openWorld()).platform;
  const phone = freshPhone();
  const { phone_number_id: id } = await phoneNumbers.create({ phone_number: phone });
  const sip = await sipConnections.create(id, { termination_uri: "sip.example" });
  await phoneNumbers.delete(id);
  expect(await failureOf(sipConnections.get(id, sip.sip_connection_id))).toBeInstanceOf(NotFoundError);
  const again = await phoneNumbers.create({ phone_number: phone });
  expect(await sipConnections.list(again.phone_number_id)).toEqual([]);
  expect((await phoneNumbers.get(again.phone_number_id)).sip_connections).toEqual([]);
});

test("a rotated key stays good for its grace period, and no longer; the new one has the old one's rights", async () => {
  const rotated = async (speed: number) => {
    const { platform, sandbox } = await openWorld({ sandbox: { speed } });
    const old = await platform.apiKeys.create({
      name: "old",
      scopes: ["agents:read"],
      rate_limit_tier: "enterprise",
    });
    const fresh = await platform.apiKeys.rotate(old.id, { grace_period_hours: 1 });
    const endsAtMs = Date.parse(given((await platform.apiKeys.get(old.id)).grace_period_ends_at));
    expect((endsAtMs - Date.now()) * speed).toBeLessThanOrEqual(3_600_000);
    return { withOld: clientWith(sandbox, old.key), withFresh: clientWith(sandbox, fresh.key), endsAtMs };
  };
  const within = await rotated(1);
  await within.withOld.agents.list();
  await within.withFresh.agents.list();
  expect(await failureOf(within.withFresh.calls.list())).toBeInstanceOf(ForbiddenError);
  // An hour is 0.6 s.
  const after = await rotated(6_000);
  await eventually(async () =>
    expect(await failureOf(after.withOld.agents.list())).toBeInstanceOf(UnauthorizedError),
  );
  expect(Date.now()).toBeGreaterThanOrEqual(after.endsAtMs);
  await after.withFresh.agents.list();
});
