import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { lockBatch, returnAttempts } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { UnknownCampaignError } from "../../../src/ledger/campaigns/commands.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import {
  MOST_WITHDRAWN,
  withdrawContacts,
  type WithdrawInput,
} from "../../../src/ledger/campaigns/withdrawing.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { callbackAsker, outboxOf, standing } from "../support/placing.ts";
import {
  batchOf,
  contactsOf,
  create,
  createScheduled,
  ended,
  finding,
  freshPhones,
  HOUR_MS,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  planAndStart,
  running,
  tallies,
} from "../support/scenario.ts";

describeLedgers("people who are withdrawn from a campaign", (ledger) => {
  const withdraw = (campaignId: string, whom: WithdrawInput["whom"], nowMs = NOW_MS) =>
    withdrawContacts(ledger(), { campaignId, whom, actor: "ann", reason: "renewed meanwhile", nowMs });
  const stateOf = async (campaignId: string, phone: string) =>
    given((await contactsOf(ledger(), campaignId)).find((one) => one.phone === phone));
  const settle = (
    batchId: string,
    findings: Parameters<typeof settleFindings>[1]["findings"],
    nowMs: number,
  ) => settleFindings(ledger(), { batchId, findings, nowMs });
  const whole = async () => {
    const tables = [
      "campaigns",
      "contacts",
      "attempts",
      "batches",
      "withdrawals",
      "refusals",
      "outbox",
      "audit",
    ];
    return Promise.all(
      tables.map((table) =>
        rows(ledger().db, sql`select to_jsonb(t) as row from ${sql.raw(table)} t order by 1`),
      ),
    );
  };

  it("while they wait are excluded, and nobody calls them; the others are called", async () => {
    const phones = freshPhones(4);
    const id = await running(ledger(), phones);
    const gone = phones.slice(0, 2);
    expect(await withdraw(id, { phones: gone })).toMatchObject({
      excluded: 2,
      inFlight: 0,
      already: 0,
      over: 0,
      unknown: [],
      stoppedBatchIds: [],
      campaignIds: [id],
    });
    expect(await tallies(ledger(), id)).toMatchObject({ open: 2, excluded: 2 });
    expect(await stateOf(id, given(gone[0]))).toMatchObject({ state: "excluded", reason: "withdrawn" });
    const [batchId] = await planAndStart(ledger(), id);
    expect(await openPhones(ledger(), given(batchId))).toEqual(phones.slice(2));
    expect(await outboxOf(ledger(), id)).toMatchObject([{ kind: "campaign" }]);
    await expectInvariants(ledger());
  });

  it("end a campaign in which nobody else waits", async () => {
    const phones = freshPhones(2);
    const id = await running(ledger(), phones);
    await withdraw(id, { phones });
    expect((await plan(ledger(), id)).state).toBe("completed");
    await expectInvariants(ledger());
  });

  it("come off a batch that was never started, whose slots are free and whose others are due at once", async () => {
    for (const isCreated of [false, true]) {
      const [phone = "", ...others] = freshPhones(3);
      const id = await running(ledger(), [phone, ...others]);
      const { batchIds } = await plan(ledger(), id);
      const batchId = given(batchIds[0]);
      if (isCreated) await create(ledger(), batchId);
      expect(await withdraw(id, { phones: [phone] })).toMatchObject({
        excluded: 1,
        inFlight: 0,
        stoppedBatchIds: [batchId],
      });
      expect(await batchOf(ledger(), batchId)).toMatchObject({
        state: "draining",
        held: 0,
        stopReason: "withdrawal",
      });
      expect((await permit(ledger(), batchId)).kind).toBe("elsewhere");
      expect(await stateOf(id, phone)).toMatchObject({ state: "excluded", reason: "withdrawn" });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 0, excluded: 1 });
      const [next] = await planAndStart(ledger(), id, NOW_MS + MINUTE_MS);
      expect(await openPhones(ledger(), given(next))).toEqual(others);
      await expectInvariants(ledger());
    }
  });

  it("while they are rung are done with what the call comes to, and no retry follows", async () => {
    const [phone = "", other = ""] = freshPhones(2);
    const id = await running(ledger(), [phone, other]);
    const batchId = given((await planAndStart(ledger(), id))[0]);
    await settle(batchId, [finding(phone)], NOW_MS);
    expect(await withdraw(id, { phones: [phone] })).toMatchObject({
      excluded: 0,
      inFlight: 1,
      stoppedBatchIds: [batchId],
    });
    expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "withdrawal", held: 2 });
    await settle(batchId, [ended(phone, "busy"), ended(other, "busy")], NOW_MS + 2 * MINUTE_MS);
    expect(await stateOf(id, phone)).toMatchObject({ state: "done", outcome: "busy", reason: "withdrawn" });
    expect(await stateOf(id, other)).toMatchObject({ state: "open" });
    await closeBatch(ledger(), batchId, NOW_MS + 2 * MINUTE_MS);
    const [next] = await planAndStart(ledger(), id, NOW_MS + HOUR_MS);
    expect(await openPhones(ledger(), given(next))).toEqual([other]);
    await expectInvariants(ledger());
  });

  it("and were on a started batch that turns out to have rung nobody are excluded, the others called", async () => {
    const [phone = "", other = ""] = freshPhones(2);
    const id = await running(ledger(), [phone, other]);
    const batchId = given((await planAndStart(ledger(), id))[0]);
    await withdraw(id, { phones: [phone] });
    await ledger().transaction(async (tx) => {
      const { campaign } = given(await lockBatch(tx, batchId));
      await returnAttempts(tx, { campaign, batchId, nowMs: NOW_MS, dueAtMs: NOW_MS });
    });
    expect(await stateOf(id, phone)).toMatchObject({ state: "excluded", reason: "withdrawn" });
    expect(await stateOf(id, other)).toMatchObject({ state: "open", reason: null });
    await expectInvariants(ledger());
  });

  it("while their call's outcome is waited for are not called again, and no batch is stopped for them", async () => {
    const [phone = ""] = freshPhones(1);
    const id = await running(ledger(), [phone]);
    const batchId = given((await planAndStart(ledger(), id))[0]);
    const over = finding(phone, { outcome: { kind: "provisional", reason: "waits" }, endedAtMs: NOW_MS });
    await settle(batchId, [over], NOW_MS);
    expect(await withdraw(id, { phones: [phone] })).toMatchObject({ inFlight: 1, stoppedBatchIds: [] });
    await settle(batchId, [ended(phone, "no_answer")], NOW_MS + MINUTE_MS);
    expect(await stateOf(id, phone)).toMatchObject({ state: "done", reason: "withdrawn" });
    await expectInvariants(ledger());
  });

  it("once more changes nothing", async () => {
    const phones = freshPhones(4);
    const id = await running(ledger(), phones.slice(0, 2));
    await planAndStart(ledger(), id);
    await importWhole(ledger(), id, listOfContacts(phones.slice(2)), "more");
    await withdraw(id, { phones });
    await rows(ledger().db, sql`delete from outbox`);
    const before = await whole();
    const again = await withdraw(id, { phones }, NOW_MS + HOUR_MS);
    expect(again).toMatchObject({ excluded: 0, inFlight: 0, already: 4, over: 0, campaignIds: [] });
    expect(await whole()).toEqual(before);
  });

  it("are told apart from those who are through, and those who are not in it, of whom nothing is kept", async () => {
    const [phone = "", stranger = ""] = freshPhones(2);
    const id = await running(ledger(), [phone]);
    const batchId = given((await planAndStart(ledger(), id))[0]);
    await settle(batchId, [ended(phone, "answered")], NOW_MS);
    const done = await withdraw(id, { phones: [phone, stranger, stranger] });
    expect(done).toMatchObject({ excluded: 0, over: 1, unknown: [stranger] });
    await importWhole(ledger(), id, listOfContacts([stranger]), "more");
    expect(await stateOf(id, stranger)).toMatchObject({ state: "open" });
    await expectInvariants(ledger());
  });

  it("are not brought back by another list", async () => {
    const phones = freshPhones(1);
    const id = await running(ledger(), [...phones, ...freshPhones(1)]);
    await withdraw(id, { phones });
    await importWhole(ledger(), id, listOfContacts(phones), "again");
    expect(await stateOf(id, given(phones[0]))).toMatchObject({ state: "excluded", reason: "withdrawn" });
    await expectInvariants(ledger());
  });

  it("have said by whom and why, in their explanation and in the audit", async () => {
    const [phone = ""] = freshPhones(1);
    const id = await running(ledger(), [phone]);
    await withdraw(id, { phones: [phone] });
    expect((await explainContact(ledger().db, id, phone))?.refusals).toMatchObject([
      { reason: "withdrawn", detail: "withdrawn by ann: renewed meanwhile", times: 1 },
    ]);
    const audit = await rows<{ actor: string; detail: object }>(
      ledger().db,
      sql`select actor, detail from audit where campaign_id = ${id}::uuid and action = 'campaign.withdraw'`,
    );
    expect(audit).toMatchObject([{ actor: "ann", detail: { excluded: 1, reason: "renewed meanwhile" } }]);
  });

  describe("and were promised a callback", () => {
    const callBack = (campaignId: string, phone: string) =>
      ledger().transaction((tx) =>
        placeCallback(tx, {
          campaignId,
          asker: callbackAsker(),
          phone,
          region: "US",
          zones: ["America/New_York"],
          variables: {},
          dueAtMs: NOW_MS,
          nowMs: NOW_MS,
          actor: "engine",
          most: 3,
        }),
      );
    it("stay out of the campaign when a later list names them, though only the callback had their number", async () => {
      const [phone, other] = freshPhones(2) as [string, string];
      const id = await running(ledger(), freshPhones(2));
      expect(await callBack(id, phone)).toMatchObject({ kind: "placed" });
      await withdraw(id, { phones: [phone] });
      await importWhole(ledger(), id, listOfContacts([phone, other]), "later");
      expect(await stateOf(id, phone)).toMatchObject({ state: "excluded", reason: "withdrawn" });
      expect(await stateOf(id, other)).toMatchObject({ state: "open" });
      await expectInvariants(ledger());
    });

    const withOne = async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), phones);
      const batchId = given((await planAndStart(ledger(), id))[0]);
      await settle(
        batchId,
        phones.map((phone) => ended(phone, "callback_requested", NOW_MS)),
        NOW_MS,
      );
      await closeBatch(ledger(), batchId, NOW_MS);
      const phone = given(phones[0]);
      const placed = await callBack(id, phone);
      if (placed.kind === "refused") throw new Error(placed.detail);
      return { id, phone, callbacksId: placed.campaignId };
    };

    it("are not called back", async () => {
      const { id, phone, callbacksId } = await withOne();
      expect(await withdraw(id, { phones: [phone] })).toMatchObject({ excluded: 1, over: 0 });
      expect(await stateOf(callbacksId, phone)).toMatchObject({ state: "excluded", reason: "withdrawn" });
      expect((await plan(ledger(), callbacksId)).batchIds).toEqual([]);
      await expectInvariants(ledger());
    });

    it("are not promised another, whatever a call that was up comes to", async () => {
      const { id, phone, callbacksId } = await withOne();
      const batchId = given((await planAndStart(ledger(), callbacksId, NOW_MS + HOUR_MS))[0]);
      expect(await withdraw(id, { phones: [phone] })).toMatchObject({
        inFlight: 1,
        stoppedBatchIds: [batchId],
      });
      await settle(batchId, [ended(phone, "callback_requested", NOW_MS + HOUR_MS)], NOW_MS + HOUR_MS);
      for (const campaignId of [id, callbacksId]) {
        expect(await callBack(campaignId, phone)).toMatchObject({
          kind: "refused",
          reason: "withdrawn",
          detail: expect.stringContaining("by ann: renewed meanwhile"),
        });
      }
      await expectInvariants(ledger());
    });

    it("are not promised one after their campaign was through", async () => {
      const [phone = ""] = freshPhones(1);
      const id = await running(ledger(), [phone]);
      const batchId = given((await planAndStart(ledger(), id))[0]);
      await settle(batchId, [ended(phone, "callback_requested", NOW_MS)], NOW_MS);
      await closeBatch(ledger(), batchId, NOW_MS);
      expect((await plan(ledger(), id)).state).toBe("completed");
      expect(await withdraw(id, { phones: [phone] })).toMatchObject({ over: 1, campaignIds: [] });
      expect(await callBack(id, phone)).toMatchObject({ kind: "refused", reason: "withdrawn" });
    });

    it("are withdrawn from the campaign, and not from its callbacks or a sequence's calls alone", async () => {
      const { callbacksId, phone } = await withOne();
      await expect(withdraw(callbacksId, { phones: [phone] })).rejects.toThrow(
        /these are the callbacks of campaign ".*": withdraw people from that/,
      );
      const { id } = await standing(ledger());
      await expect(withdraw(id, { phones: [phone] })).rejects.toThrow(CommandRefusedError);
      await expect(withdraw("00000000-0000-4000-8000-000000000000", { phones: [phone] })).rejects.toThrow(
        UnknownCampaignError,
      );
    });
  });

  describe("all at once", () => {
    it("are everybody who is not through, so many at a time, and the campaign takes others", async () => {
      const phones = freshPhones(MOST_WITHDRAWN + 5);
      const id = await running(ledger(), phones, { concurrency: 3 });
      const [batchId] = await planAndStart(ledger(), id);
      const rung = await openPhones(ledger(), given(batchId));
      const first = await withdraw(id, "everybody_open");
      expect(first).toMatchObject({ inFlight: rung.length, unknown: [], isLeft: true });
      expect(first.excluded + first.inFlight).toBe(MOST_WITHDRAWN);
      const second = await withdraw(id, "everybody_open");
      expect(second).toMatchObject({ excluded: 5, inFlight: 0, isLeft: false });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 0, leased: rung.length });
      const [other = ""] = freshPhones(1);
      await importWhole(ledger(), id, listOfContacts([other]), "more");
      expect(await stateOf(id, other)).toMatchObject({ state: "open" });
      expect((await readCampaign(ledger().db, id))?.state).toBe("running");
      await expectInvariants(ledger());
    });
  });

  it("before the start of a campaign are never called", async () => {
    const [phone = ""] = freshPhones(1);
    const { id } = await createScheduled(ledger());
    await importWhole(ledger(), id, listOfContacts([phone]));
    expect(await withdraw(id, { phones: [phone] })).toMatchObject({ excluded: 1 });
    await expectInvariants(ledger());
  });
});
