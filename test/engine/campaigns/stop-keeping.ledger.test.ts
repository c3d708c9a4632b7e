import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createStopKeeper, type StopKeeper } from "../../../src/chores/campaigns/stop-keeping.ts";
import { amendCampaign, tellCampaign } from "../../../src/commands/campaigns.ts";
import { dayOf } from "../../../src/domain/time/local-day.ts";
import { liftBlackout } from "../../../src/ledger/campaigns/blacking-out.ts";
import { addBlackout } from "../../../src/ledger/ground/blackouts.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { MINUTE_MS, SECOND_MS } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, type Stepping } from "../../support/stepping.ts";
import { ROUTES, tending, type Tending } from "../../support/tending.ts";
import { until } from "../../support/until.ts";

/*
 * Whoever gave a stop died behind its commit, or Temporal is away, so that no workflow looks at its batches. What is
 * left is the ledger, and processes that look there.
 */

describe("batches that were to have stopped, and that no workflow looks at", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    /** The process that looks: its clock, how far each reading of that moves it, and whom it wakes. */
    let keeper: StopKeeper;
    let aheadMs = 0;
    let tickMs = 0;
    const woken: string[] = [];

    /** One that calls its people one after the other, each for longer than this test. */
    const dialing = async () => {
      const phones = batches.people(30);
      batches.talkFor(phones, 100_000_000);
      const id = await batches.begin(phones, { concurrency: 1 });
      const batchId = await beginOne(batches.deps, id);
      await until("a call", () => batches.dialsOf(phones).some((dials) => dials > 0));
      return { id, batchId };
    };
    const command = (campaignId: string) => ({
      campaignId,
      actor: "test",
      reason: undefined,
      commandId: `c-${campaignId}`,
    });
    /** What a command has where its process dies behind the commit: whom it tells does not hear it, nothing is halted. */
    const told: string[] = [];
    const dying = () => ({
      ledger: ledger(),
      wake: { campaign() {}, batch: (batchId: string) => void told.push(batchId) },
      outbox: { kick() {} },
      haltBatches: async () => ({ batches: 0, callsUp: 0, uncertain: 0 }),
      pace: batches.deps.pace,
      now: Date.now,
    });
    const endsAt = async (campaignId: string, atMs: number) => {
      const { spec } = given(await readCampaign(ledger().db, campaignId));
      const ends = new Date(atMs).toISOString();
      await amendCampaign(dying(), { ...command(campaignId), spec: { ...spec, ends_at: ends } });
    };
    const statusOf = async (batchId: string) => {
      const { platformBatchId } = await batches.batchOf(batchId);
      return (await stepping.platform.batchCalls.get(given(platformBatchId))).status;
    };
    const asked = () => stepping.sandbox.stats().requests;

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 360_000);
      const deps: ActivityDeps = {
        ...batches.deps,
        wake: { campaign() {}, batch: (batchId) => void woken.push(batchId) },
        now: () => Date.now() + (aheadMs += tickMs),
      };
      keeper = createStopKeeper(deps);
    });
    beforeEach(() => {
      aheadMs = 0;
      tickMs = 0;
      woken.length = 0;
      told.length = 0;
    });
    afterEach(() => {
      stepping.sandbox.faults.clear();
    });
    afterAll(() => stepping.close());

    it("are halted once their time is over, where an amendment ended it sooner and its word was lost", async () => {
      const { id, batchId } = await dialing();
      await endsAt(id, Date.now() + 5 * MINUTE_MS);
      expect(told).toEqual([batchId]);
      expect(await batches.batchOf(batchId)).toMatchObject({ state: "running", stopReason: undefined });
      const before = asked();
      // Time is over a margin before the end, and it is the workflow's turn first.
      aheadMs = 4 * MINUTE_MS + 5 * SECOND_MS;
      expect(await keeper.pass()).toBe(0);
      expect(asked()).toBe(before);
      aheadMs = 4 * MINUTE_MS + 15 * SECOND_MS;
      expect(await keeper.pass()).toBe(0);
      expect(await statusOf(batchId)).toBe("paused");
      expect(woken).toEqual([batchId]);
      const after = asked();
      expect(await keeper.pass()).toBe(0);
      expect(asked()).toBe(after);
    });

    it("are stopped by a blackout whose giver died behind its commit", async () => {
      const { batchId } = await dialing();
      const today = dayOf(Date.now());
      const { blackout } = await ledger().transaction((tx) =>
        addBlackout(tx, {
          brand: undefined,
          // Whatever day it is where these people are.
          fromDay: today - 1,
          lastDay: today + 1,
          name: "Outage",
          actor: "test",
          nowMs: Date.now(),
        }),
      );
      try {
        expect(await keeper.pass()).toBe(0);
        expect(await batches.batchOf(batchId)).toMatchObject({ stopReason: "window" });
        expect(await statusOf(batchId)).toBe("running");
        aheadMs = 15 * SECOND_MS;
        expect(await keeper.pass()).toBe(0);
        expect(await statusOf(batchId)).toBe("paused");
      } finally {
        const { id } = blackout;
        await liftBlackout(ledger(), { id, reason: "over", actor: "test", nowMs: Date.now() });
      }
    });

    it.each(["pause", "cancel"] as const)(
      "are halted where the process of a %s died behind it",
      async (verb) => {
        const { id, batchId } = await dialing();
        await tellCampaign(dying(), verb, command(id));
        expect(await statusOf(batchId)).toBe("running");
        expect(await keeper.pass()).toBe(0);
        expect(await statusOf(batchId)).toBe("running");
        aheadMs = 15 * SECOND_MS;
        expect(await keeper.pass()).toBe(0);
        expect(await statusOf(batchId)).toBe("paused");
      },
    );

    it("are asked less and less often while they can't be seen to stop, and others beside them at once", async () => {
      const { id, batchId } = await dialing();
      await tellCampaign(dying(), "pause", command(id));
      const platformId = given((await batches.batchOf(batchId)).platformBatchId);
      stepping.sandbox.faults.add({ kind: "status", route: ROUTES.get, id: platformId, status: 403 });
      aheadMs = MINUTE_MS;
      tickMs = SECOND_MS;
      const untilMs = aheadMs + 5 * MINUTE_MS;
      let passes = 0;
      let turns = 0;
      for (; aheadMs < untilMs; aheadMs += 5 * SECOND_MS) {
        const before = asked();
        expect(await keeper.pass()).toBe(1);
        passes += 1;
        if (asked() > before) turns += 1;
      }
      expect(passes).toBeGreaterThan(30);
      expect(turns).toBeGreaterThanOrEqual(4);
      expect(turns).toBeLessThanOrEqual(8);
      const other = await dialing();
      await tellCampaign(dying(), "pause", command(other.id));
      expect(await keeper.pass()).toBe(1);
      expect(await statusOf(other.batchId)).toBe("paused");
    });
  });
});
