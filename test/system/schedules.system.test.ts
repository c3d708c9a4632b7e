import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { occurrences } from "../../src/domain/schedules/schedule-times.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { listRuns, type ScheduleRun } from "../../src/ledger/schedules/schedule-runs.ts";
import { createPlatform, type Platform } from "../../src/platform/index.ts";
import { provideTemporalServer } from "../../src/temporal/server/index.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { createDatabase } from "../support/postgres.ts";
import { seededRandom } from "../support/random.ts";
import { cacheDir } from "../support/setup-temporal.ts";
import { until } from "../support/until.ts";
import { apiAt } from "./support/journeys.ts";
import { closedPort, openStage, type Stage } from "./support/stage.ts";

const KILLS = sized({ short: 2, long: 5 });

describe.skipIf(inject("postgresUrl") === undefined)("a schedule whose worker is killed with kill -9", () => {
  let stage: Stage;
  let platform: Platform;
  beforeAll(async () => {
    stage = await openStage();
    platform = createPlatform({ baseUrl: stage.sandbox.url, apiKey: stage.sandbox.apiKey });
  });
  afterAll(async () => {
    await stage.close();
    await platform.close();
  });

  it("over and over, and whose Temporal loses its data, has every due time once, and runs none of them twice", async () => {
    const random = seededRandom("schedules");
    // By itself one in twenty-five fails, as real ones do.
    stage.sandbox.faults.add({ kind: "execution", outcome: "success" });
    const { workflow_id: workflowId } = await platform.workflows.create({
      name: "often",
      trigger_type: "schedule",
      workflow_json: { nodes: [], connections: {} },
    });
    await platform.workflows.deploy(workflowId);
    const databaseUrl = await createDatabase(given(inject("postgresUrl")));
    const port = await closedPort();
    const settings = stage.settings(stage.dataDir(), {
      DATABASE_URL: databaseUrl,
      OUTDIAL_API_PORT: String(port),
      OUTDIAL_LOG_LEVEL: "info",
    });
    let server = stage.start(["server"], settings);
    await server.waitFor(/"apiUrl":/);
    let worker = stage.start(["worker"], settings);
    const { api } = apiAt(port);
    const ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
    const run = { workflow_id: workflowId };
    const put = await api.schedules.put({
      name: "often",
      run,
      every: "3s",
      overlap: "allow",
      catch_up: "1h",
    });
    const runs = async (): Promise<ScheduleRun[]> => {
      const { items, total } = await listRuns(ledger.db, put.id, { limit: 1_000 });
      // Runs are made between its two readings; a list that is not full has all of them.
      expect(Math.max(items.length, total)).toBeLessThan(1_000);
      return items.toReversed();
    };
    const madeSince = (sinceMs: number) =>
      until("what came due since to be made", async () =>
        (await runs()).some(({ dueAtMs, state }) => dueAtMs > sinceMs && state === "done"),
      );

    for (let kill = 1; kill <= KILLS; kill += 1) {
      await madeSince(Date.now() + random() * 3_000);
      await worker.kill();
      worker = stage.start(["worker"], settings);
    }
    await madeSince(Date.now());
    for (const one of [worker, server]) await one.kill();
    const empty = await provideTemporalServer({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: cacheDir(),
      headless: true,
      onProgress: () => {},
    });
    try {
      const anew = { ...settings, TEMPORAL_ADDRESS: empty.address, TEMPORAL_NAMESPACE: "default" };
      server = stage.start(["server"], anew);
      await server.waitFor(/"apiUrl":/);
      worker = stage.start(["worker"], anew);
      await madeSince(Date.now());
      await api.schedules.remove("often");
      const all = await until("all runs to be over", async () => {
        const found = await runs();
        return found.every(({ endedAtMs }) => endedAtMs !== undefined) ? found : undefined;
      });
      for (const one of [worker, server]) expect(await one.end(), one.stderr()).toBe(0);

      const dueMs = all.map(({ dueAtMs }) => dueAtMs);
      const createdMs = Date.parse(put.created_at);
      const times = { kind: "every", everyMs: 3_000, offsetMs: 0 } as const;
      expect(dueMs).toEqual(occurrences(times, createdMs, given(dueMs.at(-1)), 1_000));
      // The last one may have been due just when the schedule was removed.
      const made = all.filter(({ state }) => state !== "skipped");
      expect(all.length - made.length).toBeLessThanOrEqual(1);
      for (const { state, reason } of made) expect(["done", "failed"], reason).toContain(state);
      const { items } = await platform.workflows.executions(workflowId, { limit: 500 });
      const executed = items.map((execution) => {
        const snapshot: unknown = Reflect.get(execution, "input_snapshot");
        return typeof snapshot === "object" && snapshot !== null
          ? String(Reflect.get(snapshot, "schedule_run_id"))
          : "";
      });
      expect(new Set(executed).size, "none twice").toBe(executed.length);
      const done = made.filter(({ state }) => state === "done").map(({ id }) => id);
      expect(executed).toEqual(expect.arrayContaining(done));
      // Where a worker died with a start in its hands, nobody repeats it.
      expect(made.length - done.length).toBeLessThanOrEqual(2 * KILLS);
    } finally {
      await empty.stop();
      await ledger.close();
      await api.close();
    }
  });
});
