import { Client, Connection, ScheduleClient, WorkflowNotFoundError } from "@temporalio/client";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { dueTimesOf, readScheduleDefinition } from "../../src/domain/schedules/schedule.ts";
import { occurrences } from "../../src/domain/schedules/schedule-times.ts";
import { zoneOf } from "../../src/domain/time/zone-data.ts";
import { countAttention } from "../../src/ledger/ground/attention.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { requireRecovery } from "../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../src/ledger/recovery/recovery.ts";
import { listRuns } from "../../src/ledger/schedules/schedule-runs.ts";
import {
  pauseSchedule,
  putSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../src/ledger/schedules/schedule-changes.ts";
import { findSchedule, readSchedule } from "../../src/ledger/schedules/schedules.ts";
import { scheduleKeeper } from "../../src/chores/schedules/schedule-keeping.ts";
import { scheduleDueWorkflowId, temporalScheduleId } from "../../src/temporal/workflow-ids.ts";
import { startEngine, type Engine } from "../support/engine.ts";
import { given, withLedger } from "../support/ledgers.ts";

/** On a real server: the one that skips time has no schedules. No worker runs: nothing is begun here. */
describe("schedules that Temporal keeps", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let names = 0;
    beforeAll(async () => {
      engine = await startEngine(ledger());
    });
    // A pass looks at each that is there.
    afterEach(async () => {
      await rows(ledger().db, sql`delete from schedule_runs`);
      await rows(ledger().db, sql`delete from schedules`);
    });
    afterAll(() => engine.close());

    const keeper = () => scheduleKeeper(engine.deps, engine.client);

    /** Declares one and brings it to Temporal. Returns its id. */
    const declare = async (when: Record<string, unknown>, name = `s${(names += 1)}`): Promise<string> => {
      const reading = readScheduleDefinition({ name, run: { workflow_id: "none" }, ...when });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      const { definition } = reading;
      const { schedule } = await ledger().transaction((tx) =>
        putSchedule(tx, { definition, actor: "test", nowMs: Date.now() }),
      );
      await keeper().keep(schedule.id);
      return schedule.id;
    };

    const handleOf = (id: string) => engine.client.schedule.getHandle(temporalScheduleId(id));
    const readOf = async (id: string) => given(await readSchedule(ledger().db, id));
    const seconds = (ms: number) => ({ seconds: ms / 1_000 }) as never;

    /** What Temporal itself says of a stretch of time. */
    const listed = async (id: string, fromMs: number, toMs: number): Promise<string[]> => {
      const { startTime } = await engine.client.workflowService.listScheduleMatchingTimes({
        namespace: engine.client.options.namespace,
        scheduleId: temporalScheduleId(id),
        // The server leaves the start itself out.
        startTime: seconds(fromMs - 1_000),
        endTime: seconds(toMs),
      });
      return startTime.map((time) => new Date(Number(time.seconds) * 1_000).toISOString());
    };

    // Next year has both changes ahead of us, whenever this runs.
    const year = new Date().getUTCFullYear() + 1;
    const [fromMs, toMs] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];

    // Santiago changes at midnight, so that a Sunday begins at one o'clock. Vancouver and Casablanca changed their law
    // in 2026, which a server that was built before does not know.
    it.each([
      "America/New_York",
      "Europe/Berlin",
      "Australia/Lord_Howe",
      "America/Santiago",
      "America/Vancouver",
      "Africa/Casablanca",
    ])(
      "lists over a year in %s exactly what is declared: none left out by the clocks, none twice",
      async (zone) => {
        for (const when of [
          { cron: "30 2 * * *" },
          { cron: "30 1 * * *" },
          { cron: "15 0,2 * * sun" },
          { cron: "45 1 1-14 3,4,10,11 *" },
          { cron: "*/30 1-2 * 3,4,10,11 *" },
          { calendar: { at: ["01:45", "02:00", "09:30"], weekdays: "weekend" } },
          { every: "13h", offset: "20m" },
        ]) {
          const id = await declare({ ...when, time_zone: zone });
          const { definition } = await readOf(id);
          const wanted = occurrences(dueTimesOf(definition), fromMs - 1, toMs, 100_000);
          const found = await listed(id, fromMs, toMs);
          expect(found, JSON.stringify(when)).toEqual(wanted.map((ms) => new Date(ms).toISOString()));
          expect(found.length).toBeGreaterThan(20);
        }
      },
    );

    it("takes a schedule of every minute, with all its single times around the changes", async () => {
      const id = await declare({ cron: "* * * * *", time_zone: "America/New_York" });
      const { definition } = await readOf(id);
      const nov = Date.UTC(year, 10, 1);
      const [change] = zoneOf("America/New_York").changes(nov, nov + 14 * 86_400_000);
      const at = given(change).atMs;
      const wanted = occurrences(dueTimesOf(definition), at - 7_200_001, at + 7_200_000, 10_000);
      expect(wanted).toHaveLength(181);
      expect(await listed(id, at - 7_200_000, at + 7_200_000)).toEqual(
        wanted.map((ms) => new Date(ms).toISOString()),
      );
    });

    it("leaves what is there alone, and follows pauses, changes and removals", async () => {
      const id = await declare({ cron: "0 9 * * 1-5", time_zone: "Europe/Berlin" });
      const before = await handleOf(id).describe();
      await keeper().keep(id);
      await keeper().pass();
      expect((await handleOf(id).describe()).info.lastUpdatedAt).toEqual(before.info.lastUpdatedAt);
      expect((await readOf(id)).drift).toEqual({});
      const command = { name: (await readOf(id)).name, actor: "test", reason: "holidays", nowMs: Date.now() };
      await ledger().transaction((tx) => pauseSchedule(tx, command));
      await keeper().keep(id);
      expect((await handleOf(id).describe()).state.paused).toBe(true);
      await ledger().transaction((tx) => resumeSchedule(tx, command));
      await declare({ cron: "0 10 * * 1-5", time_zone: "Europe/Berlin", jitter: "5m" }, command.name);
      const changed = await handleOf(id).describe();
      expect(changed.state.paused).toBe(false);
      expect(changed.spec.jitter).toBe(300_000);
      await ledger().transaction((tx) => removeSchedule(tx, command));
      await keeper().keep(id);
      await expect(handleOf(id).describe()).rejects.toThrow();
      expect(await findSchedule(ledger().db, command.name)).toBeUndefined();
    });

    it("repairs what somebody changed or deleted by hand, and tells what it was", async () => {
      const id = await declare({ cron: "0 9 * * *" });
      await handleOf(id).update((known) => ({
        ...known,
        spec: { calendars: [{ hour: 4 }] },
        state: { paused: true },
      }));
      await keeper().pass();
      const repaired = await readOf(id);
      expect(repaired.drift.found).toBe("it has other times; it is paused");
      expect(repaired.drift.repairedAt).toBeDefined();
      expect((await handleOf(id).describe()).spec.calendars?.[0]?.hour).toEqual([
        { start: 9, end: 9, step: 1 },
      ]);
      await handleOf(id).delete();
      await keeper().pass();
      expect((await handleOf(id).describe()).state.paused).toBe(false);
      expect((await readOf(id)).drift.found).toBe("it is not there");
    });

    it("has the clocks of its zone there again, after somebody saved it with a client that knows nothing of them", async () => {
      const id = await declare({ cron: "0 9 * * *", time_zone: "America/Vancouver" });
      const clocksThere = async () => (await handleOf(id).describe()).raw.schedule?.spec?.timezoneData;
      const clocks = given((await clocksThere()) ?? undefined);
      expect(clocks.length).toBeGreaterThan(0);
      await handleOf(id).update((known) => known);
      expect(await clocksThere()).toHaveLength(0);
      await keeper().pass();
      expect((await readOf(id)).drift.found).toBe("it goes by other zone data");
      expect(await clocksThere()).toEqual(clocks);
    });

    it("tells what was missed though Temporal is away", async () => {
      const id = await declare({ every: "1h", catch_up: "1m" });
      const connection = Connection.lazy();
      await connection.close();
      const later = { ...engine.deps, now: () => Date.now() + 2 * 3_600_000 };
      await scheduleKeeper(later, new Client({ connection }))
        .pass()
        .catch(() => {});
      expect(await countAttention(ledger().db)).toMatchObject({ schedule_run_missed: 1 });
      const { items } = await listRuns(ledger().db, id, { skip: 0, limit: 9 });
      expect(items.map(({ state }) => state)).toContain("missed");
    });

    it("has nothing decided, and tells nothing, while the ledger waits for its recovery", async () => {
      const id = await declare({ every: "1h", catch_up: "1h" });
      const later = { ...engine.deps, now: () => Date.now() + 5 * 3_600_000 };
      const leftOver = engine.client.workflow.getHandle(`${scheduleDueWorkflowId(id)}-left-over`);
      await requireRecovery(ledger().db, "restored", Date.now());
      await scheduleKeeper(later, engine.client).pass();
      await expect(leftOver.describe()).rejects.toThrow(WorkflowNotFoundError);
      expect((await listRuns(ledger().db, id, { skip: 0, limit: 9 })).total).toBe(0);
      await finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: Date.now() });
      await scheduleKeeper(later, engine.client).pass();
      expect((await leftOver.describe()).status.name).toBe("RUNNING");
      await leftOver.terminate();
    });

    it("reports it where that is declared, until it is as declared again", async () => {
      const id = await declare({ every: "1h", drift: "report" });
      await handleOf(id).pause("by hand");
      await keeper().pass();
      expect((await handleOf(id).describe()).state.paused).toBe(true);
      expect(await countAttention(ledger().db)).toMatchObject({ schedule_drift: 1 });
      await handleOf(id).unpause();
      await keeper().pass();
      expect(await countAttention(ledger().db)).not.toHaveProperty("schedule_drift");
    });

    describe("that are changed and removed while a pass looks at them", () => {
      const REQUESTS = new Set(["createSchedule", "describeSchedule", "updateSchedule", "deleteSchedule"]);
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
      /** A client that does something before its n-th request about a schedule. */
      const interrupted = (nth: number, work: () => Promise<void>): Client => {
        const { client } = engine;
        let requests = 0;
        const service = but(client.workflowService, (name) => {
          if (!REQUESTS.has(name)) return undefined;
          return async (...args: unknown[]) => {
            requests += 1;
            if (requests === nth) await work();
            return Reflect.apply(Reflect.get(client.workflowService, name), client.workflowService, args);
          };
        });
        const connection = but(client.connection, (name) =>
          name === "workflowService" ? service : undefined,
        );
        const schedule = new ScheduleClient({ ...client.schedule.options, connection });
        return but(client, (name) => ({ schedule, connection })[name]);
      };
      const nameOf = async (id: string) => (await readOf(id)).name;
      const repairs = async () =>
        (await rows(ledger().db, sql`select 1 from audit where action = 'schedule.repair'`)).length;

      /** What people did, whenever in the pass: it stands, and nobody is told that somebody changed Temporal. */
      const expectAsDeclared = async (removed: string, changed: string, paused: string) => {
        await expect(handleOf(removed).describe()).rejects.toThrow();
        const hours = (await handleOf(changed).describe()).spec.calendars?.map(({ hour }) => hour[0]?.start);
        expect(hours).toEqual([17]);
        expect((await handleOf(paused).describe()).state.paused).toBe(true);
        for (const id of [changed, paused]) expect((await readOf(id)).drift).toEqual({});
        expect(await countAttention(ledger().db)).not.toHaveProperty("schedule_drift");
      };

      it.each([1, 2, 3, 4, 5, 6])(
        "stay as people declared them (before request %i of the pass)",
        async (nth) => {
          const [changed, paused, removed] = [
            await declare({ cron: "0 9 * * *" }),
            await declare({ cron: "0 9 * * *", drift: "report" }),
            await declare({ cron: "0 9 * * *" }),
          ];
          const told = await repairs();
          // Somebody really did change one of them by hand: that one alone is brought back.
          const meddled = await declare({ cron: "0 11 * * *" });
          await handleOf(meddled).pause("by hand");
          const command = async (id: string) => ({
            name: await nameOf(id),
            actor: "test",
            reason: undefined,
            nowMs: Date.now(),
          });
          const client = interrupted(nth, async () => {
            const remove = await command(removed);
            await ledger().transaction((tx) => removeSchedule(tx, remove));
            await keeper().keep(removed);
            await declare({ cron: "0 17 * * *" }, await nameOf(changed));
            const pause = await command(paused);
            await ledger().transaction((tx) => pauseSchedule(tx, pause));
            await keeper().keep(paused);
          });
          await scheduleKeeper(engine.deps, client).pass();
          await expectAsDeclared(removed, changed, paused);
          expect((await handleOf(meddled).describe()).state.paused).toBe(false);
          expect((await repairs()) - told).toBe(1);
        },
      );
    });
  });
});
