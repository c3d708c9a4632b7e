import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { watchCredit } from "../../../src/ledger/campaigns/low-credit.ts";
import { describeLedgers } from "../../support/ledgers.ts";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");

describeLedgers("credit that runs low", (ledger) => {
  const seen = (usd: number, lowUsd?: number, nowMs = NOW_MS) =>
    watchCredit(ledger(), {
      balanceMicros: usd * 1e6,
      lowMicros: lowUsd === undefined ? undefined : lowUsd * 1e6,
      nowMs,
    });
  const told = async () =>
    (await listAttention(ledger().db, { kind: "credit_low", resolved: false, limit: 10 })).items;

  beforeEach(() => rows(ledger().db, sql`delete from attention`));

  it("is told once, with what is left now, however often it is looked at, and goes when there is more", async () => {
    await seen(60, 50);
    expect(await told()).toEqual([]);
    for (let minute = 0; minute < 5; minute += 1) await seen(40 - minute, 50, NOW_MS + minute * 60_000);
    expect(await told()).toMatchObject([
      { subject: "balance", times: 1, atMs: NOW_MS, summary: expect.stringContaining("36") },
    ]);
    await seen(50, 50);
    expect(await told()).toEqual([]);
  });

  it("is nobody's affair where nobody wants to know, and is taken back when that is said later", async () => {
    await seen(0);
    expect(await told()).toEqual([]);
    await seen(1, 50);
    await seen(1);
    expect(await told()).toEqual([]);
  });
});
