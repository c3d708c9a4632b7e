import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  readInstallation,
  releaseRecovery,
  reportRestored,
  requireRecovery,
  type Installation,
} from "../../../src/ledger/ground/installation.ts";
import { placementOf as keyOf, readCallee } from "../../../src/ledger/campaigns/placements.ts";
import { adoptBatch, finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { at } from "../../../src/ledger/ground/sql.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { enrolmentCall, place, placementOf, standing, stepOf } from "../support/placing.ts";
import {
  batchOf,
  contactsOf,
  create,
  ended,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  tallies,
} from "../support/scenario.ts";
import { type FoundBatch } from "../../../src/ledger/campaigns/lost-placements.ts";

const found = (
  campaignId: string,
  dialed: readonly string[],
  batchId: string = randomUUID(),
): FoundBatch => ({
  batchId,
  campaignId,
  platformBatchId: `platform-${batchId}`,
  agentId: "agent",
  fromNumber: "+12025550100",
  createdAtMs: NOW_MS,
  dialed,
});

const adopt = (ledger: Ledger, batch: FoundBatch) => adoptBatch(ledger, batch, NOW_MS + MINUTE_MS);

describeLedgers("recovering a ledger that is older than reality", (ledger) => {
  describe("a batch that the platform began and the ledger does not have", () => {
    it("is taken over: whom it may have dialed has an attempt, and nobody else", async () => {
      const phones = freshPhones(4);
      const id = await running(ledger(), phones);
      const batch = found(id, phones.slice(0, 3));
      expect(await adopt(ledger(), batch)).toEqual({ kind: "adopted", adopted: 3, strangers: 0 });
      expect(await openPhones(ledger(), batch.batchId)).toEqual(phones.slice(0, 3));
      expect(await batchOf(ledger(), batch.batchId)).toMatchObject({
        state: "running",
        platformBatchId: batch.platformBatchId,
        stopReason: "recovery",
        held: 0,
        startSentAtMs: NOW_MS,
      });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, leased: 3 });
      await expectInvariants(ledger());
    });

    it("is known the second time", async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), phones);
      const batch = found(id, phones);
      await adopt(ledger(), batch);
      expect(await adopt(ledger(), batch)).toEqual({ kind: "known" });
      expect(await tallies(ledger(), id)).toMatchObject({ leased: 2 });
    });

    it("is settled in the ordinary way, after which its people are called again or done", async () => {
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones);
      const batch = found(id, phones);
      await adopt(ledger(), batch);
      const nowMs = NOW_MS + 2 * MINUTE_MS;
      await settleFindings(ledger(), {
        batchId: batch.batchId,
        findings: [ended(phones[0], "busy", nowMs), ended(phones[1], "answered", nowMs)],
        nowMs,
      });
      expect(await closeBatch(ledger(), batch.batchId, nowMs)).toMatchObject({ isClosed: true });
      expect((await contactsOf(ledger(), id)).map((row) => [row.state, row.attempts])).toEqual([
        ["open", 1],
        ["done", 1],
      ]);
      await expectInvariants(ledger());
    });

    it("of numbers that the campaign does not have, or that are done, books nothing on them", async () => {
      const phones = freshPhones(2) as [string, string];
      const id = await running(ledger(), phones);
      const [batchId] = await planAndStart(ledger(), id);
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: phones.map((phone) => ended(phone)),
        nowMs: NOW_MS,
      });
      const batch = found(id, [...phones, "+19999999999"]);
      expect(await adopt(ledger(), batch)).toEqual({ kind: "adopted", adopted: 0, strangers: 1 });
      expect(await tallies(ledger(), id)).toMatchObject({ done: 2, leased: 0, attempts: 2 });
      await expectInvariants(ledger());
    });

    it("is not taken over at all while one of its people is under way in another batch", async () => {
      const phones = freshPhones(3) as [string, string, string];
      const id = await running(ledger(), phones.slice(0, 2));
      const elsewhere = await running(ledger(), phones.slice(2));
      const [mine] = await planAndStart(ledger(), id);
      await planAndStart(ledger(), elsewhere);
      const batch = found(id, phones);
      expect(await adopt(ledger(), batch)).toEqual({ kind: "blocked", numbers: 2 });
      expect(await readBatch(ledger().db, batch.batchId)).toBeUndefined();
      expect(await openPhones(ledger(), given(mine))).toEqual(phones.slice(0, 2));
      // Nor while another campaign is dialing the number of one who waits here.
      const later = await running(ledger(), phones.slice(2));
      expect(await adopt(ledger(), found(later, phones.slice(2)))).toEqual({ kind: "blocked", numbers: 1 });
      await expectInvariants(ledger());
    });

    it("takes over who waits for a retry", async () => {
      const phones = freshPhones(1) as [string];
      const id = await running(ledger(), phones);
      const [batchId] = await planAndStart(ledger(), id);
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phones[0], "no_answer")],
        nowMs: NOW_MS + MINUTE_MS,
      });
      expect(await adopt(ledger(), found(id, phones))).toMatchObject({ kind: "adopted", adopted: 1 });
      await expectInvariants(ledger());
    });

    it("of a campaign that the ledger does not have is nobody's", async () => {
      expect(await adopt(ledger(), found(randomUUID(), []))).toEqual({ kind: "foreign" });
    });
  });

  describe("a batch that the ledger has", () => {
    it.each([
      ["planned", false],
      ["created", true],
    ] as const)(
      "as %s gives its people back first, and then has those that were dialed",
      async (_state, further) => {
        const phones = freshPhones(4);
        const id = await running(ledger(), phones);
        const { batchIds } = await plan(ledger(), id);
        const batchId = given(batchIds[0]);
        if (further) await create(ledger(), batchId);
        const dialed = phones.slice(1, 3);
        expect(await adopt(ledger(), found(id, dialed, batchId))).toEqual({
          kind: "adopted",
          adopted: 2,
          strangers: 0,
        });
        expect(await openPhones(ledger(), batchId)).toEqual(dialed);
        expect(await batchOf(ledger(), batchId)).toMatchObject({ state: "running", stopReason: "recovery" });
        expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 2 });
        await expectInvariants(ledger());
      },
    );

    it("as started is left as it is", async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), phones);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await adopt(ledger(), found(id, phones, given(batchId)))).toEqual({ kind: "known" });
      expect(await batchOf(ledger(), batchId)).toMatchObject({ state: "running", stopReason: undefined });
    });
  });

  describe("a number to which several calls were placed", () => {
    it("is booked once, on the call that was due first", async () => {
      const { id } = await standing(ledger());
      const [phone] = freshPhones(1) as [string];
      const [late, first] = [enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, phone, { asker: late.asker, dueAtMs: NOW_MS + 2 * MINUTE_MS });
      await place(ledger(), id, phone, { asker: first.asker });
      const batch = found(id, [phone, "+19999999998"]);
      expect(await adopt(ledger(), batch)).toEqual({ kind: "adopted", adopted: 1, strangers: 1 });
      expect(await placementOf(ledger(), first.placement)).toMatchObject({ state: "leased" });
      expect(await placementOf(ledger(), late.placement)).toMatchObject({ state: "open" });
      await expectInvariants(ledger());
    });

    it("is booked on the call that the ledger had in that batch, which it has as never started", async () => {
      const { id } = await standing(ledger());
      const [phone] = freshPhones(1) as [string];
      const [earlier, own] = [enrolmentCall(), enrolmentCall()];
      await place(ledger(), id, phone, { asker: own.asker });
      const { batchIds } = await plan(ledger(), id);
      await place(ledger(), id, phone, {
        asker: earlier.asker,
        dueAtMs: NOW_MS - MINUTE_MS,
        nowMs: NOW_MS - MINUTE_MS,
      });
      expect(await adopt(ledger(), found(id, [phone], given(batchIds[0])))).toMatchObject({ adopted: 1 });
      expect(await placementOf(ledger(), own.placement)).toMatchObject({ state: "leased" });
      expect(await placementOf(ledger(), earlier.placement)).toMatchObject({ state: "open" });
      await expectInvariants(ledger());
    });

    it("is not booked while another call to it is under way, and not on calls that are over", async () => {
      const { id } = await standing(ledger());
      const [phone] = freshPhones(1) as [string];
      await place(ledger(), id, phone);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await adopt(ledger(), found(id, [phone]))).toEqual({ kind: "blocked", numbers: 1 });
      const waiting = enrolmentCall();
      await place(ledger(), id, phone, { asker: waiting.asker });
      expect(await adopt(ledger(), found(id, [phone]))).toEqual({ kind: "blocked", numbers: 1 });
      await settleFindings(ledger(), { batchId: given(batchId), findings: [ended(phone)], nowMs: NOW_MS });
      expect(await adopt(ledger(), found(id, [phone]))).toEqual({
        kind: "adopted",
        adopted: 1,
        strangers: 0,
      });
      expect(await placementOf(ledger(), waiting.placement)).toMatchObject({ state: "leased" });
      await expectInvariants(ledger());
    });

    it("of which all calls are over books nothing, and is no stranger", async () => {
      const { id } = await standing(ledger());
      const [phone] = freshPhones(1) as [string];
      for (const _call of [1, 2]) {
        await place(ledger(), id, phone);
        const [batchId] = (await planAndStart(ledger(), id)).slice(-1);
        await settleFindings(ledger(), { batchId: given(batchId), findings: [ended(phone)], nowMs: NOW_MS });
      }
      expect(await adopt(ledger(), found(id, [phone]))).toEqual({
        kind: "adopted",
        adopted: 0,
        strangers: 0,
      });
      await expectInvariants(ledger());
    });
  });

  describe("a call that a sequence placed since the backup", () => {
    /** An active enrolment in a sequence, with the calls that it has asked for so far. */
    async function enrolled(phone: string, calls: number) {
      const [sequenceId, enrolmentId] = [randomUUID(), randomUUID()];
      const { id } = await standing(ledger(), {}, stepOf(sequenceId));
      await rows(
        ledger().db,
        sql`with s as (insert into sequences (id, brand, name, state, version, created_at)
                       values (${sequenceId}::uuid, 'default', ${sequenceId}, 'active', 1, now()) returning id),
            z as (insert into zone_sets (key, zones) values ('America/New_York', array['America/New_York'])
                  on conflict (key) do update set zones = excluded.zones returning id)
            insert into enrolments (id, sequence_id, version, phone, region, zone_set_id, source, state, position, created_at)
            select ${enrolmentId}::uuid, s.id, 1, ${phone}, 'US', z.id, 'api', 'active',
              jsonb_build_object('at', jsonb_build_object('counters', jsonb_build_object('calls', ${calls}::int),
                                                           'variables', jsonb_build_object('name', 'Ann'))), now()
            from s, z`,
      );
      return { campaignId: id, callOf: (callNo: number) => ({ enrolmentId, callNo }) };
    }

    it("is booked as the next call of its enrolment, which finds it when it places that call once more", async () => {
      const [phone] = freshPhones(1) as [string];
      const { campaignId, callOf } = await enrolled(phone, 0);
      const batch = found(campaignId, [phone, "+19999999997"]);
      expect(await adopt(ledger(), batch)).toEqual({ kind: "adopted", adopted: 1, strangers: 1 });
      const lost = await placementOf(ledger(), keyOf(callOf(1)));
      expect(lost).toMatchObject({ state: "leased" });
      expect(await readCallee(ledger().db, lost.contactId)).toMatchObject({ variables: { name: "Ann" } });
      expect(await place(ledger(), campaignId, phone, { asker: callOf(1) })).toMatchObject({
        kind: "already",
      });
      const nowMs = NOW_MS + 2 * MINUTE_MS;
      await settleFindings(ledger(), {
        batchId: batch.batchId,
        findings: [ended(phone, "answered", nowMs)],
        nowMs,
      });
      expect(await placementOf(ledger(), keyOf(callOf(1)))).toMatchObject({
        state: "done",
        outcome: "answered",
      });
      // Another one, of a later batch, is the call after it.
      expect(await adopt(ledger(), found(campaignId, [phone]))).toMatchObject({ adopted: 1 });
      expect(await placementOf(ledger(), keyOf(callOf(2)))).toMatchObject({ state: "leased" });
      await expectInvariants(ledger());
    });

    it("that the ledger has is no other call; one that comes after those which it has is the next", async () => {
      const [phone] = freshPhones(1) as [string];
      const { campaignId, callOf } = await enrolled(phone, 3);
      await place(ledger(), campaignId, phone, { asker: callOf(3) });
      const batch = found(campaignId, [phone]);
      expect(await adopt(ledger(), batch)).toMatchObject({ adopted: 1 });
      expect(await placementOf(ledger(), keyOf(callOf(3)))).toMatchObject({ state: "leased" });
      await settleFindings(ledger(), { batchId: batch.batchId, findings: [ended(phone)], nowMs: NOW_MS });
      expect(await adopt(ledger(), found(campaignId, [phone]))).toMatchObject({ adopted: 1 });
      expect(await placementOf(ledger(), keyOf(callOf(4)))).toMatchObject({ state: "leased" });
      await expectInvariants(ledger());
    });
  });

  it("lets dialing go on, beyond what any workflow saw planned, and writes down what was found", async () => {
    const id = await running(ledger(), freshPhones(1));
    const { plannings } = given(await readCampaign(ledger().db, id));
    await requireRecovery(ledger().db, "restored", NOW_MS);
    expect((await plan(ledger(), id, NOW_MS, { seenPlannings: plannings + 1_000_000 })).batchIds).toEqual([]);
    await finishRecovery(ledger(), { actor: "anna", summary: { looked: 3 }, nowMs: NOW_MS });
    expect(await readInstallation(ledger().db)).toMatchObject({
      recoveryReason: undefined,
      recoveredAtMs: NOW_MS,
    });
    expect(
      (await plan(ledger(), id, NOW_MS, { seenPlannings: plannings + 1_000_000 })).batchIds,
    ).toHaveLength(1);
    const [entry] = await rows(
      ledger().db,
      sql`select actor, detail from audit where action = 'recovery.released' order by id desc limit 1`,
    );
    expect(entry).toEqual({ actor: "anna", detail: { looked: 3, passedOverSchedules: 0 } });
  });

  describe("what speaks for a restored ledger", () => {
    const holding = async () => (await readInstallation(ledger().db)).recoveryReason;
    const finish = (nowMs: number) =>
      finishRecovery(ledger(), { actor: "anna", summary: { looked: 0 }, nowMs });
    const report = (seenIn: Installation, nowMs: number) =>
      reportRestored(ledger().db, { reason: "a batch is not there", seenIn, nowMs });

    it("holds dialing, and is in the audit once", async () => {
      await finish(NOW_MS + MINUTE_MS);
      const seenIn = await readInstallation(ledger().db);
      await report(seenIn, NOW_MS + 2 * MINUTE_MS);
      await reportRestored(ledger().db, { reason: "another", seenIn, nowMs: NOW_MS + 2 * MINUTE_MS });
      expect(await holding()).toBe("a batch is not there");
      const entries = await rows(
        ledger().db,
        sql`select 1 as one from audit where action = 'recovery.required' and at = ${at(NOW_MS + 2 * MINUTE_MS)}`,
      );
      expect(entries).toHaveLength(1);
      await ledger().transaction((tx) => releaseRecovery(tx, "anna", NOW_MS + 3 * MINUTE_MS, {}));
    });

    it("and was seen before a recovery came to its end holds nothing any more", async () => {
      const seenIn = await readInstallation(ledger().db);
      await finish(NOW_MS + 4 * MINUTE_MS);
      await report(seenIn, NOW_MS + 4 * MINUTE_MS);
      expect(await holding()).toBeUndefined();
    });

    it("is written by the planning of a campaign, unless a recovery comes between its look and its report", async () => {
      const id = await running(ledger(), freshPhones(1));
      const seenPlannings = given(await readCampaign(ledger().db, id)).plannings + 1;
      await plan(
        interrupted(ledger(), () => finish(NOW_MS + 5 * MINUTE_MS)),
        id,
        NOW_MS,
        { seenPlannings },
      );
      expect(await holding()).toBeUndefined();
      // What the recovery left is ahead of what the workflow saw: the campaign goes on.
      expect((await plan(ledger(), id, NOW_MS, { seenPlannings })).batchIds).toHaveLength(1);
      const beyond = given(await readCampaign(ledger().db, id)).plannings + 1;
      await plan(ledger(), id, NOW_MS, { seenPlannings: beyond });
      expect(await holding()).toMatch(/older than its campaign's workflow/);
      await ledger().transaction((tx) => releaseRecovery(tx, "anna", NOW_MS + 6 * MINUTE_MS, {}));
    });
  });
});

/** A ledger on which something happens when a transaction has ended. */
function interrupted(ledger: Ledger, after: () => Promise<unknown>): Ledger {
  return {
    ...ledger,
    transaction: async (work) => {
      const result = await ledger.transaction(work);
      await after();
      return result;
    },
  };
}
