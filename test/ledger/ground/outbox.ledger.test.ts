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
  type OutboxKind,
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

  it("takes a list whole, however it comes, and gives whoever came alone at once all the same", async () => {
    const list = Array.from({ length: 1_500 }, (_, n) => ({
      kind: "enrolment_bulk" as const,
      subject: `of a list ${n}`,
      dueAtMs: NOW,
    }));
    await ledger().transaction((tx) => putOutbox(tx, list));
    const found = sql`select 'of a list ' || n as subject from generate_series(0, 1999) n`;
    await ledger().transaction((tx) => putEnrolmentsOf(tx, found, NOW));
    await ledger().transaction((tx) =>
      putOutbox(tx, [{ kind: "enrolment", subject: "alone", dueAtMs: NOW + 1 }]),
    );
    expect((await dueKinds(ledger().db, NOW + 1)).toSorted()).toEqual(["enrolment", "enrolment_bulk"]);
    const take = (kinds: readonly OutboxKind[], limit: number) =>
      claimOutbox(ledger().db, { kinds, limit, leaseMs: 1_000, nowMs: NOW + 1 });
    expect(await take(["campaign", "enrolment"], 10)).toMatchObject([{ subject: "alone" }]);
    expect(await take(["enrolment_bulk"], 5_000)).toHaveLength(2_000);
  });

  it("gives those of several kinds that have been due for longest, and no more than there is room for", async () => {
    const of = (kind: OutboxKind, minutes: readonly number[]) =>
      minutes.map((minute) => ({ kind, subject: `${kind} ${minute}`, dueAtMs: NOW + minute * 60_000 }));
    await ledger().transaction((tx) => putOutbox(tx, [...of("campaign", [1, 4]), ...of("batch", [2, 3, 9])]));
    const claim = { kinds: ["campaign", "batch"] as const, leaseMs: 1_000, nowMs: NOW + 300_000 };
    const first = await claimOutbox(ledger().db, { ...claim, limit: 3 });
    expect(first.map(({ subject }) => subject).toSorted()).toEqual(["batch 2", "batch 3", "campaign 1"]);
    const rest = await claimOutbox(ledger().db, { ...claim, limit: 3 });
    expect(rest.map(({ subject }) => subject)).toEqual(["campaign 4"]);
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
