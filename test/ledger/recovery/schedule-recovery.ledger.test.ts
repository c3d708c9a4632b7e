import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { advanceScheduleRun } from "../../../src/activities/schedules/advance-run.ts";
import { readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import { lockCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { beginImportIn } from "../../../src/ledger/campaigns/imports.ts";
import { requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import {
  pauseSchedule,
  putSchedule,
  resumeSchedule,
} from "../../../src/ledger/schedules/schedule-changes.ts";
import { backfill, runNow } from "../../../src/ledger/schedules/schedule-commands.ts";
import { recordMissed } from "../../../src/ledger/schedules/schedule-ends.ts";
import { bindCampaign, listRuns, readScheduleRun } from "../../../src/ledger/schedules/schedule-runs.ts";
import { decidedThrough, readSchedule, type Schedule } from "../../../src/ledger/schedules/schedules.ts";
import { beginWaiting, takeTurn } from "../../../src/ledger/schedules/scheduling.ts";
import { describeLedgers, given, openFreshPostgres } from "../../support/ledgers.ts";
import { recurringOn, recurringSchedule, runOf } from "../../support/recurring.ts";
import { until } from "../../support/until.ts";
import { specOf } from "../support/scenario.ts";

const START = Date.parse("2027-05-01T00:00:00Z");
const MINUTE = 60_000;
const LOST = "it may have run in the part of the ledger that was lost";

/* Schedules of a ledger that is, or was, older than the runs that they had (I1). */

describeLedgers("schedules of a ledger that was restored", (ledger) => {
  let names = 0;

  const definitionOf = (name: string, changes: Record<string, unknown>) => {
    const reading = readScheduleDefinition({
      name,
      run: { campaign: name },
      every: "10m",
      overlap: "buffer_one",
      catch_up: "6h",
      ...changes,
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    return reading.definition;
  };
  const put = async (changes: Record<string, unknown> = {}): Promise<Schedule> => {
    const definition = definitionOf(`restored-${(names += 1)}`, changes);
    const { schedule } = await ledger().transaction((tx) =>
      putSchedule(tx, { definition, actor: "test", nowMs: START }),
    );
    return schedule;
  };
  const decide = (schedule: Schedule, minutes: number, changes: { lateOnly?: boolean } = {}) =>
    ledger().transaction(async (tx) => {
      const input = { scheduleId: schedule.id, nowMs: START + minutes * MINUTE, ...changes };
      return (await takeTurn(tx, input)).decided;
    });
  const hold = (minutes: number) => requireRecovery(ledger().db, "restored", START + minutes * MINUTE);
  const recovered = (minutes: number) =>
    finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: START + minutes * MINUTE });
  const runsOf = async (schedule: Schedule) => {
    const { items } = await listRuns(ledger().db, schedule.id, { limit: 100 });
    return items.toReversed();
  };
  const shown = async (schedule: Schedule) =>
    (await runsOf(schedule)).map((run) => `${(run.dueAtMs - START) / MINUTE} ${run.state}`);
  const told = async (schedule: Schedule) => {
    const filter = { subject: schedule.name, resolved: false, limit: 10 };
    return (await listAttention(ledger().db, filter)).items.map(({ kind }) => kind);
  };
  const command = (schedule: Schedule, minutes: number) => ({
    name: schedule.name,
    actor: "test",
    reason: undefined,
    nowMs: START + minutes * MINUTE,
  });

  it("decide nothing while recovery is waited for, and begin nothing afterwards that was due before its end", async () => {
    const schedule = await put();
    await hold(25);
    expect(await decide(schedule, 31)).toEqual({ begun: 0, missed: 0, skipped: 0 });
    expect(await decide(schedule, 2_000, { lateOnly: true })).toMatchObject({ missed: 0 });
    expect(await runsOf(schedule)).toEqual([]);
    expect(await recovered(41)).toEqual({ passedOverSchedules: 1 });
    expect(await shown(schedule)).toEqual(["10 skipped"]);
    const [note] = await runsOf(schedule);
    expect(note?.reason).toBe(`${LOST}, and so may whatever was due after it until 2027-05-01T00:41:00.000Z`);
    expect(await decide(schedule, 42)).toMatchObject({ begun: 0 });
    await decide(schedule, 42, { lateOnly: true });
    expect(await shown(schedule)).toEqual(["10 skipped"]);
    expect(await told(schedule)).toEqual(["schedule_run_missed"]);
    await decide(schedule, 50);
    expect(await shown(schedule)).toEqual(["10 skipped", "50 running"]);
  });

  it("have one note each, however much was due, and none where nothing was", async () => {
    const [busy, rare] = [await put({ every: "1m" }), await put({ every: undefined, cron: "0 0 1 1 *" })];
    const [paused, onPlatform] = [
      await put(),
      await put({ engine: "platform", run: { workflow_id: "w" }, overlap: "skip" }),
    ];
    await ledger().transaction((tx) => pauseSchedule(tx, command(paused, 1)));
    await hold(7 * 24 * 60);
    await recovered(7 * 24 * 60);
    expect(await shown(busy)).toEqual(["1 skipped"]);
    for (const schedule of [rare, paused, onPlatform]) {
      expect(await runsOf(schedule)).toEqual([]);
      expect(await decidedThrough(ledger().db, schedule.id)).toBe(START + 7 * 24 * 60 * MINUTE);
    }
  });

  it("begin nothing when they are changed, paused or asked for a run while recovery is waited for", async () => {
    const [changed, paused] = [await put(), await put()];
    const onPlatform = await put({ engine: "platform", run: { workflow_id: "w" }, overlap: "skip" });
    await hold(15);
    const definition = definitionOf(changed.name, { every: "20m" });
    const nowMs = START + 15 * MINUTE;
    await ledger().transaction((tx) => putSchedule(tx, { definition, actor: "test", nowMs }));
    await ledger().transaction((tx) => pauseSchedule(tx, command(paused, 15)));
    await ledger().transaction((tx) => resumeSchedule(tx, command(paused, 16)));
    const asked = { ...command(changed, 16), commandId: "now" };
    await expect(ledger().transaction((tx) => runNow(tx, asked))).rejects.toThrow("outdial recover");
    const past = { ...command(changed, 16), fromMs: START, toMs: nowMs };
    await expect(ledger().transaction((tx) => backfill(tx, past))).rejects.toThrow("outdial recover");
    const missed = { dueMs: [START + 10 * MINUTE], throughMs: nowMs, nowMs };
    await ledger().transaction((tx) => recordMissed(tx, onPlatform, missed));
    await recovered(17);
    for (const schedule of [changed, paused, onPlatform]) expect(await runsOf(schedule)).toEqual([]);
    expect(await told(onPlatform)).toEqual([]);
    // A person who knows that it was not run says so.
    await ledger().transaction((tx) => backfill(tx, { ...past, nowMs: START + 18 * MINUTE }));
    expect(await shown(changed)).toEqual(["0 running"]);
  });

  it("do not begin what waited in the backup, nor make a campaign of what was begun in it", async () => {
    const { deps } = recurringOn(ledger());
    const schedule = await put();
    await decide(schedule, 10);
    await decide(schedule, 20);
    expect(await shown(schedule)).toEqual(["10 running", "20 waiting"]);
    const [running] = await runsOf(schedule);
    await hold(25);
    const heldDeps = { ...deps, now: () => START + 600 * MINUTE };
    const step = await advanceScheduleRun(heldDeps, { runId: given(running).id });
    expect(step).toEqual({ next: "wait", waitMs: 5 * MINUTE });
    // Neither does the end of the one before it.
    await rows(
      ledger().db,
      sql`update schedule_runs set state = 'done', ended_at = now() where id = ${given(running).id}::uuid`,
    );
    const begun = await ledger().transaction(async (tx) =>
      beginWaiting(tx, given(await readSchedule(tx, schedule.id)), START + 26 * MINUTE),
    );
    expect(begun).toBe(0);
    await rows(
      ledger().db,
      sql`update schedule_runs set state = 'running', ended_at = null where id = ${given(running).id}::uuid`,
    );
    await recovered(27);
    expect(await shown(schedule)).toEqual(["10 skipped", "20 skipped"]);
    expect((await runsOf(schedule)).map(({ reason }) => reason)).toEqual([LOST, LOST]);
    expect(await advanceScheduleRun(heldDeps, { runId: given(running).id })).toEqual({ next: "done" });
    expect(await told(schedule)).toEqual(["schedule_run_missed"]);
  });

  it("end a run of whose list a part is lost, and go on with one that has all of its own", async () => {
    const { deps } = recurringOn(ledger());
    const made = async (changes: { isWhole: boolean }) => {
      const schedule = await put();
      await decide(schedule, 10);
      const [run] = await runsOf(schedule);
      const campaign = await ledger().transaction(async (tx) => {
        const spec = specOf({ name: schedule.name });
        const created = await createCampaign(tx, { spec, actor: "test", nowMs: START });
        await bindCampaign(tx, { runId: given(run).id, campaignId: created.id });
        const list = { digest: "digest", sourceName: "daily.csv", settings: {}, nowMs: START };
        await beginImportIn(tx, { ...list, campaignId: created.id });
        return created;
      });
      if (changes.isWhole)
        await rows(
          ledger().db,
          sql`update imports set completed_at = now() where campaign_id = ${campaign.id}::uuid`,
        );
      return { schedule, runId: given(run).id };
    };
    const [half, whole] = [await made({ isWhole: false }), await made({ isWhole: true })];
    await hold(15);
    expect(await advanceScheduleRun(deps, half)).toMatchObject({ next: "wait" });
    await recovered(15);
    expect(await shown(half.schedule)).toEqual(["10 cancelling"]);
    expect((await runsOf(half.schedule))[0]?.reason).toContain(
      "its list was taken in the part of the ledger",
    );
    expect(await shown(whole.schedule)).toEqual(["10 running"]);
    expect(await advanceScheduleRun(deps, whole)).toMatchObject({ next: "start" });
    await advanceScheduleRun(deps, half);
    const [campaign] = await rows<{ state: string }>(
      ledger().db,
      sql`select c.state from campaigns c join schedule_runs r on r.campaign_id = c.id where r.id = ${half.runId}::uuid`,
    );
    expect(campaign?.state).not.toBe("scheduled");
  });

  it("do not start an automation of which the backup has no try, and look for one of which it has", async () => {
    const [untried, tried] = [
      await put({ run: { workflow_id: "w" } }),
      await put({ run: { workflow_id: "w" } }),
    ];
    await decide(untried, 10);
    await decide(tried, 10);
    const [run] = await runsOf(tried);
    await rows(
      ledger().db,
      sql`update actions set tries = 1, sent_at = now() where schedule_run_id = ${given(run).id}::uuid`,
    );
    await hold(15);
    await recovered(15);
    expect(await shown(untried)).toEqual(["10 skipped"]);
    const scheduleRunId = given((await runsOf(untried))[0]).id;
    expect(await listActionsOf(ledger().db, { scheduleRunId })).toMatchObject([
      { state: "skipped", error: LOST },
    ]);
    expect(await shown(tried)).toEqual(["10 running"]);
  });

  it("come before people with what may have run, until that is made up for", async () => {
    const [due, rare] = [await put(), await put({ every: undefined, cron: "0 0 1 1 *" })];
    // Told of as missed in the backup: it may have been made up for since.
    await decide(due, 400, { lateOnly: true });
    expect(await told(due)).toEqual(["schedule_run_missed"]);
    await hold(415);
    const { passedOverSchedules } = await recovered(415);
    expect(passedOverSchedules).toBeGreaterThanOrEqual(1);
    expect(await told(rare)).toEqual([]);
    const [entry] = (await listAttention(ledger().db, { subject: due.name, resolved: false, limit: 9 }))
      .items;
    const [first, last] = ["2027-05-01T00:10:00.000Z", "2027-05-01T06:55:00.000Z"];
    expect(entry).toMatchObject({
      summary: expect.stringContaining(`due from ${first} to ${last} were passed over: they MAY have run`),
      remedy: expect.stringContaining(
        `--from ${first} --to ${last}\` is right only for what was certainly not made`,
      ),
    });
    const audited = await rows<{ detail: Record<string, unknown> }>(
      ledger().db,
      sql`select detail from audit where action = 'recovery.released' order by id desc limit 1`,
    );
    expect(audited[0]?.detail).toMatchObject({ passedOverSchedules });
    const [fromMs, toMs] = [START + 410 * MINUTE, START + 410 * MINUTE];
    await ledger().transaction((tx) => backfill(tx, { ...command(due, 416), fromMs, toMs }));
    expect(await told(due)).toEqual([]);
  });

  it("are asked for with `schedule run` where the platform keeps their time", async () => {
    const schedule = await put({ engine: "platform", run: { workflow_id: "w" }, overlap: "skip" });
    await ledger().transaction((tx) => runNow(tx, { ...command(schedule, 5), commandId: "asked" }));
    await hold(15);
    await recovered(15);
    expect(await shown(schedule)).toEqual(["5 skipped"]);
    const { items } = await listAttention(ledger().db, { subject: schedule.name, resolved: false, limit: 9 });
    expect(items.map(({ remedy }) => remedy)).toEqual([
      expect.stringContaining(`\`outdial schedule run ${schedule.name}\` is right only`),
    ]);
  });

  it("let recovery end though the definition of one can't be read, and make nothing of that one", async () => {
    const [strange, removed, good] = [await put(), await put(), await put()];
    for (const schedule of [strange, removed, good]) {
      await decide(schedule, 10);
      await decide(schedule, 20);
    }
    for (const { id } of [strange, removed])
      await rows(
        ledger().db,
        sql`update schedules set definition = definition || '{"time_zone": "Mars/Olympus"}'::jsonb,
              state = case when id = ${removed.id}::uuid then 'removed' else state end where id = ${id}::uuid`,
      );
    await expect(readSchedule(ledger().db, strange.id)).rejects.toThrow("can't be read");
    await hold(25);
    await recovered(27);
    for (const schedule of [strange, removed]) {
      expect(await shown(schedule)).toEqual(["10 skipped", "20 skipped"]);
      expect(await decidedThrough(ledger().db, schedule.id)).toBe(START + 27 * MINUTE);
    }
    expect(await told(strange)).toEqual(["schedule_run_missed"]);
    expect(await told(removed)).toEqual([]);
    expect(await shown(good)).toEqual(["10 skipped", "20 skipped"]);
    await decide(good, 30);
    expect(await shown(good)).toEqual(["10 skipped", "20 skipped", "30 running"]);
    for (const { id } of [strange, removed])
      await rows(
        ledger().db,
        sql`update schedules set definition = definition - 'time_zone' where id = ${id}::uuid`,
      );
  });
});

describe.skipIf(inject("postgresUrl") === undefined)(
  "schedules of a ledger that was restored (PostgreSQL)",
  () => {
    let ledger: Ledger;
    beforeAll(async () => {
      ledger = await openFreshPostgres(5);
    });
    afterAll(() => ledger?.close());

    it("the end of a recovery and whoever makes the campaign of a run do not fail each other", async () => {
      const schedule = await recurringSchedule(ledger, { contacts: { file: "daily.csv" } });
      const run = await runOf(ledger, schedule);
      const spec = specOf({ name: schedule.campaign });
      const waiting = await ledger.transaction((tx) =>
        createCampaign(tx, { spec, actor: "test", nowMs: START }),
      );
      await requireRecovery(ledger.db, "restored", START);
      let finished: Promise<unknown> | undefined;
      await ledger.transaction(async (tx) => {
        await lockCampaign(tx, waiting.id);
        finished = finishRecovery(ledger, { actor: "test", summary: {}, nowMs: Date.now() });
        finished.catch(() => {});
        await until("somebody to wait for a lock", async () => {
          const found = await rows(
            ledger.db,
            sql`select 1 as one from pg_locks l join pg_stat_activity a on a.pid = l.pid
              where a.datname = current_database() and not l.granted`,
          );
          return found.length > 0;
        });
        expect(await bindCampaign(tx, { runId: run.id, campaignId: waiting.id })).toBe(true);
      });
      await finished;
      expect((await readScheduleRun(ledger.db, run.id))?.state).toBe("running");
    });
  },
);
