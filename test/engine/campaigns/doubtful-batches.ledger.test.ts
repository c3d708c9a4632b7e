import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { settleFromItems } from "../../../src/activities/campaigns/batch-settling.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { closeBatch } from "../../../src/ledger/campaigns/settling.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { create, freshPhones, NOW_MS, permit, plan, running, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { recordNotStarted } from "../../../src/ledger/campaigns/batch-steps.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const START = "POST /v1/batch-calls/:id/start";

describe("a batch in doubt", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 800_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (phones: readonly string[], changes = {}) =>
      running(ledger(), phones, { ...SPEC, ...changes }, Date.now());
    const dialsOf = (phones: readonly string[]) =>
      phones.reduce((sum, phone) => sum + stepping.sandbox.dialLog.of(phone).length, 0);
    const talkFor = (phones: readonly string[], talkMs: number) => {
      for (const phone of phones)
        stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: talkMs }]);
    };
    const outcomesOf = async (campaignId: string) => {
      const contacts = await rows<{ came: string }>(
        ledger().db,
        sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid`,
      );
      return contacts.map(({ came }) => came);
    };
    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it("whose platform refuses to pause is cancelled", async () => {
      const phones = people(40);
      talkFor(phones, 20_000);
      const id = await begin(phones, { concurrency: 2 });
      const batchId = await beginOne(deps, id);
      await until("calls to be up", () => stepping.sandbox.stats().activeCalls > 0);
      stepping.sandbox.faults.add({ kind: "status", route: "POST /v1/batch-calls/:id/pause", status: 500 });
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      await tendBatch(deps, { batchId });
      const dialsAtStop = dialsOf(phones);
      await takeToEnd(deps, batchId);
      expect(dialsOf(phones)).toBe(dialsAtStop);
      expect(dialsAtStop).toBeLessThan(phones.length);
    });

    it("that was asked to stop while its start was in the air, and refused, is not started again", async () => {
      const phones = people(4);
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "latency", route: START, ms: 400, times: 1 });
      stepping.sandbox.faults.add({ kind: "status", route: START, status: 429, times: 1 });
      const inTheAir = startBatch(deps, { batchId });
      await until(
        "the start to be permitted",
        async () => (await readBatch(ledger().db, batchId))?.state === "starting",
      );
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      await inTheAir;
      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      await takeToEnd(deps, batchId);
      expect(dialsOf(phones)).toBe(0);
      expect(await readBatch(ledger().db, batchId)).toMatchObject({ state: "settled", stopReason: "pause" });
    });

    it("that a lower concurrency stopped is not permitted to start after a start that did not happen", async () => {
      const id = await running(ledger(), freshPhones(10), { ...SPEC, concurrency: 10 });
      const [batchId = ""] = (await plan(ledger(), id)).batchIds;
      await create(ledger(), batchId);
      expect((await permit(ledger(), batchId)).kind).toBe("permitted");
      const { spec } = given(await readCampaign(ledger().db, id));
      const amended = await amendSpec(ledger(), {
        campaignId: id,
        commandId: "lower",
        actor: "test",
        reason: undefined,
        nowMs: NOW_MS,
        dialByMarginMs: 60_000,
        spec: { ...spec, concurrency: 1 },
      });
      expect(amended.stoppedBatchIds).toEqual([batchId]);
      await recordNotStarted(ledger().db, batchId);
      expect(await permit(ledger(), batchId)).toMatchObject({ kind: "stopped", reason: "concurrency" });
    });

    it("that the platform denies once goes on, and whoever was not dialed when it is stopped is due again", async () => {
      const phones = people(30);
      talkFor(phones, 200_000);
      const id = await begin(phones, { concurrency: 1 });
      const batchId = await beginOne(deps, id);
      stepping.sandbox.faults.add({
        kind: "status",
        route: "GET /v1/batch-calls/:id",
        status: 404,
        times: 1,
      });
      await tendBatch(deps, { batchId });
      expect((await readBatch(ledger().db, batchId))?.vanishedAtMs).toBeDefined();
      await tendBatch(deps, { batchId });
      expect((await readBatch(ledger().db, batchId))?.vanishedAtMs).toBeUndefined();
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      await takeToEnd(deps, batchId);
      expect(await outcomesOf(id)).not.toContain("unknown");
    });

    it("that the platform denies while its start is in doubt is not given up", async () => {
      const phones = people(6);
      talkFor(phones, 2_000);
      const id = await begin(phones, { concurrency: 1 });
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "drop_after", route: START, times: 1 });
      await startBatch(deps, { batchId });
      stepping.sandbox.faults.add({
        kind: "status",
        route: "GET /v1/batch-calls/:id",
        status: 404,
        times: 1,
      });
      await takeToEnd(deps, batchId);
      expect(await outcomesOf(id)).not.toContain("unknown");
      expect(dialsOf(phones)).toBe((await readBatch(ledger().db, batchId))?.size);
    });

    it("that the platform denies for good counts as dialed", async () => {
      const phones = people(3);
      talkFor(phones, 200_000);
      const id = await begin(phones);
      const batchId = await beginOne(deps, id);
      stepping.sandbox.faults.add({ kind: "status", route: "GET /v1/batch-calls/:id", status: 404 });
      await takeToEnd(deps, batchId);
      expect(new Set(await outcomesOf(id))).toEqual(new Set(["unknown"]));
    });

    it("whose people are taken away between its name and its create pauses nothing", async () => {
      const phones = people(5);
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      const suppressNow = async () => {
        const entries = [{ phone: given(phones[0]), brand: undefined, source: "api", reason: "asked" }];
        await ledger().transaction((tx) =>
          addSuppressions(tx, { entries, actor: "test", nowMs: Date.now() }),
        );
        await stopBatchesDialing(ledger(), {
          phones: phones.slice(0, 1),
          brand: undefined,
          nowMs: Date.now(),
        });
      };
      await createBatch({ ...deps, ledger: afterReservation(ledger(), suppressNow) }, { batchId });
      expect(await readCampaign(ledger().db, id)).toMatchObject({ state: "running" });
      await takeToEnd(deps, batchId);
      expect((await planSome(deps, id)).length).toBe(1);
    });

    it("whose start a slower try saw refused after another try had taken it over is no sign of a restore", async () => {
      const id = await begin(people(2));
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      stepping.sandbox.faults.add({ kind: "latency", route: START, ms: 500, times: 1 });
      stepping.sandbox.faults.add({ kind: "status", route: START, status: 429, times: 1 });
      const slower = startBatch(deps, { batchId, lastStep: "start" });
      await until(
        "the start to be permitted",
        async () => (await readBatch(ledger().db, batchId))?.state === "starting",
      );
      const other = await startBatch(deps, { batchId, lastStep: "start" });
      await slower;
      await tendBatch(deps, { batchId, lastStep: given(other.next === "done" ? undefined : other.next) });
      expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
      await takeToEnd(deps, batchId);
    });

    it("whose start is answered 409 and never shows pauses the campaign with what the platform says", async () => {
      const phones = people(2);
      const id = await begin(phones);
      const body = { detail: "agent is not published" };
      stepping.sandbox.faults.add({ kind: "status", route: START, status: 409, body });
      const batchId = await beginOne(deps, id);
      await takeToEnd(deps, batchId);
      const campaign = given(await readCampaign(ledger().db, id));
      expect(campaign).toMatchObject({ state: "paused" });
      expect(campaign.stateReason).toMatch(/agent is not published.*resume/);
      stepping.sandbox.faults.clear();
      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      await takeToEnd(deps, await beginOne(deps, id));
      expect(dialsOf(phones)).toBeGreaterThanOrEqual(2);
    });

    it("that runs when the key is refused pauses the campaign with the remedy, and ends once the key is good", async () => {
      const phones = people(4);
      talkFor(phones, 10_000);
      const id = await begin(phones, { concurrency: 4 });
      const batchId = await beginOne(deps, id);
      stepping.sandbox.faults.add({ kind: "status", route: "*", status: 401 });
      expect(await tendBatch(deps, { batchId })).toEqual({ next: "tend", waitMs: deps.pace.refusedLookMs });
      const campaign = given(await readCampaign(ledger().db, id));
      expect(campaign).toMatchObject({ state: "paused" });
      expect(campaign.stateReason).toContain("PLATFORM_API_KEY");
      stepping.sandbox.faults.clear();
      await takeToEnd(deps, batchId);
      expect(await outcomesOf(id)).not.toContain("unknown");
    });

    it("leaves none of those behind that were created for it without an answer, whoever closes it", async () => {
      const phones = people(3);
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls", times: 1 });
      expect((await createBatch(deps, { batchId })).next).toBe("create");
      await createBatch(deps, { batchId });
      await startBatch(deps, { batchId });
      // As its follower does: it settles what ended, and closes the batch.
      await until("its people to be settled", async () => {
        const { result } = await settleFromItems(deps, given(await readBatch(ledger().db, batchId)), {
          proof: false,
        });
        return result?.open === 0 && result.provisional === 0;
      });
      expect(await closeBatch(ledger(), batchId, Date.now())).toMatchObject({ isClosed: true });
      expect((await tendBatch(deps, { batchId })).next).toBe("done");
      const left: (string | undefined)[] = [];
      for await (const { name, status } of stepping.platform.batchCalls.iterate({ limit: 100 })) {
        if (name?.includes(batchId)) left.push(status);
      }
      expect(left).toEqual(["completed"]);
    });
  });
});

/** The ledger, with something that happens as soon as the name of a create is reserved. */
function afterReservation(ledger: Ledger, happens: () => Promise<void>): Ledger {
  const db = new Proxy(ledger.db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== "execute") return typeof value === "function" ? value.bind(target) : value;
      return async (query: Parameters<Db["execute"]>[0]) => {
        const result = await target.execute(query);
        if (JSON.stringify(query).includes("create_no = create_no + 1")) await happens();
        return result;
      };
    },
  });
  return { ...ledger, db };
}
