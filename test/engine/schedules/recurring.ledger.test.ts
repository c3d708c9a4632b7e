import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import {
  startRecurringRun,
  type RecurringStart,
} from "../../../src/activities/schedules/start-recurring-run.ts";
import { advanceScheduleRun } from "../../../src/activities/schedules/advance-run.ts";
import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import { listCampaigns, readCampaign, type Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { startCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { requireRecovery } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import { backfill } from "../../../src/ledger/schedules/schedule-commands.ts";
import { listRuns, readScheduleRun } from "../../../src/ledger/schedules/schedule-runs.ts";
import { takeTurn } from "../../../src/ledger/schedules/scheduling.ts";
import { startReceiver } from "../../outbound/receiver.ts";
import { specOf, tell } from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given, withLedger } from "../../support/ledgers.ts";
import { createDatabase } from "../../support/postgres.ts";
import { RECURRING_SPEC, recurringOn, recurringSchedule, runOf } from "../../support/recurring.ts";
import { listImports } from "../../../src/ledger/campaigns/list-imports.ts";

const THREE = "phone,first_name\n+12025550111,Ann\n+12025550112,Ben\nnot a number,Cy\n";

/** A list of so many contacts; numbers begin behind `from`. */
const listOf = (count: number, from = 0) =>
  `phone\n${Array.from({ length: count }, (_, at) => `+1202${5_550_000 + from + at}\n`).join("")}`;

/** What these tests ask of a ledger. */
function asking(ledger: () => Ledger) {
  const load = (deps: ActivityDeps, run: { id: string }): Promise<RecurringStart> =>
    startRecurringRun(deps, { scheduleRunId: run.id });
  const campaignOf = async (started: RecurringStart): Promise<Campaign> => {
    if (!("campaignId" in started)) throw new Error(started.refused);
    return given(await readCampaign(ledger().db, started.campaignId));
  };
  const phonesOf = async (campaignId: string) => {
    const found = await rows<{ phone: string }>(
      ledger().db,
      sql`select phone from contacts where campaign_id = ${campaignId}::uuid order by phone`,
    );
    return found.map(({ phone }) => phone);
  };
  const isEnsured = async (campaignId: string) =>
    (await rows(ledger().db, sql`select 1 from outbox where kind = 'campaign' and subject = ${campaignId}`))
      .length > 0;
  const campaignsOf = async (name: string) => {
    const { campaigns } = await listCampaigns(ledger().db, { limit: 500 });
    return campaigns.filter((one) => one.name === name);
  };
  const over = async (campaignId: string, state = "completed") => {
    await rows(
      ledger().db,
      sql`update campaigns set state = ${state}, ended_at = now() where id = ${campaignId}::uuid`,
    );
  };
  return { load, campaignOf, phonesOf, isEnsured, campaignsOf, over };
}

describeSomeLedger("a run of a recurring campaign", (ledger) => {
  const { load, campaignOf, phonesOf, isEnsured, campaignsOf, over } = asking(ledger);

  it("calls the people of its file, keeps the rows that are none, and is started in the same breath", async () => {
    const { deps, list, spoolDir } = recurringOn(ledger());
    list("daily.csv", THREE);
    const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
    const run = await runOf(ledger(), schedule);
    const campaign = await campaignOf(await load(deps, run));
    expect(campaign).toMatchObject({ state: "running", run: 1, tallies: { open: 2 } });
    expect(await listImports(ledger().db, { campaignId: campaign.id })).toMatchObject([
      { sourceName: "daily.csv", rowsRead: 3, rowsRejected: 1, rowsAccepted: 2 },
    ]);
    expect(await isEnsured(campaign.id)).toBe(true);
    expect((await readScheduleRun(ledger().db, run.id))?.campaignId).toBe(campaign.id);
    expect(fs.readdirSync(spoolDir)).toEqual([]);
  });

  it("says how many of its list can never be called, and asks for somebody where that is everybody", async () => {
    const { deps, list } = recurringOn(ledger());
    const noted: object[] = [];
    const log = { ...deps.log, warn: (fields: object, text: string) => noted.push({ ...fields, text }) };
    // A Russian mobile may be anywhere from Kaliningrad to Kamchatka.
    const spec = { ...RECURRING_SPEC, window: { weekdays: ["09:00-18:00"] } };
    const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" }, spec });
    const runWith = async (text: string) => {
      list("daily.csv", text);
      const run = await runOf(ledger(), schedule);
      const campaign = await campaignOf(await load({ ...deps, log }, run));
      await over(campaign.id);
      await advanceScheduleRun(deps, { runId: run.id });
      const told = await listAttention(ledger().db, { subject: schedule.name, resolved: false, limit: 9 });
      const { state, result } = given(await readScheduleRun(ledger().db, run.id));
      return { state, result, campaign: campaign.id, told: told.items };
    };
    const some = await runWith("phone\n+79161234567\n+79161234568\n+12025550143\n");
    expect(some).toMatchObject({
      state: "done",
      result: { never_dialed: { contacts: 2, of: 3 } },
      told: [],
    });
    expect(noted).toEqual([
      {
        schedule: schedule.name,
        campaign: schedule.campaign,
        run: 1,
        contacts: 3,
        never_dialed: 2,
        text: "contacts on the list of a run of a schedule can never be called under its window",
      },
    ]);
    const all = await runWith("phone\n+79161234567\n+79161234568\n");
    expect(all).toMatchObject({
      state: "done",
      result: { never_dialed: { contacts: 2, of: 2 } },
      told: [
        {
          kind: "schedule_list_undialable",
          times: 1,
          summary: expect.stringMatching(
            /none of the 2 contacts .* can ever be called: their numbers may be in/,
          ),
          remedy: expect.stringContaining(`outdial campaign status ${all.campaign}`),
        },
      ],
    });
    expect((await runWith("phone\n+79161234567\n")).told).toMatchObject([{ times: 2 }]);
    const none = await runWith("phone\n+12025550143\n");
    expect(none.told).toEqual([]);
    expect(none.result).not.toHaveProperty("never_dialed");
    expect(noted).toHaveLength(3);
  });

  it("is the campaign's next run each time, with the people that are there then", async () => {
    const { deps, list } = recurringOn(ledger());
    const schedule = await recurringSchedule(
      ledger(),
      { contacts: { file: "daily.csv" } },
      { overlap: "buffer_one" },
    );
    list("daily.csv", listOf(2));
    const first = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
    list("daily.csv", listOf(3, 10));
    await over(first.id);
    const second = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
    expect(second).toMatchObject({ name: first.name, run: 2, tallies: { open: 3 } });
  });

  it("goes on wherever it is killed, with one campaign, which calls everybody once", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", THREE);
    let killed = 0;
    for (let step = 1; ; step += 1) {
      const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
      const run = await runOf(ledger(), schedule);
      const dying = await load({ ...deps, ledger: dyingAt(ledger(), step) }, run).then(
        () => false,
        (error: unknown) => isKill(error),
      );
      // What its workflow would do, had it lost all memory of what it did.
      const { next } = await advanceScheduleRun(deps, { runId: run.id });
      if (next === "start") await load(deps, run);
      const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
      const campaign = given(await readCampaign(ledger().db, campaignId));
      expect(campaign, `killed at ${step}`).toMatchObject({ state: "running", tallies: { open: 2 } });
      expect(await listImports(ledger().db, { campaignId })).toMatchObject([
        { rowsRead: 3, rowsAccepted: 2 },
      ]);
      expect(await campaignsOf(schedule.campaign)).toHaveLength(1);
      expect(await isEnsured(campaignId)).toBe(true);
      if (!dying) break;
      killed += 1;
    }
    // Before and after each transaction, and before each statement outside of one.
    expect(killed).toBeGreaterThan(10);
  });

  it("takes the rest of a list from what was fetched, though the file is another one by then", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", listOf(2_500));
    const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
    const run = await runOf(ledger(), schedule);
    await expect(load({ ...deps, ledger: dyingInChunk(ledger(), 2) }, run)).rejects.toThrow("killed");
    const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
    expect(await readCampaign(ledger().db, campaignId)).toMatchObject({
      state: "scheduled",
      tallies: { open: 1_000 },
    });
    const start = { commandId: "by hand", actor: "test", reason: undefined, nowMs: Date.now() };
    await expect(
      startCampaign(ledger(), { ...start, campaignId, allowPartial: false }),
      "half a list does not start",
    ).rejects.toThrow("only taken up to line 1001");
    list("daily.csv", listOf(10, 5_000));
    expect(await campaignOf(await load(deps, run))).toMatchObject({
      id: campaignId,
      state: "running",
      tallies: { open: 2_500 },
    });
  });

  describe("of a ledger that waits for its recovery", () => {
    const hold = () => requireRecovery(ledger().db, "restored", Date.now());
    const recovered = () => finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: Date.now() });
    const begun = async (contacts: number) => {
      onTestFinished(async () => void (await recovered()));
      const { deps, list } = recurringOn(ledger());
      list("daily.csv", listOf(contacts));
      const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
      return { deps, schedule, run: await runOf(ledger(), schedule) };
    };

    it("takes no more of its list, nor starts, and is cancelled afterwards", async () => {
      const { deps, run } = await begun(2_500);
      await expect(load({ ...deps, ledger: dyingInChunk(ledger(), 2) }, run)).rejects.toThrow("killed");
      const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
      await hold();
      await expect(load(deps, run)).rejects.toThrow("held until `outdial recover` is through");
      const [taken] = await listImports(ledger().db, { campaignId });
      expect(taken).toMatchObject({ rowsRead: 1_000, completedAtMs: undefined });
      expect((await readCampaign(ledger().db, campaignId))?.state).toBe("scheduled");
      await recovered();
      expect((await readScheduleRun(ledger().db, run.id))?.state).toBe("cancelling");
      await load(deps, run);
      expect(await readCampaign(ledger().db, campaignId)).toMatchObject({
        state: "draining",
        tallies: { open: 1_000 },
      });
    });

    it("has no campaign made, and none afterwards", async () => {
      const { deps, schedule, run } = await begun(3);
      await hold();
      await expect(load(deps, run)).rejects.toThrow("held until");
      await recovered();
      expect(await load(deps, run)).toMatchObject({ refused: "the run is not wanted any more" });
      expect(await campaignsOf(schedule.campaign)).toEqual([]);
    });

    it("has none made where that was found while its list was read", async () => {
      const { deps, schedule, run } = await begun(3);
      const meanwhile: Ledger = {
        ...ledger(),
        async transaction(work) {
          await hold();
          return ledger().transaction(work);
        },
      };
      await expect(load({ ...deps, ledger: meanwhile }, run)).rejects.toThrow("held until");
      expect(await campaignsOf(schedule.campaign)).toEqual([]);
    });

    it.each([
      ["leaves its list where it is", 1_500, 1_000],
      ["does not complete its list", 3, 3],
    ])("%s where that was found while it was taken", async (_what, contacts, rowsRead) => {
      const { deps, run } = await begun(contacts);
      await expect(load({ ...deps, ledger: watching(ledger(), hold) }, run)).rejects.toThrow("held until");
      const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
      const [taken] = await listImports(ledger().db, { campaignId });
      expect(taken).toMatchObject({ rowsRead, completedAtMs: undefined });
    });
  });

  it("ends without a call where half of its list was taken and the rest is lost", async () => {
    const { deps, list, spoolDir } = recurringOn(ledger());
    list("daily.csv", listOf(1_500));
    const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
    const run = await runOf(ledger(), schedule);
    await expect(load({ ...deps, ledger: dyingInChunk(ledger(), 2) }, run)).rejects.toThrow("killed");
    fs.rmSync(spoolDir, { recursive: true });
    list("daily.csv", listOf(1_500, 1));
    const started = await load(deps, run);
    expect(started).toMatchObject({ refused: expect.stringContaining("up to line 1001") });
    const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
    expect((await readCampaign(ledger().db, campaignId))?.state).toBe("draining");
    expect(await isEnsured(campaignId)).toBe(true);
    await over(campaignId, "cancelled");
    const refused = "refused" in started ? started.refused : "";
    await advanceScheduleRun(deps, { runId: run.id, refused });
    expect(await readScheduleRun(ledger().db, run.id)).toMatchObject({ state: "failed", reason: refused });
  });

  it("is missed where nobody took it up in time, and calls nobody hours later", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", THREE);
    const late = async (run: Record<string, unknown>, minutes: number) => {
      const schedule = await recurringSchedule(ledger(), run, { cron: undefined, every: "1h" });
      const dueMs = (Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000;
      await ledger().transaction((tx) => takeTurn(tx, { scheduleId: schedule.id, nowMs: dueMs }));
      const { items } = await listRuns(ledger().db, schedule.id, { limit: 1 });
      const then = { ...deps, now: () => dueMs + minutes * 60_000 };
      const { id } = given(items[0]);
      const step = await advanceScheduleRun(then, { runId: id });
      if (step.next === "start") await load(then, { id });
      const told = await listAttention(ledger().db, { subject: schedule.name, resolved: false, limit: 9 });
      const { state } = given(await readScheduleRun(ledger().db, id));
      return [step.next, state, ...told.items.map(({ kind }) => kind)];
    };
    const campaign = { contacts: { file: "daily.csv" } };
    // A minute to begin in, and one for what lies between.
    expect(await late(campaign, 1.9)).toEqual(["start", "running"]);
    expect(await late(campaign, 2.1)).toEqual(["start", "missed", "schedule_run_missed"]);
    const automation = { campaign: undefined, spec: undefined, workflow_id: "w" };
    expect(await late(automation, 10.9)).toEqual(["act", "running"]);
    expect(await late(automation, 11.1)).toEqual(["done", "missed", "schedule_run_missed"]);
  });

  it("is made up for as it was advised, where nobody took up its automation in time", async () => {
    const { deps } = recurringOn(ledger());
    const automation = { campaign: undefined, spec: undefined, workflow_id: "w" };
    const schedule = await recurringSchedule(ledger(), automation, { cron: undefined, every: "1h" });
    const dueMs = (Math.floor(Date.now() / 3_600_000) + 1) * 3_600_000;
    await ledger().transaction((tx) => takeTurn(tx, { scheduleId: schedule.id, nowMs: dueMs }));
    const { items } = await listRuns(ledger().db, schedule.id, { limit: 1 });
    const { id: runId } = given(items[0]);
    const nowMs = dueMs + 12 * 60_000;
    const then = { ...deps, now: () => nowMs };
    expect(await advanceScheduleRun(then, { runId })).toEqual({ next: "done" });
    expect(await readScheduleRun(ledger().db, runId)).toMatchObject({ state: "missed" });
    const { name } = schedule;
    await ledger().transaction((tx) =>
      backfill(tx, { name, fromMs: dueMs, toMs: dueMs, actor: "test", nowMs }),
    );
    expect(await readScheduleRun(ledger().db, runId)).toMatchObject({ state: "running" });
    const [late, instead] = await listActionsOf(ledger().db, { scheduleRunId: runId });
    expect([late?.state, instead?.state]).toEqual(["skipped", "due"]);
    expect(await advanceScheduleRun(then, { runId })).toEqual({ next: "act", actionId: instead?.id });
  });

  it.each([
    ["unknown", "look on the platform whether it ran; if not, `outdial schedule run"],
    ["failed", "mend what it names, then `outdial schedule run"],
  ])("whose automation's end is %s comes before people with what that asks for", async (end, remedy) => {
    const { deps } = recurringOn(ledger());
    const automation = { campaign: undefined, spec: undefined, workflow_id: "w" };
    const schedule = await recurringSchedule(ledger(), automation, { pause_on_failure: true });
    const { id: runId } = await runOf(ledger(), schedule);
    await rows(
      ledger().db,
      sql`update actions set state = ${end}, tries = 1, error = 'its answer was lost', next_try_at = null, ended_at = now()
          where schedule_run_id = ${runId}::uuid`,
    );
    expect(await advanceScheduleRun(deps, { runId })).toEqual({ next: "done" });
    const told = await listAttention(ledger().db, { subject: schedule.name, resolved: false, limit: 9 });
    expect(told.items).toMatchObject([
      {
        kind: "schedule_run_failed",
        summary: expect.stringContaining("its answer was lost"),
        remedy: expect.stringContaining(remedy),
      },
    ]);
    expect(told.items[0]?.remedy).toContain(`\`outdial schedule resume ${schedule.name}\``);
  });

  it("does not call a list that lay about for hours", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", listOf(1_500));
    const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
    const run = await runOf(ledger(), schedule);
    await expect(load({ ...deps, ledger: dyingInChunk(ledger(), 2) }, run)).rejects.toThrow("killed");
    const started = await load({ ...deps, now: () => Date.now() + 2.1 * 3_600_000 }, run);
    expect(started).toMatchObject({ refused: expect.stringContaining("not called any more") });
    const { campaignId = "" } = given(await readScheduleRun(ledger().db, run.id));
    expect((await readCampaign(ledger().db, campaignId))?.state).toBe("draining");
  });

  it("is done where its campaign is, whatever a worker that came too late was told", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", THREE);
    const run = await runOf(ledger(), await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } }));
    await over((await campaignOf(await load(deps, run))).id);
    await advanceScheduleRun(deps, { runId: run.id, refused: "the run is not wanted any more" });
    expect(await readScheduleRun(ledger().db, run.id)).toMatchObject({ state: "done" });
  });

  it("stops taking its list when the next run takes its place", async () => {
    const { deps, list } = recurringOn(ledger());
    list("daily.csv", listOf(1_500));
    const schedule = await recurringSchedule(
      ledger(),
      { contacts: { file: "daily.csv" } },
      { overlap: "cancel_other" },
    );
    const run = await runOf(ledger(), schedule);
    const overtaken = watching(ledger(), () => runOf(ledger(), schedule));
    const campaign = await campaignOf(await load({ ...deps, ledger: overtaken }, run));
    expect(campaign).toMatchObject({ state: "draining", tallies: { open: 1_000 } });
    await over(campaign.id);
    await advanceScheduleRun(deps, { runId: run.id });
    expect((await readScheduleRun(ledger().db, run.id))?.state).toBe("done");
    const { items } = await listRuns(ledger().db, schedule.id, { limit: 10 });
    expect(items.map(({ state }) => state).sort()).toEqual(["done", "running"]);
  });

  it.each([
    ["one with a heading alone", "empty.csv", "phone,first_name\n"],
    ["an empty one of JSON lines", "empty.ndjson", ""],
  ])("completes with nobody where its list is %s", async (_what, file, text) => {
    const { deps, list } = recurringOn(ledger());
    list(file, text);
    const schedule = await recurringSchedule(ledger(), { contacts: { file } });
    const campaign = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
    expect(campaign).toMatchObject({ state: "running", tallies: { open: 0 } });
    expect(await isEnsured(campaign.id)).toBe(true);
  });

  describe("whose campaign", () => {
    const spec = (changes: Partial<CampaignSpecInput>) =>
      specOf({ ...RECURRING_SPEC, from_numbers: ["+12025550100"], ...changes });
    const create = (changes: Partial<CampaignSpecInput>) =>
      ledger().transaction((tx) =>
        createCampaign(tx, { spec: spec(changes), actor: "test", nowMs: Date.now() }),
      );
    const scheduleOf = (campaign: string, run: Record<string, unknown> = {}) =>
      recurringSchedule(ledger(), { campaign, spec: undefined, ...run });

    it("was declared is that very run, with its source and what the schedule says besides", async () => {
      const { deps, list } = recurringOn(ledger());
      list("declared.csv", listOf(2));
      const declared = await create({ name: "declared", contacts: { file: "declared.csv" } });
      const schedule = await scheduleOf("declared", { not_called_within: "7d" });
      const campaign = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
      expect(campaign).toMatchObject({ id: declared.id, run: 1, policyVersion: 2, tallies: { open: 2 } });
      expect(campaign.spec.not_called_within).toBe("7d");
      await over(campaign.id);
      const next = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
      expect(next).toMatchObject({ run: 2, spec: { contacts: { file: "declared.csv" } } });
    });

    it("has people of its own already is left to them", async () => {
      const { deps, list } = recurringOn(ledger());
      list("daily.csv", listOf(2));
      const own = await create({ name: "of people" });
      await tell(ledger(), "start", own.id);
      const schedule = await scheduleOf("of people", { contacts: { file: "daily.csv" } });
      expect(await load(deps, await runOf(ledger(), schedule))).toMatchObject({
        refused: expect.stringMatching(/run 1 of campaign of people is running/),
      });
      expect(await phonesOf(own.id)).toEqual([]);
    });

    it.each([
      ["is nowhere", undefined, { contacts: { file: "a.csv" } }, /has no campaign/],
      ["has no source", {}, {}, /nothing says where the contacts/],
      [
        "has ended for good",
        { ends_at: "2020-01-01T00:00:00Z" },
        { contacts: { file: "a.csv" } },
        /ended at 2020/,
      ],
    ])("%s fails with what to do", async (what, made, run, reason) => {
      const { deps } = recurringOn(ledger());
      if (made) await create({ name: what, ...made });
      const schedule = await scheduleOf(what, run);
      expect(await load(deps, await runOf(ledger(), schedule))).toMatchObject({
        refused: expect.stringMatching(reason),
      });
    });
  });
});

describe("the list of a recurring campaign", () => {
  withLedger((ledger) => {
    const { load, campaignOf, campaignsOf } = asking(ledger);

    it.each([
      ["is not there", {}, /there is no list daily\.csv in/],
      ["has no column with a number", { "daily.csv": "name\nAnn\n" }, /can't be read.*phone/],
      ["has no row with a number", { "daily.csv": "phone\nnone\nno\n" }, /none of the 2 rows.*line 2/],
      ["breaks off within a cell", { "daily.csv": 'phone,note\n+12025550111,"x\n' }, /can't be read.*quote/],
      ["is empty", { "daily.csv": "" }, /can't be read.*empty/i],
    ])("fails with the reason, and calls nobody, where its list %s", async (_what, files, reason) => {
      const { deps, list } = recurringOn(ledger());
      for (const [name, text] of Object.entries(files)) list(name, text);
      const schedule = await recurringSchedule(ledger(), { contacts: { file: "daily.csv" } });
      const run = await runOf(ledger(), schedule);
      const started = await load(deps, run);
      expect(started).toMatchObject({ refused: expect.stringMatching(reason) });
      expect(await campaignsOf(schedule.campaign)).toEqual([]);
      await advanceScheduleRun(deps, { runId: run.id, ...started });
      expect((await readScheduleRun(ledger().db, run.id))?.state).toBe("failed");
    });

    it.each(["../secret.csv", "/etc/passwd", "link.csv", "."])(
      "reads no list outside of its folder: %s",
      async (file) => {
        const { deps, listsDir } = recurringOn(ledger());
        fs.writeFileSync(path.join(listsDir, "../secret.csv"), THREE);
        fs.symlinkSync(path.join(listsDir, "../secret.csv"), path.join(listsDir, "link.csv"));
        const schedule = await recurringSchedule(ledger(), { contacts: { file } });
        const started = await load(deps, await runOf(ledger(), schedule));
        expect(started).toMatchObject({ refused: expect.stringMatching(/is not within/) });
      },
    );

    describe("with a list at an address", () => {
      const serving = async (
        ...answers: { status?: number; headers?: Record<string, string>; body?: string }[]
      ) => {
        const receiver = await startReceiver((response, _received, nth) => {
          const { status = 200, headers = {}, body = "" } = answers[nth - 1] ?? answers.at(-1) ?? {};
          response.writeHead(status, headers).end(body);
        });
        onTestFinished(() => receiver.close());
        return { ...receiver, url: `http://127.0.0.1:${receiver.port}/export?day=1` };
      };

      it("asks for it with its secret, and again where the other side is away", async () => {
        const { deps } = recurringOn(ledger(), { secrets: { crm: "let-me-in" } });
        const server = await serving({ status: 503 }, { body: THREE });
        const contacts = { url: server.url, headers: { Authorization: { secret: "crm" } }, format: "csv" };
        const schedule = await recurringSchedule(ledger(), { contacts });
        const campaign = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
        expect(campaign).toMatchObject({ state: "running", tallies: { open: 2 } });
        expect(server.received.map(({ headers }) => headers["authorization"])).toEqual([
          "let-me-in",
          "let-me-in",
        ]);
        expect((await listImports(ledger().db, { campaignId: campaign.id }))[0]?.sourceName).toBe(
          `127.0.0.1:${server.port}/export`,
        );
      });

      it("asks at the address that a secret is, and tells nobody of it", async () => {
        const server = await serving({ body: THREE }, { status: 500 });
        const secrets = { sheet: `${server.url}&key=let-me-in`, bent: "let-me-in" };
        const { deps } = recurringOn(ledger(), { secrets });
        const of = (secret: string) =>
          recurringSchedule(ledger(), { contacts: { url: { secret }, format: "csv" } });
        const schedule = await of("sheet");
        const campaign = await campaignOf(await load(deps, await runOf(ledger(), schedule)));
        expect(campaign).toMatchObject({ state: "running", tallies: { open: 2 } });
        expect((await listImports(ledger().db, { campaignId: campaign.id }))[0]?.sourceName).toBe(
          "the address in secret sheet",
        );
        for (const [secret, why] of [
          ["sheet", /answered 500/],
          ["bent", /the secret bent is to be the list's address, and is none/],
          ["missing", /missing/],
        ] as const) {
          const started = await load(deps, await runOf(ledger(), await of(secret)));
          expect(started).toMatchObject({ refused: expect.stringMatching(why) });
          expect(JSON.stringify(started)).not.toContain("let-me-in");
        }
      });

      it("gets no secret of another brand than its campaign's", async () => {
        const server = await serving({ body: THREE });
        const secrets = { crm: "let-me-in", sheet: server.url };
        const { deps } = recurringOn(ledger(), { secrets, brands: "*=acme" });
        const lists = [
          { url: server.url, headers: { Authorization: { secret: "crm" } }, format: "csv" },
          { url: { secret: "sheet" }, format: "csv" },
        ];
        const loaded = async (contacts: object, brand: string) => {
          const schedule = await recurringSchedule(ledger(), { contacts, brand });
          return load(deps, await runOf(ledger(), schedule));
        };
        for (const contacts of lists)
          expect(await loaded(contacts, "beta")).toMatchObject({
            refused: expect.stringMatching(/there is no secret "(?:crm|sheet)" for brand beta/),
          });
        expect(server.received).toEqual([]);
        for (const contacts of lists)
          expect(await campaignOf(await loaded(contacts, "acme"))).toMatchObject({ state: "running" });
      });

      it("gets none where its schedule is another brand's by now, which would be given this one's secrets", async () => {
        const { deps, spoolDir } = recurringOn(ledger(), {
          secrets: { crm: "let-me-in" },
          brands: "crm=acme",
        });
        const own = await serving({ body: listOf(1_500) });
        const theirs = await serving({ body: listOf(1_500) });
        const contacts = (url: string) => ({ url, headers: { "x-key": { secret: "crm" } }, format: "csv" });
        const schedule = await recurringSchedule(ledger(), { contacts: contacts(own.url), brand: "acme" });
        const run = await runOf(ledger(), schedule);
        await expect(load({ ...deps, ledger: dyingInChunk(ledger(), 2) }, run)).rejects.toThrow("killed");
        expect(own.received).toHaveLength(1);
        fs.rmSync(spoolDir, { recursive: true });
        const { campaign, name } = schedule;
        await recurringSchedule(
          ledger(),
          { campaign, contacts: contacts(theirs.url), brand: "beta" },
          { name },
        );
        expect(await load(deps, run)).toMatchObject({
          refused: expect.stringContaining("another brand than acme"),
        });
        expect(theirs.received).toEqual([]);
      });

      it("fails where it never gets one, without a word of its secrets", async () => {
        const { deps } = recurringOn(ledger(), { secrets: { crm: "let-me-in" } });
        const server = await serving({ status: 500, body: "let-me-in" });
        const contacts = { url: server.url, headers: { "x-key": { secret: "crm" } } };
        const run = await runOf(ledger(), await recurringSchedule(ledger(), { contacts }));
        const started = await load(deps, run);
        expect(started).toMatchObject({ refused: expect.stringMatching(/answered 500.*three times/) });
        expect(JSON.stringify(started)).not.toMatch(/let-me-in|day=1/);
        expect(server.received).toHaveLength(3);
      });
    });

    describe.skipIf(inject("postgresUrl") === undefined)("with a query on a database (PostgreSQL)", () => {
      const crm = async () => {
        const url = await createDatabase(given(inject("postgresUrl")));
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        onTestFinished(() => client.end());
        await client.query(
          "create table people (mobile text, name text, vip boolean, since date, note text)",
        );
        return { url, client };
      };
      const query = async (text: string, phone?: string) => {
        const { url, client } = await crm();
        await client.query(
          "insert into people select '+1202' || (5550000 + n), 'p' || n, n % 2 = 0, '2026-03-29', null from generate_series(1, 450) n",
        );
        const { deps } = recurringOn(ledger(), { databases: { CRM_2: url } });
        const contacts = { database: "crm-2", query: text, ...(phone !== undefined && { phone }) };
        const run = await runOf(ledger(), await recurringSchedule(ledger(), { contacts }));
        return { client, started: await load(deps, run) };
      };

      it("calls its rows, whose columns are variables as PostgreSQL writes them", async () => {
        const { client, started } = await query(
          "select name, vip, since, note, mobile as reach from people;",
          "reach",
        );
        const campaign = await campaignOf(started);
        expect(campaign.tallies.open).toBe(450);
        const [row] = await rows<{ variables: unknown }>(
          ledger().db,
          sql`select variables from contacts where campaign_id = ${campaign.id}::uuid and phone = '+12025550002'`,
        );
        expect(row?.variables).toEqual({ name: "p2", vip: "true", since: "2026-03-29" });
        const { rows: left } = await client.query(
          "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        expect(left, "connections left open").toEqual([]);
      });

      it.each([
        [
          "writes",
          "with gone as (delete from people returning mobile) select mobile from gone",
          /refused the query/,
        ],
        ["ends its transaction", "select mobile from people; commit; drop table people", /refused the query/],
        ["is none", "selec mobile from people", /refused the query \(42601\)/],
        ["names a column twice", "select mobile, name, name from people", /name comes twice/],
        ["gives no number", "select name from people", /none of the 450 rows/],
      ])("fails, and changes nothing there, where it %s", async (_what, text, reason) => {
        const { client, started } = await query(text);
        expect(started).toMatchObject({ refused: expect.stringMatching(reason) });
        const { rows: count } = await client.query("select count(*)::int as n from people");
        expect(count).toEqual([{ n: 450 }]);
      });

      it("completes with nobody where it gives no rows, and fails where the database is not there", async () => {
        expect(
          await campaignOf((await query("select mobile from people where false")).started),
        ).toMatchObject({
          state: "running",
          tallies: { open: 0 },
        });
        const { deps } = recurringOn(ledger(), {
          databases: {
            CRM: "postgres://u:hidden@127.0.0.1:9/crm",
            BROKEN: "postgres://u:hidden%ff@127.0.0.1:9/crm",
          },
        });
        for (const [database, reason] of [
          ["crm", /gives no rows now \(ECONNREFUSED\)/],
          ["other", /set OUTDIAL_DATABASE_OTHER /],
          ["broken", /percent-encoding/],
        ] as const) {
          const contacts = { database, query: "select 1" };
          const run = await runOf(ledger(), await recurringSchedule(ledger(), { contacts }));
          const started = await load(deps, run);
          expect(started).toMatchObject({ refused: expect.stringMatching(reason) });
          expect(JSON.stringify(started)).not.toContain("hidden");
        }
      });
    });
  });
});

class Kill extends Error {}

function isKill(error: unknown): boolean {
  if (error instanceof Kill) return true;
  throw error;
}

/** A ledger whose process dies at its n-th step: before a statement, before a transaction, or right after its commit. */
function dyingAt(ledger: Ledger, step: number): Ledger {
  let steps = 0;
  const live = () => {
    steps += 1;
    if (steps >= step) throw new Kill("killed");
  };
  return {
    ...ledger,
    db: watched(ledger.db, live),
    async transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
      live();
      const result = await ledger.transaction(work);
      live();
      return result;
    },
  };
}

function watched(db: Db, live: () => void): Db {
  return new Proxy(db, {
    get(target, name) {
      if (name === "execute") live();
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Does something before the first chunk of a list goes in. */
function watching(ledger: Ledger, onChunk: () => Promise<unknown>): Ledger {
  let isChunk = false;
  return {
    ...ledger,
    // What is asked for each chunk, before its transaction.
    hasRoom() {
      isChunk = true;
      return ledger.hasRoom();
    },
    async transaction(work) {
      if (isChunk) await onChunk();
      isChunk = false;
      return ledger.transaction(work);
    },
  };
}

/** A ledger whose process dies before the n-th chunk of a list. */
function dyingInChunk(ledger: Ledger, chunk: number): Ledger {
  let chunks = 0;
  return {
    ...ledger,
    hasRoom() {
      chunks += 1;
      if (chunks >= chunk) throw new Kill("killed");
      return ledger.hasRoom();
    },
  };
}
