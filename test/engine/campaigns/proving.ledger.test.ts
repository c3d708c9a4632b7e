import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { NO_PROFILE } from "../../../src/domain/campaigns/platform-profile.ts";
import { paceAt } from "../../../src/activities/deps.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { withLedger } from "../../support/ledgers.ts";
import { call, item, shown, toldBatches } from "../../support/told-batches.ts";
import { endless, toldPlatform, type ToldPlatform } from "../../support/told-platform.ts";

const { quietMs, processingLookMs, vanishedMs, callBoundMs } = paceAt(1);
const REFUSED = { status: "failed", error_message: "Insufficient credits for this call", attempt_count: 0 };

/*
 * The proof that nobody of a batch was dialed (src/activities/campaigns/proving.ts), answer by answer. What the sandbox
 * would answer is proof-of-not-dialed.ledger.test.ts's.
 */
describe("at the end of a batch", () => {
  withLedger((ledger) => {
    let platform: ToldPlatform;

    beforeAll(() => {
      platform = toldPlatform(ledger());
    });
    afterEach(() => platform.forget());
    afterAll(() => platform.close());

    const { starting, begun, batchOf, comeOf, reasonsOf, toldOf } = toldBatches(ledger, () => platform);
    const look = (batchId: string) => tendBatch(platform.deps, { batchId });
    /** Another look, so much later. */
    const lookAfter = (ms: number, batchId: string) => {
      platform.clock.nowMs += ms;
      return look(batchId);
    };
    /** One that began, and was cancelled before anybody of it was called. */
    const cancelled = async (count: number) => {
      const batch = await begun(count);
      platform.told.get = shown(batch.batchId, "cancelled");
      return batch;
    };
    /** One whose start was never seen, and that the platform shows as over; read once. */
    const doubtful = async (count: number) => {
      const batch = await starting(count);
      expect(await lookAfter(platform.deps.pace.startDoubtMs, batch.batchId)).toEqual({
        next: "tend",
        waitMs: quietMs,
      });
      expect(await batchOf(batch.batchId)).toMatchObject({ state: "draining", evidence: { reads: 1 } });
      platform.told.get = shown(batch.batchId, "cancelled");
      return batch;
    };
    /** It is there until it is deleted, which is answered with this. */
    const deletedWith = (batchId: string, answer: number, then: number | object = 404) => {
      platform.told.delete = () => {
        platform.told.get = then;
        return answer;
      };
      platform.told.get = shown(batchId, "cancelled");
    };

    describe("somebody whose item shows no dial", () => {
      it("is read again once the quiet time is over, not before, and goes back then", async () => {
        const { id, batchId } = await cancelled(1);
        expect(await look(batchId)).toEqual({ next: "tend", waitMs: quietMs });
        expect(await lookAfter(quietMs - 5_000, batchId)).toEqual({ next: "tend", waitMs: 5_000 });
        expect(await batchOf(batchId)).toMatchObject({ evidence: { reads: 1 } });
        expect(await comeOf(id)).toEqual(["leased"]);
        expect(await lookAfter(5_000, batchId)).toEqual({ next: "done", waitMs: 0 });
        expect(await comeOf(id)).toEqual(["open"]);
        expect(platform.metered).toContainEqual({ returned: 1 });
        expect(platform.clock.kicks).toBe(1);
        expect(platform.logged, "nobody of it counts as called").toEqual([]);
      });

      it("waits for a quiet time after each read, and counts as called where three do not agree", async () => {
        const { id, batchId, phones } = await cancelled(1);
        platform.told.items = [];
        await look(batchId);
        platform.told.items = phones.map((phone) => item(phone));
        expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: quietMs });
        expect((await batchOf(batchId)).readAtMs).toBe(platform.clock.nowMs);
        expect(await lookAfter(quietMs - 1_000, batchId)).toEqual({ next: "tend", waitMs: 1_000 });
        platform.told.items = [];
        expect(await lookAfter(1_000, batchId)).toEqual({ next: "done", waitMs: 0 });
        expect(await comeOf(id)).toEqual(["unknown"]);
        expect(await reasonsOf(id)).toEqual([
          "its item is not in the listing, or shows something else each time that it is read",
        ]);
      });

      it("goes back without another whose item is lost, whom a third read decides on", async () => {
        const { id, batchId, phones } = await cancelled(2);
        await look(batchId);
        platform.told.items = [item(phones[0])];
        expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: quietMs });
        expect(await comeOf(id)).toEqual(["open", "leased"]);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["open", "unknown"]);
      });

      it("counts as called where a call of its batch is to that number, as others do not", async () => {
        const { id, batchId, phones } = await cancelled(2);
        platform.told.calls = [call(phones[1])];
        await look(batchId);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["open", "unknown"]);
        expect(await reasonsOf(id)).toEqual(["a call of its batch is, or may be, to this number"]);
        expect(platform.metered).toContainEqual({ returned: 1 });
      });

      it.each([
        ["the batch is not known there", 404],
        ["it leads to no end", endless([call("+12025550001"), call("+12025550002")])],
        ["one of its calls is to nobody knows whom", [{ call_id: "one", status: "ended" }]],
      ])("counts as called where of the listing of calls %s", async (_, calls) => {
        const { id, batchId } = await cancelled(1);
        platform.told.calls = calls;
        await look(batchId);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["unknown"]);
      });

      it("counts as called where the listing of calls is known to leave some out", async () => {
        const { id, batchId } = await cancelled(1);
        const deps = { ...platform.deps, profile: { ...NO_PROFILE, callsListingProves: false } };
        await tendBatch(deps, { batchId });
        platform.clock.nowMs += quietMs;
        await tendBatch(deps, { batchId });
        expect(await comeOf(id)).toEqual(["unknown"]);
        expect(platform.asked).not.toContain("calls");
      });

      it("goes back where nobody counts what the engine does", async () => {
        const { id, batchId } = await cancelled(1);
        await look(batchId);
        platform.clock.nowMs += quietMs;
        const { meter: _, ...uncounted } = platform.deps;
        await tendBatch(uncounted, { batchId });
        expect(await comeOf(id)).toEqual(["open"]);
      });

      it("waits while the calls can't be listed", async () => {
        const { id, batchId } = await cancelled(1);
        platform.told.calls = 503;
        await look(batchId);
        expect((await lookAfter(quietMs, batchId)).next).toBe("tend");
        expect(await comeOf(id)).toEqual(["leased"]);
        platform.told.calls = [];
        await look(batchId);
        expect(await comeOf(id)).toEqual(["open"]);
      });
    });

    describe("whoever the platform refused to call", () => {
      const refusalsOf = async (campaignId: string) => {
        const found = await rows<{ state: string; why: string | null; refusals: number }>(
          ledger().db,
          sql`select a.state, a.disposition_reason as why, c.refusals from attempts a join contacts c on c.id = a.contact_id
              where a.campaign_id = ${campaignId}::uuid order by a.phone`,
        );
        return found.map(({ state, why, refusals }) => `${state}, ${refusals}: ${why}`);
      };

      it("goes back with why, and whoever was only cancelled goes back without", async () => {
        const { batchId, id, phones } = await cancelled(2);
        platform.told.items = [item(phones[0], REFUSED), item(phones[1])];
        await look(batchId);
        await lookAfter(quietMs, batchId);
        expect(await refusalsOf(id)).toEqual([
          "returned, 1: refused by the platform: insufficient credits for this call",
          "returned, 0: null",
        ]);
      });

      it("has failed, as the item says, where no list of calls says anything: whoever was cancelled counts as called", async () => {
        const { batchId, id, phones } = await cancelled(2);
        platform.told.items = [item(phones[0], REFUSED), item(phones[1])];
        platform.told.calls = 404;
        await look(batchId);
        await lookAfter(quietMs, batchId);
        expect(await refusalsOf(id)).toEqual([
          "ended, 0: item failed: insufficient credits for this call",
          "ended, 0: a call of its batch is, or may be, to this number",
        ]);
      });

      it("counts as called where a call to that number is listed, whatever the item says", async () => {
        const { batchId, id, phones } = await cancelled(1);
        platform.told.items = [item(phones[0], REFUSED)];
        platform.told.calls = [call(phones[0])];
        await look(batchId);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["unknown"]);
      });
    });

    describe("that may still begin", () => {
      it("nobody goes back before it is deleted and seen to be gone", async () => {
        const { id, batchId, phones } = await doubtful(3);
        platform.told.items = phones.slice(0, 2).map((phone) => item(phone));
        platform.told.calls = [call(phones[1])];
        expect(await lookAfter(quietMs, batchId), "one of three was lost").toEqual({
          next: "tend",
          waitMs: quietMs,
        });
        expect(platform.asked).not.toContain("delete");
        deletedWith(batchId, 204);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["open", "unknown", "unknown"]);
        expect(await reasonsOf(id)).toEqual([
          "a call of its batch is, or may be, to this number",
          "its item is not in the listing, or shows something else each time that it is read",
        ]);
        expect(await batchOf(batchId)).toMatchObject({ state: "settled", held: 0 });
        expect(await toldOf(batchId)).toEqual([]);
      });

      it("and whom it refused to call goes back with why", async () => {
        const { id, batchId, phones } = await doubtful(1);
        platform.told.items = [item(phones[0], REFUSED)];
        deletedWith(batchId, 204);
        await lookAfter(quietMs, batchId);
        const [contact] = await rows<{ state: string; refusals: number }>(
          ledger().db,
          sql`select state, refusals from contacts where campaign_id = ${id}::uuid`,
        );
        expect(contact).toEqual({ state: "open", refusals: 1 });
      });

      it("is not deleted while a call of it is not over, which its item tells of; but not for ever", async () => {
        const { id, batchId, phones } = await doubtful(2);
        platform.told.items = [
          item(phones[0]),
          item(phones[1], { status: "ringing", call_id: "a call that is up" }),
        ];
        deletedWith(batchId, 204);
        expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: processingLookMs });
        expect(await lookAfter(callBoundMs - 2 * quietMs, batchId)).toEqual({
          next: "tend",
          waitMs: processingLookMs,
        });
        expect(platform.asked).not.toContain("delete");
        await lookAfter(2 * quietMs, batchId);
        expect(platform.asked).toContain("delete");
        expect(await comeOf(id)).toEqual(["open", "unknown"]);
      });

      it.each([
        ["deleted, and shows it", 204, "there"],
        ["not deleted, and shows it no more", 409, "gone"],
        ["to be asked later, and shows it no more", 429, "gone"],
      ])("holds its people for ten minutes where the platform says that it is %s", async (_, answer, is) => {
        const { id, batchId } = await doubtful(2);
        deletedWith(batchId, answer, is === "gone" ? 404 : shown(batchId, "cancelled"));
        expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: processingLookMs });
        expect(await batchOf(batchId)).toMatchObject({ trouble: "not_deleted", proven: undefined });
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        platform.told.get = shown(batchId, "cancelled");
        expect(await lookAfter(vanishedMs - 1_000, batchId)).toEqual({
          next: "tend",
          waitMs: processingLookMs,
        });
        platform.told.get = shown(batchId, "cancelled");
        await lookAfter(1_000, batchId);
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
        expect(await toldOf(batchId)).toMatchObject([
          { summary: expect.stringMatching(/does not let go of it.*2 of its people count as called/) },
        ]);
        expect(await batchOf(batchId)).toMatchObject({ state: "settled", held: 0 });
      });

      it("is waited for no longer where its end was seen long ago", async () => {
        const { id, batchId } = await doubtful(1);
        platform.told.delete = 409;
        await lookAfter(callBoundMs, batchId);
        expect(await comeOf(id)).toEqual(["unknown"]);
      });

      it.each([
        ["does not know it", 404],
        ["can't tell whether it did that", 500],
      ])(
        "keeps what was proven where the platform, asked to delete it, %s, and shows it no more",
        async (_, answer) => {
          const { id, batchId, phones } = await doubtful(2);
          platform.told.calls = [call(phones[1])];
          deletedWith(batchId, answer);
          expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: quietMs });
          expect(await batchOf(batchId)).toMatchObject({
            trouble: "vanished",
            proven: [{ phone: phones[0] }],
          });
          expect(await comeOf(id)).toEqual(["leased", "leased"]);
        },
      );

      it("is found to be gone by a later look where the one behind its delete failed", async () => {
        const { id, batchId, phones } = await doubtful(2);
        platform.told.items = [item(phones[0]), item(phones[1], REFUSED)];
        await lookAfter(quietMs, batchId);
        deletedWith(batchId, 204, 503);
        expect((await lookAfter(quietMs, batchId)).next).toBe("tend");
        expect(await batchOf(batchId)).toMatchObject({
          proven: [{ phone: phones[0] }, { phone: phones[1], refused: "insufficient credits for this call" }],
        });
        platform.told.get = 404;
        platform.told.delete = 404;
        await look(batchId);
        expect(await comeOf(id)).toEqual(["leased", "leased"]);
        await lookAfter(quietMs, batchId);
        expect(await comeOf(id)).toEqual(["open", "open"]);
        const [, second] = await rows<{ refusals: number }>(
          ledger().db,
          sql`select refusals from contacts where campaign_id = ${id}::uuid order by id`,
        );
        expect(second).toEqual({ refusals: 1 });
      });

      it("is one that began, too, where it stays paused though it is cancelled", async () => {
        const { id, batchId, nowMs } = await begun(1);
        await rows(
          ledger().db,
          sql`update batches set state = 'draining', stop_reason = 'pause',
                stop_requested_at = to_timestamp(${nowMs / 1_000 - 60}) where id = ${batchId}::uuid`,
        );
        platform.told.get = shown(batchId, "paused");
        expect(await look(batchId)).toEqual({ next: "tend", waitMs: quietMs });
        platform.told.delete = () => {
          platform.told.get = 404;
          return 204;
        };
        await lookAfter(quietMs, batchId);
        expect(platform.asked).toContain("delete");
        expect(await comeOf(id)).toEqual(["open"]);
      });

      it("proves nothing where the delete is refused for the key", async () => {
        const { id, batchId } = await doubtful(1);
        platform.told.delete = 401;
        await lookAfter(quietMs, batchId);
        expect(await batchOf(batchId)).toMatchObject({ proven: undefined });
        expect(await comeOf(id)).toEqual(["leased"]);
      });

      it.each([409, 500])(
        "proves nothing where its delete was answered %i and no look came behind it",
        async (answer) => {
          const { id, batchId } = await doubtful(1);
          deletedWith(batchId, answer, 503);
          expect((await lookAfter(quietMs, batchId)).next).toBe("tend");
          expect(await batchOf(batchId)).toMatchObject({ proven: undefined });
          expect(await comeOf(id)).toEqual(["leased"]);
        },
      );
    });

    describe("whose items lead to no end", () => {
      it("people hear of it, and whoever is not shown as called waits for as long as a call may last", async () => {
        const { id, batchId, phones } = await cancelled(3);
        platform.told.items = endless([item(phones[0], { status: "voicemail" }), item(phones[1])]);
        expect(await look(batchId)).toEqual({ next: "tend", waitMs: processingLookMs });
        expect(await comeOf(id)).toEqual(["voicemail", "leased", "leased"]);
        expect(await batchOf(batchId)).toMatchObject({ trouble: "unreadable" });
        expect(await lookAfter(callBoundMs - 1_000, batchId)).toEqual({
          next: "tend",
          waitMs: processingLookMs,
        });
        expect(await toldOf(batchId)).toHaveLength(1);
        expect(await lookAfter(1_000, batchId)).toEqual({ next: "done", waitMs: 0 });
        expect(await comeOf(id)).toEqual(["voicemail", "unknown", "unknown"]);
        expect(await toldOf(batchId)).toMatchObject([
          { summary: expect.stringMatching(/items can't be listed to their end.*2 of its people/) },
        ]);
      });

      it("is deleted where it may still begin, and everybody counts as called", async () => {
        const { id, batchId, phones } = await doubtful(2);
        platform.told.items = endless([item(phones[0]), item(phones[1])]);
        deletedWith(batchId, 204);
        expect(await lookAfter(quietMs, batchId)).toEqual({ next: "tend", waitMs: processingLookMs });
        expect(platform.asked).not.toContain("delete");
        await lookAfter(callBoundMs, batchId);
        expect(platform.asked).toContain("delete");
        expect(platform.asked, "nobody is to be given back").not.toContain("calls");
        expect(await comeOf(id)).toEqual(["unknown", "unknown"]);
        expect(await toldOf(batchId)).toMatchObject([
          { summary: expect.stringMatching(/items can't be listed to their end.*2 of its people/) },
        ]);
      });
    });
  });
});
