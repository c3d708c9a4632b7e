import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { expectAccounted } from "../../support/accounts.ts";
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

const START = "POST /v1/batch-calls/:id/start";

describe("an answer of the platform that is lost", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 0;
    /** Numbers of their own for each test, so that none waits for another's open attempts. */
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    beforeAll(async () => {
      engine = await startEngine(ledger(), { speed: 200 });
      await engine.startWorkers();
    });
    afterEach(() => engine.sandbox.faults.clear());
    afterAll(() => engine.close());

    it.each<[string, Fault]>([
      ["a create without effect", { kind: "drop_before", route: "POST /v1/batch-calls", times: 2 }],
      ["a create with effect", { kind: "drop_after", route: "POST /v1/batch-calls", times: 2 }],
      [
        "a create that is answered 500",
        { kind: "status", route: "POST /v1/batch-calls", status: 500, times: 2 },
      ],
      ["a start without effect", { kind: "drop_before", route: START, times: 1 }],
      ["a start with effect", { kind: "drop_after", route: START, times: 1 }],
      [
        "a start that is answered 503 without effect",
        { kind: "status", route: START, status: 503, times: 1 },
      ],
      [
        "a start that is answered 504 with effect",
        { kind: "late", route: START, after_ms: 0, status: 504, times: 1 },
      ],
      ["a start that is limited", { kind: "status", route: START, status: 429, retry_after: "1", times: 2 }],
      ["a look at the items", { kind: "drop_before", route: "GET /v1/batch-calls/:id/items", times: 5 }],
      ["a look at a batch", { kind: "status", route: "GET /v1/batch-calls/:id", status: 502, times: 5 }],
    ])("%s leads to no second dial and no stuck campaign", async (_name, fault) => {
      engine.sandbox.faults.add(fault);
      const id = await startTestCampaign(engine, people(15));
      const campaign = await untilOver(engine, id);
      expect(campaign.state).toBe("completed");
      await expectAccounted(engine, id);
      const report = given(await readReport(ledger().db, id));
      expect(report.dispositions["unknown"] ?? 0).toBe(0);
    });

    it("a start that takes effect long after it was given up finds a batch that is gone", async () => {
      const fault = engine.sandbox.faults.add({ kind: "late", route: START, after_ms: 4_000, times: 1 });
      const id = await startTestCampaign(engine, people(15));
      const campaign = await untilOver(engine, id);
      expect(campaign.state).toBe("completed");
      const late = await until(
        "the late start",
        () => engine.sandbox.faults.find(fault.fault_id)?.effects[0],
      );
      // On a busy machine it may come before the batch is deleted: then it is refused, because that is cancelled.
      expect([404, 409]).toContain(late.status);
      await expectAccounted(engine, id);
    });

    it.each<[string, Fault["kind"]]>([
      ["with effect", "drop_after"],
      ["without effect", "drop_before"],
    ])("a pause %s pauses, and the campaign goes on when resumed", async (_name, kind) => {
      const id = await startTestCampaign(engine, people(120), { concurrency: 10 });
      await until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
      engine.sandbox.faults.add({ kind, route: "POST /v1/batch-calls/:id/pause", times: 1 } as Fault);
      const paused = await tell(engine, id, "pause");
      expect(paused.state).toBe("paused");
      expect(paused.inFlight.uncertain).toBe(0);
      const dialsAtPause = engine.sandbox.dialLog.length;
      await until(
        "the batches to be settled",
        async () => (await listUnsettled(ledger().db, id)).length === 0,
      );
      expect(engine.sandbox.dialLog.length).toBe(dialsAtPause);
      expect(given(await readCampaign(ledger().db, id)).state).toBe("paused");
      await tell(engine, id, "resume");
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });

    it.each<[string, Fault["kind"]]>([
      ["with effect", "drop_after"],
      ["without effect", "drop_before"],
    ])("a cancel %s ends the campaign with everybody accounted for", async (_name, kind) => {
      const id = await startTestCampaign(engine, people(120), { concurrency: 10 });
      await until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
      engine.sandbox.faults.add({ kind, route: "POST /v1/batch-calls/:id/cancel", times: 1 } as Fault);
      await tell(engine, id, "cancel");
      expect((await untilOver(engine, id)).state).toBe("cancelled");
      await expectAccounted(engine, id);
      const report = given(await readReport(ledger().db, id));
      expect(report.excludedReasons["cancelled"]).toBeGreaterThan(0);
    });
  });
});
