import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { noteUnbookedDials } from "../../../src/ledger/campaigns/unbooked-dials.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { callBack } from "../support/placing.ts";
import {
  contactsOf,
  create,
  DAY_MS,
  ended,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  permit,
  plan,
  running,
  SECOND_MS,
  start,
} from "../support/scenario.ts";

/** What holds where nothing is said. */
const USUAL = { least_gap: undefined };

describeLedgers("the least gap between two calls to a number", (ledger) => {
  /** A campaign of one contact, whose call ends at this moment. Returns the campaign. */
  const call = async (phone: string, nowMs: number, changes: Partial<CampaignSpecInput> = {}) => {
    const id = await running(ledger(), [phone], { ...USUAL, ...changes }, nowMs);
    await callIn(id, phone, nowMs);
    return id;
  };

  /** Whoever is due in a campaign is called, and the call ends at that moment. */
  const callIn = async (id: string, phone: string, nowMs: number, disposition: Disposition = "answered") => {
    const { batchIds } = await plan(ledger(), id, nowMs);
    const batchId = given(batchIds[0]);
    await start(ledger(), batchId, nowMs);
    await settleFindings(ledger(), { batchId, findings: [ended(phone, disposition, nowMs)], nowMs });
    await closeBatch(ledger(), batchId, nowMs);
  };

  const placeBack = (campaignId: string, phone: string, nowMs: number) =>
    callBack(ledger(), campaignId, phone, { dueAtMs: 0, nowMs });

  /** How many batches a planning makes, and when it wants to look again. */
  const planned = async (id: string, nowMs: number) => {
    const { batchIds, waitMs } = await plan(ledger(), id, nowMs);
    return { batches: batchIds.length, lookAtMs: nowMs + waitMs };
  };

  it("holds between a call and its callback, and between callbacks, whatever time was asked for", async () => {
    const [phone] = freshPhones(1) as [string];
    const campaignId = await call(phone, NOW_MS);
    const callbacks = await placeBack(campaignId, phone, NOW_MS + SECOND_MS);
    const dueMs = NOW_MS + 5 * MINUTE_MS;
    expect(await planned(callbacks, NOW_MS + SECOND_MS)).toEqual({ batches: 0, lookAtMs: dueMs });
    const explained = given(await explainContact(ledger().db, callbacks, phone));
    expect(explained.refusals).toMatchObject([
      { reason: "called_just_now", detail: `until ${new Date(dueMs).toISOString()}` },
    ]);
    expect((await planned(callbacks, dueMs - 1)).batches).toBe(0);
    await callIn(callbacks, phone, dueMs);
    // Somebody who asks for one callback after the other is called every five minutes, and no sooner.
    await placeBack(campaignId, phone, dueMs + SECOND_MS);
    expect(await planned(callbacks, dueMs + SECOND_MS)).toEqual({
      batches: 0,
      lookAtMs: dueMs + 5 * MINUTE_MS,
    });
    expect((await planned(callbacks, dueMs + 5 * MINUTE_MS)).batches).toBe(1);
  });

  it("holds over all campaigns of the brand, and not over those of another", async () => {
    const [phone] = freshPhones(1) as [string];
    await call(phone, NOW_MS, { brand: "acme" });
    const nowMs = NOW_MS + MINUTE_MS;
    const same = await running(ledger(), [phone], { ...USUAL, brand: "acme" }, nowMs);
    const other = await running(ledger(), [phone], { ...USUAL, brand: "umbrella" }, nowMs);
    expect(await planned(same, nowMs)).toEqual({ batches: 0, lookAtMs: NOW_MS + 5 * MINUTE_MS });
    expect((await planned(other, nowMs)).batches).toBe(1);
  });

  it("is asked for again when a batch is to start", async () => {
    const [phone, other] = freshPhones(2) as [string, string];
    const id = await running(ledger(), [phone, other], USUAL);
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId);
    // A call that recovery found, or that was booked late: the number was called since it was leased.
    await noteUnbookedDials(ledger().db, {
      platformBatchId: "lost",
      phones: [phone],
      dialedUntilMs: NOW_MS + MINUTE_MS,
      nowMs: NOW_MS + MINUTE_MS,
    });
    expect((await permit(ledger(), batchId, NOW_MS + 2 * MINUTE_MS)).kind).toBe("stopped");
    await closeBatch(ledger(), batchId, NOW_MS + 2 * MINUTE_MS);
    const [postponed, free] = await contactsOf(ledger(), id);
    expect([postponed?.state, free?.state]).toEqual(["open", "open"]);
    expect(await planned(id, NOW_MS + 3 * MINUTE_MS)).toMatchObject({ batches: 1 });
    expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["open", "leased"]);
  });

  it("holds between retries of one contact, or the delay that its campaign says where that is shorter", async () => {
    /** When somebody who was busy is called again, after that call. */
    const gapOf = async (busy: string, changes: Partial<CampaignSpecInput> = USUAL) => {
      const [phone] = freshPhones(1) as [string];
      const retry = { max_attempts: 2, delays: { busy } };
      const id = await running(ledger(), [phone], { retry, ...changes });
      await callIn(id, phone, NOW_MS, "busy");
      let nowMs = NOW_MS;
      for (;;) {
        const { batches, lookAtMs } = await planned(id, nowMs);
        if (batches === 1) return nowMs - NOW_MS;
        const { refusals } = given(await explainContact(ledger().db, id, phone));
        for (const { reason } of refusals) expect(reason).toBe("called_just_now");
        nowMs = lookAtMs;
      }
    };
    expect(await gapOf("10m")).toBe(10 * MINUTE_MS);
    expect(await gapOf("10s")).toBe(10 * SECOND_MS);
    expect(await gapOf("0s")).toBe(0);
    await rows(ledger().db, sql`update installation set simulated = false`);
    try {
      // Nobody's phone rings ten times back to back.
      expect([await gapOf("0s"), await gapOf("10s")]).toEqual([MINUTE_MS, MINUTE_MS]);
      expect([await gapOf("90s"), await gapOf("10m")]).toEqual([90 * SECOND_MS, 10 * MINUTE_MS]);
      expect(await gapOf("0s", { least_gap: "0s" })).toBe(MINUTE_MS);
    } finally {
      await rows(ledger().db, sql`update installation set simulated = true`);
    }
  });

  it("holds between retries when a batch is to start, too", async () => {
    const [phone] = freshPhones(1) as [string];
    const id = await running(ledger(), [phone], {
      ...USUAL,
      retry: { max_attempts: 3, delays: { busy: "0s" } },
    });
    await callIn(id, phone, NOW_MS, "busy");
    const { batchIds } = await plan(ledger(), id, NOW_MS + SECOND_MS);
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId, NOW_MS + SECOND_MS);
    await rows(ledger().db, sql`update installation set simulated = false`);
    try {
      expect((await permit(ledger(), batchId, NOW_MS + 2 * SECOND_MS)).kind).toBe("stopped");
    } finally {
      await rows(ledger().db, sql`update installation set simulated = true`);
    }
  });

  it("is what a spec says, and a minute at least where people's phones ring", async () => {
    const gapOf = async (least_gap: string, simulated: boolean | null) => {
      await rows(ledger().db, sql`update installation set simulated = ${simulated}`);
      const [phone] = freshPhones(1) as [string];
      await call(phone, NOW_MS);
      const id = await running(ledger(), [phone], { least_gap });
      const { batches } = await planned(id, NOW_MS);
      const { refusals } = given(await explainContact(ledger().db, id, phone));
      const until = refusals[0]?.detail.replace("until ", "") ?? "";
      return batches === 1 ? 0 : Date.parse(until) - NOW_MS;
    };
    try {
      expect(await gapOf("2m", null)).toBe(2 * MINUTE_MS);
      expect(await gapOf("1d", null)).toBe(DAY_MS);
      expect([await gapOf("0s", null), await gapOf("10s", false)]).toEqual([MINUTE_MS, MINUTE_MS]);
      expect([await gapOf("0s", true), await gapOf("10s", true)]).toEqual([0, 10 * SECOND_MS]);
    } finally {
      await rows(ledger().db, sql`update installation set simulated = true`);
    }
  });

  it("counts no call that is told to have ended in the future, and none that was not made", async () => {
    const [phone] = freshPhones(1) as [string];
    const id = await call(phone, NOW_MS);
    await rows(
      ledger().db,
      sql`update attempts set ended_at = '9999-01-01T00:00:00Z' where campaign_id = ${id}::uuid`,
    );
    const next = await running(ledger(), [phone], USUAL);
    expect((await planned(next, NOW_MS)).lookAtMs).toBeLessThanOrEqual(NOW_MS + 5 * MINUTE_MS);
    await rows(ledger().db, sql`update attempts set state = 'returned' where campaign_id = ${id}::uuid`);
    expect((await planned(next, NOW_MS + 5 * MINUTE_MS)).batches).toBe(1);
  });
});
