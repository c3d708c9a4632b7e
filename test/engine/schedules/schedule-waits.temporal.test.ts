import { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { expect, inject, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { decideDueTimesActivity } from "../../../src/activities/schedules/decide-due-times.ts";
import { dueTimesOf, readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { occurrences } from "../../../src/domain/schedules/schedule-times.ts";
import { nextTurn } from "../../../src/domain/schedules/schedule-turns.ts";
import { listRuns } from "../../../src/ledger/schedules/schedule-runs.ts";
import { putSchedule } from "../../../src/ledger/schedules/schedule-changes.ts";
import { provideTimeSkippingServer } from "../../../src/temporal/server/time-skipping.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { cacheDir } from "../../support/setup-temporal.ts";

const DAY_MS = 86_400_000;

/** A year has both changes of the clocks, whenever this runs. */
const DAYS = 370;

/** Nights of Sundays, when clocks change; twice a year something that is rare. */
const SCHEDULES = [
  { calendar: { at: ["01:30", "02:30"], weekdays: ["sunday"] }, time_zone: "America/New_York" },
  { cron: "15 2 * * sun", time_zone: "Europe/Berlin", jitter: "50m" },
  { cron: "45 1,2 1-8 4,10 *", time_zone: "Australia/Lord_Howe" },
  { cron: "0 0 1 1,7 *", time_zone: "America/Santiago" },
  { every: "80h", offset: "17m" },
];

withLedger((ledger) => {
  it("schedules run through a year by their workflows' timers alone: every due time to the moment, none left out by the clocks, none twice", async () => {
    const server = await provideTimeSkippingServer({
      cacheDir: cacheDir(),
      searchPath: process.env["PATH"] ?? "",
      onProgress: () => {},
    });
    const environment = await TestWorkflowEnvironment.createTimeSkipping({ server });
    try {
      const startedAtMs = await environment.currentTimeMs();
      const schedules = await Promise.all(
        SCHEDULES.map(async (when, n) => {
          const run = { workflow_id: "none" };
          const reading = readScheduleDefinition({ name: `year-${n}`, run, overlap: "allow", ...when });
          if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
          const input = { definition: reading.definition, actor: "test", nowMs: startedAtMs };
          return (await ledger().transaction((tx) => putSchedule(tx, input))).schedule;
        }),
      );
      const looks = new Map<string, number>();
      const worker = await Worker.create({
        connection: environment.nativeConnection,
        taskQueue: "outdial-test-engine",
        workflowBundle: { codePath: inject("workflowBundlePath") },
        activities: {
          // The clock of the engine is the server's, which skips.
          async decideDueTimes(input: { scheduleId: string }) {
            looks.set(input.scheduleId, (looks.get(input.scheduleId) ?? 0) + 1);
            const nowMs = await environment.currentTimeMs();
            const deps = { ledger: ledger(), outbox: { kick() {} }, now: () => nowMs } as ActivityDeps;
            return decideDueTimesActivity(deps, input);
          },
        },
      });
      await worker.runUntil(async () => {
        for (const { id } of schedules)
          await environment.client.workflow.start("scheduleWorkflow", {
            taskQueue: "outdial-test-engine",
            workflowId: id,
            args: [{ scheduleId: id }],
          });
        await environment.sleep(DAYS * DAY_MS);
      });
      for (const schedule of schedules) {
        const { items } = await listRuns(ledger().db, schedule.id, { limit: 200 });
        const runs = items.toReversed();
        const endMs = startedAtMs + DAYS * DAY_MS - DAY_MS;
        const dueMs = runs.map(({ dueAtMs }) => dueAtMs).filter((ms) => ms <= endMs);
        expect(dueMs).toEqual(occurrences(dueTimesOf(schedule.definition), startedAtMs, endMs, 1_000));
        for (const { dueAtMs, createdAtMs } of runs) {
          const { turnMs } = given(nextTurn(schedule, dueAtMs - 1));
          // A look comes a little after its moment, never before it.
          expect(createdAtMs).toBeGreaterThanOrEqual(turnMs);
          expect(createdAtMs).toBeLessThan(turnMs + 60_000);
        }
        // One for each due time, and one a week where there is none.
        expect(looks.get(schedule.id)).toBeLessThanOrEqual(runs.length + DAYS / 7 + 2);
      }
    } finally {
      await environment.teardown();
    }
  });
});
