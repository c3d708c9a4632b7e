import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { dueTimesOf, lateAfterMs, readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { occurrences } from "../../../src/domain/schedules/schedule-times.ts";
import { nextTurn } from "../../../src/domain/schedules/schedule-turns.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { listRuns, readScheduleRun, type ScheduleRun } from "../../../src/ledger/schedules/schedule-runs.ts";
import { putSchedule, removeSchedule } from "../../../src/ledger/schedules/schedule-changes.ts";
import { readSchedule, type Schedule } from "../../../src/ledger/schedules/schedules.ts";
import { runNow } from "../../../src/ledger/schedules/schedule-commands.ts";
import { scheduleKeeper } from "../../../src/chores/schedules/schedule-keeping.ts";
import { scheduleWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { startEngine, until, type Engine } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";

describe("schedules", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let names = 0;
    beforeAll(async () => {
      engine = await startEngine(ledger(), { speed: 100 });
      await engine.startWorkers();
    });
    afterEach(() => engine.sandbox.faults.clear());
    afterAll(() => engine.close());

    const automation = async (deployed = true): Promise<string> => {
      const { workflows } = engine.deps.platform;
      const { workflow_id: id } = await workflows.create({
        name: `automation ${(names += 1)}`,
        trigger_type: "schedule",
        workflow_json: { nodes: [], connections: {} },
      });
      if (deployed) await workflows.deploy(id);
      return id;
    };
    const declare = async (changes: Record<string, unknown>, nowMs = Date.now()): Promise<Schedule> => {
      const reading = readScheduleDefinition({ name: `s${(names += 1)}`, ...changes });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      const input = { definition: reading.definition, actor: "test", nowMs };
      const { schedule } = await ledger().transaction((tx) => putSchedule(tx, input));
      engine.deps.outbox.kick();
      return schedule;
    };
    const remove = async ({ name }: Schedule) => {
      const input = { name, actor: "test", reason: undefined, nowMs: Date.now() };
      await ledger().transaction((tx) => removeSchedule(tx, input));
      engine.deps.outbox.kick();
    };
    const runsOf = async ({ id }: Schedule): Promise<ScheduleRun[]> => {
      const { items } = await listRuns(ledger().db, id, { limit: 200 });
      return items.toReversed();
    };
    const executionsOf = async (workflowId: string) => {
      const { items } = await engine.deps.platform.workflows.executions(workflowId, { limit: 500 });
      return items;
    };
    const runIdOf = (execution: object): unknown => {
      const snapshot: unknown = Reflect.get(execution, "input_snapshot");
      return typeof snapshot === "object" && snapshot !== null
        ? Reflect.get(snapshot, "schedule_run_id")
        : undefined;
    };
    const attentionOf = async (subject: string) => {
      const { items } = await listAttention(ledger().db, { subject, resolved: false, limit: 10 });
      return items.map(({ kind }) => kind);
    };
    const now = (schedule: Schedule) =>
      ledger()
        .transaction((tx) =>
          runNow(tx, { name: schedule.name, commandId: randomUUID(), actor: "test", nowMs: Date.now() }),
        )
        .finally(() => engine.deps.outbox.kick());
    const untilOver = (run: ScheduleRun) =>
      until("the run to be over", async () => {
        const found = await readScheduleRun(ledger().db, run.id);
        return found?.endedAtMs === undefined ? undefined : found;
      });

    it("makes after an outage of the worker exactly the runs that the catch-up window allows, none twice", async () => {
      const workflowId = await automation();
      const often = { run: { workflow_id: workflowId }, every: "4s", overlap: "allow", catch_up: "40s" };
      const before = await declare(often);
      await until("a run that ended well", async () =>
        (await runsOf(before)).some(({ state }) => state === "done"),
      );
      await engine.stopWorkers();
      const stoppedMs = Date.now();
      // Its due times of these two minutes went by without a worker; of the other schedule's, those of a moment did.
      const schedule = await declare(often, stoppedMs - 120_000);
      const times = dueTimesOf(schedule.definition);
      await until("a due time to pass", () => occurrences(times, stoppedMs, Date.now(), 1).length === 1);
      await engine.startWorkers();
      const startedMs = Date.now();
      const beyond = (one: Schedule) =>
        until("runs to go on", async () => {
          const found = await runsOf(one);
          const isBeyond = found.some(({ state, dueAtMs }) => state === "done" && dueAtMs > startedMs);
          return isBeyond ? found : undefined;
        });
      const all = [await beyond(schedule), await beyond(before)] as const;
      expect(await attentionOf(schedule.name)).toContain("schedule_run_missed");
      for (const one of [schedule, before]) await remove(one);
      const lateMs = lateAfterMs(schedule.definition);
      for (const [of, runs] of [
        [schedule, all[0]],
        [before, all[1]],
      ] as const) {
        const dueMs = runs.map(({ dueAtMs }) => dueAtMs);
        expect(dueMs).toEqual(occurrences(times, of.createdAtMs, dueMs.at(-1) ?? 0, 200));
        for (const run of runs)
          expect(run.state === "missed", JSON.stringify(run)).toBe(run.createdAtMs > run.dueAtMs + lateMs);
      }
      const [runs] = all;
      const states = runs.filter(({ dueAtMs }) => dueAtMs <= startedMs).map(({ state }) => state);
      expect(states).toContain("missed");
      expect(states.filter((state) => state !== "missed").length).toBeGreaterThan(1);
      const made = all.flat().filter(({ state }) => state !== "missed");
      const ended = await Promise.all(made.map(untilOver));
      // The sandbox lets some executions fail.
      for (const { state } of ended) expect(["done", "failed"]).toContain(state);
      const executed = (await executionsOf(workflowId))
        .map(runIdOf)
        .filter((id) => made.some((run) => run.id === id));
      expect(executed).toHaveLength(made.length);
      expect(new Set(executed)).toEqual(new Set(made.map(({ id }) => id)));
    });

    it("writes a due time down once, however often its workflow is woken", async () => {
      const schedule = await declare(
        { run: { workflow_id: await automation() }, every: "1s", overlap: "allow", catch_up: "1m" },
        Date.now() - 3_000,
      );
      const handle = engine.client.workflow.getHandle(scheduleWorkflowId(schedule.id));
      const due = await until("a dozen runs", async () => {
        await handle.signal("wake").catch(() => {});
        const found = (await runsOf(schedule)).map(({ dueAtMs }) => dueAtMs);
        return found.length >= 12 ? found : undefined;
      });
      await remove(schedule);
      expect(due).toEqual(
        occurrences(dueTimesOf(schedule.definition), (due[0] ?? 0) - 1, due.at(-1) ?? 0, 100),
      );
    });

    it("begins each run with its own share of the jitter, in the order of their due times", async () => {
      const schedule = await declare({
        run: { workflow_id: await automation() },
        every: "3s",
        jitter: "2900ms",
        overlap: "allow",
        catch_up: "1m",
      });
      const runs = await until("some runs", async () => {
        const found = await runsOf(schedule);
        return found.length >= 5 ? found : undefined;
      });
      await remove(schedule);
      let beforeMs = 0;
      for (const { dueAtMs, createdAtMs } of runs) {
        const { turnMs } = given(nextTurn(schedule, dueAtMs - 1));
        expect(createdAtMs).toBeGreaterThanOrEqual(Math.max(turnMs, beforeMs));
        beforeMs = createdAtMs;
      }
    });

    it("looks for an execution whose answer was lost before anything else, and runs it once", async () => {
      const workflowId = await automation();
      const schedule = await declare({ run: { workflow_id: workflowId, data: { n: 1 } }, cron: "0 0 1 1 *" });
      engine.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/workflows/:id/execute", times: 1 });
      const run = await untilOver(await now(schedule));
      expect(run).toMatchObject({ state: "done", cause: "now" });
      const executions = await executionsOf(workflowId);
      expect(executions.map(runIdOf)).toEqual([run.id]);
      expect(run.executionId).toBe(executions[0]?.execution_id);
    });

    it("pauses where a run failed and that is declared, its workflow is over, and people are told", async () => {
      const workflowId = await automation(false);
      const schedule = await declare({
        run: { workflow_id: workflowId },
        cron: "0 0 1 1 *",
        pause_on_failure: true,
      });
      const run = await untilOver(await now(schedule));
      expect(run.state).toBe("failed");
      await until("its workflow to be over", async () => {
        const there = await engine.client.workflow.getHandle(scheduleWorkflowId(schedule.id)).describe();
        return there.status.name === "COMPLETED";
      });
      expect(await attentionOf(schedule.name)).toEqual(["schedule_run_failed"]);
    });

    it("leaves none on the platform's scheduler that was given to Temporal just when it was brought there", async () => {
      const { workflows } = engine.deps.platform;
      const workflowId = await automation();
      const times = { cron: "0 9 1 1 *", run: { workflow_id: workflowId } };
      const schedule = await declare({ engine: "platform", ...times });
      const isThere = async () => (await workflows.schedule(workflowId)).is_scheduled === true;
      await until("it to be there", isThere);
      await workflows.deleteSchedule(workflowId);
      const givenAway = async () => {
        await declare({ name: schedule.name, ...times });
        await until("it to be Temporal's", async () => {
          const { drift } = given(await readSchedule(ledger().db, schedule.id));
          return drift.workflowId === undefined;
        });
      };
      const late: typeof workflows = Object.create(workflows);
      late.setSchedule = async (...args) => {
        await givenAway();
        return workflows.setSchedule(...args);
      };
      const platform: typeof engine.deps.platform = Object.create(engine.deps.platform, {
        workflows: { value: late },
      });
      await scheduleKeeper({ ...engine.deps, platform }).pass();
      expect(await isThere()).toBe(false);
      await remove(schedule);
    });

    it("keeps one on the platform's own scheduler in line with what is declared, and finds runs that did not happen", async () => {
      const { workflows } = engine.deps.platform;
      const workflowId = await automation();
      const declared = { engine: "platform", cron: "*/5 * * * *", run: { workflow_id: workflowId } };
      const schedule = await declare(declared);
      await until("the platform to run it", async () => {
        const executions = await executionsOf(workflowId);
        return executions.some((execution) => execution.trigger_source === "scheduler");
      });
      const cronThere = async () => (await workflows.schedule(workflowId)).trigger_config?.["cron"];
      await workflows.setSchedule(workflowId, { cron: "0 3 * * *" });
      await scheduleKeeper(engine.deps).pass();
      expect(await cronThere()).toBe("*/5 * * * *");
      expect((await readSchedule(ledger().db, schedule.id))?.drift.found).toContain('cron "0 3 * * *"');
      await workflows.deleteSchedule(workflowId);
      await scheduleKeeper(engine.deps).pass();
      expect((await workflows.schedule(workflowId)).is_scheduled).toBe(true);

      const reported = await declare({ ...declared, name: schedule.name, drift: "report" });
      await until(
        "the change to be there",
        async () => given(await readSchedule(ledger().db, reported.id)).installedDigest === reported.digest,
      );
      await workflows.deleteSchedule(workflowId);
      // An hour later: nothing ran by the clock on the wall since.
      const later = { ...engine.deps, now: () => Date.now() + 3_600_000 };
      await scheduleKeeper(later).pass();
      expect((await workflows.schedule(workflowId)).is_scheduled).toBe(false);
      expect((await attentionOf(schedule.name)).toSorted()).toEqual([
        "schedule_drift",
        "schedule_run_missed",
      ]);
      const missed = await runsOf(schedule);
      expect(missed.length).toBeGreaterThanOrEqual(9);
      expect(new Set(missed.map(({ state }) => state))).toEqual(new Set(["missed"]));
      await scheduleKeeper(later).pass();
      expect(await runsOf(schedule)).toHaveLength(missed.length);
    });
  });
});
