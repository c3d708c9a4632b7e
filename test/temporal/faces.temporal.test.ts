import { defaultPayloadConverter } from "@temporalio/common";
import type { WorkflowHandle } from "@temporalio/client";
import { workflowMetadataQuery } from "@temporalio/workflow";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { listFollowUps } from "../../src/ledger/follow-ups/follow-ups.ts";
import {
  batchWorkflowId,
  campaignWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
  scheduleWorkflowId,
} from "../../src/temporal/workflow-ids.ts";
import { enrolled, written } from "../ledger/support/enrolling.ts";
import { phoneNumbers, startEngine, startTestCampaign, until, type Engine } from "../support/engine.ts";
import { withLedger } from "../support/ledgers.ts";
import { startReceiver } from "../support/receiver.ts";
import { recurringSchedule } from "../support/recurring.ts";

/*
 * Who looks into Temporal's web UI is told what a workflow is and what it waits for, and reads nobody's number.
 */

describe("Temporal's web UI", () => {
  withLedger((ledger) => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await startEngine(ledger(), { speed: 50 });
      await engine.startWorkers();
    });
    afterAll(() => engine.close());

    const faceOf = async (handle: WorkflowHandle) => {
      const description = await handle.describe();
      return { summary: await description.staticSummary(), memo: description.memo };
    };
    const details = async (handle: WorkflowHandle) =>
      (await handle.query(workflowMetadataQuery)).currentDetails ?? "";
    /** What stands at the timers of a workflow. */
    const timers = async (handle: WorkflowHandle) => {
      const { events } = await handle.fetchHistory();
      return (events ?? []).flatMap(({ timerStartedEventAttributes, userMetadata }) =>
        timerStartedEventAttributes && userMetadata?.summary
          ? [defaultPayloadConverter.fromPayload<string>(userMetadata.summary)]
          : [],
      );
    };

    it("shows what a campaign and its batch are, how they stand and what they wait for", async () => {
      const name = `spring ${"é".repeat(90)}`;
      const phones = phoneNumbers(12, 760_000);
      for (const phone of phones)
        engine.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 100_000_000 }]);
      const id = await startTestCampaign(engine, phones, { name, concurrency: 3 });
      const campaign = engine.client.workflow.getHandle(campaignWorkflowId(id));
      const [{ id: batchId } = { id: "" }] = await until("a batch under way", async () => {
        const batches = await listUnsettled(ledger().db, id);
        return batches.some(({ state }) => state === "running") ? batches : undefined;
      });
      const batch = engine.client.workflow.getHandle(batchWorkflowId(batchId));

      expect(await faceOf(campaign)).toEqual({
        summary: `Campaign spring ${"é".repeat(83)}…`,
        memo: { name, brand: "default" },
      });
      expect(await faceOf(batch)).toEqual({
        summary: `Batch of spring ${"é".repeat(83)}…`,
        memo: { name, brand: "default" },
      });
      await until("it to say how it stands", async () =>
        /^running: \d+ to call, 0 done, \d+ batches under way on 3 lines; plans again at 2\d{3}-\S+Z/.test(
          await details(campaign),
        ),
      );
      await until("its batch to wait", async () =>
        (await details(batch)).startsWith("waits for its calls to end, and the next look at them, until 2"),
      );
      expect(await timers(batch)).toContain("its calls to end, and the next look at them");
      expect((await timers(campaign)).join("\n")).toContain("3 lines");
    });

    it("shows whose follow-up waits for what, without the number", async () => {
      const [phone = ""] = phoneNumbers(1, 770_000);
      engine.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 2_000 }]);
      const campaignId = await startTestCampaign(engine, [phone], {
        name: "autumn",
        follow_ups: [{ id: "tell", actions: [{ webhook: { url: "http://127.0.0.1:9/" } }] }],
      });
      const { id } = await until("the follow-up", async () => {
        const { items } = await listFollowUps(ledger().db, { campaignId, limit: 1 });
        return items[0];
      });
      const handle = engine.client.workflow.getHandle(followUpWorkflowId(id));
      await until("it to wait", async () => (await timers(handle).catch(() => [])).length > 0);
      const face = await faceOf(handle);
      expect(face).toEqual({
        summary: `Follow-up of a call of autumn: +12***${phone.slice(-2)}`,
        memo: { name: "autumn", brand: "default", person: `+12***${phone.slice(-2)}` },
      });
      expect(await timers(handle)).toContain("the next try of an action");
    });

    it("shows for which due time a schedule waits", async () => {
      const { id, name } = await recurringSchedule(ledger(), {}, { cron: "0 9 1 1 *" });
      engine.deps.outbox.kick();
      const handle = engine.client.workflow.getHandle(scheduleWorkflowId(id));
      await until("it to sleep", async () => (await timers(handle).catch(() => [])).length > 0);
      expect(await faceOf(handle)).toEqual({ summary: `Schedule ${name}`, memo: { name } });
      const due = `the run that is due at ${new Date().getUTCFullYear() + 1}-01-01T09:00:00.000Z`;
      expect(await timers(handle)).toEqual([due]);
      expect(await details(handle)).toMatch(new RegExp(`^waits for ${due}, until 2\\d{3}-`));
    });

    it("shows who in a sequence has something tried, and what they went to sleep for, without the number", async () => {
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      const { name } = await written(ledger(), [
        { id: "tell", webhook: { url: receiver.url }, on: { done: "sleep", failed: "sleep" } },
        { id: "sleep", wait: { for: "3d" } },
      ]);
      const id = await enrolled(ledger(), name, { nowMs: Date.now() });
      engine.deps.outbox.kick();
      const handle = engine.client.workflow.getHandle(enrolmentWorkflowId(id));
      await until(
        "it to have tried",
        async () => (await handle.describe().catch(() => undefined))?.closeTime,
      );
      const { summary, memo } = await faceOf(handle);
      expect(summary).toMatch(new RegExp(String.raw`^Enrolment in ${name}: \+12\*\*\*\d\d$`));
      expect(memo).toMatchObject({ name, person: expect.stringMatching(/^\+12\*\*\*\d\d$/) });
      expect(await handle.result()).toMatch(/^sleeps, and waits for a time, at step sleep, until 2\d{3}-/);
    });
  });
});
