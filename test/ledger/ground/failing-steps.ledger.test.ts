import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  dropOverFailures,
  noteFailure,
  noteSuccess,
  type Failure,
  type Port,
  type Step,
} from "../../../src/ledger/ground/failing-steps.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { answered } from "../support/follow-up-scenario.ts";
import {
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  planAndStart,
  running,
  SECOND_MS,
} from "../support/scenario.ts";

const AWAY_MS = 15 * MINUTE_MS;

describeLedgers("a step that fails again and again", (opened) => {
  /** As a process of its own has it: what is counted is counted by process. */
  let ledger: Ledger;
  let nowMs = NOW_MS;
  const logged: string[] = [];
  const log = { warn: (_fields: object, message: string) => void logged.push(message) };
  const step: Step = { of: "batch", id: "b1", verb: "tend" };
  const fail = (changes: Partial<Failure> & { step?: Step; ledger?: Ledger } = {}) =>
    noteFailure(changes.ledger ?? ledger, changes.step ?? step, {
      error: new Error("it makes no sense"),
      awayMs: AWAY_MS,
      nowMs,
      log,
      ...changes,
    });
  const succeed = (of: Step = step, ports: readonly Port[] = ["ledger"], from = ledger) =>
    noteSuccess(from, of, { ports, nowMs, log });
  const open = async () => (await listAttention(opened().db, { resolved: false, limit: 100 })).items;
  const subjects = async () => (await open()).map(({ subject }) => subject);

  beforeEach(() => {
    ledger = { ...opened() };
    nowMs += HOUR_MS;
    logged.length = 0;
  });
  afterEach(() => rows(opened().db, sql`delete from attention`));

  it("comes before people with its cause from the fifth time in a row on, and goes when it succeeds", async () => {
    for (let nth = 1; nth <= 4; nth += 1) await fail();
    expect(await open()).toEqual([]);
    await succeed();
    for (let nth = 1; nth <= 5; nth += 1) await fail();
    const [entry] = await open();
    expect(entry).toMatchObject({ kind: "step_failing", subject: "batch b1 tend", times: 1 });
    expect(entry?.summary).toMatch(
      /^to tend batch b1 fails again and again \(5 times in a row since .*Z\): it makes no sense$/,
    );
    await succeed();
    expect(await open()).toEqual([]);
  });

  it("is told of as Temporal counted it, which outlives the process", async () => {
    await fail({ tries: 7 });
    expect((await open())[0]?.summary).toContain("7 times in a row");
  });

  it("is told of again only minutes later, with the cause that it has by then", async () => {
    for (let nth = 1; nth <= 20; nth += 1) await fail();
    expect(await open()).toMatchObject([{ times: 1 }]);
    nowMs += 6 * MINUTE_MS;
    await fail({ error: new Error("now it is something else") });
    expect(await open()).toMatchObject([
      { times: 2, summary: expect.stringContaining("now it is something else") },
    ]);
  });

  it("is counted and told of by a clock that is set back meanwhile", async () => {
    for (let nth = 1; nth <= 5; nth += 1) await fail({ nowMs: nowMs + 10 * HOUR_MS });
    expect(await open()).toMatchObject([{ times: 1 }]);
    // Not before it is there again, ten hours later: anew, from when it was set back.
    for (let nth = 1; nth <= 5; nth += 1) await fail({ error: new Error("now it is something else") });
    expect(await open()).toMatchObject([
      { times: 2, summary: expect.stringContaining(`since ${new Date(nowMs).toISOString()}`) },
    ]);
  });

  it("is told of once by moments that lie before each other by a little", async () => {
    for (let nth = 1; nth <= 8; nth += 1) await fail({ nowMs: nowMs - nth });
    expect(await open()).toMatchObject([{ times: 1 }]);
    expect((await open())[0]?.summary).toContain(`since ${new Date(nowMs - 5).toISOString()}`);
  });

  it("names the campaign that it concerns, in its brand", async () => {
    const campaign = await running(opened(), freshPhones(1), { brand: "acme", name: `acme ${nowMs}` });
    const [batchId] = await planAndStart(opened(), campaign);
    await fail({ tries: 5, step: { of: "batch", id: given(batchId), verb: "tend" } });
    await fail({ tries: 5, step: { of: "campaign", id: campaign, verb: "plan" } });
    for (const entry of await open())
      expect(entry).toMatchObject({
        brand: "acme",
        summary: expect.stringContaining(`(campaign acme ${nowMs})`),
      });
  });

  it("is taken off by whichever process succeeds", async () => {
    await fail({ tries: 5 });
    const other = { ...opened() };
    await succeed(step, ["ledger"], other);
    expect(await open()).toEqual([]);
    // What it learned of the list is a minute old at most.
    await fail({ tries: 5, nowMs: nowMs + AWAY_MS });
    nowMs += 2 * MINUTE_MS;
    await succeed(step, ["ledger"], other);
    expect(await open()).toEqual([]);
  });

  it.each(["action", "schedule", "schedule run", "automation"] as const)(
    "of a kind %s is taken off by a process that succeeded before it knew of the entry",
    async (of) => {
      const one: Step = { of, id: "x1", verb: "do" };
      const other = { ...opened() };
      // The list as it is known there has no entry yet, and is asked for again only a minute later.
      await succeed({ of: "chore", id: "anything", verb: "do" }, [], other);
      await fail({ step: one, tries: 5 });
      nowMs += SECOND_MS;
      await succeed(one, [], other);
      expect(await subjects()).toHaveLength(1);
      nowMs += 2 * MINUTE_MS;
      await succeed({ of: "chore", id: "anything", verb: "do" }, [], other);
      expect(await open()).toEqual([]);
      // One that failed behind its success stays.
      await succeed(one, [], other);
      nowMs += SECOND_MS;
      await fail({ step: one, tries: 5, nowMs: nowMs + HOUR_MS });
      nowMs += 2 * MINUTE_MS;
      await succeed({ of: "chore", id: "anything", verb: "do" }, [], other);
      expect(await subjects()).toHaveLength(1);
    },
  );

  it("of an action, a schedule, a run or an automation that is over is taken off, and of an open one stays", async () => {
    const ids = { schedule: randomUUID(), run: randomUUID(), automation: randomUUID(), action: randomUUID() };
    const followUpId = await answered(opened(), {});
    const { db } = opened();
    await rows(
      db,
      sql`insert into schedules (id, name, definition, digest, state, actor, created_at, updated_at)
          values (${ids.schedule}::uuid, ${ids.schedule}, '{}', 'd', 'active', 'test', now(), now())`,
    );
    await rows(
      db,
      sql`insert into schedule_runs (id, schedule_id, run_key, due_at, cause, state, created_at)
          values (${ids.run}::uuid, ${ids.schedule}::uuid, 'k', now(), 'now', 'running', now())`,
    );
    await rows(
      db,
      sql`insert into automations (id, name, definition, digest, state, progress, actor, created_at, updated_at)
          values (${ids.automation}::uuid, ${ids.automation}, '{}', 'd', 'changing', '{}', 'test', now(), now())`,
    );
    await rows(
      db,
      sql`insert into actions (id, follow_up_id, owner, n, kind, spec, state, created_at)
          values (${ids.action}::uuid, ${followUpId}::uuid, 'rule', 0, 'tag', '{}', 'waiting', now())`,
    );
    const steps: Step[] = [
      { of: "action", id: ids.action, verb: "perform" },
      { of: "schedule", id: ids.schedule, verb: "keep" },
      { of: "schedule run", id: ids.run, verb: "advance" },
      { of: "automation", id: ids.automation, verb: "tend" },
    ];
    for (const one of steps) await fail({ step: one, tries: 5 });
    await dropOverFailures(opened(), nowMs);
    expect(await subjects()).toHaveLength(4);
    await rows(db, sql`update actions set state = 'done', ended_at = now() where id = ${ids.action}::uuid`);
    await rows(db, sql`update schedules set state = 'removed' where id = ${ids.schedule}::uuid`);
    await rows(
      db,
      sql`update schedule_runs set state = 'done', ended_at = now() where id = ${ids.run}::uuid`,
    );
    await rows(db, sql`update automations set state = 'ready' where id = ${ids.automation}::uuid`);
    await dropOverFailures(opened(), nowMs);
    expect(await open()).toEqual([]);
    // What is compared is so as long as it is there.
    await fail({ tries: 5, step: { of: "automation", id: ids.automation, verb: "compare" } });
    await dropOverFailures(opened(), nowMs);
    expect(await subjects()).toEqual([`automation ${ids.automation} compare`]);
    await rows(db, sql`update automations set state = 'removed' where id = ${ids.automation}::uuid`);
    await dropOverFailures(opened(), nowMs);
    expect(await open()).toEqual([]);
  });

  describe("because a port is away", () => {
    it("is told so long after a clock was set back as it may be away, and not when that is there again", async () => {
      const gone = (ms: number) =>
        fail({ step: { of: "batch", id: "b1", verb: "tend" }, away: "Temporal", nowMs: nowMs + ms });
      await gone(10 * HOUR_MS);
      await gone(0);
      await gone(AWAY_MS - 1);
      expect(await open()).toEqual([]);
      await gone(AWAY_MS);
      expect(await subjects()).toEqual(["Temporal"]);
    });

    const away = (id: string) => fail({ step: { of: "batch", id, verb: "tend" }, away: "platform" });

    it("is one entry of the port, after a while, which goes when it answers anybody", async () => {
      for (let minute = 0; minute < 14; minute += 1) {
        for (const id of ["b1", "b2", "b3"]) await away(id);
        nowMs += MINUTE_MS;
      }
      expect(await open()).toEqual([]);
      nowMs += MINUTE_MS;
      for (const id of ["b1", "b2", "b3"]) await away(id);
      expect(await subjects()).toEqual(["platform"]);
      expect((await open())[0]?.summary).toContain("the platform has given no answer that can be used since");
      await succeed({ of: "batch", id: "b9", verb: "create" }, ["ledger", "platform"]);
      expect(await open()).toEqual([]);
    });

    it("for it alone is an entry of its own", async () => {
      for (let minute = 0; minute <= 20; minute += 1) {
        await away("b1");
        nowMs += SECOND_MS;
        await succeed({ of: "batch", id: "b2", verb: "tend" }, ["platform"]);
        nowMs += MINUTE_MS;
      }
      expect(await subjects()).toEqual(["batch b1 tend"]);
    });

    it("while it answers now and then is no entry at all", async () => {
      for (let minute = 0; minute <= 60; minute += 1) {
        for (const id of ["b1", "b2", "b3"]) await away(id);
        if (minute % 4 === 0)
          for (const id of ["b1", "b2", "b3"]) await succeed({ of: "batch", id, verb: "tend" }, ["platform"]);
        nowMs += MINUTE_MS;
      }
      expect(await open()).toEqual([]);
    });
  });

  it("in a ledger that does not take the entry is logged, and nothing else is lost", async () => {
    const db = new Proxy(opened().db, {
      get: () => () => Promise.reject(new Error("the ledger is away")),
    });
    await fail({ ledger: { ...opened(), db }, tries: 5 });
    expect(logged).toEqual(["what keeps failing could not be told"]);
    await succeed(step, [], { ...opened(), db });
    expect(logged).toHaveLength(2);
  });

  it("of a thing that is over is taken off", async () => {
    const campaign = await running(opened(), freshPhones(2), {});
    const [batchId] = await planAndStart(opened(), campaign);
    await fail({ tries: 5 });
    await fail({ tries: 5, step: { of: "batch", id: given(batchId), verb: "tend" } });
    await fail({ tries: 5, step: { of: "campaign", id: campaign, verb: "plan" } });
    await fail({ tries: 5, step: { of: "enrolment", id: "e1", verb: "advance" } });
    await fail({ tries: 5, step: { of: "chore", id: "sweeper", verb: "do" } });
    await dropOverFailures(opened(), nowMs);
    expect(await subjects()).toEqual([
      `batch ${batchId} tend`,
      `campaign ${campaign} plan`,
      "chore sweeper do",
    ]);
    await rows(opened().db, sql`update batches set state = 'settled', held = 0 where id = ${batchId}::uuid`);
    await rows(opened().db, sql`update campaigns set ended_at = now() where id = ${campaign}::uuid`);
    await dropOverFailures(opened(), nowMs);
    expect(await subjects()).toEqual(["chore sweeper do"]);
  });
});
