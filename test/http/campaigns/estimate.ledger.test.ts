import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { setBudget } from "../../../src/ledger/campaigns/budgets.ts";
import type { EstimateWire } from "../../../src/http/wire/estimates.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { csvOf, openApi, openSandbox, phonesFrom, sha256, specOf, type TestApi } from "../support.ts";

const USD = 1_000_000;

describeSomeLedger("what a campaign is likely to cost", (ledger) => {
  const create = async (api: TestApi, changes: Record<string, unknown>) => {
    const answer = await api.app.inject({
      method: "POST",
      url: "/v1/campaigns",
      payload: { spec: specOf(changes) },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ id: string; estimate: EstimateWire }>();
  };

  const give = async (api: TestApi, id: string, people: number) => {
    const list = csvOf(phonesFrom(1_000, people));
    const answer = await api.app.inject({
      method: "POST",
      url: `/v1/campaigns/${id}/contacts?digest=${sha256(list)}&source_name=list.csv`,
      headers: { "content-type": "application/octet-stream" },
      payload: list,
    });
    expect(answer.statusCode, answer.body).toBe(200);
  };

  const start = async (api: TestApi, id: string) =>
    (await api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/start`, payload: {} })).json<{
      state: string;
      estimate: EstimateWire;
    }>();

  it("is told with its price, its range and what is left, when it is written down and when it is started", async () => {
    const { platform } = await openSandbox();
    const brand = "estimated";
    await setBudget(ledger(), {
      brand,
      totalMicros: undefined,
      perDayMicros: 2 * USD,
      restart: false,
      actor: "test",
      nowMs: Date.now(),
    });
    const api = await openApi(ledger(), { platform });
    const { id, estimate } = await create(api, { brand, budget: { total: "0.50" } });
    expect(estimate).toMatchObject({ contacts: 0, cost: null, unknown: "it has no contacts yet" });
    expect(estimate.per_contact?.median).toBeGreaterThan(0);
    await give(api, id, 200);
    const asked = (await api.app.inject({ url: `/v1/campaigns/${id}/estimate` })).json<EstimateWire>();
    const { state, estimate: started } = await start(api, id);
    expect(state).toBe("running");
    expect(started).toEqual(asked);
    const { cost, per_minute: perMinute, minutes } = started;
    expect(started).toMatchObject({ contacts: 200, unknown: null });
    expect(cost?.low).toBeLessThan(cost?.high ?? 0);
    expect(cost?.median).toBeCloseTo((minutes.median ?? 0) * (perMinute ?? 0), 0);
    expect(started.outcomes_from).toContain("usual ones");
    const calls = Object.values(started.by_disposition).reduce((sum, one) => sum + one.calls, 0);
    expect(Math.abs(calls - started.calls.median)).toBeLessThan(started.calls.median * 0.1);
    expect(started.left).toEqual([
      { of: "account", period: "balance", usd: 100_000, enough: "yes" },
      { of: "campaign", period: "total", usd: 0.5, enough: "no" },
      { of: `brand ${brand}`, period: "day", usd: 2, enough: null },
    ]);
  });

  it("is not known, and nobody waits for it, where the platform does not tell the price", async () => {
    const { platform } = await openSandbox();
    const never = () => new Promise<never>(() => {});
    const silent: Platform = {
      ...platform,
      billing: { ...platform.billing, balance: never, estimate: never },
    };
    const api = await openApi(ledger(), { platform: silent });
    // An agent whose price nobody has asked for before.
    const agent = await platform.agents.create({ agent_name: "Mute", system_prompt: "An AI." });
    await platform.agents.publish(agent.agent_id);
    const { id } = await create(api, { agent_id: agent.agent_id });
    await give(api, id, 3);
    const { state, estimate } = await start(api, id);
    expect(state).toBe("running");
    expect(estimate).toMatchObject({
      contacts: 3,
      cost: null,
      unknown: "the platform did not tell the price within 2 seconds",
      left: [],
    });
    expect(estimate.minutes.median).toBeGreaterThan(0);
  });

  it("is not known where the platform refuses to tell, and why is said", async () => {
    const { platform, sandbox } = await openSandbox();
    const agent = await platform.agents.create({ agent_name: "Dear", system_prompt: "An AI." });
    await platform.agents.publish(agent.agent_id);
    sandbox.faults.add({ kind: "status", route: "POST /v1/billing/pricing/estimate", status: 403 });
    const api = await openApi(ledger(), { platform });
    const { estimate } = await create(api, { agent_id: agent.agent_id });
    expect(estimate.per_contact).toBeNull();
    expect(estimate.unknown).toContain("the platform could not be asked for the price (");
  });

  it.each([
    ["an amount beyond all sums", { current_balance: Number.MAX_VALUE }, false],
    ["less than nothing, and lets more be spent", { current_balance: -12.5 }, true],
  ])("is told without the account where the platform names %s", async (_, balance, sufficient) => {
    const { platform } = await openSandbox();
    const billing: Platform["billing"] = {
      ...platform.billing,
      balance: async () => ({ ...(await platform.billing.balance()), ...balance }),
      check: async (amount) => ({ ...(await platform.billing.check(amount)), sufficient }),
    };
    await rows(ledger().db, sql`update installation set balance_micros = null, balance_at = null`);
    const api = await openApi(ledger(), { platform: { ...platform, billing } });
    const { estimate } = await create(api, {});
    expect(estimate.left).toEqual([]);
    expect(estimate.per_contact?.median).toBeGreaterThan(0);
  });

  it("that can't be reckoned leaves the campaign as it was written down", async () => {
    const { platform } = await openSandbox();
    const broken: Platform = {
      ...platform,
      billing: {
        ...platform.billing,
        balance: () => Promise.reject(new TypeError("a mistake of ours")),
      },
    };
    await rows(ledger().db, sql`update installation set balance_micros = null, balance_at = null`);
    const api = await openApi(ledger(), { platform: broken });
    const { id, estimate } = await create(api, {});
    expect(estimate).toMatchObject({ cost: null, unknown: expect.stringContaining("could not be reckoned") });
    await give(api, id, 2);
    expect(await start(api, id)).toMatchObject({ state: "running", estimate: { contacts: 2, cost: null } });
  });
});
