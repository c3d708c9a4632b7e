import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { advanceEnrolment } from "../../../src/activities/sequences/advance.ts";
import { tendFollowUp } from "../../../src/activities/follow-ups/tend-follow-up.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { recover } from "../../../src/chores/recovery/recover.ts";
import { checkAgainstPlatform } from "../../../src/activities/campaigns/restore-check.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { commandAction } from "../../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readEnrolment } from "../../../src/ledger/sequences/enrolments.ts";
import { listFollowUps } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { enrolled, wayOf, written } from "../../ledger/support/enrolling.ts";
import { running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/engine.ts";
import { given } from "../../support/ledgers.ts";
import { withRestorable } from "../../support/restoring.ts";
import { beginOne, openStepping, takeToEnd, type Stepping } from "../../support/stepping.ts";

const DEFAULTS = { agent_id: "11111111-1111-4111-8111-111111111111" };
const CALL = { id: "first", call: {}, on: { answered: "second", unknown: "missed", otherwise: "missed" } };
const STEPS = [
  CALL,
  { id: "second", call: {}, on: { answered: "reached", unknown: "missed", otherwise: "missed" } },
  { id: "reached", exit: { outcome: "reached" } },
  { id: "missed", exit: { outcome: "missed" } },
];

describe("a ledger restored to before the calls of a sequence", () => {
  let stepping: Stepping;
  let from = 600_000;
  beforeAll(async () => {
    stepping = await openStepping();
  });
  afterAll(() => stepping.close());

  /** Takes the enrolment's turns and makes the calls that they place, as far as the ledger permits. */
  const goOn = async (deps: ActivityDeps, enrolmentId: string): Promise<void> => {
    for (let look = 0; look < 20; look += 1) {
      const step = await advanceEnrolment(deps, { enrolmentId, startedAtMs: Date.now() });
      if (step.next === "done") return;
      const campaigns = await rows<{ id: string }>(
        deps.ledger.db,
        sql`select id from campaigns where standing and ended_at is null`,
      );
      for (const { id: campaignId } of campaigns) {
        const plan = given(await planBatch(deps, { campaignId, seenPlannings: 0 }));
        for (const batchId of plan.batchIds) {
          await createBatch(deps, { batchId });
          await startBatch(deps, { batchId });
          await takeToEnd(deps, batchId);
        }
      }
    }
  };
  /** Takes a turn of everybody who is in a sequence. */
  const goOnWithAll = async (deps: ActivityDeps): Promise<void> => {
    const active = await rows<{ id: string }>(
      deps.ledger.db,
      sql`select id from enrolments where state = 'active'`,
    );
    for (const { id } of active) await advanceEnrolment(deps, { enrolmentId: id, startedAtMs: Date.now() });
  };
  const followUpsOf = async (deps: ActivityDeps, campaignId: string, phones: readonly string[]) => {
    const { items } = await listFollowUps(deps.ledger.db, { campaignId, limit: 10 });
    return phones.map((phone) => given(items.find((one) => one.phone === phone)).id);
  };
  const end = async (deps: ActivityDeps, id: string) => {
    const { state, outcome } = given(await readEnrolment(deps.ledger.db, id));
    return [state, outcome];
  };

  it("holds dialing when a workflow comes whose enrolment, follow-up or campaign it does not have, unless it began before a recovery", async () => {
    await withRestorable(stepping, async ({ ledger, deps }) => {
      const held = async () => (await readInstallation(ledger.db)).recoveryReason;
      const unknown = randomUUID();
      const looks = {
        enrolment: (startedAtMs: number) => advanceEnrolment(deps, { enrolmentId: unknown, startedAtMs }),
        "follow-up": (startedAtMs: number) => tendFollowUp(deps, { followUpId: unknown, startedAtMs }),
        campaign: (startedAtMs: number) =>
          planBatch(deps, { campaignId: unknown, seenPlannings: 1, startedAtMs }),
      };
      for (const [what, look] of Object.entries(looks)) {
        const startedAtMs = Date.now();
        await look(startedAtMs);
        expect(await held()).toContain(what);
        await recover(deps, { actor: "test" });
        expect(await held()).toBeUndefined();
        await look(startedAtMs);
        expect(await held()).toBeUndefined();
      }
    });
  });

  it.each([
    ["a callback, whose campaign is lost as well", "callback", false],
    ["a call of the sequence that it enrolled in", "enroll", true],
  ] as const)(
    "calls nobody again for %s, before recovery or after it, unless a person says so",
    async (_name, kind, hasCampaign) => {
      await withRestorable(stepping, async (restorable) => {
        const [phone = "", other = ""] = phoneNumbers(2, (from += 10));
        const talk = { outcome: "answered", talk_ms: 2_000 } as const;
        for (const one of [phone, other]) stepping.sandbox.outcomes.force(one, [talk, talk, talk]);
        const dials = () => stepping.sandbox.dialLog.of(phone).length;
        const sequence = await written(restorable.ledger, [{ id: "first", call: {} }], DEFAULTS);
        const act = {
          callback: { callback: { at: "'0s'" } },
          enroll: { enroll: { sequence: sequence.name } },
        }[kind];
        const spec = {
          agent_id: DEFAULTS.agent_id,
          window: "always" as const,
          follow_ups: [{ id: "again", actions: [act] }],
        };
        const campaignId = await running(restorable.ledger, [phone, other], spec, Date.now());
        await takeToEnd(restorable.deps, await beginOne(restorable.deps, campaignId));
        expect(dials()).toBe(1);
        const [ofPhone = "", ofOther = ""] = await followUpsOf(restorable.deps, campaignId, [phone, other]);
        const perform = async (followUpId: string) => {
          await tendFollowUp(restorable.deps, { followUpId, startedAtMs: Date.now() });
          const [action] = await listActionsOf(restorable.ledger.db, { followUpId });
          const { id } = given(action);
          return { id, ...(await performAction(restorable.deps, { actionId: id })) };
        };
        const dial = async () => {
          await goOnWithAll(restorable.deps);
          const standing = await rows<{ id: string; open: number }>(
            restorable.ledger.db,
            sql`select id, open_count as open from campaigns where standing and ended_at is null and open_count > 0`,
          );
          for (const { id } of standing) {
            const plan = given(await planBatch(restorable.deps, { campaignId: id, seenPlannings: 0 }));
            for (const batchId of plan.batchIds) {
              await createBatch(restorable.deps, { batchId });
              await startBatch(restorable.deps, { batchId });
              await takeToEnd(restorable.deps, batchId);
            }
          }
        };
        // With somebody else's callback in it, its campaign is in the backup, too.
        if (hasCampaign) await perform(ofOther);
        if (hasCampaign) await dial();
        await restorable.backUp();
        expect(await perform(ofPhone)).toMatchObject({ state: "done" });
        await dial();
        expect(dials()).toBe(2);

        await restorable.restore();
        await checkAgainstPlatform(restorable.deps);
        expect(await perform(ofPhone)).toMatchObject({ state: "due" });
        await dial();
        expect(dials()).toBe(2);
        const report = await recover(restorable.deps, { actor: "test" });
        expect(report).toMatchObject(
          hasCampaign ? { strangers: 1, foreign: [] } : { strangers: 0, foreign: [expect.any(String)] },
        );
        await rows(restorable.ledger.db, sql`update actions set next_try_at = now() - interval '1 s'`);
        const { id: actionId, state } = await perform(ofPhone);
        expect(state).toBe("unknown");
        await dial();
        expect(dials()).toBe(2);
        const asked = { actionId, actor: "test", reason: undefined, nowMs: Date.now() };
        await restorable.ledger.transaction((tx) => commandAction(tx, { ...asked, command: "retry" }));
        expect(await perform(ofPhone)).toMatchObject({ state: "done" });
        await dial();
        expect(dials()).toBe(3);
      });
    },
  );

  it.each([
    ["nothing was placed again before recovery", false],
    ["its turn had placed the call again", true],
  ])(
    "holds dialing, books them, and goes on without calling anybody again (%s)",
    async (_name, placedAgain) => {
      await withRestorable(stepping, async (restorable) => {
        const [phone = ""] = phoneNumbers(1, (from += 10));
        stepping.sandbox.outcomes.force(phone, [
          { outcome: "answered", talk_ms: 2_000 },
          { outcome: "answered", talk_ms: 2_000 },
        ]);
        const sequence = await written(restorable.ledger, STEPS, DEFAULTS);
        const id = await enrolled(restorable.ledger, sequence.name, { phone, nowMs: Date.now() });
        await restorable.backUp();
        await goOn(restorable.deps, id);
        expect(await end(restorable.deps, id)).toEqual(["done", "reached"]);
        expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(2);

        await restorable.restore();
        expect(await end(restorable.deps, id)).toEqual(["active", undefined]);
        await checkAgainstPlatform(restorable.deps);
        expect((await readInstallation(restorable.ledger.db)).recoveryReason).toContain("restored");
        if (placedAgain) await goOn(restorable.deps, id);
        expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(2);

        const report = await recover(restorable.deps, { actor: "test" });
        expect(report).toMatchObject({ adoptedBatches: 2, adoptedAttempts: 2, strangers: 0 });
        await goOn(restorable.deps, id);
        expect(await end(restorable.deps, id)).toEqual(["done", "reached"]);
        expect(stepping.sandbox.dialLog.of(phone)).toHaveLength(2);
        expect(await wayOf(restorable.ledger, id)).toContain("second: call");
      });
    },
  );

  it.each([
    ["that is in the backup", true],
    ["that was made since", false],
  ])(
    "is noticed by the workflow of their campaign, %s, though all turns are taken before its first planning",
    async (_name, isInBackup) => {
      await withRestorable(stepping, async (restorable) => {
        const [early = "", first = "", second = "", ...others] = phoneNumbers(60, (from += 100));
        const called = [first, second];
        for (const phone of [early, ...called])
          stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 100 }]);
        const sequence = await written(restorable.ledger, [{ id: "first", call: {} }], DEFAULTS);
        const enter = (phone: string) =>
          enrolled(restorable.ledger, sequence.name, { phone, nowMs: Date.now() });
        const takeTurn = (enrolmentId: string) =>
          advanceEnrolment(restorable.deps, { enrolmentId, startedAtMs: Date.now() });
        const dials = () => called.map((phone) => stepping.sandbox.dialLog.of(phone).length);
        const standingId = async () => {
          const [found] = await rows<{ id: string }>(
            restorable.ledger.db,
            sql`select id from campaigns where standing and ended_at is null`,
          );
          return given(found).id;
        };
        if (isInBackup) {
          await takeTurn(await enter(early));
          await takeToEnd(restorable.deps, await beginOne(restorable.deps, await standingId()));
        }
        const ids: string[] = [];
        for (const phone of called) ids.push(await enter(phone));
        for (const phone of others) await enter(phone);
        await restorable.backUp();
        for (const id of ids) await takeTurn(id);
        const campaignId = await standingId();
        while (dials().includes(0))
          await takeToEnd(restorable.deps, await beginOne(restorable.deps, campaignId));
        const seen = given(await planBatch(restorable.deps, { campaignId, seenPlannings: 0 }));

        await restorable.restore();
        await goOnWithAll(restorable.deps);
        expect(await standingId()).toBe(campaignId);
        const plan = await planBatch(restorable.deps, { campaignId, seenPlannings: seen.plannings });
        expect(given(plan).batchIds).toEqual([]);
        expect((await readInstallation(restorable.ledger.db)).recoveryReason).toContain("restored");
        expect(dials()).toEqual([1, 1]);

        // Recovery has booked them: whoever was not called is, by the campaign's workflow of before.
        await recover(restorable.deps, { actor: "test" });
        await goOnWithAll(restorable.deps);
        const startedAtMs = Date.now() - 3_600_000;
        const again = { campaignId, seenPlannings: seen.plannings, startedAtMs };
        expect(given(await planBatch(restorable.deps, again)).batchIds).not.toEqual([]);
        expect((await readInstallation(restorable.ledger.db)).recoveryReason).toBeUndefined();
        expect(dials()).toEqual([1, 1]);
      });
    },
  );
});
