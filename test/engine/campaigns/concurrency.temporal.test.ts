import { WorkflowNotFoundError } from "@temporalio/client";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";

import { isOver } from "../../../src/domain/campaigns/campaign-state.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { AppendRefusedError } from "../../../src/ledger/campaigns/imports.ts";
import { batchWorkflowId, campaignWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { expectAccounted } from "../../support/accounts.ts";
import {
  appendContacts,
  phoneNumbers,
  makeOverdue,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

describeSomeLedger("campaigns beside each other", (ledger) => {
  let engine: Engine;
  let from = 300_000;
  const people = (count: number) => phoneNumbers(count, (from += 1_000));
  beforeAll(async () => {
    engine = await startEngine(ledger(), { speed: 200 });
    await engine.startWorkers();
  });
  afterAll(() => engine.close());

  it("never have two calls to one number at once, and both end with everybody accounted for", async () => {
    const shared = people(60);
    const ids = await Promise.all([
      startTestCampaign(engine, shared, { concurrency: 25 }),
      startTestCampaign(engine, [...shared].reverse(), { concurrency: 25 }),
    ]);
    for (const id of ids) expect((await untilOver(engine, id)).state).toBe("completed");
    for (const id of ids) await expectAccounted(engine, id);
    const overlaps = await rows(
      ledger().db,
      sql`select 1 as one from attempts a join attempts b on b.phone = a.phone and b.id > a.id
          where a.campaign_id <> b.campaign_id and a.started_at < b.ended_at and b.started_at < a.ended_at
            and a.campaign_id in (${ids[0]}::uuid, ${ids[1]}::uuid) and b.campaign_id in (${ids[0]}::uuid, ${ids[1]}::uuid)`,
    );
    expect(overlaps).toEqual([]);
  });

  it("lose nobody who is appended while they complete", async () => {
    const id = await startTestCampaign(engine, people(3), { retry: { max_attempts: 1, delays: {} } });
    let accepted = 3;
    let refusal: unknown;
    for (let index = 0; refusal === undefined && index < 500; index += 1) {
      try {
        await appendContacts(engine, id, people(1), `more ${index}`);
        accepted += 1;
      } catch (error) {
        refusal = error;
      }
      // One more only when the last one is nearly through: as close to the end as it gets.
      await until(
        "little to be left",
        async () => given(await readCampaign(ledger().db, id)).tallies.open <= 1,
      );
      if (index > 15) await untilOver(engine, id);
    }
    expect(refusal).toBeInstanceOf(AppendRefusedError);
    const campaign = await untilOver(engine, id);
    expect(campaign.tallies).toMatchObject({ open: 0, leased: 0, excluded: 0, done: accepted });
    await expectAccounted(engine, id);
  });

  it("are taken up from the ledger when Temporal has lost them", async () => {
    const id = await startTestCampaign(engine, people(150), { concurrency: 10 });
    await until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
    const running = engine.client.workflow.list({ query: "ExecutionStatus = 'Running'" });
    for await (const workflow of running) {
      try {
        await engine.client.workflow.getHandle(workflow.workflowId).terminate("lost");
      } catch (error) {
        // The list lags behind: a batch that ended since needs nobody to lose it.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    }
    const batches = await rows<{ id: string }>(
      ledger().db,
      sql`select id from batches where campaign_id = ${id}::uuid and state <> 'settled'`,
    );
    for (const workflowId of [campaignWorkflowId(id), ...batches.map((batch) => batchWorkflowId(batch.id))]) {
      await until("the termination", async () => {
        const { status } = await engine.client.workflow.getHandle(workflowId).describe();
        return status.name !== "RUNNING";
      });
    }
    // Nobody says that they are lost: they are overdue once they should have looked.
    expect(await makeOverdue(engine)).toBeGreaterThan(batches.length);
    expect((await untilOver(engine, id)).state).toBe("completed");
    await expectAccounted(engine, id);
  });

  it("go on when their worker is stopped in the middle and another one comes", async () => {
    const id = await startTestCampaign(engine, people(150), { concurrency: 10 });
    for (const calls of [2, 20, 60]) {
      await until(
        "some dials",
        () => engine.sandbox.dialLog.length > calls && engine.sandbox.stats().activeCalls > 0,
      );
      await engine.stopWorkers();
      await engine.startWorkers();
    }
    expect((await untilOver(engine, id)).state).toBe("completed");
    await expectAccounted(engine, id);
  });

  it("stop dialing when their ledger turns out to be older than their workflow", async () => {
    const id = await startTestCampaign(engine, people(200), { concurrency: 5 });
    await until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
    await rows(ledger().db, sql`update campaigns set plannings = 0 where id = ${id}::uuid`);
    engine.deps.wake.campaign(id);
    const hold = await until("the hold", async () => {
      const [open] = await rows<{ detail: string }>(
        ledger().db,
        sql`select detail from holds, installation
            where campaign_id = ${id}::uuid and reason = 'recovery' and until_at is null and recovery_reason is not null`,
      );
      return open;
    });
    expect(hold.detail).toContain("restored");
    await engine.client.workflow.getHandle(campaignWorkflowId(id)).terminate("recovered by hand");
    await makeOverdue(engine);
    await until("the campaign to be over", async () => {
      // A planning of the workflow that was terminated may still be under way, and hold everything once more.
      await rows(ledger().db, sql`update installation set recovery_reason = null`);
      return isOver(given(await readCampaign(ledger().db, id)).state);
    });
    await expectAccounted(engine, id);
  });
});
