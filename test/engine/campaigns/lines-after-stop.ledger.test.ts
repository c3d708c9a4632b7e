import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { FollowedBatch } from "../../../src/activities/campaigns/follow/followed-batch.ts";
import { createSocketBudget } from "../../../src/activities/campaigns/follow/socket-budget.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { HOUR_MS, tell } from "../../ledger/support/scenario.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, type Stepping } from "../../support/stepping.ts";
import { tending, ROUTES, type Tending } from "../../support/tending.ts";

const LINES = 10;
/** Of the calls of the first batch: so many go on after the stop. */
const UP = 3;

describe("the lines of a batch that was stopped", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const woken: string[] = [];
    const tended: string[] = [];
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 470_000);
      batches.deps.wake = { campaign: (id) => void woken.push(id), batch: (id) => void tended.push(id) };
    });
    afterEach(() => {
      stepping.sandbox.faults.clear();
      woken.length = 0;
      tended.length = 0;
    });
    afterAll(() => stepping.close());

    /** A batch whose every call takes hours, and people behind it who wait for its lines. */
    async function paused() {
      const phones = batches.people(4 * LINES).sort();
      batches.talkFor(phones, 100_000_000);
      const id = await batches.begin(phones, { concurrency: LINES, retry: { max_attempts: 1 } });
      const batchId = await beginOne(batches.deps, id);
      await until("its calls", () => dialsOf(phones) === LINES);
      await tendBatch(batches.deps, { batchId });
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      return { id, batchId, phones };
    }
    const dialsOf = (phones: readonly string[]) => batches.dialsOf(phones).reduce((sum, n) => sum + n, 0);
    const heldOf = async (batchId: string) => (await batches.batchOf(batchId)).held;
    const end = async (batchId: string, butSome: number) => {
      const { platformBatchId } = await batches.batchOf(batchId);
      const { items } = await stepping.platform.calls.list({ batch_call_id: platformBatchId, limit: 100 });
      for (const { call_id: id } of items.slice(butSome)) await stepping.platform.calls.end(id);
    };

    it("are free as soon as it shows as paused and their calls have ended, not when its people are proven not to be dialed", async () => {
      const { id, batchId, phones } = await paused();
      await tendBatch(batches.deps, { batchId });
      await end(batchId, UP);
      await until("its lines", async () => {
        await tendBatch(batches.deps, { batchId });
        return (await heldOf(batchId)) === UP;
      });
      expect((await batches.batchOf(batchId)).state).toBe("draining");
      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      const before = dialsOf(phones);
      const next = await planSome(batches.deps, id);
      const slots = (await listUnsettled(ledger().db, id)).filter((one) => next.includes(one.id));
      expect(slots.reduce((sum, one) => sum + one.slots, 0)).toBe(LINES - UP);
      expect(dialsOf(phones)).toBe(before);
    });

    it("wake its campaign where somebody waits for them", async () => {
      const { id, batchId } = await paused();
      await tendBatch(batches.deps, { batchId });
      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      expect(await planBatch(batches.deps, { campaignId: id, seenPlannings: 0 })).toMatchObject({
        batchIds: [],
      });
      woken.length = 0;
      await end(batchId, UP);
      await until("its campaign to be woken", async () => {
        await tendBatch(batches.deps, { batchId });
        return woken.includes(id);
      });
    });

    it("are asked for by its follower as soon as its calls are heard to end, though others wait behind them", async () => {
      const { id, batchId } = await paused();
      await tendBatch(batches.deps, { batchId });
      await until("it to drain", async () => {
        await tendBatch(batches.deps, { batchId });
        return (await batches.batchOf(batchId)).state === "draining";
      });
      const fence = given(await takeFollowFence(ledger().db, id));
      const pace = { ...batches.deps.pace, followTickMs: 1, pollMs: HOUR_MS, blindPollMs: HOUR_MS };
      const follower = new FollowedBatch({ ...batches.deps, pace }, await batches.batchOf(batchId), fence);
      follower.listen(createSocketBudget(1), () => {});
      await until("its stream", () => follower.streamOpen);
      expect(follower.slotsHeard).toBe(LINES);
      const { spec, policyVersion } = given(await readCampaign(ledger().db, id));
      const turn = () => follower.turn(policyOf(spec, policyVersion), true, new AbortController().signal);
      expect(await turn()).toBe("quiet");
      tended.length = 0;
      await end(batchId, UP);
      await until("its tending to be asked for", async () => {
        await turn();
        return tended.includes(batchId);
      });
      // Ends that it hears after somebody else has read them count twice until it has read them itself.
      await until("it to hear of those alone whose calls are up", async () => {
        await turn();
        await tendBatch(batches.deps, { batchId });
        follower.update(await batches.batchOf(batchId));
        return follower.slotsHeard === UP;
      });
      await follower.close();
    });

    it("are not free while the platform does not show the stop", async () => {
      const { batchId } = await paused();
      fault({ kind: "status", route: ROUTES.pause, status: 500 });
      fault({ kind: "status", route: ROUTES.cancel, status: 500 });
      await tendBatch(batches.deps, { batchId });
      await end(batchId, UP);
      await tendBatch(batches.deps, { batchId });
      expect(await heldOf(batchId)).toBe(LINES);
      stepping.sandbox.faults.clear();
    });
  });
});
