import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { sweep } from "../../../src/chores/recovery/sweep.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation, requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { readLastSweep } from "../../../src/ledger/ground/sweeps.ts";
import { running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const HOUR_MS = 60 * 60_000;

describe("the sweeper", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 300_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    /** So much later, by our own clock: nobody waits for hours here. */
    const later = (ms: number): ActivityDeps => ({
      ...deps,
      now: () => Date.now() + ms,
      pace: { ...deps.pace, callBoundMs: HOUR_MS, batchLookMs: 10 * 60_000 },
    });
    const outcomesOf = async (campaignId: string) => {
      const contacts = await rows<{ came: string }>(
        ledger().db,
        sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid order by id`,
      );
      return contacts.map(({ came }) => came);
    };
    /** Dials some people, and sees their calls up. */
    const dial = async (phones: readonly string[], changes = {}) => {
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 5, ...changes }, Date.now());
      const batchId = await beginOne(deps, id);
      await until("the calls to be up", async () => {
        await tendBatch(deps, { batchId, lastStep: "tend" });
        const [up] = await rows<{ n: number }>(
          ledger().db,
          sql`select count(started_at)::int as n from attempts where batch_id = ${batchId}::uuid`,
        );
        return given(up).n === phones.length;
      });
      return { id, batchId };
    };
    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    afterEach(async () => {
      stepping.sandbox.faults.clear();
      await rows(ledger().db, sql`delete from outbox`);
    });
    afterAll(() => stepping.close());

    it("finds nothing where everything is on its way", async () => {
      const report = await sweep(deps);
      expect(report).toMatchObject({ found: 0, settled: 0, detail: {} });
      expect(await readLastSweep(ledger().db)).toEqual(report);
    });

    it("ends a call that is up for longer than any call is, and books what it came to", async () => {
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "never_finish", phone });
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered" }]);
      const { id, batchId } = await dial([phone]);
      // One that is ended while it rings was answered by nobody.
      let talksSinceMs = Number.POSITIVE_INFINITY;
      await until("somebody to have talked for some seconds", () => {
        const isTalking = stepping.sandbox.dialLog
          .calls()
          .some((call) => call.phone === phone && call.connectedAt !== null);
        if (isTalking) talksSinceMs = Math.min(talksSinceMs, Date.now());
        return Date.now() - talksSinceMs >= 50;
      });
      // Not before its time.
      expect((await sweep(later(HOUR_MS / 2))).found).toBe(0);
      expect(stepping.sandbox.stats().activeCalls).toBe(1);
      const report = await sweep(later(HOUR_MS + 60_000));
      expect(report.detail).toMatchObject({ calls_up: 1, calls_up_settled: 1 });
      expect(stepping.sandbox.stats().activeCalls).toBe(0);
      expect(await outcomesOf(id)).toEqual(["answered"]);
      expect((await readBatch(ledger().db, batchId))?.state).toBe("settled");
      expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(1);
    });

    it("settles a call that is over although its item says for ever that it is up", async () => {
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "item_words", words: { completed: "in_progress" } });
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 2_000 }]);
      const { id } = await dial([phone]);
      await until("the call to be over", () => stepping.sandbox.stats().activeCalls === 0);
      const report = await sweep(later(HOUR_MS + 60_000));
      expect(report.detail).toMatchObject({ calls_up: 1, calls_up_settled: 1 });
      expect(await outcomesOf(id)).toEqual(["answered"]);
    });

    it("books what a call that is processed for ever came to without its analysis", async () => {
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "processing", end: "never", phone });
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 1_000 }]);
      const analysis = {
        rules: [{ key: "asked", equals: "yes", disposition: "callback_requested" }],
        wait: "30m",
      };
      const { id, batchId } = await dial([phone], { analysis });
      await until("the call to wait for its processing", async () => {
        await tendBatch(deps, { batchId, lastStep: "tend" });
        const [waiting] = await rows(
          ledger().db,
          sql`select 1 as one from attempts where batch_id = ${batchId}::uuid and state = 'provisional'`,
        );
        return waiting !== undefined;
      });
      expect((await sweep(later(HOUR_MS / 3))).found).toBe(0);
      const report = await sweep(later(HOUR_MS));
      expect(report.detail).toMatchObject({ calls_processing: 1, calls_processing_settled: 1 });
      expect(await outcomesOf(id)).toEqual(["answered"]);
    });

    it("ends a call that is up for too long, however many others still wait for their analysis", async () => {
      const analysis = {
        rules: [{ key: "asked", equals: "yes", disposition: "callback_requested" as const }],
        wait: "6h",
      };
      const nowMs = Date.now();
      for (let batch = 0; batch < 2; batch += 1) {
        const id = await running(ledger(), people(100), { ...SPEC, concurrency: 100, analysis }, nowMs);
        const [batchId = ""] = (await planBatch(deps, { campaignId: id, seenPlannings: 0 }))?.batchIds ?? [];
        await rows(
          ledger().db,
          sql`update attempts set state = 'provisional', call_id = 'call-' || id, started_at = now(), ended_at = now()
              where batch_id = ${batchId}::uuid`,
        );
      }
      const [waiting] = await rows<{ n: number }>(
        ledger().db,
        sql`select count(*)::int as n from attempts where state = 'provisional'`,
      );
      expect(given(waiting).n).toBeGreaterThanOrEqual(200);
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "never_finish", phone });
      await dial([phone]);
      const ended: string[] = [];
      const then = later(3 * HOUR_MS);
      const { calls } = then.platform;
      const end: typeof calls.end = (callId, ...rest) => {
        ended.push(callId);
        return calls.end(callId, ...rest);
      };
      const report = await sweep({ ...then, platform: { ...then.platform, calls: { ...calls, end } } });
      expect(report.detail).toMatchObject({ calls_up: 1 });
      expect(report.detail).not.toHaveProperty("calls_processing");
      expect(ended).toHaveLength(1);
      await rows(
        ledger().db,
        sql`update attempts set state = 'returned' where state = 'provisional' and call_id like 'call-%'`,
      );
      await rows(
        ledger().db,
        sql`update batches set state = 'settled', held = 0, look_by = null where state = 'planned'`,
      );
    });

    it("gives a call up as unknown only at the very end, and says so to people", async () => {
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "never_finish", phone });
      stepping.sandbox.faults.add({ kind: "status", route: "POST /v1/calls/:id/end", status: 409 });
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered" }]);
      const { id } = await dial([phone]);
      const report = await sweep(later(HOUR_MS + 60_000));
      expect(report.detail).toEqual({ calls_up: 1 });
      expect(await outcomesOf(id)).toEqual(["leased"]);
      expect((await sweep(later(2 * HOUR_MS + 60_000))).detail).toMatchObject({
        calls_up: 1,
        calls_up_settled: 1,
      });
      expect(await outcomesOf(id)).toEqual(["unknown"]);
      const { items } = await listAttention(ledger().db, { resolved: false, kind: "no_end", limit: 10 });
      expect(items).toHaveLength(1);
    });

    it("stops a batch that comes no further, and gives back whom it did not dial", async () => {
      const phones = people(3);
      stepping.sandbox.faults.add({ kind: "pickup_delay", ms: 600_000 });
      stepping.sandbox.faults.add({ kind: "batch_words", words: { pending: "running", queued: "running" } });
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 5 }, Date.now());
      const batchId = await beginOne(deps, id);
      await tendBatch(deps, { batchId, lastStep: "tend" });
      expect((await readBatch(ledger().db, batchId))?.state).toBe("running");
      const then = later(2 * HOUR_MS + 60_000);
      expect((await sweep(then)).detail).toMatchObject({ batches: 1 });
      stepping.sandbox.faults.clear();
      await until("the batch to be through", async () => {
        await tendBatch(then, { batchId, lastStep: "tend" });
        return (await readBatch(ledger().db, batchId))?.state === "settled";
      });
      expect((await readBatch(ledger().db, batchId))?.stopReason).toBe("no_progress");
      expect(await outcomesOf(id)).toEqual(["open", "open", "open"]);
      expect(phones.flatMap((phone) => stepping.sandbox.dialLog.of(phone))).toEqual([]);
    });

    it("goes on past what it can't settle, and tells people of that with its cause until it can", async () => {
      const [stuck = "", fine = "", silent = ""] = people(3);
      for (const phone of [stuck, fine, silent])
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 2_000 }]);
      stepping.sandbox.faults.add({ kind: "item_words", words: { completed: "in_progress" } });
      const first = await dial([stuck]);
      const second = await dial([fine]);
      const third = await dial([silent]);
      const ours = () =>
        stepping.sandbox.dialLog.calls().filter((call) => [stuck, fine, silent].includes(call.phone));
      await until("the calls to be over", () => ours().every((call) => call.endedAt !== null));
      let isBroken = true;
      const then = later(HOUR_MS + 60_000);
      const { batchCalls } = then.platform;
      const platformId = given((await readBatch(ledger().db, first.batchId))?.platformBatchId);
      const hostile: ActivityDeps = {
        ...then,
        platform: {
          ...then.platform,
          batchCalls: {
            ...batchCalls,
            get: (id, options) =>
              isBroken && id === platformId
                ? Promise.reject(new TypeError("nobody thought of this"))
                : batchCalls.get(id, options),
          },
          calls: {
            ...then.platform.calls,
            get: async (id, options) => {
              const call = await then.platform.calls.get(id, options);
              if (isBroken && call.to_number === stuck) throw new TypeError("nor of this");
              return call;
            },
          },
        },
      };
      await sweep(hostile);
      expect(await outcomesOf(second.id)).toEqual(["answered"]);
      expect(await outcomesOf(third.id)).toEqual(["answered"]);
      expect(await outcomesOf(first.id)).toEqual(["leased"]);
      for (let passes = 0; passes < 4; passes += 1) await sweep(hostile);
      const failing = async () => {
        const { items } = await listAttention(ledger().db, {
          resolved: false,
          kind: "step_failing",
          limit: 10,
        });
        return items.filter(({ subject }) => subject.includes(first.batchId));
      };
      expect(await failing()).toMatchObject([
        {
          subject: `batch ${first.batchId} tend`,
          summary: expect.stringContaining("nobody thought of this"),
        },
        { subject: `batch ${first.batchId} end`, summary: expect.stringContaining("nor of this") },
      ]);
      isBroken = false;
      await sweep(hostile);
      expect(await outcomesOf(first.id)).toEqual(["answered"]);
      expect(await failing()).toEqual([]);
    });

    it("takes a batch that its workflow never got to for no sign of a restore", async () => {
      const id = await running(ledger(), people(1), { ...SPEC, concurrency: 5 }, Date.now());
      const [batchId = ""] = (await planBatch(deps, { campaignId: id, seenPlannings: 0 }))?.batchIds ?? [];
      expect((await readBatch(ledger().db, batchId))?.state).toBe("planned");
      await sweep(later(HOUR_MS + 60_000));
      expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
      await rows(
        ledger().db,
        sql`update campaigns set state = 'paused', paused_by = 'itself' where id = ${id}::uuid`,
      );
    });

    it("has a delivery that the outbox lost taken up again, once", async () => {
      const triggerId = randomUUID();
      const deliveryId = randomUUID();
      await rows(
        ledger().db,
        sql`insert into triggers (id, name, definition, version, enabled, created_at, updated_at)
            values (${triggerId}::uuid, 'swept', '{}', 1, true, now(), now())`,
      );
      await rows(
        ledger().db,
        sql`insert into deliveries (id, trigger_id, key, digest, received_at, state)
            values (${deliveryId}::uuid, ${triggerId}::uuid, 'k', 'd', now(), 'received')`,
      );
      expect((await sweep(later(HOUR_MS))).detail).toMatchObject({ deliveries: 1 });
      const waiting = await rows<{ subject: string }>(
        ledger().db,
        sql`select subject from outbox where kind = 'delivery'`,
      );
      expect(waiting).toEqual([{ subject: deliveryId }]);
      // What the outbox holds already is not found again as lost.
      expect((await sweep(later(HOUR_MS))).detail).not.toHaveProperty("deliveries");
    });

    it("leaves calls alone while the ledger may be older than what happened", async () => {
      const [phone = ""] = people(1);
      stepping.sandbox.faults.add({ kind: "never_finish", phone });
      const { id } = await dial([phone]);
      await requireRecovery(ledger().db, "a test", Date.now());
      expect((await sweep(later(3 * HOUR_MS))).detail).not.toHaveProperty("calls_up");
      expect(await outcomesOf(id)).toEqual(["leased"]);
    });
  });
});
