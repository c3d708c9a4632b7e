import { expect, it } from "vitest";

import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import {
  freshPhones,
  HOUR_MS,
  holdsOf,
  MINUTE_MS,
  NOW_MS,
  PACE,
  plan,
  running,
  SECOND_MS,
  tell,
} from "../support/scenario.ts";

describeLedgers("a campaign that ramps up", (ledger) => {
  /** Ten lines within a hundred seconds: one every ten. */
  const ramping = () => running(ledger(), freshPhones(200), { concurrency: 10, ramp_up: "100s" });
  const heldAt = async (id: string, nowMs: number) => (await plan(ledger(), id, nowMs)).heldSlots;
  const second = (count: number) => NOW_MS + count * SECOND_MS;

  it("holds one slot at its start, and one more every so often until it has all", async () => {
    const id = await ramping();
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 1, waitMs: 10 * SECOND_MS + 1 });
    expect(await holdsOf(ledger(), id)).toMatchObject([
      { reason: "slots", detail: "all 1 slots that it has so soon after it began (ramp_up) are in use" },
    ]);
    expect(await heldAt(id, second(10))).toBe(1);
    expect(await plan(ledger(), id, second(10) + 1)).toMatchObject({ heldSlots: 2, waitMs: 10 * SECOND_MS });
    expect(await heldAt(id, second(55))).toBe(6);
    expect(await heldAt(id, second(90) + 1)).toBe(10);
    expect(await plan(ledger(), id, second(100))).toMatchObject({ heldSlots: 10, waitMs: PACE.busyLookMs });
  });

  it("does so once more after a resume", async () => {
    const id = await ramping();
    expect(await heldAt(id, second(55))).toBe(6);
    await tell(ledger(), "pause", id, { nowMs: second(60) });
    expect(await heldAt(id, second(60)), "nobody of it was called yet").toBe(0);
    await tell(ledger(), "resume", id, { nowMs: second(3_600) });
    expect(await heldAt(id, second(3_600))).toBe(1);
    expect(await heldAt(id, second(3_655))).toBe(6);
  });

  it("has a share of an account's lines as of what it may hold by then", async () => {
    const account = { limit: 100, reserve: 0 };
    const id = await ramping();
    expect(await plan(ledger(), id, second(35), { account })).toMatchObject({ heldSlots: 4 });
    expect(await plan(ledger(), id, second(95), { account })).toMatchObject({ heldSlots: 10 });
  });

  it("has all at once where its spec says nothing", async () => {
    const id = await running(ledger(), freshPhones(50), { concurrency: 10 });
    expect(await plan(ledger(), id, NOW_MS + HOUR_MS - MINUTE_MS)).toMatchObject({ heldSlots: 10 });
  });

  it("does so once more after a stop of everything, and after a recovery", async () => {
    const ids = [await ramping(), await ramping()] as const;
    const input = { actor: "test", reason: "lunch" };
    await ledger().transaction((tx) => stopEverything(tx, { ...input, nowMs: second(600) }));
    expect(await heldAt(ids[0], second(700))).toBe(0);
    await ledger().transaction((tx) => goOn(tx, { ...input, nowMs: second(800) }));
    expect(await heldAt(ids[0], second(825))).toBe(3);
    await finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: second(900) });
    expect(await heldAt(ids[1], second(915))).toBe(2);
    // Lifting what was not in force is no reason to begin anew.
    await ledger().transaction((tx) => goOn(tx, { ...input, nowMs: second(950) }));
    expect(await heldAt(ids[1], second(955))).toBe(6);
  });
});
