import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import { contactsOf, freshPhones, NOW_MS, PACE, plan } from "../support/scenario.ts";

const BERLIN = ["Europe/Berlin"];
/** 14:00 in Berlin, 08:00 in New York: both are open, and close hours apart. */
const LONG_HOURS = { weekdays: ["07:00-20:00"] };

/*
 * Several calls to one number that the policy gate lets through together: no attempt to it is open yet, for any of them.
 * The ledger has one open attempt for each number, so one of them is made, and the others have been beaten to it.
 */
describeLedgers("calls to one number that are planned at once", (ledger) => {
  const placed = async (changes: Parameters<typeof standing>[1], calls: readonly [string, string[]?][]) => {
    const { id } = await standing(ledger(), changes);
    for (const [phone, zones] of calls) await place(ledger(), id, phone, zones ? { zones } : {});
    return id;
  };
  const sizesOf = async (id: string) =>
    (await listUnsettled(ledger().db, id)).map(({ size, slots, held }) => ({ size, slots, held }));
  const refusalsOf = (id: string) =>
    rows<{ reason: string; detail: string; n: number }>(
      ledger().db,
      sql`select r.reason, r.detail, count(*)::int as n from refusals r join contacts c on c.id = r.contact_id
          where c.campaign_id = ${id}::uuid group by r.reason, r.detail`,
    );

  it("are one call: the batch has room for who is in it, and the others wait with the reason", async () => {
    const [busy = "", other = ""] = freshPhones(2);
    const id = await placed({ concurrency: 9 }, [[busy], [busy], [busy], [busy], [other]]);
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 2, tallies: { open: 3, leased: 2 } });
    expect(await sizesOf(id)).toEqual([{ size: 2, slots: 2, held: 2 }]);
    const waiting = (await contactsOf(ledger(), id)).filter(({ state }) => state === "open");
    expect(waiting.map(({ phone, due_ms }) => ({ phone, due_ms }))).toEqual(
      Array.from({ length: 3 }, () => ({ phone: busy, due_ms: NOW_MS + PACE.openAttemptWaitMs })),
    );
    expect(await refusalsOf(id)).toEqual([
      { reason: "open_attempt", detail: "another call to the number was planned at the same moment", n: 3 },
    ]);
    await expectInvariants(ledger());
  });

  it("leave no batch behind that nobody is in", async () => {
    const [busy = "", other = ""] = freshPhones(2);
    const id = await placed({ concurrency: 9, window: LONG_HOURS }, [
      [busy],
      [busy, BERLIN],
      [other, BERLIN],
    ]);
    const alone = await placed({ concurrency: 9, window: LONG_HOURS }, [[other], [other, BERLIN]]);
    const planned = await plan(ledger(), id);
    expect(planned).toMatchObject({ heldSlots: 2, tallies: { open: 1, leased: 2 } });
    expect(await sizesOf(id)).toEqual([
      { size: 1, slots: 1, held: 1 },
      { size: 1, slots: 1, held: 1 },
    ]);
    // The number is taken by now: nobody of this one is planned at all.
    expect(await plan(ledger(), alone)).toMatchObject({ batchIds: [], heldSlots: 0, tallies: { open: 2 } });
    const own = freshPhones(1)[0] ?? "";
    const twice = await placed({ concurrency: 9, window: LONG_HOURS }, [[own], [own, BERLIN]]);
    expect((await plan(ledger(), twice)).batchIds).toHaveLength(1);
    expect(await sizesOf(twice)).toEqual([{ size: 1, slots: 1, held: 1 }]);
    await expectInvariants(ledger());
  });

  describe("give back the slots that they do not need", () => {
    /** A planning under a rate reads no more people than there are slots: two of these three. */
    const rate = { calls: 9, withinMs: 1_000 };

    it("to whoever stands behind them, by a planning that follows at once", async () => {
      const [busy = "", other = ""] = freshPhones(2);
      const id = await placed({ concurrency: 2 }, [[busy], [busy], [other]]);
      expect(await plan(ledger(), id, NOW_MS, { rate })).toMatchObject({ heldSlots: 1, waitMs: 0 });
      expect(await plan(ledger(), id, NOW_MS, { rate })).toMatchObject({ heldSlots: 2 });
      await expectInvariants(ledger());
    });

    it("and are looked at again when the call before them may be over", async () => {
      const busy = freshPhones(1)[0] ?? "";
      const id = await placed({ concurrency: 2 }, [[busy], [busy]]);
      expect(await plan(ledger(), id, NOW_MS, { rate })).toMatchObject({
        heldSlots: 1,
        waitMs: PACE.openAttemptWaitMs,
      });
    });
  });
});
