import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import {
  claimOutbox,
  countOutbox,
  dueKinds,
  failOutbox,
  finishOutbox,
  OUTBOX_KINDS,
  postponeOutbox,
  putEnrolmentsOf,
  putOutbox,
  type Claimed,
} from "../../../src/ledger/ground/outbox.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const LEASE_MS = 10_000;

describeLedgers("the outbox", (ledger) => {
  const claim = (nowMs: number, limit = 100): Promise<Claimed[]> =>
    claimOutbox(ledger().db, { kinds: OUTBOX_KINDS, limit, leaseMs: LEASE_MS, nowMs });
  const put = (subject: string, dueAtMs = NOW) =>
    ledger().transaction((tx) => putOutbox(tx, [{ kind: "enrolment", subject, dueAtMs }]));

  beforeEach(() => rows(ledger().db, sql`delete from outbox`));

  it("hands each row to one of many at once", async () => {
    await ledger().transaction((tx) =>
      putOutbox(
        tx,
        Array.from({ length: 40 }, (_, n) => ({ kind: "delivery", subject: `s${n}`, dueAtMs: NOW })),
      ),
    );
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(NOW, 5)));
    const subjects = claims.flat().map((row) => row.subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect([...claims.flat(), ...(await claim(NOW))]).toHaveLength(40);
    expect(await claim(NOW)).toEqual([]);
  });

  it("keeps what is written again while it is being worked off", async () => {
    await put("a");
    const [row] = await claim(NOW);
    await put("a", NOW + 1);
    await finishOutbox(ledger().db, given(row), NOW + 2);
    const [again] = await claim(NOW + 2);
    expect(again?.subject).toBe("a");
    await finishOutbox(ledger().db, given(again), NOW + 3);
    expect(await countOutbox(ledger().db)).toEqual([]);
  });

  it("is handed out again when whoever had it died", async () => {
    await put("a");
    expect(await claim(NOW)).toHaveLength(1);
    expect(await claim(NOW + LEASE_MS - 1)).toEqual([]);
    expect(await claim(NOW + LEASE_MS)).toHaveLength(1);
  });

  it("does not let the late end of a first claim take away a second one's row", async () => {
    await put("a");
    const [first] = await claim(NOW);
    const [second] = await claim(NOW + LEASE_MS);
    await finishOutbox(ledger().db, given(first), NOW + LEASE_MS);
    expect(given((await countOutbox(ledger().db))[0]).waiting).toBe(1);
    expect(second?.turn).toBe(given(first).turn + 1);
  });

  it("is due at the earlier of two times, and one row", async () => {
    await put("a", NOW + 60_000);
    await put("a", NOW + 5_000);
    await put("a", NOW + 90_000);
    expect(await claim(NOW + 4_999)).toEqual([]);
    expect(await claim(NOW + 5_000)).toHaveLength(1);
  });

  it("takes several writings of one subject in one statement", async () => {
    await ledger().transaction((tx) =>
      putOutbox(tx, [
        { kind: "campaign", subject: "a", dueAtMs: NOW + 5 },
        { kind: "campaign", subject: "a", dueAtMs: NOW },
        { kind: "follow_up", subject: "a", dueAtMs: NOW },
      ]),
    );
    expect(await dueKinds(ledger().db, NOW)).toEqual(["campaign", "follow_up"]);
    expect(await claim(NOW)).toHaveLength(2);
  });

  it("counts failures of the row, not of a port that is away, and says the last one", async () => {
    await put("a");
    const [row] = await claim(NOW);
    await failOutbox(ledger().db, given(row), {
      error: "away",
      untilMs: NOW + 500,
      counts: false,
      nowMs: NOW,
    });
    const [second] = await claim(NOW + 500);
    expect(second?.tries).toBe(0);
    await failOutbox(ledger().db, given(second), {
      error: "x".repeat(9_000),
      untilMs: NOW + 60_000,
      counts: true,
      nowMs: NOW + 500,
    });
    expect(await claim(NOW + 59_999)).toEqual([]);
    const [third] = await claim(NOW + 60_000);
    expect(third?.tries).toBe(1);
    const [said] = await rows<{ last_error: string }>(ledger().db, sql`select last_error from outbox`);
    expect(given(said).last_error).toHaveLength(500);
  });

  it("can be put off without having failed, unless it was written again", async () => {
    await put("a");
    const [row] = await claim(NOW);
    await postponeOutbox(ledger().db, given(row), { untilMs: NOW + 3_600_000, nowMs: NOW });
    expect(await claim(NOW + 3_599_999)).toEqual([]);
    const [second] = await claim(NOW + 3_600_000);
    await put("a", NOW + 3_600_001);
    await postponeOutbox(ledger().db, given(second), { untilMs: NOW + 9_000_000, nowMs: NOW + 3_600_002 });
    expect(await claim(NOW + 3_600_002)).toHaveLength(1);
  });

  it("is not flooded by a list: its rows become due one after the other, and a few are due at once", async () => {
    const list = (from: number, count: number) =>
      ledger().transaction((tx) =>
        putOutbox(
          tx,
          Array.from({ length: count }, (_, n) => ({
            kind: "enrolment_bulk",
            subject: `of a list ${from + n}`,
            dueAtMs: NOW,
          })),
        ),
      );
    await list(0, 1_500);
    await list(1_500, 1_500);
    await list(3_000, 5);
    const dueBy = async (nowMs: number) =>
      given(
        (
          await rows<{ n: number }>(
            ledger().db,
            sql`select count(*)::int as n from outbox where due_at <= ${new Date(nowMs).toISOString()}::timestamptz`,
          )
        )[0],
      ).n;
    expect(await dueBy(NOW)).toBe(1_005);
    // 20 a second.
    expect(await dueBy(NOW + 10_000)).toBe(1_205);
    expect(await dueBy(NOW + 100_000)).toBe(3_005);
  });

  it("is not flooded by a list that a query finds either, however it is counted", async () => {
    const found = (count: number) =>
      ledger().transaction((tx) =>
        putEnrolmentsOf(tx, sql`select 'found ' || n as subject from generate_series(1, ${count}) n`, NOW),
      );
    const dueBy = async (nowMs: number) =>
      (await claimOutbox(ledger().db, { kinds: OUTBOX_KINDS, limit: 5_000, leaseMs: 1, nowMs })).length;
    await found(50);
    expect(await dueBy(NOW)).toBe(50);
    await rows(ledger().db, sql`delete from outbox`);
    await found(1_300);
    expect(await dueBy(NOW)).toBe(1_000);
    // 20 a second.
    expect(await dueBy(NOW + 10_000)).toBe(1_200);
    await found(1_300);
    expect(await dueBy(NOW + 15_000)).toBe(1_300);
  });

  it("is written by a transaction that commits, and by no other", async () => {
    await expect(
      ledger().transaction(async (tx) => {
        await putOutbox(tx, [{ kind: "delivery", subject: "never", dueAtMs: NOW }]);
        throw new Error("changed our mind");
      }),
    ).rejects.toThrow("changed our mind");
    expect(await claim(NOW)).toEqual([]);
  });
});
