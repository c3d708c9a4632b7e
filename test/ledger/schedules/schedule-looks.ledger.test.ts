import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";

import {
  dueTimesOf,
  jitterMsOf,
  lateAfterMs,
  readScheduleDefinition,
} from "../../../src/domain/schedules/schedule.ts";
import { occurrences } from "../../../src/domain/schedules/schedule-times.ts";
import { shippedZoneData, useZoneData, zoneData } from "../../../src/domain/time/zone-data.ts";
import { Zone } from "../../../src/domain/time/zone.ts";
import { requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import {
  pauseSchedule,
  putSchedule,
  resumeSchedule,
} from "../../../src/ledger/schedules/schedule-changes.ts";
import { lookAtSchedule, superviseLooks } from "../../../src/ledger/schedules/schedule-looks.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { takeOverdue } from "../../../src/ledger/ground/look-by.ts";
import { listRuns } from "../../../src/ledger/schedules/schedule-runs.ts";
import { noteSeen, type Schedule } from "../../../src/ledger/schedules/schedules.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { randomSchedules } from "../../support/random-schedules.ts";

const START = Date.parse("2027-05-01T00:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/* What a schedule's workflow is told to wait, and what whoever watches makes of it. Time is a number here. */

describeLedgers("the looks of a schedule", (ledger) => {
  let names = 0;
  afterEach(() => useZoneData(shippedZoneData));

  const definitionOf = (name: string, changes: Record<string, unknown>) => {
    const reading = readScheduleDefinition({
      name,
      run: { workflow_id: "w" },
      overlap: "allow",
      catch_up: "12m",
      ...changes,
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    return reading.definition;
  };
  const put = async (changes: Record<string, unknown>, nowMs = START): Promise<Schedule> => {
    const definition = definitionOf(`looked-${(names += 1)}`, changes);
    const input = { definition, actor: "test", nowMs };
    return (await ledger().transaction((tx) => putSchedule(tx, input))).schedule;
  };
  const look = (schedule: Schedule, nowMs: number) =>
    ledger().transaction((tx) => lookAtSchedule(tx, { scheduleId: schedule.id, nowMs }));
  /** Whether whoever watches has its workflow look, sees to it that it is there, or leaves it alone. */
  const standing = async ({ id }: Schedule, nowMs: number): Promise<"overdue" | "near" | "far"> => {
    if ((await ledger().transaction((tx) => superviseLooks(tx, { scheduleId: id, nowMs }))) > 0) {
      await rows(ledger().db, sql`delete from outbox where kind = 'schedule' and subject = ${id}`);
      return "overdue";
    }
    const overdue = await takeOverdue(ledger().db, "schedule", { nowMs, limit: 1_000 });
    if (overdue.every((one) => one.id !== id)) return "far";
    return (await noteSeen(ledger().db, id, nowMs)) ? "near" : "overdue";
  };
  const runsOf = async (schedule: Schedule) => {
    const runs = [];
    let after: { atMs: number; id: string } | undefined;
    for (;;) {
      const { items } = await listRuns(ledger().db, schedule.id, { ...(after && { after }), limit: 200 });
      runs.push(...items);
      const last = items.at(-1);
      if (last) after = { atMs: last.dueAtMs, id: last.id };
      if (items.length < 200) return runs.toReversed();
    }
  };
  const command = (schedule: Schedule, nowMs: number) => ({
    name: schedule.name,
    actor: "test",
    reason: undefined,
    nowMs,
  });

  it("are exactly at its due times over a change of clocks, and make one run of each, also where a worker sleeps", async () => {
    const sleeps = fc.array(
      fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 30 * HOUR })),
      { minLength: 4, maxLength: 9 },
    );
    const random = randomSchedules({ overlap: "allow", catch_up: "20m" });
    await fc.assert(
      fc.asyncProperty(random, sleeps, async ({ definition, nearMs }, sleptMs) => {
        const name = `random-${randomUUID()}`;
        const input = { definition: { ...definition, name }, actor: "test", nowMs: nearMs };
        const { schedule } = await ledger().transaction((tx) => putSchedule(tx, input));
        let nowMs = nearMs;
        for (let n = 0; nowMs < nearMs + 3 * DAY && n < 60; n += 1) {
          const { next } = await look(schedule, nowMs);
          nowMs = Math.max(nowMs, given(next).atMs) + (sleptMs[n % sleptMs.length] ?? 0);
        }
        const runs = await runsOf(schedule);
        const dueMs = runs.map(({ dueAtMs }) => dueAtMs);
        expect(dueMs).toEqual(occurrences(dueTimesOf(definition), nearMs, dueMs.at(-1) ?? nearMs, 10_000));
        for (const run of runs) {
          const lateMs = run.createdAtMs - run.dueAtMs;
          expect(lateMs).toBeGreaterThanOrEqual(0);
          expect(run.state === "missed").toBe(lateMs > lateAfterMs(definition));
          if (sleptMs.every((ms) => ms === 0))
            expect(lateMs).toBeLessThan(Math.max(1, jitterMsOf(definition)));
        }
      }),
      { numRuns: 12 },
    );
  });

  it("come once a week where nothing is due for longer, and never where nothing is due here", async () => {
    const yearly = await put({ cron: "0 9 1 12 *" });
    expect((await look(yearly, START)).next).toEqual({
      atMs: START + 7 * DAY,
      dueAtMs: Date.parse("2027-12-01T09:00Z"),
    });
    const onPlatform = await put({ cron: "0 9 * * *", engine: "platform", overlap: "skip" });
    expect((await look(onPlatform, START)).next).toBeUndefined();
    const paused = await put({ every: "1h" });
    await ledger().transaction((tx) => pauseSchedule(tx, command(paused, START + 1)));
    expect((await look(paused, START + 2)).next).toBeUndefined();
    await ledger().transaction((tx) => resumeSchedule(tx, command(paused, START + 90 * MINUTE)));
    expect((await look(paused, START + 90 * MINUTE)).next?.atMs).toBe(START + 2 * HOUR);
    expect((await look({ ...paused, id: randomUUID() }, START)).next).toBeUndefined();
  });

  it("go on at once where more came due than is decided in one", async () => {
    const schedule = await put({ every: "1s", catch_up: "1m" });
    const nowMs = START + 1_500 * SECOND;
    const first = await look(schedule, nowMs);
    expect(first).toMatchObject({ missed: 1_000, begun: 0 });
    expect(first.next?.atMs).toBeLessThanOrEqual(nowMs);
    const second = await look(schedule, nowMs);
    expect(second).toMatchObject({ missed: 439, begun: 61 });
    expect(second.next?.atMs).toBe(nowMs + SECOND);
  });

  it("are seen to when they are near, once, and asked for when they are late", async () => {
    const schedule = await put({ every: "1h" });
    // It was told, and nobody has looked yet.
    expect(await standing(schedule, START)).toBe("far");
    await rows(ledger().db, sql`delete from outbox`);
    expect(await standing(schedule, START + MINUTE)).toBe("overdue");
    await look(schedule, START + MINUTE);
    expect(await standing(schedule, START + MINUTE)).toBe("far");
    expect(await standing(schedule, START + 56 * MINUTE)).toBe("near");
    expect(await standing(schedule, START + HOUR + 9 * SECOND)).toBe("far");
    expect(await standing(schedule, START + HOUR + 11 * SECOND)).toBe("overdue");
    await look(schedule, START + HOUR + 11 * SECOND);
    expect(await standing(schedule, START + HOUR + 12 * SECOND)).toBe("far");
  });

  it("are asked for where a clock that was wrong put them off, or a change that nobody told the workflow of", async () => {
    const schedule = await put({ every: "1h" });
    // Three days behind: its timer is that much too long, and what is written down is right.
    await look(schedule, START - 3 * DAY);
    expect(await standing(schedule, START + MINUTE)).toBe("far");
    expect(await standing(schedule, START + HOUR + 11 * SECOND)).toBe("overdue");
    // A month ahead: what that decided stays decided, and it looks again by a clock that is right.
    await look(schedule, START + 30 * DAY);
    expect(await standing(schedule, START + 2 * HOUR)).toBe("overdue");
    await look(schedule, START + 2 * HOUR);
    expect(await standing(schedule, START + 2 * HOUR)).toBe("far");
    const sleeper = await put({ cron: "0 9 1 12 *" });
    await look(sleeper, START);
    const definition = definitionOf(sleeper.name, { every: "1h" });
    await ledger().transaction((tx) => putSchedule(tx, { definition, actor: "test", nowMs: START }));
    expect(await standing(sleeper, START + MINUTE)).toBe("overdue");
  });

  it("are asked for when the clocks of its zone go by newer data, in either direction", async () => {
    const shipped = zoneData();
    const abolishing = (byMs: number) => {
      const offsetMs = shipped.zone("Europe/Berlin").offsetMs(START);
      return {
        ...shipped,
        zone: (name: string) =>
          name === "Europe/Berlin"
            ? new Zone(name, [
                { startMs: 0, offsetMs },
                { startMs: START + 12 * HOUR, offsetMs: offsetMs + byMs },
              ])
            : shipped.zone(name),
      };
    };
    const daily = await put({ cron: "0 9 * * *", time_zone: "Europe/Berlin" });
    const before = given((await look(daily, START + 13 * HOUR)).next).atMs;
    useZoneData(() => abolishing(HOUR));
    expect(await standing(daily, START + 14 * HOUR)).toBe("overdue");
    expect(given((await look(daily, START + 14 * HOUR)).next).atMs).toBe(before - HOUR);
    expect(await standing(daily, START + 14 * HOUR)).toBe("far");
    // Later than it waits for: it looks, finds nothing, and waits on.
    useZoneData(() => abolishing(-HOUR));
    expect(await standing(daily, START + 14 * HOUR)).toBe("far");
    expect(await look(daily, before - HOUR)).toMatchObject({ begun: 0, next: { atMs: before + HOUR } });
  });

  it("decide nothing while the ledger waits for its recovery, and go on with the first due time behind its end", async () => {
    const schedule = await put({ every: "1h", catch_up: "6h" });
    await look(schedule, START);
    await requireRecovery(ledger().db, "restored", START + 30 * MINUTE);
    expect(await look(schedule, START + HOUR)).toMatchObject({ begun: 0, next: { atMs: START + 2 * HOUR } });
    expect(await standing(schedule, START + 90 * MINUTE)).toBe("far");
    await finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: START + 100 * MINUTE });
    expect(await standing(schedule, START + 101 * MINUTE)).toBe("far");
    expect(await look(schedule, START + 2 * HOUR)).toMatchObject({ begun: 1 });
    expect((await runsOf(schedule)).map(({ state }) => state)).toEqual(["skipped", "running"]);
  });
});
