import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";

import { followUpWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { commandAction } from "../../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { listFollowUps, readFollowUp, type FollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { listTags } from "../../../src/ledger/campaigns/tags.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  type Engine,
  type EngineOptions,
} from "../../support/engine.ts";
import { runFollowUps, whatArrived } from "../../support/follow-up-run.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { seededRandom } from "../../support/random.ts";
import { startReceiver } from "../../support/receiver.ts";

const SECRETS = { crm: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] };

/** Everybody answers, so that what is tested is what comes after. */
const ALL_ANSWER = {
  simulator: {
    unreachableShare: 0,
    weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 },
  },
};

withLedger((ledger) => {
  async function begun(options: EngineOptions = {}): Promise<Engine> {
    const engine = await startEngine(ledger(), {
      secrets: SECRETS,
      sandbox: ALL_ANSWER,
      speed: 200,
      ...options,
    });
    onTestFinished(() => engine.close());
    await engine.startWorkers();
    return engine;
  }

  const ofCampaign = async (campaignId: string): Promise<FollowUp[]> =>
    (await listFollowUps(ledger().db, { campaignId, limit: 500 })).items;

  describe("what follows calls", () => {
    it("comes to its end for each of them, once, with a fifth of all tries failing; what is beyond repair is listed", async () => {
      const CALLS = 60;
      const random = seededRandom("follow-ups");
      const engine = await begun();
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      const beyondRepair = phoneNumbers(2, 7);
      const run = await runFollowUps(engine, receiver, {
        calls: CALLS,
        trouble: { executions: 0.2, lostAnswers: 0.1, deliveries: 0.2, beyondRepair },
        random,
        boundMs: 120_000,
      });
      const { delivered, executed, tryKeys } = await whatArrived(engine, receiver, run);
      expect([...delivered.values()].filter((times) => times !== 1)).toEqual([]);
      expect(delivered.size).toBe(CALLS - beyondRepair.length);
      expect([...executed.values()].filter((times) => times !== 1)).toEqual([]);
      expect(executed.size).toBe(CALLS);
      expect(new Set(tryKeys).size).toBe(tryKeys.length);

      const failed = await listFollowUps(ledger().db, {
        campaignId: run.campaignId,
        state: "failed",
        limit: 500,
      });
      expect(failed.items.map(({ phone }) => phone).sort()).toEqual(beyondRepair);
      const { items } = await listAttention(ledger().db, {
        kind: "action_failed",
        resolved: false,
        limit: 500,
      });
      expect(items).toHaveLength(beyondRepair.length);

      // Its receiver mended, a person has one of them tried again.
      receiver.answer = () => ({ status: 204 });
      const [first] = failed.items;
      const actions = await listActionsOf(ledger().db, { followUpId: given(first).id });
      const action = given(actions.find(({ state }) => state === "failed"));
      await ledger().transaction((tx) =>
        commandAction(tx, {
          actionId: action.id,
          command: "retry",
          actor: "test",
          reason: "mended",
          nowMs: Date.now(),
        }),
      );
      engine.deps.outbox.kick();
      await until(
        "the follow-up to be done",
        async () => given(await readFollowUp(ledger().db, given(first).id)).state === "done",
      );
    });

    it("waits until the call is processed; one hint makes it look at once, and its workflow then ends", async () => {
      const engine = await begun({ pace: { processingLookMs: 60_000 } });
      // Long enough for a first look on a busy machine.
      engine.sandbox.faults.add({ kind: "processing", ms: 8_000 });
      const campaignId = await startTestCampaign(engine, phoneNumbers(1, 500), {
        follow_ups: [
          {
            id: "classified",
            classify: [{ label: "successful", value: "analysis.call_successful ? 'yes' : 'no'" }],
            when: "labels.successful == 'yes'",
            actions: [{ tag: { tag: "talked" } }, { tag: { tag: "and then" } }],
          },
        ],
      });
      const followUp = await until("a look that found the call unprocessed", async () =>
        (await ofCampaign(campaignId)).find(({ looks }) => looks > 0),
      );
      await until("the call to be processed", async () => {
        const call = await engine.deps.platform.calls.get(given(followUp.callId));
        return call.processing_status === "completed";
      });
      // As a webhook of the platform would, by the outbox.
      await engine.client.workflow.getHandle(followUpWorkflowId(followUp.id)).signal("wake");
      await until(
        "its end",
        async () => given(await readFollowUp(ledger().db, followUp.id)).state === "done",
      );
      expect(given(await readFollowUp(ledger().db, followUp.id))).toMatchObject({
        processing: "processed",
        labels: { successful: "yes" },
        looks: 1,
      });
      expect(
        (await listTags(ledger().db, { brand: "default", phone: followUp.phone, limit: 10 })).items.map(
          ({ tag }) => tag,
        ),
      ).toEqual(["and then", "talked"]);
      const handle = engine.client.workflow.getHandle(followUpWorkflowId(followUp.id));
      await until("its workflow to end", async () => (await handle.describe()).status.name === "COMPLETED");
    });

    it("calls a person back who asked for it, through the callbacks of the campaign", async () => {
      const engine = await begun();
      const [phone] = phoneNumbers(1, 600) as [string];
      engine.sandbox.outcomes.force(phone, [
        { outcome: "answered", callback_requested: true, talk_ms: 20_000 },
        { outcome: "answered", callback_requested: false, talk_ms: 20_000 },
      ]);
      const campaignId = await startTestCampaign(engine, [phone], {
        analysis: {
          rules: [{ key: "callback_requested", equals: true, disposition: "callback_requested" }],
        },
        least_gap: "0s",
        follow_ups: [
          { id: "back", on: ["callback_requested"], actions: [{ callback: { at: "'1s'" } }] },
          { id: "talked", on: ["answered"], actions: [{ tag: { tag: "reached" } }] },
        ],
      });
      await until("the tag of the second call", async () =>
        (await listTags(ledger().db, { brand: "default", phone, limit: 10 })).items.some(
          ({ tag }) => tag === "reached",
        ),
      );
      expect(engine.sandbox.dialLog.of(phone)).toHaveLength(2);
      expect((await ofCampaign(campaignId)).map(({ disposition }) => disposition)).toEqual([
        "callback_requested",
      ]);
    });

    const ASKS_AGAIN = {
      analysis: {
        rules: [{ key: "callback_requested", equals: true, disposition: "callback_requested" as const }],
      },
    };

    it("calls nobody back at a time that is past: people get to know what was said", async () => {
      const engine = await begun();
      const [phone] = phoneNumbers(1, 610) as [string];
      const asks = { outcome: "answered", callback_requested: true, talk_ms: 20_000 } as const;
      engine.sandbox.outcomes.force(phone, [asks, asks]);
      const campaignId = await startTestCampaign(engine, [phone], {
        ...ASKS_AGAIN,
        least_gap: "0s",
        follow_ups: [
          {
            id: "back",
            on: ["callback_requested"],
            actions: [{ callback: { at: "'2026-01-01 10:00'" } }, { tag: { tag: "behind it" } }],
            on_failure: "continue",
          },
        ],
      });
      const followUp = await until("what follows the call to end", async () =>
        (await ofCampaign(campaignId)).find(({ endedAtMs }) => endedAtMs !== undefined),
      );
      const [callback] = await listActionsOf(ledger().db, { followUpId: followUp.id });
      const { items } = await listAttention(ledger().db, {
        kind: "action_failed",
        subject: given(callback).id,
        resolved: false,
        limit: 1,
      });
      expect(items[0]?.summary).toContain(
        '"2026-01-01 10:00" was said, which is 2026-01-01T15:00:00.000Z: past',
      );
      expect(engine.sandbox.dialLog.of(phone)).toHaveLength(1);
    });

    it("leaves time between the calls to somebody who asks to be called at once, over and over", async () => {
      const engine = await begun();
      const [phone] = phoneNumbers(1, 620) as [string];
      const asks = { outcome: "answered", callback_requested: true, talk_ms: 20_000 } as const;
      engine.sandbox.outcomes.force(phone, [asks, asks, asks, asks]);
      const campaignId = await startTestCampaign(engine, [phone], {
        ...ASKS_AGAIN,
        least_gap: "4s",
        follow_ups: [
          {
            id: "back",
            on: ["callback_requested"],
            actions: [{ callback: { at: "'now'", max_per_contact: 2 } }],
          },
        ],
      });
      await until("the third callback to be refused", async () => {
        const { items } = await listFollowUps(ledger().db, { phone, state: "failed", limit: 10 });
        return items.length === 1;
      });
      const made = await rows<{ started_ms: number; ended_ms: number }>(
        ledger().db,
        sql`select extract(epoch from coalesce(a.started_at, a.planned_at))::float8 * 1000 as started_ms,
                   extract(epoch from a.ended_at)::float8 * 1000 as ended_ms
            from attempts a where a.phone = ${phone} and a.state = 'ended' order by a.id`,
      );
      expect(made).toHaveLength(3);
      for (const [index, { started_ms }] of made.entries()) {
        const before = made[index - 1];
        if (before) expect(started_ms - before.ended_ms).toBeGreaterThanOrEqual(4_000);
      }
      expect(engine.sandbox.dialLog.of(phone)).toHaveLength(3);
      expect((await ofCampaign(campaignId)).length).toBe(1);
    });
  });
});
