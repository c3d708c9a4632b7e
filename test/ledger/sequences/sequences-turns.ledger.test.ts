import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

import { INBOUND_CALL_EVENT } from "../../../src/domain/triggers/trigger.ts";
import { commandAction } from "../../../src/ledger/follow-ups/action-commands.ts";
import { listActionsOf } from "../../../src/ledger/follow-ups/actions.ts";
import { followTurn } from "../../../src/ledger/sequences/after-turn.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import {
  commandAll,
  EnrolmentOverError,
  holdCallsOfTold,
  listWaitingForCalls,
} from "../../../src/ledger/sequences/enrolment-commands.ts";
import { tellEnrolments } from "../../../src/ledger/sequences/enrolment-inbox.ts";
import { takeEnrolmentTurn } from "../../../src/ledger/sequences/enrolment-turns.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  callOf,
  CALL_THEN_END,
  dial,
  END,
  enrolled,
  enrolmentOf,
  hangUp,
  HOOK,
  say,
  standingOf,
  turn,
  wayOf,
  written,
  isEnrolmentOpen,
} from "../support/enrolling.ts";
import { outboxOf } from "../support/placing.ts";
import {
  batchOf,
  DAY_MS,
  freshPhones,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

const CALL = {
  id: "first",
  call: { retry: { max_attempts: 2, delays: { no_answer: "1h" } } },
  on: { answered: "thanks", unknown: "doubt", otherwise: "pause", refused: "pause" },
};
const JOURNEY = [
  CALL,
  { id: "thanks", exit: { outcome: "reached" } },
  { id: "doubt", exit: { outcome: "doubtful" } },
  { id: "pause", wait: { for: "1d" } },
];

describeLedgers("turns", (ledger) => {
  /** Somebody at a step of a sequence, having taken a turn. */
  async function at(steps: readonly object[], changes: object = {}) {
    const sequence = await written(ledger(), steps, changes);
    const [phone] = freshPhones(1) as [string];
    const id = await enrolled(ledger(), sequence.name, { phone });
    const first = await turn(ledger(), id);
    return { ...sequence, sequenceId: sequence.id, id, phone, first };
  }

  async function atCall(steps: readonly object[] = JOURNEY, changes: object = {}) {
    const who = await at(steps, changes);
    return { ...who, campaignId: given(who.first.campaignIds[0]) };
  }

  describe("a call", () => {
    it("is placed once, with the person's variables and the step's, and its campaign is to be woken", async () => {
      const steps = [{ id: "first", call: { variables: { greeting: '"Hi " + variables.name' } } }];
      const { id, phone, first } = await atCall(steps, { variables: { name: "Ann" } });
      expect(first).toMatchObject({ next: "wait", looksAgain: true });
      expect((await turn(ledger(), id)).campaignIds).toEqual([]);
      const placed = await rows(
        ledger().db,
        sql`select placement, variables, state from contacts where phone = ${phone}`,
      );
      expect(placed).toEqual([
        { placement: `enrolment:${id}:1`, variables: { name: "Ann", greeting: "Hi Ann" }, state: "open" },
      ]);
      expect(await wayOf(ledger(), id)).toEqual(["first: call"]);
    });

    it.each([
      ["answered", "reached"],
      ["unknown", "doubtful"],
    ] as const)("that came to %s leads on, by looking alone", async (disposition, outcome) => {
      const { id, phone, campaignId } = await atCall();
      await dial(ledger(), campaignId, phone, disposition);
      // The end of the call told it so.
      expect(await outboxOf(ledger(), id)).toHaveLength(1);
      await rows(ledger().db, sql`delete from outbox where subject = ${id}`);
      expect((await turn(ledger(), id, NOW_MS + HOUR_MS)).next).toBe("done");
      expect(await enrolmentOf(ledger(), id)).toMatchObject({ state: "done", outcome });
      const raised = await rows(ledger().db, sql`select kind from attention where subject = ${id}`);
      expect(raised).toEqual(disposition === "unknown" ? [{ kind: "call_unknown" }] : []);
    });

    it("is retried inside its step, and is over with its last try", async () => {
      const { id, phone, campaignId } = await atCall();
      await dial(ledger(), campaignId, phone, "no_answer");
      expect((await turn(ledger(), id, NOW_MS + MINUTE_MS)).next).toBe("wait");
      expect((await enrolmentOf(ledger(), id)).step).toBe("first");
      const laterMs = NOW_MS + 2 * HOUR_MS;
      await dial(ledger(), campaignId, phone, "no_answer", laterMs);
      const { untilMs } = await turn(ledger(), id, laterMs + 2 * MINUTE_MS);
      expect(untilMs).toBe(laterMs + 2 * MINUTE_MS + DAY_MS);
      const { step, position } = await enrolmentOf(ledger(), id);
      expect([step, position.at.last_call]).toMatchObject([
        "pause",
        { disposition: "no_answer", attempts: 2 },
      ]);
    });

    it("that may not be made goes the way for that", async () => {
      const sequence = await written(ledger(), JOURNEY);
      const [phone] = freshPhones(1) as [string];
      const id = await enrolled(ledger(), sequence.name, { phone });
      const entries = [{ phone, brand: "default", source: "test", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: NOW_MS }));
      await turn(ledger(), id);
      expect(await wayOf(ledger(), id)).toEqual(["first: call", "first: call_refused", "pause: waits"]);
    });

    it("whose number was suppressed after it was placed goes the same way", async () => {
      const { id, phone, campaignId } = await atCall();
      const entries = [{ phone, brand: "default", source: "test", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: NOW_MS }));
      await plan(ledger(), campaignId);
      await turn(ledger(), id);
      expect((await enrolmentOf(ledger(), id)).step).toBe("pause");
    });

    it("that is not made in time is withdrawn", async () => {
      const steps = [
        {
          id: "first",
          call: { give_up_after: "3h" },
          on: { otherwise: "end", unknown: "end", not_reached_in_time: "late" },
        },
        END,
        { id: "late", exit: { outcome: "late" } },
      ];
      const { id, first } = await atCall(steps);
      expect(first.untilMs).toBe(NOW_MS + 3 * HOUR_MS);
      await turn(ledger(), id, NOW_MS + 3 * HOUR_MS);
      expect((await enrolmentOf(ledger(), id)).outcome).toBe("late");
      expect((await callOf(ledger(), id)).state).toBe("excluded");
    });
  });

  it("turns that are taken at the same moment are taken one after the other, and do everything once", async () => {
    const { id, phone, campaignId } = await atCall([
      { ...CALL, on: { otherwise: "tell", unknown: "tell" } },
      HOOK,
      END,
    ]);
    await dial(ledger(), campaignId, phone, "answered");
    const turns = await Promise.all(Array.from({ length: 6 }, () => turn(ledger(), id, NOW_MS + HOUR_MS)));
    expect(new Set(turns.map(({ actionId }) => actionId)).size).toBe(1);
    expect(await listActionsOf(ledger().db, { enrolmentId: id })).toHaveLength(1);
    expect(await wayOf(ledger(), id)).toEqual(["first: call", "first: call_over", "tell: webhook"]);
  });

  describe("an action", () => {
    it("is to be tried until it is over, and leads on then", async () => {
      const { id, first } = await at([HOOK, END]);
      expect(first).toMatchObject({ next: "act", isAwaited: true });
      await rows(
        ledger().db,
        sql`update actions set state = 'done', ended_at = now() where id = ${given(first.actionId)}::uuid`,
      );
      expect((await turn(ledger(), id)).next).toBe("done");
      expect((await enrolmentOf(ledger(), id)).outcome).toBe("over");
    });

    it("that a person has tried again after its step was left is tried, be the enrolment over or not", async () => {
      const { id, first } = await at([HOOK, END]);
      const actionId = given(first.actionId);
      await rows(
        ledger().db,
        sql`update actions set state = 'failed', ended_at = now() where id = ${actionId}::uuid`,
      );
      await turn(ledger(), id);
      expect(await isEnrolmentOpen(ledger(), id)).toBe(false);
      await ledger().transaction((tx) =>
        commandAction(tx, { actionId, command: "retry", actor: "test", reason: undefined, nowMs: NOW_MS }),
      );
      expect(await isEnrolmentOpen(ledger(), id)).toBe(true);
      expect(await turn(ledger(), id)).toMatchObject({ next: "act", actionId, isAwaited: false });
    });

    it("of an earlier step that a person has tried again is tried while the present one waits for its next try", async () => {
      const second = { ...HOOK, id: "second" };
      const { id, first } = await at([{ ...HOOK, on: { done: "second", failed: "second" } }, second, END]);
      const earlier = given(first.actionId);
      await rows(
        ledger().db,
        sql`update actions set state = 'failed', ended_at = now() where id = ${earlier}::uuid`,
      );
      const present = given((await turn(ledger(), id)).actionId);
      const tryAt = (actionId: string, atMs: number) =>
        rows(
          ledger().db,
          sql`update actions set next_try_at = ${new Date(atMs).toISOString()}::timestamptz where id = ${actionId}::uuid`,
        );
      await tryAt(present, NOW_MS + HOUR_MS);
      await ledger().transaction((tx) =>
        commandAction(tx, {
          actionId: earlier,
          command: "retry",
          actor: "test",
          reason: undefined,
          nowMs: NOW_MS,
        }),
      );
      expect(await turn(ledger(), id)).toMatchObject({ next: "act", actionId: earlier, isAwaited: false });
      // Where neither is to be tried now, it sleeps until one is, whichever comes first.
      await tryAt(earlier, NOW_MS + 2 * HOUR_MS);
      expect(await turn(ledger(), id)).toMatchObject({ next: "wait", untilMs: NOW_MS + HOUR_MS });
      expect(await turn(ledger(), id, NOW_MS + HOUR_MS)).toMatchObject({
        next: "act",
        actionId: present,
        isAwaited: false,
      });
    });
  });

  describe("taken out", () => {
    const waits: [string, readonly object[]][] = [
      ["a call", CALL_THEN_END],
      ["an action", [HOOK, END]],
      ["a time", [{ id: "first", wait: { for: "1d" } }]],
      [
        "an event",
        [
          {
            id: "first",
            wait_for: { event: "replied", timeout: "2d" },
            on: { event: "end", timeout: "end" },
          },
          END,
        ],
      ],
    ];

    it.each(waits)("of waiting for %s, by a person: it is over with the answer", async (_name, steps) => {
      const { id } = await at(steps);
      const ended = await say(ledger(), id, "exit", { data: { reason: "moved away", outcome: "gone" } });
      expect(ended).toMatchObject({ state: "done", outcome: "gone", reason: "moved away" });
      const [action] = await listActionsOf(ledger().db, { enrolmentId: id });
      if (action) expect(action.state).toBe("skipped");
      const open = await rows(
        ledger().db,
        sql`select 1 as one from contacts where placement like ${`enrolment:${id}:%`} and state = 'open'`,
      );
      expect(open).toEqual([]);
      await expect(say(ledger(), id, "skip")).rejects.toThrow(EnrolmentOverError);
    });

    it.each(waits)("of waiting for %s to the next step, by a person", async (_name, steps) => {
      const last = steps.at(-1) === END ? [] : [END];
      const { id } = await at([...steps, ...last]);
      const commandId = randomUUID();
      await say(ledger(), id, "skip", { requestKey: commandId });
      expect(await enrolmentOf(ledger(), id)).toMatchObject({ state: "done", outcome: "over" });
      // The same command again, after the end, is the same command.
      await say(ledger(), id, "skip", { requestKey: commandId });
    });

    it("while the call is up, it is over at once and the call's outcome changes nothing", async () => {
      const { id, phone, campaignId } = await atCall();
      const batchId = await dial(ledger(), campaignId, phone, undefined);
      await say(ledger(), id, "exit");
      expect((await enrolmentOf(ledger(), id)).outcome).toBe("exited");
      await hangUp(ledger(), batchId, phone, "no_answer");
      // No other attempt follows it.
      expect((await callOf(ledger(), id)).state).toBe("done");
      expect((await turn(ledger(), id, NOW_MS + HOUR_MS)).next).toBe("done");
    });

    it("skipped while the call is up, it waits for the call's end, and then skips", async () => {
      const { id, phone, campaignId } = await atCall();
      const batchId = await dial(ledger(), campaignId, phone, undefined);
      expect(await say(ledger(), id, "skip")).toMatchObject({ state: "active", step: "first" });
      await hangUp(ledger(), batchId, phone, "answered");
      await turn(ledger(), id, NOW_MS + HOUR_MS);
      expect((await enrolmentOf(ledger(), id)).step).toBe("pause");
    });
  });

  it("a call that ended beside the person's own call to us is told once, and made again where it missed them", async () => {
    const steps = [
      { id: "first", call: {}, on: { no_answer: "end", otherwise: "end", unknown: "end" } },
      END,
    ];
    const { id, phone, campaignId } = await atCall(steps, { inbound: { do: "reschedule", delay: "2h" } });
    await dial(ledger(), campaignId, phone, "no_answer");
    const nowMs = NOW_MS + 2 * MINUTE_MS;
    await ledger().transaction((tx) =>
      tellEnrolments(tx, {
        brand: undefined,
        phone,
        // It is taken in before the end of the call, which came later.
        event: { name: INBOUND_CALL_EVENT, data: {}, requestKey: "inbound", at: NOW_MS },
      }),
    );
    expect(await turn(ledger(), id, nowMs)).toMatchObject({ next: "wait", untilMs: nowMs + 2 * HOUR_MS });
    expect(await wayOf(ledger(), id)).toEqual([
      "first: call",
      "first: event",
      "first: call_in_flight",
      "first: call_over",
      "first: call_rescheduled",
    ]);
    expect((await turn(ledger(), id, nowMs + 2 * HOUR_MS)).campaignIds).toEqual([campaignId]);
  });

  describe("paused by a person", () => {
    it("a waiting call is not made, and is due again when it was before, once it goes on", async () => {
      const { id, phone, campaignId } = await atCall();
      await dial(ledger(), campaignId, phone, "no_answer");
      const { dueAtMs } = await callOf(ledger(), id);
      const tellMs = NOW_MS + 2 * MINUTE_MS;
      expect(await say(ledger(), id, "pause", { atMs: tellMs })).toMatchObject({
        paused: true,
        state: "active",
      });
      expect((await plan(ledger(), campaignId, NOW_MS + 2 * HOUR_MS)).batchIds).toEqual([]);
      // An event meanwhile is kept, and nothing moves on.
      await say(ledger(), id, "event", { name: "replied", atMs: tellMs });
      expect((await turn(ledger(), id, NOW_MS + 30 * DAY_MS)).next).toBe("wait");
      await say(ledger(), id, "resume", { atMs: tellMs });
      expect((await callOf(ledger(), id)).dueAtMs).toBe(dueAtMs);
      expect((await plan(ledger(), campaignId, NOW_MS + 2 * HOUR_MS)).batchIds).toHaveLength(1);
      expect(await wayOf(ledger(), id)).toEqual([
        "first: call",
        "first: pause",
        "first: resume",
        "first: event",
      ]);
    });

    it("can be taken out all the same", async () => {
      const { id } = await atCall();
      await say(ledger(), id, "pause");
      await say(ledger(), id, "event", { name: "replied" });
      expect(await say(ledger(), id, "exit")).toMatchObject({ state: "done", outcome: "exited" });
      expect((await callOf(ledger(), id)).state).toBe("excluded");
    });

    it("a command behind more events than one turn takes in has taken effect when it is answered", async () => {
      const tick = (enrolmentId: string, n: number) =>
        rows(
          ledger().db,
          sql`insert into enrolment_inbox (enrolment_id, kind, name, data, actor, at)
              select ${enrolmentId}::uuid, 'event', 'tick', '{}', 'test', now() from generate_series(1, ${n}::int) as t(i)`,
        );
      const { id } = await at([{ id: "first", wait: { for: "1d" } }]);
      await tick(id, 450);
      expect(await turn(ledger(), id)).toMatchObject({ next: "wait", untilMs: NOW_MS, hasMore: true });
      expect(await say(ledger(), id, "skip")).toMatchObject({ state: "done", outcome: "completed" });
      const other = await at([{ id: "first", wait: { for: "1d" } }]);
      await tick(other.id, 250);
      await say(ledger(), other.id, "pause");
      expect(await say(ledger(), other.id, "exit")).toMatchObject({ state: "done", outcome: "exited" });
    });

    it("a command that is given again after another one was given changes nothing", async () => {
      const { id } = await atCall();
      await say(ledger(), id, "pause", { requestKey: "one" });
      await say(ledger(), id, "resume", { requestKey: "two" });
      expect(await say(ledger(), id, "pause", { requestKey: "one" })).toMatchObject({ paused: false });
    });
  });

  it("a suppressing step stops batches that dial the number, however often it is cut off behind its commit", async () => {
    const [phone] = freshPhones(1) as [string];
    const other = await running(ledger(), [phone]);
    const [batchId] = await planAndStart(ledger(), other);
    const { name } = await written(ledger(), [
      { id: "stop", suppress: { scope: "brand", reason: "asked" } },
      { id: "wait", wait: { for: "1d" } },
    ]);
    const id = await enrolled(ledger(), name, { phone, nowMs: NOW_MS });
    const first = await turn(ledger(), id);
    expect(first.stop).toEqual({ phone, brand: "default" });
    // The process died here; the next turn finds it left to do.
    const second = await turn(ledger(), id);
    expect(second.stop).toEqual(first.stop);
    const halted: string[][] = [];
    const ports = {
      ledger: ledger(),
      wake: { campaign: () => {} },
      outbox: { kick: () => {} },
      haltBatches: async (batchIds: readonly string[]) => halted.push([...batchIds]),
      now: () => NOW_MS,
    };
    await followTurn(ports, id, second);
    expect(halted).toEqual([[batchId]]);
    expect((await batchOf(ledger(), batchId)).stopReason).toBe("suppression");
    expect((await turn(ledger(), id)).stop).toBeUndefined();
  });

  describe("a whole sequence", () => {
    it("is left by all who are in it; those who wait for a call can be found first", async () => {
      const sequence = await written(ledger(), JOURNEY);
      const people = [];
      for (let n = 0; n < 5; n += 1) people.push(await enrolled(ledger(), sequence.name));
      for (const one of people.slice(0, 3)) await turn(ledger(), one);
      const tell = () =>
        commandAll(ledger(), {
          sequenceId: sequence.id,
          commandId: "all",
          entry: { kind: "exit", data: {}, requestKey: "all", actor: "test", atMs: NOW_MS },
          nowMs: NOW_MS,
        });
      expect(await tell()).toBe(5);
      expect(await tell()).toBe(0);
      const later = await enrolled(ledger(), sequence.name, { nowMs: NOW_MS + 1 });
      expect(await tell()).toBe(0);
      expect(new Set(await listWaitingForCalls(ledger().db, sequence.id, 10))).toEqual(
        new Set(people.slice(0, 3)),
      );
      expect(await listWaitingForCalls(ledger().db, sequence.id, 2)).toHaveLength(2);
      for (const one of people) await turn(ledger(), one);
      for (const one of people) expect((await enrolmentOf(ledger(), one)).outcome).toBe("exited");
      expect((await enrolmentOf(ledger(), later)).state).toBe("active");
      expect(await standingOf(ledger(), sequence.id)).toEqual([expect.stringContaining("running")]);
    });
  });

  it("calls of people who are told to leave are held until they do; who comes later is called", async () => {
    const sequence = await written(ledger(), JOURNEY);
    const told = await enrolled(ledger(), sequence.name);
    const campaignId = given((await turn(ledger(), told)).campaignIds[0]);
    const all = { sequenceId: sequence.id, requestKey: "all" };
    await commandAll(ledger(), {
      sequenceId: sequence.id,
      commandId: "all",
      entry: { kind: "exit", data: {}, requestKey: "all", actor: "test", atMs: NOW_MS },
      nowMs: NOW_MS,
    });
    await holdCallsOfTold(ledger(), all);
    const later = await enrolled(ledger(), sequence.name, { nowMs: NOW_MS + 1 });
    await turn(ledger(), later);
    await holdCallsOfTold(ledger(), all);
    await plan(ledger(), campaignId, NOW_MS + MINUTE_MS);
    expect((await callOf(ledger(), told)).state).toBe("open");
    expect((await callOf(ledger(), later)).state).toBe("leased");
    await turn(ledger(), told);
    expect((await callOf(ledger(), told)).state).toBe("excluded");
  });

  it("whoever is in a batch that was not started is the first to be taken back, and is not dialed", async () => {
    const sequence = await written(ledger(), JOURNEY, { concurrency: 1 });
    const phones = freshPhones(2);
    const people: string[] = [];
    for (const phone of phones) {
      const id = await enrolled(ledger(), sequence.name, { phone });
      await turn(ledger(), id);
      people.push(id);
    }
    const [standing = ""] = await standingOf(ledger(), sequence.id);
    const campaignId = given(standing.split(" ")[0]);
    const { batchIds } = await plan(ledger(), campaignId);
    const batchId = given(batchIds[0]);
    const states = await Promise.all(people.map(async (id) => (await callOf(ledger(), id)).state));
    expect(states.toSorted()).toEqual(["leased", "open"]);
    const leased = given(people[states.indexOf("leased")]);
    await commandAll(ledger(), {
      sequenceId: sequence.id,
      commandId: "all",
      entry: { kind: "exit", data: {}, requestKey: "all", actor: "test", atMs: NOW_MS },
      nowMs: NOW_MS,
    });
    const waiting = await listWaitingForCalls(ledger().db, sequence.id, 10);
    expect(waiting[0]).toBe(leased);
    expect(new Set(waiting)).toEqual(new Set(people));
    for (const id of waiting) await turn(ledger(), id);
    expect((await callOf(ledger(), leased)).state).toBe("excluded");
    expect((await batchOf(ledger(), batchId)).stopReason).toBe("policy");
    expect(await listWaitingForCalls(ledger().db, sequence.id, 10)).toEqual([]);
  });

  it("of an enrolment that the ledger does not have there is none", async () => {
    const nothing = await ledger().transaction((tx) =>
      takeEnrolmentTurn(tx, { enrolmentId: randomUUID(), nowMs: NOW_MS }),
    );
    expect(nothing).toBeUndefined();
  });
});
