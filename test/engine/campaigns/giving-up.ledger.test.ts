import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { paceAt } from "../../../src/activities/deps.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { withLedger } from "../../support/ledgers.ts";
import { call, item, shown, toldBatches } from "../../support/told-batches.ts";
import { toldPlatform, type Told, type ToldPlatform } from "../../support/told-platform.ts";

const { callBoundMs } = paceAt(1);

/*
 * Whose batch is over, and whose item says for ever that the call is up (src/activities/campaigns/batch-troubles.ts).
 */
describe("whoever is given up", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { begun, batchOf, comeOf, toldOf } = toldBatches(ledger, () => platform);
    /** A batch that shows as over, so many of whose people are up by their items. */
    const stuck = async (count: number) => {
      const batch = await begun(count, { retry: { max_attempts: 1 } });
      platform.told.items = batch.phones.map((phone) =>
        item(phone, { status: "in_progress", call_id: `call-${phone}`, attempt_count: 1 }),
      );
      platform.told.get = shown(batch.batchId, "completed");
      const tend = async (ms: number) => {
        platform.clock.nowMs += ms;
        platform.asked.length = 0;
        await tendBatch(platform.deps, { batchId: batch.batchId, lastStep: "tend" });
      };
      await tend(60_000);
      return { ...batch, tend };
    };
    const callsAsked = () => platform.asked.filter((what) => what === "call").length;

    it("came to what their call says that they came to", async () => {
      const { id, batchId, phones, tend } = await stuck(1);
      platform.told.call = call(phones[0], { duration_seconds: 40 });
      await tend(callBoundMs - 1);
      expect(callsAsked(), "it may be up").toBe(0);
      await tend(1);
      expect(callsAsked()).toBe(1);
      expect(await comeOf(id)).toEqual(["answered"]);
      expect((await batchOf(batchId)).state).toBe("settled");
      expect(await toldOf(batchId)).toEqual([]);
    });

    it.each<[string, Told]>([
      ["is up as well", { call_id: "call", status: "connected" }],
      ["is not there", 404],
    ])("counts as dialed where their call %s", async (_how, told) => {
      const { id, batchId, tend } = await stuck(1);
      platform.told.call = told;
      await tend(callBoundMs);
      expect(callsAsked()).toBe(1);
      expect(await comeOf(id)).toEqual(["unknown"]);
      expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringContaining("given up") }]);
    });

    it("waits while their call can't be asked about, which has an end", async () => {
      const { id, batchId, phones, tend } = await stuck(5);
      platform.told.call = () => {
        throw new Error("the connection is gone");
      };
      await tend(callBoundMs);
      const silent = platform.logged.filter((message) => message === "a call can't be read whole");
      expect(silent, "where two give no answer, others would take as long").toHaveLength(2);
      expect(await comeOf(id)).toEqual(phones.map(() => "leased"));
      expect(await toldOf(batchId)).toEqual([]);
      await tend(2 * callBoundMs);
      expect(await comeOf(id)).toEqual(phones.map(() => "unknown"));
      expect(await toldOf(batchId)).toMatchObject([{ summary: expect.stringContaining("given up") }]);
    });

    it("is asked about with twenty others in one look, and the next look goes on", async () => {
      const { id, phones, tend } = await stuck(25);
      platform.told.call = 404;
      await tend(callBoundMs);
      expect(callsAsked()).toBe(20);
      const came = async (what: string) => (await comeOf(id)).filter((one) => one === what).length;
      expect(await came("unknown")).toBe(20);
      await tend(1_000);
      expect(callsAsked()).toBe(5);
      expect(await came("unknown")).toBe(phones.length);
    });
  });
});
