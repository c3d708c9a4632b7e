import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { noteNoCredit } from "../../../src/ledger/campaigns/credit.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { freshPhones, running } from "../../ledger/support/scenario.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openApi } from "../support.ts";

describeSomeLedger("budgets over HTTP", (ledger) => {
  it("take each other's place, are listed with what is spent, and are taken back", async () => {
    const api = await openApi(ledger());
    const ask = (method: "PUT" | "GET" | "DELETE", payload?: object) =>
      api.app.inject({ method, url: "/v1/budgets", ...(payload && { payload }) });
    const first = await ask("PUT", { brand: "acme", total: "2500.50", per_day: 100 });
    expect(first.json()).toMatchObject({ budget: { brand: "acme", total: 2500.5, per_day: 100 } });
    await ask("PUT", { brand: "acme", per_day: "0.07" });
    await ask("PUT", { total: 9_000 });
    expect((await ask("GET")).json()).toMatchObject({
      items: [
        { brand: null, total: 9_000, per_day: null, spent: 0, held: 0, today: { spent: 0, held: 0 } },
        { brand: "acme", total: null, per_day: 0.07 },
      ],
    });
    expect((await ask("PUT", { brand: "acme" })).statusCode).toBe(422);
    expect((await ask("PUT", { total: "-5" })).statusCode).toBe(422);
    expect((await ask("DELETE", { brand: "acme" })).statusCode, "without a reason").toBe(422);
    const gone = { brand: "acme", reason: "billed monthly" };
    expect((await ask("DELETE", gone)).json()).toMatchObject({ removed: { brand: "acme", per_day: 0.07 } });
    expect((await ask("DELETE", gone)).json()).toMatchObject({ code: "unknown_budget" });
    const past = await api.app.inject({ url: "/v1/past-calls?agent_id=nobody&brand=acme" });
    expect(past.json()).toEqual({
      campaigns: 0,
      contacts_dialed: 0,
      attempt_dispositions: {},
      talk_seconds: 0,
      spent: 0,
    });
  });

  it("name the zone of their day, which is one, and goes with a day", async () => {
    const api = await openApi(ledger());
    const put = (payload: object) => api.app.inject({ method: "PUT", url: "/v1/budgets", payload });
    const zone = "America/New_York";
    expect((await put({ brand: "zoned", per_day: 5, zone })).json()).toMatchObject({
      budget: { per_day: 5, zone },
    });
    expect((await put({ brand: "zoned", per_day: 5, zone: "Mars" })).body).toContain("is no time zone");
    expect((await put({ brand: "zoned", total: 5, zone })).body).toContain(
      "is of per_day, which is not said",
    );
    const listed = await api.app.inject({ url: "/v1/budgets" });
    expect(listed.json<{ items: object[] }>().items).toContainEqual(
      expect.objectContaining({ brand: "zoned", zone, today: expect.objectContaining({ spent: 0 }) }),
    );
    await put({ brand: "zoned", per_day: 6 });
    const { items } = (await api.app.inject({ url: "/v1/budgets" })).json<{
      items: { brand: string; zone: string }[];
    }>();
    expect(items.find(({ brand }) => brand === "zoned")?.zone, "as before").toBe(zone);
  });

  it("and credit are looked at at once where somebody asks, or resumes a campaign that waits for credit", async () => {
    let looks = 0;
    const nowMs = Date.now();
    const api = await openApi(ledger(), {
      lookAtBalance: async () => {
        looks += 1;
        return { balanceMicros: 12_500_000, unknown: undefined, isNoLimit: false, campaignIds: ["a"] };
      },
    });
    const checked = () => api.app.inject({ method: "POST", url: "/v1/budgets/check" });
    const seen = { balance: 12.5, unknown: null, is_limit: true, no_credit: null, campaigns: 1 };
    expect((await checked()).json()).toEqual(seen);
    const id = await running(ledger(), freshPhones(1), {});
    const give = (command: string) =>
      api.app.inject({ method: "POST", url: `/v1/campaigns/${id}/${command}`, payload: {} });
    await give("pause");
    await give("resume");
    expect(looks, "nothing is known of a want of credit").toBe(1);
    await noteNoCredit(ledger().db, { reason: "402", nowMs });
    expect((await checked()).json()).toMatchObject({ no_credit: { reason: "402" } });
    await give("pause");
    expect((await give("resume")).json()).toMatchObject({ state: "running" });
    expect(looks).toBe(3);
    await rows(ledger().db, sql`update installation set no_credit_at = null`);
  });
});
