import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { listAttention } from "../../src/ledger/attention.ts";
import { rows, type Ledger } from "../../src/ledger/connection.ts";
import {
  dropOverFailures,
  noteFailure,
  noteSuccess,
  type Failure,
  type Port,
  type Step,
} from "../../src/ledger/failing-steps.ts";
import { describeLedgers, given } from "../support/ledgers.ts";
import {
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  planAndStart,
  running,
  SECOND_MS,
} from "./support/scenario.ts";

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

  describe("because a port is away", () => {
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
