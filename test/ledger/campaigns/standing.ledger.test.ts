import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import {
  findCampaign,
  findStandingByName,
  listCampaigns,
  listLiveCampaignIds,
  readCampaign,
} from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { AppendRefusedError } from "../../../src/ledger/campaigns/imports.ts";
import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { placeCallback, placementOf as keyOf } from "../../../src/ledger/campaigns/placements.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { standingKeyOf, type StandsFor } from "../../../src/ledger/campaigns/stands-for.ts";
import {
  closeStanding,
  ensureStanding,
  listStandingOf,
  pauseStandingOf,
  resumeStandingOf,
} from "../../../src/ledger/campaigns/standing.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import { callbackAsker, outboxOf, place, placementOf, standing, stepOf } from "../support/placing.ts";
import {
  batchOf,
  begin,
  create,
  ended,
  freshPhones,
  HOUR_MS,
  lookOf,
  MINUTE_MS,
  NOW_MS,
  permit,
  plan,
  planAndStart,
  running,
  specOf,
  tallies,
  tell,
} from "../support/scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";

const onePhone = () => given(freshPhones(1)[0]);

describeLedgers("standing campaigns", (ledger) => {
  const ensure = (standsFor: StandsFor, spec: CampaignSpec, nowMs = NOW_MS) =>
    ledger().transaction((tx) => ensureStanding(tx, { standsFor, spec, actor: "test", nowMs }));
  /** What a sequence tells those that stand for its steps. */
  const told = (sequenceId: string) => ({
    sequence: { id: sequenceId, name: "welcome" },
    actor: "test",
    reason: undefined,
    nowMs: NOW_MS,
  });
  const close = (campaignId: string, nowMs = NOW_MS) =>
    ledger().transaction((tx) => closeStanding(tx, { campaignId, actor: "test", nowMs }));
  const read = async (id: string) => given(await readCampaign(ledger().db, id));
  const stateOf = async (id: string) => (await read(id)).state;
  const callBack = (campaignId: string, phone: string, asker = callbackAsker(), nowMs = NOW_MS, most = 20) =>
    ledger().transaction((tx) =>
      placeCallback(tx, {
        campaignId,
        asker,
        phone,
        region: "US",
        zones: ["America/New_York"],
        variables: {},
        dueAtMs: nowMs,
        most,
        actor: "test",
        nowMs,
      }),
    );
  /** A callback of the campaign, and the standing campaign that it was placed into. */
  const callbacksOf = async (campaignId: string): Promise<string> => {
    const result = await callBack(campaignId, onePhone());
    if (result.kind === "refused") throw new Error(result.detail);
    return result.campaignId;
  };

  const allCallbacksOf = async (parentId: string): Promise<string[]> => {
    const found = await rows<{ id: string }>(
      ledger().db,
      sql`select id from campaigns where parent_id = ${parentId}::uuid`,
    );
    return found.map(({ id }) => id);
  };

  describe("of other settings of a step", () => {
    it("begins paused where the one before is, with the same agent, and is found by its name until none is paused", async () => {
      const step = stepOf();
      const spec = specOf({ name: "welcome.call" });
      const before = await ensure({ ...step, digest: "before" }, spec);
      const other = await ensure({ ...step, digest: "running" }, spec, NOW_MS + 1);
      expect(other.state, "nothing is paused").toBe("running");
      await tell(ledger(), "pause", before.id);
      const after = await ensure({ ...step, digest: "after" }, { ...spec, concurrency: 6 }, NOW_MS + 2);
      expect(after).toMatchObject({ state: "paused", pausedBy: "itself" });
      const another = { ...spec, agent_id: randomUUID() };
      expect((await ensure({ ...step, digest: "another agent" }, another, NOW_MS + 3)).state).toBe("running");
      expect((await ensure(stepOf(), spec, NOW_MS + 3)).state, "another sequence").toBe("running");
      const found = async () => given(await findStandingByName(ledger().db, after.brand, "welcome.call"));
      const resumed = new Set<string>();
      for (let one = await found(); one.state === "paused"; one = await found()) {
        expect(resumed).not.toContain(one.id);
        resumed.add(one.id);
        await tell(ledger(), "resume", one.id);
      }
      expect(resumed).toEqual(new Set([before.id, after.id]));
    });
  });

  describe("one for each step", () => {
    it("is made running, written down, and handed to the outbox to get its workflow", async () => {
      const step = stepOf();
      const spec = specOf({ brand: "standing-one" });
      const made = await ensure(step, spec);
      expect(made).toMatchObject({
        brand: "standing-one",
        state: "running",
        standing: true,
        standingKey: standingKeyOf(step),
        sequenceId: step.sequenceId,
        parentId: undefined,
        policyVersion: 1,
        startedAtMs: NOW_MS,
      });
      expect(await outboxOf(ledger(), made.id)).toMatchObject([{ kind: "campaign", due_ms: NOW_MS }]);
      const audit = await rows(
        ledger().db,
        sql`select action, detail ->> 'standing' as key from audit where campaign_id = ${made.id}::uuid`,
      );
      expect(audit).toEqual([{ action: "campaign.create", key: standingKeyOf(step) }]);
      expect(await listLiveCampaignIds(ledger().db)).toContain(made.id);
      await expectInvariants(ledger());
    });

    it("is the same one the next time, and by whoever asks for it at the same moment", async () => {
      const step = stepOf();
      const spec = specOf();
      const ids = (await Promise.all([1, 2, 3, 4, 5].map(() => ensure(step, spec)))).map(({ id }) => id);
      expect(new Set(ids).size).toBe(1);
      expect(await ensure(step, spec)).toMatchObject({ id: ids[0], policyVersion: 1 });
      expect(
        await rows(ledger().db, sql`select 1 from campaigns where sequence_id = ${step.sequenceId}::uuid`),
      ).toHaveLength(1);
    });

    it("takes a changed spec as its next policy version, which stops what it does not allow any more", async () => {
      const step = stepOf();
      const spec = specOf();
      const { id } = await ensure(step, spec);
      await place(ledger(), id, onePhone());
      const [batchId] = await planAndStart(ledger(), id);
      const changed = { ...spec, window: { monday: ["07:00-07:30"] } };
      expect(await ensure(step, changed)).toMatchObject({ id, policyVersion: 2, spec: changed });
      expect(await ensure(step, changed)).toMatchObject({ policyVersion: 2 });
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "window" });
    });

    it("has no name that commands find, no list, and is listed only where it is asked for", async () => {
      const { id, name } = await standing(ledger());
      expect(await findCampaign(ledger().db, "default", name)).toBeUndefined();
      await expect(begin(ledger(), id)).rejects.toThrow(AppendRefusedError);
      const listed = async (wish: { standing?: boolean }) =>
        (await listCampaigns(ledger().db, { limit: 500, open: true, ...wish })).campaigns.map(
          (one) => one.id,
        );
      expect(await listed({})).not.toContain(id);
      expect(await listed({ standing: true })).toContain(id);
      // An ordinary campaign may have the same name.
      expect(await stateOf(await running(ledger(), [], { name }))).toBe("running");
    });

    it("is amended through what it stands for, not by itself", async () => {
      const { id, spec } = await standing(ledger());
      const command = { campaignId: id, commandId: "a", actor: "test", reason: undefined, nowMs: NOW_MS };
      await expect(
        amendSpec(ledger(), { ...command, dialByMarginMs: MINUTE_MS, spec: { ...spec, concurrency: 1 } }),
      ).rejects.toThrow(CommandRefusedError);
    });
  });

  describe("closing", () => {
    it("ends an empty one, which makes room: who needs it anew makes another, for the same", async () => {
      const step = stepOf();
      const spec = specOf();
      const { id } = await ensure(step, spec);
      const phone = onePhone();
      await place(ledger(), id, phone);
      expect(await close(id)).toBe(false);
      const [batchId] = await planAndStart(ledger(), id);
      await settleFindings(ledger(), {
        batchId: given(batchId),
        findings: [ended(phone)],
        nowMs: NOW_MS + MINUTE_MS,
      });
      expect(await close(id)).toBe(false);
      await closeBatch(ledger(), given(batchId), NOW_MS + MINUTE_MS);
      expect(await close(id)).toBe(true);
      expect(await close(id)).toBe(true);
      expect(await stateOf(id)).toBe("completed");
      expect(await plan(ledger(), id)).toMatchObject({ state: "completed" });
      const next = await ensure(step, spec);
      expect(next.id).not.toBe(id);
      expect(next).toMatchObject({ state: "running", standingKey: (await read(id)).standingKey });
      expect(await place(ledger(), id, onePhone())).toMatchObject({ reason: "campaign_over" });
      await expectInvariants(ledger());
    });

    it("is nothing for an ordinary campaign", async () => {
      expect(await close(await running(ledger(), freshPhones(1)))).toBe(false);
    });

    it("one that was cancelled makes no room, so that nobody is called against that", async () => {
      const step = stepOf();
      const spec = specOf();
      const { id } = await ensure(step, spec);
      await tell(ledger(), "cancel", id);
      await plan(ledger(), id);
      expect(await ensure(step, { ...spec, concurrency: 3 })).toMatchObject({
        id,
        state: "cancelled",
        policyVersion: 1,
      });
      expect(await place(ledger(), id, onePhone())).toMatchObject({
        kind: "refused",
        reason: "campaign_over",
      });
    });
  });

  describe("those of a sequence", () => {
    it("are found by it, and paused and resumed together, with their callbacks", async () => {
      const sequenceId = randomUUID();
      const steps = await Promise.all(["a", "b"].map((step) => ensure(stepOf(sequenceId, step), specOf())));
      const [first, second] = steps.map(({ id }) => id) as [string, string];
      const callbacks = await callbacksOf(first);
      await place(ledger(), second, onePhone());
      const [batchId] = await planAndStart(ledger(), second);
      expect(new Set((await listStandingOf(ledger().db, sequenceId)).map(({ id }) => id))).toEqual(
        new Set([first, second]),
      );
      const command = { ...told(sequenceId), reason: "lunch" };
      const paused = await ledger().transaction((tx) => pauseStandingOf(tx, command));
      expect(new Set(paused.campaignIds)).toEqual(new Set([first, second, callbacks]));
      expect(paused.stoppedBatchIds).toEqual([batchId]);
      for (const id of paused.campaignIds) expect(await stateOf(id)).toBe("paused");
      expect(await plan(ledger(), second)).toMatchObject({ state: "paused" });
      await rows(ledger().db, sql`delete from outbox`);
      await ledger().transaction((tx) => resumeStandingOf(tx, command));
      for (const id of paused.campaignIds) {
        expect(await stateOf(id)).toBe("running");
        expect(await outboxOf(ledger(), id)).toMatchObject([{ kind: "campaign" }]);
      }
      await expectInvariants(ledger());
    });
  });

  it("that somebody paused by themselves stay so when what they belong to goes on", async () => {
    const sequenceId = randomUUID();
    const [first, second] = await Promise.all(
      ["a", "b"].map(async (step) => (await ensure(stepOf(sequenceId, step), specOf())).id),
    );
    const parentId = await running(ledger(), freshPhones(1));
    const callbacks = await callbacksOf(parentId);
    await tell(ledger(), "pause", given(first), { commandId: "just this step" });
    await tell(ledger(), "pause", callbacks, { commandId: "just these callbacks" });
    const command = told(sequenceId);
    const twice = async () => {
      await ledger().transaction((tx) => pauseStandingOf(tx, command));
      await tell(ledger(), "pause", parentId);
      expect([await stateOf(given(second)), await stateOf(parentId)]).toEqual(["paused", "paused"]);
      await ledger().transaction((tx) => resumeStandingOf(tx, command));
      await tell(ledger(), "resume", parentId);
      expect([await stateOf(given(second)), await stateOf(parentId)]).toEqual(["running", "running"]);
      return [await stateOf(given(first)), await stateOf(callbacks)];
    };
    expect(await twice()).toEqual(["paused", "paused"]);
    // Their own resume is for them, and from then on they go with the others.
    for (const id of [given(first), callbacks]) await tell(ledger(), "resume", id);
    expect(await twice()).toEqual(["running", "running"]);
  });

  it("that is cancelled with many in it hands those on as a list: nobody's trigger waits behind them", async () => {
    const step = stepOf();
    const { id } = await ensure(step, specOf());
    const few = await ensure(stepOf(), specOf());
    for (const phone of freshPhones(51)) await place(ledger(), id, phone);
    await place(ledger(), few.id, onePhone());
    const kinds = async () =>
      rows(
        ledger().db,
        sql`select o.kind, count(*)::int as n from outbox o join contacts c on c.enrolment_id::text = o.subject
            where c.campaign_id in (${id}::uuid, ${few.id}::uuid) group by 1 order by 1`,
      );
    for (const one of [id, few.id]) {
      await tell(ledger(), "cancel", one);
      expect(await plan(ledger(), one)).toMatchObject({ state: "cancelled" });
    }
    expect(await kinds()).toEqual([
      { kind: "enrolment", n: 1 },
      { kind: "enrolment_bulk", n: 51 },
    ]);
  });

  describe("those of a paused sequence", () => {
    it("are not resumed one by one against that, nor are their callbacks", async () => {
      const sequenceId = randomUUID();
      const { id } = await ensure(stepOf(sequenceId, "a"), specOf());
      const callbacks = await callbacksOf(id);
      await ledger().transaction((tx) => pauseStandingOf(tx, told(sequenceId)));
      await expect(tell(ledger(), "resume", id)).rejects.toThrow(
        'these are calls of sequence "welcome", which is paused: resume that',
      );
      await expect(tell(ledger(), "resume", callbacks)).rejects.toThrow(/which is paused: resume that/);
      expect([await stateOf(id), await stateOf(callbacks)]).toEqual(["paused", "paused"]);
      await ledger().transaction((tx) => resumeStandingOf(tx, told(sequenceId)));
      await tell(ledger(), "pause", id);
      await tell(ledger(), "resume", id);
      expect([await stateOf(id), await stateOf(callbacks)]).toEqual(["running", "running"]);
    });

    it("include the callbacks of versions that nobody is on any more, which begin paused", async () => {
      const sequenceId = randomUUID();
      const { id } = await ensure(stepOf(sequenceId, "a"), specOf());
      await close(id);
      await ledger().transaction((tx) => pauseStandingOf(tx, told(sequenceId)));
      const begun = await callbacksOf(id);
      expect(await read(begun)).toMatchObject({
        state: "paused",
        stateReason: 'sequence "welcome" is paused',
        startedAtMs: undefined,
      });
      await expect(tell(ledger(), "resume", begun)).rejects.toThrow(
        /"welcome", which is paused: resume that/,
      );
      const resumed = await ledger().transaction((tx) => resumeStandingOf(tx, told(sequenceId)));
      expect(resumed.campaignIds).toEqual([begun]);
      expect(await stateOf(begun)).toBe("running");
      await ledger().transaction((tx) => pauseStandingOf(tx, told(sequenceId)));
      expect(await stateOf(begun)).toBe("paused");
      expect(await stateOf(id)).toBe("completed");
    });
  });

  describe("callbacks", () => {
    it("have a campaign of their own beside the one that called, with its policy and some slots", async () => {
      const parentId = await running(ledger(), freshPhones(1), { concurrency: 25, brand: "callbacks" });
      const id = await callbacksOf(parentId);
      expect(await callbacksOf(parentId)).toBe(id);
      // Who was called back asks for another callback.
      expect(await callbacksOf(id)).toBe(id);
      const parent = await read(parentId);
      expect(await read(id)).toMatchObject({
        brand: "callbacks",
        standingKey: `callbacks:${parentId}`,
        parentId,
        concurrency: 3,
        spec: { ...parent.spec, name: `${parent.name} callbacks`, concurrency: 3 },
      });
      expect(await allCallbacksOf(parentId)).toEqual([id]);
      expect(await tallies(ledger(), id)).toMatchObject({ open: 3 });
    });

    it.each(["a".repeat(100), `${"a".repeat(89)}𐐀${"b".repeat(9)}`])(
      "have a name that is one: %s",
      (name) => {
        const spec = callbackSpecOf({ ...specOf(), name });
        expect(readCampaignSpec(spec)).toEqual({ ok: true, spec });
      },
    );

    it("placed under one key twice are one", async () => {
      const parentId = await running(ledger(), freshPhones(1));
      const asker = callbackAsker();
      const phone = onePhone();
      const first = await callBack(parentId, phone, asker);
      expect(await callBack(parentId, phone, asker)).toEqual({ ...first, kind: "already" });
    });

    it("take the campaign's commands with it: no start is permitted in either", async () => {
      const phones = freshPhones(2);
      const parentId = await running(ledger(), phones);
      const id = await callbacksOf(parentId);
      const [called] = await planAndStart(ledger(), parentId);
      const { batchIds } = await plan(ledger(), id);
      const planned = given(batchIds[0]);
      await create(ledger(), planned);
      const paused = await tell(ledger(), "pause", parentId, { reason: "lunch" });
      expect(paused).toEqual({
        state: "paused",
        stoppedBatchIds: [called, planned],
        callbackCampaignIds: [id],
      });
      expect(await read(id)).toMatchObject({ state: "paused", stateReason: "lunch" });
      expect(await permit(ledger(), planned)).toMatchObject({ kind: "elsewhere" });
      expect(await tallies(ledger(), id)).toMatchObject({ open: 1, leased: 0 });
      await expect(tell(ledger(), "resume", id)).rejects.toThrow(/resume that/);
      expect(await tell(ledger(), "resume", parentId)).toMatchObject({
        state: "running",
        callbackCampaignIds: [id],
      });
      expect(await stateOf(id)).toBe("running");
      await expectInvariants(ledger());
    });

    it("take an amended spec with them", async () => {
      const parentId = await running(ledger(), freshPhones(1));
      const id = await callbacksOf(parentId);
      const { spec } = await read(parentId);
      const amend = (commandId: string, changes: Partial<CampaignSpec>) =>
        amendSpec(ledger(), {
          campaignId: parentId,
          commandId,
          actor: "test",
          reason: undefined,
          nowMs: NOW_MS,
          dialByMarginMs: MINUTE_MS,
          spec: { ...spec, ...changes },
        });
      const [batchId] = await planAndStart(ledger(), id);
      // Slots that are not its own are no change of it.
      expect(await amend("a", { concurrency: 9 })).toMatchObject({
        policyVersion: 2,
        callbackCampaignIds: [id],
      });
      expect(await read(id)).toMatchObject({ policyVersion: 1 });
      const amended = await amend("b", { concurrency: 9, window: { monday: ["07:00-07:30"] } });
      expect(amended).toMatchObject({ policyVersion: 3, stoppedBatchIds: [batchId] });
      expect(await read(id)).toMatchObject({
        policyVersion: 2,
        spec: { window: { monday: ["07:00-07:30"] } },
      });
    });

    it("of a paused campaign wait for it", async () => {
      const parentId = await running(ledger(), freshPhones(1));
      await tell(ledger(), "pause", parentId, { reason: "lunch" });
      const id = await callbacksOf(parentId);
      expect(await read(id)).toMatchObject({ state: "paused", stateReason: "lunch", startedAtMs: undefined });
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      await tell(ledger(), "resume", parentId, { nowMs: NOW_MS + HOUR_MS });
      expect(await read(id)).toMatchObject({ state: "running", startedAtMs: NOW_MS + HOUR_MS });
      expect((await plan(ledger(), id, NOW_MS + HOUR_MS)).batchIds).toHaveLength(1);
    });

    it("of a number are no more than it may get, though they are placed at the same moment", async () => {
      const parentId = await running(ledger(), freshPhones(1));
      const phone = onePhone();
      const results = await Promise.all(
        Array.from({ length: 4 }, () => callBack(parentId, phone, undefined, NOW_MS, 2)),
      );
      expect(results.filter(({ kind }) => kind === "placed")).toHaveLength(2);
      expect(
        results.filter((one) => one.kind === "refused" && one.reason === "max_per_contact"),
      ).toHaveLength(2);
    });

    it("of a cancelled campaign are refused, and those that wait are excluded", async () => {
      const parentId = await running(ledger(), freshPhones(1));
      const asker = callbackAsker();
      await callBack(parentId, onePhone(), asker);
      const { campaignId: id } = await placementOf(ledger(), keyOf(asker));
      expect(await tell(ledger(), "cancel", parentId)).toMatchObject({ callbackCampaignIds: [id] });
      expect((await lookOf(ledger(), "campaigns", id)).by_ms).toBeLessThanOrEqual(NOW_MS + 5_000);
      expect(await callBack(parentId, onePhone())).toMatchObject({
        kind: "refused",
        reason: "campaign_over",
      });
      await plan(ledger(), parentId);
      expect(await plan(ledger(), id)).toMatchObject({ state: "cancelled", tallies: { excluded: 1 } });
      expect(await callBack(parentId, onePhone())).toMatchObject({
        kind: "refused",
        reason: "campaign_over",
      });
      // Nor where there were no callbacks yet.
      const other = await running(ledger(), freshPhones(1));
      await tell(ledger(), "cancel", other);
      expect(await callBack(other, onePhone())).toMatchObject({ kind: "refused", reason: "campaign_over" });
      expect(await allCallbacksOf(other)).toEqual([]);
      expect(await callBack(randomUUID(), onePhone())).toMatchObject({ kind: "refused" });
    });

    it("of a completed campaign are made; their campaign ends when nobody waits in it, and a later one has its own", async () => {
      const phone = onePhone();
      const parentId = await running(ledger(), [phone]);
      const [batchId] = await planAndStart(ledger(), parentId);
      const endMs = NOW_MS + MINUTE_MS;
      await settleFindings(ledger(), { batchId: given(batchId), findings: [ended(phone)], nowMs: endMs });
      await closeBatch(ledger(), given(batchId), endMs);
      expect(await plan(ledger(), parentId, endMs)).toMatchObject({ state: "completed" });
      const id = await callbacksOf(parentId);
      expect(await plan(ledger(), id, endMs)).toMatchObject({ state: "running" });
      const waiting = await rows<{ placement: string; phone: string }>(
        ledger().db,
        sql`select placement, phone from contacts where campaign_id = ${id}::uuid`,
      );
      const [own] = (await planAndStart(ledger(), id, endMs)).slice(-1);
      await settleFindings(ledger(), {
        batchId: given(own),
        findings: [ended(given(waiting[0]).phone, "answered", endMs)],
        nowMs: endMs,
      });
      await closeBatch(ledger(), given(own), endMs);
      expect(await plan(ledger(), id, endMs)).toMatchObject({ state: "completed" });
      const next = await callbacksOf(parentId);
      expect(next).not.toBe(id);
      expect(await stateOf(next)).toBe("running");
      await expectInvariants(ledger());
    });
  });

  it("are stopped with everything else, and by the suppression of a number that is being called", async () => {
    const { id } = await standing(ledger());
    const phone = onePhone();
    await place(ledger(), id, phone);
    const [batchId] = await planAndStart(ledger(), id);
    expect(await stopBatchesDialing(ledger(), { phones: [phone], brand: undefined, nowMs: NOW_MS })).toEqual([
      batchId,
    ]);
    await place(ledger(), id, onePhone());
    await ledger().transaction((tx) => stopEverything(tx, { actor: "test", reason: "fire", nowMs: NOW_MS }));
    expect(await plan(ledger(), id)).toMatchObject({ batchIds: [] });
    await ledger().transaction((tx) => goOn(tx, { actor: "test", reason: "over", nowMs: NOW_MS }));
    expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
  });
});
