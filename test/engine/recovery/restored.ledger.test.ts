import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { recover } from "../../../src/chores/recovery/recover.ts";
import { startRecurringRun } from "../../../src/activities/schedules/start-recurring-run.ts";
import { checkAgainstPlatform } from "../../../src/activities/campaigns/restore-check.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readInstallation, requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery, RecoveryRefusedError } from "../../../src/ledger/recovery/recovery.ts";
import { listRuns } from "../../../src/ledger/schedules/schedule-runs.ts";
import { takeTurn } from "../../../src/ledger/schedules/scheduling.ts";
import type { BatchCall, BatchCallItem, Call, Platform } from "../../../src/platform/index.ts";
import { walk, type Walk } from "../../../src/platform/paging.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { contactsOf, plan, running, tallies, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers, until } from "../../support/engine.ts";
import { given } from "../../support/ledgers.ts";
import { RECURRING_SPEC, recurringOn, recurringSchedule, runOf } from "../../support/recurring.ts";
import { withRestorable, type Restorable } from "../../support/restoring.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  retry: { max_attempts: 2, delays: { no_answer: "1s", busy: "1s", failed: "1s", voicemail: "1s" } },
};

const HOUR_MS = 3_600_000;

describe("a ledger that was restored from a backup", () => {
  let stepping: Stepping;
  let from = 700_000;
  const people = (count: number) => phoneNumbers(count, (from += 1_000));
  const begin = (ledger: Ledger, phones: readonly string[], changes = {}) =>
    running(ledger, phones, { ...SPEC, ...changes }, Date.now());
  const dialsOf = (phones: readonly string[]) =>
    phones.reduce((sum, phone) => sum + stepping.sandbox.dialLog.of(phone).length, 0);
  const force = (phones: readonly string[], outcome: "answered" | "no_answer") => {
    for (const phone of phones) stepping.sandbox.outcomes.force(phone, [outcome]);
  };
  const heldBecause = async (ledger: Ledger) => (await readInstallation(ledger.db)).recoveryReason;
  /** Plans and dials until the campaign has nobody left. */
  const finish = async (deps: ActivityDeps, campaignId: string) => {
    await until("the campaign to be through", async () => {
      const { batchIds, state } = await plan(deps.ledger, campaignId, Date.now());
      for (const batchId of batchIds) {
        await createBatch(deps, { batchId });
        await startBatch(deps, { batchId });
        await takeToEnd(deps, batchId);
      }
      return state === "completed";
    });
    expect(await tallies(deps.ledger, campaignId)).toMatchObject({ open: 0, leased: 0 });
    await expectInvariants(deps.ledger);
  };
  /** What the campaign's people were dialed, batch after batch, since the backup. */
  const dialAll = async (deps: ActivityDeps, campaignId: string) => {
    const batchId = await beginOne(deps, campaignId);
    await takeToEnd(deps, batchId);
    return batchId;
  };
  /** A batch that the ledger has as created, and never started. */
  const createdBefore = async (it: Restorable, phones: readonly string[]) => {
    const id = await begin(it.ledger, phones);
    const [batchId = ""] = await planSome(it.deps, id);
    await createBatch(it.deps, { batchId });
    await it.backUp();
    await it.restore();
    const batch = given(await readBatch(it.ledger.db, batchId));
    return { id, batchId, platformBatchId: given(batch.platformBatchId) };
  };
  const startLate = async (platformBatchId: string, phones: readonly string[]) => {
    await stepping.platform.batchCalls.start(platformBatchId);
    await until("its late start to dial", () => dialsOf(phones) > 0);
  };

  beforeAll(async () => {
    stepping = await openStepping();
  });
  afterEach(() => stepping.sandbox.faults.clear());
  afterAll(() => stepping.close());

  it("whose batch was running books the attempt that followed it, and the contact is not dialed once more", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(1);
      force(phones, "no_answer");
      const id = await begin(it.ledger, phones);
      const first = await beginOne(it.deps, id);
      await it.backUp();
      await takeToEnd(it.deps, first);
      await dialAll(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
      await it.restore();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({
        settledBatches: 1,
        adoptedBatches: 1,
        adoptedAttempts: 1,
      });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
      expect(await contactsOf(it.ledger, id)).toMatchObject([{ outcome: "no_answer", attempts: 2 }]);
    });
  });

  it("whose batch was stopped before its start books the dial that another batch made", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      const [stopped = ""] = await planSome(it.deps, id);
      await createBatch(it.deps, { batchId: stopped });
      await it.backUp();
      await tell(it.ledger, "pause", id, { nowMs: Date.now() });
      await takeToEnd(it.deps, stopped);
      await tell(it.ledger, "resume", id, { nowMs: Date.now() });
      await dialAll(it.deps, id);
      await it.restore();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
      await takeToEnd(it.deps, stopped);
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("whose batch was created keeps the proof of its dial, though its workflow takes the batch back first", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(1);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      const [batchId = ""] = await planSome(it.deps, id);
      await createBatch(it.deps, { batchId });
      await it.backUp();
      await startBatch(it.deps, { batchId });
      await takeToEnd(it.deps, batchId);
      await it.restore();
      await requireRecovery(it.ledger.db, "restored", Date.now());
      await startBatch(it.deps, { batchId });
      await takeToEnd(it.deps, batchId);
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 1, deleted: 0 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(1);
    });
  });

  it("as planned and as created books what those batches dialed, with their own calls", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(4);
      force(phones, "answered");
      const ids = [await begin(it.ledger, phones.slice(0, 2)), await begin(it.ledger, phones.slice(2))];
      const [planned = ""] = await planSome(it.deps, given(ids[0]));
      const [created = ""] = await planSome(it.deps, given(ids[1]));
      await createBatch(it.deps, { batchId: created });
      await it.backUp();
      await createBatch(it.deps, { batchId: planned });
      for (const batchId of [planned, created]) {
        await startBatch(it.deps, { batchId });
        await takeToEnd(it.deps, batchId);
      }
      await it.restore();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({
        adoptedBatches: 2,
        adoptedAttempts: 4,
      });
      for (const id of ids) {
        await finish(it.deps, id);
        for (const contact of await contactsOf(it.ledger, id))
          expect(contact).toMatchObject({ outcome: "answered", attempts: 1 });
      }
      expect(dialsOf(phones)).toBe(4);
    });
  });

  it("whose number was on its way in one campaign and was dialed in another books it there", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(1);
      force(phones, "answered");
      const [one, other] = [await begin(it.ledger, phones), await begin(it.ledger, phones)];
      const first = await beginOne(it.deps, one);
      await it.backUp();
      await takeToEnd(it.deps, first);
      await dialAll(it.deps, other);
      await it.restore();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 1 });
      await finish(it.deps, one);
      await finish(it.deps, other);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("names whom a list that was imported since had dialed, and batches of campaigns that it does not have", async () => {
    await withRestorable(stepping, async (it) => {
      await it.backUp();
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      await dialAll(it.deps, id);
      await it.restore();
      const report = await recover(it.deps, { actor: "test" });
      expect(report).toMatchObject({ looked: 1, adoptedBatches: 0, foreign: [expect.any(String)] });
      // It was told of: no reason to hold dialing at the next start.
      await checkAgainstPlatform(it.deps);
      expect(await heldBecause(it.ledger)).toBeUndefined();
    });
  });

  it("does not run a recurring campaign again that was run since, and leaves out whom that run called", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const { list, deps: lists } = recurringOn(it.ledger);
      list("daily.csv", `phone\n${phones.join("\n")}\n`);
      const depsNow = () => ({ ...it.deps, lists: lists.lists });
      const spec = { ...RECURRING_SPEC, retry: SPEC.retry };
      const schedule = await recurringSchedule(
        it.ledger,
        { spec, contacts: { file: "daily.csv" }, not_called_within: "7d" },
        { cron: undefined, every: "1h", catch_up: "6h" },
        Date.now() - HOUR_MS,
      );
      const dueAtMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
      const decide = async () => {
        const input = { scheduleId: schedule.id, nowMs: dueAtMs };
        return (await it.ledger.transaction((tx) => takeTurn(tx, input))).decided;
      };
      const load = async (runId: string) => {
        const started = await startRecurringRun(depsNow(), { scheduleRunId: runId });
        return "campaignId" in started ? started.campaignId : expect.fail(started.refused);
      };
      const runs = async () =>
        (await listRuns(it.ledger.db, schedule.id, { limit: 9 })).items.map(({ state, id }) => ({
          state,
          id,
        }));
      await it.backUp();
      expect(await decide()).toMatchObject({ begun: 1 });
      await dialAll(it.deps, await load(given((await runs())[0]).id));
      expect(dialsOf(phones)).toBe(2);

      await it.restore();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({
        foreign: [expect.any(String)],
        passedOverSchedules: 1,
      });
      expect(await decide(), "the same due time, looked at once more").toMatchObject({ begun: 0, missed: 0 });
      expect(await runs()).toMatchObject([{ state: "skipped" }]);
      // What a person asks for all the same calls nobody twice.
      const again = await load((await runOf(it.ledger, schedule)).id);
      await finish(it.deps, again);
      expect((await contactsOf(it.ledger, again)).map(({ reason }) => reason)).toEqual([
        "called_lately",
        "called_lately",
      ]);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it.each([2 * HOUR_MS, -2 * HOUR_MS])(
    "is not recovered by a machine whose clock is %i ms ahead: dialing stays held until one that is right does",
    async (aheadMs) => {
      await withRestorable(stepping, async (it) => {
        const phones = people(1);
        force(phones, "answered");
        const id = await begin(it.ledger, phones);
        await it.backUp();
        await dialAll(it.deps, id);
        await it.restore();
        const wrong = { ...it.deps, now: () => Date.now() + aheadMs };
        await expect(recover(wrong, { actor: "test" })).rejects.toThrow(/dialing stays held.*set the clocks/);
        expect(await heldBecause(it.ledger)).toContain("outdial recover");
        expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 1 });
        expect(await heldBecause(it.ledger)).toBeUndefined();
        expect(dialsOf(phones)).toBe(1);
      });
    },
  );

  it("together with Temporal is noticed at the start of a process, when all calls are over", async () => {
    await withRestorable(stepping, async (it) => {
      const id = await begin(it.ledger, people(3));
      await it.backUp();
      await dialAll(it.deps, id);
      await checkAgainstPlatform(it.deps);
      expect(await heldBecause(it.ledger)).toBeUndefined();
      await it.restore();
      await checkAgainstPlatform(it.deps);
      expect(await heldBecause(it.ledger)).toContain("has begun a batch that it does not know");
    });
  });

  it.each([
    ["newest first", (batches: BatchCall[]) => batches.toReversed()],
    ["oldest first", (batches: BatchCall[]) => batches],
    ["without dates", (batches: BatchCall[]) => batches.map((row) => ({ ...row, created_at: undefined }))],
  ])("is noticed in a long listing that comes %s, in three pages at most", async (_order, sort) => {
    await withRestorable(stepping, async (it) => {
      const id = await begin(it.ledger, people(2));
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const ours = (await stepping.platform.batchCalls.list({ limit: 1_000 })).items;
      const old = Array.from({ length: 900 }, (_, index) => oldBatch(index));
      const all = sort([...old, ...ours]);
      let asked = 0;
      const platform = withBatchCalls(stepping.platform, {
        list: async ({ skip = 0, limit = 50 } = {}) => {
          asked += 1;
          return { items: all.slice(skip, skip + limit), total: all.length };
        },
      });
      await checkAgainstPlatform({ ...it.deps, platform });
      expect(await heldBecause(it.ledger)).toBeDefined();
      expect(asked).toBeLessThanOrEqual(3);
    });
  });

  it("that lacks a batch is noticed by the batch's workflow, if it was begun after the last recovery", async () => {
    await withRestorable(stepping, async ({ ledger, deps }) => {
      const recoveredAtMs = Date.now() - HOUR_MS;
      await finishRecovery(ledger, { actor: "test", summary: {}, nowMs: recoveredAtMs });
      for (const [step, startedAtMs, reason] of [
        [startBatch, recoveredAtMs - 1, undefined],
        [tendBatch, recoveredAtMs - 1, undefined],
        [createBatch, recoveredAtMs + 1, expect.stringContaining("has a workflow and is not in it")],
      ] as const) {
        const batchId = randomUUID();
        expect(await step(deps, { batchId, lastStep: "tend", startedAtMs })).toMatchObject({ next: "done" });
        expect(await heldBecause(ledger)).toEqual(reason);
      }
    });
  });

  it("is noticed on a platform whose listing has no names", async () => {
    await withRestorable(stepping, async (it) => {
      const id = await begin(it.ledger, people(2));
      await it.backUp();
      await dialAll(it.deps, id);
      const named = { ...it.deps, platform: withoutNames(stepping.platform, "in the listing") };
      await checkAgainstPlatform(named);
      expect(await heldBecause(it.ledger)).toBeUndefined();
      await it.restore();
      for (const where of ["in the listing", "anywhere"] as const) {
        await rows(it.ledger.db, sql`update installation set recovery_reason = null`);
        await checkAgainstPlatform({ ...it.deps, platform: withoutNames(stepping.platform, where) });
        expect(await heldBecause(it.ledger)).toBeDefined();
      }
    });
  });

  it("is recovered from a listing without names by looking at each batch", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const deps = { ...it.deps, platform: withoutNames(stepping.platform, "in the listing") };
      expect(await recover(deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("stays held where batches without names dialed its people, and says which", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      const [batchId = ""] = await planSome(it.deps, id);
      await it.backUp();
      await createBatch(it.deps, { batchId });
      await startBatch(it.deps, { batchId });
      await takeToEnd(it.deps, batchId);
      await it.restore();
      const deps = { ...it.deps, platform: withoutNames(stepping.platform, "anywhere") };
      const platformBatchId = given(
        stepping.sandbox.dialLog.of(given(phones[0]))[0]?.batch_call_id ?? undefined,
      );
      const refusal = await recover(deps, { actor: "test" }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(RecoveryRefusedError);
      expect(String(refusal)).toContain(`batch ${platformBatchId}: it has no name`);
      expect(await heldBecause(it.ledger)).toBeDefined();
      expect((await plan(it.ledger, id, Date.now())).batchIds).toEqual([]);
      // Once it shows them, everything is booked.
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
      expect(await heldBecause(it.ledger)).toBeUndefined();
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("does not mind batches without names that dialed none of its people", async () => {
    await withRestorable(stepping, async (it) => {
      const id = await begin(it.ledger, people(1));
      const others = people(1);
      const stranger = await stepping.platform.batchCalls.create({
        agent_id: SPEC.agent_id,
        from_number: "+12025550100",
        contacts: [{ phone_number: given(others[0]) }],
        retry_attempts: 0,
      });
      await stepping.platform.batchCalls.start(stranger.batch_call_id);
      await until("the call", () => dialsOf(others) === 1 && stepping.sandbox.stats().activeCalls === 0);
      const deps = { ...it.deps, platform: withoutNames(stepping.platform, "anywhere") };
      await checkAgainstPlatform(deps);
      expect(await heldBecause(it.ledger)).toBeUndefined();
      expect(await recover(deps, { actor: "test" })).toMatchObject({ looked: 0, adoptedBatches: 0 });
      await finish(it.deps, id);
    });
  });

  it("is recovered from items without numbers by their calls", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const deps = { ...it.deps, platform: withoutNumbers(stepping.platform, { calls: true }) };
      expect(await recover(deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("stays held where neither items nor calls show a number", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      const id = await begin(it.ledger, phones);
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const deps = { ...it.deps, platform: withoutNumbers(stepping.platform, { calls: false }) };
      await expect(recover(deps, { actor: "test" })).rejects.toThrow("2 of its items show no number");
      expect(await heldBecause(it.ledger)).toBeDefined();
      expect((await contactsOf(it.ledger, id)).map((contact) => contact.state)).toEqual(["open", "open"]);
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
    });
  });

  it("stays held when it is run again, though a later batch than the one that can't be booked was taken over", async () => {
    await withRestorable(stepping, async (it) => {
      const [older, newer] = [people(2), people(2)];
      force([...older, ...newer], "answered");
      const ids = [await begin(it.ledger, older), await begin(it.ledger, newer)];
      await it.backUp();
      for (const id of ids) await dialAll(it.deps, id);
      const lost = given(stepping.sandbox.dialLog.of(given(older[0]))[0]?.batch_call_id ?? undefined);
      await it.restore();
      // Three minutes before the other.
      const earlier = (row: BatchCall) => (row.batch_call_id === lost ? begunEarlier(row, 3 * 60_000) : row);
      const { batchCalls } = withoutNames(stepping.platform, "in the listing");
      const shown = withBatchCalls(stepping.platform, {
        iterate: (query, options) => mapped(batchCalls.iterate(query, options), earlier),
        get: async (id, options) => earlier(await batchCalls.get(id, options)),
      });
      await rows(it.ledger.db, sql`update installation set created_at = now() - interval '1 hour'`);
      const deps = { ...it.deps, platform: withoutNumbers(shown, { calls: false, of: lost }) };
      for (const run of ["first", "second"]) {
        await expect(recover(deps, { actor: "test" }), run).rejects.toThrow("2 of its items show no number");
        expect(await heldBecause(it.ledger), run).toBeDefined();
      }
      expect(await recover({ ...it.deps, platform: shown }, { actor: "test" })).toMatchObject({
        adoptedAttempts: 2,
      });
      for (const id of ids) await finish(it.deps, id);
      expect([dialsOf(older), dialsOf(newer)]).toEqual([2, 2]);
    });
  });

  it("books what a walk passes over since batches that never began are deleted from the list meanwhile", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(1);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const lost = given(stepping.sandbox.dialLog.of(given(phones[0]))[0]?.batch_call_id ?? undefined);
      const mine = await stepping.platform.batchCalls.get(lost);
      // Newest first, and the lost one is the 101st.
      const listed = Array.from({ length: 149 }, (_, index) => oldBatch(-index));
      listed.splice(100, 0, mine);
      let asked = 0;
      const fetchPage = async ({ skip = 0, limit = 50 }: Readonly<Record<string, number>>) => {
        const page = { items: listed.slice(skip, skip + limit), total: listed.length };
        asked += 1;
        // Workflows see the hold, and delete what they never began.
        if (asked === 1) listed.splice(10, 2);
        return page;
      };
      const platform = withListing(stepping.platform, fetchPage);
      expect(await recover({ ...it.deps, platform }, { actor: "test" })).toMatchObject({
        adoptedAttempts: 1,
      });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(1);
    });
  });

  it("stays held where rows go from the list in every walk through it", async () => {
    await withRestorable(stepping, async (it) => {
      const listed = Array.from({ length: 150 }, (_, index) => oldBatch(-index));
      const fetchPage = async ({ skip = 0, limit = 50 }: Readonly<Record<string, number>>) => {
        const page = { items: listed.slice(skip, skip + limit), total: listed.length };
        if (skip === 0) listed.shift();
        return page;
      };
      const deps = {
        ...it.deps,
        platform: withListing(stepping.platform, fetchPage),
        pace: { ...it.deps.pace, lookMs: 0 },
      };
      await expect(recover(deps, { actor: "test" })).rejects.toThrow("a batch may have been passed over");
      expect(await heldBecause(it.ledger)).toBeDefined();
    });
  });

  it("stays held where a list of items shows one of them twice in another's place", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const id = await begin(it.ledger, phones);
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      const { platform } = stepping;
      const deps = {
        ...it.deps,
        platform: withBatchCalls(platform, {
          async *iterateItems(batchId, query, options) {
            const shown: BatchCallItem[] = [];
            for await (const item of platform.batchCalls.iterateItems(batchId, query, options))
              shown.push(item);
            for (const _ of shown) yield given(shown[0]);
          },
        }),
      };
      deps.platform = { ...deps.platform, calls: withoutNumbers(platform, { calls: false }).calls };
      await expect(recover(deps, { actor: "test" })).rejects.toThrow("1 of its items show no number");
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("stays held where a batch is listed and can't be read", async () => {
    await withRestorable(stepping, async (it) => {
      const id = await begin(it.ledger, people(1));
      await it.backUp();
      await dialAll(it.deps, id);
      await it.restore();
      stepping.sandbox.faults.add({
        kind: "status",
        route: "GET /v1/batch-calls/:id",
        status: 404,
        times: 1,
      });
      await expect(recover(it.deps, { actor: "test" })).rejects.toThrow("it is listed and can't be read");
      expect(await heldBecause(it.ledger)).toBeDefined();
    });
  });

  it("whose batch begins while it is being recovered books what that dials", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const { id, platformBatchId } = await createdBefore(it, phones);
      let looks = 0;
      const get = async (batchId: string) => {
        // Its start was in the air all the while that other batches came to their end.
        if (batchId === platformBatchId && (looks += 1) === 2) await startLate(platformBatchId, phones);
        return stepping.platform.batchCalls.get(batchId);
      };
      const deps = { ...it.deps, platform: withBatchCalls(stepping.platform, { get }) };
      expect(await recover(deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2, deleted: 0 });
      expect(await heldBecause(it.ledger)).toBeUndefined();
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("whose batch begins between the last look and its deletion books what that dials", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const { id, platformBatchId } = await createdBefore(it, phones);
      const deps = {
        ...it.deps,
        platform: withBatchCalls(stepping.platform, {
          delete: async (batchId) => {
            await startLate(platformBatchId, phones);
            // Allowed only while it is not running.
            return stepping.platform.batchCalls.delete(batchId);
          },
        }),
      };
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 60_000 }]);
      expect(await recover(deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2, deleted: 0 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it.each([409, 500])("stays held where a batch that may begin is not deleted (%i)", async (status) => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const { id, platformBatchId } = await createdBefore(it, phones);
      stepping.sandbox.faults.add({ kind: "status", route: "DELETE /v1/batch-calls/:id", status });
      await expect(recover(it.deps, { actor: "test" })).rejects.toThrow(
        `batch ${platformBatchId}: it is not deleted`,
      );
      expect(await heldBecause(it.ledger)).toBeDefined();
      stepping.sandbox.faults.clear();
      await startLate(platformBatchId, phones);
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 2, deleted: 0 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("counts a batch as deleted whose deletion took effect without an answer", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(2);
      force(phones, "answered");
      const { id, batchId } = await createdBefore(it, phones);
      stepping.sandbox.faults.add({ kind: "drop_after", route: "DELETE /v1/batch-calls/:id", times: 1 });
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 0, deleted: 1 });
      await takeToEnd(it.deps, batchId);
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });

  it("that began another batch under the name of one that it had forgotten books both", async () => {
    await withRestorable(stepping, async (it) => {
      const phones = people(1);
      force(phones, "no_answer");
      const id = await begin(it.ledger, phones);
      const [batchId = ""] = await planSome(it.deps, id);
      await it.backUp();
      const dial = async () => {
        await createBatch(it.deps, { batchId });
        await startBatch(it.deps, { batchId });
        await takeToEnd(it.deps, batchId);
      };
      await dial();
      await it.restore();
      // Nobody noticed: this is what recovery is for, too.
      await dial();
      expect(await recover(it.deps, { actor: "test" })).toMatchObject({ adoptedAttempts: 1 });
      await finish(it.deps, id);
      expect(dialsOf(phones)).toBe(2);
    });
  });
});

/** A batch of somebody else, from long ago. */
function oldBatch(index: number): BatchCall {
  const at = new Date(Date.UTC(2020, 0, 1) + index * 60_000).toISOString();
  const missing = undefined;
  return {
    batch_call_id: `old-${index}`,
    name: `old ${index}`,
    status: "completed",
    created_at: at,
    started_at: at,
    completed_at: at,
    agent_id: missing,
    from_number: missing,
    total: missing,
    pending: missing,
    active: missing,
    completed: missing,
    failed: missing,
    processed: missing,
    counts: missing,
    contacts: missing,
    progress_percent: missing,
    max_concurrent_calls: missing,
    retry_attempts: missing,
  };
}

function withBatchCalls(platform: Platform, changes: Partial<Platform["batchCalls"]>): Platform {
  return { ...platform, batchCalls: { ...platform.batchCalls, ...changes } };
}

/** The same platform, as one that leaves names out. */
function withoutNames(platform: Platform, where: "in the listing" | "anywhere"): Platform {
  const { batchCalls } = platform;
  const nameless = (batch: BatchCall) => ({ ...batch, name: undefined });
  return withBatchCalls(platform, {
    active: async (options) => (await batchCalls.active(options)).map(nameless),
    list: async (query, options) => {
      const page = await batchCalls.list(query, options);
      return { ...page, items: page.items.map(nameless) };
    },
    iterate: (query, options) => mapped(batchCalls.iterate(query, options), nameless),
    ...(where === "anywhere" && {
      get: async (id, options) => nameless(await batchCalls.get(id, options)),
    }),
  });
}

/** The same platform, whose list of batches is what is asked for page by page, and moves meanwhile. */
function withListing(platform: Platform, fetchPage: Walk<BatchCall>["fetchPage"]): Platform {
  const broken = (problem: string) => new Error(problem);
  const unreadable = (count: number) => new Error(`${count} rows can't be read`);
  const idOf = (row: BatchCall) => row.batch_call_id;
  return withBatchCalls(platform, {
    iterate: ({ limit = 50 } = {}, options = {}) =>
      walk({ style: "skip", limit, skip: 0, fetchPage, idOf, broken, unreadable }, options),
  });
}

function begunEarlier(row: BatchCall, byMs: number): BatchCall {
  const moved = (time: string | undefined) =>
    time === undefined ? undefined : new Date(Date.parse(time) - byMs).toISOString();
  return { ...row, created_at: moved(row.created_at), started_at: moved(row.started_at) };
}

/** The same platform, as one that leaves numbers out of items, and perhaps of calls: of all batches, or of one. */
function withoutNumbers(platform: Platform, shown: { calls: boolean; of?: string }): Platform {
  const { batchCalls, calls } = platform;
  const numberless = (item: BatchCallItem) => ({ ...item, phone_number: undefined });
  const unheard = (call: Call) => (shown.calls ? call : { ...call, to_number: undefined });
  const isOf = (id: string | undefined) => shown.of === undefined || shown.of === id;
  return {
    ...withBatchCalls(platform, {
      iterateItems: (id, query, options) => {
        const items = batchCalls.iterateItems(id, query, options);
        return isOf(id) ? mapped(items, numberless) : items;
      },
    }),
    calls: {
      ...calls,
      iterate: (query, options) => {
        const listed = calls.iterate(query, options);
        return isOf(query?.batch_call_id) ? mapped(listed, unheard) : listed;
      },
    },
  };
}

async function* mapped<Row>(
  source: AsyncGenerator<Row, void, undefined>,
  change: (row: Row) => Row,
): AsyncGenerator<Row, void, undefined> {
  for await (const row of source) yield change(row);
}
