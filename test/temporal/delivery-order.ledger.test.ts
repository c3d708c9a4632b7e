import { sql } from "drizzle-orm";
import { beforeEach, expect, it, onTestFinished } from "vitest";

import { LedgerUnavailableError, rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { countOutbox, OUTBOX_KINDS, putOutbox, type OutboxKind } from "../../src/ledger/ground/outbox.ts";
import type { RelayHandler } from "../../src/temporal/relay-row.ts";
import { startRelay, type Relay } from "../../src/temporal/relay.ts";
import { describeSomeLedger, given } from "../support/ledgers.ts";
import { seededRandom } from "../support/random.ts";
import { until } from "../support/until.ts";

/*
 * Deliveries through several processes: what is told of one person is done in the order of acceptance, whatever
 * happens to those who do it, and nobody waits for anybody else's. A subject names its people: "7 1,2,9" is the
 * delivery with the number 7, about three of them.
 */

const TAKE_OVER_MS = 600;

describeSomeLedger("deliveries in the hands of several processes", (ledger) => {
  beforeEach(async () => {
    await rows(ledger().db, sql`delete from outbox`);
    await rows(ledger().db, sql`delete from delivery_people`);
  });

  const peopleIn = (subject: string) => (subject.split(" ")[1] ?? "").split(",").map(Number);
  const accept = (subject: string) =>
    ledger().transaction((tx) => putOutbox(tx, [{ kind: "delivery", subject, dueAtMs: Date.now() }]));
  const untilEmpty = () =>
    until("an empty outbox", async () => (await countOutbox(ledger().db)).length === 0);

  const open = (delivery: RelayHandler, through: Ledger = ledger()): Relay => {
    const missing: RelayHandler = () => Promise.reject(new Error("nobody expected this kind"));
    const relay = startRelay({
      ledger: through,
      handlers: {
        ...(Object.fromEntries(OUTBOX_KINDS.map((kind) => [kind, missing])) as Record<
          OutboxKind,
          RelayHandler
        >),
        delivery,
      },
      peopleOf: async (subject) => peopleIn(subject),
      isPlatformAway: () => false,
      log: { info() {}, warn() {}, error() {} },
      now: Date.now,
      takeOverMs: TAKE_OVER_MS,
    });
    onTestFinished(() => relay.stop());
    return relay;
  };
  const gate = () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    onTestFinished(release);
    return { release, released };
  };

  it("do not wait for one that is about others, and wait for one that is about one of theirs", async () => {
    const { release, released } = gate();
    const begun: string[] = [];
    const handler = async (subject: string) => {
      begun.push(subject);
      if (subject.startsWith("slow")) await released;
    };
    await accept("slow 1,2");
    await accept("same 2");
    await accept("after 2,3");
    await accept("other 4");
    open(handler);
    open(handler);
    await until("the other", () => begun.includes("other 4"));
    await accept("later 5");
    await until("a later one", () => begun.includes("later 5"));
    expect(begun.toSorted()).toEqual(["later 5", "other 4", "slow 1,2"]);
    release();
    await untilEmpty();
    expect(begun.slice(-2)).toEqual(["same 2", "after 2,3"]);
  });

  it("of a few people do not wait for lists, however many of those there are", async () => {
    const { release, released } = gate();
    const begun: string[] = [];
    const list = (nth: number) => Array.from({ length: 150 }, (_, n) => nth * 1_000 + n).join(",");
    for (let nth = 1; nth <= 12; nth += 1) await accept(`list${nth} ${list(nth)}`);
    open(async (subject) => {
      begun.push(subject);
      if (subject.startsWith("list")) await released;
    });
    await until("lists to be in hand", () => begun.length > 0);
    await accept("lead 7");
    await until("the lead", () => begun.includes("lead 7"));
    expect(begun.filter((subject) => subject.startsWith("list")).length).toBeLessThanOrEqual(2);
    release();
    await untilEmpty();
    expect(begun).toHaveLength(13);
  });

  it("of a process that died are taken over in a moment, and until then hold up their people alone", async () => {
    const { released } = gate();
    let dead = false;
    const dying = throughLedger(ledger(), () => {
      if (dead) throw new LedgerUnavailableError("killed");
    });
    const died: string[] = [];
    await accept("held 1");
    const first = open(async (subject) => {
      died.push(subject);
      await released;
    }, dying);
    await until("it to be in hand", () => died.length === 1);
    await accept("behind 1");
    const done: string[] = [];
    const second = async (subject: string) => void done.push(subject);
    dead = true;
    void first;
    open(second);
    await accept("beside 2");
    await untilEmpty();
    expect(done.filter((subject) => subject.endsWith("1"))).toEqual(["held 1", "behind 1"]);
    expect(done).toContain("beside 2");
  });

  it("in hand for longer than a take-over takes stay where they are", async () => {
    const { release, released } = gate();
    const begun: string[] = [];
    const handler = async (subject: string) => {
      begun.push(subject);
      await released;
    };
    await accept("long 1");
    open(handler);
    open(handler);
    await until("it to be in hand", () => begun.length > 0);
    const [before] = await rows<{ due: string }>(ledger().db, sql`select due_at::text as due from outbox`);
    await until("its lease to be renewed several times", async () => {
      const [now] = await rows<{ late: boolean }>(
        ledger().db,
        sql`select due_at > ${given(before).due}::timestamptz + interval '2 seconds' as late from outbox`,
      );
      return now?.late;
    });
    expect(begun).toEqual(["long 1"]);
    release();
    await untilEmpty();
  });

  it("keep the order of each person under kills and outages", async () => {
    const random = seededRandom("the order of deliveries");
    const below = (n: number) => Math.floor(random() * n);
    const accepted: string[] = [];
    const done = new Set<string>();
    const disorder: string[] = [];
    let away = false;
    const refuseWhileAway = () => {
      if (away) throw new LedgerUnavailableError("away");
    };
    const handler = async (subject: string) => {
      const people = new Set(peopleIn(subject));
      const before = accepted.slice(0, accepted.indexOf(subject));
      const overtaken = before.find((one) => !done.has(one) && peopleIn(one).some((who) => people.has(who)));
      if (overtaken !== undefined && !done.has(subject)) disorder.push(`${subject} before ${overtaken}`);
      await countOutbox(ledger().db);
      refuseWhileAway();
      done.add(subject);
    };
    const openOne = () => {
      const life = { dead: false };
      const die = () => {
        if (life.dead) throw new LedgerUnavailableError("killed");
      };
      const through = throughLedger(ledger(), () => {
        die();
        refuseWhileAway();
      });
      open(async (subject) => {
        die();
        await handler(subject);
        // Killed after it was done, and before anybody was told.
        die();
      }, through);
      return life;
    };
    let lives = [openOne(), openOne()];
    for (let n = 0; n < 60; n += 1) {
      const many = random() < 0.1 ? 20 : 1 + below(3);
      const subject = `${n} ${Array.from({ length: many }, () => below(8)).join(",")}`;
      // Acknowledged before the next one is sent.
      accepted.push(subject);
      await accept(subject);
      if (random() < 0.05) {
        given(lives[below(2)]).dead = true;
        lives = [...lives.filter((life) => !life.dead), openOne()];
      }
      away = random() < 0.1;
    }
    away = false;
    await untilEmpty();
    expect(disorder).toEqual([]);
    expect([...done].toSorted()).toEqual(accepted.toSorted());
  });
});

/** A ledger that asks first. */
function throughLedger(ledger: Ledger, ask: () => void): Ledger {
  const asking = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        if (name === "execute") ask();
        const value: unknown = Reflect.get(inner, name);
        return typeof value === "function" ? value.bind(inner) : value;
      },
    });
  return {
    ...ledger,
    db: asking(ledger.db),
    async transaction(work) {
      ask();
      return ledger.transaction(work);
    },
  };
}
