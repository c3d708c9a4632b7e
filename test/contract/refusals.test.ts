/** Each status that the contract documents, met once, with its own error (contract 5, 7). */
import { describe, expect, test } from "vitest";
import {
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  RateLimitedError,
  UnauthorizedError,
  UnprocessableError,
} from "../../src/platform/index.ts";
import { aBatch, failureOf, failuresOf } from "./support/attempts.ts";
import {
  all,
  CALLER_ID,
  clientWith,
  eventually,
  freshPhone,
  given,
  PUBLISHED_AGENT,
  openWorld,
} from "./support/world.ts";

describe("each documented refusal is met with its own error", () => {
  test("401 without a good key: none, a wrong one, a revoked one, an expired one", async () => {
    const { platform, sandbox } = await openWorld({ sandbox: { speed: 1_000_000 } });
    const revoked = await platform.apiKeys.create({ name: "revoked" });
    await platform.apiKeys.delete(revoked.id);
    // A day takes 86 ms here.
    const expiring = await platform.apiKeys.create({ name: "expiring", expires_in_days: 1 });
    for (const key of ["not-a-key", revoked.key]) {
      const error = await failureOf(clientWith(sandbox, key).agents.list());
      expect(error).toBeInstanceOf(UnauthorizedError);
    }
    await eventually(async () =>
      expect(await failureOf(clientWith(sandbox, expiring.key).agents.list())).toBeInstanceOf(
        UnauthorizedError,
      ),
    );
    expect((await fetch(`${sandbox.url}/v1/agents`)).status).toBe(401);
  });

  test("402 with credits used up, for everything that costs", async () => {
    const { platform, sandbox } = await openWorld();
    const { batch_call_id: batchId } = await platform.batchCalls.create(aBatch());
    sandbox.setBalance(0);
    for (const error of await failuresOf([
      platform.calls.phone({ agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, to_number: freshPhone() }),
      platform.calls.web({ agent_id: PUBLISHED_AGENT }),
      platform.chat.create({ agent_id: PUBLISHED_AGENT }),
      platform.batchCalls.start(batchId),
      platform.workflows.generate({ name: "w", description: "Send an email" }),
    ])) {
      expect(error).toBeInstanceOf(PaymentRequiredError);
      expect(error).toMatchObject({ status: 402, effect: "did_not_happen" });
    }
    expect(await platform.billing.check(1)).toMatchObject({ sufficient: false });
  });

  test("403 for a scope that is lacking and for an address that is not on the list", async () => {
    const { platform, sandbox } = await openWorld();
    const reader = await platform.apiKeys.create({ name: "reader", scopes: ["agents:read"] });
    const elsewhere = await platform.apiKeys.create({ name: "elsewhere", ip_allowlist: ["203.0.113.0/24"] });
    const client = clientWith(sandbox, reader.key);
    await client.agents.list();
    for (const error of await failuresOf([
      client.agents.create({ agent_name: "A" }),
      client.calls.list(),
      clientWith(sandbox, elsewhere.key).agents.list(),
    ]))
      expect(error).toBeInstanceOf(ForbiddenError);
    expect((await all(platform.agents.iterate())).map((agent) => agent.agent_name)).not.toContain("A");
  });

  test("404 for what is not there, whatever is asked of it", async () => {
    const { agents, calls, batchCalls, workflows, knowledgeBases, apiKeys, chat, phoneNumbers, billing } = (
      await openWorld()
    ).platform;
    const id = "00000000-0000-4000-8000-000000000000";
    for (const error of await failuresOf([
      agents.get(id),
      calls.get(id),
      calls.recording(id),
      batchCalls.items(id),
      batchCalls.start(id),
      workflows.deploy(id),
      knowledgeBases.addDocument(id, { data: Buffer.from("x"), filename: "x.txt" }),
      apiKeys.rotate(id),
      chat.send(id, "hello"),
      phoneNumbers.delete(id),
      billing.callUsage(id),
    ]))
      expect(error).toBeInstanceOf(NotFoundError);
  });

  test("422 names the fields, by the client before sending and by the platform after", async () => {
    const world = await openWorld();
    const { agents, calls, phoneNumbers } = world.platform;
    const before = world.sandbox.stats().requests;
    const early = await failureOf(agents.create({ agent_name: "", temperature: 3 }));
    expect(early).toBeInstanceOf(InvalidRequestError);
    expect(early).toMatchObject({ fieldErrors: [{ field: "agent_name" }, { field: "temperature" }] });
    expect(world.sandbox.stats().requests).toBe(before);
    const to_number = freshPhone();
    const late = await failureOf(
      calls.phone({ agent_id: PUBLISHED_AGENT, from_number: "+12025550199", to_number }),
    );
    expect(late).toBeInstanceOf(UnprocessableError);
    expect(late).toMatchObject({ fieldErrors: [{ field: "body.from_number" }], effect: "did_not_happen" });
    const { phone_number: own = "" } = await phoneNumbers.create({
      phone_number: freshPhone(),
      allowed_outbound_countries: ["TR"],
    });
    const abroad = await failureOf(calls.phone({ agent_id: PUBLISHED_AGENT, from_number: own, to_number }));
    expect(abroad).toMatchObject({ code: "unprocessable", fieldErrors: [{ field: "body.to_number" }] });
    expect(world.sandbox.dialLog.entries()).toEqual([]);
  });

  test("429 with the seconds to wait, above the rate of the key's tier", async () => {
    const { platform, sandbox } = await openWorld();
    const free = await platform.apiKeys.create({ name: "free", rate_limit_tier: "free" });
    const client = clientWith(sandbox, free.key);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async () => await failureOf(client.config.defaults())),
    );
    const limited = outcomes.filter((error) => error instanceof RateLimitedError);
    expect(limited.length).toBeGreaterThan(0);
    expect(given(limited[0]?.retryAfterMs)).toBeGreaterThan(0);
    // Nobody else is slowed down.
    await platform.config.defaults();
  });
});
