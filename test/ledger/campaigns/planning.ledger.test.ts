import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { MAX_BATCH_SIZE, MAX_BATCHES_PER_PLAN } from "../../../src/domain/campaigns/batch-sizing.ts";
import { PLACEMENT_PRIORITY } from "../../../src/domain/campaigns/list-order.ts";
import { listDialedContacts } from "../../../src/ledger/campaigns/attempts.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  goOn,
  readInstallation,
  releaseRecovery,
  stopEverything,
} from "../../../src/ledger/ground/installation.ts";
import { planBatches } from "../../../src/ledger/campaigns/planning.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  batchOf,
  contact,
  contactsOf,
  DAY_MS,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  start,
  tallies,
  tell,
} from "../support/scenario.ts";

const NEW_YORK = ["America/New_York"];
const BERLIN = ["Europe/Berlin"];
const OFFICE_HOURS = { weekdays: ["09:00-18:00"] };
/** Mondays on which it is 08:30 in New York (closed) and 14:30 in Berlin (open), and the hours after. */
const MORNING_MS = Date.UTC(2026, 5, 1, 12, 30);
const NEW_YORK_OPENS_MS = Date.UTC(2026, 5, 1, 13);
const BERLIN_CLOSES_MS = Date.UTC(2026, 5, 1, 16);
const NEW_YORK_CLOSES_MS = Date.UTC(2026, 5, 1, 22);

async function settleAll(ledger: Ledger, batchId: string, disposition: "busy" | "answered", nowMs: number) {
  const phones = await openPhones(ledger, batchId);
  await settleFindings(ledger, {
    batchId,
    findings: phones.map((phone) => ended(phone, disposition, nowMs)),
    nowMs,
  });
  expect(await closeBatch(ledger, batchId, nowMs)).toMatchObject({ isClosed: true });
}

describeLedgers("planning", (ledger) => {
  describe("calling windows", () => {
    it("leases whom a window is open for, holds the others with the reason, and looks again when theirs opens", async () => {
      const [ny, berlin] = [freshPhones(3), freshPhones(4)];
      const id = await running(
        ledger(),
        [
          ...ny.map((phone, at) => contact(phone, at + 2, { zones: NEW_YORK })),
          ...berlin.map((phone, at) => contact(phone, at + 20, { zones: BERLIN })),
        ],
        { window: OFFICE_HOURS },
        MORNING_MS,
      );
      const planned = await plan(ledger(), id, MORNING_MS);
      expect(planned.tallies).toMatchObject({ open: 3, leased: 4 });
      const batch = await batchOf(ledger(), planned.batchIds[0]);
      expect(await openPhones(ledger(), batch.id)).toEqual([...berlin].sort());
      expect(await holdsOf(ledger(), id)).toEqual([
        {
          reason: "window",
          detail: "until 2026-06-01T13:00:00.000Z",
          policy_version: 1,
          from_ms: MORNING_MS,
          until_ms: null,
        },
      ]);
      // While batches are under way it looks once a minute anyway.
      expect(planned.waitMs).toBe(PACE.busyLookMs);
      const opened = await plan(ledger(), id, NEW_YORK_OPENS_MS);
      expect(opened.tallies).toMatchObject({ open: 0, leased: 7 });
      expect((await holdsOf(ledger(), id)).map((hold) => hold.until_ms)).toEqual([NEW_YORK_OPENS_MS]);
    });

    it("wakes up to the second at which a window opens, while nothing else goes on", async () => {
      const id = await running(ledger(), freshPhones(1), { window: OFFICE_HOURS }, MORNING_MS);
      const almost = NEW_YORK_OPENS_MS - 7 * SECOND_MS;
      expect((await plan(ledger(), id, almost)).waitMs).toBe(7 * SECOND_MS);
      expect((await plan(ledger(), id, NEW_YORK_OPENS_MS - DAY_MS / 24)).waitMs).toBe(PACE.idleLookMs);
    });

    it("gives each batch the end of its own contacts' window, less the time that a stop takes", async () => {
      const id = await running(
        ledger(),
        [
          ...listOfContacts(freshPhones(3), { zones: NEW_YORK }),
          ...freshPhones(3).map((phone, at) => contact(phone, at + 9, { zones: BERLIN })),
        ],
        { window: OFFICE_HOURS },
        NEW_YORK_OPENS_MS,
      );
      await plan(ledger(), id, NEW_YORK_OPENS_MS);
      const batches = await listUnsettled(ledger().db, id);
      expect(new Set(batches.map((batch) => batch.dialByMs))).toEqual(
        new Set([BERLIN_CLOSES_MS - PACE.dialByMarginMs, NEW_YORK_CLOSES_MS - PACE.dialByMarginMs]),
      );
    });

    it("takes the campaign's end where that comes before the window's", async () => {
      const endsAtMs = NEW_YORK_OPENS_MS + HOUR_MS;
      const id = await running(
        ledger(),
        freshPhones(1),
        { window: OFFICE_HOURS, ends_at: new Date(endsAtMs).toISOString() },
        NEW_YORK_OPENS_MS,
      );
      const { batchIds } = await plan(ledger(), id, NEW_YORK_OPENS_MS);
      expect((await batchOf(ledger(), batchIds[0])).dialByMs).toBe(endsAtMs - PACE.dialByMarginMs);
    });

    it("sets no end where there is none", async () => {
      const id = await running(ledger(), freshPhones(1));
      const { batchIds } = await plan(ledger(), id);
      expect((await batchOf(ledger(), batchIds[0])).dialByMs).toBeUndefined();
    });

    it("begins no batch for which the window closes too soon, says so, and waits for the closing", async () => {
      const id = await running(ledger(), freshPhones(2), { window: OFFICE_HOURS }, NEW_YORK_OPENS_MS);
      const leadMs = PACE.dialByMarginMs + PACE.minLeadMs;
      const lateMs = NEW_YORK_CLOSES_MS - leadMs + 1;
      const late = await plan(ledger(), id, lateMs);
      expect(late.batchIds).toEqual([]);
      expect(late.waitMs).toBe(NEW_YORK_CLOSES_MS - lateMs);
      expect(await holdsOf(ledger(), id)).toMatchObject([
        { reason: "window", detail: expect.stringContaining("too soon") },
      ]);
      const other = await running(ledger(), freshPhones(2), { window: OFFICE_HOURS }, NEW_YORK_OPENS_MS);
      expect((await plan(ledger(), other, NEW_YORK_CLOSES_MS - leadMs)).batchIds).toHaveLength(1);
    });

    it("waits for the campaign's start, and ends everybody whom its end overtakes", async () => {
      const startsAtMs = NOW_MS + HOUR_MS;
      const id = await running(ledger(), freshPhones(2), {
        starts_at: new Date(startsAtMs).toISOString(),
        ends_at: new Date(startsAtMs + HOUR_MS).toISOString(),
      });
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "before_start", until_ms: null }]);
      expect((await plan(ledger(), id, startsAtMs - 1_000)).waitMs).toBe(1_000);
      const late = await plan(ledger(), id, startsAtMs + HOUR_MS);
      expect(late).toMatchObject({ state: "completed", tallies: { open: 0, excluded: 2 } });
      expect((await contactsOf(ledger(), id)).map((row) => row.reason)).toEqual(["after_end", "after_end"]);
      await expectInvariants(ledger());
    });
  });

  describe("who comes first", () => {
    const inOrder = async (batchId: string) =>
      (await listDialedContacts(ledger().db, batchId)).map(({ phone }) => phone);

    it("is who stands first in the list", async () => {
      const phones = freshPhones(5).reverse();
      const id = await running(ledger(), phones, { concurrency: 2 });
      const { batchIds } = await plan(ledger(), id);
      expect(await openPhones(ledger(), given(batchIds[0]))).toEqual(phones.slice(0, 4).sort());
      expect(await inOrder(given(batchIds[0])), "and in its batch, too").toEqual(phones.slice(0, 4));
    });

    it("is a lane with higher priority, whatever was due before", async () => {
      const phones = freshPhones(6);
      const id = await running(ledger(), phones, { concurrency: 2 });
      const urgent = phones.slice(4);
      await rows(
        ledger().db,
        sql`with lane as (insert into lanes (campaign_id, zone_set_id, priority)
              select campaign_id, zone_set_id, 5 from lanes where campaign_id = ${id}::uuid returning id)
            update contacts set lane_id = (select id from lane), due_at = due_at + interval '1 second'
            where campaign_id = ${id}::uuid and phone in (${urgent[0]}, ${urgent[1]})`,
      );
      const { batchIds } = await plan(ledger(), id, NOW_MS + 2 * SECOND_MS);
      expect(
        await inOrder(given(batchIds[0])),
        "others take what is left of their batch, behind them",
      ).toEqual([...urgent, ...phones.slice(0, 3)]);
    });

    it("is, of one priority, whoever is to be called again, when that is due", async () => {
      const phones = freshPhones(10);
      const id = await running(ledger(), phones, {
        concurrency: 3,
        retry: { max_attempts: 2, delays: { busy: "10m" } },
      });
      const [first] = await planAndStart(ledger(), id);
      const called = await openPhones(ledger(), given(first));
      const waiting = phones.filter((phone) => !called.includes(phone));
      await settleAll(ledger(), given(first), "busy", NOW_MS + MINUTE_MS);
      const [second] = await planAndStart(ledger(), id, NOW_MS + 2 * MINUTE_MS);
      expect(await inOrder(given(second)), "not before").toEqual(expect.arrayContaining(waiting.slice(0, 2)));
      await settleAll(ledger(), given(second), "answered", NOW_MS + 12 * MINUTE_MS);
      await importWhole(ledger(), id, listOfContacts(freshPhones(60)), "more", NOW_MS - HOUR_MS);
      const { batchIds } = await plan(ledger(), id, NOW_MS + 12 * MINUTE_MS);
      const order = await inOrder(given(batchIds[0]));
      expect(order.slice(0, called.length).sort(), "before first calls that were due for longer").toEqual(
        [...called].sort(),
      );
      expect(order.length).toBeGreaterThan(called.length);
    });

    it("is, of one priority over all zones, who has been due for longest", async () => {
      const [early, late] = [freshPhones(2), freshPhones(2)];
      const id = await running(ledger(), listOfContacts(late, { zones: BERLIN }), { concurrency: 2 }, NOW_MS);
      await importWhole(
        ledger(),
        id,
        listOfContacts(early, { zones: NEW_YORK }),
        "earlier",
        NOW_MS - HOUR_MS,
      );
      const { batchIds } = await plan(ledger(), id);
      expect(await openPhones(ledger(), given(batchIds[0]))).toEqual([...early].sort());
    });
  });

  describe("slots", () => {
    it("are never given beyond the limit, and the rest is held for want of them", async () => {
      const id = await running(ledger(), freshPhones(30), { concurrency: 7 });
      const first = await plan(ledger(), id);
      expect(first.heldSlots).toBe(7);
      expect(given(await readCampaign(ledger().db, id)).starved).toBe(true);
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "slots", until_ms: null }]);
      expect((await plan(ledger(), id)).heldSlots).toBe(7);
    });

    it("that come free are offered to the next planning, and the hold ends when nobody waits", async () => {
      const id = await running(ledger(), freshPhones(4), { concurrency: 2 });
      const [first] = await planAndStart(ledger(), id);
      const later = NOW_MS + 2 * MINUTE_MS;
      await settleAll(ledger(), given(first), "answered", later);
      const next = await plan(ledger(), id, later);
      expect(next).toMatchObject({ heldSlots: 2, tallies: { open: 0, leased: 2, done: 2 } });
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "slots", until_ms: later }]);
      expect(given(await readCampaign(ledger().db, id)).starved).toBe(false);
    });

    it("fewer than are worth a batch wait for more, as long as some are to come free", async () => {
      // At a limit of 40 a batch is worth two slots.
      const id = await running(ledger(), freshPhones(45), { concurrency: 40, retry: { max_attempts: 1 } });
      const [batchId] = await planAndStart(ledger(), id);
      const [one] = await openPhones(ledger(), given(batchId));
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(given(one))],
        nowMs: NOW_MS + MINUTE_MS,
      });
      const planned = await plan(ledger(), id, NOW_MS + MINUTE_MS);
      expect(planned).toMatchObject({ batchIds: [], heldSlots: 39 });
    });

    it("one plan makes twenty batches of a hundred at most", async () => {
      const id = await running(ledger(), freshPhones(3_000), { concurrency: 3_000 });
      const planned = await plan(ledger(), id);
      expect(planned.batchIds).toHaveLength(MAX_BATCHES_PER_PLAN);
      expect(planned.tallies.leased).toBe(MAX_BATCHES_PER_PLAN * MAX_BATCH_SIZE);
      const batches = await listUnsettled(ledger().db, id);
      expect(Math.max(...batches.map((batch) => batch.size))).toBe(MAX_BATCH_SIZE);
    });

    it("spread batches over the campaign's numbers, one number a batch", async () => {
      const from = ["+12025550100", "+12025550101", "+12025550102"];
      const id = await running(ledger(), freshPhones(400), { concurrency: 400, from_numbers: from });
      await plan(ledger(), id);
      const used = (await listUnsettled(ledger().db, id)).map((batch) => batch.fromNumber);
      expect(new Set(used)).toEqual(new Set(from));
    });
  });

  describe("retries", () => {
    it("are gathered for a while, so that they share a batch", async () => {
      const phones = freshPhones(3);
      const id = await running(ledger(), phones, { concurrency: 5 });
      const [batchId] = await planAndStart(ledger(), id);
      const endedMs = NOW_MS + MINUTE_MS;
      await settleAll(ledger(), given(batchId), "busy", endedMs);
      const pace = { gatherMs: 20 * SECOND_MS };
      const dueMs = endedMs + 10 * MINUTE_MS;
      expect(await plan(ledger(), id, dueMs - 5 * SECOND_MS, { pace })).toMatchObject({
        batchIds: [],
        waitMs: 5 * SECOND_MS,
      });
      expect(await plan(ledger(), id, dueMs, { pace })).toMatchObject({
        batchIds: [],
        waitMs: 20 * SECOND_MS,
      });
      const gathered = await plan(ledger(), id, dueMs + 20 * SECOND_MS, { pace });
      expect(gathered.batchIds).toHaveLength(1);
      expect(await openPhones(ledger(), given(gathered.batchIds[0]))).toEqual([...phones].sort());
      const attempts = await rows<{ attempt_no: number }>(
        ledger().db,
        sql`select attempt_no from attempts where batch_id = ${given(gathered.batchIds[0])}::uuid`,
      );
      expect(attempts.map((row) => row.attempt_no)).toEqual([2, 2, 2]);
    });

    it.each([
      ["fewer than are worth a batch wait, though lines are idle", 19, 0],
      ["as many as are worth a batch do not", 20, 1],
    ])("%s", async (_what, people, batches) => {
      const id = await running(ledger(), freshPhones(people), { concurrency: 100 });
      const [batchId] = await planAndStart(ledger(), id);
      await settleAll(ledger(), given(batchId), "busy", NOW_MS + MINUTE_MS);
      const planned = await plan(ledger(), id, NOW_MS + 11 * MINUTE_MS, { pace: { gatherMs: HOUR_MS } });
      expect(planned.batchIds).toHaveLength(batches);
    });

    it("are not waited for before the first calls of a campaign, nor for urgent ones", async () => {
      const pace = { gatherMs: HOUR_MS };
      const id = await running(ledger(), freshPhones(1));
      expect((await plan(ledger(), id, NOW_MS, { pace })).batchIds).toHaveLength(1);
      const phones = freshPhones(2);
      const urgent = await running(ledger(), phones.slice(0, 1));
      const [batchId] = await planAndStart(ledger(), urgent);
      await settleAll(ledger(), given(batchId), "answered", NOW_MS + MINUTE_MS);
      await importWhole(ledger(), urgent, listOfContacts(phones.slice(1)), "late", NOW_MS + MINUTE_MS);
      expect((await plan(ledger(), urgent, NOW_MS + MINUTE_MS, { pace })).batchIds).toEqual([]);
      await rows(
        ledger().db,
        sql`update lanes set priority = ${PLACEMENT_PRIORITY} where campaign_id = ${urgent}::uuid`,
      );
      expect((await plan(ledger(), urgent, NOW_MS + MINUTE_MS, { pace })).batchIds).toHaveLength(1);
    });
  });

  describe("a plan made again", () => {
    it("gives the same batches, and leases and counts nothing twice", async () => {
      const id = await running(ledger(), freshPhones(25), { concurrency: 10 });
      const first = await plan(ledger(), id);
      const before = await contactsOf(ledger(), id);
      for (let again = 0; again < 3; again += 1) {
        const next = await plan(ledger(), id, NOW_MS + again);
        expect(next.batchIds).toEqual(first.batchIds);
        expect(next.tallies).toEqual(first.tallies);
      }
      expect(await contactsOf(ledger(), id)).toEqual(before);
      expect(await holdsOf(ledger(), id)).toHaveLength(1);
      await expectInvariants(ledger());
    });

    it("shows the batches that are planned, and none that are further", async () => {
      const id = await running(ledger(), freshPhones(20), { concurrency: 20 });
      const first = await plan(ledger(), id);
      expect(first.liveBatches).toBe(first.batchIds.length);
      await start(ledger(), given(first.batchIds[0]));
      const next = await plan(ledger(), id);
      expect(next.batchIds).toEqual(first.batchIds.slice(1));
      expect(next.liveBatches).toBe(first.liveBatches);
    });

    it("completes without the reason of a command that it has gone on from", async () => {
      const id = await running(ledger(), freshPhones(2));
      await tell(ledger(), "pause", id, { reason: "lunch" });
      await tell(ledger(), "resume", id, { reason: "run again" });
      for (const batchId of (await plan(ledger(), id)).batchIds) {
        await start(ledger(), batchId);
        await settleAll(ledger(), batchId, "answered", NOW_MS + MINUTE_MS);
      }
      expect(given(await readCampaign(ledger().db, id)).stateReason).toBe("run again");
      expect((await plan(ledger(), id, NOW_MS + HOUR_MS)).state).toBe("completed");
      expect(given(await readCampaign(ledger().db, id)).stateReason).toBeUndefined();
    });

    it("never says that it was planned less often than before", async () => {
      const id = await running(ledger(), freshPhones(6), { concurrency: 2 });
      let seen = 0;
      for (let round = 0; round < 3; round += 1) {
        const planned = await plan(ledger(), id, NOW_MS + round * 10 * MINUTE_MS, { seenPlannings: seen });
        expect(planned.plannings).toBe(seen + 1);
        seen = planned.plannings;
        for (const batchId of planned.batchIds) {
          await start(ledger(), batchId, NOW_MS + round * 10 * MINUTE_MS);
          await settleAll(ledger(), batchId, "answered", NOW_MS + round * 10 * MINUTE_MS + MINUTE_MS);
        }
      }
      expect(await plan(ledger(), id, NOW_MS + HOUR_MS, { seenPlannings: seen })).toMatchObject({
        state: "completed",
      });
    });
  });

  describe("contacts that the gate refuses", () => {
    it("are excluded or put off with the reason, and the others are leased", async () => {
      const phones = freshPhones(6);
      const [suppressed, elsewhere] = [given(phones[0]), given(phones[1])];
      const other = await running(ledger(), [elsewhere]);
      await plan(ledger(), other);
      const id = await running(ledger(), phones);
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone: suppressed, brand: undefined, source: "dnc", reason: "register" }],
          actor: "test",
          nowMs: NOW_MS,
        }),
      );
      const planned = await plan(ledger(), id);
      expect(planned.tallies).toMatchObject({ open: 1, leased: 4, excluded: 1 });
      expect(planned.waitMs).toBe(PACE.openAttemptWaitMs);
      const [first, second] = await contactsOf(ledger(), id);
      expect(first).toMatchObject({ state: "excluded", reason: "suppressed" });
      expect(second).toMatchObject({ state: "open", due_ms: NOW_MS + PACE.openAttemptWaitMs });
      await expectInvariants(ledger());
    });
  });

  describe("what stops all of a campaign's planning", () => {
    it.each([
      [
        "paused",
        async (id: string) => void (await tell(ledger(), "pause", id, { reason: "lunch" })),
        "lunch",
      ],
      [
        "stop_all",
        () =>
          ledger().transaction((tx) => stopEverything(tx, { actor: "test", reason: "fire", nowMs: NOW_MS })),
        "fire",
      ],
    ] as const)("is said as a hold: %s", async (reason, bringAbout, detail) => {
      const id = await running(ledger(), freshPhones(2));
      await bringAbout(id);
      expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], heldSlots: 0 });
      expect(await holdsOf(ledger(), id)).toMatchObject([
        { reason, detail, from_ms: NOW_MS, until_ms: null },
      ]);
      await ledger().transaction((tx) => goOn(tx, { actor: "test", reason: "over", nowMs: NOW_MS }));
      if (reason === "paused") await tell(ledger(), "resume", id);
      expect((await plan(ledger(), id, NOW_MS + 5)).batchIds).toHaveLength(1);
      expect(await holdsOf(ledger(), id)).toMatchObject([{ reason, until_ms: NOW_MS + 5 }]);
    });

    it("may come from outside the ledger, such as clocks that disagree", async () => {
      const id = await running(ledger(), freshPhones(1));
      const blockedBy = { reason: "clocks", detail: "the platform's clock is 9 minutes ahead" };
      expect((await plan(ledger(), id, NOW_MS, { blockedBy })).batchIds).toEqual([]);
      expect(await holdsOf(ledger(), id)).toMatchObject([blockedBy]);
    });

    it("is a ledger that is older than what the workflow saw: nothing dials anywhere until it is recovered", async () => {
      const [id, other] = [await running(ledger(), freshPhones(1)), await running(ledger(), freshPhones(1))];
      const { plannings } = given(await readCampaign(ledger().db, id));
      expect((await plan(ledger(), id, NOW_MS, { seenPlannings: plannings + 1 })).batchIds).toEqual([]);
      expect((await plan(ledger(), other)).batchIds).toEqual([]);
      expect(await holdsOf(ledger(), other)).toMatchObject([{ reason: "recovery" }]);
      await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
      expect((await plan(ledger(), other)).batchIds).toHaveLength(1);
    });

    it("is a campaign that the ledger does not have: it was restored, too", async () => {
      const gone = "00000000-0000-4000-8000-00000000dead";
      const input = { campaignId: gone, seenPlannings: 3, blockedBy: undefined, pace: PACE, nowMs: NOW_MS };
      expect(await planBatches(ledger(), input)).toBeUndefined();
      const id = await running(ledger(), freshPhones(1));
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
      // Whoever slept through the recovery has nothing to tell; whoever saw it planned since has.
      const reason = async () => (await readInstallation(ledger().db)).recoveryReason;
      const { recoveredAtMs } = await readInstallation(ledger().db);
      const sleeper = { ...input, startedAtMs: NOW_MS - HOUR_MS };
      expect(await planBatches(ledger(), sleeper)).toBeUndefined();
      expect(await reason()).toBeUndefined();
      expect(
        await planBatches(ledger(), { ...sleeper, seenPlannings: given(recoveredAtMs) + 1 }),
      ).toBeUndefined();
      expect(await reason()).toContain("it was restored");
      await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
    });
  });

  describe("the end of a campaign", () => {
    it("comes when nobody is left, and waits for batches under way", async () => {
      const id = await running(ledger(), freshPhones(1));
      const [batchId] = await planAndStart(ledger(), id);
      const phones = await openPhones(ledger(), given(batchId));
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: phones.map((phone) => ended(phone)),
        nowMs: NOW_MS,
      });
      expect((await plan(ledger(), id)).state).toBe("running");
      await closeBatch(ledger(), given(batchId), NOW_MS);
      expect(await plan(ledger(), id, NOW_MS + 9)).toMatchObject({
        state: "completed",
        tallies: { done: 1 },
      });
      expect(given(await readCampaign(ledger().db, id)).endedAtMs).toBe(NOW_MS + 9);
      expect((await plan(ledger(), id, NOW_MS + 10)).state).toBe("completed");
    });

    it("of one that was cancelled comes when its calls are over, and excludes whom it did not reach", async () => {
      const phones = freshPhones(4);
      const id = await running(ledger(), phones, { concurrency: 2 });
      const [batchId] = await planAndStart(ledger(), id);
      await tell(ledger(), "cancel", id, { reason: "enough" });
      expect((await plan(ledger(), id)).state).toBe("draining");
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 2 });
      await rows(ledger().db, sql`update batches set state = 'draining' where id = ${given(batchId)}::uuid`);
      await settleAll(ledger(), given(batchId), "busy", NOW_MS + MINUTE_MS);
      expect(await plan(ledger(), id, NOW_MS + 2 * MINUTE_MS)).toMatchObject({
        state: "cancelled",
        tallies: { open: 0, leased: 0, excluded: 4, attempts: 2 },
      });
      expect(new Set((await contactsOf(ledger(), id)).map((row) => row.reason))).toEqual(
        new Set(["cancelled"]),
      );
      expect(given(await readCampaign(ledger().db, id)).stateReason).toBe("enough");
      await expectInvariants(ledger());
    });
  });
});
