import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readScheduleDefinition } from "../../../src/domain/schedules/schedule.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Db } from "../../../src/ledger/ground/connection.ts";
import {
  bindCampaign,
  listRuns,
  readScheduleRun,
  type ScheduleRun,
} from "../../../src/ledger/schedules/schedule-runs.ts";
import {
  pauseSchedule,
  putSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../../src/ledger/schedules/schedule-changes.ts";
import { nextTurn } from "../../../src/domain/schedules/schedule-turns.ts";
import { decidedThrough, readSchedule, type Schedule } from "../../../src/ledger/schedules/schedules.ts";
import { backfill, runNow } from "../../../src/ledger/schedules/schedule-commands.ts";
import { endRun, recordMissed, tellLong } from "../../../src/ledger/schedules/schedule-ends.ts";
import { pruneScheduleRuns } from "../../../src/ledger/schedules/schedule-runs-kept.ts";
import { beginWaiting, takeTurn, type Decided } from "../../../src/ledger/schedules/scheduling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { running } from "../support/scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";

const START = Date.parse("2027-05-01T00:00:00Z");
const MINUTE = 60_000;

describeLedgers("schedules", (ledger) => {
  let names = 0;

  const put = async (changes: Record<string, unknown> = {}, nowMs = START): Promise<Schedule> => {
    const name = `s${(names += 1)}`;
    const run = { workflow_id: "w" };
    const reading = readScheduleDefinition({
      name,
      run,
      every: "10m",
      overlap: "allow",
      catch_up: "12m",
      ...changes,
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { definition } = reading;
    const put_ = await ledger().transaction((tx) => putSchedule(tx, { definition, actor: "test", nowMs }));
    return put_.schedule;
  };
  const decide = (schedule: Schedule, minutes: number, changes: { lateOnly?: boolean } = {}) =>
    ledger().transaction<Decided>(async (tx) => {
      const input = { scheduleId: schedule.id, nowMs: START + minutes * MINUTE, ...changes };
      return (await takeTurn(tx, input)).decided;
    });
  const runsOf = async (schedule: Schedule) => {
    const { items } = await listRuns(ledger().db, schedule.id, { limit: 100 });
    return items.toReversed();
  };
  const shown = async (schedule: Schedule) =>
    (await runsOf(schedule)).map((run) => `${(run.dueAtMs - START) / MINUTE} ${run.state}`);
  const end = (schedule: Schedule, run: ScheduleRun, state: "done" | "failed", minutes: number) =>
    ledger().transaction(async (tx: Db) => {
      const endedAtMs = START + minutes * MINUTE;
      await endRun(tx, schedule, run, {
        state,
        reason: state === "failed" ? "it broke" : undefined,
        endedAtMs,
      });
      await beginWaiting(tx, given(await readSchedule(tx, schedule.id)), endedAtMs);
    });
  const command = (schedule: Schedule, minutes: number) => ({
    name: schedule.name,
    actor: "test",
    reason: undefined,
    nowMs: START + minutes * MINUTE,
  });
  const attentionOf = async (schedule: Schedule) => {
    const { items } = await listAttention(ledger().db, {
      subject: schedule.name,
      resolved: false,
      limit: 10,
    });
    return items.map(({ kind, times }) => `${kind} ${times}`);
  };

  it("decides after an outage by the catch-up window alone which runs are made, in order, and none twice", async () => {
    const schedule = await put();
    await decide(schedule, 10.1);
    // Nobody was there at 20, 30 and 40.
    expect(await decide(schedule, 43)).toEqual({ begun: 1, missed: 2, skipped: 0 });
    expect(await decide(schedule, 43)).toEqual({ begun: 0, missed: 0, skipped: 0 });
    const both = await Promise.all([decide(schedule, 50), decide(schedule, 50)]);
    expect(both[0].begun + both[1].begun).toBe(1);
    expect(await shown(schedule)).toEqual([
      "10 running",
      "20 missed",
      "30 missed",
      "40 running",
      "50 running",
    ]);
    expect(await attentionOf(schedule)).toEqual(["schedule_run_missed 1"]);
  });

  it("begins nothing where it is only looked for what is too late", async () => {
    const schedule = await put();
    await decide(schedule, 33, { lateOnly: true });
    expect(await shown(schedule)).toEqual(["10 missed", "20 missed"]);
    await decide(schedule, 33);
    expect(await shown(schedule)).toEqual(["10 missed", "20 missed", "30 running"]);
  });

  it("begins a run when its share of the jitter has passed, and not before, and misses it by the whole of it", async () => {
    const schedule = await put({ jitter: "9m" });
    const { turnMs } = given(nextTurn(schedule, START));
    const minutes = (turnMs - START) / MINUTE;
    await decide(schedule, minutes - 0.001);
    expect(await shown(schedule)).toEqual([]);
    await decide(schedule, minutes);
    expect(await shown(schedule)).toEqual(["10 running"]);
    // In time for 9 minutes of jitter and 12 of catching up, whatever its own share is.
    await decide(schedule, 20 + 21);
    expect(await shown(schedule)).toContain("20 running");
    await decide(schedule, 50 + 21.1);
    expect(await shown(schedule)).toContain("50 missed");
  });

  it("skips what is due while another one goes on, and says which", async () => {
    const schedule = await put({ overlap: "skip" });
    await decide(schedule, 10);
    await decide(schedule, 20);
    expect(await shown(schedule)).toEqual(["10 running", "20 skipped"]);
    const [first, second] = await runsOf(schedule);
    expect(second?.reason).toContain(given(first).runKey);
    await end(schedule, given(first), "done", 25);
    await decide(schedule, 30);
    expect(await shown(schedule)).toEqual(["10 done", "20 skipped", "30 running"]);
  });

  it("keeps one waiting, and begins it when the one before it ends", async () => {
    const schedule = await put({ overlap: "buffer_one" });
    await decide(schedule, 10);
    await decide(schedule, 20);
    await decide(schedule, 30);
    expect(await shown(schedule)).toEqual(["10 running", "20 waiting", "30 skipped"]);
    const [first] = await runsOf(schedule);
    await end(schedule, given(first), "done", 35);
    expect(await shown(schedule)).toEqual(["10 done", "20 running", "30 skipped"]);
  });

  it("has the newest run take the place of the one before, once that one's campaign is over", async () => {
    const schedule = await put({ run: { campaign: "spring" }, overlap: "cancel_other", catch_up: "12m" });
    const campaignId = await running(ledger(), []);
    await decide(schedule, 10);
    const [first] = await runsOf(schedule);
    const bound = await ledger().transaction((tx) =>
      bindCampaign(tx, { runId: given(first).id, campaignId }),
    );
    expect(bound).toBe(true);
    await decide(schedule, 20);
    await decide(schedule, 30);
    expect(await shown(schedule)).toEqual(["10 cancelling", "20 skipped", "30 waiting"]);
    await rows(
      ledger().db,
      sql`update campaigns set state = 'cancelled', ended_at = now() where id = ${campaignId}::uuid`,
    );
    await decide(schedule, 31);
    expect(await shown(schedule)).toEqual(["10 cancelled", "20 skipped", "30 running"]);
    const late = await ledger().transaction((tx) => bindCampaign(tx, { runId: given(first).id, campaignId }));
    expect(late).toBe(false);
  });

  it("pauses on a failure where that is declared, tells it, and asks for nothing that was due meanwhile", async () => {
    const schedule = await put({ pause_on_failure: true });
    await decide(schedule, 10);
    const [first] = await runsOf(schedule);
    await end(schedule, given(first), "failed", 11);
    expect(await readSchedule(ledger().db, schedule.id)).toMatchObject({ state: "paused" });
    expect(await attentionOf(schedule)).toEqual(["schedule_run_failed 1"]);
    await decide(schedule, 30);
    await ledger().transaction((tx) => resumeSchedule(tx, command(schedule, 35)));
    await decide(schedule, 40);
    expect(await shown(schedule)).toEqual(["10 failed", "40 running"]);
    await end(schedule, given((await runsOf(schedule))[1]), "done", 41);
    expect(await attentionOf(schedule)).toEqual([]);
  });

  it("tells of a run that takes too long once, until it has ended", async () => {
    const schedule = await put({ longer_than: "5m" });
    await decide(schedule, 10);
    const [run] = await runsOf(schedule);
    const tell = async (minutes: number) => {
      const [found] = await runsOf(schedule);
      await ledger().transaction((tx) => tellLong(tx, schedule, given(found), START + minutes * MINUTE));
    };
    const told = async () => {
      const { items } = await listAttention(ledger().db, {
        subject: given(run).id,
        resolved: false,
        limit: 10,
      });
      return items.map(({ kind, times }) => `${kind} ${times}`);
    };
    await tell(16);
    await tell(17);
    expect(await told()).toEqual(["schedule_run_long 1"]);
    await end(schedule, given((await runsOf(schedule))[0]), "done", 18);
    expect(await told()).toEqual([]);
  });

  it("fails a run whose automation is not there, with what to do", async () => {
    const schedule = await put({ run: { automation: "nowhere" } });
    await decide(schedule, 10);
    const [run] = await runsOf(schedule);
    expect(run).toMatchObject({ state: "failed", reason: expect.stringContaining("declare it") as string });
  });

  it("runs now once for each command, paused or not, unless its overlap policy forbids it", async () => {
    const schedule = await put({ overlap: "skip" });
    await ledger().transaction((tx) => pauseSchedule(tx, command(schedule, 1)));
    const now = (commandId: string) =>
      ledger().transaction((tx) => runNow(tx, { ...command(schedule, 2), commandId }));
    const run = await now("a");
    expect(run).toMatchObject({ state: "running", cause: "now" });
    expect((await now("a")).id).toBe(run.id);
    await expect(now("b")).rejects.toThrow(CommandRefusedError);
    expect(await runsOf(schedule)).toHaveLength(1);
  });

  it("makes up for the past one after the other, and for nothing that was run", async () => {
    const schedule = await put({ overlap: "skip" });
    await decide(schedule, 10);
    await end(schedule, given((await runsOf(schedule))[0]), "done", 11);
    await decide(schedule, 45);
    expect(await shown(schedule)).toEqual(["10 done", "20 missed", "30 missed", "40 running"]);
    const input = { ...command(schedule, 46), fromMs: START + MINUTE, toMs: START + 40 * MINUTE };
    const filled = await ledger().transaction((tx) => backfill(tx, input));
    expect(filled.already).toBe(2);
    expect(filled.runs).toHaveLength(2);
    expect(await shown(schedule)).toEqual(["10 done", "20 waiting", "30 waiting", "40 running"]);
    await end(schedule, given((await runsOf(schedule))[3]), "done", 47);
    expect(await shown(schedule)).toEqual(["10 done", "20 running", "30 waiting", "40 done"]);
  });

  it("refuses to make up for the future, and for more than anybody means", async () => {
    const schedule = await put();
    const input = { ...command(schedule, 60), fromMs: START };
    const until = (toMs: number, fromMs = START) =>
      ledger().transaction((tx) => backfill(tx, { ...input, fromMs, toMs }));
    await expect(until(START + 70 * MINUTE)).rejects.toThrow("not ahead");
    await expect(until(START, START - 3_000 * MINUTE)).rejects.toThrow("choose a shorter one");
  });

  it("is the same when the same is put again, and comes back when it was removed", async () => {
    const schedule = await put();
    const again = { definition: schedule.definition, actor: "test", nowMs: START + MINUTE };
    const same = await ledger().transaction((tx) => putSchedule(tx, again));
    expect(same.change).toBe("none");
    await ledger().transaction((tx) => removeSchedule(tx, command(schedule, 5)));
    await decide(schedule, 30);
    expect(await runsOf(schedule)).toEqual([]);
    const back = await ledger().transaction((tx) =>
      putSchedule(tx, { ...again, nowMs: START + 31 * MINUTE }),
    );
    expect(back).toMatchObject({ change: "created", schedule: { id: schedule.id, state: "active" } });
    await decide(schedule, 40);
    expect(await shown(schedule)).toEqual(["40 running"]);
    expect(await readScheduleRun(ledger().db, given((await runsOf(schedule))[0]).id)).toBeDefined();
  });

  it("begins what came due before it was changed and is in time, and tells what came too late", async () => {
    const schedule = await put();
    const changed = { ...schedule.definition, every: "1h" };
    const nowMs = START + 33 * MINUTE;
    await ledger().transaction((tx) => putSchedule(tx, { definition: changed, actor: "test", nowMs }));
    expect(await shown(schedule)).toEqual(["10 missed", "20 missed", "30 running"]);
    expect(await attentionOf(schedule)).toEqual(["schedule_run_missed 1"]);
    await decide(schedule, 61);
    expect(await shown(schedule)).toEqual(["10 missed", "20 missed", "30 running", "60 running"]);
  });

  it.each([
    ["paused", pauseSchedule],
    ["removed", removeSchedule],
  ])("makes no run of what came due just before it was %s, and says so", async (word, change) => {
    const schedule = await put();
    await ledger().transaction((tx) => change(tx, command(schedule, 10.1)));
    expect(await shown(schedule)).toEqual(["10 skipped"]);
    expect((await runsOf(schedule))[0]?.reason).toContain(`was ${word} before it could begin`);
  });

  it("does not begin when it is resumed what waited when it was paused", async () => {
    const schedule = await put({ overlap: "buffer_one" });
    await decide(schedule, 10);
    await decide(schedule, 20);
    await ledger().transaction((tx) => pauseSchedule(tx, command(schedule, 21)));
    expect(await shown(schedule)).toEqual(["10 running", "20 skipped"]);
    await end(schedule, given((await runsOf(schedule))[0]), "done", 25);
    await ledger().transaction((tx) => resumeSchedule(tx, command(schedule, 3_000)));
    await decide(schedule, 3_001);
    expect(await shown(schedule)).toEqual(["10 done", "20 skipped"]);
  });

  it("begins nothing more behind a run that failed at once, where that pauses it", async () => {
    const schedule = await put({ run: { automation: "nowhere" }, pause_on_failure: true });
    await decide(schedule, 21);
    expect(await shown(schedule)).toEqual(["10 failed", "20 skipped"]);
  });

  it("tells of nothing any more that was made up for, and of nothing when it is removed", async () => {
    const schedule = await put({ overlap: "skip" });
    await decide(schedule, 23, { lateOnly: true });
    await decide(schedule, 45);
    expect(await attentionOf(schedule)).toEqual(["schedule_run_missed 2"]);
    const between = (from: number, to: number) => ({
      ...command(schedule, 46),
      fromMs: START + from * MINUTE,
      toMs: START + to * MINUTE,
    });
    const told = await listAttention(ledger().db, { subject: schedule.name, resolved: false, limit: 1 });
    expect(told.items[0]?.remedy).toContain("--from 2027-05-01T00:10:00.000Z --to 2027-05-01T00:30:00.000Z");
    await ledger().transaction((tx) => backfill(tx, between(10, 20)));
    expect(await attentionOf(schedule)).toEqual(["schedule_run_missed 2"]);
    await ledger().transaction((tx) => backfill(tx, between(30, 30)));
    expect(await attentionOf(schedule)).toEqual([]);
    await decide(schedule, 65);
    expect(await attentionOf(schedule)).toEqual(["schedule_run_missed 1"]);
    await ledger().transaction((tx) => removeSchedule(tx, command(schedule, 66)));
    expect(await attentionOf(schedule)).toEqual([]);
  });

  it("makes up for nothing that the platform's scheduler may have run", async () => {
    const schedule = await put({ engine: "platform", overlap: "skip" });
    const missed = { dueMs: [START + 25 * MINUTE], throughMs: START + 40 * MINUTE };
    const nowMs = START + 60 * MINUTE;
    await ledger().transaction((tx) => recordMissed(tx, schedule, { ...missed, nowMs }));
    const input = { ...command(schedule, 61), fromMs: START, toMs: START + 60 * MINUTE };
    await ledger().transaction((tx) => backfill(tx, input));
    expect(await shown(schedule)).toEqual(["25 running"]);
  });

  it("misses nothing by a definition that was changed while the platform was asked", async () => {
    const before = await put({ engine: "platform", overlap: "skip" });
    const nowMs = START + 60 * MINUTE;
    const after = await put(
      { engine: "platform", overlap: "skip", name: before.name, every: "20m" },
      START + 59 * MINUTE,
    );
    const missed = { dueMs: [START + 25 * MINUTE], throughMs: START + 40 * MINUTE, nowMs };
    expect(await ledger().transaction((tx) => recordMissed(tx, before, missed))).toBe(0);
    expect(await shown(after)).toEqual([]);
    expect(await attentionOf(after)).toEqual([]);
    // Nor is anything due again that was decided before the change.
    expect(await decidedThrough(ledger().db, after.id)).toBe(START + 59 * MINUTE);
  });

  it("forgets the oldest of many runs, none that is open, and makes up for nothing of that time", async () => {
    const schedule = await put({ catch_up: "1d" });
    await decide(schedule, 65);
    const [first, ...others] = await runsOf(schedule);
    for (const run of others.slice(0, 4)) await end(schedule, run, "done", 66);
    const prune = (days: number) => pruneScheduleRuns(ledger(), START + days * 24 * 60 * MINUTE, 3);
    await prune(0.5);
    expect(await runsOf(schedule), "a command may be repeated within a day").toHaveLength(6);
    expect(await prune(2)).toBeGreaterThanOrEqual(2);
    expect(await prune(2)).toBe(0);
    expect(await shown(schedule)).toEqual(["10 running", "40 done", "50 done", "60 running"]);
    const actions = await rows<{ run: string }>(
      ledger().db,
      sql`select schedule_run_id as run from actions where owner = ${schedule.name}`,
    );
    expect(actions).toHaveLength(4);
    expect(actions.map(({ run }) => run)).toContain(given(first).id);
    const from = (minutes: number) => {
      const input = { ...command(schedule, 66), fromMs: START + minutes * MINUTE, toMs: START + 60 * MINUTE };
      return ledger().transaction((tx) => backfill(tx, input));
    };
    await expect(from(30)).rejects.toThrow("not on record any more");
    expect(await from(31)).toMatchObject({ runs: [], already: 3 });
  });
});
