import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { installationMark, writeBatchName } from "../../../src/activities/campaigns/batch-name.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { deleteLateOrphans } from "../../../src/chores/recovery/orphans.ts";
import { openTally } from "../../../src/chores/recovery/tally.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation, releaseRecovery } from "../../../src/ledger/ground/installation.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { running, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
const CALLER = "+12025550100";
const LIST = "GET /v1/batch-calls";

describe("a batch that was created without an answer, and shows when its own is long over,", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let from = 600_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const listed = async () => {
      const ids: string[] = [];
      for await (const row of stepping.platform.batchCalls.iterate({ limit: 100 }))
        ids.push(row.batch_call_id);
      return ids;
    };
    const listings = () => stepping.sandbox.stats().routes[LIST]?.requests ?? 0;
    const pass = async (at = deps) => {
      const tally = openTally();
      await deleteLateOrphans(at, tally);
      return tally.report(Date.now());
    };
    /** A batch that came to its end, and another of its name that the platform shows only since. */
    const orphaned = async () => {
      const phones = people(2);
      const id = await running(ledger(), phones, { agent_id: AGENT, from_numbers: [CALLER] }, Date.now());
      const [batchId = ""] = await planSome(deps, id);
      const before = await listed();
      stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls", times: 1 });
      expect((await createBatch(deps, { batchId })).next).toBe("create");
      const orphan = given((await listed()).find((one) => !before.includes(one)));
      const lagging = { ...deps, platform: withoutRow(stepping.platform, orphan) };
      await createBatch(lagging, { batchId });
      await startBatch(lagging, { batchId });
      await takeToEnd(lagging, batchId);
      expect((await readBatch(ledger().db, batchId))?.state).toBe("settled");
      expect(await listed()).toContain(orphan);
      return { id, batchId, orphan, own: given((await readBatch(ledger().db, batchId))?.platformBatchId) };
    };

    beforeAll(async () => {
      stepping = await openStepping();
      deps = stepping.depsOf(ledger());
    });
    // Those of earlier tests are found by nobody any more.
    beforeEach(() => rows(ledger().db, sql`update batches set planned_at = planned_at - interval '30 days'`));
    beforeEach(() => rows(ledger().db, sql`delete from passes`));
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it("is deleted by the next pass, and nothing else is", async () => {
      const { installationId } = await readInstallation(ledger().db);
      const { id, batchId, orphan, own } = await orphaned();
      const make = async (name: string) => {
        const contacts = people(1).map((phone) => ({ phone_number: phone }));
        const made = await stepping.platform.batchCalls.create({
          agent_id: AGENT,
          from_number: CALLER,
          contacts,
          name,
          max_concurrent_calls: 1,
          retry_attempts: 0,
        });
        return made.batch_call_id;
      };
      const named = { campaignId: id, batchId, createNo: 7 };
      const kept = [
        own,
        await make("spring sale"),
        await make(writeBatchName({ ...named, installation: "0badc0de" })),
        await make(
          writeBatchName({
            ...named,
            installation: installationMark(installationId),
            batchId: "00000000-0000-4000-8000-00000000beef",
          }),
        ),
      ];
      expect(await pass()).toMatchObject({ found: 1, settled: 1 });
      const left = await listed();
      expect(left).not.toContain(orphan);
      expect(left).toEqual(expect.arrayContaining(kept));
      expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
    });

    it("is left to its create while that is still to be answered", async () => {
      const id = await running(ledger(), people(1), { agent_id: AGENT, from_numbers: [CALLER] }, Date.now());
      const [batchId = ""] = await planSome(deps, id);
      stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls", times: 1 });
      await createBatch(deps, { batchId });
      const before = await listed();
      expect(await pass()).toMatchObject({ found: 0 });
      expect(await listed()).toEqual(before);
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      await takeToEnd(deps, batchId);
    });

    it("is left alone where somebody has started it, and all dialing is held: the ledger can't be right", async () => {
      const { orphan } = await orphaned();
      await stepping.platform.batchCalls.start(orphan);
      await until(
        "it to be through",
        async () => (await stepping.platform.batchCalls.get(orphan)).status === "completed",
      );
      await pass();
      expect(await listed()).toContain(orphan);
      expect((await readInstallation(ledger().db)).recoveryReason).toMatch(/never started/);
      await ledger().transaction((tx) => releaseRecovery(tx, "test", Date.now(), {}));
    });

    it("costs nothing where every create was answered, and little where one never shows", async () => {
      const quiet = listings();
      await pass();
      expect(listings()).toBe(quiet);
      await orphaned();
      await pass();
      const first = listings();
      // Within its first hour it is looked for in each pass, then once an hour, for two days.
      await pass();
      expect(listings()).toBeGreaterThan(first);
      const hours = (n: number): ActivityDeps => ({ ...deps, now: () => Date.now() + n * 3_600_000 });
      const passesAt = async (n: number) => {
        const before = listings();
        for (let again = 0; again < 3; again += 1) await pass(hours(n));
        return listings() - before;
      };
      expect(await passesAt(2)).toBe(1);
      expect(await passesAt(4)).toBe(1);
      expect(await passesAt(50)).toBe(0);
    });
  });
});

/** The platform, with a listing of batches that does not show one of them yet. */
function withoutRow(platform: Platform, id: string): Platform {
  const { batchCalls } = platform;
  return {
    ...platform,
    batchCalls: {
      ...batchCalls,
      async *iterate(query, options) {
        for await (const row of batchCalls.iterate(query, options)) if (row.batch_call_id !== id) yield row;
      },
    },
  };
}
