import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { createStopKeeper } from "../../../src/chores/campaigns/stop-keeping.ts";
import type { CommandPorts } from "../../../src/commands/ports.ts";
import { withdraw } from "../../../src/commands/withdrawals.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { contactsOf, openPhones, SECOND_MS } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { tending, type Tending } from "../../support/tending.ts";
import { until } from "../../support/until.ts";

/* A batch that dials slowly, one call after the other, and somebody on it who is withdrawn before their turn. */

describe("a batch that dials people of whom one is withdrawn meanwhile", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const PEOPLE = 4;

    const ports = (): CommandPorts => ({
      ledger: ledger(),
      wake: { campaign() {}, batch() {} },
      outbox: { kick() {} },
      haltBatches: (batchIds, bounds) => haltBatches(batches.deps, batchIds, bounds),
      pace: batches.deps.pace,
      now: Date.now,
    });
    const dialing = async () => {
      const phones = batches.people(PEOPLE);
      // The first talks until the test has said what it has to say; the others hardly.
      batches.talkFor(phones.slice(0, 1), 150_000);
      batches.talkFor(phones.slice(1), 1_000);
      const id = await batches.begin(phones, { concurrency: 1 });
      const batchId = await beginOne(batches.deps, id);
      await until("it to be seen to dial", async () => {
        await tendBatch(batches.deps, { batchId, lastStep: "tend" });
        const isDialed = batches.dialsOf(phones)[0] === 1;
        return isDialed && (await batches.batchOf(batchId)).state === "running";
      });
      const onIt = await openPhones(ledger(), batchId);
      return { id, batchId, phones, phone: given(onIt.at(-1)) };
    };
    /** What is left of the campaign, to its end. */
    const toTheEnd = async ({ id, batchId }: { id: string; batchId: string }) => {
      await takeToEnd(batches.deps, batchId);
      const left = async () => (await readCampaign(ledger().db, id))?.tallies.open ?? 0;
      while ((await left()) > 0)
        for (const next of await planSome(batches.deps, id)) await takeToEnd(batches.deps, next);
    };
    const fatesOf = async (id: string) =>
      new Map((await contactsOf(ledger(), id)).map(({ phone, state, reason }) => [phone, { state, reason }]));

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 730_000);
    });
    afterAll(() => stepping.close());

    it("never rings them; the others are called once each, and nobody is lost", async () => {
      const dial = await dialing();
      const done = await withdraw(ports(), {
        campaignId: dial.id,
        whom: { phones: [dial.phone] },
        actor: "test",
        reason: "asked",
      });
      expect(done).toMatchObject({
        inFlight: 1,
        stoppedBatchIds: [dial.batchId],
        // When the answer is there no call begins any more; the one that is up goes on.
        inFlightNow: { batches: 1, callsUp: 1, uncertain: 0 },
      });
      await toTheEnd(dial);
      expect(stepping.sandbox.dialLog.of(dial.phone)).toEqual([]);
      const fates = await fatesOf(dial.id);
      expect(fates.get(dial.phone)).toEqual({ state: "excluded", reason: "withdrawn" });
      for (const phone of dial.phones.filter((one) => one !== dial.phone)) {
        expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(1);
        expect(fates.get(phone)).toMatchObject({ state: "done" });
      }
      await expectInvariants(ledger());
    });

    it("is stopped by whoever looks where the process of the withdrawal died behind it", async () => {
      const dial = await dialing();
      await withdraw(
        { ...ports(), haltBatches: async () => ({ batches: 0, callsUp: 0, uncertain: 0 }) },
        { campaignId: dial.id, whom: { phones: [dial.phone] }, actor: "test", reason: "asked" },
      );
      const keeper = createStopKeeper({ ...batches.deps, now: () => Date.now() + 15 * SECOND_MS });
      expect(await keeper.pass()).toBe(0);
      const { platformBatchId } = await batches.batchOf(dial.batchId);
      const shown = await stepping.platform.batchCalls.get(given(platformBatchId));
      expect(shown.status).toBe("paused");
      await toTheEnd(dial);
      expect(stepping.sandbox.dialLog.of(dial.phone)).toEqual([]);
      expect((await fatesOf(dial.id)).get(dial.phone)).toEqual({ state: "excluded", reason: "withdrawn" });
      await expectInvariants(ledger());
    });
  });
});
