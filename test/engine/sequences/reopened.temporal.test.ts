import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { commandAction } from "../../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf, readAction, type ActionOwner } from "../../../src/ledger/follow-ups/actions.ts";
import type { Ledger } from "../../../src/ledger/ground/connection.ts";
import { listFollowUps, readFollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { enrolmentWorkflowId, followUpWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { END, enrolled, HOOK, written, isEnrolmentOpen } from "../../ledger/support/enrolling.ts";
import { phoneNumbers, startEngine, startTestCampaign, until, type Engine } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";

/*
 * A person has an action done again at the very moment when its last failure ends the workflow: just before that is
 * known to it, while it closes, and after. Each round comes one request to the server later than the one before.
 */

const ROUNDS = 8;

const ALL_ANSWER = {
  simulator: {
    unreachableShare: 0,
    weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 },
  },
};

withLedger((ledger) => {
  let engine: Engine;
  let receiver: Receiver;
  /** Looks after every commit of an activity, before that answers. */
  let afterCommit: () => Promise<void> = () => Promise.resolve();
  beforeAll(async () => {
    engine = await startEngine(ledger(), { speed: 200, sandbox: ALL_ANSWER });
    const watched: Ledger = {
      ...ledger(),
      transaction: async (work) => {
        const result = await ledger().transaction(work);
        await afterCommit();
        return result;
      },
    };
    engine.deps.ledger = watched;
    receiver = await startReceiver();
    receiver.answer = () => ({ status: 500 });
    await engine.startWorkers();
  });
  afterAll(async () => {
    await engine.close();
    await receiver.close();
  });

  /** Has the action done again at the end of each round; the last one is done. */
  async function again(of: ActionOwner, workflowId: string): Promise<void> {
    const { db } = ledger();
    const action = await until("the action", async () => (await listActionsOf(db, of))[0]);
    const tried = () => receiver.received.length;
    const before = tried();
    let rounds = 0;
    let commanded = Promise.resolve();
    const handle = engine.client.workflow.getHandle(workflowId);
    const retry = async (round: number) => {
      // The first is signalled before the activity answers; the others come so many requests later.
      for (let request = 1; request < round; request += 1) await handle.describe();
      await ledger().transaction((tx) =>
        commandAction(tx, {
          actionId: action.id,
          command: "retry",
          actor: "test",
          reason: undefined,
          nowMs: Date.now(),
        }),
      );
      engine.deps.outbox.kick();
      if (round === 0) await handle.signal("wake");
    };
    let isCommanding = false;
    afterCommit = async () => {
      if (isCommanding || rounds === ROUNDS) return;
      isCommanding = true;
      const { state } = given(await readAction(db, action.id));
      if (state !== "failed") {
        isCommanding = false;
        return;
      }
      const round = rounds;
      rounds += 1;
      if (rounds === ROUNDS) receiver.answer = () => ({ status: 204 });
      commanded = retry(round).finally(() => {
        isCommanding = false;
      });
      if (round === 0) await commanded;
    };
    // It may have failed before anybody looked.
    await afterCommit();
    await until(`try ${ROUNDS + 1}`, async () => (await readAction(db, action.id))?.state === "done");
    await commanded;
    expect(rounds).toBe(ROUNDS);
    // One try a round, none of them lost and none doubled; the first may have been before this looked.
    expect(tried() - before).toBeGreaterThanOrEqual(ROUNDS);
    expect(tried() - before).toBeLessThanOrEqual(ROUNDS + 1);
    await until("its workflow to end", async () => (await handle.describe()).status.name === "COMPLETED");
  }

  describe("an action that is retried while its workflow ends is tried each time", () => {
    it("of a follow-up", async () => {
      receiver.answer = () => ({ status: 500 });
      const retry = { max_tries: 1, delays: ["1s"] };
      const campaignId = await startTestCampaign(engine, phoneNumbers(1, 720_000), {
        follow_ups: [{ id: "tell", actions: [{ webhook: { url: receiver.url, retry } }] }],
      });
      const { id } = await until("the follow-up", async () => {
        const { items } = await listFollowUps(ledger().db, { campaignId, limit: 1 });
        return items[0];
      });
      await again({ followUpId: id }, followUpWorkflowId(id));
      expect((await readFollowUp(ledger().db, id))?.endedAtMs).toBeDefined();
    });

    it("of an enrolment that is over", async () => {
      receiver.answer = () => ({ status: 500 });
      const retry = { max_tries: 1, delays: ["1s"] };
      const { name } = await written(ledger(), [{ ...HOOK, webhook: { url: receiver.url, retry } }, END]);
      const id = await enrolled(ledger(), name, { nowMs: Date.now() });
      engine.deps.outbox.kick();
      await again({ enrolmentId: id }, enrolmentWorkflowId(id));
      expect(await isEnrolmentOpen(ledger(), id)).toBe(false);
    });
  });
});
