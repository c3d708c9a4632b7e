import { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { expect, inject, it } from "vitest";

import { advanceEnrolment, type AdvanceInput } from "../../../src/activities/sequences/advance.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { enroll } from "../../../src/ledger/sequences/enrolling.ts";
import { readEnrolment, readJourney } from "../../../src/ledger/sequences/enrolments.ts";
import { putSequenceVersion } from "../../../src/ledger/sequences/sequence-commands.ts";
import { provideTimeSkippingServer } from "../../../src/temporal/server/time-skipping.ts";
import { definitionOf } from "../../ledger/support/enrolling.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { cacheDir } from "../../support/setup-temporal.ts";

const DAY_MS = 86_400_000;

withLedger((ledger) => {
  it("a month of waiting, a working day's morning where the person is, and an event that never comes: each to the moment", async () => {
    const server = await provideTimeSkippingServer({
      cacheDir: cacheDir(),
      searchPath: process.env["PATH"] ?? "",
      onProgress: () => {},
    });
    const environment = await TestWorkflowEnvironment.createTimeSkipping({ server });
    try {
      const startedAtMs = await environment.currentTimeMs();
      const definition = definitionOf([
        { id: "month", wait: { for: "30d" } },
        { id: "morning", wait: { until: "10:00", days: "weekdays" } },
        {
          id: "answer",
          wait_for: { event: "replied", timeout: "90d" },
          on: { event: "month", timeout: "end" },
        },
        { id: "end", exit: { outcome: "silent" } },
      ]);
      const enrolmentId = await ledger().transaction(async (tx) => {
        await putSequenceVersion(tx, { definition, actor: "test", nowMs: startedAtMs });
        const result = await enroll(tx, {
          sequenceName: definition.name,
          brand: "default",
          phone: "+12025550143",
          region: "US",
          zones: ["America/New_York"],
          strictZones: ["America/New_York"],
          variables: {},
          source: "test",
          nowMs: startedAtMs,
        });
        if (result.kind !== "enrolled") throw new Error(JSON.stringify(result));
        return result.enrolmentId;
      });
      let turns = 0;
      const worker = await Worker.create({
        connection: environment.nativeConnection,
        taskQueue: "outdial-test-engine",
        workflowBundle: { codePath: inject("workflowBundlePath") },
        activities: {
          // The clock of the engine is the server's, which skips.
          async advanceEnrolment(input: AdvanceInput) {
            turns += 1;
            const nowMs = await environment.currentTimeMs();
            const deps = { ledger: ledger(), now: () => nowMs } as ActivityDeps;
            return advanceEnrolment(deps, input);
          },
        },
      });
      await worker.runUntil(
        environment.client.workflow.execute("sequenceWorkflow", {
          taskQueue: "outdial-test-engine",
          workflowId: "sleeper",
          args: [{ enrolmentId }],
        }),
      );
      expect(given(await readEnrolment(ledger().db, enrolmentId))).toMatchObject({
        state: "done",
        outcome: "silent",
      });
      const journey = await readJourney(ledger().db, enrolmentId, { after: 0, limit: 100 });
      expect(journey.map(({ step, what }) => `${step}: ${what}`)).toEqual([
        "month: waits",
        "morning: waits",
        "answer: waits_for_event",
        "answer: timeout",
        "end: ended",
      ]);
      const [month, morning, answer, timeout] = journey.map(({ atMs }) => atMs) as [
        number,
        number,
        number,
        number,
      ];
      // A turn comes a little after its moment, never before it.
      expectSoonAfter(morning, month + 30 * DAY_MS);
      expectSoonAfter(timeout, answer + 90 * DAY_MS);
      const local = new Date(answer).toLocaleString("en-US", {
        timeZone: "America/New_York",
        weekday: "short",
        hour: "numeric",
        hourCycle: "h23",
      });
      expect(local).toMatch(/^(?:Mon|Tue|Wed|Thu|Fri), 10$/);
      // Asleep for months it took a turn for each of its moments, and none in between.
      expect(turns).toBe(4);
    } finally {
      await environment.teardown();
    }
  });
});

function expectSoonAfter(actualMs: number, momentMs: number): void {
  expect(actualMs).toBeGreaterThanOrEqual(momentMs);
  expect(actualMs).toBeLessThan(momentMs + 60_000);
}
