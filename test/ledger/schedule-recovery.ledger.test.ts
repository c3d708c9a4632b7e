import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { advanceScheduleRun } from "../../src/activities/schedule/advance-run.ts";
import { readScheduleDefinition } from "../../src/domain/schedule.ts";
import { listActionsOf } from "../../src/ledger/actions.ts";
import { listAttention } from "../../src/ledger/attention.ts";
import { createCampaign } from "../../src/ledger/campaigns.ts";
import { rows } from "../../src/ledger/connection.ts";
import { beginImportIn } from "../../src/ledger/imports.ts";
import { requireRecovery } from "../../src/ledger/installation.ts";
import { finishRecovery } from "../../src/ledger/recovery.ts";
import { pauseSchedule, putSchedule, resumeSchedule } from "../../src/ledger/schedule-changes.ts";
import { backfill, runNow } from "../../src/ledger/schedule-commands.ts";
import { recordMissed } from "../../src/ledger/schedule-ends.ts";
import { bindCampaign, listRuns } from "../../src/ledger/schedule-runs.ts";
import { decidedThrough, readSchedule, type Schedule } from "../../src/ledger/schedules.ts";
import { beginWaiting, decideDueTimes } from "../../src/ledger/scheduling.ts";
import { describeLedgers, given } from "../support/ledgers.ts";
import { recurringOn } from "../support/recurring.ts";
import { specOf } from "./support/scenario.ts";

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
  const decide = (
    schedule: Schedule,
    minutes: number,
    changes: { lateOnly?: boolean; dueAtMs?: number } = {},
  ) =>
    ledger().transaction((tx) =>
      decideDueTimes(tx, { scheduleId: schedule.id, nowMs: START + minutes * MINUTE, ...changes }),
    );
  const hold = (minutes: number) => requireRecovery(ledger().db, "restored", START + minutes * MINUTE);
  const recovered = (minutes: number) =>
    finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: START + minutes * MINUTE });
  const runsOf = async (schedule: Schedule) => {
    const { items } = await listRuns(ledger().db, schedule.id, { skip: 0, limit: 100 });
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
    expect(await decide(schedule, 31, { dueAtMs: START + 30 * MINUTE })).toMatchObject({ begun: 0 });
    expect(await decide(schedule, 2_000, { lateOnly: true })).toMatchObject({ missed: 0 });
    expect(await runsOf(schedule)).toEqual([]);
    await recovered(41);
    expect(await shown(schedule)).toEqual(["10 skipped"]);
    const [note] = await runsOf(schedule);
    expect(note?.reason).toBe(`${LOST}, and so may whatever was due after it until 2027-05-01T00:41:00.000Z`);
    // Temporal makes up for what it did not tell of.
    for (const due of [10, 20, 30, 40])
      expect(await decide(schedule, 42, { dueAtMs: START + due * MINUTE })).toMatchObject({ begun: 0 });
    await decide(schedule, 42, { lateOnly: true });
    expect(await shown(schedule)).toEqual(["10 skipped"]);
    expect(await told(schedule)).toEqual([]);
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
    expect(await told(schedule)).toEqual([]);
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
});
