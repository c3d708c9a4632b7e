import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import {
  CAMPAIGN_STATES,
  objectionTo,
  type CampaignState,
} from "../../../src/domain/campaigns/campaign-state.ts";
import { readCampaign, type Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import {
  amendSpec,
  pauseCampaign,
  resumeCampaign,
  startCampaign,
  UnknownCampaignError,
} from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  batchOf,
  begin,
  contact,
  createScheduled,
  freshPhones,
  giveChunk,
  importWhole,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  PACE,
  plan,
  planAndStart,
  running,
  specOf,
  tallies,
  tell,
  type Command,
} from "../support/scenario.ts";
import { RequestReusedError } from "../../../src/ledger/ground/request-keys.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

async function campaignOf(ledger: Ledger, id: string): Promise<Campaign> {
  return given(await readCampaign(ledger.db, id));
}

async function amend(
  ledger: Ledger,
  id: string,
  changes: object,
  options: { commandId?: string; reason?: string; nowMs?: number } = {},
) {
  const { spec } = await campaignOf(ledger, id);
  const { commandId = randomUUID(), reason, nowMs = NOW_MS } = options;
  return amendSpec(ledger, {
    campaignId: id,
    commandId,
    actor: "test",
    reason,
    nowMs,
    dialByMarginMs: PACE.dialByMarginMs,
    spec: specOf({ ...spec, ...changes }),
  });
}

async function auditOf(ledger: Ledger, id: string): Promise<string[]> {
  const found = await rows<{ action: string }>(
    ledger.db,
    sql`select action from audit where campaign_id = ${id}::uuid order by id`,
  );
  return found.map((row) => row.action);
}

/** A campaign put into a state directly: what brings it there is tested elsewhere. */
async function campaignIn(ledger: Ledger, state: CampaignState): Promise<string> {
  const { id } = await createScheduled(ledger);
  const over = state === "completed" || state === "cancelled";
  await rows(
    ledger.db,
    sql`update campaigns set state = ${state}, ended_at = ${over ? sql`now()` : sql`null`},
          paused_by = ${state === "paused" ? "itself" : null} where id = ${id}::uuid`,
  );
  return id;
}

describeLedgers("commands", (ledger) => {
  describe("in every state", () => {
    const ALREADY: Record<Command, CampaignState> = {
      start: "running",
      pause: "paused",
      resume: "running",
      cancel: "draining",
    };
    const pairs = (Object.keys(ALREADY) as Command[]).flatMap((command) =>
      CAMPAIGN_STATES.map((state) => [command, state] as const),
    );

    it.each(pairs)(
      "%s while %s is carried out, is done already, or is refused and changes nothing",
      async (command, state) => {
        const id = await campaignIn(ledger(), state);
        const objection = state === ALREADY[command] ? undefined : objectionTo(command, state);
        const told = await tell(ledger(), command, id).then(
          (result) => result.state as string,
          (error: unknown) => (error instanceof CommandRefusedError ? error.message : String(error)),
        );
        expect(told).toBe(objection ?? ALREADY[command]);
        expect((await campaignOf(ledger(), id)).state).toBe(
          objection === undefined ? ALREADY[command] : state,
        );
      },
    );

    it("to a campaign that there is not is told so", async () => {
      for (const command of Object.keys(ALREADY) as Command[])
        await expect(tell(ledger(), command, NOBODY)).rejects.toThrow(UnknownCampaignError);
    });
  });

  describe("given twice under one id", () => {
    it("is the same command: nothing more happens, and it is written down once", async () => {
      const id = await running(ledger(), freshPhones(2));
      for (const command of ["pause", "resume", "cancel"] as const) {
        const options = { commandId: `${command}-${id}` };
        const first = await tell(ledger(), command, id, options);
        const again = await tell(ledger(), command, id, { ...options, nowMs: NOW_MS + MINUTE_MS });
        expect(again.state).toBe(first.state);
      }
      expect(await auditOf(ledger(), id)).toEqual([
        "campaign.create",
        "campaign.running",
        "campaign.paused",
        "campaign.running",
        "campaign.draining",
      ]);
    });

    it("a late retry of resume does not undo a later pause", async () => {
      const id = await running(ledger(), freshPhones(2));
      await tell(ledger(), "pause", id);
      await tell(ledger(), "resume", id, { commandId: "late-resume" });
      await tell(ledger(), "pause", id);
      expect(await tell(ledger(), "resume", id, { commandId: "late-resume" })).toEqual({
        state: "paused",
        stoppedBatchIds: [],
      });
      expect((await campaignOf(ledger(), id)).state).toBe("paused");
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
    });

    it("a late retry of pause does not stop what was resumed since", async () => {
      const id = await running(ledger(), freshPhones(2));
      await tell(ledger(), "pause", id, { commandId: "late-pause" });
      await tell(ledger(), "resume", id);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await tell(ledger(), "pause", id, { commandId: "late-pause" })).toEqual({
        state: "running",
        stoppedBatchIds: [],
      });
      expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
    });

    it("nor does one that had found it paused already; and its id is no other command's", async () => {
      const id = await running(ledger(), freshPhones(2));
      await tell(ledger(), "pause", id);
      const pause = {
        campaignId: id,
        commandId: "late-pause",
        request: "pause",
        actor: "test",
        reason: undefined,
        nowMs: NOW_MS,
      };
      expect(await pauseCampaign(ledger(), pause)).toMatchObject({ state: "paused" });
      await expect(resumeCampaign(ledger(), { ...pause, request: "resume" })).rejects.toThrow(
        RequestReusedError,
      );
      await tell(ledger(), "resume", id);
      expect(await pauseCampaign(ledger(), pause)).toEqual({ state: "running", stoppedBatchIds: [] });
    });

    it("a late retry of start does not begin anew what was paused or is over", async () => {
      const id = await running(ledger(), freshPhones(1));
      const first = {
        campaignId: id,
        commandId: "late-start",
        actor: "test",
        reason: undefined,
        nowMs: NOW_MS,
        allowPartial: false,
      };
      const other = await createScheduled(ledger());
      await startCampaign(ledger(), { ...first, campaignId: other.id });
      await tell(ledger(), "pause", other.id);
      expect(await startCampaign(ledger(), { ...first, campaignId: other.id })).toMatchObject({
        state: "paused",
      });
      await tell(ledger(), "cancel", other.id);
      await plan(ledger(), other.id);
      expect(await startCampaign(ledger(), { ...first, campaignId: other.id })).toMatchObject({
        state: "cancelled",
      });
    });

    it("the audit of an amendment has each rule that changed, as it was and as it is, and why", async () => {
      const id = await running(ledger(), freshPhones(1), {
        analysis: { rules: [{ key: "x", equals: 1, disposition: "voicemail" }] },
        follow_ups: [{ id: "warm", actions: [{ tag: { tag: "warm" } }] }],
      });
      const { spec } = await campaignOf(ledger(), id);
      const rule = { when: "call.analysis.x == 1", disposition: "opted_out" };
      await amend(ledger(), id, {
        analysis: { rules: [...(spec.analysis?.rules ?? []), rule] },
        follow_ups: [{ id: "cold", actions: [{ tag: { tag: "cold" } }] }],
      });
      await amend(ledger(), id, { concurrency: 2 }, { reason: "fewer people today" });
      const [rules, pace] = await rows<{
        detail: { fields: string[]; reason: string | null; rules?: { rule: string }[] };
      }>(
        ledger().db,
        sql`select detail from audit where campaign_id = ${id}::uuid and action = 'campaign.amend' order by id`,
      );
      expect(rules?.detail).toMatchObject({
        fields: ["analysis", "follow_ups"],
        rules: [
          { rule: "follow_ups.warm", before: { id: "warm" }, after: null },
          { rule: "analysis.rules[1]", before: null, after: rule },
          { rule: "follow_ups.cold", before: null, after: { id: "cold" } },
        ],
      });
      expect(rules?.detail.reason).toBeNull();
      expect(pace?.detail).toMatchObject({ fields: ["concurrency"], reason: "fewer people today" });
      expect(pace?.detail).not.toHaveProperty("rules");
    });

    it("a late retry of amend does not bring an earlier spec back", async () => {
      const id = await running(ledger(), freshPhones(1));
      await amend(ledger(), id, { concurrency: 3 }, { commandId: "late-amend" });
      await amend(ledger(), id, { concurrency: 4 });
      expect(await amend(ledger(), id, { concurrency: 3 }, { commandId: "late-amend" })).toMatchObject({
        policyVersion: 3,
      });
      expect(await campaignOf(ledger(), id)).toMatchObject({ concurrency: 4, policyVersion: 3 });
    });

    it("an id is one campaign's: another campaign may use it", async () => {
      const [one, two] = [await running(ledger(), freshPhones(1)), await running(ledger(), freshPhones(1))];
      await tell(ledger(), "pause", one, { commandId: "same" });
      await tell(ledger(), "pause", two, { commandId: "same" });
      expect((await campaignOf(ledger(), two)).state).toBe("paused");
    });
  });

  describe("pause and cancel", () => {
    it.each(["pause", "cancel"] as const)("%s: asks every batch to stop, and says which", async (command) => {
      const id = await running(ledger(), freshPhones(300), { concurrency: 150 });
      const { batchIds } = await plan(ledger(), id);
      const told = await tell(ledger(), command, id, { reason: "lunch", nowMs: NOW_MS + 5 });
      expect(new Set(told.stoppedBatchIds)).toEqual(new Set(batchIds));
      expect(await tallies(ledger(), id)).toMatchObject({ open: 300, leased: 0 });
      expect((await campaignOf(ledger(), id)).stateReason).toBe("lunch");
      await expectInvariants(ledger());
    });

    it("count a batch that was asked before among those that stop, and keep its first reason", async () => {
      const id = await running(ledger(), freshPhones(2));
      const [batchId] = await planAndStart(ledger(), id);
      await tell(ledger(), "pause", id);
      expect(await tell(ledger(), "cancel", id)).toEqual({ state: "draining", stoppedBatchIds: [batchId] });
      expect(await batchOf(ledger(), batchId)).toMatchObject({ state: "running", stopReason: "pause" });
    });

    it("a campaign that never began is cancelled, too", async () => {
      const { id } = await createScheduled(ledger());
      await tell(ledger(), "cancel", id);
      expect((await plan(ledger(), id)).state).toBe("cancelled");
    });
  });

  describe("start", () => {
    it("goes ahead on part of a list where that is allowed", async () => {
      const { id } = await createScheduled(ledger());
      await giveChunk(ledger(), await begin(ledger(), id), listOfContacts(freshPhones(2)));
      const input = {
        campaignId: id,
        commandId: randomUUID(),
        actor: "test",
        reason: undefined,
        nowMs: NOW_MS,
      };
      expect(await startCampaign(ledger(), { ...input, allowPartial: true })).toMatchObject({
        state: "running",
      });
      expect(await campaignOf(ledger(), id)).toMatchObject({ startedAtMs: NOW_MS });
    });

    it("notes the first start, which a resume does not move", async () => {
      const id = await running(ledger(), freshPhones(1));
      await tell(ledger(), "pause", id);
      await tell(ledger(), "resume", id, { nowMs: NOW_MS + MINUTE_MS });
      expect(await campaignOf(ledger(), id)).toMatchObject({ startedAtMs: NOW_MS, state: "running" });
    });
  });

  describe("amend", () => {
    it("puts a new policy version in force and keeps every earlier one", async () => {
      const id = await running(ledger(), freshPhones(1));
      const amended = await amend(ledger(), id, { concurrency: 3, retry: { max_attempts: 5 } });
      expect(amended).toMatchObject({
        policyVersion: 2,
        differences: [{ field: "concurrency", before: "10", after: "3" }, { field: "retry" }],
      });
      const versions = await rows(
        ledger().db,
        sql`select version, (spec ->> 'concurrency')::int as concurrency from policy_versions where campaign_id = ${id}::uuid order by version`,
      );
      expect(versions).toEqual([
        { version: 1, concurrency: 10 },
        { version: 2, concurrency: 3 },
      ]);
      expect(await campaignOf(ledger(), id)).toMatchObject({ concurrency: 3, policyVersion: 2 });
    });

    it("by the same spec changes nothing", async () => {
      const id = await running(ledger(), freshPhones(1));
      expect(await amend(ledger(), id, {})).toMatchObject({
        policyVersion: 1,
        differences: [],
        stoppedBatchIds: [],
      });
    });

    it("is refused with the difference where it would be another campaign", async () => {
      const id = await running(ledger(), freshPhones(1));
      await expect(amend(ledger(), id, { agent_id: "other", concurrency: 3 })).rejects.toThrow(
        /agent_id \("agent", now "other"\)/,
      );
      expect(await campaignOf(ledger(), id)).toMatchObject({ concurrency: 10, policyVersion: 1 });
    });

    it("of the numbers stops batches that dial such as may not be called any more, and gives nobody else up", async () => {
      const [german, american] = ["+4930123499", "+12125550199"] as const;
      const id = await running(ledger(), [contact(american, 2)]);
      const [kept] = await planAndStart(ledger(), id);
      await importWhole(
        ledger(),
        id,
        [contact(german, 3, { region: "DE", zones: ["Europe/Berlin"] })],
        "more",
      );
      const [stopped] = await planAndStart(ledger(), id);
      const amended = await amend(ledger(), id, { numbers: { countries: ["US"] } });
      expect(amended.stoppedBatchIds).toEqual([stopped]);
      expect(await batchOf(ledger(), stopped)).toMatchObject({ stopReason: "policy" });
      expect((await batchOf(ledger(), kept)).stopReason).toBeUndefined();
      // What allows as much, or more, stops nothing.
      expect((await amend(ledger(), id, { numbers: { countries: ["US", "DE"] } })).stoppedBatchIds).toEqual(
        [],
      );
    });

    it("of the concurrency stops the newest batches until no more is held than may be", async () => {
      const id = await running(ledger(), freshPhones(600), { concurrency: 300 });
      const { batchIds } = await plan(ledger(), id);
      const batches = await Promise.all(batchIds.map((batchId) => batchOf(ledger(), batchId)));
      const amended = await amend(ledger(), id, { concurrency: 150 });
      const kept = batches.filter((batch) => !amended.stoppedBatchIds.includes(batch.id));
      const held = kept.reduce((sum, batch) => sum + batch.held, 0);
      expect(held).toBeLessThanOrEqual(150);
      // One batch fewer would have been too many to keep.
      const smallest = Math.min(
        ...batches.filter((batch) => !kept.includes(batch)).map((batch) => batch.held),
      );
      expect(held + smallest).toBeGreaterThan(150);
      for (const batchId of amended.stoppedBatchIds)
        expect(await batchOf(ledger(), batchId)).toMatchObject({
          stopReason: "concurrency",
          state: "draining",
        });
      await expectInvariants(ledger());
    });

    it("of the window stops the batches that it closes for, and brings the others' end forward", async () => {
      const noon = Date.UTC(2026, 5, 1, 16);
      const wide = { window: { weekdays: ["09:00-18:00"] } };
      const id = await running(ledger(), freshPhones(3), wide, noon);
      const [batchId] = await planAndStart(ledger(), id, noon);
      expect(
        await amend(ledger(), id, { window: { weekdays: ["09:00-14:00"] } }, { nowMs: noon }),
      ).toMatchObject({ stoppedBatchIds: [] });
      expect((await batchOf(ledger(), batchId)).dialByMs).toBe(noon + 120 * MINUTE_MS - PACE.dialByMarginMs);
      await amend(ledger(), id, wide, { nowMs: noon });
      expect((await batchOf(ledger(), batchId)).dialByMs).toBe(noon + 120 * MINUTE_MS - PACE.dialByMarginMs);
      const shut = await amend(ledger(), id, { window: { weekdays: ["09:00-11:00"] } }, { nowMs: noon });
      expect(shut.stoppedBatchIds).toEqual([batchId]);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "window", dialByMs: noon });
    });

    it("of the end stops what would dial after it", async () => {
      const id = await running(ledger(), freshPhones(2));
      const [batchId] = await planAndStart(ledger(), id);
      const soon = new Date(NOW_MS + MINUTE_MS / 2).toISOString();
      expect(await amend(ledger(), id, { ends_at: soon })).toMatchObject({ stoppedBatchIds: [batchId] });
    });

    it("is allowed before the start and while paused, not while ending", async () => {
      for (const state of ["scheduled", "paused"] as const)
        expect(await amend(ledger(), await campaignIn(ledger(), state), { concurrency: 2 })).toMatchObject({
          state,
          policyVersion: 2,
        });
      await expect(
        amend(ledger(), await campaignIn(ledger(), "draining"), { concurrency: 2 }),
      ).rejects.toThrow(/draining/);
    });
  });
});
