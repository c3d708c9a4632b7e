import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { listUnended, takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import { moveBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import {
  addSuppressions,
  listSuppressions,
  removeSuppression,
} from "../../../src/ledger/ground/suppressions.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  batchOf,
  contactsOf,
  ended,
  finding,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  tallies,
  tell,
} from "../support/scenario.ts";

const LATER_MS = NOW_MS + 2 * MINUTE_MS;

async function started(ledger: Ledger, people: number, changes: object = {}) {
  const phones = freshPhones(people);
  const id = await running(ledger, phones, { concurrency: people, ...changes });
  const [batchId] = await planAndStart(ledger, id);
  return { id, batchId: given(batchId), phones: phones as [string, ...string[]] };
}

function settle(
  ledger: Ledger,
  batchId: string,
  findings: readonly Finding[],
  nowMs = LATER_MS,
  fence?: number,
) {
  return settleFindings(ledger, { batchId, findings, nowMs, ...(fence !== undefined && { fence }) });
}

interface AttemptRow {
  state: string;
  disposition: string | null;
  why: string | null;
  item_id: string | null;
  call_id: string | null;
  item_status: string | null;
  error_text: string | null;
  started_ms: number | null;
  ended_ms: number | null;
  duration_seconds: number | null;
}

async function attemptOf(ledger: Ledger, batchId: string, phone: string): Promise<AttemptRow> {
  const [row] = await rows<AttemptRow>(
    ledger.db,
    sql`select state, disposition, disposition_reason as why, item_id, call_id, item_status, error_text,
          round(extract(epoch from started_at) * 1000)::float8 as started_ms,
          round(extract(epoch from ended_at) * 1000)::float8 as ended_ms, duration_seconds
        from attempts where batch_id = ${batchId}::uuid and phone = ${phone}`,
  );
  return given(row);
}

const provisional = (phone: string, changes: Partial<Finding> = {}) =>
  finding(phone, {
    itemStatus: "completed",
    outcome: { kind: "provisional", reason: "waits for its call" },
    ...changes,
  });

describeLedgers("settling", (ledger) => {
  describe("an outcome", () => {
    it("is kept with everything that is known of it", async () => {
      const { id, batchId, phones } = await started(ledger(), 1);
      await settle(ledger(), batchId, [
        finding(phones[0], {
          itemStatus: "failed",
          errorText: `SIP 486${"!".repeat(600)}`,
          startedAtMs: NOW_MS + 1_000,
          endedAtMs: NOW_MS + 31_000,
          durationSeconds: 0,
          outcome: { kind: "ended", disposition: "busy", reason: "item failed: SIP 486" },
        }),
      ]);
      expect(await attemptOf(ledger(), batchId, phones[0])).toEqual({
        state: "ended",
        disposition: "busy",
        why: "item failed: SIP 486",
        item_id: `item-${phones[0]}`,
        call_id: `call-${phones[0]}`,
        item_status: "failed",
        error_text: `SIP 486${"!".repeat(493)}`,
        started_ms: NOW_MS + 1_000,
        ended_ms: NOW_MS + 31_000,
        duration_seconds: 0,
      });
      expect(await contactsOf(ledger(), id)).toMatchObject([
        { state: "open", attempts: 1, due_ms: NOW_MS + 31_000 + 10 * MINUTE_MS, outcome: null },
      ]);
    });

    it("is written once: told again, or told otherwise later, it stays", async () => {
      const { id, batchId, phones } = await started(ledger(), 2);
      expect(await settle(ledger(), batchId, [ended(phones[0], "answered")])).toMatchObject({
        ended: 1,
        open: 1,
      });
      const before = [
        await attemptOf(ledger(), batchId, phones[0]),
        await contactsOf(ledger(), id),
        await tallies(ledger(), id),
      ];
      for (const later of [ended(phones[0], "busy"), finding(phones[0]), provisional(phones[0])])
        expect(await settle(ledger(), batchId, [later], LATER_MS + HOUR_MS)).toMatchObject({ ended: 0 });
      expect([
        await attemptOf(ledger(), batchId, phones[0]),
        await contactsOf(ledger(), id),
        await tallies(ledger(), id),
      ]).toEqual(before);
      await expectInvariants(ledger());
    });

    it("comes to the same in whatever order and in however many pieces it is told", async () => {
      const orders = [
        [[0, 1, 2]],
        [[2], [1], [0]],
        [
          [1, 0],
          [0, 2, 1],
        ],
      ];
      const results: unknown[] = [];
      for (const order of orders) {
        const { id, batchId, phones } = await started(ledger(), 3);
        const told = phones.map((phone, index) =>
          ended(phone, (["busy", "answered", "invalid_number"] as const)[index]),
        );
        for (const piece of order)
          await settle(
            ledger(),
            batchId,
            piece.map((index) => given(told[index])),
          );
        results.push([
          (await contactsOf(ledger(), id)).map(({ phone: _phone, ...row }) => row),
          await tallies(ledger(), id),
        ]);
      }
      expect(results[1]).toEqual(results[0]);
      expect(results[2]).toEqual(results[0]);
    });

    it("of numbers that the batch does not have, or of a batch that there is not, changes nothing", async () => {
      const { id, batchId } = await started(ledger(), 1);
      const other = await started(ledger(), 1);
      const before = await tallies(ledger(), id);
      expect(await settle(ledger(), batchId, [ended("+19999999999"), ended(other.phones[0])])).toMatchObject({
        ended: 0,
        open: 1,
      });
      expect(await tallies(ledger(), id)).toEqual(before);
      expect((await attemptOf(ledger(), other.batchId, other.phones[0])).state).toBe("open");
      expect(await settle(ledger(), "00000000-0000-4000-8000-000000000000", [])).toBeUndefined();
    });

    it("never ends before it was planned nor in the future, so that a retry is not moved by the platform's clock", async () => {
      for (const [saidMs, keptMs] of [
        [NOW_MS - 5 * HOUR_MS, NOW_MS],
        [LATER_MS + 5 * HOUR_MS, LATER_MS],
        [undefined, LATER_MS],
      ] as const) {
        const { id, batchId, phones } = await started(ledger(), 1);
        await settle(ledger(), batchId, [
          { ...ended(phones[0], "busy"), startedAtMs: undefined, endedAtMs: saidMs },
        ]);
        expect(await contactsOf(ledger(), id)).toMatchObject([{ due_ms: keptMs + 10 * MINUTE_MS }]);
      }
    });
  });

  describe("what follows an outcome", () => {
    it("a retry until the cap, then done with the last disposition", async () => {
      const { id, phones } = await started(ledger(), 1, {
        retry: { max_attempts: 2, delays: { busy: "10m" } },
      });
      const [first] = (
        await rows<{ id: string }>(ledger().db, sql`select id from batches where campaign_id = ${id}::uuid`)
      ).map((row) => row.id);
      await settle(ledger(), given(first), [ended(phones[0], "busy", NOW_MS + MINUTE_MS)]);
      await closeBatch(ledger(), given(first), LATER_MS);
      const dueMs = NOW_MS + 11 * MINUTE_MS;
      expect((await plan(ledger(), id, dueMs - 1)).batchIds).toEqual([]);
      const [second] = await planAndStart(ledger(), id, dueMs);
      await settle(ledger(), given(second), [ended(phones[0], "busy", dueMs + MINUTE_MS)], dueMs + MINUTE_MS);
      expect(await contactsOf(ledger(), id)).toMatchObject([
        { state: "done", outcome: "busy", reason: "max_attempts", attempts: 2 },
      ]);
      expect(await tallies(ledger(), id)).toMatchObject({ done: 1, attempts: 2, dispositions: { busy: 1 } });
    });

    it("a cap per disposition counts that disposition alone", async () => {
      const retry = {
        max_attempts: 9,
        delays: { busy: "0s", no_answer: "0s" },
        max_per_disposition: { busy: 2 },
      };
      const { id, batchId, phones } = await started(ledger(), 1, { retry });
      const came = ["busy", "no_answer", "no_answer", "busy"] as const;
      let batch = batchId;
      for (const [round, disposition] of came.entries()) {
        const nowMs = LATER_MS + round * MINUTE_MS;
        await settle(ledger(), batch, [ended(phones[0], disposition, nowMs)], nowMs);
        await closeBatch(ledger(), batch, nowMs);
        if (round < came.length - 1) batch = given((await planAndStart(ledger(), id, nowMs))[0]);
      }
      expect(await contactsOf(ledger(), id)).toMatchObject([
        { state: "done", reason: "max_per_disposition", attempts: 4 },
      ]);
    });

    it.each([
      ["answered", "done", "reached"],
      ["callback_requested", "done", "reached"],
      ["unknown", "done", "not_retryable"],
      ["invalid_number", "done", "not_retryable"],
      ["voicemail", "done", "no_delay_set"],
    ] as const)("%s: %s, %s", async (disposition, state, reason) => {
      const { id, batchId, phones } = await started(ledger(), 1);
      await settle(ledger(), batchId, [ended(phones[0], disposition)]);
      expect(await contactsOf(ledger(), id)).toMatchObject([{ state, reason, outcome: disposition }]);
    });

    it("opting out suppresses the number for the brand, in the same transaction, and for nobody else", async () => {
      const { id, batchId, phones } = await started(ledger(), 1, { brand: "acme" });
      const sister = await running(ledger(), phones, { brand: "acme" });
      const stranger = await running(ledger(), phones, { brand: "another" });
      await settle(ledger(), batchId, [ended(phones[0], "opted_out")]);
      expect(await contactsOf(ledger(), id)).toMatchObject([{ state: "done", outcome: "opted_out" }]);
      const { items } = await listSuppressions(ledger().db, { phone: phones[0], limit: 10 });
      expect(items).toMatchObject([{ brand: "acme", source: "call", expiresAtMs: undefined }]);
      expect((await plan(ledger(), sister, LATER_MS)).tallies).toMatchObject({ excluded: 1, leased: 0 });
      expect((await plan(ledger(), stranger, LATER_MS)).tallies).toMatchObject({ excluded: 0, leased: 1 });
    });
  });

  describe("opting out through the call's analysis", () => {
    it("stops batches of the brand that are dialing the number, under way or not begun, and no others", async () => {
      const { batchId, phones } = await started(ledger(), 2, { brand: "acme" });
      const [first, second] = phones as [string, string];
      // A call that waits for its analysis has freed its number.
      await settle(ledger(), batchId, [provisional(first), provisional(second)]);
      const dials = (phone: string, brand: string) =>
        running(ledger(), [phone, ...freshPhones(2)], { brand, concurrency: 3 });
      const sister = await dials(first, "acme");
      const [underWay] = await planAndStart(ledger(), sister);
      const unbegun = await dials(second, "acme");
      const [planned] = (await plan(ledger(), unbegun)).batchIds;
      expect(await settle(ledger(), batchId, [ended(first, "opted_out")])).toMatchObject({
        ended: 1,
        stoppedBatches: [underWay],
      });
      expect(await batchOf(ledger(), underWay)).toMatchObject({
        state: "running",
        stopReason: "suppression",
        stopRequestedAtMs: LATER_MS,
      });
      expect(await settle(ledger(), batchId, [ended(second, "opted_out")])).toMatchObject({
        stoppedBatches: [planned],
      });
      expect(await batchOf(ledger(), planned)).toMatchObject({
        state: "draining",
        stopReason: "suppression",
      });
      expect((await plan(ledger(), unbegun, LATER_MS)).tallies).toMatchObject({ excluded: 1, leased: 2 });
      // Told again, nothing is stopped again.
      expect(await settle(ledger(), batchId, [ended(first, "opted_out")])).toMatchObject({
        ended: 0,
        stoppedBatches: [],
      });
      await expectInvariants(ledger());
    });

    it("leaves another brand's batch alone", async () => {
      const { batchId, phones } = await started(ledger(), 1, { brand: "acme" });
      await settle(ledger(), batchId, [provisional(phones[0])]);
      const [stranger] = await planAndStart(ledger(), await running(ledger(), phones, { brand: "another" }));
      expect(await settle(ledger(), batchId, [ended(phones[0], "opted_out")])).toMatchObject({
        stoppedBatches: [],
      });
      expect((await settle(ledger(), given(stranger), []))?.stoppedBatches).toEqual([]);
      expect((await batchOf(ledger(), stranger)).stopReason).toBeUndefined();
    });

    it("stops the batch at its own next settling where nobody came to it after the commit", async () => {
      const { batchId, phones } = await started(ledger(), 1, { brand: "acme" });
      await settle(ledger(), batchId, [provisional(phones[0])]);
      const sister = await running(ledger(), [phones[0], ...freshPhones(1)], { brand: "acme" });
      const [sisterBatch] = await planAndStart(ledger(), sister);
      // Killed between the commit and what follows it: everything that is not a transaction fails from there on.
      const killed: Ledger = {
        ...ledger(),
        transaction: (work) => ledger().transaction(work),
        get db(): Ledger["db"] {
          throw new Error("killed");
        },
      };
      await expect(settle(killed, batchId, [ended(phones[0], "opted_out")])).rejects.toThrow("killed");
      expect((await attemptOf(ledger(), batchId, phones[0])).disposition).toBe("opted_out");
      expect((await batchOf(ledger(), sisterBatch)).stopReason).toBeUndefined();
      expect((await settle(ledger(), given(sisterBatch), []))?.stoppedBatches).toEqual([sisterBatch]);
      expect((await batchOf(ledger(), sisterBatch)).stopReason).toBe("suppression");
    });
  });

  describe("a batch that dials a number which was suppressed without stopping it", () => {
    const suppress = (
      phone: string,
      changes: { brand?: string; expiresAtMs?: number } = {},
      nowMs = LATER_MS,
    ) =>
      ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone, brand: undefined, source: "test", reason: "asked", ...changes }],
          actor: "test",
          nowMs,
        }),
      );

    it("is stopped when it is settled, once, and keeps the reason that it has", async () => {
      const { batchId, phones } = await started(ledger(), 2, { brand: "acme" });
      await suppress(phones[0], { brand: "acme" });
      expect(await settle(ledger(), batchId, [])).toMatchObject({ open: 2, stoppedBatches: [batchId] });
      expect(await batchOf(ledger(), batchId)).toMatchObject({
        state: "running",
        stopReason: "suppression",
        stopRequestedAtMs: LATER_MS,
        held: 2,
      });
      expect((await settle(ledger(), batchId, [], LATER_MS + 1))?.stoppedBatches).toEqual([]);
      expect((await batchOf(ledger(), batchId)).stopRequestedAtMs).toBe(LATER_MS);
      const paused = await started(ledger(), 1);
      await tell(ledger(), "pause", paused.id);
      await suppress(paused.phones[0]);
      expect((await settle(ledger(), paused.batchId, []))?.stoppedBatches).toEqual([]);
      expect((await batchOf(ledger(), paused.batchId)).stopReason).toBe("pause");
    });

    it("goes on where its call to the number is over, or the suppression is not in force for it", async () => {
      const { batchId, phones } = await started(ledger(), 5, { brand: "acme" });
      const [over, waiting, foreign, expired, removed] = phones as unknown as [
        string,
        string,
        string,
        string,
        string,
      ];
      await suppress(over);
      await suppress(waiting);
      await suppress(foreign, { brand: "another" });
      await suppress(expired, { expiresAtMs: LATER_MS }, NOW_MS);
      await suppress(removed);
      await ledger().transaction((tx) =>
        removeSuppression(tx, {
          phone: removed,
          brand: undefined,
          reason: "asked",
          actor: "test",
          nowMs: LATER_MS,
        }),
      );
      const told = await settle(ledger(), batchId, [ended(over), provisional(waiting)]);
      expect(told).toMatchObject({ open: 3, provisional: 1, stoppedBatches: [] });
      expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
    });
  });

  describe("a provisional outcome", () => {
    it("frees the slot and the number, keeps the contact, and becomes final once", async () => {
      const { id, batchId, phones } = await started(ledger(), 2);
      const first = await settle(ledger(), batchId, [provisional(phones[0], { endedAtMs: LATER_MS })]);
      expect(first).toMatchObject({ ended: 0, open: 1, provisional: 1 });
      expect((await batchOf(ledger(), batchId)).held).toBe(1);
      expect(await contactsOf(ledger(), id)).toMatchObject([{ state: "leased" }, { state: "leased" }]);
      const rival = await running(ledger(), [phones[0]]);
      expect((await plan(ledger(), rival)).tallies).toMatchObject({ leased: 1 });
      expect(await listUnended(ledger().db, batchId)).toMatchObject([
        { phone: phones[0], state: "provisional", endedAtMs: LATER_MS, plannedAtMs: NOW_MS },
        { phone: phones[1], state: "open", endedAtMs: undefined },
      ]);
      // What comes late cannot make it a call that is up again.
      await settle(ledger(), batchId, [finding(phones[0])]);
      expect((await attemptOf(ledger(), batchId, phones[0])).state).toBe("provisional");
      await settle(ledger(), batchId, [ended(phones[0], "answered")]);
      expect(await attemptOf(ledger(), batchId, phones[0])).toMatchObject({
        state: "ended",
        disposition: "answered",
      });
      await expectInvariants(ledger());
    });

    it("keeps its batch from being closed", async () => {
      const { batchId, phones } = await started(ledger(), 1);
      await settle(ledger(), batchId, [provisional(phones[0])]);
      expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: false });
      await settle(ledger(), batchId, [ended(phones[0])]);
      expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: true });
      expect(await closeBatch(ledger(), batchId, LATER_MS + 1)).toMatchObject({ isClosed: true });
      expect((await batchOf(ledger(), batchId)).settledAtMs).toBe(LATER_MS);
    });
  });

  describe("a call that is up", () => {
    it("is noted with its ids and its start, and the first start stays", async () => {
      const { batchId, phones } = await started(ledger(), 1);
      await settle(ledger(), batchId, [finding(phones[0], { startedAtMs: NOW_MS + 500 })]);
      await settle(ledger(), batchId, [finding(phones[0], { startedAtMs: NOW_MS + 900, callId: "other" })]);
      expect(await attemptOf(ledger(), batchId, phones[0])).toMatchObject({
        state: "open",
        call_id: `call-${phones[0]}`,
        started_ms: NOW_MS + 500,
      });
    });
  });

  describe("a follower's token", () => {
    it("that is not the newest writes nothing", async () => {
      const { id, batchId, phones } = await started(ledger(), 1);
      const old = given(await takeFollowFence(ledger().db, id));
      const newest = given(await takeFollowFence(ledger().db, id));
      expect(newest).toBe(old + 1);
      expect(await settle(ledger(), batchId, [ended(phones[0])], LATER_MS, old)).toMatchObject({
        fenced: true,
        ended: 0,
      });
      expect((await attemptOf(ledger(), batchId, phones[0])).state).toBe("open");
      expect(await settle(ledger(), batchId, [ended(phones[0])], LATER_MS, newest)).toMatchObject({
        fenced: false,
        ended: 1,
      });
      expect(await takeFollowFence(ledger().db, "00000000-0000-4000-8000-000000000000")).toBeUndefined();
    });
  });

  describe("slots", () => {
    it("go down as attempts end, and never up", async () => {
      const { id, batchId, phones } = await started(ledger(), 5);
      const held: number[] = [];
      for (const phone of phones) {
        await settle(ledger(), batchId, [ended(phone)]);
        held.push((await batchOf(ledger(), batchId)).held);
      }
      expect(held).toEqual([4, 3, 2, 1, 0]);
      expect(await tallies(ledger(), id)).toMatchObject({ done: 5, leased: 0 });
    });

    it("of a batch with more people than slots are held until fewer people than slots are left", async () => {
      const phones = freshPhones(400);
      const id = await running(ledger(), phones, { concurrency: 10 });
      const [batchId] = await planAndStart(ledger(), id);
      const batch = await batchOf(ledger(), batchId);
      expect(batch.size).toBeGreaterThan(batch.slots);
      const people = phones.slice(0, batch.size);
      await settle(
        ledger(),
        batch.id,
        people.slice(0, batch.size - batch.slots).map((phone) => ended(phone)),
      );
      expect((await batchOf(ledger(), batchId)).held).toBe(batch.slots);
      await settle(
        ledger(),
        batch.id,
        people.slice(0, batch.size - 1).map((phone) => ended(phone)),
      );
      expect((await batchOf(ledger(), batchId)).held).toBe(1);
    });

    it("and the time that a call held one are measured, as far as its start is known", async () => {
      const { id, batchId, phones } = await started(ledger(), 3);
      await settle(ledger(), batchId, [
        finding(phones[0], { ...ended(phones[0]), startedAtMs: NOW_MS + 10_000, endedAtMs: NOW_MS + 30_000 }),
        finding(given(phones[1]), {
          ...ended(given(phones[1])),
          startedAtMs: NOW_MS + 10_000,
          endedAtMs: NOW_MS + 70_000,
        }),
        finding(given(phones[2]), { ...ended(given(phones[2])), startedAtMs: undefined }),
      ]);
      expect(given(await readCampaign(ledger().db, id)).meanHoldMs).toBe(40_000);
    });
  });

  describe("whether planning again would do something", () => {
    it("yes where slots were missed and some are free now, where a retry is due sooner, and where nobody is left", async () => {
      const phones = freshPhones(3);
      const id = await running(ledger(), phones, { concurrency: 2 });
      const [batchId] = await planAndStart(ledger(), id);
      expect(await settle(ledger(), given(batchId), [ended(given(phones[0]))])).toMatchObject({
        wakeCampaign: true,
      });
      const last = await started(ledger(), 1);
      expect(await settle(ledger(), last.batchId, [ended(last.phones[0])])).toMatchObject({
        wakeCampaign: true,
      });
      const soon = await started(ledger(), 2, { retry: { max_attempts: 2, delays: { busy: "0s" } } });
      expect(
        await settle(ledger(), soon.batchId, [ended(soon.phones[0], "busy", NOW_MS + 1_000)], NOW_MS + 1_000),
      ).toMatchObject({
        wakeCampaign: true,
      });
    });

    it("only where as many slots are free as are worth a batch, or none is to come free", async () => {
      // At a limit of 60, near its end, a batch is worth three slots.
      const phones = freshPhones(70);
      const id = await running(ledger(), phones, { concurrency: 60, retry: { max_attempts: 1 } });
      const [batchId] = await planAndStart(ledger(), id);
      const up = await openPhones(ledger(), given(batchId));
      const end = (from: number, to: number) =>
        settle(
          ledger(),
          given(batchId),
          up.slice(from, to).map((phone) => ended(phone)),
        );
      expect(up).toHaveLength(60);
      expect(await end(0, 2)).toMatchObject({ wakeCampaign: false });
      expect(await end(2, 3)).toMatchObject({ wakeCampaign: true });
    });

    it("no where a retry is due later than planning looks by itself", async () => {
      const { batchId, phones } = await started(ledger(), 2);
      const endedMs = NOW_MS + 30_000;
      expect(await settle(ledger(), batchId, [ended(phones[0], "busy", endedMs)], endedMs)).toMatchObject({
        wakeCampaign: false,
      });
    });

    it("no where others of the batch are still up and nobody waits", async () => {
      const { batchId, phones } = await started(ledger(), 3);
      expect(await settle(ledger(), batchId, [ended(phones[0])])).toMatchObject({ wakeCampaign: false });
      expect(await settle(ledger(), batchId, [])).toMatchObject({ wakeCampaign: false });
    });
  });

  describe("closing a batch", () => {
    it("says whether it was the last of its campaign under way", async () => {
      const phones = freshPhones(101);
      const id = await running(ledger(), phones, { concurrency: 101, retry: { max_attempts: 1 } });
      const [first, second] = await planAndStart(ledger(), id);
      for (const batchId of [given(first), given(second)]) {
        const up = await openPhones(ledger(), batchId);
        await settle(
          ledger(),
          batchId,
          up.map((phone) => ended(phone)),
        );
      }
      const close = (batchId: string | undefined) => closeBatch(ledger(), given(batchId), LATER_MS);
      expect(await close(first)).toEqual({ isClosed: true, isLast: false });
      expect(await close(second)).toEqual({ isClosed: true, isLast: true });
      expect(await close(first)).toEqual({ isClosed: true, isLast: true });
    });

    it("fits one that runs or drains, with nobody open", async () => {
      const { batchId, phones } = await started(ledger(), 1);
      expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: false });
      await moveBatch(ledger().db, batchId, "running", "draining");
      await settle(ledger(), batchId, [ended(phones[0])]);
      expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: true });
      expect(await closeBatch(ledger(), "00000000-0000-4000-8000-000000000000", LATER_MS)).toMatchObject({
        isClosed: false,
      });
      const id = await running(ledger(), freshPhones(1));
      const { batchIds } = await plan(ledger(), id);
      expect(await closeBatch(ledger(), given(batchIds[0]), LATER_MS)).toMatchObject({ isClosed: false });
    });
  });
});
