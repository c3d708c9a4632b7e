import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { FollowedBatch } from "../../../src/activities/campaigns/follow/followed-batch.ts";
import { createSocketBudget } from "../../../src/activities/campaigns/follow/socket-budget.ts";
import { policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { PlatformError, type Hint } from "../../../src/platform/index.ts";
import { HOUR_MS } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, type Stepping } from "../../support/stepping.ts";
import { tending, type Tending } from "../../support/tending.ts";
import { until } from "../../support/until.ts";

/*
 * The stream makes things faster and changes nothing (I4), so that no result shows whether it is heard. These do: the
 * clock by which a batch is read without it is hours away.
 */

const ENDING = 4;

const ITEMS = "GET /v1/batch-calls/:id/items";

describe("a batch that is followed, of whose calls some have ended", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 380_000);
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    /** One of ten calls at once, of which some end while the others go on; followed from before the first is up. */
    const followed = async () => {
      const phones = batches.people(10);
      batches.talkFor(phones, 100_000_000);
      batches.talkFor(phones.slice(0, ENDING), 200_000);
      const campaignId = await batches.begin(phones, { concurrency: 10 });
      const batchId = await beginOne(batches.deps, campaignId);
      await until("it to be seen to run", async () => {
        await tendBatch(batches.deps, { batchId });
        return (await batches.batchOf(batchId)).state === "running";
      });
      let say: (hint: Omit<Hint, "receivedAtMs">) => void = () => {};
      const { platform } = batches.deps;
      const deps: ActivityDeps = {
        ...batches.deps,
        platform: {
          ...platform,
          openBatchStream: (request) => {
            say = (hint) => request.onHint({ ...hint, receivedAtMs: Date.now() });
            return platform.openBatchStream(request);
          },
        },
        pace: {
          ...batches.deps.pace,
          followTickMs: 1,
          pollMs: HOUR_MS,
          blindPollMs: HOUR_MS,
          hintStaleMs: 100,
        },
      };
      const fence = given(await takeFollowFence(ledger().db, campaignId));
      const batch = new FollowedBatch(deps, await batches.batchOf(batchId), fence);
      batch.listen(createSocketBudget(1), () => {});
      await until("its stream", () => batch.streamOpen);
      const campaign = given(await readCampaign(ledger().db, campaignId));
      const policy = policyOf(campaign.spec, campaign.policyVersion);
      const turn = () => batch.turn(policy, false, new AbortController().signal);
      return { batchId, batch, turn, say };
    };
    const endedOf = async (batchId: string) => {
      const found = await rows<{ n: number }>(
        ledger().db,
        sql`select count(*)::int as n from attempts where batch_id = ${batchId}::uuid and state = 'ended'`,
      );
      return given(found[0]).n;
    };
    const throughOf = async (batchId: string) => {
      const { platformBatchId } = await batches.batchOf(batchId);
      const { completed = 0, failed = 0 } = await stepping.platform.batchCalls.get(given(platformBatchId));
      return completed + failed;
    };

    it("is read as soon as its stream says so", async () => {
      const { batchId, batch, turn } = await followed();
      await until("a turn that reads them", async () => {
        await turn();
        return (await endedOf(batchId)) === ENDING;
      });
      await batch.close();
    });

    const NOBODY = new Map<string, string>();

    it("is read again soon where the read fails that was due by what was heard: nothing is said of it twice", async () => {
      stepping.sandbox.faults.add({ kind: "stream_silence" });
      const { batchId, batch, turn, say } = await followed();
      say({ items: NOBODY, counts: { completed: 0, active: 10 } });
      await until("the ends on the platform", async () => (await throughOf(batchId)) === ENDING);
      const fault = stepping.sandbox.faults.add({ kind: "status", route: ITEMS, status: 500 });
      say({ items: NOBODY, unclear: 1 });
      await until("a read that fails", async () => {
        const outcome = await turn().catch((error: unknown) => error);
        return outcome instanceof PlatformError;
      });
      stepping.sandbox.faults.remove(fault.fault_id);
      await until("a turn that reads them", async () => {
        await turn();
        return (await endedOf(batchId)) === ENDING;
      });
      await batch.close();
    });

    it.each<[string, Omit<Hint, "receivedAtMs">]>([
      ["counts that grew", { items: NOBODY, counts: { completed: ENDING, active: 6 } }],
      ["a frame that nobody understands", { items: NOBODY, unclear: 1 }],
      ["a word of the platform's own for an item", { items: new Map([["i", "wrapped_up"]]) }],
    ])("is read by the clock alone where its stream is silent, and at once by %s", async (_what, hint) => {
      stepping.sandbox.faults.add({ kind: "stream_silence" });
      const { batchId, batch, turn, say } = await followed();
      say({ items: NOBODY, counts: { completed: 0, active: 10 } });
      await until("the ends on the platform", async () => (await throughOf(batchId)) === ENDING);
      expect(await turn()).toBe("quiet");
      expect(await endedOf(batchId)).toBe(0);
      say(hint);
      await until("a turn that reads them", async () => {
        await turn();
        return (await endedOf(batchId)) === ENDING;
      });
      await batch.close();
    });
  });
});
