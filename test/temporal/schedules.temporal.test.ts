import { Client, Connection, WorkflowNotFoundError } from "@temporalio/client";
import { NativeConnection, Worker } from "@temporalio/worker";
import { workflowMetadataQuery } from "@temporalio/workflow";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";

import { createActivities } from "../../src/activities/index.ts";
import { relayOf } from "../../src/chores/chores.ts";
import { overdueLooks } from "../../src/temporal/overdue.ts";
import { scheduleKeeper } from "../../src/chores/schedules/schedule-keeping.ts";
import { readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { countAttention } from "../../src/ledger/ground/attention.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { readInstallation, requireRecovery } from "../../src/ledger/ground/installation.ts";
import { countOutbox } from "../../src/ledger/ground/outbox.ts";
import { finishRecovery } from "../../src/ledger/recovery/recovery.ts";
import {
  pauseSchedule,
  putSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../src/ledger/schedules/schedule-changes.ts";
import { listRuns } from "../../src/ledger/schedules/schedule-runs.ts";
import { readSchedule } from "../../src/ledger/schedules/schedules.ts";
import { taskQueuesOf } from "../../src/temporal/task-queues.ts";
import { scheduleWorkflowId } from "../../src/temporal/workflow-ids.ts";
import { startEngine, until, type Engine } from "../support/engine.ts";
import { given, withLedger } from "../support/ledgers.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/* The workflows of schedules on a real server: when they are there, what they wait for, and who sees to it. */

describe("the workflows of schedules", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let names = 0;
    beforeAll(async () => {
      engine = await startEngine(ledger());
      await engine.startWorkers();
    });
    // A pass looks at each that is there.
    afterEach(async () => {
      await rows(ledger().db, sql`delete from attention`);
      await rows(ledger().db, sql`delete from actions`);
      await rows(ledger().db, sql`delete from schedule_runs`);
      await rows(ledger().db, sql`delete from schedules`);
    });
    afterAll(() => engine.close());

    const declare = async (when: Record<string, unknown>, name = `s${(names += 1)}`): Promise<string> => {
      const reading = readScheduleDefinition({ name, run: { workflow_id: "none" }, ...when });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      const { definition } = reading;
      const { schedule } = await ledger().transaction((tx) =>
        putSchedule(tx, { definition, actor: "test", nowMs: Date.now() }),
      );
      engine.deps.outbox.kick();
      return schedule.id;
    };
    /** One a day, the next one so much from now. */
    const daily = (inMs: number) => ({
      every: "1d",
      offset: `${Math.floor(((Date.now() + inMs) % DAY) / SECOND)}s`,
    });
    const command = async (id: string) => ({
      name: given(await readSchedule(ledger().db, id)).name,
      actor: "test",
      reason: undefined,
      nowMs: Date.now(),
    });
    const tell = async (id: string, change: typeof pauseSchedule) => {
      const input = await command(id);
      await ledger().transaction((tx) => change(tx, input));
      engine.deps.outbox.kick();
    };
    const handleOf = (id: string) => engine.client.workflow.getHandle(scheduleWorkflowId(id));
    const statusOf = async (id: string): Promise<string> => {
      try {
        return (await handleOf(id).describe()).status.name;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return "NOT_FOUND";
        throw error;
      }
    };
    /** What Temporal's web UI says that it waits for. */
    const waitsFor = async (id: string): Promise<string> => {
      if ((await statusOf(id)) !== "RUNNING") return "";
      return (await handleOf(id).query(workflowMetadataQuery)).currentDetails ?? "";
    };
    const untilItWaitsFor = (id: string, words: string) =>
      until(`it to wait for ${words}`, async () => (await waitsFor(id)).includes(words));
    const untilItIs = (id: string, status: string) =>
      until(`it to be ${status}`, async () => (await statusOf(id)) === status);
    const asleep = (id: string) => untilItWaitsFor(id, "waits for the run that is due at");
    /** A pass of so much later. What it hands to the relay is due at once all the same. */
    const pass = async (aheadMs = 0, client = engine.client) => {
      const { ledger: over, log, outbox } = engine.deps;
      const now = () => Date.now() + aheadMs;
      await scheduleKeeper({ ...engine.deps, now }).pass();
      await overdueLooks({ client, ledger: over, log, kick: () => outbox.kick(), now }).look();
      await rows(ledger().db, sql`update outbox set due_at = least(due_at, now())`);
      engine.deps.outbox.kick();
    };
    const handedOn = () =>
      until("the outbox to be empty", async () => (await countOutbox(ledger().db)).length === 0);
    const signalsOf = async (id: string) => {
      const { events } = await handleOf(id).fetchHistory();
      return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    };
    const runsOf = async (id: string) => (await listRuns(ledger().db, id, { limit: 200 })).items.toReversed();

    it("wait for what is declared, whatever people change meanwhile, and are there only while something is due", async () => {
      const year = new Date().getUTCFullYear() + 1;
      const id = await declare({ cron: "0 9 1 7 *", time_zone: "Europe/Berlin" });
      await untilItWaitsFor(id, `the run that is due at ${year}-07-01T07:00:00.000Z, until `);
      const { name } = await command(id);
      await declare({ cron: "0 9 1 7 *", time_zone: "Europe/Berlin" }, name);
      await handedOn();
      const signals = await signalsOf(id);
      await declare({ cron: "30 10 2 12 *", time_zone: "America/New_York" }, name);
      await untilItWaitsFor(id, "-12-02T15:30:00.000Z");
      expect(await signalsOf(id)).toBe(signals + 1);
      await tell(id, pauseSchedule);
      await untilItIs(id, "COMPLETED");
      await tell(id, resumeSchedule);
      await untilItWaitsFor(id, "-12-02T15:30:00.000Z");
      await tell(id, removeSchedule);
      await untilItIs(id, "COMPLETED");
      await declare({ every: "1h" }, name);
      await asleep(id);
      // The platform's own scheduler keeps it from now on.
      await declare({ cron: "0 9 * * *", engine: "platform" }, name);
      await untilItIs(id, "COMPLETED");
    });

    it("are left alone by whoever watches while they are there and in time", async () => {
      const [near, far] = [await declare(daily(3 * MINUTE)), await declare(daily(12 * HOUR))];
      for (const id of [near, far]) await asleep(id);
      await handedOn();
      await pass();
      await pass();
      expect(await countOutbox(ledger().db)).toEqual([]);
      for (const id of [near, far]) expect(await signalsOf(id)).toBe(1);
    });

    it("that are gone are there again minutes before they are due", async () => {
      const [near, far] = [await declare(daily(30 * MINUTE)), await declare(daily(12 * HOUR))];
      for (const id of [near, far]) await asleep(id);
      for (const id of [near, far]) await handleOf(id).terminate("by hand");
      await pass(20 * MINUTE);
      expect(await statusOf(near)).toBe("TERMINATED");
      await pass(26 * MINUTE);
      await asleep(near);
      expect(await statusOf(far)).toBe("TERMINATED");
      await pass(12 * HOUR - 3 * MINUTE);
      await asleep(far);
    });

    it("that sleep beyond their time because it is reckoned otherwise now are woken", async () => {
      const id = await declare(daily(20 * HOUR));
      await asleep(id);
      await handedOn();
      const before = await waitsFor(id);
      await pass();
      expect(await waitsFor(id)).toBe(before);
      // As rules of its zone do that came with newer data: nobody is told.
      const { offset } = daily(HOUR);
      await rows(
        ledger().db,
        sql`update schedules set definition = jsonb_set(definition, '{offset}', to_jsonb(${offset}::text)) where id = ${id}::uuid`,
      );
      await pass();
      await until("it to have another timer", async () => {
        const now = await waitsFor(id);
        const [, dueAt = ""] = /the run that is due at (\S+Z)/.exec(now) ?? [];
        return now !== before && Math.abs(Date.parse(dueAt) - Date.now() - HOUR) < 10 * MINUTE;
      });
    });

    it("decide nothing by a clock that is wrong, and all of it once that is set", async () => {
      const { now: right } = engine.deps;
      engine.deps.now = () => Date.now() - 3 * DAY;
      onTestFinished(() => void (engine.deps.now = right));
      const id = await declare(daily(HOUR));
      await until("people to be told", async () => (await countAttention(ledger().db))["step_failing"] === 1);
      expect(await statusOf(id)).toBe("NOT_FOUND");
      expect((await readSchedule(ledger().db, id))?.nextLookAtMs).toBeUndefined();
      engine.deps.now = right;
      await asleep(id);
    });

    it("make what is due after Temporal has lost all of its data", async () => {
      const id = await declare({ ...daily(10 * SECOND), catch_up: "1h" });
      await asleep(id);
      const { dueAtMs } = given(
        await until("a due time", async () => {
          const [, iso] = /due at (\S+Z)/.exec(await waitsFor(id)) ?? [];
          return iso === undefined ? undefined : { dueAtMs: Date.parse(iso) };
        }),
      );
      await engine.close();
      // Another namespace knows nothing of the first one.
      engine = await startEngine(ledger());
      await engine.startWorkers();
      expect(await statusOf(id)).toBe("NOT_FOUND");
      await pass();
      const run = await until("its run", async () => (await runsOf(id))[0]);
      expect(run).toMatchObject({ dueAtMs, cause: "schedule" });
      expect(run.state).not.toBe("missed");
      await asleep(id);
      expect(await runsOf(id)).toHaveLength(1);
    });

    it("tell what was missed though Temporal is away", async () => {
      const id = await declare({ every: "1h", catch_up: "1m" });
      const connection = Connection.lazy();
      await connection.close();
      await pass(2 * HOUR, new Client({ connection }));
      expect(await countAttention(ledger().db)).toMatchObject({ schedule_run_missed: 1 });
      expect((await runsOf(id)).map(({ state }) => state)).toContain("missed");
    });

    it("decide nothing, and tell nothing, while the ledger waits for its recovery, and go on behind its end", async () => {
      const id = await declare({ every: "1s", catch_up: "1h", overlap: "allow" });
      await until("a first run", async () => (await runsOf(id)).length > 0);
      await requireRecovery(ledger().db, "restored", Date.now());
      const heldMs = Date.now();
      const before = (await runsOf(id)).length;
      const looks = async () => (await readSchedule(ledger().db, id))?.lookedAtMs ?? 0;
      await until("looks to go on", async () => (await looks()) > heldMs + 2 * SECOND);
      await pass(5 * HOUR);
      expect(await runsOf(id)).toHaveLength(before);
      await finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: Date.now() });
      const endMs = Date.now();
      await until("runs to go on", async () =>
        (await runsOf(id)).some(({ dueAtMs, state }) => dueAtMs > endMs && state !== "skipped"),
      );
      const since = (await runsOf(id)).filter(({ dueAtMs }) => dueAtMs > heldMs && dueAtMs < endMs - SECOND);
      expect(since.every(({ state }) => state === "skipped")).toBe(true);
      await tell(id, removeSchedule);
      await untilItIs(id, "COMPLETED");
    });

    describe("that are changed and removed while a pass looks at them", () => {
      /** The same object but for some of what it has. */
      const but = <T extends object>(target: T, own: (name: string) => unknown): T =>
        new Proxy(target, {
          get(inner, name) {
            const replaced = own(String(name));
            if (replaced !== undefined) return replaced;
            const value: unknown = Reflect.get(inner, name);
            return typeof value === "function" ? value.bind(inner) : value;
          },
        });
      /** A client that does something before the n-th time that it is asked after a workflow. */
      const interrupted = (nth: number, work: () => Promise<void>): Client => {
        const { client } = engine;
        let requests = 0;
        const workflow = but(client.workflow, (name) => {
          if (name !== "getHandle") return undefined;
          return (workflowId: string) =>
            but(client.workflow.getHandle(workflowId), (asked) => {
              if (asked !== "describe") return undefined;
              return async () => {
                requests += 1;
                if (requests === nth) await work();
                return client.workflow.getHandle(workflowId).describe();
              };
            });
        });
        return but(client, (name) => (name === "workflow" ? workflow : undefined));
      };

      it.each([1, 2, 3])("stay as people declared them (before request %i of the pass)", async (nth) => {
        const soon = 30 * MINUTE;
        const [changed, paused, removed] = [
          await declare(daily(soon)),
          await declare(daily(soon)),
          await declare(daily(soon)),
        ];
        for (const id of [changed, paused, removed]) {
          await asleep(id);
          await handleOf(id).terminate("by hand");
        }
        const { name } = await command(changed);
        const client = interrupted(nth, async () => {
          await tell(removed, removeSchedule);
          await declare({ cron: "0 17 24 12 *" }, name);
          await tell(paused, pauseSchedule);
        });
        await pass(soon - 3 * MINUTE, client);
        await handedOn();
        await untilItWaitsFor(changed, "-12-24T17:00:00.000Z");
        for (const id of [paused, removed])
          await until("it to be over", async () => (await statusOf(id)) !== "RUNNING");
        for (const id of [changed, paused, removed]) expect(await runsOf(id)).toEqual([]);
      });
    });

    it("that wait for a worker are not woken over and over", async () => {
      const id = await declare({ every: "1h" });
      await asleep(id);
      await handedOn();
      const before = await signalsOf(id);
      await engine.stopWorkers();
      onTestFinished(() => engine.startWorkers());
      const relayed = async () => {
        await pass(90 * MINUTE);
        return (await countOutbox(ledger().db)).length;
      };
      expect(await relayed()).toBe(1);
      // What the relay does, without a worker beside it.
      const relay = relayOf(engine.deps, engine.client);
      onTestFinished(() => relay.stop());
      await handedOn();
      expect(await relayed()).toBe(0);
      expect(await relayed()).toBe(0);
      expect(await signalsOf(id)).toBe(before + 1);
    });

    it("that lost their worker with a look's answer in its hands wait no longer for that", async () => {
      const lonely = await startEngine(ledger());
      onTestFinished(() => lonely.close());
      const id = await declare({ cron: "0 0 1 1 *" });
      await asleep(id);
      const { installationId } = await readInstallation(ledger().db);
      const connection = await NativeConnection.connect({ address: inject("temporalAddress") });
      onTestFinished(() => connection.close());
      const { namespace } = lonely.client.options;
      const shared = { connection, namespace, taskQueue: taskQueuesOf(installationId).engine };
      const whole = { ...shared, workflowBundle: { codePath: inject("workflowBundlePath") } };
      const handle = await lonely.client.workflow.start("scheduleWorkflow", {
        workflowId: scheduleWorkflowId(id),
        taskQueue: shared.taskQueue,
        args: [{ scheduleId: id }],
      });
      const events = async () => (await handle.fetchHistory()).events ?? [];
      const atMs = (event: Awaited<ReturnType<typeof events>>[number] | undefined) =>
        Number(event?.eventTime?.seconds ?? 0) * SECOND + (event?.eventTime?.nanos ?? 0) / 1e6;
      const first = await Worker.create(whole);
      await first.runUntil(
        until("it to ask", async () =>
          (await events()).some((event) => event.activityTaskScheduledEventAttributes),
        ),
      );
      // Only what answers looks is up: nobody takes the answer.
      const second = await Worker.create({ ...shared, activities: createActivities(lonely.deps) });
      await second.runUntil(
        until("the answer to lie there for some seconds", async () => {
          const answered = (await events()).find((event) => event.activityTaskCompletedEventAttributes);
          return answered && Date.now() > atMs(answered) + 4 * SECOND;
        }),
      );
      const third = await Worker.create({ ...whole, activities: createActivities(lonely.deps) });
      const timer = await third.runUntil(
        until("it to wait", async () => (await events()).find((event) => event.timerStartedEventAttributes)),
      );
      const all = await events();
      const answered = all.findIndex((event) => event.activityTaskCompletedEventAttributes);
      const taken = all.slice(answered).find((event) => event.workflowTaskStartedEventAttributes);
      const lostMs = atMs(taken) - atMs(all[answered]);
      expect(lostMs).toBeGreaterThan(3 * SECOND);
      const timeout = timer.timerStartedEventAttributes?.startToFireTimeout;
      const waitMs = Number(timeout?.seconds ?? 0) * SECOND + (timeout?.nanos ?? 0) / 1e6;
      expect(waitMs).toBeLessThanOrEqual(7 * DAY - lostMs + SECOND);
    });
  });
});
