import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import type { ActionSpec } from "../../../src/domain/follow-ups/actions.ts";
import { commandAction, UnknownActionError } from "../../../src/ledger/follow-ups/action-commands.ts";
import { createActions, listActionsOf, readAction } from "../../../src/ledger/follow-ups/actions.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import {
  advanceFollowUp,
  beginActing,
  dueActions,
  listFollowUps,
  readFollowUp,
  readFollowUpFacts,
} from "../../../src/ledger/follow-ups/follow-ups.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { answered, callsUp, followUpIds, LATER_MS, outboxOf, settle } from "../support/follow-up-scenario.ts";
import { DAY_MS, MINUTE_MS, planAndStart } from "../support/scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { claimTry, settleTry, type TryOutcome } from "../../../src/ledger/follow-ups/action-tries.ts";

const RULE = { id: "rule", actions: [{ tag: { tag: "warm" } }] };

function tagSpec(inOrder = true, onFailure: "stop" | "continue" = "stop"): ActionSpec {
  return {
    kind: "tag",
    subject: {},
    retry: { maxTries: 2, delaysMs: [MINUTE_MS] },
    flow: { inOrder, onFailure },
    brand: "default",
    phone: "+12025550143",
    tag: "warm",
    source: "test",
  };
}

/** A follow-up with so many actions of one rule, the first of them due. */
async function acting(ledger: Ledger, count: number, spec = tagSpec()) {
  const followUpId = await answered(ledger, {});
  const ids = await ledger.transaction(async (tx) => {
    await beginActing(tx, { followUpId, processing: "not_needed", rules: ["rule"], labels: {} });
    const made = await createActions(tx, {
      of: { followUpId },
      actions: Array.from({ length: count }, (_, n) => ({
        owner: "rule",
        n,
        spec,
        state: "waiting" as const,
      })),
      nowMs: LATER_MS,
    });
    await advanceFollowUp(tx, followUpId, LATER_MS);
    return made;
  });
  return { followUpId, ids };
}

async function tryOnce(ledger: Ledger, id: string | undefined, outcome: TryOutcome, nowMs = LATER_MS) {
  const action = given(await readAction(ledger.db, given(id)));
  expect(await claimTry(ledger.db, action, nowMs)).toBe(true);
  return ledger.transaction((tx) => settleTry(tx, { ...action, tries: action.tries + 1 }, outcome, nowMs));
}

const statesOf = async (ledger: Ledger, followUpId: string) =>
  (await listActionsOf(ledger.db, { followUpId })).map(({ state }) => state);

const stateOf = async (ledger: Ledger, followUpId: string) =>
  given(await readFollowUp(ledger.db, followUpId)).state;

function tell(ledger: Ledger, actionId: string, command: "retry" | "skip" | "replay", asNew = false) {
  return ledger.transaction((tx) =>
    commandAction(tx, { actionId, command, asNew, actor: "test", reason: "mended", nowMs: LATER_MS }),
  );
}

const attentionOf = async (ledger: Ledger, subject: string) =>
  (await listAttention(ledger.db, { subject, resolved: false, limit: 10 })).items.map(({ kind }) => kind);

describeLedgers("follow-ups", (ledger) => {
  describe("are written with the outcome", () => {
    it("of calls that a rule is for, and of no others", async () => {
      const calls = await callsUp(ledger(), 4, [{ ...RULE, on: ["answered", "unknown"] }]);
      const result = await settle(ledger(), calls, ["answered", "busy", "unknown", "voicemail"]);
      expect(result?.tellsOthers).toBe(true);
      const { items } = await listFollowUps(ledger().db, { campaignId: calls.campaignId, limit: 10 });
      expect(new Map(items.map(({ disposition, callId }) => [disposition, callId]))).toEqual(
        new Map([
          ["answered", `call-${calls.phones[0]}`],
          ["unknown", undefined],
        ]),
      );
      for (const { id } of items) expect(await outboxOf(ledger(), id)).toEqual(["follow_up"]);
    });

    it("once, however often the outcome is told", async () => {
      const calls = await callsUp(ledger(), 2, [RULE]);
      await settle(ledger(), calls, ["answered"]);
      await settle(ledger(), calls, ["answered", "answered"]);
      await settle(ledger(), calls, ["answered", "answered"]);
      expect(await followUpIds(ledger(), calls.campaignId)).toHaveLength(2);
    });

    it("and are handed on in the trace that had the call placed, whoever hears of its end", async () => {
      const calls = await callsUp(ledger(), 2, [RULE]);
      const [ofBatch, ofPerson] = ["a", "c"].map((digit) => `00-${digit.repeat(32)}-${"b".repeat(16)}-01`);
      await rows(
        ledger().db,
        sql`update batches set trace_parent = ${ofBatch} where campaign_id = ${calls.campaignId}`,
      );
      await rows(
        ledger().db,
        sql`update contacts set trace_parent = ${ofPerson} where phone = ${calls.phones[0]}`,
      );
      await settle(ledger(), calls, ["answered", "answered"]);
      const traces = await rows<{ phone: string; trace: string | null }>(
        ledger().db,
        sql`select f.phone, o.trace_parent as trace from follow_ups f join outbox o on o.subject = f.id::text
            where f.campaign_id = ${calls.campaignId} and o.kind = 'follow_up'`,
      );
      expect(new Map(traces.map(({ phone, trace }) => [phone, trace]))).toEqual(
        new Map([
          [calls.phones[0], ofPerson],
          [calls.phones[1], ofBatch],
        ]),
      );
    });

    it("not at all where no rule is for them", async () => {
      const none = await callsUp(ledger(), 1, undefined);
      expect((await settle(ledger(), none, ["answered"]))?.tellsOthers).toBe(false);
      const other = await callsUp(ledger(), 1, [{ ...RULE, on: ["voicemail"] }]);
      await settle(ledger(), other, ["answered"]);
      expect(await followUpIds(ledger(), none.campaignId)).toEqual([]);
      expect(await followUpIds(ledger(), other.campaignId)).toEqual([]);
    });

    it("for each attempt of a contact, not only the last", async () => {
      const calls = await callsUp(ledger(), 1, [{ ...RULE, on: ["busy"] }]);
      await settle(ledger(), calls, ["busy"]);
      const againMs = LATER_MS + DAY_MS;
      const [batchId] = await planAndStart(ledger(), calls.campaignId, againMs);
      await settle(ledger(), { ...calls, batchId: given(batchId) }, ["busy"], againMs + MINUTE_MS);
      expect(await followUpIds(ledger(), calls.campaignId)).toHaveLength(2);
    });

    it("with the rules that were in force then, the wait of those that need it, and what a webhook said before", async () => {
      const calls = await callsUp(ledger(), 1, [{ ...RULE, needs_processing: true, wait: "2d" }]);
      const [phone] = calls.phones;
      await rows(
        ledger().db,
        sql`insert into call_hints (call_id, first_at, last_at, state) values (${`call-${phone}`}, now(), now(), 'open')`,
      );
      await settle(ledger(), calls, ["answered"]);
      const [id] = await followUpIds(ledger(), calls.campaignId);
      const followUp = given(await readFollowUp(ledger().db, given(id)));
      expect(followUp).toMatchObject({
        state: "waiting",
        policyVersion: 1,
        waitUntilMs: LATER_MS + 2 * DAY_MS,
      });
      expect(followUp.hintedAtMs).toBeDefined();
      expect(await readFollowUpFacts(ledger().db, followUp.id)).toMatchObject({
        rules: [{ id: "rule" }],
        attempt: { number: 1, disposition: "answered", duration_seconds: 20 },
        contact: { phone, region: "US" },
        variables: { row: "2" },
      });
    });
  });

  describe("actions in order", () => {
    it("have their turn one after the other, and end the follow-up", async () => {
      const { followUpId, ids } = await acting(ledger(), 3);
      expect(await statesOf(ledger(), followUpId)).toEqual(["due", "waiting", "waiting"]);
      for (const id of ids) {
        expect(await dueActions(ledger().db, followUpId, LATER_MS)).toEqual({
          actionIds: [id],
          waitMs: undefined,
        });
        await tryOnce(ledger(), id, { kind: "done" });
      }
      expect(await stateOf(ledger(), followUpId)).toBe("done");
      expect((await readFollowUp(ledger().db, followUpId))?.endedAtMs).toBeDefined();
    });

    it("in parallel are due at once, ten of them at a time", async () => {
      const { followUpId } = await acting(ledger(), 12, tagSpec(false));
      const due = await dueActions(ledger().db, followUpId, LATER_MS);
      expect([due.actionIds.length, due.waitMs]).toEqual([10, 0]);
    });

    it("stop at one that failed for good; a person's retry lets them go on", async () => {
      const { followUpId, ids } = await acting(ledger(), 2);
      const [first, second] = ids as [string, string];
      expect(await tryOnce(ledger(), first, { kind: "failed_try", error: "no" })).toEqual({
        state: "due",
        waitMs: MINUTE_MS,
      });
      expect(await stateOf(ledger(), followUpId)).toBe("acting");
      expect(await tryOnce(ledger(), first, { kind: "failed_try", error: "no again" })).toEqual({
        state: "failed",
        waitMs: undefined,
        isLast: true,
      });
      expect(await stateOf(ledger(), followUpId)).toBe("failed");
      expect(await statesOf(ledger(), followUpId)).toEqual(["failed", "waiting"]);
      expect(await attentionOf(ledger(), first)).toEqual(["action_failed"]);
      await rows(ledger().db, sql`delete from outbox where subject = ${followUpId}`);

      const told = await tell(ledger(), first, "retry");
      expect(told).toMatchObject({ state: "due", tries: 2, endedAtMs: undefined });
      expect(await attentionOf(ledger(), first)).toEqual([]);
      expect(await outboxOf(ledger(), followUpId)).toEqual(["follow_up"]);
      expect(await stateOf(ledger(), followUpId)).toBe("acting");
      // A new round of tries, with numbers of its own.
      expect(await tryOnce(ledger(), first, { kind: "failed_try", error: "once more" })).toMatchObject({
        state: "due",
      });
      await tryOnce(ledger(), first, { kind: "done" });
      await tryOnce(ledger(), second, { kind: "done" });
      expect(await stateOf(ledger(), followUpId)).toBe("done");
    });

    it("go on behind a failure where the rule says so, and the follow-up still shows it", async () => {
      const { followUpId, ids } = await acting(ledger(), 2, tagSpec(true, "continue"));
      await tryOnce(ledger(), ids[0], { kind: "refused", error: "gone" });
      expect(await statesOf(ledger(), followUpId)).toEqual(["failed", "due"]);
      await tryOnce(ledger(), ids[1], { kind: "done" });
      expect(await stateOf(ledger(), followUpId)).toBe("failed");
      const { items } = await listFollowUps(ledger().db, { state: "failed", limit: 500 });
      expect(items.map(({ id }) => id)).toContain(followUpId);
    });

    it("one that may have been done waits for a person, who can skip it", async () => {
      const { followUpId, ids } = await acting(ledger(), 2);
      const [first, second] = ids as [string, string];
      await tryOnce(ledger(), first, { kind: "unknown", error: "nobody can tell" });
      expect(await attentionOf(ledger(), first)).toEqual(["action_unknown"]);
      expect(await stateOf(ledger(), followUpId)).toBe("failed");
      await tell(ledger(), first, "skip");
      expect(await attentionOf(ledger(), first)).toEqual([]);
      expect(await statesOf(ledger(), followUpId)).toEqual(["skipped", "due"]);
      await tryOnce(ledger(), second, { kind: "done" });
      expect(await stateOf(ledger(), followUpId)).toBe("done");
    });
  });

  describe("of two who tell what became of a try", () => {
    it("one may send it, and one is heard", async () => {
      const { ids } = await acting(ledger(), 1);
      const action = given(await readAction(ledger().db, given(ids[0])));
      expect(await claimTry(ledger().db, action, LATER_MS)).toBe(true);
      expect(await claimTry(ledger().db, action, LATER_MS)).toBe(false);
      const claimed = { ...action, tries: 1 };
      const ends = (outcome: TryOutcome) =>
        ledger().transaction((tx) => settleTry(tx, claimed, outcome, LATER_MS));
      expect(await ends({ kind: "done" })).toMatchObject({ state: "done" });
      expect(await ends({ kind: "refused", error: "late" })).toMatchObject({ state: "done" });
      expect(given(await readAction(ledger().db, action.id)).error).toBeUndefined();
    });

    it("a person's skip is not undone by a try that ends later", async () => {
      const { followUpId, ids } = await acting(ledger(), 1);
      const action = given(await readAction(ledger().db, given(ids[0])));
      await claimTry(ledger().db, action, LATER_MS);
      await tell(ledger(), action.id, "skip");
      const late = await ledger().transaction((tx) =>
        settleTry(tx, { ...action, tries: 1 }, { kind: "failed_try", error: "late" }, LATER_MS),
      );
      expect(late.state).toBe("skipped");
      expect(await stateOf(ledger(), followUpId)).toBe("done");
    });
  });

  describe("what a person says", () => {
    it("replays what was done, under the same key unless it is to be new", async () => {
      const { followUpId, ids } = await acting(ledger(), 1);
      const [id] = ids as [string];
      await tryOnce(ledger(), id, { kind: "done", externalId: "x" });
      expect(await tell(ledger(), id, "replay")).toMatchObject({ state: "due", externalId: undefined });
      expect(given(await readAction(ledger().db, id)).spec.key).toBeUndefined();
      expect(await stateOf(ledger(), followUpId)).toBe("acting");
      await tryOnce(ledger(), id, { kind: "done" });
      const { spec } = await tell(ledger(), id, "replay", true);
      expect(spec.key).toMatch(/^[\da-f-]{36}$/);
      expect(spec.key).not.toBe(id);
    });

    it("is refused where it does not fit, and changes nothing", async () => {
      const { ids } = await acting(ledger(), 2);
      const [first, second] = ids as [string, string];
      await expect(tell(ledger(), first, "replay")).rejects.toThrow(CommandRefusedError);
      await expect(tell(ledger(), second, "retry")).rejects.toThrow(/waits for the one before it/);
      await tryOnce(ledger(), first, { kind: "done" });
      await expect(tell(ledger(), first, "retry")).rejects.toThrow(/replay does it again/);
      await expect(tell(ledger(), first, "skip")).rejects.toThrow(/done already/);
      await expect(tell(ledger(), "00000000-0000-4000-8000-000000000000", "retry")).rejects.toThrow(
        UnknownActionError,
      );
    });
  });

  it("are listed by state, campaign and number, page by page", async () => {
    const calls = await callsUp(ledger(), 3, [RULE]);
    await settle(ledger(), calls, ["answered", "answered", "answered"]);
    const of = { campaignId: calls.campaignId };
    const first = await listFollowUps(ledger().db, { ...of, limit: 2 });
    expect([first.total, first.items.length]).toEqual([3, 2]);
    const rest = await listFollowUps(ledger().db, { ...of, limit: 2, after: given(first.items.at(-1)) });
    expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(3);
    const [phone] = calls.phones;
    expect((await listFollowUps(ledger().db, { phone: given(phone), limit: 10 })).items).toHaveLength(1);
    expect((await listFollowUps(ledger().db, { ...of, state: "failed", limit: 10 })).total).toBe(0);
  });
});
