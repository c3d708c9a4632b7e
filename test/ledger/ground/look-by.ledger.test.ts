import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import {
  expectMove,
  GRACE_MS,
  lookAtAllOnce,
  lookNow,
  lookSoon,
  noteLook,
  overdueKinds,
  takeOverdue,
} from "../../../src/ledger/ground/look-by.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { claimOutbox, putOutbox, renewOutbox } from "../../../src/ledger/ground/outbox.ts";
import { takeOffMoved, tellOfUnmoved } from "../../../src/ledger/ground/unmoved.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { enrolled, say, turn, written } from "../support/enrolling.ts";
import {
  batchOf,
  freshPhones,
  HOUR_MS,
  lookOf,
  MINUTE_MS,
  NOW_MS,
  plan,
  running,
  ended,
  start,
  tell,
} from "../support/scenario.ts";

describeLedgers("what is open says by when it is looked at", (ledger) => {
  const byOf = async (table: string, id: string) => (await lookOf(ledger(), table, id)).by_ms;
  const take = (kind: Parameters<typeof takeOverdue>[1], nowMs: number, limit = 100) =>
    takeOverdue(ledger().db, kind, { nowMs, limit });

  beforeEach(async () => {
    await rows(ledger().db, sql`update campaigns set look_by = null`);
    await rows(ledger().db, sql`update batches set look_by = null`);
    await rows(ledger().db, sql`update enrolments set look_by = null`);
    await rows(ledger().db, sql`delete from outbox`);
  });

  it("a campaign from its start to its end, a batch from its planning to its settling, and neither afterwards", async () => {
    const [phone = ""] = freshPhones(1);
    const id = await running(ledger(), [phone]);
    expect(await byOf("campaigns", id)).toBe(NOW_MS + GRACE_MS);
    const planned = await plan(ledger(), id);
    const batchId = given(planned.batchIds[0]);
    expect(await byOf("campaigns", id)).toBe(NOW_MS + planned.waitMs + GRACE_MS);
    expect(await byOf("batches", batchId)).toBe(NOW_MS + GRACE_MS);
    await start(ledger(), batchId);
    const findings = [ended(phone)];
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS + MINUTE_MS });
    await closeBatch(ledger(), batchId, NOW_MS + MINUTE_MS);
    expect((await batchOf(ledger(), batchId)).state).toBe("settled");
    expect(await byOf("batches", batchId)).toBeNull();
    expect((await plan(ledger(), id, NOW_MS + HOUR_MS)).state).toBe("completed");
    expect(await byOf("campaigns", id)).toBeNull();
  });

  it("sooner where it is told something, and where somebody is placed", async () => {
    const id = await running(ledger(), freshPhones(1), { concurrency: 5 });
    await tell(ledger(), "pause", id);
    await plan(ledger(), id);
    expect(await byOf("campaigns", id)).toBeGreaterThan(NOW_MS + GRACE_MS);
    await tell(ledger(), "resume", id);
    expect(await byOf("campaigns", id)).toBe(NOW_MS + GRACE_MS);
    await ledger().transaction((tx) => lookSoon(tx, "campaign", [id], NOW_MS + 5_000));
    await ledger().transaction((tx) => lookSoon(tx, "campaign", [id], NOW_MS + 50_000));
    expect(await byOf("campaigns", id)).toBe(NOW_MS + 5_000);
  });

  it("an enrolment that sleeps: at the moment that it sleeps until, and never while a person has paused it", async () => {
    const { name } = await written(ledger(), [{ id: "sleep", wait: { for: "2d" } }]);
    const id = await enrolled(ledger(), name);
    // It stands in the outbox.
    expect(await byOf("enrolments", id)).toBeNull();
    await turn(ledger(), id);
    expect(await byOf("enrolments", id)).toBe(NOW_MS + 48 * HOUR_MS);
    await say(ledger(), id, "pause");
    await turn(ledger(), id);
    expect(await byOf("enrolments", id)).toBeNull();
    await say(ledger(), id, "resume");
    await turn(ledger(), id, NOW_MS + HOUR_MS);
    expect(await byOf("enrolments", id)).toBe(NOW_MS + 48 * HOUR_MS);
    await turn(ledger(), id, NOW_MS + 49 * HOUR_MS);
    expect(await byOf("enrolments", id)).toBeNull();
  });

  it("an enrolment whose action nobody tries: after twice as long each time, until its workflow takes a turn", async () => {
    const hook = { id: "tell", webhook: { url: "https://example.com/hook" } };
    const { name } = await written(ledger(), [hook]);
    const id = await enrolled(ledger(), name);
    expect(await turn(ledger(), id)).toMatchObject({ next: "act" });
    await rows(ledger().db, sql`delete from outbox`);
    let nowMs = given((await byOf("enrolments", id)) ?? undefined);
    const waited: number[] = [];
    for (let n = 1; n <= 4; n += 1) {
      expect(await take("enrolment", nowMs)).toEqual([
        { id, unmoved: n, isInOutbox: false, isToldYet: false },
      ]);
      // The relay takes its turn and hands the action on, in vain.
      expect(await turn(ledger(), id, nowMs)).toMatchObject({ next: "act" });
      const byMs = given((await byOf("enrolments", id)) ?? undefined);
      waited.push((byMs - nowMs) / GRACE_MS);
      nowMs = byMs;
    }
    expect(waited).toEqual([1, 2, 4, 8]);
    expect(await turn(ledger(), id, nowMs - 1, true)).toMatchObject({ next: "act" });
    expect(await lookOf(ledger(), "enrolments", id)).toMatchObject({ unmoved: 0 });
  });

  it("and is taken when that is over, the oldest first, some at a time, each by one", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await running(ledger(), freshPhones(1), {}, NOW_MS + n * 1_000));
    expect(await overdueKinds(ledger().db, NOW_MS + GRACE_MS - 1)).toEqual([]);
    expect(await take("campaign", NOW_MS + GRACE_MS - 1)).toEqual([]);
    const nowMs = NOW_MS + GRACE_MS + 10_000;
    expect(await overdueKinds(ledger().db, nowMs)).toEqual(["campaign"]);
    const first = await take("campaign", nowMs, 2);
    const others = await Promise.all([take("campaign", nowMs, 2), take("campaign", nowMs, 2)]);
    expect(first.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    expect(
      others
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.slice(2).toSorted());
    expect(await take("campaign", nowMs)).toEqual([]);
  });

  it("and is taken again after twice as long each time, up to an hour, until it moves", async () => {
    const id = await running(ledger(), freshPhones(1));
    let nowMs = NOW_MS + GRACE_MS;
    const waited: number[] = [];
    for (let n = 1; n <= 9; n += 1) {
      expect(await take("campaign", nowMs)).toEqual([
        { id, unmoved: n, isInOutbox: false, isToldYet: false },
      ]);
      // What hands that on expects it to move, and no sooner than this.
      await expectMove(ledger().db, "campaign", id, nowMs + GRACE_MS);
      const byMs = given((await byOf("campaigns", id)) ?? undefined);
      waited.push((byMs - nowMs) / GRACE_MS);
      nowMs = byMs;
    }
    expect(waited).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 64]);
    await plan(ledger(), id, nowMs);
    expect(await lookOf(ledger(), "campaigns", id)).toMatchObject({ unmoved: 0 });
  });

  it("and is not told once more, nor counted, while the outbox holds it; one that fails there is counted", async () => {
    const id = await running(ledger(), freshPhones(1));
    const told = { kind: "campaign" as const, subject: id, dueAtMs: NOW_MS };
    await ledger().transaction((tx) => putOutbox(tx, [told]));
    const later = (minutes: number) => NOW_MS + minutes * MINUTE_MS;
    expect(await take("campaign", later(5))).toEqual([{ id, unmoved: 0, isInOutbox: true, isToldYet: true }]);
    expect(await take("campaign", later(14))).toEqual([]);
    await rows(ledger().db, sql`update outbox set tries = 3 where subject = ${id}`);
    expect(await take("campaign", later(16))).toEqual([
      { id, unmoved: 1, isInOutbox: true, isToldYet: true },
    ]);
    // In somebody's hands: that may be done.
    const claim = { kinds: ["campaign"] as const, limit: 1, leaseMs: MINUTE_MS, nowMs: later(26) };
    const claimed = await claimOutbox(ledger().db, claim);
    expect(await take("campaign", later(26))).toEqual([
      { id, unmoved: 2, isInOutbox: true, isToldYet: true },
    ]);
    await rows(ledger().db, sql`update outbox set tries = 0 where id = ${given(claimed[0]).id}`);
    const nowMs = later(36);
    await renewOutbox(ledger().db, claimed, { leaseMs: MINUTE_MS, nowMs });
    expect(await take("campaign", nowMs)).toEqual([{ id, unmoved: 2, isInOutbox: true, isToldYet: false }]);
    expect(await take("campaign", nowMs + 4 * GRACE_MS)).toHaveLength(1);
  });

  it("in a turn that writes nothing else, where it differs", async () => {
    const id = await running(ledger(), freshPhones(1));
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    const note = (nowMs: number, waitMs: number) =>
      noteLook(ledger().db, "batch", batchId, { nowMs, waitMs });
    await note(NOW_MS, HOUR_MS);
    expect(await byOf("batches", batchId)).toBe(NOW_MS + HOUR_MS + GRACE_MS);
    // A few seconds later, or earlier: that is the same.
    await note(NOW_MS + 10_000, HOUR_MS);
    expect(await byOf("batches", batchId)).toBe(NOW_MS + HOUR_MS + GRACE_MS);
    await note(NOW_MS + 20_000, 1_000);
    expect(await byOf("batches", batchId)).toBe(NOW_MS + 21_000 + GRACE_MS);
    await rows(ledger().db, sql`update batches set unmoved = 3 where id = ${batchId}::uuid`);
    await note(NOW_MS + 20_000, 1_000);
    expect(await lookOf(ledger(), "batches", batchId)).toMatchObject({ unmoved: 0 });
    await rows(ledger().db, sql`update batches set look_by = null where id = ${batchId}::uuid`);
    await note(NOW_MS + HOUR_MS, 0);
    expect(await byOf("batches", batchId)).toBeNull();
  });

  it("and now, where all that is awake has lost its workflow: who sleeps for long sleeps on", async () => {
    const { name } = await written(ledger(), [{ id: "sleep", wait: { for: "2d" } }]);
    const asleep = await enrolled(ledger(), name);
    await turn(ledger(), asleep);
    const [one, other] = [await running(ledger(), freshPhones(1)), await running(ledger(), freshPhones(1))];
    await lookNow(ledger().db, "campaign", [one], NOW_MS);
    expect(await take("campaign", NOW_MS)).toMatchObject([{ id: one }]);
    await lookAtAllOnce(ledger().db, NOW_MS + 1_000);
    const taken = await take("campaign", NOW_MS + 1_000);
    expect(taken.map(({ id }) => id).toSorted()).toEqual([one, other].toSorted());
    expect(await take("enrolment", NOW_MS + HOUR_MS)).toEqual([]);
  });

  it("and comes before people once it was told in vain for an hour, until it moves", async () => {
    const id = await running(ledger(), freshPhones(1), { name: "stuck" });
    const shown = async () => {
      const { items } = await listAttention(ledger().db, { kind: "overdue", resolved: false, limit: 10 });
      return items.map(({ subject, summary }) => [subject, summary.includes("stuck")]);
    };
    for (let nowMs = NOW_MS + GRACE_MS, n = 1; n <= 7; n += 1) {
      const taken = await take("campaign", nowMs);
      expect(await shown()).toEqual([]);
      await tellOfUnmoved(ledger().db, "campaign", taken, nowMs);
      nowMs = given((await byOf("campaigns", id)) ?? undefined);
    }
    expect(await shown()).toEqual([[`campaign ${id}`, true]]);
    await takeOffMoved(ledger().db, NOW_MS);
    expect(await shown()).toHaveLength(1);
    await plan(ledger(), id, NOW_MS + 3 * HOUR_MS);
    await takeOffMoved(ledger().db, NOW_MS);
    expect(await shown()).toEqual([]);
  });
});
