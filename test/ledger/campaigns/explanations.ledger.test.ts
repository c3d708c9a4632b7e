import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { explainContact, setHolds, type Explanation } from "../../../src/ledger/campaigns/explanations.ts";
import {
  goOn,
  releaseRecovery,
  requireRecovery,
  stopEverything,
} from "../../../src/ledger/ground/installation.ts";
import { refuseLeased } from "../../../src/ledger/campaigns/leased-refusals.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  contact,
  create,
  createScheduled,
  ended,
  freshPhones,
  holdsOf,
  HOUR_MS,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  planAndStart,
  running,
  tell,
} from "../support/scenario.ts";

async function explain(ledger: Ledger, campaignId: string, phone: string): Promise<Explanation> {
  return given(await explainContact(ledger.db, campaignId, phone));
}

function suppress(ledger: Ledger, phone: string): Promise<unknown> {
  return ledger.transaction((tx) =>
    addSuppressions(tx, {
      entries: [{ phone, brand: undefined, source: "dnc", reason: "register of May" }],
      actor: "test",
      nowMs: NOW_MS,
    }),
  );
}

const OFFICE_HOURS = { weekdays: ["09:00-18:00"] };
/** 08:00 in New York, one hour before its office hours. */
const EARLY_MS = NOW_MS;

describeLedgers("why somebody was not dialed (I7)", (ledger) => {
  describe("a contact that never will be", () => {
    it("was suppressed, unknown to any zone or window, when its list came", async () => {
      const phones = freshPhones(3) as [string, string, string];
      await suppress(ledger(), phones[0]);
      const { id } = await createScheduled(ledger(), { window: { weekdays: ["09:00-11:00"] } });
      await importWhole(ledger(), id, [
        contact(phones[0], 2),
        contact(phones[1], 3, { zones: [] }),
        contact(phones[2], 4, { zones: ["America/Los_Angeles", "Asia/Tokyo"] }),
      ]);
      const reasons = await Promise.all(
        phones.map(async (phone) => (await explain(ledger(), id, phone)).contact),
      );
      expect(reasons.map(({ state, reason, line }) => [state, reason, line])).toEqual([
        ["excluded", "suppressed", 2],
        ["excluded", "no_time_zone", 3],
        ["excluded", "no_common_window", 4],
      ]);
      expect(given(reasons[2]).zones).toEqual(["America/Los_Angeles", "Asia/Tokyo"]);
    });

    it("was suppressed when its turn came: with the source, the reason, the moment and the policy version", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone]);
      await suppress(ledger(), phone);
      await plan(ledger(), id, NOW_MS + 7);
      expect(await explain(ledger(), id, phone)).toMatchObject({
        contact: { state: "excluded", reason: "suppressed", attempts: 0 },
        attempts: [],
        refusals: [
          {
            reason: "suppressed",
            detail: "global suppression (dnc): register of May",
            policyVersion: 1,
            times: 1,
            firstAtMs: NOW_MS + 7,
            lastAtMs: NOW_MS + 7,
          },
        ],
      });
    });

    it("was suppressed between planning and start", async () => {
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones);
      const { batchIds } = await plan(ledger(), id);
      await create(ledger(), given(batchIds[0]));
      await suppress(ledger(), phones[0]);
      await permit(ledger(), given(batchIds[0]));
      expect(await explain(ledger(), id, phones[0])).toMatchObject({
        contact: { state: "excluded", reason: "suppressed" },
        attempts: [{ attemptNo: 1, state: "returned", policyVersion: 1 }],
        refusals: [{ reason: "suppressed" }],
      });
      expect((await explain(ledger(), id, phones[1])).refusals).toEqual([]);
    });

    it("was overtaken by the campaign's end", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { ends_at: new Date(NOW_MS + HOUR_MS).toISOString() });
      await plan(ledger(), id, NOW_MS + HOUR_MS);
      expect((await explain(ledger(), id, phone)).contact).toMatchObject({
        state: "excluded",
        reason: "after_end",
      });
    });

    it("was left when the campaign was cancelled", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone]);
      await tell(ledger(), "cancel", id);
      await plan(ledger(), id);
      expect((await explain(ledger(), id, phone)).contact).toMatchObject({
        state: "excluded",
        reason: "cancelled",
      });
    });

    it("was refused by the platform, in its own words", async () => {
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones);
      const { batchIds } = await plan(ledger(), id);
      await refuseLeased(ledger(), {
        reason: "refused_by_platform",
        batchId: given(batchIds[0]),
        refused: [{ phone: phones[0], detail: "not a valid phone number" }],
        nowMs: NOW_MS,
      });
      expect(await explain(ledger(), id, phones[0])).toMatchObject({
        contact: { state: "excluded", reason: "refused_by_platform" },
        refusals: [{ reason: "refused_by_platform", detail: "not a valid phone number" }],
      });
    });
  });

  describe("a contact that waits", () => {
    it("for its window: since when, until when, under which policy", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { window: OFFICE_HOURS }, EARLY_MS);
      await plan(ledger(), id, EARLY_MS);
      expect((await explain(ledger(), id, phone)).holds).toEqual([
        {
          reason: "window",
          detail: "until 2026-06-01T13:00:00.000Z",
          policyVersion: 1,
          fromAtMs: EARLY_MS,
          untilAtMs: null,
        },
      ]);
      await plan(ledger(), id, EARLY_MS + HOUR_MS);
      expect((await explain(ledger(), id, phone)).holds).toMatchObject([{ untilAtMs: EARLY_MS + HOUR_MS }]);
    });

    it("sees no hold of zones that are not its own", async () => {
      const [ny, berlin] = freshPhones(2) as [string, string];
      const id = await running(
        ledger(),
        [contact(ny, 2), contact(berlin, 3, { zones: ["Europe/Berlin"] })],
        { window: OFFICE_HOURS },
        EARLY_MS,
      );
      await plan(ledger(), id, EARLY_MS);
      expect((await explain(ledger(), id, ny)).holds).toMatchObject([{ reason: "window" }]);
      expect((await explain(ledger(), id, berlin)).holds).toEqual([]);
    });

    it("for a slot", async () => {
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones, { concurrency: 1 });
      await plan(ledger(), id);
      expect((await explain(ledger(), id, phones[1])).holds).toMatchObject([
        { reason: "slots", detail: "all 1 slots are in use", untilAtMs: null },
      ]);
    });

    it("for the campaign's start, or to be resumed", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone], { starts_at: new Date(NOW_MS + HOUR_MS).toISOString() });
      await plan(ledger(), id);
      await tell(ledger(), "pause", id, { reason: "holiday" });
      await plan(ledger(), id, NOW_MS + MINUTE_MS);
      expect((await explain(ledger(), id, phone)).holds).toMatchObject([
        { reason: "paused", detail: "holiday", untilAtMs: null },
        { reason: "before_start", untilAtMs: NOW_MS + MINUTE_MS },
      ]);
    });

    it("for stop-all to be lifted, and for recovery", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone]);
      await ledger().transaction((tx) =>
        stopEverything(tx, { actor: "test", reason: "fire", nowMs: NOW_MS }),
      );
      await plan(ledger(), id);
      await ledger().transaction((tx) => goOn(tx, { actor: "test", reason: "out", nowMs: NOW_MS }));
      await requireRecovery(ledger().db, "restored", NOW_MS);
      await plan(ledger(), id, NOW_MS + 1);
      await ledger().transaction((tx) => releaseRecovery(tx, "test", NOW_MS, {}));
      await plan(ledger(), id, NOW_MS + 2);
      expect((await explain(ledger(), id, phone)).holds).toMatchObject([
        { reason: "recovery", detail: "restored", untilAtMs: NOW_MS + 2 },
        { reason: "stop_all", detail: "fire", untilAtMs: NOW_MS + 1 },
      ]);
    });

    it("for somebody else's call to the same number, however often it was looked at", async () => {
      const [phone] = freshPhones(1) as [string];
      const rival = await running(ledger(), [phone]);
      await planAndStart(ledger(), rival);
      const id = await running(ledger(), [phone]);
      const looks = [NOW_MS, NOW_MS + MINUTE_MS, NOW_MS + 2 * MINUTE_MS];
      for (const nowMs of looks) await plan(ledger(), id, nowMs);
      expect((await explain(ledger(), id, phone)).refusals).toEqual([
        {
          reason: "open_attempt",
          detail: `until ${new Date(given(looks[2]) + PACE.openAttemptWaitMs).toISOString()}`,
          policyVersion: 1,
          times: 3,
          firstAtMs: NOW_MS,
          lastAtMs: looks[2],
        },
      ]);
    });

    it("for its retry: when it is due, and what the last attempt came to", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone]);
      const [batchId] = await planAndStart(ledger(), id);
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phone, "busy", NOW_MS + MINUTE_MS)],
        nowMs: NOW_MS + MINUTE_MS,
      });
      expect(await explain(ledger(), id, phone)).toMatchObject({
        contact: { state: "open", dueAtMs: NOW_MS + 11 * MINUTE_MS, attempts: 1 },
        attempts: [
          {
            attemptNo: 1,
            state: "ended",
            disposition: "busy",
            dispositionReason: "item busy",
            policyVersion: 1,
          },
        ],
      });
    });
  });

  it("says nothing of a number that the campaign does not have", async () => {
    const id = await running(ledger(), freshPhones(1));
    expect(await explainContact(ledger().db, id, "+19999999999")).toBeUndefined();
    expect(await explainContact(ledger().db, "00000000-0000-4000-8000-000000000000", "+1")).toBeUndefined();
  });

  describe("what is kept stays bounded", () => {
    it("however often it is planned, a hold that goes on is one row", async () => {
      const id = await running(ledger(), listOfContacts(freshPhones(2)), { window: OFFICE_HOURS }, EARLY_MS);
      for (let round = 0; round < 20; round += 1) await plan(ledger(), id, EARLY_MS + round * MINUTE_MS);
      expect(await holdsOf(ledger(), id)).toHaveLength(1);
    });

    it("a window that closes every night and slots that are in use every day are two holds a day", async () => {
      const opensMs = EARLY_MS + HOUR_MS;
      const window = { weekdays: ["09:00-18:00"] };
      const id = await running(ledger(), freshPhones(3), { window, concurrency: 1 }, opensMs);
      // One call that never ends keeps the only slot.
      await planAndStart(ledger(), id, opensMs);
      const days = 4;
      for (let hour = 1; hour <= days * 24; hour += 1) await plan(ledger(), id, opensMs + hour * HOUR_MS);
      const reasons = (await holdsOf(ledger(), id)).map((hold) => hold.reason);
      expect(reasons).toEqual(
        Array.from({ length: days }, () => ["slots", "window"])
          .flat()
          .concat("slots"),
      );
    });

    it("an explanation shows the newest 200 holds", async () => {
      const [phone] = freshPhones(1) as [string];
      const id = await running(ledger(), [phone]);
      await rows(
        ledger().db,
        sql`insert into holds (campaign_id, reason, detail, policy_version, from_at, until_at)
            select ${id}::uuid, 'slots', n::text, 1, to_timestamp(n), to_timestamp(n + 1) from generate_series(1, 250) n`,
      );
      const { holds } = await explain(ledger(), id, phone);
      expect([holds.length, holds[0]?.detail, holds.at(-1)?.detail]).toEqual([200, "250", "51"]);
    });
  });

  describe("holds of a campaign", () => {
    it("begin, go on and end with exactly what is said of them", async () => {
      const { id } = await createScheduled(ledger());
      const hold = (reason: string) => ({ zoneSetId: undefined, reason, detail: reason });
      const set = (reasons: string[], nowMs: number) =>
        ledger().transaction((tx) =>
          setHolds(tx, { campaignId: id, holds: reasons.map(hold), policyVersion: 1, nowMs }),
        );
      await set(["a", "b"], NOW_MS);
      await set(["b", "c", "b"], NOW_MS + 1);
      await set(["b", "c"], NOW_MS + 2);
      await set([], NOW_MS + 3);
      await set(["a"], NOW_MS + 4);
      expect(
        (await holdsOf(ledger(), id)).map((one) => [
          one.reason,
          one.from_ms - NOW_MS,
          one.until_ms && one.until_ms - NOW_MS,
        ]),
      ).toEqual([
        ["a", 0, 1],
        ["b", 0, 3],
        ["c", 1, 3],
        ["a", 4, null],
      ]);
    });
  });
});
