import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { lookForBeginning, type Beginning } from "../../../src/activities/campaigns/beginning.ts";
import { paceAt } from "../../../src/activities/deps.ts";
import { tellStalled } from "../../../src/ledger/campaigns/campaign-stalls.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { finding, MINUTE_MS } from "../../ledger/support/scenario.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { item, shown, toldBatches } from "../../support/told-batches.ts";
import { endless, toldPlatform, type ToldPlatform } from "../../support/told-platform.ts";

const { startDoubtMs, pickupMs } = paceAt(1);
const NOTHING = { isDialed: false, stop: undefined };
const DIALED = { isDialed: true, stop: undefined };

/* Whether anybody of a batch that was accepted is dialed (src/activities/campaigns/beginning.ts). */
describe("a batch whose start was accepted", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;
    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { begun, starting, batchOf, toldOf } = toldBatches(ledger, () => platform);
    const later = (ms: number) => void (platform.clock.nowMs += ms);
    /** What is seen where the platform shows it so. */
    const see = async (
      batchId: string,
      status: string | undefined,
      counts: object = {},
    ): Promise<Beginning> => {
      platform.told.get = shown(batchId, status, counts);
      const view = await platform.deps.platform.batchCalls.get(`platform-${batchId}`);
      platform.asked.length = 0;
      return lookForBeginning(platform.deps, await batchOf(batchId), view);
    };
    const troubled = async (batchId: string, campaignId: string, trouble: string) => {
      await rows(
        ledger().db,
        sql`update batches set trouble = ${trouble}, trouble_since = now() where id = ${batchId}::uuid`,
      );
      await tellStalled(ledger().db, {
        campaignId,
        brand: "default",
        summary: "it does not come to dial",
        remedy: "look",
        nowMs: platform.clock.nowMs,
      });
    };

    it.each([{ active: 1 }, { processed: 1 }])(
      "is dialed where it counts %j, from the first moment on",
      async (counts) => {
        const { batchId } = await begun(1);
        expect(await see(batchId, "running", counts)).toEqual(DIALED);
        expect(platform.asked).toEqual([]);
      },
    );

    it("takes its campaign off the list of those that do not come to dial", async () => {
      const { id, batchId } = await begun(1);
      await troubled(batchId, id, "not_begun");
      expect(await see(batchId, "running", { active: 1 })).toEqual(DIALED);
      expect((await batchOf(batchId)).trouble).toBeUndefined();
      expect(await toldOf(id)).toEqual([]);
    });

    it("leaves it there while nobody is dialed", async () => {
      const { id, batchId } = await begun(1);
      await troubled(batchId, id, "not_begun");
      expect(await see(batchId, "running")).toEqual(NOTHING);
      expect((await batchOf(batchId)).trouble).toBe("not_begun");
      expect(await toldOf(id)).toHaveLength(1);
    });

    it("keeps a trouble of its end, which a call does not mend", async () => {
      const { id, batchId } = await begun(1);
      await troubled(batchId, id, "not_stopped");
      expect(await see(batchId, "running", { active: 1 })).toEqual(DIALED);
      expect((await batchOf(batchId)).trouble).toBe("not_stopped");
      expect(await toldOf(id)).toHaveLength(1);
    });

    it.each(["pending", "queued", "running"])(
      "has time to begin, whatever it shows as: %s",
      async (status) => {
        const { batchId } = await begun(1);
        later(startDoubtMs - 1);
        expect(await see(batchId, status)).toEqual(NOTHING);
        expect(platform.asked).toEqual([]);
      },
    );

    it.each(["completed", "paused"])("is a matter of its end where it is %s", async (status) => {
      const { batchId } = await begun(1);
      later(pickupMs);
      expect(await see(batchId, status)).toEqual(NOTHING);
      expect(platform.asked).toEqual([]);
    });

    it("is a matter of its start where that was not answered, and of its end where it was asked to stop", async () => {
      const unanswered = await starting(1);
      const stopped = await begun(1);
      await rows(
        ledger().db,
        sql`update batches set stop_reason = 'pause' where id = ${stopped.batchId}::uuid`,
      );
      later(pickupMs);
      expect(await see(unanswered.batchId, "pending")).toEqual(NOTHING);
      expect(await see(stopped.batchId, "pending")).toEqual(NOTHING);
      expect(platform.asked).toEqual([]);
    });

    it("is dialed where the ledger knows of a call, and the platform counts none", async () => {
      const { batchId, phones } = await begun(2);
      await settleFindings(ledger(), {
        batchId,
        findings: [finding(given(phones[0]))],
        nowMs: platform.clock.nowMs,
      });
      later(pickupMs);
      expect(await see(batchId, "pending")).toEqual(DIALED);
      expect(platform.asked).toEqual([]);
    });

    it("is dialed where an item says so, and what it says is written", async () => {
      const { batchId, phones } = await begun(2);
      platform.told.items = [item(phones[0], { status: "busy" }), item(phones[1], { status: "pending" })];
      later(startDoubtMs);
      expect(await see(batchId, "queued")).toEqual(DIALED);
      const ended = await rows<{ disposition: string }>(
        ledger().db,
        sql`select disposition from attempts where batch_id = ${batchId}::uuid and state = 'ended'`,
      );
      expect(ended).toEqual([{ disposition: "busy" }]);
      expect(await batchOf(batchId)).toMatchObject({ trouble: undefined, startSeenAtMs: expect.any(Number) });
    });

    it("is dialed where an item says so, though the listing leads to no end", async () => {
      const { batchId, phones } = await begun(2);
      platform.told.items = endless([item(phones[0], { status: "busy" })]);
      later(startDoubtMs);
      expect(await see(batchId, "queued")).toEqual(DIALED);
    });

    it("that shows as pending is in doubt at once, as one whose start was not answered, and stopped", async () => {
      const { batchId } = await begun(1);
      later(startDoubtMs);
      expect(await see(batchId, "pending")).toEqual({ isDialed: false, stop: "start_not_seen" });
      expect(await batchOf(batchId)).toMatchObject({ startSeenAtMs: undefined, trouble: "not_begun" });
    });

    it.each([
      ["queued", undefined, "start_not_seen"],
      ["a word that nobody knows", undefined, "start_not_seen"],
      ["running", expect.any(Number), "no_progress"],
      [undefined, undefined, "start_not_seen"],
    ])(
      "that shows as %s may wait for ten minutes, is in doubt where it was not picked up, and is stopped then",
      async (status, startSeenAtMs, stop) => {
        const { id, batchId } = await begun(1);
        later(startDoubtMs);
        expect(await see(batchId, status)).toEqual(NOTHING);
        expect(await batchOf(batchId)).toMatchObject({ startSeenAtMs, trouble: "not_begun" });
        later(pickupMs - startDoubtMs - 1);
        expect(await see(batchId, status)).toEqual(NOTHING);
        expect(await toldOf(id)).toMatchObject([
          { summary: expect.stringContaining(`it shows as ${status ?? "nothing"}`) },
        ]);
        later(1);
        expect(await see(batchId, status)).toEqual({ isDialed: false, stop });
      },
    );

    it("is not counted from a start that nobody knows the moment of", async () => {
      const { batchId } = await begun(1);
      await rows(ledger().db, sql`update batches set start_sent_at = null where id = ${batchId}::uuid`);
      later(60 * MINUTE_MS);
      expect(await see(batchId, "pending")).toEqual(NOTHING);
    });
  });
});
