import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import {
  contactsOf,
  ended,
  finding,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  planAndStart,
  running,
  SECOND_MS,
} from "../support/scenario.ts";
import { enrolmentCall, place, standing } from "../support/placing.ts";

const LATER_MS = NOW_MS + 2 * MINUTE_MS;

/* What is written of attempts, their contacts and their campaign (src/ledger/campaigns/told-outcomes.ts). */
describe("what is told of attempts", () => {
  withLedger((ledger) => {
    const started = async (people: number, changes: Partial<CampaignSpecInput> = {}) => {
      const phones = freshPhones(people);
      const id = await running(ledger(), phones, { concurrency: people, ...changes });
      const [batchId] = await planAndStart(ledger(), id);
      return { id, batchId: given(batchId), phones };
    };
    const settle = async (batchId: string, findings: readonly Finding[]) =>
      given(await settleFindings(ledger(), { batchId, findings, nowMs: LATER_MS }));
    /** A call whose analysis says whether it was transferred. */
    const saying = (one: Finding, transferred: boolean): Finding =>
      one.outcome.kind === "ended"
        ? { ...one, outcome: { ...one.outcome, kept: { analysis: { transferred } } } }
        : one;
    const attemptsOf = (batchId: string) =>
      rows<{
        state: string;
        started: number | null;
        ended: number | null;
        call: string | null;
        word: string | null;
      }>(
        ledger().db,
        sql`select state, round(extract(epoch from started_at) * 1000)::float8 as started,
              round(extract(epoch from ended_at) * 1000)::float8 as ended, call_id as call, item_status as word
            from attempts where batch_id = ${batchId}::uuid order by phone`,
      );
    const campaignOf = async (id: string) => {
      const [row] = await rows<Record<string, unknown>>(
        ledger().db,
        sql`select hold_ms_sum, hold_count, conversation_count as talks, transfer_known_count as known,
              transfer_count as transfers, newest_calls as newest, open_count as open, leased_count as leased,
              done_count as done, attempt_count as attempts, dispositions
            from campaigns where id = ${id}::uuid`,
      );
      return given(row);
    };
    const spendingOf = async (id: string) => {
      const [row] = await rows<Record<string, unknown>>(
        ledger().db,
        sql`select held_micros::float8 as held, spent_micros::float8 as spent, told_micros::float8 as told, calls
            from spending where campaign_id = ${id}::uuid`,
      );
      return given(row);
    };

    it("is booked for the campaign, call by call", async () => {
      const { id, batchId, phones } = await started(7, {
        breaker: { newest: 10, at_least: 5, failed: 0.9 },
        transfers: { capacity: 20, expect: 0.2, talk: "5m", answer: "analysis.transferred" },
      });
      const [talked = "", other = "", silent = "", rang = "", dead = "", passed = ""] = phones;
      const at = (phone: string, disposition: Parameters<typeof ended>[1], fromS: number, toS: number) =>
        finding(phone, {
          ...ended(phone, disposition),
          startedAtMs: NOW_MS + fromS * SECOND_MS,
          endedAtMs: NOW_MS + toS * SECOND_MS,
        });
      await settle(batchId, [
        saying({ ...at(talked, "answered", 10, 40), costMicros: 70_000 }, true),
        saying(at(other, "callback_requested", 10, 20), false),
        at(silent, "answered", 10, 15),
        at(rang, "no_answer", 5, 30),
        { ...ended(dead, "failed"), startedAtMs: undefined },
        saying(at(passed, "answered", 10, 25), true),
      ]);
      expect(await campaignOf(id)).toMatchObject({
        hold_ms_sum: (30 + 10 + 5 + 25 + 15) * SECOND_MS,
        hold_count: 5,
        talks: 4,
        known: 3,
        transfers: 2,
        open: 2,
        leased: 1,
        done: 4,
        attempts: 6,
        dispositions: { answered: 3, callback_requested: 1 },
        newest: "aaanfa",
      });
      expect(await spendingOf(id)).toMatchObject({ told: 70_000, calls: 6 });
    });

    it("says nothing of transfers where nobody asked, and has no letters without a breaker", async () => {
      const allDay = ["00:00-24:00"];
      const hours = { weekdays: allDay, weekend: allDay };
      const { id, batchId, phones } = await started(1, { transfers: { hours, timezone: "UTC" } });
      await settle(batchId, [saying(ended(given(phones[0])), true)]);
      expect(await campaignOf(id)).toMatchObject({ talks: 1, known: 0, transfers: 0, newest: "" });
    });

    it("has its call as it is told now, else as it was told before", async () => {
      const { batchId, phones } = await started(3, {
        follow_ups: [{ id: "tagged", actions: [{ tag: { tag: "reached" } }] }],
      });
      const [first = "", second = "", third = ""] = phones;
      await settle(batchId, [finding(first, { callId: "before" }), finding(second, { callId: "before" })]);
      await settle(batchId, [
        { ...ended(first), callId: undefined },
        { ...ended(second), callId: "now" },
        { ...ended(third), callId: undefined },
      ]);
      const found = await rows<{ call: string | null }>(
        ledger().db,
        sql`select f.call_id as call from follow_ups f join attempts a on a.id = f.attempt_id
            where a.batch_id = ${batchId}::uuid order by a.phone`,
      );
      expect(found.map(({ call }) => call)).toEqual(["before", "now", null]);
    });

    it("takes what a call cost from what was held for it, and tells what was the platform's word", async () => {
      const { id, batchId, phones } = await started(3, { budget: { total: 100, expect_per_call: 0.5 } });
      const before = await spendingOf(id);
      const perCall = Number(before["held"]) / 3;
      await settle(batchId, [
        { ...ended(given(phones[0])), costMicros: 70_000 },
        { ...ended(given(phones[1])), costMicros: 50_000 },
      ]);
      const after = await spendingOf(id);
      expect(after).toMatchObject({ held: perCall, spent: 120_000, told: 120_000, calls: 2 });
    });

    it("counts no call for the breaker that was planned before the campaign went on", async () => {
      const { id, batchId, phones } = await started(2, { breaker: { newest: 10, at_least: 5, failed: 0.9 } });
      const goesOn = (ms: number) =>
        rows(
          ledger().db,
          sql`update campaigns set running_since = to_timestamp(${(NOW_MS + ms) / 1_000}) where id = ${id}::uuid`,
        );
      await goesOn(1);
      await settle(batchId, [ended(given(phones[0]), "failed")]);
      expect((await campaignOf(id))["newest"]).toBe("");
      await goesOn(0);
      await settle(batchId, [ended(given(phones[1]), "failed")]);
      expect((await campaignOf(id))["newest"]).toHaveLength(1);
    });

    it("lies within what can be: not before it was planned, not to come, and its end not before its beginning", async () => {
      const { batchId, phones } = await started(4);
      const at = (n: number, startedAtMs: number | undefined, endedAtMs: number | undefined) => ({
        ...ended(given(phones[n])),
        startedAtMs,
        endedAtMs,
      });
      await settle(batchId, [
        at(0, NOW_MS - MINUTE_MS, NOW_MS + 10 * SECOND_MS),
        at(1, NOW_MS + 30 * SECOND_MS, NOW_MS + 10 * SECOND_MS),
        at(2, undefined, NOW_MS - MINUTE_MS),
        at(3, NOW_MS + 30 * SECOND_MS, LATER_MS + MINUTE_MS),
      ]);
      expect((await attemptsOf(batchId)).map(({ started, ended: end }) => [started, end])).toEqual([
        [NOW_MS, NOW_MS + 10 * SECOND_MS],
        [NOW_MS + 30 * SECOND_MS, NOW_MS + 30 * SECOND_MS],
        [null, NOW_MS],
        [NOW_MS + 30 * SECOND_MS, LATER_MS],
      ]);
    });

    it("ends at the end that was told of it before, and else now", async () => {
      const { batchId, phones } = await started(2);
      const [first = "", second = ""] = phones;
      const endedAtMs = NOW_MS + 20 * SECOND_MS;
      await settle(batchId, [
        finding(first, { endedAtMs, outcome: { kind: "provisional", reason: "waits" } }),
        finding(second, { outcome: { kind: "provisional", reason: "waits" } }),
      ]);
      const { calls } = await settle(
        batchId,
        phones.map((phone) => ({ ...ended(phone), startedAtMs: undefined, endedAtMs: undefined })),
      );
      expect(calls.map((one) => [one.endedAtMs, one.heldItsLine])).toEqual([
        [endedAtMs, false],
        [LATER_MS, false],
      ]);
    });

    it("of a call that is up is kept where it says more than before: its call, and the first word of a dial", async () => {
      const { batchId, phones } = await started(1);
      const phone = given(phones[0]);
      const up = (changes: Partial<Finding>) =>
        settle(batchId, [finding(phone, { itemId: undefined, ...changes })]);
      await up({ callId: undefined, itemStatus: undefined });
      expect(await attemptsOf(batchId)).toMatchObject([{ call: null, word: null }]);
      await up({ callId: undefined, itemStatus: "ringing" });
      expect(await attemptsOf(batchId)).toMatchObject([{ call: null, word: "ringing" }]);
      await up({ callId: "a call", itemStatus: undefined });
      expect(await attemptsOf(batchId)).toMatchObject([{ call: "a call", word: "ringing" }]);
      await up({ callId: "a call", itemStatus: "connected", startedAtMs: NOW_MS + SECOND_MS });
      expect(await attemptsOf(batchId)).toMatchObject([{ started: NOW_MS + SECOND_MS }]);
      await up({ callId: "another", itemStatus: "connected" });
      expect(await attemptsOf(batchId), "it is known to have begun").toMatchObject([{ call: "a call" }]);
    });

    it("waits for its call once: told so again, it stays as it was", async () => {
      const { batchId, phones } = await started(1);
      const waits = (callId: string) =>
        settle(batchId, [
          finding(given(phones[0]), { callId, outcome: { kind: "provisional", reason: "waits" } }),
        ]);
      await waits("a call");
      await waits("another");
      expect(await attemptsOf(batchId)).toMatchObject([{ state: "provisional", call: "a call" }]);
    });

    it("has whoever is due soonest looked at first, held ones aside", async () => {
      const { id, batchId, phones } = await started(3, {
        retry: { max_attempts: 3, delays: { busy: "10m", no_answer: "30m" } },
      });
      const look = (ms: number) =>
        rows(
          ledger().db,
          sql`update campaigns set next_look_at = to_timestamp(${(NOW_MS + ms) / 1_000}) where id = ${id}::uuid`,
        );
      await look(20 * MINUTE_MS);
      const endMs = NOW_MS + MINUTE_MS;
      expect(
        await settle(batchId, [
          ended(given(phones[0]), "no_answer", endMs),
          ended(given(phones[1]), "busy", endMs),
          ended(given(phones[2]), "no_answer", endMs),
        ]),
      ).toMatchObject({ wakeCampaign: true });
      expect((await contactsOf(ledger(), id)).map(({ due_ms }) => due_ms - endMs)).toEqual([
        30 * MINUTE_MS,
        10 * MINUTE_MS,
        30 * MINUTE_MS,
      ]);
    });

    it("wakes its campaign for nobody who is held", async () => {
      const { id } = await standing(ledger(), { retry: { max_attempts: 3, delays: { busy: "10m" } } });
      const [held = "", free = ""] = freshPhones(2);
      for (const phone of [held, free]) await place(ledger(), id, phone, { asker: enrolmentCall().asker });
      const [batchId = ""] = await planAndStart(ledger(), id);
      await rows(
        ledger().db,
        sql`update contacts set held = true where campaign_id = ${id}::uuid and phone = ${held}`,
      );
      await rows(
        ledger().db,
        sql`update campaigns set next_look_at = to_timestamp(${(NOW_MS + 20 * MINUTE_MS) / 1_000}) where id = ${id}::uuid`,
      );
      const busy = (phone: string) => settle(batchId, [ended(phone, "busy", NOW_MS + MINUTE_MS)]);
      expect(await busy(held)).toMatchObject({ wakeCampaign: false });
      expect(await busy(free)).toMatchObject({ wakeCampaign: true });
    });
  });
});
