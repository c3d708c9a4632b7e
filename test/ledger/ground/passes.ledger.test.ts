import { expect, it } from "vitest";

import { takePass } from "../../../src/ledger/ground/passes.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { HOUR_MS, MINUTE_MS, NOW_MS } from "../support/scenario.ts";

describeLedgers("what is done now and then by one process of all", (ledger) => {
  const take = (nowMs: number, name = "notices") => takePass(ledger().db, { name, everyMs: HOUR_MS, nowMs });

  it("is begun again as long after the last time as it says", async () => {
    expect(await take(NOW_MS)).toBe(true);
    expect(await take(NOW_MS)).toBe(false);
    expect(await take(NOW_MS + HOUR_MS - 1)).toBe(false);
    expect(await take(NOW_MS + HOUR_MS)).toBe(true);
    expect(await take(NOW_MS, "another")).toBe(true);
  });

  it("is not put off by one that a clock which was ahead had begun, and is by another's that is a little", async () => {
    const name = "by wrong clocks";
    expect(await take(NOW_MS + 24 * HOUR_MS, name)).toBe(true);
    expect(await take(NOW_MS, name)).toBe(true);
    expect(await take(NOW_MS + HOUR_MS / 2, name)).toBe(false);
    expect(await take(NOW_MS - MINUTE_MS, name)).toBe(false);
  });
});
