import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { FollowedBatch } from "../../../src/activities/campaigns/follow/followed-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { openPhones, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const CALL_BACKS = [{ key: "again", equals: true, disposition: "callback_requested" as const }];
const RULES = [{ key: "opted_out", equals: true, disposition: "opted_out" as const }];

describe("a batch that dials somebody who is suppressed meanwhile", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let from = 900_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));

    /** The engine with a record of the batches that it wakes, where calls are processed as of a moment. */
    const engine = () => {
      const { platform } = stepping;
      const seen = { woken: [] as string[], processed: false, aheadMs: 0 };
      const deps: ActivityDeps = {
        ...stepping.depsOf(ledger()),
        wake: { campaign() {}, batch: (batchId) => void seen.woken.push(batchId) },
        platform: {
          ...platform,
          calls: {
            ...platform.calls,
            get: async (callId, options) => ({
              ...(await platform.calls.get(callId, options)),
              processing_status: seen.processed ? "completed" : "processing",
              call_analysis: seen.processed ? { opted_out: true } : null,
            }),
          },
        },
        now: () => Date.now() + seen.aheadMs,
      };
      return { deps, seen };
    };
    /** A batch of the first three of four, which takes one call at a time, of minutes. */
    const dialSlowly = async (deps: ActivityDeps, phones: readonly string[]) => {
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 1_000_000 }]);
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 1 }, Date.now());
      const batchId = await beginOne(deps, id);
      await until("the batch to be seen to run", async () => {
        await tendBatch(deps, { batchId, lastStep: "tend" });
        return (await readBatch(ledger().db, batchId))?.state === "running";
      });
      expect(await openPhones(ledger(), batchId)).toEqual(phones.slice(0, 3));
      return batchId;
    };
    /**
     * A number whose call is over and waits for its analysis, while another campaign's batch is to dial it again: that it
     * may have opted out there is said since.
     */
    const heldTwice = async (deps: ActivityDeps) => {
      const phones = people(4);
      const phone = given(phones[1]);
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 1_000 }]);
      const campaignId = await running(
        ledger(),
        [phone],
        { ...SPEC, analysis: { rules: CALL_BACKS, wait: "30m" } },
        Date.now(),
      );
      const batchId = await beginOne(deps, campaignId);
      await until("its call to wait for its analysis", async () => {
        await tendBatch(deps, { batchId, lastStep: "tend" });
        const [waiting] = await rows(
          ledger().db,
          sql`select 1 as one from attempts where batch_id = ${batchId}::uuid and state = 'provisional'`,
        );
        return waiting !== undefined;
      });
      const sisterId = await dialSlowly(deps, phones);
      const { spec } = given(await readCampaign(ledger().db, campaignId));
      await amendSpec(ledger(), {
        campaignId,
        commandId: "opt-outs",
        actor: "test",
        reason: undefined,
        nowMs: Date.now(),
        dialByMarginMs: 60_000,
        spec: { ...spec, analysis: { rules: [...CALL_BACKS, ...RULES], wait: "30m" } },
      });
      return { campaignId, batchId, phone, sisterId };
    };
    const reasonOf = async (batchId: string) => (await readBatch(ledger().db, batchId))?.stopReason;

    beforeAll(async () => {
      stepping = await openStepping();
    });
    afterAll(() => stepping.close());

    it("is stopped and woken when the look at another batch finds that they opted out", async () => {
      const { deps, seen } = engine();
      const { batchId, phone, sisterId } = await heldTwice(deps);
      expect(await reasonOf(sisterId)).toBeUndefined();
      seen.processed = true;
      seen.woken = [];
      await tendBatch(deps, { batchId, lastStep: "tend" });
      expect(await reasonOf(sisterId)).toBe("suppression");
      expect(seen.woken).toEqual([sisterId]);
      await takeToEnd(deps, sisterId);
      expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(1);
    });

    it("is stopped and woken when the follower of another batch finds that they opted out", async () => {
      const { deps, seen } = engine();
      const { campaignId, batchId, sisterId } = await heldTwice(deps);
      const campaign = given(await readCampaign(ledger().db, campaignId));
      const fence = given(await takeFollowFence(ledger().db, campaignId));
      const followed = new FollowedBatch(deps, given(await readBatch(ledger().db, batchId)), fence);
      seen.processed = true;
      seen.woken = [];
      seen.aheadMs = deps.pace.pollMs;
      const policy = policyOf(campaign.spec, campaign.policyVersion);
      expect(await followed.turn(policy, false, new AbortController().signal)).toBe("closed");
      expect(await reasonOf(sisterId)).toBe("suppression");
      expect(seen.woken).toEqual([sisterId, batchId]);
    });

    it("is stopped by the next look at it where whoever suppressed them was killed before it stopped it", async () => {
      const { deps, seen } = engine();
      const phones = people(4);
      const phone = given(phones[1]);
      const batchId = await dialSlowly(deps, phones);
      const entries = [{ phone, brand: undefined, source: "test", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: Date.now() }));
      seen.woken = [];
      expect(await tendBatch(deps, { batchId, lastStep: "tend" })).toEqual({ next: "tend", waitMs: 0 });
      expect(await reasonOf(batchId)).toBe("suppression");
      expect(seen.woken).toEqual([batchId]);
      await takeToEnd(deps, batchId);
      expect(stepping.sandbox.dialLog.of(phone)).toEqual([]);
    });
  });
});
