import { sql } from "drizzle-orm";
import { expect } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { readReport } from "../../src/ledger/campaigns/reports.ts";
import type { Engine } from "./engine.ts";
import { given } from "./ledgers.ts";

/**
 * Holds a finished campaign against the outside witness: every dial of its numbers is one attempt of the ledger
 * and the other way round (I1), everybody has one outcome (I3), and no slot is left behind.
 */
export async function expectAccounted(
  engine: Pick<Engine, "ledger" | "sandbox">,
  campaignId: string,
): Promise<void> {
  const report = given(await readReport(engine.ledger.db, campaignId));
  const { total, done, excluded, open } = report.contacts;
  expect({ open, unsettled: report.batches.unsettled, held: report.batches.heldSlots }).toEqual({
    open: 0,
    unsettled: 0,
    held: 0,
  });
  expect(done + excluded).toBe(total);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, n) => all + n, 0);
  expect(sum(report.dispositions)).toBe(done);
  expect(sum(report.excludedReasons)).toBe(excluded);
  await expectEachDialOnce(engine, campaignId);
}

/** Every dialed item belongs to exactly one attempt; attempts without a dial can only be `unknown`. */
export async function expectEachDialOnce(
  engine: Pick<Engine, "ledger" | "sandbox">,
  campaignId: string,
): Promise<void> {
  const attempts = await rows<{ phone: string; platform_batch_id: string; disposition: string | null }>(
    engine.ledger.db,
    sql`select a.phone, b.platform_batch_id, a.disposition from attempts a join batches b on b.id = a.batch_id
        where a.campaign_id = ${campaignId}::uuid and a.state <> 'returned'`,
  );
  const returned = await rows<{ phone: string; platform_batch_id: string }>(
    engine.ledger.db,
    sql`select a.phone, b.platform_batch_id from attempts a join batches b on b.id = a.batch_id
        where a.campaign_id = ${campaignId}::uuid and a.state = 'returned'`,
  );
  const dials = new Map<string, number>();
  for (const dial of engine.sandbox.dialLog.entries()) {
    const key = `${dial.batch_call_id} ${dial.phone}`;
    dials.set(key, (dials.get(key) ?? 0) + 1);
  }
  const twice = [...dials].filter(([, n]) => n > 1);
  expect(twice, "items dialed more than once").toEqual([]);
  const notDialed = attempts.filter(
    (attempt) =>
      !dials.has(`${attempt.platform_batch_id} ${attempt.phone}`) && attempt.disposition !== "unknown",
  );
  expect(notDialed, "attempts with an outcome that nobody dialed").toEqual([]);
  const dialedAnyway = returned.filter((attempt) =>
    dials.has(`${attempt.platform_batch_id} ${attempt.phone}`),
  );
  expect(dialedAnyway, "attempts given back although they were dialed").toEqual([]);
  const known = new Set(attempts.map((attempt) => `${attempt.platform_batch_id} ${attempt.phone}`));
  const batches = new Set([...attempts, ...returned].map((attempt) => attempt.platform_batch_id));
  const unknownDials = [...dials.keys()].filter(
    (key) => batches.has(key.split(" ")[0] ?? "") && !known.has(key),
  );
  expect(unknownDials, "dials that the ledger does not know").toEqual([]);
}
