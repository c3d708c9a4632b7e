import { expect, it } from "vitest";

import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

describeSomeLedger("an installation that is examined over HTTP", (ledger) => {
  it("is looked at once for all who ask at the same time, and says whether anything fails", async () => {
    let looks = 0;
    let tell = () => {};
    const found = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const api = await openApi(ledger(), {
      examine: async () => {
        looks += 1;
        await found;
        return [
          { name: "Node.js", status: "ok", detail: "24.0.0" },
          { name: "platform", status: "fail", detail: "does not answer", remedy: "check PLATFORM_BASE_URL" },
        ];
      },
    });
    const asked = [api.app.inject({ url: "/v1/doctor" }), api.app.inject({ url: "/v1/doctor" })];
    tell();
    const answers = await Promise.all(asked);
    answers.push(await api.app.inject({ url: "/v1/doctor" }));
    expect(looks).toBe(1);
    for (const answer of answers)
      expect(answer.json()).toEqual({
        ok: false,
        checks: [
          { name: "Node.js", status: "ok", detail: "24.0.0" },
          { name: "platform", status: "fail", detail: "does not answer", remedy: "check PLATFORM_BASE_URL" },
        ],
      });
  });

  it("is looked at anew after a look that failed", async () => {
    let looks = 0;
    const api = await openApi(ledger(), {
      examine: async () => {
        looks += 1;
        if (looks === 1) throw new Error("gone meanwhile");
        return [];
      },
    });
    expect((await api.app.inject({ url: "/v1/doctor" })).statusCode).toBe(500);
    expect((await api.app.inject({ url: "/v1/doctor" })).json()).toEqual({ ok: true, checks: [] });
  });
});
