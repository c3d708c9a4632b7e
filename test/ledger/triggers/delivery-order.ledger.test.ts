import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import {
  claimDeliveries,
  isOfMany,
  readPeopleAnew,
  takeUnread,
  writePeople,
} from "../../../src/ledger/triggers/delivery-order.ts";
import { accept } from "../../support/accept.ts";
import {
  failOutbox,
  finishOutbox,
  putOutbox,
  renewOutbox,
  type Claimed,
} from "../../../src/ledger/ground/outbox.ts";
import { sequenceOf, triggerOf } from "../../support/intake.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const LEASE_MS = 10_000;

describeLedgers("the order of deliveries", (ledger) => {
  beforeEach(async () => {
    await rows(ledger().db, sql`delete from outbox`);
    await rows(ledger().db, sql`delete from delivery_people`);
  });

  const wait = (subject: string, dueAtMs = NOW) =>
    ledger().transaction((tx) => putOutbox(tx, [{ kind: "delivery", subject, dueAtMs }]));
  /** Accepts deliveries and reads whom they are about. */
  const acceptAll = async (people: Readonly<Record<string, readonly number[]>>) => {
    for (const subject of Object.keys(people)) await wait(subject);
    await read(people);
  };
  const read = async (people: Readonly<Record<string, readonly number[]>>) => {
    const unread = await takeUnread(ledger().db, { limit: 1_000, nowMs: NOW });
    await writePeople(
      ledger().db,
      unread.map(({ id, subject }) => ({ id, people: people[subject] ?? [] })),
    );
  };
  const claim = (nowMs = NOW, room = { few: 100, many: 100 }): Promise<Claimed[]> =>
    claimDeliveries(ledger().db, { ...room, leaseMs: LEASE_MS, nowMs });
  const claimed = async (nowMs = NOW) => (await claim(nowMs)).map((row) => row.subject).toSorted();
  const finish = (row: Claimed | undefined, nowMs = NOW) => finishOutbox(ledger().db, given(row), nowMs);
  const fail = (row: Claimed | undefined, counts: boolean, nowMs = NOW) =>
    failOutbox(ledger().db, given(row), { error: "no", untilMs: nowMs + 5, counts, nowMs });

  it("is that of acceptance for what is told of one person, and nobody waits for anybody else", async () => {
    await acceptAll({ enroll: [1], other: [2], both: [1, 2], cancel: [1], third: [3] });
    const first = await claim();
    expect(first.map((row) => row.subject).toSorted()).toEqual(["enroll", "other", "third"]);
    const of = (subject: string) => first.find((row) => row.subject === subject);
    await finish(of("enroll"));
    expect(await claimed()).toEqual([]);
    await finish(of("other"));
    const [both, ...others] = await claim();
    expect([both?.subject, others]).toEqual(["both", []]);
    await finish(both);
    expect(await claimed()).toEqual(["cancel"]);
  });

  it("hands each to one of many at once", async () => {
    await acceptAll(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`s${n}`, [n % 20]])));
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(NOW, { few: 5, many: 5 })));
    const subjects = claims.flat().map((row) => row.subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect([...subjects, ...(await claimed())].toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `s${n}`).toSorted(),
    );
  });

  it("lets nothing overtake a delivery of which nobody knows yet whom it is about", async () => {
    await wait("unread");
    await wait("later");
    const [unread, later] = await takeUnread(ledger().db, { limit: 10, nowMs: NOW });
    await writePeople(ledger().db, [{ id: given(later).id, people: [7] }]);
    expect(await claimed()).toEqual([]);
    await writePeople(ledger().db, [{ id: given(unread).id, people: [7] }]);
    expect(await claimed()).toEqual(["unread"]);
    // Whoever read it as well, and is later, changes nothing.
    await writePeople(ledger().db, [{ id: given(unread).id, people: [8] }]);
    expect(await claimed()).toEqual([]);
  });

  it("keeps hands free for those of few people", async () => {
    const many = (from: number) => Array.from({ length: 11 }, (_, n) => from + n);
    await acceptAll({ list: many(100), list2: many(200), list3: many(300), one: [1], two: [2] });
    const first = await claim(NOW, { few: 2, many: 1 });
    expect(first.map((row) => row.subject).toSorted()).toEqual(["list", "one", "two"]);
    expect(first.filter(isOfMany).map((row) => row.subject)).toEqual(["list"]);
    expect(await claim(NOW, { few: 2, many: 0 })).toEqual([]);
  });

  it("is not that of those that failed, which hold up nobody; a process that died does so for its lease", async () => {
    await acceptAll({ fails: [1], died: [1], last: [1] });
    const [fails] = await claim();
    await fail(fails, true);
    const [died] = await claim();
    expect(died?.subject).toBe("died");
    // The one that failed has its own time, beside the others.
    const [again] = await claim(NOW + 5);
    expect(again?.subject).toBe("fails");
    await finish(again);
    expect(await claimed(NOW + LEASE_MS - 1)).toEqual([]);
    await renewOutbox(ledger().db, [given(died)], { leaseMs: LEASE_MS, nowMs: NOW + LEASE_MS - 1 });
    expect(await claimed(NOW + LEASE_MS)).toEqual([]);
    const [taken] = await claim(NOW + 2 * LEASE_MS);
    expect(taken?.subject).toBe("died");
    // It is another's now, whatever its first holder believes.
    await renewOutbox(ledger().db, [given(died)], { leaseMs: 9 * LEASE_MS, nowMs: NOW });
    expect(await claimed(NOW + 3 * LEASE_MS)).toEqual(["died"]);
  });

  it("does not end where whoever takes or reads one dies each time", async () => {
    await acceptAll({ poison: [1], next: [1] });
    let nowMs = NOW;
    for (let n = 0; n < 5; n += 1) {
      expect(await claimed(nowMs)).toEqual(["poison"]);
      nowMs += LEASE_MS;
    }
    expect(await claimed(nowMs)).toEqual(["next", "poison"]);

    await rows(ledger().db, sql`delete from outbox`);
    await wait("kills its reader");
    await wait("after it");
    for (let n = 0; n < 6; n += 1) await takeUnread(ledger().db, { limit: 1, nowMs: NOW });
    await read({ "after it": [1] });
    expect(await claimed()).toEqual(["after it", "kills its reader"]);
  });

  it("holds where the ledger was away, however often", async () => {
    await acceptAll({ one: [1], two: [1] });
    for (let nowMs = NOW; nowMs < NOW + 50; nowMs += 5) {
      const [one, ...others] = await claim(nowMs);
      expect([one?.subject, others]).toEqual(["one", []]);
      await fail(one, false, nowMs);
      expect(await claimed(nowMs)).toEqual([]);
    }
  });

  it("does not wait for one that a clock which was ahead by hours accepted", async () => {
    await wait("ahead", NOW + 7_200_000);
    await wait("now");
    await read({ ahead: [1], now: [1] });
    expect(await claimed()).toEqual(["now"]);
    await takeUnread(ledger().db, { limit: 10, nowMs: NOW + 7_200_000 }).then((unread) =>
      writePeople(
        ledger().db,
        unread.map(({ id }) => ({ id, people: [1] })),
      ),
    );
    expect(await claimed(NOW + 7_200_000)).toContain("ahead");
  });

  it("forgets people with their delivery, and reads them anew where the trigger changes", async () => {
    const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
    const deliveryId = await accept(ledger(), {
      triggerId: trigger.id,
      key: "k",
      digest: "d",
      body: { type: "json", headers: {}, text: "{}" },
      nowMs: NOW,
    });
    const another = randomUUID();
    await acceptAll({ [another]: [5] });
    expect(await claimed()).toEqual([deliveryId, another].toSorted());
    const later = NOW + LEASE_MS;
    await ledger().transaction((tx) => readPeopleAnew(tx, trigger.id));
    expect(await claimed(later)).toEqual([]);
    await read({ [deliveryId]: [5] });
    const [first, ...others] = await claim(later);
    expect([first?.subject, others]).toEqual([deliveryId, []]);
    await finish(first, later);
    const [after] = await claim(later);
    await finish(after, later);
    expect(await rows(ledger().db, sql`select * from delivery_people`)).toEqual([]);
  });
});
