import { expect, it } from "vitest";

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
});
