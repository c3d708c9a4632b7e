import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { PACE_MS, readListedFigures } from "../../../src/ledger/campaigns/listed-figures.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { freshPhones, NOW_MS, planAndStart, running, specOf } from "../support/scenario.ts";

describeSomeLedger("a list of campaigns", (ledger) => {
  it("says of each what it cost, and what it had begun within the last minutes", async () => {
    const make = async (name: string, people: number) => {
      const id = await running(ledger(), freshPhones(people), specOf({ name, concurrency: people }));
      await planAndStart(ledger(), id);
      return id;
    };
    const [busy, slow, idle] = [await make("busy", 3), await make("slow", 2), await make("idle", 1)];
    const begin = (id: string, atMs: number) =>
      rows(
        ledger().db,
        sql`update batches set start_sent_at = ${new Date(atMs).toISOString()}::timestamptz where campaign_id = ${id}::uuid`,
      );
    await begin(busy, NOW_MS - 1_000);
    await begin(slow, NOW_MS - PACE_MS);
    await begin(idle, NOW_MS - PACE_MS - 1);
    await rows(ledger().db, sql`delete from spending where campaign_id in (${busy}::uuid, ${slow}::uuid)`);
    for (const [id, day, micros] of [
      [busy, "2026-03-01", 1_250_000],
      [busy, "2026-03-02", 500_000],
      [slow, "2026-03-02", 1],
    ] as const)
      await rows(
        ledger().db,
        sql`insert into spending (campaign_id, stretch, leased_at, brand, spent_micros)
            values (${id}::uuid, ${day}::timestamptz, ${day}::timestamptz, 'default', ${micros})`,
      );
    const callbacks = { id: crypto.randomUUID(), parentId: busy };
    const campaigns = [...[busy, slow, idle].map((id) => ({ id, parentId: undefined })), callbacks];
    const figuresOf = await readListedFigures(ledger().db, campaigns, NOW_MS);
    expect(campaigns.map(figuresOf)).toEqual([
      { spentMicros: 1_750_000, begun: 3 },
      { spentMicros: 1, begun: 2 },
      { spentMicros: 0, begun: 0 },
      // What they spend is booked on the campaign that they are of.
      { spentMicros: 1_750_000, begun: 0 },
    ]);
  });
});
