import { afterEach, describe, expect, it } from "vitest";

import type { Pace } from "../../../src/activities/deps.ts";
import { sweep } from "../../../src/chores/recovery/sweep.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { expectAccounted, expectEachDialOnce } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
  tell,
} from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";

const CREATE = "POST /v1/batch-calls";
const START = "POST /v1/batch-calls/:id/start";
/** Longer than any of these tests: whoever waits for such a look waits in vain. */
const NEVER_MS = 3_600_000;

describe("the whole engine, where something does not come to go on by itself,", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 500_000;
    const people = (count: number) => phoneNumbers(count, (from += 2_000));
    const open = async (faults: readonly Fault[] = [], pace: Partial<Pace> = {}) => {
      engine = await startEngine(ledger(), { speed: 200, pace });
      for (const fault of faults) engine.sandbox.faults.add(fault);
      await engine.startWorkers();
    };
    const dispositions = async (id: string) => given(await readReport(ledger().db, id)).dispositions;
    const told = async (subject: string) =>
      (await listAttention(ledger().db, { resolved: false, subject, limit: 10 })).items;
    afterEach(() => engine.close());

    it("dials the last hundred of a list whose first nine hundred are suppressed, at once", async () => {
      engine = await startEngine(ledger(), {
        speed: 200,
        pace: { idleLookMs: NEVER_MS, busyLookMs: NEVER_MS },
      });
      const phones = people(1_000);
      const suppressed = phones.slice(0, 900);
      const id = await startTestCampaign(engine, phones, { concurrency: 4, retry: { max_attempts: 1 } });
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: suppressed.map((phone) => ({
            phone,
            brand: undefined,
            source: "dnc",
            reason: "register",
          })),
          actor: "test",
          nowMs: Date.now(),
        }),
      );
      await engine.startWorkers();
      expect((await untilOver(engine, id)).tallies).toMatchObject({ excluded: 900, done: 100 });
      await expectAccounted(engine, id);
      expect(engine.sandbox.dialLog.length).toBe(100);
    });

    it("starts batches that the platform shows late, each once", async () => {
      await open([{ kind: "visible_late", ms: 700 }], { startDoubtMs: 60_000 });
      const id = await startTestCampaign(engine, people(12), { concurrency: 4 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect((await dispositions(id))["unknown"] ?? 0).toBe(0);
    });

    it("pauses a campaign whose batches the platform never knows, tells people, and goes on when resumed", async () => {
      await open([{ kind: "status", route: START, status: 404 }]);
      const id = await startTestCampaign(engine, people(3), { concurrency: 3 });
      const paused = await until("the campaign to be paused", async () => {
        const campaign = given(await readCampaign(ledger().db, id));
        return campaign.state === "paused" ? campaign : undefined;
      });
      expect(paused.stateReason).toMatch(/did not know them/);
      expect(await told(id)).toMatchObject([{ kind: "campaign_stalled" }]);
      expect(engine.sandbox.dialLog.length).toBe(0);
      engine.sandbox.faults.clear();
      await tell(engine, id, "resume");
      expect((await untilOver(engine, id)).state).toBe("completed");
      expect(await told(id)).toEqual([]);
      await expectAccounted(engine, id);
    });

    it.each(["pending", "queued", "running"] as const)(
      "brings back whoever is in a batch that was accepted and is never dialed: %s",
      async (shown) => {
        await open([{ kind: "never_picked_up", shown_as: shown, times: 2 }]);
        const id = await startTestCampaign(engine, people(6), { concurrency: 3 });
        expect((await untilOver(engine, id)).state).toBe("completed");
        await expectAccounted(engine, id);
        expect((await dispositions(id))["unknown"] ?? 0).toBe(0);
      },
    );

    it("ends a campaign with a batch that can't be deleted, and says whom that concerns", async () => {
      await open([
        { kind: "drop_before", route: START, times: 1 },
        { kind: "status", route: "DELETE /v1/batch-calls/:id", status: 409 },
      ]);
      const id = await startTestCampaign(engine, people(4), { concurrency: 4 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectEachDialOnce(engine, id);
      expect(await dispositions(id)).toEqual({ unknown: 4 });
      const { items } = await listAttention(ledger().db, { resolved: false, kind: "batch_stuck", limit: 10 });
      expect(items.some(({ summary }) => /does not let go.*4 of its people/.test(summary))).toBe(true);
    });

    it("calls nobody twice and loses nobody where reads of items lie now and then", async () => {
      await open([
        { kind: "drop_before", route: START, times: 2 },
        { kind: "items_missing", times: 1 },
        { kind: "items_forgotten", times: 1 },
      ]);
      const id = await startTestCampaign(engine, people(10), { concurrency: 5 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect((await dispositions(id))["unknown"] ?? 0).toBe(0);
    });

    it("leaves none of its batches behind that show after their end", async () => {
      await open([
        { kind: "drop_after", route: CREATE, times: 2 },
        { kind: "visible_late", ms: 8_000, times: 2 },
      ]);
      const id = await startTestCampaign(engine, people(5), { concurrency: 5 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      // A machine that is busy may have been so slow that its batch's end came after them.
      await until("both to be deleted", async () => {
        await sweep(engine.deps);
        return (engine.sandbox.stats().routes["DELETE /v1/batch-calls/:id"]?.requests ?? 0) >= 2;
      });
      const left: (string | undefined)[] = [];
      for await (const { status } of engine.deps.platform.batchCalls.iterate()) left.push(status);
      expect(left).not.toContain("pending");
    });
  });
});
