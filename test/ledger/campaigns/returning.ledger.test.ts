import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { addRead, type Evidence } from "../../../src/domain/campaigns/evidence.ts";
import { listUnended } from "../../../src/ledger/campaigns/attempts.ts";
import { lockBatch, requestStop, returnAttempts } from "../../../src/ledger/campaigns/batches.ts";
import { lockCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { refuseLeased } from "../../../src/ledger/campaigns/leased-refusals.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  allUnsettled,
  batchOf,
  contactsOf,
  create,
  finding,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  tallies,
} from "../support/scenario.ts";
import { recordProven, recordRead, recordTerminal } from "../../../src/ledger/campaigns/batch-steps.ts";

function giveBack(
  ledger: Ledger,
  batchId: string,
  nowMs: number,
  phones?: readonly string[],
): Promise<number> {
  return ledger.transaction(async (tx) => {
    const { campaign } = given(await lockBatch(tx, batchId));
    return returnAttempts(tx, { campaign, batchId, nowMs, dueAtMs: nowMs, ...(phones && { phones }) });
  });
}

describeLedgers("giving attempts back", (ledger) => {
  describe("those that were proven not to have been dialed", () => {
    it("are due again with the same attempt number, and their numbers are free", async () => {
      const phones = freshPhones(3);
      const id = await running(ledger(), phones);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await giveBack(ledger(), given(batchId), NOW_MS + MINUTE_MS, phones.slice(0, 2))).toBe(2);
      expect(await openPhones(ledger(), given(batchId))).toEqual(phones.slice(2));
      expect((await contactsOf(ledger(), id)).map((row) => [row.state, row.attempts])).toEqual([
        ["open", 0],
        ["open", 0],
        ["leased", 0],
      ]);
      const again = await plan(ledger(), id, NOW_MS + MINUTE_MS);
      const attempts = await rows(
        ledger().db,
        sql`select phone, attempt_no from attempts where batch_id = ${given(again.batchIds[0])}::uuid order by phone`,
      );
      expect(attempts).toEqual(phones.slice(0, 2).map((phone) => ({ phone, attempt_no: 1 })));
      await expectInvariants(ledger());
    });

    it("are given back once: again, or of an ended attempt, changes nothing", async () => {
      const phones = freshPhones(2);
      const id = await running(ledger(), phones);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await giveBack(ledger(), given(batchId), NOW_MS)).toBe(2);
      const before = await tallies(ledger(), id);
      expect(await giveBack(ledger(), given(batchId), NOW_MS)).toBe(0);
      expect(await giveBack(ledger(), given(batchId), NOW_MS, [])).toBe(0);
      expect(await tallies(ledger(), id)).toEqual(before);
    });

    it("come back later each time that it happens to them: at once, 2 s, 4 s, up to a quarter of an hour", async () => {
      const id = await running(ledger(), freshPhones(1));
      const delays: number[] = [];
      let nowMs = NOW_MS;
      for (let round = 0; round < 13; round += 1) {
        const [batchId] = await planAndStart(ledger(), id, nowMs);
        await giveBack(ledger(), given(batchId), nowMs);
        await rows(
          ledger().db,
          sql`update batches set state = 'settled', held = 0 where id = ${given(batchId)}::uuid`,
        );
        const [row] = await contactsOf(ledger(), id);
        delays.push((given(row).due_ms - nowMs) / SECOND_MS);
        nowMs = given(row).due_ms;
      }
      expect(delays).toEqual([0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    });
  });

  describe("a batch that is to stop", () => {
    it("gives all back at once where it was never started", async () => {
      for (const further of [false, true]) {
        const id = await running(ledger(), freshPhones(3));
        const { batchIds } = await plan(ledger(), id);
        const batchId = given(batchIds[0]);
        if (further) await create(ledger(), batchId);
        await ledger().transaction(async (tx) => {
          const campaign = given(await lockCampaign(tx, id));
          await requestStop(tx, { campaign, batchIds: [batchId], reason: "policy", nowMs: NOW_MS });
        });
        expect(await batchOf(ledger(), batchId)).toMatchObject({
          state: "draining",
          held: 0,
          stopReason: "policy",
        });
        expect(await tallies(ledger(), id)).toMatchObject({ open: 3, leased: 0 });
      }
      await expectInvariants(ledger());
    });

    it("gives nothing back where it was started: somebody may have been dialed", async () => {
      const id = await running(ledger(), freshPhones(3));
      const [batchId] = await planAndStart(ledger(), id);
      const stop = (reason: "pause" | "window") =>
        ledger().transaction(async (tx) => {
          const campaign = given(await lockCampaign(tx, id));
          await requestStop(tx, { campaign, batchIds: [given(batchId)], reason, nowMs: NOW_MS });
        });
      await stop("pause");
      await stop("window");
      expect(await batchOf(ledger(), batchId)).toMatchObject({
        state: "running",
        held: 3,
        stopReason: "pause",
      });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 0, leased: 3 });
    });

    it("of another campaign is left alone", async () => {
      const [one, two] = [await running(ledger(), freshPhones(1)), await running(ledger(), freshPhones(1))];
      const { batchIds } = await plan(ledger(), two);
      await ledger().transaction(async (tx) => {
        const campaign = given(await lockCampaign(tx, one));
        await requestStop(tx, { campaign, batchIds: [], reason: "pause", nowMs: NOW_MS });
      });
      expect((await batchOf(ledger(), batchIds[0])).stopReason).toBeUndefined();
      expect((await allUnsettled(ledger())).map((batch) => batch.id)).toContain(batchIds[0]);
    });
  });

  describe("what proofs rest on", () => {
    it("keeps the first time that the end was seen, and the reads after it as far as each knew of the one before", async () => {
      const phones = freshPhones(2) as [string, string];
      const [batchId] = await planAndStart(ledger(), await running(ledger(), phones));
      const id = given(batchId);
      await recordTerminal(ledger().db, id, NOW_MS + 1_000);
      await recordTerminal(ledger().db, id, NOW_MS + 9_000);
      const first = addRead(undefined, { undialed: [phones[0]], missing: [phones[1]] });
      const second = addRead(first, { undialed: phones, missing: [] });
      const stranger = addRead(undefined, { undialed: phones, missing: [] });
      const record = (read: Evidence, atMs: number, beforeMs?: number) =>
        recordRead(ledger().db, id, { read, atMs, beforeMs });
      await record(first, NOW_MS + 2_000);
      await record(stranger, NOW_MS + 2_500);
      expect(await batchOf(ledger(), id)).toMatchObject({ readAtMs: NOW_MS + 2_000, evidence: first });
      await record(second, NOW_MS + 9_000, NOW_MS + 2_000);
      await record(stranger, NOW_MS + 9_500, NOW_MS + 2_000);
      expect(await batchOf(ledger(), id)).toMatchObject({
        terminalSeenAtMs: NOW_MS + 1_000,
        readAtMs: NOW_MS + 9_000,
        evidence: second,
      });
    });

    it("keeps whom they prove as the last word has it, and nobody once the batch was not let go of", async () => {
      const phones = freshPhones(2) as [string, string];
      const [batchId] = await planAndStart(ledger(), await running(ledger(), phones));
      const id = given(batchId);
      const refused = { phone: phones[0], refused: "no credits" };
      await recordProven(ledger().db, id, [refused, { phone: phones[1] }]);
      await recordProven(ledger().db, id, [refused]);
      expect((await batchOf(ledger(), id)).proven).toEqual([refused]);
      await recordProven(ledger().db, id, undefined);
      expect((await batchOf(ledger(), id)).proven).toBeUndefined();
    });

    it("does not outweigh a sign of a dial that the ledger holds: such an attempt stays", async () => {
      const phones = freshPhones(4) as [string, string, string, string];
      const id = await running(ledger(), phones);
      const [batchId = ""] = await planAndStart(ledger(), id);
      const signs = [
        finding(phones[0], { callId: "a call", itemStatus: undefined }),
        finding(phones[1], { callId: undefined, itemStatus: "ringing" }),
        finding(phones[2], { callId: undefined, itemStatus: undefined }),
      ];
      await settleFindings(ledger(), { batchId, findings: signs, nowMs: NOW_MS });
      expect((await listUnended(ledger().db, batchId)).map((one) => one.seenDialed)).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(await giveBack(ledger(), batchId, NOW_MS)).toBe(2);
      expect(await openPhones(ledger(), batchId)).toEqual([phones[0], phones[1]]);
      expect(await tallies(ledger(), id)).toMatchObject({ open: 2, leased: 2 });
      await expectInvariants(ledger());
    });
  });

  describe("a batch that the platform would not create because of some of its contacts", () => {
    it("excludes those with what the platform said, and gives the others back", async () => {
      const phones = freshPhones(4) as [string, string, string, string];
      const id = await running(ledger(), phones);
      const { batchIds } = await plan(ledger(), id);
      const refused = [{ phone: phones[1], detail: "contacts[1].phone_number: not a valid number" }];
      await refuseLeased(ledger(), {
        reason: "refused_by_platform",
        batchId: given(batchIds[0]),
        refused,
        nowMs: NOW_MS,
      });
      await refuseLeased(ledger(), {
        reason: "refused_by_platform",
        batchId: given(batchIds[0]),
        refused,
        nowMs: NOW_MS,
      });
      expect((await contactsOf(ledger(), id)).map((row) => row.reason ?? row.state)).toEqual([
        "open",
        "refused_by_platform",
        "open",
        "open",
      ]);
      expect((await plan(ledger(), id)).tallies).toMatchObject({ leased: 3, excluded: 1 });
      await expectInvariants(ledger());
    });

    it("changes nothing where the batch is not there", async () => {
      await refuseLeased(ledger(), {
        reason: "refused_by_platform",
        batchId: "00000000-0000-4000-8000-000000000000",
        refused: [],
        nowMs: NOW_MS,
      });
    });
  });
});
