import { describe, expect, it } from "vitest";

import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { takeTurn } from "../../../src/domain/sequences/turn.ts";
import { DAY_MS, HOUR_MS, Person, read, START_MS } from "./support.ts";

const END = { id: "end", exit: { outcome: "over" } };
const FIRST = { id: "first", call: {} };

function person(
  steps: readonly object[],
  changes: object = {},
  variables: Record<string, string> = {},
): Person {
  return new Person(read(steps, changes), variables);
}

describe("a call step", () => {
  it("asks for one call, with the person's variables and its own, and waits for it", () => {
    const one = person(
      [
        {
          id: "first",
          call: { variables: { greeting: '"Hello " + variables.name', n: "1 + 1" }, give_up_after: "3d" },
        },
      ],
      { variables: { plan: "basic" } },
      { name: "Ada" },
    ).take();
    expect(one.asked).toEqual([
      {
        kind: "call",
        stepId: "first",
        callNo: 1,
        variables: { plan: "basic", name: "Ada", greeting: "Hello Ada", n: "2" },
      },
    ]);
    expect(one.next).toEqual({ kind: "wait", untilMs: START_MS + 3 * DAY_MS });
    // Looking again asks for nothing twice.
    expect(one.take().take().asked).toHaveLength(1);
  });

  const on = { answered: "good", otherwise: "bad", unknown: "review", opted_out: "stop" };
  const ways = ["good", "bad", "review", "stop", "no", "late"].map((id) => ({ id, exit: { outcome: id } }));
  const all = { ...FIRST, on: { ...on, refused: "no", not_reached_in_time: "late" } };

  it.each<[Disposition, string]>([
    ["answered", "good"],
    ["voicemail", "bad"],
    ["no_answer", "bad"],
    ["unknown", "review"],
    ["opted_out", "stop"],
  ])("goes the way of %s", (disposition, outcome) => {
    expect(
      person([all, ...ways])
        .take()
        .call(disposition).outcome,
    ).toBe(outcome);
  });

  it("knows the call afterwards", () => {
    const one = person([
      { ...FIRST },
      {
        id: "b",
        branch: [
          {
            when: 'last_call.disposition == "answered" && last_call.duration_seconds > 60 && last_call.call_id == "call-1" && last_call.attempts == 1 && timestamp(last_call.ended_at) <= now',
            to: "known",
          },
          { otherwise: "end" },
        ],
      },
      { id: "known", exit: { outcome: "known" } },
      END,
    ]);
    expect(one.take().call("answered").outcome).toBe("known");
  });

  it("without `on`, goes on after whatever is known, but not with somebody who asked not to be called", () => {
    expect(person([FIRST, END]).take().call("no_answer").outcome).toBe("over");
    expect(person([FIRST, END]).take().call("opted_out").outcome).toBe("opted_out");
  });

  it("without `on`, ends with an unknown outcome, and people see it", () => {
    const one = person([FIRST, END]).take().call("unknown");
    expect(one.outcome).toBe("unknown");
    expect(one.effects).toEqual([expect.objectContaining({ kind: "attention", about: "call_unknown" })]);
  });

  it("shows an unknown outcome to people also where it has a way of its own", () => {
    expect(
      person([all, ...ways])
        .take()
        .call("unknown").effects,
    ).toHaveLength(1);
  });

  it("goes the way for somebody who may not be called, or ends with that", () => {
    const refused = person([all, ...ways]);
    refused.placing = { reason: "suppressed", detail: "asked not to be called" };
    expect(refused.take().outcome).toBe("no");
    const ended = person([FIRST, END]);
    ended.placing = { reason: "no_common_window", detail: "" };
    expect(ended.take().position.ended).toEqual({ outcome: "refused", reason: "no_common_window" });
    expect(ended.effects).toEqual([]);
    // Excluded later, before it was dialed.
    expect(person([FIRST, END]).take().call(undefined, { reason: "suppressed" }).position.ended).toEqual({
      outcome: "refused",
      reason: "suppressed",
    });
  });

  it("that is not made in time is withdrawn first, then goes its way", () => {
    const late = person([all, ...ways]).take();
    expect(late.after(14 * DAY_MS - 1).asked).toHaveLength(1);
    expect(late.after(1).outcome).toBe("late");
    expect(late.asked.at(-1)).toEqual({ kind: "withdraw", callNo: 1, reason: "give_up" });
    expect(
      person([FIRST, END])
        .take()
        .after(14 * DAY_MS).outcome,
    ).toBe("not_reached_in_time");
  });

  it("that is being made when its time is up still counts", () => {
    const one = person([all, ...ways]).take();
    one.withdrawing = "in_flight";
    one.after(14 * DAY_MS);
    expect(one.next).toEqual({ kind: "wait", untilMs: undefined });
    expect(one.after(DAY_MS).outcome).toBeUndefined();
    expect(one.call("answered").outcome).toBe("good");
  });

  it("that is being made when its time is up, and then reaches nobody, was not made in time", () => {
    const one = person([all, ...ways]).take();
    one.withdrawing = "in_flight";
    one.after(14 * DAY_MS);
    const [disposition, reason] = [undefined, "give_up"];
    expect(one.call(disposition, { reason }).outcome).toBe("late");
  });

  it("asks for the withdrawal again where what came of it was never told", () => {
    const { definition, position, facts } = person([FIRST, END]).take();
    const request = { definition, facts, inputs: [], nowMs: START_MS + 14 * DAY_MS };
    const once = takeTurn({ ...request, position });
    expect(once.next).toEqual({ kind: "withdraw", callNo: 1, reason: "give_up" });
    expect(takeTurn({ ...request, position: once.position }).next).toEqual(once.next);
  });

  it("takes no notice of calls that it does not wait for", () => {
    const one = person([FIRST, { id: "second", call: {} }, END])
      .take()
      .call("no_answer");
    one.call("answered", { callNo: 1 });
    expect(one.position.last_call.disposition).toBe("no_answer");
    expect(one.told.at(-1)).toBe("second: late_outcome");
    expect(one.position.waiting).toMatchObject({ for: "call", callNo: 2 });
  });

  it("that lacks a value fails where people see it, or goes the way for that", () => {
    const step = { id: "first", call: { variables: { name: "variables.name" } } };
    const failed = person([step, END]).take();
    expect(failed.position.ended).toEqual({
      outcome: "failed",
      reason: expect.stringMatching(/^call\.variables\.name finds no name/),
    });
    expect(failed.effects).toEqual([
      expect.objectContaining({ kind: "attention", about: "enrolment_stuck" }),
    ]);
    expect(failed.asked).toEqual([]);
    const on = { problem: "end", unknown: "end", otherwise: "end" };
    expect(person([{ ...step, on }, END]).take().outcome).toBe("over");
  });
});

describe("a wait", () => {
  it("lasts as long as it says, and not longer", () => {
    const one = person([{ id: "w", wait: { for: "1d" } }, END]).take();
    expect(one.next).toEqual({ kind: "wait", untilMs: START_MS + DAY_MS });
    expect(one.after(DAY_MS - 1).outcome).toBeUndefined();
    expect(one.after(1).outcome).toBe("over");
  });

  it("is for the time of day where the person is", () => {
    const one = person([{ id: "w", wait: { until: "10:00", days: ["thursday"] } }, END]).take();
    expect(one.next).toEqual({ kind: "wait", untilMs: Date.parse("2026-12-03T09:00:00Z") });
  });

  it("is for business days where the person is, by the sequence's holidays and exceptions", () => {
    const changes = { holidays: ["DE"], exceptions: [{ date: "2026-12-02" }] };
    const one = person([{ id: "w", wait: { business_days: 2, at: "10:00" } }, END], changes).take();
    expect(one.next).toEqual({ kind: "wait", untilMs: Date.parse("2026-12-04T09:00:00Z") });
    const next = person([{ id: "w", wait: { until: "10:00", days: "business" } }, END], changes).take();
    expect(next.next).toEqual({ kind: "wait", untilMs: Date.parse("2026-12-03T09:00:00Z") });
  });

  it("for business days that never come fails, or goes the way for that", () => {
    const exceptions = [2026, 2027, 2028].map((year) => ({ date: `${year}-01-01`, to: `${year}-12-31` }));
    for (const wait of [{ business_days: 2 }, { until: "10:00", days: "business" }]) {
      const failed = person([{ id: "w", wait }, END], { exceptions }).take();
      expect(failed.position.ended).toMatchObject({
        outcome: "failed",
        reason: expect.stringMatching(/within two years/),
      });
      const on = { problem: "end" };
      expect(person([{ id: "w", wait, on }, END], { exceptions }).take().outcome).toBe("over");
    }
  });

  it("for a date that is over goes on at once", () => {
    expect(person([{ id: "w", wait: { until_date: '"2026-11-30"' } }, END]).take().outcome).toBe("over");
  });

  it("for a date that can't be read fails, or goes the way for that", () => {
    const wait = { id: "w", wait: { until_date: "variables.d" } };
    const bad = person([wait, END], {}, { d: "next week" }).take();
    expect(bad.position.ended).toMatchObject({
      outcome: "failed",
      reason: expect.stringMatching(/comes to no date/),
    });
    expect(person([wait, END]).take().outcome).toBe("failed");
    expect(person([{ ...wait, on: { problem: "end" } }, END], {}, { d: "x" }).take().outcome).toBe("over");
  });
});

describe("a wait for an event", () => {
  const steps = [
    {
      id: "w",
      wait_for: { event: "replied", when: 'event.data.word == "yes"', timeout: "2d" },
      on: { event: "good", timeout: "bad" },
    },
    { id: "good", exit: { outcome: "good" } },
    { id: "bad", exit: { outcome: "bad" } },
  ];

  it("goes on with the one that it waits for, and with no other", () => {
    const one = person(steps).take();
    expect(one.event("opened").event("replied", { word: "no" }).outcome).toBeUndefined();
    // One that its condition can't be asked of is another.
    expect(one.event("replied", {}).told.at(-1)).toBe("w: problem");
    expect(one.event("replied", { word: "yes" }).outcome).toBe("good");
  });

  it("ends at its timeout", () => {
    expect(
      person(steps)
        .take()
        .after(2 * DAY_MS).outcome,
    ).toBe("bad");
  });

  it("takes an event that is there when the timeout is looked at", () => {
    const one = person(steps).take();
    one.nowMs += 2 * DAY_MS;
    expect(one.event("replied", { word: "yes" }).outcome).toBe("good");
  });

  it("hears what came since the wait before it was over, in time or late", () => {
    const all = [{ id: "first", wait: { for: "1h" } }, ...steps];
    const said = (minutes: number, word: string) =>
      ({
        kind: "event",
        name: "replied",
        data: { word },
        atMs: START_MS + HOUR_MS + minutes * 60_000,
      }) as const;
    const early = person(all).take();
    early
      .after(HOUR_MS - 60_000, said(-1, "yes"))
      .after(60_000)
      .after(60_000, said(1, "no"));
    expect([early.outcome, early.position.waiting?.for]).toEqual([undefined, "event"]);
    expect(early.after(60_000, said(2, "yes")).outcome).toBe("good");
    const late = person(all).take();
    late.nowMs += 3 * HOUR_MS;
    late.take(said(-1, "yes"), said(1, "no"));
    expect([late.outcome, late.position.waiting?.for]).toEqual([undefined, "event"]);
    const all3 = person(all).take();
    all3.nowMs += 3 * HOUR_MS;
    all3.take(said(-1, "yes"), said(1, "no"), said(2, "yes"));
    expect([all3.outcome, all3.position.events.length]).toEqual(["good", 3]);
  });

  it("hears what came after the timeout of the one before, each event once", () => {
    const step = (n: number) => ({
      id: `w${n}`,
      wait_for: { event: n === 0 ? "never" : "e", timeout: "1h" },
      on: { event: `w${n + 1}`, timeout: n === 0 ? "w1" : "end" },
    });
    const one = person([
      step(0),
      step(1),
      step(2),
      step(3),
      { id: "w4", exit: { outcome: "heard_three" } },
      END,
    ]).take();
    one.nowMs += 2 * HOUR_MS;
    const event = (minutes: number) =>
      ({ kind: "event", name: "e", data: {}, atMs: START_MS + HOUR_MS + minutes * 60_000 }) as const;
    one.take(event(1), event(2));
    expect([one.position.step, one.outcome]).toEqual(["w3", undefined]);
    expect(one.take(event(3)).outcome).toBe("heard_three");
  });

  it("does not go round for one event", () => {
    const one = person([
      { id: "first", wait: { for: "1h" } },
      { id: "w", wait_for: { event: "e", timeout: "1d" }, on: { event: "again", timeout: "end" } },
      { id: "again", set: { n: 'int(variables.?n.orValue("0")) + 1' }, next: "w" },
      END,
    ]).take();
    one.nowMs += 2 * HOUR_MS;
    one.take({ kind: "event", name: "e", data: {}, atMs: START_MS + HOUR_MS });
    expect([one.position.step, one.position.variables["n"]]).toEqual(["w", "1"]);
  });

  it("asks its condition of all of the data, however much is kept", () => {
    const one = person([
      { id: "w", wait_for: { event: "e", when: "size(event.data.text) == 5000", timeout: "1d" } },
    ]).take();
    one.event("e", { text: "x".repeat(5_000) });
    expect(one.outcome).toBe("completed");
    expect(one.position.events[0]?.data).toEqual({});
  });

  it("keeps the newest fifty events", () => {
    const one = person([{ id: "w", wait: { for: "1d" } }]).take();
    for (let n = 0; n < 60; n += 1) one.event(`e${n}`);
    expect(one.position.events.map(({ name }) => name)).toEqual(
      Array.from({ length: 50 }, (_, n) => `e${n + 10}`),
    );
  });
});

describe("branches and splits", () => {
  const branch = (when: string) => [
    { id: "b", branch: [{ when, to: "yes" }, { otherwise: "no" }] },
    { id: "yes", exit: { outcome: "yes" } },
    { id: "no", exit: { outcome: "no" } },
  ];

  it("a branch goes the first way that applies", () => {
    expect(person(branch('variables.plan == "pro"'), {}, { plan: "pro" }).take().outcome).toBe("yes");
    expect(person(branch('contact.region == "DE" && last_call.disposition == "none"')).take().outcome).toBe(
      "yes",
    );
    expect(person(branch('events.exists(e, e.name == "x")')).event("x").outcome).toBe("yes");
  });

  it("a condition that has no value counts as false, and the journey says so", () => {
    const one = person(branch('variables.plan == "pro"')).take();
    expect(one.outcome).toBe("no");
    expect(one.journey[0]).toMatchObject({
      what: "problem",
      detail: { problem: expect.stringMatching(/finds no plan/) },
    });
  });

  const halves = [
    {
      id: "constructor",
      split: [
        { weight: 1, to: "a" },
        { weight: 3, to: "b" },
      ],
    },
    { id: "a", exit: { outcome: "a" } },
    { id: "b", exit: { outcome: "b" } },
  ];

  it("a split takes people by its weights, each always the same way", () => {
    const definition = read(halves);
    const outcomes = Array.from({ length: 2_000 }, (_, n) => {
      const one = new Person(definition);
      one.facts = { ...one.facts, phone: `+4930${100_000 + n}` };
      const again = new Person(definition);
      again.facts = { ...one.facts, enrolmentId: "another" };
      again.nowMs += n * DAY_MS;
      expect(again.take().outcome).toBe(one.take().outcome);
      return one.outcome;
    });
    const share = outcomes.filter((outcome) => outcome === "a").length / outcomes.length;
    // Five standard deviations of 2,000 draws around a quarter.
    expect(Math.abs(share - 0.25)).toBeLessThan(0.05);
  });

  it("two splits of one sequence are taken independently, and a round takes the same way again", () => {
    const round = read([
      {
        id: "s",
        split: [
          { weight: 1, to: "a" },
          { weight: 1, to: "b" },
        ],
      },
      { id: "a", wait: { for: "1h" }, next: "s" },
      { id: "b", wait: { for: "1h" }, next: "s" },
    ]);
    const one = new Person(round).take();
    for (let n = 0; n < 20; n += 1) one.after(HOUR_MS);
    const ways = new Set(
      one.journey.filter(({ what }) => what === "split").map(({ detail }) => detail["to"]),
    );
    expect(ways.size).toBe(1);
  });

  it("whoever remembers a way that their split does not have any more takes one that it has", () => {
    const one = new Person(read(halves));
    one.position.splits["constructor"] = "gone";
    expect(one.take().outcome).toBe(new Person(read(halves)).take().outcome);
    const kept = one.outcome === "a" ? "b" : "a";
    const other = new Person(read(halves));
    other.position.splits["constructor"] = kept;
    expect(other.take().outcome, "one that it has is kept").toBe(kept);
  });
});

describe("actions, variables, suppression", () => {
  const hook = {
    id: "h",
    webhook: { url: "https://example.com/hook", secret: "crm", data: { plan: "variables.plan" } },
  };
  const run = {
    id: "a",
    automation: { workflow_id: "wf", data: { at: "text(now)" } },
    on: { done: "end", failed: "bad", unknown: "look" },
  };
  const others = [END, { id: "bad", exit: { outcome: "bad" } }, { id: "look", exit: { outcome: "look" } }];

  it("an action is asked for once, filled in, and waited for", () => {
    const one = person([hook, END], { brand: "acme" }, { plan: "pro" }).take().take();
    expect(one.asked).toEqual([
      {
        kind: "action",
        stepId: "h",
        n: 1,
        spec: expect.objectContaining({
          kind: "webhook",
          brand: "acme",
          type: "sequence.h",
          url: "https://example.com/hook",
          secret: "crm",
          data: { plan: "pro" },
          subject: expect.objectContaining({
            enrolment_id: one.facts.enrolmentId,
            step: "h",
            phone: one.facts.phone,
          }),
        }),
      },
    ]);
    expect(one.next).toEqual({ kind: "wait", untilMs: undefined });
    expect(one.take({ kind: "action_over", n: 1, state: "done" }).outcome).toBe("over");
  });

  it.each<["done" | "failed" | "unknown" | "skipped", string]>([
    ["done", "over"],
    ["skipped", "over"],
    ["failed", "bad"],
    ["unknown", "look"],
  ])("an automation that is %s goes its way", (state, outcome) => {
    expect(
      person([run, ...others])
        .take()
        .take({ kind: "action_over", n: 1, state }).outcome,
    ).toBe(outcome);
  });

  it("without `on`, one that failed is the end", () => {
    expect(person([hook, END]).take().take({ kind: "action_over", n: 1, state: "failed" }).outcome).toBe(
      "failed",
    );
  });

  it("an outcome of another action changes nothing", () => {
    expect(
      person([hook, END]).take().take({ kind: "action_over", n: 7, state: "done" }).outcome,
    ).toBeUndefined();
  });

  it("variables are set together, out of what was known before", () => {
    const one = person(
      [{ id: "s", set: { a: "variables.b", b: "variables.a", n: "1 + 2", t: "true" } }],
      {},
      { a: "1", b: "2" },
    );
    expect(one.take().position.variables).toEqual({ a: "2", b: "1", n: "3", t: "true" });
  });

  it("a variable without a value fails, or goes the way for that", () => {
    const set = { id: "s", set: { a: "variables.b" } };
    expect(person([set, END]).take().outcome).toBe("failed");
    expect(person([{ ...set, on: { problem: "end" } }, END]).take().outcome).toBe("over");
    expect(
      person([{ id: "s", set: { a: "variables.b + variables.b" } }], {}, { b: "x".repeat(4_000) }).take()
        .outcome,
    ).toBe("failed");
  });

  it("suppression is told to the ledger, and the way goes on", () => {
    const one = person([{ id: "s", suppress: { scope: "global", reason: "asked" } }, END]).take();
    expect(one.effects).toEqual([{ kind: "suppress", stepId: "s", scope: "global", reason: "asked" }]);
    expect(one.outcome).toBe("over");
  });
});

describe("goals and exit conditions", () => {
  const goals = [{ when: 'events.exists(e, e.name == "purchased")', outcome: "won" }];
  const exits = [{ when: 'variables.status == "cancelled"', outcome: "cancelled" }];
  const changes = { goals, exit_when: exits };

  it("a goal wins over a call that is waited for, which is withdrawn", () => {
    const one = person([FIRST, END], changes).take().event("purchased");
    expect(one.outcome).toBe("won");
    expect(one.effects).toContainEqual({ kind: "withdraw", callNo: 1, reason: "won" });
  });

  it("a goal wins over an action that is waited for, which is dropped", () => {
    const one = person([{ id: "h", webhook: { url: "https://example.com/" } }], changes)
      .take()
      .event("purchased");
    expect(one.effects).toContainEqual({ kind: "drop_action", n: 1, reason: "won" });
  });

  it("a goal that is reached before the first step ends it there", () => {
    const one = person([FIRST, END], changes).event("purchased");
    expect(one.outcome).toBe("won");
    expect(one.asked).toEqual([]);
  });

  it("a goal wins over an exit condition, and both are asked again at every step", () => {
    const set = { id: "s", set: { status: '"cancelled"' } };
    expect(person([set, END], changes).take().outcome).toBe("cancelled");
    expect(person([set, END], changes).event("purchased").outcome).toBe("won");
  });

  it("one that has no value holds for nobody, and is told once", () => {
    const one = person([{ id: "w", wait: { for: "1d" } }, END], changes)
      .take()
      .event("a")
      .event("b");
    expect(one.journey.filter(({ what }) => what === "problem")).toHaveLength(1);
    expect(one.effects).toEqual([
      expect.objectContaining({ about: "sequence_problem", condition: "exit condition cancelled" }),
    ]);
  });

  it("the outcome of a call that was withdrawn too late changes nothing", () => {
    const one = person([FIRST, END], changes).take().event("purchased");
    expect(one.call("answered").outcome).toBe("won");
    expect(one.position.last_call.disposition).toBe("none");
  });
});

describe("a person's commands", () => {
  const steps = [{ id: "w", wait: { for: "5d" } }, END];

  it("exit ends it, and withdraws what is waited for", () => {
    const one = person([FIRST, END]).take().take({ kind: "exit", actor: "ada", reason: "asked" });
    expect(one.position.ended).toEqual({ outcome: "exited", reason: "asked" });
    expect(one.effects).toEqual([{ kind: "withdraw", callNo: 1, reason: "exited" }]);
    expect(person(steps).take().take({ kind: "exit", actor: "list", outcome: "restarted" }).outcome).toBe(
      "restarted",
    );
  });

  it("skip leaves a wait at once", () => {
    expect(person(steps).take().take({ kind: "skip", actor: "ada" }).outcome).toBe("over");
  });

  const called = { ...FIRST, on: { answered: "good", otherwise: "bad", unknown: "bad" } };
  const ways = [
    { id: "good", exit: { outcome: "good" } },
    { id: "bad", exit: { outcome: "bad" } },
  ];

  it("skip withdraws a call, and goes its usual way", () => {
    const one = person([called, ...ways])
      .take()
      .take({ kind: "skip", actor: "ada" });
    expect(one.asked.at(-1)).toEqual({ kind: "withdraw", callNo: 1, reason: "skip" });
    expect(one.outcome).toBe("bad");
  });

  it("skip of a call in flight waits for its end, and ignores what it came to", () => {
    const one = person([called, ...ways]).take();
    one.withdrawing = "in_flight";
    one.take({ kind: "skip", actor: "ada" });
    expect(one.outcome).toBeUndefined();
    expect(one.call("answered").outcome).toBe("bad");
    expect(one.position.last_call.disposition).toBe("none");
  });

  it("skip drops an action", () => {
    const one = person([{ id: "h", webhook: { url: "https://example.com/" } }, END]).take();
    one.take({ kind: "skip", actor: "ada" });
    expect(one.effects).toEqual([{ kind: "drop_action", n: 1, reason: "skipped" }]);
    expect(one.outcome).toBe("over");
  });

  it("are taken in order with what else came, and none is lost when a call is asked for in between", () => {
    const one = person([
      { id: "w", wait: { for: "5d" } },
      FIRST,
      { id: "v", wait: { for: "1h" } },
      END,
    ]).take();
    one.take(
      { kind: "skip", actor: "ada" },
      { kind: "event", name: "x", data: {}, atMs: START_MS },
      { kind: "skip", actor: "ada" },
      { kind: "skip", actor: "ada" },
    );
    expect(one.asked.map(({ kind }) => kind)).toEqual(["call", "withdraw"]);
    expect(one.position.events).toHaveLength(1);
    expect(one.outcome).toBe("over");
  });
});

describe("a person who calls us", () => {
  const call = "outdial.inbound_call";

  it("is through, where the sequence closes", () => {
    const one = person([FIRST, END], { inbound: { do: "close" } })
      .take()
      .event(call);
    expect(one.position.ended).toEqual({ outcome: "called_back", reason: "the person called" });
    expect(one.effects).toEqual([{ kind: "withdraw", callNo: 1, reason: "called_back" }]);
    expect(
      person([FIRST], { inbound: { do: "close", outcome: "spoke" } })
        .take()
        .event(call).outcome,
    ).toBe("spoke");
  });

  it("is called later, where the sequence reschedules, as a new call", () => {
    const one = person([FIRST, END], { inbound: { do: "reschedule", delay: "2h" } })
      .take()
      .event(call);
    expect(one.next).toEqual({ kind: "wait", untilMs: START_MS + 2 * HOUR_MS });
    expect(one.after(HOUR_MS).event(call).next).toEqual({ kind: "wait", untilMs: START_MS + 3 * HOUR_MS });
    one.after(2 * HOUR_MS);
    expect(one.asked.map((next) => ("callNo" in next ? [next.kind, next.callNo] : []))).toEqual([
      ["call", 1],
      ["withdraw", 1],
      ["call", 2],
    ]);
    expect(one.call("answered", { callNo: 1 }).outcome).toBeUndefined();
    expect(one.call("answered").outcome).toBe("over");
  });

  it("while we are calling them is called later where that call did not come to them, and not where it did", () => {
    const inbound = { do: "reschedule", delay: "2h" };
    for (const missed of ["busy", "no_answer", "voicemail", "failed"] as const) {
      const one = person([FIRST, END], { inbound }).take();
      one.withdrawing = "in_flight";
      expect(one.event(call).outcome).toBeUndefined();
      expect(one.call(missed).next).toEqual({ kind: "wait", untilMs: START_MS + 2 * HOUR_MS });
      expect(one.position.last_call.disposition).toBe(missed);
      one.after(2 * HOUR_MS);
      expect(one.asked.at(-1)).toMatchObject({ kind: "call", callNo: 2 });
    }
    for (const final of [
      "answered",
      "callback_requested",
      "invalid_number",
      "opted_out",
      "unknown",
    ] as const) {
      const one = person([{ ...FIRST, on: { unknown: "end", otherwise: "end" } }, END], { inbound }).take();
      one.withdrawing = "in_flight";
      expect(one.event(call).call(final).outcome).toBe("over");
    }
  });

  it.each([
    [undefined, 3],
    [1, 1],
  ])("again and again is put off %s times: 3 where nothing is said; then the call stays", (times, most) => {
    const inbound = { do: "reschedule", delay: "1h", ...(times !== undefined && { times }) };
    const one = person([FIRST, { ...FIRST, id: "second" }, END], { inbound }).take();
    const callNo = () => one.asked.filter(({ kind }) => kind === "call").length;
    for (let n = 1; n <= most; n += 1) {
      // Calling once more while nobody calls them costs none of these.
      one.event(call).event(call).after(HOUR_MS);
      expect(callNo()).toBe(n + 1);
    }
    one.event(call);
    expect(one.asked.at(-1)).toMatchObject({ kind: "call" });
    expect(one.journey.at(-1)).toMatchObject({ what: "call_stays" });
    // The next step is another call.
    one.call("no_answer").event(call);
    expect(one.asked.at(-1)).toMatchObject({ kind: "withdraw", reason: "called_back" });
  });

  it("while we are about to call them, and then did not, is called later", () => {
    const one = person([FIRST, END], { inbound: { do: "reschedule", delay: "2h" } }).take();
    one.withdrawing = "in_flight";
    one.event(call).call(undefined, { reason: "called_back" });
    expect(one.next).toEqual({ kind: "wait", untilMs: START_MS + 2 * HOUR_MS });
    const barred = person([FIRST, END], { inbound: { do: "reschedule" } }).take();
    barred.withdrawing = "over";
    expect(barred.event(call).call(undefined, { reason: "suppressed" }).outcome).toBe("refused");
  });

  it("changes nothing where no call is waited for, or the sequence takes no notice; steps may wait for it", () => {
    const wait = { id: "w", wait: { for: "1d" } };
    expect(
      person([wait], { inbound: { do: "reschedule" } })
        .take()
        .event(call).next,
    ).toEqual({ kind: "wait", untilMs: START_MS + DAY_MS });
    expect(person([FIRST]).take().event(call).effects).toEqual([]);
    expect(
      person([{ id: "w", wait_for: { event: call, timeout: "1d" } }, END])
        .take()
        .event(call).outcome,
    ).toBe("over");
  });
});

describe("the end", () => {
  it("is `completed` behind the last step", () => {
    expect(
      person([{ id: "w", wait: { for: "1d" } }])
        .take()
        .after(DAY_MS).position.ended,
    ).toEqual({
      outcome: "completed",
      reason: "past the last step",
    });
  });

  it("is for good: whatever comes then changes nothing", () => {
    const one = person([END]).take();
    const before = structuredClone(one.position);
    const entries = one.journey.length;
    one.event("x").take({ kind: "skip", actor: "a" }).call("answered").after(DAY_MS);
    expect(one.position).toEqual(before);
    expect(one.journey).toHaveLength(entries);
    expect(one.next).toEqual({ kind: "done", outcome: "over", reason: "step end" });
  });

  it("comes to somebody who goes round for ever, and people see it", () => {
    const one = person([{ id: "w", wait: { for: "1s" }, next: "w" }]).take();
    for (let n = 0; n < 10_100 && !one.position.ended; n += 1) one.after(1_000);
    expect(one.position.ended).toMatchObject({
      outcome: "failed",
      reason: expect.stringMatching(/10000 steps/),
    });
    expect(one.effects).toEqual([expect.objectContaining({ about: "enrolment_stuck" })]);
  });
});
