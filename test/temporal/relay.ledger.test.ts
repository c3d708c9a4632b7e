import { sql } from "drizzle-orm";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { listAttention } from "../../src/ledger/ground/attention.ts";
import { LedgerUnavailableError, rows } from "../../src/ledger/ground/connection.ts";
import { countOutbox, OUTBOX_KINDS, putOutbox, type OutboxKind } from "../../src/ledger/ground/outbox.ts";
import type { RelayHandler } from "../../src/temporal/relay-row.ts";
import { pacedBy, startRelay, type Relay, type RelayInput } from "../../src/temporal/relay.ts";
import { withLedger } from "../support/ledgers.ts";
import { until } from "../support/until.ts";

/** A number for a name. */
function personOf(name: string): number {
  return Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);
}

withLedger((ledger) => {
  beforeEach(() => rows(ledger().db, sql`delete from outbox`));

  const put = (kind: OutboxKind, subjects: readonly string[], dueAtMs = Date.now()) =>
    ledger().transaction((tx) =>
      putOutbox(
        tx,
        subjects.map((subject) => ({ kind, subject, dueAtMs })),
      ),
    );

  const open = (
    handlers: Partial<Record<OutboxKind, RelayHandler>>,
    changes: Partial<RelayInput> = {},
  ): { relay: Relay; logged: string[] } => {
    const logged: string[] = [];
    const note = (_fields: object, message: string) => void logged.push(message);
    const missing: RelayHandler = () => Promise.reject(new Error("nobody expected this kind"));
    const relay = startRelay({
      ledger: ledger(),
      handlers: {
        ...(Object.fromEntries(OUTBOX_KINDS.map((kind) => [kind, missing])) as Record<
          OutboxKind,
          RelayHandler
        >),
        ...handlers,
      },
      // "<person>+<person> <anything>".
      peopleOf: async (subject) => subject.split(" ")[0]?.split("+").map(personOf) ?? [],
      isPlatformAway: () => false,
      log: { info: note, warn: note, error: note },
      now: Date.now,
      ...changes,
    });
    onTestFinished(() => relay.stop());
    return { relay, logged };
  };

  const untilEmpty = () =>
    until("an empty outbox", async () => (await countOutbox(ledger().db)).length === 0);

  it("works off what is there, and what comes later with a kick, once each", async () => {
    const seen: string[] = [];
    await put("delivery", ["before"]);
    const { relay } = open({ delivery: async (subject) => void seen.push(subject) });
    await untilEmpty();
    await put(
      "delivery",
      Array.from({ length: 50 }, (_, n) => `later ${n}`),
    );
    relay.kick();
    await untilEmpty();
    expect(seen).toHaveLength(51);
    expect(new Set(seen).size).toBe(51);
  });

  it("notices by itself what nobody kicked it for", async () => {
    const seen: string[] = [];
    open({ follow_up: async (subject) => void seen.push(subject) });
    await put("follow_up", ["quiet"]);
    await until("the row to be handed on", () => seen.length === 1);
  });

  it("does not let a list of thousands stand before one that just came", async () => {
    const order: string[] = [];
    await put(
      "enrolment_bulk",
      Array.from({ length: 2_000 }, (_, n) => `of a list ${n}`),
      Date.now() - 60_000,
    );
    const { relay } = open(
      {
        enrolment_bulk: async (subject) => void order.push(subject),
        enrolment: async (subject) => void order.push(subject),
      },
      { bulkPerSecond: 50 },
    );
    await until("the list to be under way", () => order.length > 5);
    await put("enrolment", ["came by a trigger"]);
    relay.kick();
    await until("the one", () => order.includes("came by a trigger"));
    expect(order.indexOf("came by a trigger")).toBeLessThan(1_000);
  });

  it.each(["follow_up", "schedule_run", "automation"] as const)(
    "does not let a burst of %s stand before one that a trigger brought",
    async (kind) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = 0;
      const seen: string[] = [];
      await put(
        kind,
        Array.from({ length: 100 }, (_, n) => `of a burst ${n}`),
        Date.now() - 60_000,
      );
      const { relay } = open({
        [kind]: () => {
          begun += 1;
          return released;
        },
        enrolment: async (subject) => void seen.push(subject),
      });
      onTestFinished(() => release());
      await until("the burst to be under way", () => begun >= 4);
      await put("enrolment", ["came by a trigger"]);
      relay.kick();
      await until("the one", () => seen.length === 1);
      expect(begun).toBeLessThan(100);
      release();
      await untilEmpty();
      expect(begun).toBe(100);
    },
  );

  it("starts workflows after calls at a pace, and lets those of a list through one by one", async () => {
    let n = 0;
    await put(
      "follow_up",
      Array.from({ length: 60 }, (_, i) => `${i}`),
    );
    const beganMs = performance.now();
    open({ follow_up: async () => void (n += 1) }, { bulkPerSecond: 40 });
    await untilEmpty();
    expect(n).toBe(60);
    expect(performance.now() - beganMs).toBeGreaterThan(1_200);

    let nowMs = 1_000;
    const paced = pacedBy(1_000, () => nowMs);
    const letThrough: number[] = [];
    await Promise.all([1, 2, 3, 4].map((nth) => paced().then(() => letThrough.push(nth))));
    expect(letThrough).toEqual([1, 2, 3, 4]);
    // A clock that is set back makes nobody wait until it is there again.
    nowMs = -3_600_000;
    await paced();
  });

  it("keeps everything while a port is away, holds up no other kind, and goes on when it is back", async () => {
    let away = true;
    let asked = 0;
    const done: string[] = [];
    const { logged } = open({
      delivery: async (subject) => {
        asked += 1;
        if (away) throw new LedgerUnavailableError("not now");
        done.push(subject);
      },
      call_hint: async (subject) => void done.push(subject),
    });
    await put(
      "delivery",
      Array.from({ length: 30 }, (_, n) => `d${n}`),
    );
    await put("call_hint", ["h"]);
    await until("the other kind to go on", () => done.includes("h"));
    await until("a second try", () => asked > 5);
    // It was not hammered: some at first, then one at a time.
    expect(asked).toBeLessThan(12);
    away = false;
    await untilEmpty();
    expect(new Set(done).size).toBe(31);
    expect(logged.filter((message) => message.includes("can't be handed on now"))).toHaveLength(1);
    expect((await listAttention(ledger().db, { resolved: true, limit: 10 })).total).toBe(0);
  });

  it("rests no longer where its clock is set back while it rests", async () => {
    let aheadMs = 2 * 3_600_000;
    let away = true;
    let asked = 0;
    const done: string[] = [];
    const { relay } = open(
      {
        delivery: async (subject) => {
          asked += 1;
          if (away) throw new LedgerUnavailableError("not now");
          done.push(subject);
        },
      },
      { now: () => Date.now() + aheadMs },
    );
    await put("delivery", ["before"]);
    relay.kick();
    await until("it to rest", () => asked > 0);
    [away, aheadMs] = [false, 0];
    await put("delivery", ["after"]);
    relay.kick();
    await until("what came after", () => done.includes("after"));
  });

  it("claims nothing while its clock is wrong, and all of it once it is right", async () => {
    let isRight = false;
    let asked = 0;
    const done: string[] = [];
    const isClockRight = async () => {
      asked += 1;
      return isRight;
    };
    const { relay } = open({ delivery: async (subject) => void done.push(subject) }, { isClockRight });
    await put("delivery", ["waits"]);
    for (let kicks = 0; kicks < 5; kicks += 1) {
      const before = asked;
      relay.kick();
      await until("it to look", () => asked > before);
    }
    expect(done).toEqual([]);
    isRight = true;
    await untilEmpty();
    expect(done).toEqual(["waits"]);
  });

  it("lets nobody wait for a row that the ledger alone is too slow for, and counts against it what it meets", async () => {
    const done: string[] = [];
    let asked = 0;
    open({
      delivery: async (subject) => {
        if (subject !== "slow") return void done.push(subject);
        asked += 1;
        throw new LedgerUnavailableError("it took too long", { code: "57014" });
      },
    });
    await put("delivery", ["slow"]);
    await until("it to be tried", () => asked > 0);
    await put("delivery", ["a", "b", "c"]);
    await until("the others to go on", () => done.length === 3);
    const waiting = await until("it to be counted", async () => {
      const [row] = await rows<{ tries: number }>(ledger().db, sql`select tries from outbox`);
      return row && row.tries > 0 ? row : undefined;
    });
    expect(waiting.tries).toBeGreaterThan(0);
  });

  it("brings a row that always fails before a person, keeps it, and takes it off the list when it went through", async () => {
    await put("delivery", ["poison"]);
    await rows(ledger().db, sql`update outbox set tries = 99`);
    let mended = false;
    const { relay } = open({
      delivery: async () => {
        if (!mended) throw new Error("no such column: who");
      },
    });
    const listed = () => listAttention(ledger().db, { resolved: false, kind: "outbox_stuck", limit: 10 });
    await until("a person to be told", async () => (await listed()).total === 1);
    expect((await listed()).items[0]).toMatchObject({
      subject: "delivery poison",
      summary: "delivery poison could not be handed on in 100 tries: no such column: who",
    });
    expect((await countOutbox(ledger().db))[0]).toMatchObject({ waiting: 1, failing: 1 });
    mended = true;
    await put("delivery", ["poison"]);
    relay.kick();
    await untilEmpty();
    await until("the list to be empty", async () => (await listed()).total === 0);
  });

  it("calls again later who asks for it, without counting a failure", async () => {
    let calls = 0;
    open({
      call_hint: async () => {
        calls += 1;
        return calls < 3 ? { againAtMs: Date.now() + 50 } : undefined;
      },
    });
    await put("call_hint", ["early"]);
    await untilEmpty();
    expect(calls).toBe(3);
  });

  it("gives what a stop interrupts to whoever comes next", async () => {
    await put("delivery", ["slow"]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = false;
    const first = open({
      delivery: () => {
        begun = true;
        return held;
      },
    });
    await until("it to be under way", () => begun);
    const stopping = first.relay.stop();
    release();
    await stopping;
    await untilEmpty();
  });
});
