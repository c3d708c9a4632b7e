import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { dropSource } from "../../../src/ledger/campaigns/renewing.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { goOn, stopEverything, releaseRecovery } from "../../../src/ledger/ground/installation.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import { declareScrubber } from "../support/scrubber.ts";
import {
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  tell,
} from "../support/scenario.ts";

const ACCOUNT = { limit: 5_000, reserve: 0 };
const BREAKER: NonNullable<CampaignSpecInput["breaker"]> = {
  newest: 10,
  at_least: 5,
  failed: 0.5,
  probe: { after: "10m", calls: 3, tries: 2 },
};
const FINAL = { retry: { max_attempts: 1 } } as const;

/* Why a planning leases nobody, or not everybody, and when it looks again: each reason alone. */
describeLedgers("a planning that waits", (ledger) => {
  const calling = (people: number, changes: Partial<CampaignSpecInput> = {}) =>
    running(ledger(), freshPhones(people), { concurrency: 10, ...FINAL, ...changes });
  const openHoldsOf = async (id: string) =>
    (await holdsOf(ledger(), id))
      .filter((hold) => hold.until_ms === null)
      .map(({ reason, detail }) => ({ reason, detail }));
  const set = (id: string, columns: ReturnType<typeof sql>) =>
    rows(ledger().db, sql`update campaigns set ${columns} where id = ${id}::uuid`);
  const campaignOf = async (id: string) => given(await readCampaign(ledger().db, id));

  afterEach(() => expectInvariants(ledger()));

  describe("for somebody's approval of the first calls", () => {
    it("leases these and no more, says so, and wants none of the account's lines", async () => {
      const id = await calling(30, { canary: 4 });
      expect(await plan(ledger(), id, NOW_MS, { account: ACCOUNT })).toMatchObject({ heldSlots: 4 });
      expect(await plan(ledger(), id, NOW_MS, { account: ACCOUNT })).toMatchObject({
        heldSlots: 4,
        leavesLines: true,
        waitMs: PACE.busyLookMs,
      });
      expect(await openHoldsOf(id)).toEqual([
        { reason: "canary", detail: "of its first 4 calls 0 are over; then somebody has to approve of them" },
      ]);
      expect(await campaignOf(id)).toMatchObject({ waiting: 0, starved: true });
    });
  });

  describe("for its breaker", () => {
    const open = async (probeMs: number) => {
      const id = await calling(30, { breaker: BREAKER });
      await tell(ledger(), "pause", id);
      await set(id, sql`breaker = 'open', probe_at = to_timestamp(${probeMs / 1_000})`);
      return id;
    };

    it("looks again when the time of its probe has come, and makes as many calls as that has", async () => {
      const id = await open(NOW_MS + 20 * SECOND_MS);
      expect(await plan(ledger(), id)).toMatchObject({ state: "paused", waitMs: 20 * SECOND_MS });
      const atMs = NOW_MS + 20 * SECOND_MS;
      expect(await plan(ledger(), id, atMs)).toMatchObject({ state: "running", heldSlots: 3 });
      await plan(ledger(), id, atMs);
      expect(await openHoldsOf(id)).toEqual([
        { reason: "breaker", detail: "it probes with 3 calls after its breaker opened: 0 are over" },
      ]);
    });

    it("does not probe while everything is stopped, or clocks disagree", async () => {
      const id = await open(NOW_MS);
      const blockedBy = { reason: "clock", detail: "clocks disagree" };
      expect(await plan(ledger(), id, NOW_MS, { blockedBy })).toMatchObject({
        state: "paused",
        batchIds: [],
      });
      const drill = { actor: "test", reason: "a drill", nowMs: NOW_MS };
      await stopEverything(ledger().db, drill);
      expect(await plan(ledger(), id)).toMatchObject({ state: "paused", batchIds: [] });
      // Of a probe whose time has passed no clock tells: it is looked at as often as anything else.
      expect(await plan(ledger(), id, NOW_MS + 1)).toMatchObject({ waitMs: PACE.idleLookMs });
      await goOn(ledger().db, drill);
      expect(await plan(ledger(), id, NOW_MS + MINUTE_MS)).toMatchObject({ state: "running", heldSlots: 3 });
    });
  });

  it("for its agent says so, but not past its end, at which it ends", async () => {
    const endsMs = NOW_MS + HOUR_MS;
    const id = await calling(3, { ends_at: new Date(endsMs).toISOString() });
    await set(id, sql`agent_problem = 'agent Sales is gone'`);
    expect(await plan(ledger(), id, endsMs - 1)).toMatchObject({ state: "running", batchIds: [] });
    expect(await openHoldsOf(id)).toEqual([{ reason: "agent", detail: "agent Sales is gone" }]);
    expect(await plan(ledger(), id, endsMs)).toMatchObject({ state: "completed", tallies: { excluded: 3 } });
    const endless = await calling(3);
    await set(endless, sql`agent_problem = 'agent Sales is gone'`);
    expect(await plan(ledger(), endless)).toMatchObject({ batchIds: [] });
  });

  it("for a service that is to be asked about its people says so, and looks again when a call might be over", async () => {
    const brand = "asked-about";
    const id = await calling(3, { brand });
    await declareScrubber(ledger(), "carrier", brand);
    expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], waitMs: PACE.openAttemptWaitMs });
    expect(await openHoldsOf(id)).toMatchObject([{ reason: "not_scrubbed" }]);
    await dropSource(ledger(), { name: "carrier", reason: "over", actor: "test", nowMs: NOW_MS });
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 3 });
    expect(await openHoldsOf(id)).toEqual([]);
  });

  describe("for money", () => {
    it("leases what it pays for, says what is gone, and wants no lines", async () => {
      const budget = { total: "0.50", expect_per_call: "0.10" };
      const id = await calling(30, { brand: "in-total", budget });
      expect(await plan(ledger(), id, NOW_MS, { account: ACCOUNT })).toMatchObject({ heldSlots: 5 });
      expect(await plan(ledger(), id, NOW_MS, { account: ACCOUNT })).toMatchObject({
        heldSlots: 5,
        leavesLines: true,
        waitMs: PACE.busyLookMs,
      });
      expect(await openHoldsOf(id)).toMatchObject([{ reason: "budget" }]);
      expect(await campaignOf(id)).toMatchObject({ waiting: 0 });
    });

    it("of a day looks again when there is some, be that sooner than it looks anyway", async () => {
      const lateMs = Date.UTC(2026, 5, 1, 23, 59, 30);
      const budget = { per_day: "0.20", expect_per_call: "0.10" };
      const id = await running(ledger(), freshPhones(9), { brand: "by-day", budget, ...FINAL }, lateMs);
      expect(await plan(ledger(), id, lateMs)).toMatchObject({ heldSlots: 2 });
      expect(await plan(ledger(), id, lateMs)).toMatchObject({ heldSlots: 2, waitMs: 30 * SECOND_MS });
      // Nobody is due, so that nobody is to be paid for: what it waited for is seen to all the same.
      await rows(
        ledger().db,
        sql`update contacts set due_at = to_timestamp(${(lateMs + HOUR_MS) / 1_000})
            where campaign_id = ${id}::uuid and state = 'open'`,
      );
      expect(await plan(ledger(), id, lateMs)).toMatchObject({ heldSlots: 2, waitMs: 30 * SECOND_MS });
      expect(await openHoldsOf(id)).toEqual([]);
      // Money lets nobody go on who waits for something else, too.
      await tell(ledger(), "pause", id);
      expect(await plan(ledger(), id, lateMs)).toMatchObject({ state: "paused", waitMs: PACE.busyLookMs });
      expect(await campaignOf(id)).toMatchObject({ shortOf: "budget" });
    });

    it("is told to be over where there is some again, but not by a ledger that turns out to be restored", async () => {
      const id = await calling(9, { window: "always" });
      await set(id, sql`short_of = 'budget'`);
      const { plannings } = await campaignOf(id);
      expect(await plan(ledger(), id, NOW_MS, { seenPlannings: plannings + 1 })).toMatchObject({
        batchIds: [],
      });
      expect(await campaignOf(id)).toMatchObject({ shortOf: "budget" });
      await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
      await tell(ledger(), "pause", id);
      expect(await plan(ledger(), id)).toMatchObject({ state: "paused" });
      expect(await campaignOf(id)).toMatchObject({ shortOf: undefined });
    });
  });

  it("for numbers to call from says so, looks again within a minute, and wants no lines", async () => {
    const changes = { from_numbers: ["+12125559901"], caller_ids: { per_hour: 10 } };
    await planAndStart(ledger(), await calling(30, changes));
    const id = await calling(30, changes);
    const planned = await plan(ledger(), id, NOW_MS + MINUTE_MS, { account: ACCOUNT });
    expect(planned).toMatchObject({ batchIds: [], waitMs: MINUTE_MS, leavesLines: true });
    expect(await openHoldsOf(id)).toMatchObject([{ reason: "caller_ids" }]);
    expect(await campaignOf(id)).toMatchObject({ waiting: 0, starved: false });
  });

  it("for those who take transferred calls holds as many lines as they leave it", async () => {
    const transfers = { capacity: 2, expect: 0.5, talk: "4m" };
    const id = await calling(30, { transfers });
    expect(await plan(ledger(), id)).toMatchObject({ heldSlots: 1 });
    expect(await campaignOf(id)).toMatchObject({ share: 1 });
    expect(await openHoldsOf(id)).toMatchObject([
      { detail: expect.stringContaining("2 people who take transferred calls leave it") },
    ]);
  });

  describe("tells others", () => {
    const suppress = (phone: string) =>
      ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone, brand: undefined, source: "dnc", reason: "register" }],
          actor: "test",
          nowMs: NOW_MS,
        }),
      );

    it("of somebody whom it excluded where calls were placed one by one, and of nobody otherwise", async () => {
      const { id } = await standing(ledger());
      const [phone = "", other = ""] = freshPhones(2);
      await place(ledger(), id, phone);
      await suppress(phone);
      expect(await plan(ledger(), id)).toMatchObject({ tellsOthers: true });
      expect(await plan(ledger(), id)).toMatchObject({ tellsOthers: false });
      const list = await running(ledger(), [other]);
      await suppress(other);
      expect(await plan(ledger(), list)).toMatchObject({ tellsOthers: false, tallies: { excluded: 1 } });
    });
  });

  describe("for retries", () => {
    const gathering = { pace: { gatherMs: 30 * SECOND_MS } };
    /** A campaign of ten lines with seven people up and one whose retry falls due; returns when. */
    const retrying = async (brand: string) => {
      const retry = { max_attempts: 3, delays: { busy: "10m" } };
      const id = await running(ledger(), freshPhones(8), { retry, brand });
      const [batchId = ""] = await planAndStart(ledger(), id);
      const [phone = ""] = await openPhones(ledger(), batchId);
      const endedMs = NOW_MS + MINUTE_MS;
      await settleFindings(ledger(), { batchId, findings: [ended(phone, "busy", endedMs)], nowMs: endedMs });
      return { id, dueMs: endedMs + 10 * MINUTE_MS };
    };
    /** So many lines for this brand, of an account that has enough of them. */
    const ofBrand = (brand: string, lines: number) => ({
      account: { limit: 100_000, reserve: 0, brands: new Map([[brand, lines]]) },
    });

    it.each<[string, object]>([
      ["", {}],
      [", where campaigns share lines as well", ofBrand("gathered", 60)],
    ])("gathers them, and looks when that time is over%s", async (_where, shared) => {
      const { id, dueMs } = await retrying("gathered");
      expect(await plan(ledger(), id, dueMs + 10 * SECOND_MS, { ...gathering, ...shared })).toMatchObject({
        heldSlots: 7,
        waitMs: 20 * SECOND_MS,
      });
      expect(await campaignOf(id)).toMatchObject({ waiting: 0 });
      expect(await plan(ledger(), id, dueMs + 30 * SECOND_MS, { ...gathering, ...shared })).toMatchObject({
        heldSlots: 8,
      });
    });

    it("does not gather where the last line that is left is for them", async () => {
      const { id, dueMs } = await retrying("one-line-left");
      expect(await plan(ledger(), id, dueMs, { ...gathering, ...ofBrand("one-line-left", 8) })).toMatchObject(
        { heldSlots: 8 },
      );
    });
  });
});

describeLedgers("a planning by lines of the account", (ledger) => {
  const calling = (people: number, changes: Partial<CampaignSpecInput> = {}) =>
    running(ledger(), freshPhones(people), { concurrency: 10, ...changes });
  const campaignOf = async (id: string) => given(await readCampaign(ledger().db, id));

  it("leaves those that it wants none of, or that are idle beside it, and none where they are not shared", async () => {
    const wanting = await calling(200, { concurrency: 100 });
    expect(await plan(ledger(), wanting, NOW_MS, { account: { limit: 50, reserve: 0 } })).toMatchObject({
      heldSlots: 50,
      leavesLines: false,
    });
    const few = await calling(3);
    expect(await plan(ledger(), few, NOW_MS, { account: { limit: 60, reserve: 0 } })).toMatchObject({
      heldSlots: 3,
      leavesLines: true,
    });
    // All that there are, and nobody waits.
    expect(
      await plan(ledger(), await calling(7), NOW_MS, { account: { limit: 60, reserve: 0 } }),
    ).toMatchObject({ heldSlots: 7, leavesLines: true });
    expect(await plan(ledger(), await calling(3))).toMatchObject({ heldSlots: 3, leavesLines: false });
  });

  it("is served when it leases by them, and at no other planning", async () => {
    const id = await calling(5, { concurrency: 2 });
    await plan(ledger(), id, NOW_MS, { account: { limit: 500, reserve: 0 } });
    expect(await campaignOf(id)).toMatchObject({ servedAtMs: NOW_MS });
    await plan(ledger(), id, NOW_MS + MINUTE_MS, { account: { limit: 500, reserve: 0 } });
    expect(await campaignOf(id)).toMatchObject({ servedAtMs: NOW_MS });
    const alone = await calling(5);
    await plan(ledger(), alone);
    expect(await campaignOf(alone)).toMatchObject({ servedAtMs: undefined });
  });
});
