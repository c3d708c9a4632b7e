import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { AnswerOf } from "../../src/api/index.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { readOftenCalled } from "../../src/ledger/people/often-called.ts";
import { DAY_MS, freshPhones, planAndStart, running, specOf } from "../ledger/support/scenario.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

describeSomeLedger("who was called often of late", (ledger) => {
  it("is counted over all campaigns of the brand, with calls that count and those under way, most calls first", async () => {
    const [often = "", twice = "", once = "", old = ""] = freshPhones(4);
    const nowMs = Date.now();
    const rounds: (readonly [people: string[], daysAgo: number, brand: string])[] = [
      [[often, twice, once, old], 1, "default"],
      [[often, twice], 2, "default"],
      [[often], 3, "default"],
      [[often, once], 3, "other"],
      [[old], 9, "default"],
    ];
    for (const [people, daysAgo, brand] of rounds) {
      const id = await running(ledger(), people, specOf({ brand }));
      await planAndStart(ledger(), id);
      const began = new Date(nowMs - daysAgo * DAY_MS).toISOString();
      await rows(
        ledger().db,
        sql`update attempts set state = 'ended', disposition = 'busy', started_at = ${began}::timestamptz,
              ended_at = ${began}::timestamptz where campaign_id = ${id}::uuid`,
      );
      await rows(
        ledger().db,
        sql`update batches set start_sent_at = ${began}::timestamptz where campaign_id = ${id}::uuid`,
      );
    }
    // Proven not to have been dialed: it counts for nobody.
    await rows(
      ledger().db,
      sql`update attempts set state = 'returned' where phone = ${old} and started_at < now() - interval '5 days'`,
    );
    const api = await openApi(ledger());
    const ask = async (query: Record<string, string>) =>
      (await api.app.inject({ url: "/v1/people/called", query })).json<AnswerOf<"listOftenCalled">>();
    const all = await ask({});
    expect(all.items.map(({ phone, calls, campaigns }) => [phone, calls, campaigns])).toEqual([
      [often, 4, 4],
      [twice, 2, 2],
      [once, 2, 2],
    ]);
    expect(all).toMatchObject({ total: 3, looked_through: 9, back_to: null });
    const ofBrand = await ask({ brand: "default", calls: "3" });
    expect(ofBrand.items.map(({ phone, calls }) => [phone, calls])).toEqual([[often, 3]]);
    expect((await ask({ days: "1", calls: "2" })).items).toEqual([]);
    // Where there are more batches than are looked at, the newest are, and it says since when.
    const cut = await readOftenCalled(
      ledger().db,
      { brand: undefined, sinceMs: nowMs - 7 * DAY_MS, calls: 2, limit: 1 },
      2,
    );
    expect(cut).toMatchObject({ total: 2, looked: 6, people: [{ phone: often, calls: 2 }] });
    expect(cut.backToMs).toBe(nowMs - 2 * DAY_MS);
  });
});
