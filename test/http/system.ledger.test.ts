import { expect, it } from "vitest";

import { describeLedgers } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

describeLedgers("the system's own facts", (ledger) => {
  it("say by which zone data the server goes, and when that is old", async () => {
    const zoneDataAt = async (instant: string) => {
      const api = await openApi(ledger(), { now: () => Date.parse(instant) });
      return (await api.app.inject({ url: "/v1/system" })).json<{ zone_data: unknown }>().zone_data;
    };
    const facts = { version: "2026f", released_on: "2026-10-29" };
    expect(await zoneDataAt("2026-11-22T00:00Z")).toEqual({ ...facts, old: false });
    expect(await zoneDataAt("2027-06-01T00:00Z")).toEqual({ ...facts, old: true });
  });
});
