import { NativeConnection, bundleWorkflowCode } from "@temporalio/worker";
import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, inject, it } from "vitest";

import { createLineWatch } from "../../src/activities/campaigns/follow/line-watch.ts";
import { createSocketBudget } from "../../src/activities/campaigns/follow/socket-budget.ts";
import { createActActivities, createActivities, createFollowActivities } from "../../src/activities/index.ts";
import { checkBuilds } from "../../src/cli/doctor/builds.ts";
import { readConfig } from "../../src/config.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { readInstallation } from "../../src/ledger/ground/installation.ts";
import {
  deploymentNameOf,
  makeCurrent,
  makeNoneCurrent,
  makeRamping,
  readDeployment,
  retire,
} from "../../src/temporal/deployment.ts";
import { taskQueuesOf } from "../../src/temporal/task-queues.ts";
import { batchWorkflowId, campaignWorkflowId } from "../../src/temporal/workflow-ids.ts";
import { startWorkers, type Workers } from "../../src/temporal/workers.ts";
import { phoneNumbers, startEngine, startTestCampaign, untilOver, type Engine } from "../support/engine.ts";
import { given, withLedger } from "../support/ledgers.ts";
import { until } from "../support/until.ts";

/** As temporal.api.enums.v1.WorkflowTaskFailedCause numbers it. */
const UNHANDLED_COMMAND = 1;

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

/** What the next build changes: the order of commands in a campaign, with a patch, and in a batch, without any. */
const CHANGES = [
  [
    "campaign.ts",
    "    await handOver(plan, handed);",
    `    if (patched("next-build")) await condition(() => false, 1);\n    await handOver(plan, handed);`,
  ],
  ["campaign.ts", "  log,\n", "  log,\n  patched,\n"],
  ["batch.ts", "    look: async () => {", "    look: async () => {\n      await sleep(2);"],
  ["batch.ts", "continueAsNew, ", "continueAsNew, sleep, "],
] as const;

/** How often anybody was dialed, as the ledger has it. */
async function callsOf({ db }: Ledger, campaignId: string) {
  const [found] = await rows<{ attempts: number; contacts: number; calls: number }>(
    db,
    sql`select count(*)::int as attempts, count(distinct contact_id)::int as contacts,
          count(distinct call_id)::int as calls
        from attempts where campaign_id = ${campaignId}::uuid and state = 'ended'`,
  );
  return found;
}

/** Bundles a copy of the sources with these changes. */
async function bundleOfNextBuild(folder: string): Promise<string> {
  fs.cpSync(SRC, path.join(folder, "src"), { recursive: true });
  fs.symlinkSync(path.join(SRC, "../node_modules"), path.join(folder, "node_modules"));
  fs.copyFileSync(path.join(SRC, "../package.json"), path.join(folder, "package.json"));
  for (const [file, before, after] of CHANGES) {
    const place = path.join(folder, "src/workflows", file);
    const text = fs.readFileSync(place, "utf8");
    expect(text, `${file} has what is changed`).toContain(before);
    fs.writeFileSync(place, text.replace(before, after));
  }
  const quiet = () => {};
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(folder, "src/workflows/index.ts"),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: console.error },
  });
  const bundle = path.join(folder, "next.js");
  fs.writeFileSync(bundle, code);
  return bundle;
}

describe("two builds beside each other", () => {
  withLedger((ledger) => {
    const closing: (() => Promise<unknown> | void)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    const begin = async () => {
      const engine = await startEngine(ledger(), { speed: 50 });
      closing.push(() => engine.close());
      const connection = await NativeConnection.connect({ address: inject("temporalAddress") });
      closing.push(() => connection.close());
      const { installationId } = await readInstallation(ledger().db);
      const deploymentName = deploymentNameOf(installationId);
      const work = async (buildId: string | undefined, codePath: string): Promise<Workers> => {
        const workers = await startWorkers({
          connection,
          namespace: engine.client.options.namespace,
          queues: taskQueuesOf(installationId),
          workflows: { workflowBundle: { codePath } },
          activities: createActivities(engine.deps),
          followActivities: createFollowActivities({
            ...engine.deps,
            sockets: createSocketBudget(50),
            lines: createLineWatch(engine.deps),
          }),
          actActivities: createActActivities(engine.deps),
          version: buildId === undefined ? undefined : { deploymentName, buildId },
        });
        closing.push(() => workers.drain());
        return workers;
      };
      const current = (buildId: string) =>
        makeCurrent(engine.client, { deploymentName, buildId, withinMs: 60_000 });
      return { engine, deploymentName, work, current };
    };

    const buildsOf = async ({ client }: Engine, workflowId: string) => {
      const { events = [] } = await client.workflow.getHandle(workflowId).fetchHistory();
      // What came while a turn was under way has it taken again: that is no failure of anybody.
      const failures = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
        failed && Number(failed.cause) !== UNHANDLED_COMMAND
          ? [`${failed.cause}: ${failed.failure?.message}`]
          : [],
      );
      const builds = (events ?? []).flatMap(
        ({ workflowTaskCompletedEventAttributes: done }) => done?.deploymentVersion?.buildId ?? [],
      );
      return { builds: [...new Set(builds)], failures };
    };
    const stateOf = async (engine: Engine, workflowId: string) =>
      (await engine.client.workflow.getHandle(workflowId).describe()).status.name;
    const batchesOf = (id: string) =>
      until("a batch with calls", async () => {
        const batches = await listUnsettled(ledger().db, id);
        return batches.length > 0 && batches.every(({ state }) => state === "running") && batches;
      });

    it("disturb nothing: a batch ends where it began, what sleeps goes on in the next, and so does what begins", async () => {
      const { engine, deploymentName, work, current } = await begin();
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-build-"));
      closing.push(() => fs.rmSync(folder, { recursive: true, force: true }));
      const next = await bundleOfNextBuild(folder);
      const old = await work("one", inject("workflowBundlePath"));
      await current("one");
      const [first, ...others] = phoneNumbers(5, 910_000);
      // Up across the deploy, however long that takes; nobody else is called meanwhile.
      engine.sandbox.outcomes.force(given(first), [{ outcome: "answered", talk_ms: 36_000_000 }]);
      for (const phone of others)
        engine.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 10_000 }]);
      const id = await startTestCampaign(engine, [given(first), ...others], { concurrency: 1 });
      const [batch] = await batchesOf(id);
      const began = batchWorkflowId(given(batch).id);

      await work("two", next);
      await current("two");
      expect(await stateOf(engine, began)).toBe("RUNNING");
      expect(await readDeployment(engine.client, deploymentName)).toMatchObject({
        current: "two",
        builds: expect.arrayContaining([{ buildId: "two", state: "current" }]),
      });
      // One that is asked for and never runs takes nothing over.
      await expect(
        makeRamping(engine.client, { deploymentName, buildId: "three", percent: 5, withinMs: 0 }),
      ).rejects.toThrow(/does not take the build three/);

      for await (const { call_id: callId } of engine.deps.platform.batchCalls.iterateItems(
        given(given(batch).platformBatchId),
      ))
        if (callId !== undefined) await engine.deps.platform.calls.end(callId);
      await untilOver(engine, id);
      for (const workflowId of [began, campaignWorkflowId(id)])
        await engine.client.workflow.getHandle(workflowId).result();
      await old.drain();
      const { tallies } = await untilOver(engine, id);
      expect(tallies).toMatchObject({ open: 0, done: 5 });
      expect(await callsOf(ledger(), id)).toEqual({ attempts: 5, contacts: 5, calls: 5 });
      expect(await buildsOf(engine, began)).toEqual({ builds: ["one"], failures: [] });
      expect(await buildsOf(engine, campaignWorkflowId(id))).toEqual({
        builds: ["one", "two"],
        failures: [],
      });
      const later: string[] = [];
      for await (const { workflowId } of engine.client.workflow.list({
        query: "WorkflowType = 'batchWorkflow'",
      }))
        if (workflowId !== began) later.push(workflowId);
      expect(later.length).toBeGreaterThan(0);
      for (const workflowId of later)
        expect(await buildsOf(engine, workflowId)).toEqual({ builds: ["two"], failures: [] });
    });

    it("let go of a build that is gone for good: its batches end under the next", async () => {
      const { engine, deploymentName, work, current } = await begin();
      const bundle = inject("workflowBundlePath");
      const old = await work("one", bundle);
      await current("one");
      const [phone] = phoneNumbers(1, 920_000);
      engine.sandbox.outcomes.force(given(phone), [{ outcome: "answered", talk_ms: 400_000 }]);
      const id = await startTestCampaign(engine, [given(phone)], { concurrency: 1 });
      const [batch] = await batchesOf(id);
      const began = batchWorkflowId(given(batch).id);
      await expect(retire(engine.client, { deploymentName, buildId: "one" })).rejects.toThrow(
        /while it is the current one/,
      );
      await old.drain();
      await work("two", bundle);
      await current("two");
      await until("what is bound to it to be let go", () =>
        retire(engine.client, { deploymentName, buildId: "one" }).then((released) => released === 1),
      );
      await untilOver(engine, id);
      await engine.client.workflow.getHandle(began).result();
      expect(await buildsOf(engine, began)).toEqual({ builds: ["one", "two"], failures: [] });
    });

    it("are told apart no more once that is turned off: workers without a build are given everything", async () => {
      const { engine, deploymentName, work, current } = await begin();
      const bundle = inject("workflowBundlePath");
      const old = await work("one", bundle);
      await current("one");
      await work(undefined, bundle);
      const config = readConfig({
        TEMPORAL_ADDRESS: inject("temporalAddress"),
        TEMPORAL_NAMESPACE: engine.client.options.namespace,
        DATABASE_URL: "postgres://is.not.asked/ledger",
      });
      const openLedger = () =>
        Promise.resolve({
          ledger: { ...ledger(), close: () => Promise.resolve() },
          token: undefined,
          failed: undefined,
          announce: () => {},
        });
      const looked = () => checkBuilds(config, { openLedger });
      expect(await looked()).toMatchObject([
        { status: "fail", remedy: expect.stringContaining("outdial deploy current --none") },
      ]);
      await makeNoneCurrent(engine.client, deploymentName);
      expect(await readDeployment(engine.client, deploymentName)).toMatchObject({ current: undefined });
      expect(await looked()).toEqual([]);
      await old.drain();
      const id = await startTestCampaign(engine, phoneNumbers(2, 930_000), { concurrency: 2 });
      expect((await untilOver(engine, id)).tallies).toMatchObject({ open: 0, done: 2 });
      expect(await buildsOf(engine, campaignWorkflowId(id))).toEqual({ builds: [], failures: [] });
    });
  });
});
