import { sql } from "drizzle-orm";
import { listOf } from "../../../src/ledger/ground/sql.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch, tendBatchOnTime } from "../../../src/activities/campaigns/tend-batch.ts";
import { WrongClockError } from "../../../src/activities/ground/clock-check.ts";
import { NO_PROFILE } from "../../../src/domain/campaigns/platform-profile.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import type { Platform } from "../../../src/platform/index.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { finding, MINUTE_MS, running, SECOND_MS, tell } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { refusing } from "../../support/tending.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const START = "POST /v1/batch-calls/:id/start";

/*
 * Each of the guards that keep an attempt from going back although it was dialed, alone: what the other guards would
 * notice is hidden from them.
 */
describe("whoever was called", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    /** The same, with a listing of calls that shows none. */
    let withoutCalls: ActivityDeps;
    let from = 800_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const batchOf = async (id: string) => given(await readBatch(ledger().db, id));
    const comeOf = async (campaignId: string) =>
      (
        await rows<{ came: string }>(
          ledger().db,
          sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid order by id`,
        )
      ).map(({ came }) => came);
    /** A batch that the platform has dialed through, while nobody of ours looked. */
    const dialedUnseen = async (phones: readonly string[], changes = {}) => {
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 1_000 }]);
      const id = await running(
        ledger(),
        phones,
        { ...SPEC, concurrency: phones.length, ...changes },
        Date.now(),
      );
      const batchId = await beginOne(deps, id);
      const platformId = given((await batchOf(batchId)).platformBatchId);
      await until(
        "the batch to be through",
        async () => (await stepping.platform.batchCalls.get(platformId)).status === "completed",
      );
      return { id, batchId };
    };
    /** A batch that is stopped before anybody of it but the first was called. */
    const stoppedEarly = async (phones: readonly string[]) => {
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 40_000 }]);
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 1 }, Date.now());
      const batchId = await beginOne(deps, id);
      await until("a call", () => dialsOf(phones).some((dials) => dials > 0));
      const platformId = given((await batchOf(batchId)).platformBatchId);
      await stepping.platform.batchCalls.cancel(platformId);
      await until(
        "its call to be over",
        async () => (await stepping.platform.batchCalls.get(platformId)).active === 0,
      );
      return { id, batchId };
    };
    /** One look, a quiet time after the one before. */
    const lookAgain = async (at: ActivityDeps, id: string, batchId: string) => {
      await age(ledger(), id, deps.pace.quietMs);
      return tendBatch(at, { batchId });
    };

    /** One whose clock is so much ahead, and that has compared it with nobody's yet. */
    const processAhead = (aheadMs: number): ActivityDeps => ({
      ...withoutCalls,
      ledger: { ...ledger() },
      now: () => Date.now() + aheadMs,
    });

    beforeAll(async () => {
      stepping = await openStepping();
      const at = stepping.depsOf(ledger());
      deps = { ...at, pace: { ...at.pace, quietMs: 15 * SECOND_MS, callBoundMs: 120 * MINUTE_MS } };
      withoutCalls = { ...deps, platform: callless(stepping.platform) };
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    describe("is not called again", () => {
      it("where one read shows no dial: two have to", async () => {
        const phones = people(4);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten", times: 1 });
        expect(await tendBatch(withoutCalls, { batchId })).toEqual({
          next: "tend",
          waitMs: deps.pace.quietMs,
        });
        expect(await comeOf(id)).toEqual(["leased", "leased", "leased", "leased"]);
        await lookAgain(deps, id, batchId);
        expect(await comeOf(id)).toEqual(["answered", "answered", "answered", "answered"]);
      });

      it("where two reads show none with no quiet time between them", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten", times: 4 });
        for (let look = 0; look < 4; look += 1) {
          const { next, waitMs } = await tendBatch(withoutCalls, { batchId });
          expect(next).toBe("tend");
          expect(waitMs).toBeGreaterThan(deps.pace.quietMs / 2);
        }
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        await takeToEnd(deps, batchId);
        expect(await comeOf(id)).toEqual(["answered", "answered"]);
      });

      it("where two processes read with none between them, whose clocks are apart as far as they may be", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten", times: 4 });
        for (const aheadMs of [-25, 25, -25, 25].map((seconds) => seconds * SECOND_MS)) {
          const of = processAhead(aheadMs);
          const { next, waitMs } = await tendBatchOnTime(of, { batchId });
          expect(next).toBe("tend");
          // It counts from the ledger's time, however long this look took: none of it is what the clocks differ by.
          expect(waitMs).toBeLessThan(deps.pace.quietMs + 5 * SECOND_MS);
          expect(waitMs).toBeGreaterThan(0);
        }
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        await takeToEnd(deps, batchId);
        expect(await comeOf(id)).toEqual(["answered", "answered"]);
      });

      it.each([2 * 3_600, -2 * 3_600])(
        "where a process whose clock is %i s ahead reads twice: nothing is decided by it, nor written down",
        async (seconds) => {
          const phones = people(2);
          const { id, batchId } = await dialedUnseen(phones);
          fault({ kind: "items_forgotten" });
          const wrong = processAhead(seconds * SECOND_MS);
          for (let look = 0; look < 3; look += 1)
            await expect(tendBatchOnTime(wrong, { batchId })).rejects.toThrow(WrongClockError);
          expect(await comeOf(id)).toEqual(["leased", "leased"]);
          expect(await batchOf(batchId)).toMatchObject({
            terminalSeenAtMs: undefined,
            readAtMs: undefined,
            stopReason: undefined,
          });
          stepping.sandbox.faults.clear();
          await takeToEnd(deps, batchId);
          expect(await comeOf(id)).toEqual(["answered", "answered"]);
        },
      );

      it("where every read shows none, and the calls of its batch show one", async () => {
        const phones = people(3);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten" });
        await tendBatch(deps, { batchId });
        await lookAgain(deps, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown", "unknown"]);
        expect((await batchOf(batchId)).state).toBe("settled");
      });

      it("where the calls of its batch show one to nobody knows whom", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten" });
        const masked = { ...deps, platform: masking(stepping.platform) };
        await tendBatch(masked, { batchId });
        await lookAgain(masked, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
      });

      it("where the listing of calls shows none, and is known to leave calls out", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten" });
        const known = { ...withoutCalls, profile: { ...NO_PROFILE, callsListingProves: false } };
        await tendBatch(known, { batchId });
        await lookAgain(known, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
      });

      it("where its item is listed nowhere, in no read", async () => {
        const phones = people(3);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_missing" });
        await tendBatch(withoutCalls, { batchId });
        expect(await comeOf(id)).toEqual(["leased", "leased", "leased"]);
        await lookAgain(withoutCalls, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown", "unknown"]);
      });

      it("where its item is missing in the first read and shows no dial in the second alone", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_missing", times: 1 });
        await tendBatch(withoutCalls, { batchId });
        fault({ kind: "items_forgotten", times: 1 });
        await lookAgain(withoutCalls, id, batchId);
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        fault({ kind: "items_missing", times: 1 });
        await lookAgain(withoutCalls, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
      });

      it("where the ledger knows its call, and the platform has forgotten all of it", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        // What a look while it was up had written down.
        await settleFindings(ledger(), {
          batchId,
          findings: [
            finding(given(phones[0]), { callId: "a call of which nothing is left", itemId: undefined }),
          ],
          nowMs: Date.now(),
        });
        fault({ kind: "items_forgotten" });
        await tendBatch(withoutCalls, { batchId });
        for (let look = 0; look < 3; look += 1) await lookAgain(withoutCalls, id, batchId);
        // The other one is what the proof is for: nothing anywhere says that it was called.
        expect(await comeOf(id)).toEqual(["leased", "open"]);
        await age(ledger(), id, deps.pace.callBoundMs);
        await tendBatch(withoutCalls, { batchId });
        expect((await comeOf(id))[0]).toBe("unknown");
      });

      it("where the ledger saw it ring, and its item then says that it was cancelled", async () => {
        const phones = people(1);
        const { id, batchId } = await dialedUnseen(phones);
        await settleFindings(ledger(), {
          batchId,
          findings: [
            finding(given(phones[0]), { callId: undefined, itemId: undefined, itemStatus: "ringing" }),
          ],
          nowMs: Date.now(),
        });
        fault({ kind: "items_forgotten" });
        await tendBatch(withoutCalls, { batchId });
        for (let look = 0; look < 3; look += 1) await lookAgain(withoutCalls, id, batchId);
        expect(await comeOf(id)).toEqual(["leased"]);
      });

      it("where its start was answered 409 and took effect: it is not started again, nor given back", async () => {
        const phones = people(5);
        for (const phone of phones)
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 1_000 }]);
        const id = await running(ledger(), phones, { ...SPEC, concurrency: 5 }, Date.now());
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        fault({ kind: "late", route: START, after_ms: 0, status: 409, times: 1 });
        const before = stepping.sandbox.stats().routes[START]?.requests ?? 0;
        expect((await startBatch(deps, { batchId })).next).toBe("tend");
        expect(await batchOf(batchId)).toMatchObject({ state: "starting" });
        await until("everybody to be called", () => dialsOf(phones).every((dials) => dials === 1));
        await takeToEnd(deps, batchId);
        expect(stepping.sandbox.stats().routes[START]?.requests).toBe(before + 1);
        expect(await comeOf(id)).toEqual(phones.map(() => "answered"));
        expect(dialsOf(phones)).toEqual(phones.map(() => 1));
        expect(given(await readCampaign(ledger().db, id)).state).toBe("running");
      });
    });

    describe("and whoever was not, of a batch that was stopped,", () => {
      it("comes back though one of its reads lied: the third decides", async () => {
        for (const lie of ["first", "second"] as const) {
          const phones = people(6);
          const { id, batchId } = await stoppedEarly(phones);
          if (lie === "first") fault({ kind: "items_missing", times: 1 });
          await tendBatch(deps, { batchId });
          if (lie === "second") fault({ kind: "items_missing", times: 1 });
          await lookAgain(deps, id, batchId);
          expect(new Set(await comeOf(id))).not.toContain("unknown");
          await lookAgain(deps, id, batchId);
          await takeToEnd(deps, batchId);
          const come = await comeOf(id);
          expect(come).not.toContain("unknown");
          expect(come.filter((one) => one === "open").length).toBe(
            dialsOf(phones).filter((dials) => dials === 0).length,
          );
          expect(come).toContain("open");
        }
      });

      it("comes back at the second read where only another's item was lost, which waits for the third", async () => {
        const phones = people(12);
        const { id, batchId } = await stoppedEarly(phones);
        await tendBatch(deps, { batchId });
        const inBatch = (await batchOf(batchId)).size;
        const [lost, other] = [given(phones[inBatch - 2]), given(phones[inBatch - 1])];
        expect(dialsOf([other, lost])).toEqual([0, 0]);
        fault({ kind: "items_missing", phone: lost, times: 1 });
        await lookAgain(deps, id, batchId);
        const state = async (phone: string) => (await comeOf(id))[phones.indexOf(phone)];
        expect([await state(other), await state(lost)]).toEqual(["open", "leased"]);
        await lookAgain(deps, id, batchId);
        expect([await state(other), await state(lost)]).toEqual(["open", "open"]);
      });

      it("is read a third time before a batch of doubtful start is deleted", async () => {
        const phones = people(3);
        const id = await running(ledger(), phones, { ...SPEC, concurrency: 3 }, Date.now());
        const [batchId = ""] = await planSome(deps, id);
        await createBatch(deps, { batchId });
        fault({ kind: "drop_before", route: START, times: 1 });
        await startBatch(deps, { batchId });
        await age(ledger(), id, deps.pace.startDoubtMs);
        await until("the first read", async () => {
          await tendBatch(deps, { batchId });
          return (await batchOf(batchId)).evidence?.reads === 1;
        });
        fault({ kind: "items_missing", phone: given(phones[1]), times: 1 });
        await lookAgain(deps, id, batchId);
        expect(await batchOf(batchId)).toMatchObject({ evidence: { reads: 2 } });
        await stepping.platform.batchCalls.get(given((await batchOf(batchId)).platformBatchId));
        await lookAgain(deps, id, batchId);
        await takeToEnd(deps, batchId);
        expect(await comeOf(id)).toEqual(["open", "open", "open"]);
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      });
    });

    describe("and whom the platform says that it refused to call", () => {
      const refusedRows = (campaignId: string) =>
        rows<{ phone: string; state: string; reason: string | null; waits_s: number; refusals: number }>(
          ledger().db,
          sql`select a.phone, a.state, a.disposition_reason as reason, c.refusals,
                extract(epoch from c.due_at - a.settled_at)::float8 as waits_s
              from attempts a join contacts c on c.id = a.contact_id
              where a.campaign_id = ${campaignId}::uuid and a.state = 'returned' order by a.id`,
        );

      it("comes back, later than others, with why, and without an attempt; people are told", async () => {
        const phones = people(6);
        const { id, batchId } = await stoppedEarly(phones);
        const at = { ...deps, platform: refusing(stepping.platform) };
        await tendBatch(at, { batchId });
        expect(await refusedRows(id), "by one read nobody does").toEqual([]);
        await lookAgain(at, id, batchId);
        await takeToEnd(at, batchId);
        const returned = await refusedRows(id);
        expect(returned.map(({ phone }) => phone).sort()).toEqual(
          phones.filter((phone) => dialsOf([phone])[0] === 0 && returned.some((row) => row.phone === phone)),
        );
        expect(returned.length).toBeGreaterThan(0);
        for (const row of returned) {
          expect(row).toMatchObject({
            reason: "refused by the platform: insufficient credits for this call",
            refusals: 1,
          });
          expect(row.waits_s).toBeGreaterThanOrEqual(60);
        }
        expect((await listAttention(ledger().db, { resolved: false, limit: 100 })).items).toContainEqual(
          expect.objectContaining({
            kind: "calls_refused",
            subject: id,
            summary: expect.stringContaining("insufficient credits for this call"),
          }),
        );
        const { tallies } = given(await readCampaign(ledger().db, id));
        expect(tallies.attempts).toBe(dialsOf(phones).filter((dials) => dials > 0).length);
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      });

      it("is not called again where a call to the number is listed all the same", async () => {
        const phones = people(2);
        const { id, batchId } = await dialedUnseen(phones);
        fault({ kind: "items_forgotten" });
        const at = { ...deps, platform: refusing(stepping.platform) };
        await tendBatch(at, { batchId });
        await lookAgain(at, id, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
        expect(await refusedRows(id)).toEqual([]);
      });

      it("has failed, as its item says, where no list of calls says anything", async () => {
        const phones = people(6);
        const { id, batchId } = await stoppedEarly(phones);
        const at = { ...deps, platform: ofNobody(refusing(stepping.platform)) };
        await tendBatch(at, { batchId });
        await lookAgain(at, id, batchId);
        expect(await refusedRows(id), "nobody is proven").toEqual([]);
        const undialed = phones.filter((phone) => dialsOf([phone])[0] === 0);
        expect(undialed.length).toBeGreaterThan(0);
        const ended = await rows<{ phone: string; disposition: string; why: string }>(
          ledger().db,
          sql`select phone, disposition, disposition_reason as why from attempts
              where campaign_id = ${id}::uuid and phone in ${listOf(undialed, "text")}`,
        );
        for (const one of ended)
          expect(one).toMatchObject({
            disposition: "failed",
            why: "item failed: insufficient credits for this call",
          });
        expect(ended.length).toBeGreaterThan(0);
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      });

      it("counts as called from the sixth time in a row on", async () => {
        const phones = people(6);
        const { id, batchId } = await stoppedEarly(phones);
        await rows(ledger().db, sql`update contacts set refusals = 5 where campaign_id = ${id}::uuid`);
        await tendBatch({ ...deps, platform: refusing(stepping.platform) }, { batchId });
        const ended = await rows<{ why: string }>(
          ledger().db,
          sql`select distinct a.disposition_reason as why from attempts a join contacts c on c.id = a.contact_id
              where a.campaign_id = ${id}::uuid and a.disposition = 'failed' and c.refusals = 0 and c.attempts = 1`,
        );
        expect(ended).toEqual([{ why: "item failed" }]);
        await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      });
    });
  });
});

/** The platform, whose lists do not say whom calls were to. */
function ofNobody(platform: Platform): Platform {
  return {
    ...platform,
    calls: {
      ...platform.calls,
      async *iterate(query, options) {
        for await (const call of platform.calls.iterate(query, options))
          yield { ...call, to_number: undefined };
      },
    },
  };
}

/** The platform, with a listing of calls that lags: it shows none. */
function callless(platform: Platform): Platform {
  return { ...platform, calls: { ...platform.calls, iterate: () => none() } };
}

async function* none(): AsyncGenerator<never, void, undefined> {}

/** The platform, with calls that hide whom they were to. */
function masking(platform: Platform): Platform {
  const { calls } = platform;
  return {
    ...platform,
    calls: {
      ...calls,
      async *iterate(query, options) {
        for await (const call of calls.iterate(query, options)) yield { ...call, to_number: "+1202***0100" };
      },
    },
  };
}
