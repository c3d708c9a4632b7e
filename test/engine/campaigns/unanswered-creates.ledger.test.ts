import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { deleteLateOrphans } from "../../../src/chores/recovery/orphans.ts";
import { openTally } from "../../../src/chores/recovery/tally.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { expectInvariants } from "../../ledger/support/invariants.ts";
import { contactsOf, MINUTE_MS, running, tell } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const CREATE = "POST /v1/batch-calls";

describe("a create that the platform does not answer", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 300_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const begin = (phones: readonly string[], concurrency: number) =>
      running(ledger(), phones, { ...SPEC, concurrency }, Date.now());
    const dialsOf = (phones: readonly string[]) =>
      phones.map((phone) => stepping.sandbox.dialLog.of(phone).length);
    const batchOf = async (id: string) => given(await readBatch(ledger().db, id));
    const creates = () => stepping.sandbox.stats().routes[CREATE]?.requests ?? 0;
    const onPlatform = async (batchId: string) => {
      let found = 0;
      for await (const row of stepping.platform.batchCalls.iterate({ limit: 100 }))
        if (row.name?.includes(batchId)) found += 1;
      return found;
    };
    const unsettled = (campaignId: string) =>
      rows<{ id: string; size: number; held: number }>(
        ledger().db,
        sql`select id, size, held from batches where campaign_id = ${campaignId}::uuid and state = 'planned'`,
      );
    /** The platform, that chokes on a create with one of the numbers in it, and has its effect all the same. */
    const choking = (on: readonly string[]): Platform => ({
      ...stepping.platform,
      batchCalls: {
        ...stepping.platform.batchCalls,
        create: (body, options) => {
          if (body.contacts.some(({ phone_number: phone }) => on.includes(phone)))
            stepping.sandbox.faults.add({ kind: "drop_after", route: CREATE, times: 1 });
          return stepping.platform.batchCalls.create(body, options);
        },
      },
    });
    /** One try of each batch that is to be created; the others are started, and taken to their end. */
    const turn = async (at: ActivityDeps, campaignId: string) => {
      // Whoever was given back is due by then, however often that was.
      await age(ledger(), campaignId, 16 * MINUTE_MS);
      const { batchIds } = given(await planBatch(at, { campaignId, seenPlannings: 0 }));
      const left: string[] = [];
      for (const batchId of batchIds) {
        const { next } = await createBatch(at, { batchId });
        if (next !== "create") left.push(batchId);
      }
      for (const batchId of left) {
        if ((await batchOf(batchId)).state === "created") await startBatch(at, { batchId });
        await takeToEnd(at, batchId);
      }
    };

    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it("stops with its window, and leaves nobody and nothing behind", async () => {
      const phones = people(3);
      const id = await begin(phones, 3);
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "drop_after", route: CREATE });
      for (let again = 0; again < 3; again += 1)
        expect((await createBatch(deps, { batchId })).next).toBe("create");
      expect(await onPlatform(batchId)).toBe(3);
      await rows(
        ledger().db,
        sql`update batches set dial_by = now() - interval '1 second' where id = ${batchId}::uuid`,
      );
      const before = creates();
      expect((await createBatch(deps, { batchId })).next).toBe("tend");
      expect(creates()).toBe(before);
      expect(await batchOf(batchId)).toMatchObject({ state: "draining", held: 0, stopReason: "window" });
      await takeToEnd(deps, batchId);
      expect(await onPlatform(batchId)).toBe(0);
      expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["open", "open", "open"]);
      expect(dialsOf(phones)).toEqual([0, 0, 0]);
    });

    it("is tried again no later than its window ends", async () => {
      const id = await begin(people(1), 1);
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "status", route: CREATE, status: 503 });
      await rows(
        ledger().db,
        sql`update batches set dial_by = now() + interval '2 seconds', create_no = 80 where id = ${batchId}::uuid`,
      );
      expect((await createBatch(deps, { batchId })).waitMs).toBeLessThanOrEqual(2_000);
    });

    it("has what earlier tries left behind deleted while it goes on", async () => {
      const id = await begin(people(1), 1);
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "drop_after", route: CREATE });
      for (let again = 0; again < 3; again += 1) await createBatch(deps, { batchId });
      expect(await onPlatform(batchId)).toBe(3);
      await deleteLateOrphans(deps, openTally());
      // The last may be on its way yet.
      expect(await onPlatform(batchId)).toBe(1);
      stepping.sandbox.faults.clear();
      await createBatch(deps, { batchId });
      expect(await batchOf(batchId)).toMatchObject({ state: "created" });
      await startBatch(deps, { batchId });
      await takeToEnd(deps, batchId);
      expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
    });

    it("for one person's sake costs that person alone", async () => {
      const concurrency = 8;
      const phones = people(8);
      // Nobody is called again for want of an answer.
      for (const phone of phones) stepping.sandbox.outcomes.force(phone, ["answered"]);
      const poison = given(phones[5]);
      const id = await begin(phones, concurrency);
      const at: ActivityDeps = { ...deps, platform: choking([poison]) };
      const isOut = async () =>
        (await contactsOf(ledger(), id)).some(({ phone, state }) => phone === poison && state === "excluded");
      for (let turns = 0; !(await isOut()); turns += 1) {
        expect(turns).toBeLessThan(150);
        await turn(at, id);
        const held = (await unsettled(id)).reduce((sum, batch) => sum + batch.held, 0);
        expect(held).toBeLessThanOrEqual(concurrency);
      }
      for (let turns = 0; turns < 5; turns += 1) await turn(at, id);
      for (const { phone, state, reason } of await contactsOf(ledger(), id)) {
        expect(state).toBe(phone === poison ? "excluded" : "done");
        if (phone === poison) expect(reason).toBe("refused_by_platform");
      }
      expect(dialsOf(phones)).toEqual(phones.map((phone) => (phone === poison ? 0 : 1)));
      const told = await listAttention(ledger().db, { resolved: false, kind: "batch_stuck", limit: 50 });
      expect(told.items.at(0)).toMatchObject({
        summary: expect.stringContaining("creates no batch with one of the people"),
        remedy: expect.stringContaining("variables"),
      });
      await expectInvariants(ledger());
    });

    it("for one person's sake keeps nobody else waiting, though there is one slot for all", async () => {
      const phones = people(4);
      for (const phone of phones) stepping.sandbox.outcomes.force(phone, ["answered"]);
      const poison = given(phones[0]);
      const id = await begin(phones, 1);
      const at: ActivityDeps = { ...deps, platform: choking([poison]) };
      const left = async () =>
        (await contactsOf(ledger(), id)).filter(({ phone, state }) => phone !== poison && state !== "done");
      for (let turns = 0; (await left()).length > 0; turns += 1) {
        expect(turns).toBeLessThan(100);
        await turn(at, id);
      }
      expect(dialsOf(phones)).toEqual([0, 1, 1, 1]);
      await expectInvariants(ledger());
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
    });

    it("by anybody takes no campaign to pieces, and excludes nobody", async () => {
      const phones = people(16);
      const id = await begin(phones, 16);
      stepping.sandbox.faults.add({ kind: "status", route: CREATE, status: 500 });
      for (let turns = 0; turns < 80; turns += 1) await turn(deps, id);
      // The oldest was taken apart down to one, its other halves wait.
      expect((await unsettled(id)).length).toBeLessThanOrEqual(6);
      expect((await contactsOf(ledger(), id)).filter(({ state }) => state === "excluded")).toEqual([]);
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
    });

    it("is not what a limit is: nobody is taken apart for that", async () => {
      const id = await begin(people(4), 4);
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "status", route: CREATE, status: 429 });
      for (let again = 0; again < 15; again += 1) await createBatch(deps, { batchId });
      expect((await batchOf(batchId)).state).toBe("planned");
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
    });
  });
});
