import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { LedgerUnavailableError, type Db } from "../../../src/ledger/ground/connection.ts";
import { listToHalt } from "../../../src/ledger/campaigns/stopping.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

const SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 1,
};

/** So many are asked something at the same time. */
const AT_ONCE = 8;

/** More than that. */
const BATCHES = 20;

/** What of a batch is asked of the platform, in the order in which it is. */
type Asked = readonly ["pause" | "cancel" | "get" | "items", string];

withLedger((ledger) => {
  let stepping: Stepping;
  let deps: ActivityDeps;
  let from = 700_000;
  beforeAll(async () => {
    stepping = await openStepping();
    deps = stepping.depsOf(ledger());
  });
  afterAll(() => stepping.close());

  const dialing = async () => {
    const phones = phoneNumbers(3, (from += 1_000));
    for (const phone of phones)
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 10_000_000 }]);
    const campaignId = await running(ledger(), phones, SPEC, Date.now());
    const batchId = await beginOne(deps, campaignId);
    await until("the batch to be seen to run", async () => {
      await tendBatch(deps, { batchId, lastStep: "tend" });
      return (await readBatch(ledger().db, batchId))?.state === "running";
    });
    await until("its first call", () =>
      phones.some((phone) => stepping.sandbox.dialLog.of(phone).length > 0),
    );
    return { batchId, platformId: given((await readBatch(ledger().db, batchId))?.platformBatchId) };
  };
  const listening = (asked: Asked[]): ActivityDeps => {
    const calls = deps.platform.batchCalls;
    const heard: Platform["batchCalls"] = Object.assign(Object.create(calls) as typeof calls, {
      pause: (id: string) => (asked.push(["pause", id]), calls.pause(id)),
      cancel: (id: string) => (asked.push(["cancel", id]), calls.cancel(id)),
      get: (id: string) => (asked.push(["get", id]), calls.get(id)),
      iterateItems: (...args: Parameters<typeof calls.iterateItems>) => {
        asked.push(["items", args[0]]);
        return calls.iterateItems(...args);
      },
    });
    return {
      ...deps,
      platform: Object.assign(Object.create(deps.platform) as Platform, { batchCalls: heard }),
    };
  };

  describe("batches that are halted", () => {
    it("are all paused before one is looked at, those that began last before the others", async () => {
      const batches = [];
      for (let n = 0; n < BATCHES; n += 1) batches.push(await dialing());
      const asked: Asked[] = [];
      const toHalt = await listToHalt(ledger().db);
      expect(toHalt).toEqual(batches.map(({ batchId }) => batchId).toReversed());
      // In whatever order they are handed over.
      const report = await haltBatches(listening(asked), toHalt.toSorted());
      expect(report).toEqual({ batches: BATCHES, callsUp: BATCHES, uncertain: 0 });
      const newestFirst = batches.map(({ platformId }) => platformId).toReversed();
      expect(asked.slice(0, BATCHES)).toEqual(newestFirst.map((id) => ["pause", id]));
      // And looked at before anybody's calls are counted.
      // And whoever has nobody left to look at counts, not before.
      const kinds = asked.map(([kind]) => kind);
      expect(kinds.indexOf("items")).toBeGreaterThanOrEqual(2 * BATCHES - AT_ONCE);
      expect(kinds.filter((kind) => kind === "cancel")).toEqual([]);
    });

    it("are halted though the ledger fails meanwhile", async () => {
      const { batchId, platformId } = await dialing();
      const { urgent } = ledger();
      let asked = 0;
      const db: Db = Object.assign(Object.create(urgent.db) as Db, {
        execute: (...args: Parameters<Db["execute"]>) => {
          asked += 1;
          if (asked !== 2) throw new LedgerUnavailableError("not now");
          return urgent.db.execute(...args);
        },
      });
      const failing = { ...deps, ledger: { ...ledger(), urgent: { ...urgent, db } } };
      stepping.sandbox.faults.add({
        kind: "status",
        route: "POST /v1/batch-calls/:id/pause",
        status: 500,
        times: 1,
      });
      stepping.sandbox.faults.add({
        kind: "status",
        route: "POST /v1/batch-calls/:id/cancel",
        status: 500,
        times: 1,
      });
      expect(await haltBatches(failing, [batchId])).toMatchObject({ batches: 1, uncertain: 0 });
      expect(asked).toBeGreaterThan(2);
      expect(["paused", "cancelled"]).toContain((await deps.platform.batchCalls.get(platformId)).status);
      stepping.sandbox.faults.clear();
    });
  });
});
