import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readCampaign, type Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { listRuns, type ScheduleRun } from "../../../src/ledger/schedules/schedule-runs.ts";
import { removeSchedule } from "../../../src/ledger/schedules/schedule-changes.ts";
import { createDownloads, type Downloads } from "../../../src/outbound/download.ts";
import { phoneNumbers, startEngine, until, type Engine } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { RECURRING_SPEC, recurringSchedule } from "../../support/recurring.ts";

describe("recurring campaigns", () => {
  withLedger((ledger) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recurring-"));
    let engine: Engine;
    let downloads: Downloads;
    beforeAll(async () => {
      downloads = createDownloads({ allow: [] });
      const lists = { dir: folder, spoolDir: path.join(folder, "spool"), databases: {}, downloads };
      engine = await startEngine(ledger(), { speed: 100, lists });
      await engine.startWorkers();
    });
    afterAll(async () => {
      await engine.close();
      await downloads.close();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    const put = (name: string, phones: readonly string[]) => {
      const part = path.join(folder, `${name}.part`);
      fs.writeFileSync(part, `phone\n${phones.join("\n")}\n`);
      fs.renameSync(part, path.join(folder, name));
    };
    const every = async (list: string, changes: Record<string, unknown>, spec: object = {}) => {
      const run = { spec: { ...RECURRING_SPEC, ...spec }, contacts: { file: list } };
      const schedule = await recurringSchedule(ledger(), run, {
        cron: undefined,
        catch_up: "1m",
        ...changes,
      });
      engine.deps.outbox.kick();
      return schedule;
    };
    const remove = async ({ name }: { name: string }) => {
      const input = { name, actor: "test", reason: undefined, nowMs: Date.now() };
      await ledger().transaction((tx) => removeSchedule(tx, input));
      engine.deps.outbox.kick();
    };
    const runsOf = async ({ id }: { id: string }): Promise<ScheduleRun[]> => {
      const { items } = await listRuns(ledger().db, id, { limit: 200 });
      return items.toReversed();
    };
    /** The campaigns of its runs, in the order of their runs. */
    const campaignsOf = async (runs: readonly ScheduleRun[]): Promise<Campaign[]> => {
      const made = runs.flatMap(({ campaignId }) => campaignId ?? []);
      const found = await Promise.all(made.map((id) => readCampaign(ledger().db, id)));
      return found.map(given).toSorted((a, b) => a.run - b.run);
    };
    const expectOneAtATime = (campaigns: readonly Campaign[]) => {
      expect(campaigns.map(({ run }) => run)).toEqual(campaigns.map((_one, at) => at + 1));
      for (const [at, next] of campaigns.slice(1).entries())
        expect(given(campaigns[at]).endedAtMs, `run ${at + 1} before ${at + 2}`).toBeLessThanOrEqual(
          next.createdAtMs,
        );
    };
    /** How often the sandbox dialed each number that begins so. */
    const attemptsOf = async (campaignId: string) =>
      rows<{ phone: string; n: number }>(
        ledger().db,
        sql`select phone, count(*)::int as n from attempts where campaign_id = ${campaignId}::uuid and state = 'ended' group by phone`,
      );

    it("are run by the clock with the people of that moment, one run after the other, and skip while one is going", async () => {
      const first = phoneNumbers(6, 1_000);
      const second = phoneNumbers(6, 1_010);
      put("daily.csv", first);
      const schedule = await every("daily.csv", { every: "1s", overlap: "skip" });
      await until("a run that has its people", async () =>
        (await runsOf(schedule)).some(({ campaignId }) => campaignId),
      );
      put("daily.csv", second);
      const runs = await until("two runs that are done", async () => {
        const found = await runsOf(schedule);
        return found.filter(({ state }) => state === "done").length >= 2 ? found : undefined;
      });
      await remove(schedule);
      expect(runs.some(({ state }) => state === "skipped")).toBe(true);
      const campaigns = await campaignsOf(runs.filter(({ state }) => state === "done"));
      expectOneAtATime(campaigns);
      const called = await Promise.all(campaigns.map(({ id }) => attemptsOf(id)));
      expect(called[0]?.map(({ phone }) => phone).sort()).toEqual(first);
      expect(called[1]?.map(({ phone }) => phone).sort()).toEqual(second);
      expect(called.flat().every(({ n }) => n === 1)).toBe(true);
    });

    it("give way to their next run where that is declared: calls that are up end, and nobody else is called", async () => {
      const many = phoneNumbers(400, 2_000);
      put("long.csv", many);
      const schedule = await every("long.csv", { every: "15s", overlap: "cancel_other" }, { concurrency: 2 });
      const overtaken = await until("a run that was called off", async () =>
        (await runsOf(schedule)).find(
          ({ state, campaignId }) => state === "cancelled" && campaignId !== undefined,
        ),
      );
      const campaign = given(await readCampaign(ledger().db, given(overtaken.campaignId)));
      expect(campaign).toMatchObject({
        state: "cancelled",
        tallies: { open: 0, leased: 0 },
      });
      expect(campaign.tallies.done + campaign.tallies.excluded).toBe(400);
      expect(campaign.tallies.excluded).toBeGreaterThan(0);
      expect(overtaken.reason).toMatch(/takes its place/);
      // On a busy machine a run may be called off before its first call.
      await until("a later run to call", async () => {
        const [, ...later] = await campaignsOf(await runsOf(schedule));
        return later.some(({ tallies }) => tallies.attempts > 0);
      });
      await remove(schedule);
      const campaigns = await campaignsOf(await runsOf(schedule));
      expect(campaigns.length).toBeGreaterThanOrEqual(2);
      expectOneAtATime(campaigns);
      const dialed = await attemptsOf(campaign.id);
      expect(dialed.every(({ n }) => n === 1)).toBe(true);
      expect(dialed.length).toBe(campaign.tallies.done);
    });

    it("complete with nobody where there is nobody, and go on to the next run", async () => {
      put("nobody.csv", []);
      const schedule = await every("nobody.csv", { every: "1s", overlap: "skip" });
      const runs = await until("two runs that are done", async () => {
        const found = (await runsOf(schedule)).filter(({ state }) => state === "done");
        return found.length >= 2 ? found : undefined;
      });
      await remove(schedule);
      expectOneAtATime(await campaignsOf(runs));
      expect(engine.logged.filter(({ level }) => level === "error")).toEqual([]);
    });
  });
});
