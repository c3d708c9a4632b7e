import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import { callRate, IN_THE_AIR_MS } from "../../../src/domain/campaigns/call-rate.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { foreseeTurn } from "../../../src/ledger/campaigns/start-turns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import {
  batchOf,
  create,
  freshPhones,
  holdsOf,
  NOW_MS,
  PACE,
  permit,
  plan,
  running,
  SECOND_MS,
  tell,
} from "../support/scenario.ts";
import {
  recordBegun,
  recordNotStarted,
  recordStartRefusal,
} from "../../../src/ledger/campaigns/batch-steps.ts";

describeLedgers("calls that begin at a rate", (ledger) => {
  const rate = callRate(5);
  const dialing = (people: number, changes = {}) =>
    running(ledger(), freshPhones(people), { concurrency: 100, ...changes });
  const planAt = (id: string, nowMs = NOW_MS, of = rate) => plan(ledger(), id, nowMs, { rate: of });
  const permitAt = (batchId: string, nowMs = NOW_MS, of = rate) =>
    permit(ledger(), batchId, nowMs, undefined, of);
  const foresee = (batchId: string, nowMs = NOW_MS) => foreseeTurn(ledger().db, { batchId, rate, nowMs });
  const begin = async (batchId: string, nowMs = NOW_MS) => {
    expect(await permitAt(batchId, nowMs)).toMatchObject({ kind: "permitted" });
    expect(await recordBegun(ledger().db, batchId, nowMs)).toBe(true);
  };
  const createAll = async (batchIds: readonly string[], nowMs = NOW_MS) => {
    for (const batchId of batchIds) await create(ledger(), batchId, nowMs);
  };
  /** Two batches of five that wait for their start, of one campaign. */
  const two = async () => {
    const { batchIds } = await planAt(await dialing(10));
    const pair = [given(batchIds[0]), given(batchIds[1])] as const;
    await createAll(pair);
    return pair;
  };

  // Of one test's starts nothing is to be seen in the next.
  afterEach(async () => {
    await rows(ledger().db, sql`update campaigns set state = 'cancelled', paused_by = null`);
    await rows(ledger().db, sql`update batches set start_sent_at = null, state = 'settled', held = 0`);
    await rows(
      ledger().db,
      sql`update attempts set state = 'ended', disposition = 'unknown' where state = 'open'`,
    );
  });

  it("are in batches that have a slot for each of their contacts, and no more than may begin at once", async () => {
    const id = await dialing(1_000);
    const { heldSlots } = await planAt(id);
    const batches = await listUnsettled(ledger().db, id);
    expect(batches).toHaveLength(10);
    for (const { size, slots } of batches) expect({ size, slots }).toEqual({ size: 5, slots: 5 });
    expect(heldSlots).toBe(50);
    expect(await holdsOf(ledger(), id)).toMatchObject([
      {
        reason: "slots",
        detail: "50 calls wait for their turn: 5 a second may begin (OUTDIAL_CALLS_PER_SECOND)",
      },
    ]);
    await expectInvariants(ledger());
  });

  it("are made ready anew when half of those that were have begun", async () => {
    const id = await dialing(1_000);
    const { batchIds, waitMs } = await planAt(id);
    expect(waitMs).toBe(5 * SECOND_MS);
    await createAll(batchIds);
    for (const [index, batchId] of batchIds.slice(0, 5).entries())
      await begin(batchId, NOW_MS + index * SECOND_MS);
    expect((await planAt(id, NOW_MS + 5 * SECOND_MS)).heldSlots).toBe(75);
  });

  it("are all ready where a campaign has no more", async () => {
    const id = await dialing(7);
    expect(await planAt(id)).toMatchObject({ heldSlots: 7 });
    expect(await holdsOf(ledger(), id)).toEqual([]);
  });

  it("are fewer a batch than the rate where slots are few", async () => {
    const id = await dialing(100, { concurrency: 3 });
    expect(await planAt(id)).toMatchObject({ heldSlots: 3, waitMs: PACE.busyLookMs });
    expect(await holdsOf(ledger(), id)).toMatchObject([{ detail: "all 3 slots are in use" }]);
  });

  describe("wait for their turn", () => {
    it("a second after those that fill it, whatever campaign they are of", async () => {
      const [first, second] = await two();
      const other = given((await planAt(await dialing(5))).batchIds[0]);
      await create(ledger(), other);
      await begin(first);
      expect(await permitAt(second)).toEqual({ kind: "not_its_turn", waitMs: SECOND_MS });
      expect(await batchOf(ledger(), second)).toMatchObject({ state: "created", startNo: 0 });
      expect(await permitAt(other, NOW_MS + SECOND_MS - 1)).toEqual({ kind: "not_its_turn", waitMs: 1 });
      await begin(other, NOW_MS + SECOND_MS);
      expect(await permitAt(second, NOW_MS + SECOND_MS)).toMatchObject({ waitMs: SECOND_MS });
      await begin(second, NOW_MS + 2 * SECOND_MS);
    });

    it("from its answer on, since they may begin until then", async () => {
      const [first, second] = await two();
      await permitAt(first);
      expect(await permitAt(second, NOW_MS + 3 * SECOND_MS)).toMatchObject({ waitMs: SECOND_MS });
      await recordBegun(ledger().db, first, NOW_MS + 3_500);
      expect(await permitAt(second, NOW_MS + 4_000)).toMatchObject({ waitMs: 500 });
      expect((await permitAt(second, NOW_MS + 4_500)).kind).toBe("permitted");
    });

    it("not for ever, where a start is never answered", async () => {
      const [first, second] = await two();
      await permitAt(first);
      const overMs = NOW_MS + IN_THE_AIR_MS + SECOND_MS;
      expect(await permitAt(second, overMs - 1)).toMatchObject({ kind: "not_its_turn" });
      expect((await permitAt(second, overMs)).kind).toBe("permitted");
    });

    it("not for a start that did not happen", async () => {
      const [first, second] = await two();
      await permitAt(first);
      await recordNotStarted(ledger().db, first);
      expect((await permitAt(second)).kind).toBe("permitted");
    });

    it("one of many who ask at once", async () => {
      const id = await dialing(40);
      const { batchIds } = await planAt(id, NOW_MS, callRate(3));
      await createAll(batchIds);
      const answers = await Promise.all(batchIds.map((batchId) => permitAt(batchId, NOW_MS, callRate(3))));
      expect(answers.filter(({ kind }) => kind === "permitted")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "not_its_turn")).toHaveLength(batchIds.length - 1);
    });

    it("and are asked about again then: a pause meanwhile stops them", async () => {
      const id = await dialing(10);
      const { batchIds } = await planAt(id);
      await createAll(batchIds);
      await begin(given(batchIds[0]));
      const waiting = given(batchIds[1]);
      expect((await permitAt(waiting)).kind).toBe("not_its_turn");
      await tell(ledger(), "pause", id);
      expect(await permitAt(waiting, NOW_MS + SECOND_MS)).toMatchObject({
        kind: "elsewhere",
        batch: { state: "draining" },
      });
    });
  });

  it("come back where their batch is larger than the rate that holds by now", async () => {
    const id = await dialing(8);
    const { batchIds } = await planAt(id, NOW_MS, callRate(8));
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId);
    expect(await permitAt(batchId)).toEqual({ kind: "stopped", reason: "policy", campaignId: id });
    expect(await planAt(id, NOW_MS + 10 * SECOND_MS)).toMatchObject({
      heldSlots: 8,
      batchIds: { length: 2 },
    });
  });

  describe("are foreseen", () => {
    it("in the order in which their batches were created", async () => {
      const { batchIds } = await planAt(await dialing(15));
      for (const [index, batchId] of batchIds.entries())
        await create(ledger(), batchId, NOW_MS - 100 + index);
      const ahead = await Promise.all(batchIds.map((batchId) => foresee(batchId)));
      expect(ahead).toEqual([0, SECOND_MS, 2 * SECOND_MS]);
      await begin(given(batchIds[0]));
      expect(await foresee(given(batchIds[0])), "it does not wait").toBe(0);
      expect(await foresee(given(batchIds[1]), NOW_MS + 400)).toBe(600);
      expect(await foresee(given(batchIds[2]), NOW_MS + 400)).toBe(600 + SECOND_MS);
    });

    it("sooner for callbacks and sequences than for lists", async () => {
      const list = given((await planAt(await dialing(5))).batchIds[0]);
      await create(ledger(), list, NOW_MS - SECOND_MS);
      const hot = await standing(ledger());
      await place(ledger(), hot.id, given(freshPhones(1)[0]));
      const lead = given((await planAt(hot.id)).batchIds[0]);
      await create(ledger(), lead);
      expect(await foresee(lead)).toBe(0);
      expect(await foresee(list)).toBe(200);
    });

    it("without those that wait for something else", async () => {
      const [first, second] = await two();
      expect((await foresee(second)) + (await foresee(first))).toBe(SECOND_MS);
      const ahead = (await foresee(first)) === 0 ? first : second;
      const behind = ahead === first ? second : first;
      await recordStartRefusal(ledger().db, ahead, "no such batch");
      expect(await foresee(behind)).toBe(0);
    });
  });
});
