import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { tellingNews, type CampaignNews } from "../../../src/ledger/campaigns/campaign-news.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { planBatches } from "../../../src/ledger/campaigns/planning.ts";
import {
  readInstallation,
  releaseRecovery,
  requireRecovery,
} from "../../../src/ledger/ground/installation.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { place, standing } from "../support/placing.ts";
import {
  contactsOf,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  PACE,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  start,
  tallies,
  tell,
} from "../support/scenario.ts";

/** A Tuesday, three in the morning in New York: a window of office hours opens six hours later. */
const NIGHT_MS = Date.UTC(2026, 5, 2, 7);
const OFFICE_HOURS = { window: { weekdays: ["09:00-18:00"] } };
const BREAKER: NonNullable<CampaignSpecInput["breaker"]> = {
  newest: 10,
  at_least: 5,
  failed: 0.5,
  probe: { after: "10m", calls: 3, tries: 2 },
};

/* What a planning leaves behind beside whom it leases (src/ledger/campaigns/planning.ts). */
describe("a planning", () => {
  withLedger((ledger) => {
    const campaignOf = async (id: string) => given(await readCampaign(ledger().db, id));
    const set = (id: string, columns: ReturnType<typeof sql>) =>
      rows(ledger().db, sql`update campaigns set ${columns} where id = ${id}::uuid`);
    const openHolds = async (id: string) =>
      (await holdsOf(ledger(), id)).filter((hold) => hold.until_ms === null).map(({ reason }) => reason);

    describe("tells in the log that a window is closed", () => {
      const listening = () => {
        const steps: string[] = [];
        const news: CampaignNews[] = [];
        const tell = (one: CampaignNews) => {
          if ("step" in one) steps.push(one.step);
          news.push(one);
        };
        return { steps, news, heard: tellingNews(ledger(), tell) };
      };

      it("of a campaign that dials a list, once, and that it is open again", async () => {
        const id = await running(ledger(), freshPhones(2), OFFICE_HOURS, NIGHT_MS);
        const { steps, news, heard } = listening();
        for (const hours of [0, 1, 6, 7]) await plan(heard, id, NIGHT_MS + hours * HOUR_MS);
        expect(steps.filter((step) => step.startsWith("window"))).toEqual(["window_closes", "window_opens"]);
        expect(news[0]).toMatchObject({ campaignId: id, run: 1, brand: "default", detail: { zones: 1 } });
      });

      it("of none that waits for something else", async () => {
        const id = await running(ledger(), freshPhones(1));
        await set(id, sql`agent_problem = 'agent Sales is gone'`);
        const { steps, heard } = listening();
        await plan(heard, id);
        expect([steps, await openHolds(id)]).toEqual([[], ["agent"]]);
      });

      it("of none whose calls are placed one by one, each of which says when it is made", async () => {
        const { id } = await standing(ledger(), OFFICE_HOURS, undefined, NIGHT_MS);
        await place(ledger(), id, given(freshPhones(1)[0]));
        const { steps, heard } = listening();
        await plan(heard, id, NIGHT_MS);
        expect([steps, await openHolds(id)]).toEqual([[], ["window"]]);
      });

      it("of none that is paused meanwhile: that its window no longer keeps it says nothing", async () => {
        const id = await running(ledger(), freshPhones(1), OFFICE_HOURS, NIGHT_MS);
        await plan(ledger(), id, NIGHT_MS);
        await tell(ledger(), "pause", id, { nowMs: NIGHT_MS });
        const { steps, heard } = listening();
        await plan(heard, id, NIGHT_MS + MINUTE_MS);
        expect(steps).toEqual([]);
      });
    });

    describe("of a ledger that turns out to be restored", () => {
      it("does not make it look newer, nor lets its breaker probe", async () => {
        const id = await running(ledger(), freshPhones(9), { breaker: BREAKER });
        await plan(ledger(), id);
        await tell(ledger(), "pause", id);
        await set(id, sql`breaker = 'open', probe_at = to_timestamp(${NOW_MS / 1_000})`);
        const { plannings } = await campaignOf(id);
        expect(await plan(ledger(), id, NOW_MS, { seenPlannings: plannings + 1 })).toMatchObject({
          state: "paused",
          plannings,
        });
        expect((await campaignOf(id)).plannings).toBe(plannings);
        await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
        // Whoever has seen as many plannings as there were goes on.
        expect(await plan(ledger(), id, NOW_MS, { seenPlannings: plannings })).toMatchObject({
          state: "running",
          plannings: plannings + 1,
        });
      });

      it("says so where the campaign is gone whose workflow was started, or saw it planned, since the last recovery", async () => {
        await requireRecovery(ledger().db, "restored", NOW_MS);
        await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
        const { recoveredAtMs = 0 } = await readInstallation(ledger().db);
        const isTold = async (startedAtMs: number, seenPlannings: number) => {
          const gone = { campaignId: randomUUID(), startedAtMs, seenPlannings };
          await planBatches(ledger(), { ...gone, blockedBy: undefined, pace: PACE, nowMs: NOW_MS });
          const { recoveryReason } = await readInstallation(ledger().db);
          if (recoveryReason === undefined) return false;
          await ledger().transaction((tx) => releaseRecovery(tx, "test", recoveredAtMs, {}));
          return true;
        };
        expect(await isTold(recoveredAtMs, recoveredAtMs), "it slept through it").toBe(false);
        expect(await isTold(recoveredAtMs + 1, 0)).toBe(true);
        expect(await isTold(recoveredAtMs, recoveredAtMs + 1)).toBe(true);
      });

      it("lets nobody's breaker probe before it is recovered, and says why", async () => {
        const id = await running(ledger(), freshPhones(9), { breaker: BREAKER });
        await tell(ledger(), "pause", id);
        await set(id, sql`breaker = 'open', probe_at = to_timestamp(${NOW_MS / 1_000})`);
        await requireRecovery(ledger().db, "restored", NOW_MS);
        // A moment that has come is looked at no sooner than anything else.
        expect(await plan(ledger(), id)).toMatchObject({ state: "paused", waitMs: PACE.idleLookMs });
        expect(await openHolds(id)).toEqual(["recovery"]);
        await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
        expect(await plan(ledger(), id)).toMatchObject({ state: "running" });
      });
    });

    it("is followed by another within a minute while calls are under way, and else within five", async () => {
      const id = await running(ledger(), freshPhones(3), { concurrency: 2 });
      expect(await plan(ledger(), id)).toMatchObject({ liveBatches: 1, waitMs: PACE.busyLookMs });
      const idle = await running(ledger(), freshPhones(1));
      await tell(ledger(), "pause", idle);
      expect(await plan(ledger(), idle)).toMatchObject({ liveBatches: 0, waitMs: PACE.idleLookMs });
    });

    it("of calls that are placed looks four times a day, unless something else than people holds them", async () => {
      const { id } = await standing(ledger());
      expect(await plan(ledger(), id)).toMatchObject({ waitMs: 6 * HOUR_MS });
      await tell(ledger(), "pause", id);
      expect(await plan(ledger(), id), "a person says when it goes on").toMatchObject({
        waitMs: 6 * HOUR_MS,
      });
      const blockedBy = { reason: "clock", detail: "clocks disagree" };
      await tell(ledger(), "resume", id);
      expect(await plan(ledger(), id, NOW_MS, { blockedBy })).toMatchObject({ waitMs: PACE.idleLookMs });
      const list = await running(ledger(), freshPhones(1), {}, NOW_MS);
      await tell(ledger(), "pause", list);
      expect(await plan(ledger(), list)).toMatchObject({ waitMs: PACE.idleLookMs });
    });

    it("names the batches that wait for their workflow, and none that was started", async () => {
      const id = await running(ledger(), freshPhones(4), { concurrency: 2 });
      const { batchIds } = await plan(ledger(), id);
      expect(await plan(ledger(), id), "its answer may have been lost").toMatchObject({ batchIds });
      await start(ledger(), given(batchIds[0]));
      expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], liveBatches: 1, heldSlots: 2 });
    });

    it("keeps as its share what it may hold less than its spec says, and nothing where that is all", async () => {
      const id = await running(ledger(), freshPhones(30), { ramp_up: "10m", concurrency: 20 });
      await plan(ledger(), id);
      const { share } = await campaignOf(id);
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(20);
      await plan(ledger(), id, NOW_MS + HOUR_MS);
      expect((await campaignOf(id)).share).toBeUndefined();
    });

    it("keeps the share of the account's lines that it had where it asks for none", async () => {
      const account = { limit: 50, reserve: 0 };
      const id = await running(ledger(), freshPhones(30), { concurrency: 20 });
      await plan(ledger(), id, NOW_MS, { account });
      const { share } = await campaignOf(id);
      expect(share).toBeGreaterThan(0);
      await tell(ledger(), "pause", id);
      await plan(ledger(), id, NOW_MS, { account });
      expect((await campaignOf(id)).share).toBe(share);
    });

    it("at a campaign's end leaves nothing that would explain a wait, and is its last", async () => {
      const [phone = ""] = freshPhones(1);
      const id = await running(ledger(), [phone], { retry: { max_attempts: 1 } });
      const [batchId = ""] = await planAndStart(ledger(), id);
      await tell(ledger(), "pause", id);
      await plan(ledger(), id);
      expect(await openHolds(id)).toEqual(["paused"]);
      await settleFindings(ledger(), { batchId, findings: [ended(phone)], nowMs: NOW_MS });
      await closeBatch(ledger(), batchId, NOW_MS);
      await tell(ledger(), "cancel", id);
      expect(await plan(ledger(), id)).toMatchObject({ state: "cancelled", liveBatches: 0 });
      expect(await openHolds(id)).toEqual([]);
      const look = await rows<{ look_by: string | null }>(
        ledger().db,
        sql`select look_by from campaigns where id = ${id}::uuid`,
      );
      expect(look).toEqual([{ look_by: null }]);
    });

    it("leaves those alone whom no older policy put off, once it was to ask again", async () => {
      const [phone = ""] = freshPhones(1);
      const id = await running(ledger(), [phone], { least_gap: "1h" });
      await set(id, sql`asks_again = true`);
      const untilMs = NOW_MS + 50 * MINUTE_MS;
      await rows(
        ledger().db,
        sql`update contacts set due_at = to_timestamp(${untilMs / 1_000}) where campaign_id = ${id}::uuid`,
      );
      await plan(ledger(), id);
      expect(await contactsOf(ledger(), id)).toMatchObject([{ state: "open", due_ms: untilMs }]);
      expect((await campaignOf(id)).asksAgain).toBe(false);
    });

    it("that ends a cancelled campaign of more people than it ends at once is followed by another at once", async () => {
      const people = listOfContacts(freshPhones(5_002));
      const id = await running(ledger(), people);
      await tell(ledger(), "cancel", id);
      expect(await plan(ledger(), id)).toMatchObject({ state: "draining", waitMs: 0 });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, excluded: 5_000 });
      expect(await plan(ledger(), id, NOW_MS + SECOND_MS)).toMatchObject({
        state: "cancelled",
        tallies: { open: 0, excluded: 5_002 },
      });
    });
  });
});
