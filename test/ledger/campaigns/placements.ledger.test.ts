import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { requestStop, returnAttempts, lockBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { refuseLeased } from "../../../src/ledger/campaigns/leased-refusals.ts";
import {
  holdPlacement,
  releasePlacement,
  withdrawPlacement,
} from "../../../src/ledger/campaigns/placement-changes.ts";
import { readCallee, readPlacement } from "../../../src/ledger/campaigns/placements.ts";
import { readReport, streamResults } from "../../../src/ledger/campaigns/reports.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { GRACE_MS } from "../../../src/ledger/ground/look-by.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { callbackAsker, enrolmentCall, outboxOf, place, placementOf, standing } from "../support/placing.ts";
import {
  batchOf,
  contactsOf,
  create,
  DAY_MS,
  ended,
  finding,
  freshPhones,
  holdsOf,
  HOUR_MS,
  lookOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  planAndStart,
  tallies,
  tell,
} from "../support/scenario.ts";
import { recordNotStarted } from "../../../src/ledger/campaigns/batch-steps.ts";

const onePhone = () => given(freshPhones(1)[0]);

describeLedgers("calls that are placed one by one", (ledger) => {
  const settle = (
    batchId: string | undefined,
    findings: Parameters<typeof settleFindings>[1]["findings"],
    nowMs: number,
  ) => settleFindings(ledger(), { batchId: given(batchId), findings, nowMs });

  const suppress = (phone: string, brand: string | undefined) =>
    ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone, brand, source: "dnc", reason: "asked" }],
        actor: "test",
        nowMs: NOW_MS,
      }),
    );

  describe("placing", () => {
    it("makes an open contact under its key, and the same key again changes nothing", async () => {
      const { id } = await standing(ledger());
      const { asker, placement } = enrolmentCall();
      const phone = onePhone();
      const first = await place(ledger(), id, phone, { asker });
      expect(first).toEqual({ kind: "placed", contactId: expect.any(Number), campaignId: id });
      expect(await place(ledger(), id, onePhone(), { asker })).toEqual({ ...first, kind: "already" });
      const other = await standing(ledger());
      expect(await place(ledger(), other.id, phone, { asker })).toEqual({ ...first, kind: "already" });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1 });
      expect(await placementOf(ledger(), placement)).toMatchObject({
        campaignId: id,
        state: "open",
        attempts: 0,
        dueAtMs: NOW_MS,
        lastCall: undefined,
        upSinceMs: undefined,
      });
      expect(await readPlacement(ledger().db, "enrolment:nobody:1")).toBeUndefined();
      await expectInvariants(ledger());
    });

    it("has the campaign woken up, should the direct wake-up be lost; planning takes that back", async () => {
      const { id } = await standing(ledger());
      const byMs = async () => (await lookOf(ledger(), "campaigns", id)).by_ms;
      const { waitMs } = await plan(ledger(), id);
      expect(await byMs()).toBe(NOW_MS + waitMs + GRACE_MS);
      await place(ledger(), id, onePhone());
      expect(await byMs()).toBe(NOW_MS + 5_000);
      const planned = await plan(ledger(), id);
      expect(await byMs()).toBe(NOW_MS + planned.waitMs + GRACE_MS);
    });

    it("is known again by who was called", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const placed = await place(ledger(), id, phone);
      if (placed.kind === "refused") throw new Error(placed.detail);
      expect(await readCallee(ledger().db, placed.contactId)).toEqual({
        phone,
        region: "US",
        places: [],
        zones: ["America/New_York"],
        variables: { name: "Ann" },
        campaignId: id,
        isCleared: false,
      });
    });

    describe("is refused with the reason, and nobody is counted,", () => {
      const refusedIn = async (
        campaignId: string,
        expected: { reason: string; detail: unknown },
        changes: Parameters<typeof place>[3] = {},
      ) => {
        const before = await rows(ledger().db, sql`select 1 from contacts`);
        expect(await place(ledger(), campaignId, changes.phone ?? onePhone(), changes)).toEqual({
          kind: "refused",
          ...expected,
        });
        expect(await rows(ledger().db, sql`select 1 from contacts`)).toHaveLength(before.length);
        await expectInvariants(ledger());
      };

      it("of somebody whose number is suppressed", async () => {
        const phone = onePhone();
        const { id } = await standing(ledger());
        await suppress(phone, "default");
        await refusedIn(id, { reason: "suppressed", detail: "brand suppression (dnc): asked" }, { phone });
      });

      it("of somebody whose zones share no opening, or of whom no zone is known", async () => {
        const { id } = await standing(ledger(), { window: { monday: ["11:59-12:00"] } });
        const zones = ["America/New_York", "Pacific/Kiritimati"];
        const detail = "zones America/New_York, Pacific/Kiritimati: no common opening within 14 days";
        await refusedIn(id, { reason: "no_common_window", detail }, { zones });
        const unknown = "no time zone is known for the number";
        await refusedIn(id, { reason: "no_time_zone", detail: unknown }, { zones: [] });
      });

      it("after the campaign's end", async () => {
        const ends_at = new Date(NOW_MS + HOUR_MS).toISOString();
        const { id } = await standing(ledger(), { ends_at });
        const detail = `the campaign ends at ${ends_at}`;
        await refusedIn(id, { reason: "after_end", detail }, { dueAtMs: NOW_MS + HOUR_MS });
        expect(await place(ledger(), id, onePhone())).toMatchObject({ kind: "placed" });
      });

      it("in a campaign that is ending, is over, or that there is not", async () => {
        const { id } = await standing(ledger());
        await tell(ledger(), "cancel", id);
        await refusedIn(id, { reason: "campaign_over", detail: "it is draining" });
        await plan(ledger(), id);
        await refusedIn(id, { reason: "campaign_over", detail: "it is cancelled" });
        await refusedIn(randomUUID(), { reason: "campaign_over", detail: "there is no such campaign" });
      });
    });

    it("of a call for later is planned when its time has come, and not before", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      await place(ledger(), id, phone, { dueAtMs: NOW_MS + 2 * HOUR_MS });
      expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], waitMs: 2 * HOUR_MS });
      const { batchIds } = await plan(ledger(), id, NOW_MS + 2 * HOUR_MS);
      expect(await openPhones(ledger(), given(batchIds[0]))).toEqual([phone]);
    });
  });

  describe("planning", () => {
    it("of an empty standing campaign ends nothing and looks again in hours", async () => {
      const { id } = await standing(ledger());
      expect(await plan(ledger(), id)).toMatchObject({ state: "running", waitMs: 6 * HOUR_MS });
      await place(ledger(), id, onePhone());
      const [batchId] = await planAndStart(ledger(), id);
      await settle(
        batchId,
        [ended((await openPhones(ledger(), given(batchId)))[0] ?? "")],
        NOW_MS + MINUTE_MS,
      );
      await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
      expect(await plan(ledger(), id, NOW_MS + MINUTE_MS)).toMatchObject({
        state: "running",
        waitMs: 6 * HOUR_MS,
        tallies: { done: 1 },
      });
    });

    it("of one that something else holds up looks again soon", async () => {
      const { id } = await standing(ledger());
      const blockedBy = { reason: "clock", detail: "clocks disagree" };
      expect(await plan(ledger(), id, NOW_MS, { blockedBy })).toMatchObject({ waitMs: 5 * MINUTE_MS });
    });

    it("calls at once: it gathers nobody and takes the slots that there are, few as they may be", async () => {
      // A quantum of five slots, of which four are free.
      const { id } = await standing(ledger(), { concurrency: 100 });
      for (const phone of freshPhones(96)) await place(ledger(), id, phone);
      await planAndStart(ledger(), id);
      const phones = freshPhones(2);
      for (const phone of phones)
        await place(ledger(), id, phone, { dueAtMs: NOW_MS + 1_000, nowMs: NOW_MS + 1_000 });
      const { batchIds } = await plan(ledger(), id, NOW_MS + 1_000, { pace: { gatherMs: 60_000 } });
      const fresh = batchIds.at(-1);
      expect(await openPhones(ledger(), given(fresh))).toEqual(phones);
      expect(await holdsOf(ledger(), id)).toEqual([]);
    });

    it("of several that are due at one moment makes one batch", async () => {
      const { id } = await standing(ledger(), { concurrency: 5 });
      const phones = freshPhones(5);
      for (const phone of phones) await place(ledger(), id, phone);
      const { batchIds } = await plan(ledger(), id);
      expect(batchIds).toHaveLength(1);
      expect(await batchOf(ledger(), batchIds[0])).toMatchObject({ size: 5, slots: 5 });
    });

    it("of two calls to one person makes the one that was placed first; the other waits until that is over", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const [first, second] = [enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, phone, first);
      await place(ledger(), id, phone, second);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await placementOf(ledger(), first.placement)).toMatchObject({ state: "leased" });
      expect(await placementOf(ledger(), second.placement)).toMatchObject({
        state: "open",
        dueAtMs: NOW_MS + 45_000,
      });
      await expectInvariants(ledger());
      expect((await plan(ledger(), id, NOW_MS + 46_000)).batchIds).toEqual([]);
      await settle(batchId, [ended(phone)], NOW_MS + MINUTE_MS);
      const explained = given(await explainContact(ledger().db, id, phone));
      expect(explained).toMatchObject({ contact: { state: "open" }, refusals: [{ reason: "open_attempt" }] });
      const { batchIds } = await plan(ledger(), id, NOW_MS + 3 * MINUTE_MS);
      expect(await openPhones(ledger(), given(batchIds.at(-1)))).toEqual([phone]);
      expect((await contactsOf(ledger(), id)).map((row) => row.state)).toEqual(["done", "leased"]);
      await expectInvariants(ledger());
    });

    it("excludes whom it finds suppressed, and tells the enrolment", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      await suppress(phone, undefined);
      expect(await plan(ledger(), id)).toMatchObject({
        tellsOthers: true,
        tallies: { excluded: 1, open: 0 },
      });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "excluded",
        reason: "suppressed",
      });
    });

    it("excludes whoever is behind the end of its campaign, and tells the enrolment", async () => {
      const endsMs = NOW_MS + HOUR_MS;
      const { id } = await standing(ledger(), { ends_at: new Date(endsMs).toISOString() });
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      expect(await plan(ledger(), id, endsMs)).toMatchObject({ tellsOthers: true, tallies: { excluded: 1 } });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
    });

    it("looks when the next one is due, whatever became of those before", async () => {
      const { id } = await standing(ledger());
      const [first, second] = freshPhones(2) as [string, string];
      await place(ledger(), id, first);
      await place(ledger(), id, second, { dueAtMs: NOW_MS + 2 * HOUR_MS });
      await suppress(first, undefined);
      expect(await plan(ledger(), id)).toMatchObject({ tallies: { excluded: 1 }, waitMs: 2 * HOUR_MS });
    });

    it("of one that was cancelled excludes who waits, and tells the enrolments", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      await tell(ledger(), "cancel", id);
      expect(await plan(ledger(), id)).toMatchObject({ state: "cancelled", tellsOthers: true });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "excluded",
        reason: "cancelled",
      });
      await expectInvariants(ledger());
    });
  });

  describe("the outcome", () => {
    it("is told once no attempt follows any more, with all that a sequence decides by", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      const [first] = await planAndStart(ledger(), id);
      await settle(first, [finding(phone, { startedAtMs: NOW_MS + 5_000 })], NOW_MS + 6_000);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "leased",
        upSinceMs: NOW_MS + 5_000,
        lastCall: undefined,
      });
      expect(await settle(first, [ended(phone, "busy")], NOW_MS + MINUTE_MS)).toMatchObject({
        tellsOthers: false,
      });
      expect(await outboxOf(ledger(), call.enrolmentId)).toEqual([]);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "open",
        attempts: 1,
        dueAtMs: NOW_MS + 11 * MINUTE_MS,
        lastCall: { disposition: "busy" },
      });
      const againMs = NOW_MS + 11 * MINUTE_MS;
      const [second] = (await planAndStart(ledger(), id, againMs)).slice(-1);
      expect(
        await settle(second, [ended(phone, "answered", againMs + MINUTE_MS)], againMs + MINUTE_MS),
      ).toMatchObject({
        tellsOthers: true,
      });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "done",
        outcome: "answered",
        reason: "reached",
        attempts: 2,
        endedAtMs: againMs + MINUTE_MS,
        upSinceMs: undefined,
        lastCall: {
          attemptId: expect.any(Number),
          callId: `call-${phone}`,
          disposition: "answered",
          reason: "item answered",
          startedAtMs: againMs + MINUTE_MS - 30_000,
          endedAtMs: againMs + MINUTE_MS,
          durationSeconds: 20,
        },
      });
      await expectInvariants(ledger());
    });

    it("is told again to whoever places a call that is over", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      const [batchId] = await planAndStart(ledger(), id);
      const [phone] = await openPhones(ledger(), given(batchId));
      await settle(batchId, [ended(given(phone))], NOW_MS + MINUTE_MS);
      await rows(ledger().db, sql`delete from outbox where subject = ${call.enrolmentId}`);
      expect(await place(ledger(), id, given(phone), call)).toMatchObject({ kind: "already" });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
    });

    it("that depends on what is to come is no outcome yet", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      const [batchId] = await planAndStart(ledger(), id);
      const provisional = finding(phone, {
        startedAtMs: NOW_MS + 1_000,
        endedAtMs: NOW_MS + 9_000,
        outcome: { kind: "provisional", reason: "waits for its analysis" },
      });
      expect(await settle(batchId, [provisional], NOW_MS + MINUTE_MS)).toMatchObject({ tellsOthers: false });
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "leased",
        upSinceMs: undefined,
        lastCall: { disposition: undefined, reason: "waits for its analysis" },
      });
    });

    it("of a list's contact tells nobody", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      await place(ledger(), id, phone, { asker: callbackAsker() });
      const before = await rows(ledger().db, sql`select 1 from outbox where kind = 'enrolment'`);
      const [batchId] = await planAndStart(ledger(), id);
      await settle(batchId, [ended(phone)], NOW_MS + MINUTE_MS);
      expect(await rows(ledger().db, sql`select 1 from outbox where kind = 'enrolment'`)).toHaveLength(
        before.length,
      );
    });

    it("of a number that the platform refuses is that call's only", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const [first, second] = [enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, phone, first);
      await place(ledger(), id, phone, { ...second, dueAtMs: NOW_MS + DAY_MS });
      const { batchIds } = await plan(ledger(), id);
      await refuseLeased(ledger(), {
        reason: "refused_by_platform",
        batchId: given(batchIds[0]),
        refused: [{ phone, detail: "not a number" }],
        nowMs: NOW_MS,
      });
      expect(await placementOf(ledger(), first.placement)).toMatchObject({ state: "excluded" });
      expect(await placementOf(ledger(), second.placement)).toMatchObject({ state: "open" });
      await expectInvariants(ledger());
    });

    it("stands in the report and the results of its campaign, one row a call", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      await place(ledger(), id, phone);
      await place(ledger(), id, phone, { dueAtMs: NOW_MS + DAY_MS });
      const [batchId] = await planAndStart(ledger(), id);
      await settle(batchId, [ended(phone)], NOW_MS + MINUTE_MS);
      expect(await readReport(ledger().db, id)).toMatchObject({
        rows: { read: 0, rejected: 0, duplicate: 0 },
        contacts: { total: 2, done: 1, open: 1 },
        dispositions: { answered: 1 },
      });
      const results: unknown[] = [];
      for await (const page of streamResults(ledger().db, id))
        results.push(...page.map((row) => [row.line, row.phone, row.state]));
      expect(results).toEqual([
        [null, phone, "done"],
        [null, phone, "open"],
      ]);
    });
  });

  describe("taking back", () => {
    const withdraw = (placement: string) =>
      ledger().transaction((tx) => withdrawPlacement(tx, { placement, reason: "exited", nowMs: NOW_MS }));

    it("of one that waits excludes it and tells the enrolment; again, or of none, changes nothing", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      expect(await withdraw(call.placement)).toBe("withdrawn");
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "excluded",
        reason: "exited",
      });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
      expect(await withdraw(call.placement)).toBe("over");
      expect(await withdraw("enrolment:nobody:1")).toBe("unknown");
      await expectInvariants(ledger());
    });

    it.each(["planned", "created"] as const)(
      "of one whose batch is only %s does the same, and the others get another batch",
      async (state) => {
        const { id } = await standing(ledger());
        const call = enrolmentCall();
        const other = onePhone();
        await place(ledger(), id, onePhone(), call);
        await place(ledger(), id, other);
        const { batchIds } = await plan(ledger(), id);
        const batchId = given(batchIds[0]);
        if (state === "created") await create(ledger(), batchId);
        expect(await withdraw(call.placement)).toBe("withdrawn");
        expect(await permit(ledger(), batchId)).toMatchObject({ kind: "elsewhere" });
        expect((await lookOf(ledger(), "campaigns", id)).by_ms).toBeLessThanOrEqual(NOW_MS + 5_000);
        const again = await plan(ledger(), id);
        expect(await openPhones(ledger(), given(again.batchIds.at(-1)))).toEqual([other]);
        await expectInvariants(ledger());
      },
    );

    it("of one that may be ringing lets it end, and no attempt follows", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await withdraw(call.placement)).toBe("in_flight");
      expect(await outboxOf(ledger(), call.enrolmentId)).toEqual([]);
      expect(await settle(batchId, [ended(phone, "busy")], NOW_MS + MINUTE_MS)).toMatchObject({
        tellsOthers: true,
      });
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "done",
        outcome: "busy",
        reason: "exited",
      });
      expect(await outboxOf(ledger(), call.enrolmentId)).toMatchObject([{ kind: "enrolment" }]);
      await expectInvariants(ledger());
    });

    it("of one that turns out not to have been dialed excludes it then", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      const other = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      await place(ledger(), id, onePhone(), other);
      const [batchId] = await planAndStart(ledger(), id);
      await withdraw(call.placement);
      await ledger().transaction(async (tx) => {
        const { campaign } = given(await lockBatch(tx, given(batchId)));
        await returnAttempts(tx, { campaign, batchId: given(batchId), nowMs: NOW_MS, dueAtMs: NOW_MS });
      });
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "excluded",
        reason: "exited",
      });
      expect(await placementOf(ledger(), other.placement)).toMatchObject({ state: "open" });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, leased: 0, excluded: 1 });
      await expectInvariants(ledger());
    });

    it("of one whose start did not happen after all does so, too", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      const { batchIds } = await plan(ledger(), id);
      const batchId = given(batchIds[0]);
      await create(ledger(), batchId);
      await permit(ledger(), batchId);
      expect(await withdraw(call.placement)).toBe("in_flight");
      await recordNotStarted(ledger().db, batchId);
      await ledger().transaction(async (tx) => {
        const { campaign } = given(await lockBatch(tx, batchId));
        await requestStop(tx, { campaign, batchIds: [batchId], reason: "pause", nowMs: NOW_MS });
      });
      expect(await placementOf(ledger(), call.placement)).toMatchObject({
        state: "excluded",
        reason: "exited",
      });
      await expectInvariants(ledger());
    });
  });

  describe("holding", () => {
    const hold = (placement: string) =>
      ledger().transaction((tx) => holdPlacement(tx, { placement, nowMs: NOW_MS }));
    const release = (placement: string, nowMs: number) =>
      ledger().transaction((tx) => releasePlacement(tx, { placement, dueAtMs: nowMs, nowMs }));

    it("keeps a call from being planned until it is released, and costs no look", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      expect(await hold(call.placement)).toBe("held");
      expect(await plan(ledger(), id)).toMatchObject({ batchIds: [], waitMs: 6 * HOUR_MS });
      const laterMs = NOW_MS + DAY_MS;
      expect(await release(call.placement, laterMs)).toBe(id);
      expect(await release(call.placement, laterMs)).toBeUndefined();
      expect((await plan(ledger(), id, laterMs)).batchIds).toHaveLength(1);
      await expectInvariants(ledger());
    });

    it.each([
      ["is released before that: it comes when it would have come", true],
      ["is released later: it waits for that", false],
    ] as const)(
      "of one that may be ringing concerns the attempt that would follow, and %s",
      async (_what, isEarly) => {
        const { id } = await standing(ledger());
        const phone = onePhone();
        const call = enrolmentCall();
        await place(ledger(), id, phone, call);
        const [batchId] = await planAndStart(ledger(), id);
        expect(await hold(call.placement)).toBe("in_flight");
        if (isEarly) expect(await release(call.placement, NOW_MS)).toBeUndefined();
        await settle(batchId, [ended(phone, "busy")], NOW_MS + MINUTE_MS);
        await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
        const dueMs = NOW_MS + 11 * MINUTE_MS;
        expect((await plan(ledger(), id, dueMs)).batchIds).toHaveLength(isEarly ? 1 : 0);
        if (!isEarly) {
          expect(await release(call.placement, dueMs)).toBe(id);
          expect((await plan(ledger(), id, dueMs)).batchIds).toHaveLength(1);
        }
        expect(await placementOf(ledger(), call.placement)).toMatchObject({ attempts: 1, reason: undefined });
        await expectInvariants(ledger());
      },
    );

    it("of one that is released before its next attempt was due leaves the distance between the two as it is", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      const [batchId] = await planAndStart(ledger(), id);
      await hold(call.placement);
      await settle(batchId, [ended(phone, "busy")], NOW_MS + MINUTE_MS);
      await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
      const releasedMs = NOW_MS + 2 * MINUTE_MS;
      expect(await release(call.placement, releasedMs)).toBe(id);
      expect((await plan(ledger(), id, releasedMs)).batchIds).toEqual([]);
      expect((await placementOf(ledger(), call.placement)).dueAtMs).toBe(NOW_MS + 11 * MINUTE_MS);
    });

    it("leaves when it is due as it is, and says meanwhile that nobody calls it", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      const phone = onePhone();
      await place(ledger(), id, phone, call);
      const { dueAtMs } = await placementOf(ledger(), call.placement);
      const said = async () => (await explainContact(ledger().db, id, phone))?.contact.dueAtMs;
      await hold(call.placement);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({ dueAtMs, isHeld: true });
      expect(await said()).toBeNull();
      await release(call.placement, NOW_MS);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({ dueAtMs, isHeld: false });
      expect(await said()).toBe(dueAtMs);
    });

    it("keeps nobody in its lane waiting", async () => {
      const { id } = await standing(ledger());
      const [held, other] = [enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, onePhone(), held);
      await hold(held.placement);
      await place(ledger(), id, onePhone(), other);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect(await placementOf(ledger(), held.placement)).toMatchObject({ state: "open" });
      expect(await placementOf(ledger(), other.placement)).toMatchObject({ state: "leased" });
      await expectInvariants(ledger());
    });

    it("ends with the call, however that ends", async () => {
      const { id } = await standing(ledger());
      const [withdrawn, answered, cancelled] = [enrolmentCall(), enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, onePhone(), withdrawn);
      await hold(withdrawn.placement);
      await ledger().transaction((tx) =>
        withdrawPlacement(tx, { placement: withdrawn.placement, reason: "exited", nowMs: NOW_MS }),
      );
      const phone = onePhone();
      await place(ledger(), id, phone, answered);
      const [batchId] = await planAndStart(ledger(), id);
      await hold(answered.placement);
      await settle(batchId, [ended(phone, "answered")], NOW_MS + MINUTE_MS);
      await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
      await place(ledger(), id, onePhone(), cancelled);
      await hold(cancelled.placement);
      await tell(ledger(), "cancel", id);
      await plan(ledger(), id, NOW_MS + HOUR_MS);
      expect(await placementOf(ledger(), withdrawn.placement)).toMatchObject({ state: "excluded" });
      expect(await placementOf(ledger(), answered.placement)).toMatchObject({ state: "done" });
      expect(await placementOf(ledger(), cancelled.placement)).toMatchObject({ state: "excluded" });
      const held = await rows(
        ledger().db,
        sql`select 1 as one from contacts where campaign_id = ${id}::uuid and held`,
      );
      expect(held).toEqual([]);
      await expectInvariants(ledger());
    });

    it("of one whose batch was not started takes it out of that", async () => {
      const { id } = await standing(ledger());
      const call = enrolmentCall();
      await place(ledger(), id, onePhone(), call);
      const { batchIds } = await plan(ledger(), id);
      expect(await hold(call.placement)).toBe("held");
      expect(await batchOf(ledger(), batchIds[0])).toMatchObject({ state: "draining" });
      expect((await plan(ledger(), id, NOW_MS + HOUR_MS)).tallies).toMatchObject({ open: 1, leased: 0 });
    });

    it("and then taking back ends it; of one that is over there is nothing to hold", async () => {
      const { id } = await standing(ledger());
      const phone = onePhone();
      const call = enrolmentCall();
      await place(ledger(), id, phone, call);
      const [batchId] = await planAndStart(ledger(), id);
      await hold(call.placement);
      await ledger().transaction((tx) =>
        withdrawPlacement(tx, { placement: call.placement, reason: "exited", nowMs: NOW_MS }),
      );
      expect(await hold(call.placement)).toBe("in_flight");
      await settle(batchId, [ended(phone, "busy")], NOW_MS + MINUTE_MS);
      expect(await placementOf(ledger(), call.placement)).toMatchObject({ state: "done", reason: "exited" });
      expect(await hold(call.placement)).toBe("over");
      expect(await hold("enrolment:nobody:1")).toBe("unknown");
    });
  });
});
