import { NativeConnection, Worker, type WorkerOptions } from "@temporalio/worker";
import { sql } from "drizzle-orm";
import { expect, inject, it, onTestFinished } from "vitest";

import { createActivities } from "../../../src/activities/index.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { finishRecovery } from "../../../src/ledger/recovery/recovery.ts";
import { ensureCampaign } from "../../../src/temporal/ensure.ts";
import { taskQueuesOf } from "../../../src/temporal/task-queues.ts";
import { batchWorkflowId, campaignWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { running } from "../../ledger/support/scenario.ts";
import { phoneNumbers, startEngine, tell, type Engine } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { until } from "../../support/until.ts";

/*
 * A backup is put back and recovered while no worker runs: what activities had answered before waits in Temporal, and
 * is learned by workflows only afterwards. All that was booked by then: it holds nothing a second time.
 */
withLedger((ledger) => {
  /** Works for the engine's queue with what is given alone, until that is in a campaign's history. */
  const workUntil = async (
    engine: Engine,
    campaignId: string,
    worksWith: Pick<WorkerOptions, "workflowBundle" | "activities">,
    what: "activityTaskScheduled" | "activityTaskCompleted",
  ) => {
    const connection = await NativeConnection.connect({ address: inject("temporalAddress") });
    try {
      const worker = await Worker.create({
        connection,
        namespace: engine.client.options.namespace,
        taskQueue: taskQueuesOf((await readInstallation(ledger().db)).installationId).engine,
        ...worksWith,
      });
      const handle = engine.client.workflow.getHandle(campaignWorkflowId(campaignId));
      await worker.runUntil(
        until(what, async () => {
          const { events } = await handle.fetchHistory();
          return events?.some((event) => event[`${what}EventAttributes`]);
        }),
      );
    } finally {
      await connection.close();
    }
  };
  /** A campaign whose planning has answered, and whose workflow has not heard of it. */
  const answered = async (engine: Engine, campaignId: string) => {
    await ensureCampaign(engine.client, ledger(), campaignId);
    const workflowBundle = { codePath: inject("workflowBundlePath") };
    await workUntil(engine, campaignId, { workflowBundle }, "activityTaskScheduled");
    await workUntil(
      engine,
      campaignId,
      { activities: createActivities(engine.deps) },
      "activityTaskCompleted",
    );
  };
  const open = async () => {
    const engine = await startEngine(ledger());
    onTestFinished(() => engine.close());
    return engine;
  };
  const recovered = () => finishRecovery(ledger(), { actor: "test", summary: {}, nowMs: Date.now() });
  const held = async () => (await readInstallation(ledger().db)).recoveryReason;
  const statusOf = async (engine: Engine, workflowId: string) => {
    const { workflow } = engine.client;
    const found = await workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => undefined);
    return found?.status.name;
  };

  it("a batch that was planned before a recovery, and is begun by its campaign only after it, holds nothing", async () => {
    const engine = await open();
    const campaignId = await running(ledger(), phoneNumbers(2, 970_000), {}, Date.now());
    await answered(engine, campaignId);
    const [batch] = await rows<{ id: string }>(
      ledger().db,
      sql`select id from batches where campaign_id = ${campaignId}::uuid`,
    );
    const of = sql`campaign_id = ${campaignId}::uuid`;
    // As in a backup from before the planning.
    await rows(ledger().db, sql`delete from attempts where ${of}`);
    await rows(ledger().db, sql`delete from batches where ${of}`);
    await rows(ledger().db, sql`update contacts set state = 'open' where ${of}`);
    await rows(
      ledger().db,
      sql`update campaigns set state = 'paused', paused_by = 'person', open_count = 2, leased_count = 0 where id = ${campaignId}::uuid`,
    );
    await recovered();
    await engine.startWorkers();
    await until(
      "the late workflow of the batch to end",
      async () => (await statusOf(engine, batchWorkflowId(given(batch).id))) === "COMPLETED",
    );
    expect(await held()).toBeUndefined();
  });

  it("a campaign that had ended before a recovery, and whose workflow ends only after it, begins again and holds nothing", async () => {
    const engine = await open();
    const campaignId = await running(ledger(), phoneNumbers(2, 980_000), {}, Date.now());
    await tell(engine, campaignId, "cancel");
    await answered(engine, campaignId);
    await rows(
      ledger().db,
      sql`update campaigns set state = 'paused', paused_by = 'person', ended_at = null, plannings = 0 where id = ${campaignId}::uuid`,
    );
    await recovered();
    await engine.startWorkers();
    const workflowId = campaignWorkflowId(campaignId);
    await until("its workflow to end", async () => (await statusOf(engine, workflowId)) === "COMPLETED");
    await rows(ledger().db, sql`update campaigns set look_by = now() where id = ${campaignId}::uuid`);
    await until("another to go on", async () => (await statusOf(engine, workflowId)) === "RUNNING");
    expect(await held()).toBeUndefined();
  });
});
