import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import {
  countOpenIn,
  holdsAnyDial,
  listUnended,
  noteCallsAsked,
  takeFollowFence,
} from "../../../src/ledger/campaigns/attempts.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { freshPhones, NOW_MS, planAndStart, running, SECOND_MS } from "../support/scenario.ts";

/* What the ledger says of attempts that may still ring (src/ledger/campaigns/attempts.ts). */
describe("attempts without an end", () => {
  withLedger((ledger) => {
    const started = async (people: number) => {
      const phones = freshPhones(people);
      const id = await running(ledger(), phones, { concurrency: people });
      const [batchId] = await planAndStart(ledger(), id);
      return { id, batchId: given(batchId), phones: [...phones].sort() };
    };
    const write = (batchId: string, phone: string, changes: Record<string, unknown>) =>
      rows(
        ledger().db,
        sql`update attempts a set item_id = r.item_id, call_id = r.call_id, item_status = r.item_status,
              error_text = r.error_text, ended_at = r.ended_at, state = r.state, call_asked_at = r.call_asked_at,
              call_silent_since = r.call_silent_since
            from attempts b, jsonb_populate_record(b, ${JSON.stringify(changes)}::jsonb) r
            where b.id = a.id and a.batch_id = ${batchId}::uuid and a.phone = ${phone} returning 1 as one`,
      );
    const iso = (afterS: number) => new Date(NOW_MS + afterS * SECOND_MS).toISOString();

    it("are told with all that was ever heard of them, and with nothing that was not", async () => {
      const { batchId, phones } = await started(3);
      const [silent = "", worded = "", over = ""] = phones;
      await write(batchId, worded, { item_id: "item-2", item_status: "failed", error_text: "no such line" });
      await write(batchId, over, {
        item_id: "item-3",
        call_id: "call-3",
        item_status: "in_progress",
        state: "provisional",
        ended_at: iso(30),
        call_asked_at: iso(40),
        call_silent_since: iso(50),
      });
      const told = await listUnended(ledger().db, batchId);
      const nothing = { itemId: undefined, callId: undefined, endedAtMs: undefined, told: undefined };
      expect(told).toEqual([
        {
          ...nothing,
          phone: silent,
          state: "open",
          plannedAtMs: expect.any(Number),
          attemptNo: 1,
          seenDialed: false,
          refusals: 0,
          askedAtMs: undefined,
          silentSinceMs: undefined,
        },
        {
          ...nothing,
          phone: worded,
          itemId: "item-2",
          state: "open",
          plannedAtMs: expect.any(Number),
          attemptNo: 1,
          seenDialed: true,
          refusals: 0,
          told: { status: "failed", errorText: "no such line" },
          askedAtMs: undefined,
          silentSinceMs: undefined,
        },
        {
          phone: over,
          itemId: "item-3",
          callId: "call-3",
          state: "provisional",
          endedAtMs: NOW_MS + 30 * SECOND_MS,
          plannedAtMs: expect.any(Number),
          attemptNo: 1,
          seenDialed: true,
          refusals: 0,
          told: { status: "in_progress", errorText: undefined },
          askedAtMs: NOW_MS + 40 * SECOND_MS,
          silentSinceMs: NOW_MS + 50 * SECOND_MS,
        },
      ]);
      expect(await countOpenIn(ledger().db, [batchId])).toBe(2);
      expect(await holdsAnyDial(ledger().db, batchId)).toBe(true);
    });

    it("are no sign of a dial while nothing of it was heard", async () => {
      const { batchId } = await started(2);
      expect(await holdsAnyDial(ledger().db, batchId)).toBe(false);
      expect(await countOpenIn(ledger().db, [batchId])).toBe(2);
      expect(await countOpenIn(ledger().db, [])).toBe(0);
    });

    it("are silent from the first question that was not answered, until one is", async () => {
      const { batchId, phones } = await started(2);
      const [heard = "", silent = ""] = phones;
      const ask = (answered: readonly string[], unanswered: readonly string[], afterS: number) =>
        noteCallsAsked(ledger().db, {
          batchId,
          answered,
          silent: unanswered,
          nowMs: NOW_MS + afterS * SECOND_MS,
        });
      const marks = async () =>
        (await listUnended(ledger().db, batchId)).map(({ askedAtMs, silentSinceMs }) =>
          [askedAtMs, silentSinceMs].map((ms) => ms && (ms - NOW_MS) / SECOND_MS),
        );
      await ask([], [heard, silent], 10);
      await ask([heard], [silent], 20);
      expect(await marks()).toEqual([
        [20, undefined],
        [20, 10],
      ]);
    });

    it("are followed by whoever took the campaign's fence last, and of no campaign by nobody", async () => {
      const { id } = await started(1);
      const first = given(await takeFollowFence(ledger().db, id));
      expect(await takeFollowFence(ledger().db, id)).toBe(first + 1);
      expect(await takeFollowFence(ledger().db, randomUUID())).toBeUndefined();
    });
  });
});
