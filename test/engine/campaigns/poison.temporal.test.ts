import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";

import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { expectAccounted, expectEachDialOnce } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";

const ITEMS = "GET /v1/batch-calls/:id/items";
const CALLS = "GET /v1/calls";

describe("one thing that makes no sense", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 500_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const open = async (callBoundMs = 60 * 60_000) => {
      engine = await startEngine(ledger(), { speed: 200, pace: { callBoundMs } });
      await engine.startWorkers();
      return engine;
    };
    afterEach(() => engine.close());
    const told = async (resolved = false) => {
      const { items } = await listAttention(ledger().db, { kind: "step_failing", resolved, limit: 100 });
      return items;
    };
    const outcomesOf = async (id: string) => {
      const found = await rows<{ phone: string; outcome: string }>(
        ledger().db,
        sql`select phone, outcome from contacts where campaign_id = ${id}::uuid`,
      );
      return new Map(found.map(({ phone, outcome }) => [phone, outcome]));
    };

    it("in an item, of times, counts, texts and durations, loses nobody's outcome", async () => {
      await open();
      const phones = people(30);
      const poisoned = given(phones[7]);
      for (const phone of phones) engine.sandbox.outcomes.force(phone, ["answered"]);
      const times = { started_at: "0000-01-01T00:00:00Z", completed_at: "99999" };
      const item = {
        ...times,
        attempt_count: "1e999",
        error_message: "\u0000\ud800".repeat(9),
        item_id: "i\u00e9 /../x",
      };
      const call = {
        start_time: "-271821-04-20",
        end_time: "99999",
        duration_seconds: -1e308,
        status: "ended",
      };
      engine.sandbox.faults.add({ kind: "garble", route: ITEMS, phone: poisoned, fields: item });
      engine.sandbox.faults.add({ kind: "garble", route: CALLS, phone: poisoned, fields: call });
      const id = await startTestCampaign(engine, phones, { concurrency: 30 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect(new Set((await outcomesOf(id)).values())).toEqual(new Set(["answered"]));
      expect(engine.logged.filter(({ message }) => message.includes("follower failed"))).toEqual([]);
    });

    it("about a batch keeps none of the others, and its people end as unknown, which people are told", async () => {
      // However slow the machine is, it is told before it is given up, which takes a bound that the test sets then.
      await open();
      const phones = people(40);
      for (const phone of phones) engine.sandbox.outcomes.force(phone, ["answered"]);
      // All lines are taken for as long as it takes.
      engine.sandbox.faults.add({ kind: "never_finish", times: 10 });
      const id = await startTestCampaign(engine, phones, { concurrency: 10 });
      const batch = await until("a batch to run with all lines", async () => {
        const batches = await listUnsettled(ledger().db, id);
        return batches.find((one) => one.startSeenAtMs !== undefined && one.held === 10);
      });
      const route = "GET /v1/batch-calls/:id";
      engine.sandbox.faults.add({
        kind: "garble",
        route,
        id: given(batch.platformBatchId),
        row: "gone fishing",
      });
      const mine = await rows<{ phone: string }>(
        ledger().db,
        sql`select phone from attempts where batch_id = ${batch.id}::uuid and state = 'open'`,
      );
      for (const { phone } of mine) {
        for (const list of [ITEMS, CALLS])
          engine.sandbox.faults.add({ kind: "garble", route: list, phone, row: { nothing: "here" } });
      }
      const subject = `batch ${batch.id} tend`;
      await until("the batch to be told of", async () =>
        (await told()).some((one) => one.subject === subject),
      );
      engine.deps.pace.callBoundMs = 5_000;
      await until("the batch to be given up", async () => {
        const batches = await listUnsettled(ledger().db, id);
        return batches.every((one) => one.id !== batch.id);
      });
      // The others have as long as they need.
      engine.deps.pace.callBoundMs = 60 * 60_000;
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectEachDialOnce(engine, id);
      const outcomes = await outcomesOf(id);
      const lost = new Set(mine.map(({ phone }) => phone));
      expect(lost.size).toBeGreaterThan(0);
      for (const phone of phones) expect(outcomes.get(phone)).toBe(lost.has(phone) ? "unknown" : "answered");
      const entry = given((await told(true)).find((one) => one.subject === subject));
      expect(entry.summary).toContain("not as documented");
      await until("the entry to be taken off", async () =>
        (await told()).every((one) => one.subject !== subject),
      );
      const lostFor = await listAttention(ledger().db, { kind: "batch_stuck", resolved: false, limit: 10 });
      expect(lostFor.items).toMatchObject([
        { subject: batch.id, summary: expect.stringContaining(`${lost.size} of its people`) },
      ]);
    });

    it("that the ledger refuses keeps neither the follower, nor its batch's others, nor other batches", async () => {
      await open();
      const phones = people(30);
      const poisoned = given(phones[3]);
      for (const phone of phones) engine.sandbox.outcomes.force(phone, ["answered"]);
      await refuseEndsOf(poisoned);
      const id = await startTestCampaign(engine, phones, { concurrency: 10 });
      await until("all others to have their outcome", async () => {
        const report = await readReport(ledger().db, id);
        return report?.dispositions["answered"] === phones.length - 1;
      });
      const entry = await until("it to be told of", async () =>
        (await told()).find(({ subject }) => subject.endsWith(" settle")),
      );
      expect(entry.summary).toContain("a poisoned row");
      expect(entry.summary).not.toContain(poisoned);
      expect(engine.logged.filter(({ message }) => message.includes("follower failed"))).toEqual([]);
      await rows(ledger().db, sql`drop trigger refuse_poison on attempts`);
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect((await outcomesOf(id)).get(poisoned)).toBe("answered");
      await until("the entry to be taken off", async () => (await told()).length === 0);
    });

    /** Has the database refuse whatever ends this number's attempt. */
    const refuseEndsOf = async (phone: string) => {
      await rows(
        ledger().db,
        sql.raw(`create function refuse_poison() returns trigger language plpgsql as $$
          begin
            if new.phone = '${phone}' and new.state = 'ended' then raise exception 'a poisoned row' using errcode = 'check_violation'; end if;
            return new;
          end $$`),
      );
      await rows(
        ledger().db,
        sql`create trigger refuse_poison before update on attempts for each row execute function refuse_poison()`,
      );
    };
  });
});
