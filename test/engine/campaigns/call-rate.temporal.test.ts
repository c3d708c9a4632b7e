import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { CallRate } from "../../../src/domain/campaigns/call-rate.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { expectAccounted } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";

const RATE: CallRate = { calls: 3, withinMs: 250 };

describeSomeLedger("campaigns whose calls begin at a rate", (ledger) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(ledger(), { speed: 100, rate: RATE });
    await engine.startWorkers();
  });
  afterAll(() => engine.close());

  it("begin no more than that together, and call everybody", async () => {
    const lists = [phoneNumbers(20, 661_000), phoneNumbers(20, 662_000)];
    const ids = await Promise.all(
      lists.map((phones) =>
        startTestCampaign(engine, phones, { concurrency: 50, retry: { max_attempts: 1, delays: {} } }),
      ),
    );
    for (const id of ids) expect((await untilOver(engine, id)).state).toBe("completed");
    for (const id of ids) await expectAccounted(engine, id);
    const started = await rows<{ calls: number; sent_ms: number; seen_ms: number }>(
      ledger().db,
      sql`select size as calls, (extract(epoch from start_sent_at) * 1000)::float8 as sent_ms,
            (extract(epoch from start_seen_at) * 1000)::float8 as seen_ms
          from batches where start_sent_at is not null order by start_sent_at`,
    );
    expect(started.reduce((sum, { calls }) => sum + calls, 0)).toBe(40);
    // Whatever was permitted within the stretch of time that began with an answer, and what was in the air meanwhile.
    for (const { sent_ms: nowMs, calls } of started) {
      const before = started.filter((one) => one.sent_ms < nowMs && one.seen_ms + RATE.withinMs > nowMs);
      expect(before.reduce((sum, one) => sum + one.calls, calls)).toBeLessThanOrEqual(RATE.calls);
    }
  });
});
