import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { readFolderIds } from "../../../src/activities/follow-ups/recordings-folder.ts";
import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import { tendFollowUp } from "../../../src/activities/follow-ups/tend-follow-up.ts";
import type { ActionSpec, SpecOf } from "../../../src/domain/follow-ups/actions.ts";
import { readSequence } from "../../../src/domain/sequences/definition.ts";
import { commandAction, UnreadableTimeError } from "../../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf, readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { cancelCampaign } from "../../../src/ledger/campaigns/commands.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { readContactFacts } from "../../../src/ledger/campaigns/contact-facts.ts";
import { readFollowUp } from "../../../src/ledger/follow-ups/follow-ups.ts";
import { readPlacement } from "../../../src/ledger/campaigns/placements.ts";
import { putSequence } from "../../../src/ledger/sequences/sequences.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { listSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { listTags } from "../../../src/ledger/campaigns/tags.ts";
import { createPlatform, type Platform } from "../../../src/platform/index.ts";
import type { ForcedOutcome } from "../../../src/sandbox/outcomes.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { actingOn, drive, give, type Acting } from "../support/acting.ts";
import {
  answered,
  callsUp,
  followUpIds,
  LATER_MS,
  outboxOf,
  type RulesInput,
} from "../support/follow-up-scenario.ts";
import { ended } from "../support/scenario.ts";

const MINUTE_MS = 60_000;
const AGENT = "11111111-1111-4111-8111-111111111111";
const RETRY = { maxTries: 3, delaysMs: [MINUTE_MS] };
const FLOW = { inOrder: true, onFailure: "stop" } as const;

withLedger((ledger) => {
  let sandbox: Sandbox;
  let platform: Platform;
  beforeAll(async () => {
    sandbox = await createSandbox({ speed: 10_000 });
    platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  });
  beforeEach(() => {
    sandbox.faults.clear();
  });
  afterAll(async () => {
    await platform.close();
    await sandbox.close();
  });

  /** A follow-up of a call that the sandbox really made, under one rule; the clock stands where it ended. */
  async function called(
    rule: Partial<RulesInput[number]>,
    outcome: ForcedOutcome = { outcome: "answered", talk_ms: 30_000 },
  ): Promise<{ acting: Acting; followUpId: string; callId: string; phone: string }> {
    const calls = await callsUp(ledger(), 1, [{ id: "rule", actions: [{ tag: { tag: "warm" } }], ...rule }]);
    const phone = given(calls.phones[0]);
    sandbox.outcomes.force("+12025550188", [outcome]);
    const { call_id: callId } = await platform.calls.phone({
      agent_id: AGENT,
      from_number: "+12025550100",
      to_number: "+12025550188",
    });
    for (let look = 0; look < 500; look += 1) {
      if ((await platform.calls.get(callId)).status === "ended") break;
    }
    const acting = actingOn(ledger(), platform);
    await settleFindings(ledger(), {
      batchId: calls.batchId,
      findings: [{ ...ended(phone, "answered"), callId }],
      nowMs: acting.deps.now(),
    });
    const [followUpId] = await followUpIds(ledger(), calls.campaignId);
    return { acting, followUpId: given(followUpId), callId, phone };
  }

  /** Looks until the waiting is over, with the clock set forward. Returns the waits. */
  async function waitOut(acting: Acting, followUpId: string): Promise<number[]> {
    const waits: number[] = [];
    for (let look = 0; look < 200; look += 1) {
      const { actionIds, waitMs, done } = await tendFollowUp(acting.deps, { followUpId, startedAtMs: 0 });
      if (actionIds.length > 0 || done) return waits;
      waits.push(given(waitMs));
      acting.forward(given(waitMs));
    }
    throw new Error("the waiting has no end");
  }

  const specsOf = async (followUpId: string) =>
    (await listActionsOf(ledger().db, { followUpId })).map(({ spec }) => spec);

  describe("waiting for a call", () => {
    const needs = { when: "analysis.call_successful == true", wait: "30m" };

    it("ends when it is processed, and its words are there to classify", async () => {
      const { acting, followUpId } = await called({
        ...needs,
        classify: [
          { label: "mood", value: "call.call_sentiment.label" },
          { label: "talked", value: "call.transcript_length > 0 ? 'yes' : 'no'" },
        ],
      });
      await waitOut(acting, followUpId);
      const followUp = given(await readFollowUp(ledger().db, followUpId));
      expect(followUp).toMatchObject({ state: "acting", processing: "processed", rules: ["rule"] });
      expect(followUp.labels).toMatchObject({
        mood: expect.stringMatching(/^(?:positive|neutral|negative)$/),
        talked: "yes",
      });
    });

    it("looks ever more rarely, and acts on what is known when its time is up", async () => {
      sandbox.faults.add({ kind: "processing", end: "never" });
      const { acting, followUpId } = await called({ ...needs, when: "true", needs_processing: true });
      const waits = await waitOut(acting, followUpId);
      expect(waits.slice(0, 4)).toEqual([15_000, 30_000, 60_000, 120_000]);
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(30 * MINUTE_MS + 1);
      expect(given(await readFollowUp(ledger().db, followUpId))).toMatchObject({
        processing: "overdue",
        rules: ["rule"],
        looks: waits.length,
      });
    });

    it("leaves a call alone that was not processed, or badly, where its rule says so", async () => {
      sandbox.faults.add({ kind: "processing", end: "failed" });
      const { acting, followUpId } = await called({ needs_processing: true, on_unprocessed: "skip" });
      await waitOut(acting, followUpId);
      expect(given(await readFollowUp(ledger().db, followUpId))).toMatchObject({
        state: "done",
        processing: "processing_failed",
        rules: [],
      });
    });

    it("outlasts a platform that does not answer, up to its bound", async () => {
      const { acting, followUpId } = await called({ ...needs, when: "true", needs_processing: true });
      sandbox.faults.add({ kind: "status", route: "GET /v1/calls/:id", status: 503, times: 3 });
      await waitOut(acting, followUpId);
      expect(given(await readFollowUp(ledger().db, followUpId)).processing).toBe("processed");
    });

    it("asks the platform for nothing where no rule speaks of the call, or the attempt has none", async () => {
      const asked = sandbox.stats();
      const acting = actingOn(ledger(), platform);
      const plain = await answered(ledger(), {});
      expect((await tendFollowUp(acting.deps, { followUpId: plain, startedAtMs: 0 })).actionIds).toHaveLength(
        1,
      );
      expect(given(await readFollowUp(ledger().db, plain)).processing).toBe("not_needed");
      const calls = await callsUp(ledger(), 1, [
        { id: "rule", on: ["unknown"], needs_processing: true, actions: [{ tag: { tag: "look" } }] },
      ]);
      await settleFindings(ledger(), {
        batchId: calls.batchId,
        findings: [{ ...ended(given(calls.phones[0]), "unknown"), callId: undefined }],
        nowMs: LATER_MS,
      });
      const [without] = await followUpIds(ledger(), calls.campaignId);
      expect(
        (await tendFollowUp(acting.deps, { followUpId: given(without), startedAtMs: 0 })).actionIds,
      ).toHaveLength(1);
      expect(given(await readFollowUp(ledger().db, given(without))).processing).toBe("no_call");
      expect(sandbox.stats()).toEqual(asked);
    });
  });

  it("a condition without a value does nothing, and people are told once for all its calls", async () => {
    const { acting, followUpId } = await called({ when: "analysis.no_such_key == true" });
    await waitOut(acting, followUpId);
    const { campaignId, state } = given(await readFollowUp(ledger().db, followUpId));
    expect(state).toBe("done");
    const { items } = await listAttention(ledger().db, {
      subject: `${campaignId} rule`,
      resolved: false,
      limit: 10,
    });
    expect(items).toMatchObject([{ kind: "rule_problem", summary: expect.stringContaining("no_such_key") }]);
  });

  it("looking twice at the same time writes its actions once", async () => {
    const acting = actingOn(ledger(), platform);
    const followUpId = await answered(ledger(), {
      mode: "parallel",
      actions: [{ tag: { tag: "a" } }, { tag: { tag: "b" } }],
    });
    await Promise.all([1, 2, 3].map(() => tendFollowUp(acting.deps, { followUpId, startedAtMs: 0 })));
    expect(await specsOf(followUpId)).toHaveLength(2);
  });

  it("in order, the whole of a follow-up is done in its turns", async () => {
    const acting = actingOn(ledger(), platform);
    const followUpId = await answered(ledger(), {
      actions: [
        { tag: { tag: "first" } },
        { suppress: { reason: "asked for it" } },
        { tag: { tag: "last" } },
      ],
    });
    let turns = 0;
    for (; ; turns += 1) {
      const look = await tendFollowUp(acting.deps, { followUpId, startedAtMs: 0 });
      if (look.done) break;
      expect(look.actionIds).toHaveLength(1);
      for (const actionId of look.actionIds) await performAction(acting.deps, { actionId });
    }
    expect(turns).toBe(3);
    const { phone } = given(await readFollowUp(ledger().db, followUpId));
    const tags = await listTags(ledger().db, { brand: "default", phone, limit: 10 });
    expect(tags.items.map(({ tag }) => tag)).toEqual(["first", "last"]);
    const { items } = await listSuppressions(ledger().db, { phone, limit: 10 });
    expect(items).toMatchObject([{ brand: "default", reason: "asked for it", source: "follow-up" }]);
    expect((await readFollowUp(ledger().db, followUpId))?.endedAtMs).toBeDefined();
  });

  it("an action that could not be planned is for people, and keeps none of the others from being done", async () => {
    const acting = actingOn(ledger(), platform);
    const tag = { kind: "tag", subject: {}, retry: RETRY, brand: "default", phone: "+12025550123" } as const;
    const flow = { inOrder: false, onFailure: "continue" } as const;
    const { ids } = await give(acting, [
      {
        ...tag,
        flow,
        tag: "first",
        source: "test",
        unplanned: "it could not be planned: Invalid time value",
      },
      { ...tag, flow, tag: "second", source: "test" },
    ]);
    expect(await drive(acting, ids[0])).toMatchObject({
      state: "failed",
      tries: 0,
      error: "it could not be planned: Invalid time value",
    });
    expect(await drive(acting, ids[1])).toMatchObject({ state: "done" });
    const { items } = await listAttention(ledger().db, {
      subject: given(ids[0]),
      resolved: false,
      limit: 10,
    });
    expect(items).toMatchObject([{ kind: "action_failed", remedy: expect.stringContaining("by hand") }]);
  });

  describe("a callback", () => {
    async function asked(changes: Partial<SpecOf<"callback">> = {}) {
      const acting = actingOn(ledger(), platform);
      const followUpId = await answered(ledger(), {});
      const { campaignId, contactId, phone } = given(await readFollowUp(ledger().db, followUpId));
      const spec: ActionSpec = {
        kind: "callback",
        subject: {},
        retry: RETRY,
        flow: { inOrder: false, onFailure: "continue" },
        campaignId,
        contactId,
        atMs: acting.deps.now() + MINUTE_MS,
        maxPerContact: 3,
        ...changes,
      };
      return { acting, followUpId, campaignId, phone, spec };
    }

    it("is placed once, for its time, and wakes who dials it", async () => {
      const { acting, followUpId, spec, phone } = await asked();
      const { ids } = await give(acting, [spec], followUpId);
      const done = await drive(acting, ids[0]);
      expect(done).toMatchObject({ state: "done", tries: 1, externalId: `callback:${ids[0]}` });
      const placement = given(await readPlacement(ledger().db, `callback:${ids[0]}`));
      expect(placement).toMatchObject({ state: "open", dueAtMs: spec.atMs });
      expect(acting.woken).toEqual([`campaign ${placement.campaignId}`]);
      expect(acting.kicks).toBe(1);
      const [row] = await rows<{ phone: string }>(
        ledger().db,
        sql`select phone from contacts where placement = ${`callback:${ids[0]}`}`,
      );
      expect(row).toEqual({ phone });
    });

    it("of which nobody can read when is for people, who give it a time by the clocks of whom it is for", async () => {
      const { acting, followUpId, spec, phone } = await asked({
        atMs: undefined,
        unreadable: 'at: "sometime" was said, and no certain time can be read from it',
      });
      const { ids } = await give(acting, [spec], followUpId);
      const actionId = given(ids[0]);
      expect(await drive(acting, actionId)).toMatchObject({
        state: "failed",
        error: expect.stringContaining('"sometime" was said'),
      });
      const [entry] = await rows<{ summary: string; remedy: string }>(
        ledger().db,
        sql`select summary, remedy from attention where subject = ${actionId} and resolved_at is null`,
      );
      expect(entry).toMatchObject({
        summary: expect.stringContaining('"sometime" was said'),
        remedy: expect.stringContaining(`outdial follow-up retry ${actionId} --at`),
      });
      const retry = (at?: string) =>
        ledger().transaction((tx) =>
          commandAction(tx, {
            actionId,
            command: "retry",
            at,
            actor: "test",
            reason: undefined,
            nowMs: acting.deps.now(),
          }),
        );
      await expect(retry()).rejects.toThrow("when to call back is not known");
      await expect(retry("whenever")).rejects.toThrow(UnreadableTimeError);
      await expect(retry("soon")).rejects.toThrow('"soon" was said');
      await expect(retry("99999999999h")).rejects.toThrow(UnreadableTimeError);
      await expect(retry("PT9999999999999H")).rejects.toThrow(UnreadableTimeError);
      const [zone] = await rows<{ zones: string[] }>(
        ledger().db,
        sql`select z.zones from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
            where c.phone = ${phone}`,
      );
      const inZone = new Intl.DateTimeFormat("sv-SE", {
        timeZone: given(zone?.zones[0]),
        dateStyle: "short",
        timeStyle: "short",
      });
      const wantedMs = Math.ceil(acting.deps.now() / 60_000) * 60_000 + 3 * 86_400_000;
      await retry(inZone.format(wantedMs));
      expect(await drive(acting, actionId)).toMatchObject({ state: "done" });
      expect(given(await readPlacement(ledger().db, `callback:${actionId}`)).dueAtMs).toBe(wantedMs);
    });

    it("that comes hours after its time, held or tried again, is for people, who give it another", async () => {
      const { acting, followUpId, spec } = await asked();
      const { ids } = await give(acting, [spec, spec], followUpId);
      const actionId = given(ids[0]);
      // As long as a recovery takes that somebody has to come in for.
      acting.forward(5 * 60 * MINUTE_MS);
      const late = /when to call back was \S+Z: gone by for 4h59m before the call could be acted on/;
      expect(await drive(acting, actionId)).toMatchObject({
        state: "failed",
        error: expect.stringMatching(late),
      });
      expect(await readPlacement(ledger().db, `callback:${actionId}`)).toBeUndefined();
      const [entry] = await rows<{ remedy: string }>(
        ledger().db,
        sql`select remedy from attention where subject = ${actionId} and resolved_at is null`,
      );
      expect(entry?.remedy).toContain(`outdial follow-up retry ${actionId} --at`);
      const retry = (at?: string) =>
        ledger().transaction((tx) =>
          commandAction(tx, {
            actionId,
            command: "retry",
            at,
            actor: "test",
            reason: undefined,
            nowMs: acting.deps.now(),
          }),
        );
      await expect(retry()).rejects.toThrow(/gone by for .* --at/);
      await retry("in 10 minutes");
      expect(await drive(acting, actionId)).toMatchObject({ state: "done" });
      // One that was placed is the same one for ever.
      acting.forward(5 * 60 * MINUTE_MS);
      const again = { actionId, actor: "test", reason: undefined, nowMs: acting.deps.now() };
      await ledger().transaction((tx) => commandAction(tx, { ...again, command: "replay" }));
      expect(await drive(acting, actionId)).toMatchObject({ state: "done", answer: { placed: "already" } });
    });

    it("beyond as many as a person may get is left, and people see it", async () => {
      const { acting, followUpId, spec } = await asked({ maxPerContact: 1 });
      const { ids } = await give(acting, [spec, spec], followUpId);
      await drive(acting, ids[0]);
      expect(await drive(acting, ids[1])).toMatchObject({
        state: "failed",
        error: expect.stringContaining("max_per_contact is 1"),
      });
    });

    it("done again is the same one, and none beyond what a person may get", async () => {
      const { acting, followUpId, spec } = await asked({ maxPerContact: 1 });
      const { ids } = await give(acting, [spec], followUpId);
      await drive(acting, ids[0]);
      await ledger().transaction((tx) =>
        commandAction(tx, {
          actionId: given(ids[0]),
          command: "replay",
          actor: "test",
          reason: undefined,
          nowMs: acting.deps.now(),
        }),
      );
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", answer: { placed: "already" } });
    });

    it("done again as something new is another one, accepted when a person asked for it", async () => {
      const { acting, followUpId, spec, phone } = await asked();
      const { ids } = await give(acting, [spec], followUpId);
      const first = given(await drive(acting, ids[0]));
      const callsUs = (atMs: number) =>
        rows(
          ledger().db,
          sql`insert into inbound_calls (call_id, phone, at, created_at)
              values (${`inbound ${phone} ${atMs}`}, ${phone}, ${new Date(atMs).toISOString()}::timestamptz, now())`,
        );
      const replay = async (asNew: boolean) => {
        acting.forward(2 * MINUTE_MS);
        await ledger().transaction((tx) =>
          commandAction(tx, {
            actionId: given(ids[0]),
            command: "replay",
            asNew,
            actor: "test",
            reason: undefined,
            nowMs: acting.deps.now(),
          }),
        );
        return given(await drive(acting, ids[0]));
      };
      const calledAtMs = acting.deps.now() + MINUTE_MS;
      await callsUs(calledAtMs);
      const second = await replay(true);
      expect(second.externalId).toMatch(new RegExp(`^callback:${ids[0]}:.`));
      const calledBack = async ({ externalId = "" }: { externalId?: string | undefined }) => {
        const { contactId } = given(await readPlacement(ledger().db, externalId));
        const policy = { notCalledWithinMs: undefined, leastGapMs: 0, frequency: [] };
        const input = { contactIds: [contactId], brand: "default", policy, nowMs: acting.deps.now() };
        const [read] = await ledger().transaction((tx) => readContactFacts(tx, input));
        return given(read).facts.calledBackAtMs;
      };
      // Whoever called before that was asked for is called all the same.
      expect([await calledBack(first), await calledBack(second)]).toEqual([calledAtMs, undefined]);
      // The same one once more is the same call: what came in since it was asked for still counts.
      const againMs = acting.deps.now() + MINUTE_MS;
      await callsUs(againMs);
      expect(await replay(false)).toMatchObject({
        externalId: second.externalId,
        answer: { placed: "already" },
      });
      expect(await calledBack(second)).toBe(againMs);
    });

    it("of a campaign that was cancelled fails, and says why", async () => {
      const { acting, followUpId, campaignId, spec } = await asked();
      await cancelCampaign(ledger(), {
        campaignId,
        commandId: "cancel",
        actor: "test",
        reason: undefined,
        nowMs: LATER_MS,
      });
      const { ids } = await give(acting, [spec], followUpId);
      expect(await drive(acting, ids[0])).toMatchObject({
        state: "failed",
        error: expect.stringContaining("campaign_over"),
      });
    });
  });

  describe("an enrolment", () => {
    const definition = (name: string) => {
      const reading = readSequence({ name, steps: [{ id: "pause", wait: { for: "1d" } }] });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      return reading.definition;
    };

    async function enrolling(sequence: string) {
      const acting = actingOn(ledger(), platform);
      const followUpId = await answered(ledger(), {});
      const { contactId, phone } = given(await readFollowUp(ledger().db, followUpId));
      const spec: ActionSpec = {
        kind: "enroll",
        subject: {},
        retry: RETRY,
        flow: FLOW,
        brand: "default",
        sequence,
        contactId,
        phone,
        variables: { plan: "gold" },
      };
      return { acting, ...(await give(acting, [spec], followUpId)) };
    }

    it("is made once, under the action's own key", async () => {
      await ledger().transaction((tx) =>
        putSequence(tx, { definition: definition("welcome"), actor: "test", nowMs: LATER_MS }),
      );
      const { acting, ids } = await enrolling("welcome");
      const done = await drive(acting, ids[0]);
      expect(done).toMatchObject({ state: "done", answer: { enrolment: "enrolled" } });
      expect(await outboxOf(ledger(), given(done.externalId))).toEqual(["enrolment"]);
      expect(acting.kicks).toBe(1);
    });

    it("in a sequence that does not exist is tried again, in case somebody makes it", async () => {
      const { acting, ids } = await enrolling("not there yet");
      await performAction(acting.deps, { actionId: given(ids[0]) });
      const waiting = given(await readAction(ledger().db, given(ids[0])));
      expect(waiting).toMatchObject({
        state: "due",
        tries: 1,
        error: expect.stringContaining("unknown_sequence"),
      });
      await ledger().transaction((tx) =>
        putSequence(tx, { definition: definition("not there yet"), actor: "test", nowMs: LATER_MS }),
      );
      expect(await drive(acting, ids[0])).toMatchObject({ state: "done", tries: 2 });
    });
  });

  describe("a recording", () => {
    function folder(): string {
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-recordings-"));
      onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
      return dir;
    }

    async function keeping(dir: string, callId: string | undefined, into = "Spring renewal/2026") {
      const acting = actingOn(ledger(), platform, { recordingsDir: dir });
      const spec: ActionSpec = {
        kind: "recording",
        subject: {},
        retry: RETRY,
        flow: FLOW,
        ...(callId !== undefined && { callId }),
        folder: into,
        timeoutMs: MINUTE_MS,
      };
      const { ids } = await give(acting, [spec]);
      return { acting, id: given(ids[0]) };
    }

    it("is kept whole under the call's id, with its digest", async () => {
      const { acting: waiting, followUpId, callId } = await called({ needs_processing: true });
      await waitOut(waiting, followUpId);
      const dir = folder();
      const { acting, id } = await keeping(dir, callId);
      const done = await drive(acting, id);
      const file = `Spring renewal/2026/${callId}.ogg`;
      // With the folder that it was kept in: who removes it later may see another one.
      const [folderId] = await readFolderIds(dir);
      expect(done).toMatchObject({
        state: "done",
        externalId: file,
        answer: { file, kept_in: given(folderId) },
      });
      const bytes = fs.readFileSync(path.join(dir, file));
      expect(bytes.subarray(0, 4).toString()).toBe("OggS");
      expect(done.answer?.["bytes"]).toBe(bytes.length);
      expect(fs.readdirSync(path.dirname(path.join(dir, file)))).toEqual([`${callId}.ogg`]);
    });

    it("waits for a folder that can't be written, for a day; people are told once for the folder, and it is kept when that is mended", async () => {
      const { acting: waiting, followUpId, callId } = await called({ needs_processing: true });
      await waitOut(waiting, followUpId);
      const dir = path.join(folder(), "kept");
      fs.writeFileSync(dir, "in its place");
      const { acting, id } = await keeping(dir, callId);
      const other = await keeping(dir, callId);
      const tryOften = async (one: string) => {
        for (let nth = 0; nth < 5; nth += 1) {
          const { waitMs } = await performAction(acting.deps, { actionId: one });
          acting.forward(given(waitMs));
        }
      };
      await tryOften(id);
      await tryOften(other.id);
      const problem = expect.stringContaining(
        "a file stands where a folder for recordings should be",
      ) as string;
      for (const one of [id, other.id])
        expect(await readAction(ledger().db, one)).toMatchObject({ state: "due", tries: 0, error: problem });
      const told = async () =>
        (await listAttention(ledger().db, { kind: "step_failing", resolved: false, limit: 50 })).items;
      expect(await told()).toMatchObject([{ summary: problem }]);
      fs.rmSync(dir);
      expect(await drive(acting, id)).toMatchObject({ state: "done", tries: 1 });
      expect(await told()).toEqual([]);
      // Who is in nobody's way for a day is given up as others are.
      fs.rmSync(dir, { recursive: true });
      fs.writeFileSync(dir, "again");
      acting.forward(25 * 60 * MINUTE_MS);
      expect(await drive(acting, other.id)).toMatchObject({ state: "failed", tries: 3, error: problem });
    });

    it("that is not there yet is asked for again, and fails for good in the end", async () => {
      const { acting, id } = await keeping(folder(), "no-such-call");
      expect(await drive(acting, id)).toMatchObject({
        state: "failed",
        tries: 3,
        error: expect.stringContaining("no recording"),
      });
    });

    it("of an attempt without a call is none, and nobody has to look at it", async () => {
      const { acting, id } = await keeping(folder(), undefined);
      expect(await drive(acting, id)).toMatchObject({
        state: "skipped",
        tries: 0,
        error: "there is no recording: the attempt has no call",
      });
    });

    it.each(["../outside", "a/../../outside", "/etc", ".hidden", "a//b", ""])(
      "is never kept in %j",
      async (into) => {
        const dir = path.join(folder(), "inner");
        const { acting, id } = await keeping(dir, "call-1", into);
        expect(await drive(acting, id)).toMatchObject({ state: "failed", tries: 1 });
        expect(fs.existsSync(path.join(dir, "..", "outside"))).toBe(false);
      },
    );

    it("is not led out of its folder by a link, nor by the name of a call", async () => {
      const dir = folder();
      const outside = folder();
      fs.symlinkSync(outside, path.join(dir, "linked"));
      const linked = await keeping(dir, "call-1", "linked");
      expect(await drive(linked.acting, linked.id)).toMatchObject({
        state: "failed",
        error: expect.stringContaining("by a link"),
      });
      expect(fs.readdirSync(outside)).toEqual([]);

      const named = await keeping(dir, "../../outside", "plain");
      await drive(named.acting, named.id);
      expect(fs.readdirSync(outside)).toEqual([]);
    });
  });
});
