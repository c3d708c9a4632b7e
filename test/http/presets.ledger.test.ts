import { expect, it } from "vitest";

import { newestPresets } from "../../src/domain/policy/presets/registry.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

describeSomeLedger("presets over HTTP", (ledger) => {
  it("are listed with their versions, and shown with the source of each rule", async () => {
    const api = await openApi(ledger());
    const { items } = (await api.app.inject({ url: "/v1/presets" })).json<{
      items: { id: string; rules: number }[];
    }>();
    expect(items.map(({ id }) => id)).toEqual(newestPresets().map(({ id }) => id));
    for (const url of ["/v1/presets/us-states", "/v1/presets/us-states@2026.1"]) {
      const shown = (await api.app.inject({ url })).json<{ rules: { id: string }[] }>();
      expect(shown).toMatchObject({ id: "us-states", version: "2026.1", needs: ["us-federal"] });
      expect(shown.rules).toHaveLength(items.find(({ id }) => id === "us-states")?.rules ?? 0);
      expect(shown.rules.find(({ id }) => id === "us-fl.calls")).toMatchObject({
        kind: "calls",
        where: "Florida",
        places: ["US-FL"],
        says: "3 calls to a number within 24h",
        dated: "2021-07-01",
      });
    }
  });

  it("that are not known are told with the one that may be meant", async () => {
    const api = await openApi(ledger());
    const answer = await api.app.inject({ url: "/v1/presets/us-stats" });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({
      code: "unknown_preset",
      detail: expect.stringContaining("is us-states meant?"),
    });
  });
});
