import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { lookForInboundCalls } from "../../../src/chores/triggers/inbound.ts";
import { checkAgainstPlatform } from "../../../src/activities/campaigns/restore-check.ts";
import { sweep } from "../../../src/chores/recovery/sweep.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { TIME_SHAPES } from "../../../src/sandbox/faults.ts";
import { contactsOf, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openCallsServer } from "../../support/calls-server.ts";
import { intakeDeps } from "../../support/intake.ts";
import { withRestorable } from "../../support/restoring.ts";
import { beginOne, openStepping, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const ITEMS = "GET /v1/batch-calls/:id/items";
const HOUR_MS = 3_600_000;

/** Runs something as a machine in that zone would. Node reads the variable anew whenever it is set. */
async function inZone(zone: string, work: () => Promise<void>): Promise<void> {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  }
}

/** East of UTC what is now seems long ago; west of it what is over seems to be to come. */
const ZONES = ["Asia/Kolkata", "America/St_Johns"];

describe("times that the platform writes in a way of its own", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 500_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const dial = async (phones: readonly string[], changes = {}) => {
      const id = await running(ledger(), phones, { ...SPEC, concurrency: 5, ...changes }, Date.now());
      const batchId = await beginOne(deps, id);
      return { id, batchId };
    };
    const untilUp = (batchId: string, count: number) =>
      until("the calls to be up", async () => {
        await tendBatch(deps, { batchId, lastStep: "tend" });
        const [up] = await rows<{ n: number }>(
          ledger().db,
          sql`select count(call_id)::int as n from attempts where batch_id = ${batchId}::uuid and state = 'open'`,
        );
        return given(up).n === count;
      });
    /** When an attempt is said to have begun and ended, in milliseconds after it was planned and before now. */
    const timesOf = async (campaignId: string) => {
      const found = await rows<{ after_plan: number | null; before_now: number | null }>(
        ledger().db,
        sql`select extract(epoch from least(started_at, ended_at) - planned_at)::float8 as after_plan,
              extract(epoch from now() - greatest(started_at, ended_at))::float8 as before_now
            from attempts where campaign_id = ${campaignId}::uuid`,
      );
      return found;
    };
    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    describe.each(ZONES)("on a machine in %s", (zone) => {
      it.each(TIME_SHAPES)("written as %s end no call that is a moment old", async (shape) => {
        await inZone(zone, async () => {
          const [phone = ""] = people(1);
          stepping.sandbox.faults.add({ kind: "time_shape", shape });
          stepping.sandbox.faults.add({ kind: "never_finish", phone });
          const { id, batchId } = await dial([phone]);
          await untilUp(batchId, 1);
          const patient = { ...deps, pace: { ...deps.pace, callBoundMs: 2 * HOUR_MS } };
          expect((await sweep(patient)).detail).toEqual({});
          expect(stepping.sandbox.stats().activeCalls).toBe(1);
          for await (const call of stepping.platform.calls.iterate())
            if (call.to_number === phone) await stepping.platform.calls.end(call.call_id);
          await takeToEnd(deps, batchId);
          const [times] = await timesOf(id);
          expect(given(times).after_plan).toBeGreaterThanOrEqual(0);
          expect(given(times).before_now).toBeGreaterThanOrEqual(0);
          expect(given(times).before_now).toBeLessThan(60);
        });
      });

      it("lose nobody who calls us", async () => {
        const server = await openCallsServer();
        try {
          await inZone(zone, async () => {
            const nowMs = Date.now();
            const mine = intakeDeps(ledger(), server.platform, () => nowMs);
            const [phone = ""] = people(1);
            await running(ledger(), [phone], { inbound: "close" }, nowMs);
            server.calls.set(phone, {
              call_id: phone,
              call_type: "inbound",
              status: "ended",
              from_number: phone,
              to_number: "+12025550100",
              duration_seconds: 12,
              created_at: new Date(nowMs).toISOString(),
              start_time: new Date(nowMs - 60_000).toISOString().slice(0, 19),
              end_time: new Date(nowMs - 30_000).toISOString().slice(0, 19),
            });
            expect(await lookForInboundCalls(mine)).toEqual({ looked: true, found: 1 });
            const [call] = await rows<{ ago: number; long: number }>(
              ledger().db,
              sql`select extract(epoch from created_at - at)::float8 as ago, extract(epoch from ended_at - at)::float8 as long
                  from inbound_calls where phone = ${phone}`,
            );
            expect(given(call).ago).toBeGreaterThanOrEqual(60);
            expect(given(call).ago).toBeLessThan(62);
            expect(given(call).long).toBe(30);
          });
        } finally {
          await server.close();
        }
        await rows(ledger().db, sql`delete from watermarks`);
      });
    });

    // West of UTC they would seem to be to come.
    it("hide no begun batch from whoever looks whether the ledger was restored", async () => {
      await inZone("Asia/Kolkata", () =>
        withRestorable(stepping, async (restorable) => {
          const phones = people(2);
          const id = await running(restorable.ledger, phones, SPEC, Date.now());
          await restorable.backUp();
          await takeToEnd(restorable.deps, await beginOne(restorable.deps, id));
          await restorable.restore();
          stepping.sandbox.faults.add({ kind: "time_shape", shape: "naive" });
          await checkAgainstPlatform(restorable.deps);
          const { recoveryReason } = await readInstallation(restorable.ledger.db);
          expect(recoveryReason).toContain("has begun a batch");
        }),
      );
    });

    describe("that can't be", () => {
      const IMPOSSIBLE = [
        ["before our era", "0000-01-01T00:00:00Z"],
        ["a year without a month", "99999"],
        ["beyond what a database holds", "+275760-09-13T00:00:00.000Z"],
        ["long before there was a platform", "1970-01-01T00:00:00Z"],
        ["in the next century", "2142-01-01T00:00:00Z"],
        ["a year from now", new Date(Date.now() + 365 * 24 * HOUR_MS).toISOString()],
        ["a year ago", new Date(Date.now() - 365 * 24 * HOUR_MS).toISOString()],
        ["no time at all", "soon"],
        ["an object", { seconds: 12 }],
        ["a huge number", 1e300],
      ] as const;
      it.each(IMPOSSIBLE)("(%s) keep nobody's outcome out of the ledger", async (_, time) => {
        const phones = people(3);
        const [poisoned = ""] = phones;
        stepping.sandbox.outcomes.force(poisoned, ["answered"]);
        const fields = { started_at: time, completed_at: time, start_time: time, end_time: time };
        stepping.sandbox.faults.add({ kind: "garble", route: ITEMS, phone: poisoned, fields });
        stepping.sandbox.faults.add({ kind: "garble", route: "GET /v1/calls", phone: poisoned, fields });
        const { id, batchId } = await dial(phones);
        await takeToEnd(deps, batchId);
        const people_ = await contactsOf(ledger(), id);
        expect(people_.every((contact) => contact.attempts === 1)).toBe(true);
        expect(people_.find((contact) => contact.phone === poisoned)).toMatchObject({ outcome: "answered" });
        for (const times of await timesOf(id)) {
          expect(times.after_plan ?? 0).toBeGreaterThanOrEqual(0);
          expect(times.before_now ?? 0).toBeGreaterThanOrEqual(0);
        }
      });
    });
  });
});
