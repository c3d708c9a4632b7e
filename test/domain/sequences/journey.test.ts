import { describe, expect, it } from "vitest";

import { takeTurn } from "../../../src/domain/sequences/turn.ts";
import { DAY_MS, HOUR_MS, Person, read, START_MS } from "./support.ts";

const END = { id: "end", exit: { outcome: "over" } };
const FIRST = { id: "first", call: {} };
const INBOUND = "outdial.inbound_call";

const person = (steps: readonly object[], changes: object = {}, variables: Record<string, string> = {}) =>
  new Person(read(steps, changes), variables);
const at = (ms: number) => new Date(ms).toISOString();

/* What is written of a way, which is what people read of it: all of each entry. */
describe("a journey tells", () => {
  it("of events, and of one that is too large to be kept", () => {
    const one = person([{ id: "w", wait: { for: "1d" } }, END]).take();
    one.event("seen", { page: "a" }).event("sent", { text: "x".repeat(5_000) });
    expect(one.journey.slice(-2)).toEqual([
      { step: "w", what: "event", detail: { event: "seen" } },
      { step: "w", what: "event", detail: { event: "sent", data: "too large to be kept" } },
    ]);
    expect(one.position.events.map(({ data }) => data)).toEqual([{ page: "a" }, {}]);
  });

  it("of all that a step begins", () => {
    const started = person(
      [
        { id: "s", set: { plan: '"gold"' } },
        {
          id: "b",
          branch: [
            { when: 'variables.plan == "silver"', to: "never" },
            { when: 'variables.none == "x"', to: "never" },
            { when: 'variables.plan == "gold"', to: "fork" },
            { otherwise: "never" },
          ],
        },
        { id: "never", exit: { outcome: "never" } },
        {
          id: "fork",
          split: [
            { weight: 1, to: "other" },
            { weight: 1, to: "other" },
          ],
        },
        { id: "other", branch: [{ when: "false", to: "never" }, { otherwise: "h" }] },
        { id: "h", webhook: { url: "https://example.com/" } },
        { id: "a", automation: { workflow_id: "w" } },
        { id: "w", wait: { for: "1h" } },
        { id: "e", wait_for: { event: "go", timeout: "2h" } },
        { id: "c", call: {} },
        END,
      ],
      {},
    ).take();
    started
      .take({ kind: "action_over", n: 1, state: "done" })
      .take({ kind: "action_over", n: 2, state: "done" })
      .after(HOUR_MS)
      .event("go")
      .call("answered");
    expect(started.outcome).toBe("over");
    const OF_OTHERS = new Set(["action_over", "event", "call_over", "ended"]);
    const told = started.journey.filter(({ what }) => !OF_OTHERS.has(what));
    expect(told.map(({ step, what, detail }) => [step, what, detail])).toEqual([
      ["s", "set", { variables: ["plan"] }],
      ["b", "problem", { problem: expect.stringMatching(/^variables\.none == "x": .*none/) }],
      ["b", "branch", { to: "fork", when: 'variables.plan == "gold"' }],
      ["fork", "split", { to: "other" }],
      ["other", "branch", { to: "h" }],
      ["h", "webhook", { action: 1 }],
      ["a", "automation", { action: 2 }],
      ["w", "waits", { until: at(START_MS + HOUR_MS) }],
      ["e", "waits_for_event", { event: "go", until: at(START_MS + 3 * HOUR_MS) }],
      ["c", "call", { call: 1 }],
    ]);
  });

  it("of a value that is missing, where it goes another way for that", () => {
    const one = person([{ id: "s", set: { a: "variables.b" }, on: { problem: "end" } }, END]).take();
    expect(one.journey[0]).toEqual({
      step: "s",
      what: "problem",
      detail: { problem: expect.stringMatching(/^set\.a .*b/) },
    });
    expect(one.outcome).toBe("over");
  });

  it("of a date that is over, and waits for nothing", () => {
    const wait = { id: "w", wait: { until_date: "variables.d" } };
    const one = person([wait, END], {}, { d: at(START_MS) }).take();
    expect([one.journey[0]?.what, one.outcome]).toEqual(["waits", "over"]);
  });

  it("of variables that are just as long and as many as may be", () => {
    const long = { id: "s", set: { a: 'variables.b + "x"' } };
    expect(person([long, END], {}, { b: "x".repeat(3_999) }).take().outcome).toBe("over");
    const many = Object.fromEntries(Array.from({ length: 199 }, (_, n) => [`v${n}`, "x"]));
    const one = { id: "s", set: { w0: '"x"' } };
    expect(person([one, END], {}, many).take().outcome).toBe("over");
    expect(person([one, END], {}, { ...many, v199: "x" }).take().position.ended?.reason).toMatch(
      /more than 200 variables/,
    );
  });

  it("of a call that came to something, of one that comes to something late, and of one by nobody's word", () => {
    const one = person([FIRST, { ...FIRST, id: "second" }, END]).take();
    one.call("busy", { reason: "item busy" });
    expect(one.journey).toContainEqual({
      step: "first",
      what: "call_over",
      detail: { call: 1, disposition: "busy", attempts: 1, reason: "item busy", call_id: "call-1" },
    });
    expect(one.position.last_call).toMatchObject({ reason: "item busy", error: "" });
    one.call("answered", { callNo: 1 });
    expect(one.journey.at(-1)).toEqual({
      step: "second",
      what: "late_outcome",
      detail: { call: 1, disposition: "answered", attempts: 1, call_id: "call-1" },
    });
    expect(one.effects).toEqual([]);
    // One that was withdrawn, and comes to nothing: that is no news.
    const told = one.journey.length;
    one.take({ kind: "call_over", callNo: 1, disposition: undefined, reason: "", attempts: 0 });
    expect(one.journey).toHaveLength(told);
    one.take({ kind: "call_over", callNo: 2, disposition: undefined, reason: "", attempts: 0 });
    expect(one.journey).toContainEqual({
      step: "second",
      what: "call_over",
      detail: { call: 2, disposition: "none", attempts: 0 },
    });
    expect(one.position.ended).toEqual({ outcome: "refused", reason: "excluded" });
  });

  it("remembers what a call failed of", () => {
    const one = person([FIRST, { ...FIRST, id: "second" }, END]).take();
    one.call("failed", { errorText: "no such line" });
    expect(one.position.last_call).toMatchObject({
      disposition: "failed",
      error: "no such line",
      reason: "",
    });
  });

  it("of an action that came to something, and of one that does so late", () => {
    const hook = { id: "h", webhook: { url: "https://example.com/" } };
    const one = person([hook, { id: "w", wait: { for: "1d" } }]).take();
    one.take({ kind: "action_over", n: 1, state: "done" }, { kind: "action_over", n: 1, state: "failed" });
    expect(one.journey.filter(({ what }) => what.endsWith("action") || what === "action_over")).toEqual([
      { step: "h", what: "action_over", detail: { action: 1, state: "done" } },
      { step: "w", what: "late_action", detail: { action: 1, state: "failed" } },
    ]);
  });

  it("of a call that can't be withdrawn any more, and nothing of a withdrawal that nobody asked for", () => {
    const one = person([FIRST, END]).take();
    const told = one.journey.length;
    one.take({ kind: "withdrawal", callNo: 1, result: "withdrawn" });
    expect([one.journey.length, one.position.waiting?.for]).toEqual([told, "call"]);
    one.withdrawing = "in_flight";
    one.take({ kind: "skip", actor: "ada" });
    expect(one.journey.at(-1)).toEqual({ step: "first", what: "call_in_flight", detail: { call: 1 } });
    one.take({ kind: "withdrawal", callNo: 1, result: "withdrawn" });
    expect(one.position.waiting).toMatchObject({ for: "call_in_flight" });
    const other = person([{ id: "first", call: { give_up_after: "1d" } }, END]).take();
    other.nowMs += DAY_MS;
    const { definition, position, facts, nowMs } = other;
    const asking = takeTurn({ definition, position, facts, nowMs, inputs: [] });
    expect(asking.next).toMatchObject({ kind: "withdraw", callNo: 1 });
    const answer = { kind: "withdrawal", callNo: 2, result: "withdrawn" } as const;
    const ignored = takeTurn({ definition, position: asking.position, facts, nowMs, inputs: [answer] });
    expect(ignored.position.waiting).toMatchObject({ for: "withdrawal", callNo: 1 });
  });

  it("of a call that is refused, and of no other's refusal", () => {
    const one = person([FIRST, END]).take();
    const told = one.journey.length;
    one.take({ kind: "call_refused", callNo: 7, reason: "suppressed", detail: "of another" });
    expect([one.journey.length, one.outcome]).toEqual([told, undefined]);
    one.take({ kind: "call_refused", callNo: 1, reason: "suppressed", detail: "by a register" });
    expect(one.journey).toContainEqual({
      step: "first",
      what: "call_refused",
      detail: { call: 1, reason: "suppressed", detail: "by a register" },
    });
  });

  it("of who skipped or ended it, and why where they said so", () => {
    const steps = [{ id: "w", wait: { for: "5d" } }, { id: "v", wait: { for: "5d" } }, END];
    const one = person(steps).take();
    one.take({ kind: "skip", actor: "ada" }).take({ kind: "skip", actor: "bob", reason: "asked to" });
    expect(one.journey.filter(({ what }) => what === "skip")).toEqual([
      { step: "w", what: "skip", detail: { by: "ada" } },
      { step: "v", what: "skip", detail: { by: "bob", reason: "asked to" } },
    ]);
    const exits = (reason?: string) =>
      person(steps)
        .take()
        .take({ kind: "exit", actor: "ada", ...(reason !== undefined && { reason }) })
        .journey.slice(-2);
    expect(exits()).toEqual([
      { step: "w", what: "exit", detail: { by: "ada" } },
      { step: "w", what: "ended", detail: { outcome: "exited", reason: "by ada" } },
    ]);
    expect(exits("moved")).toEqual([
      { step: "w", what: "exit", detail: { by: "ada", reason: "moved" } },
      { step: "w", what: "ended", detail: { outcome: "exited", reason: "moved" } },
    ]);
  });

  it("of goals and of exit conditions, each as itself, and of what fails", () => {
    const goals = [{ when: 'events.exists(e, e.name == "purchased")', outcome: "won" }];
    const exits = [{ when: 'variables.status == "cancelled"', outcome: "lost" }];
    const wait = { id: "w", wait: { for: "1d" } };
    const known = { status: "open" };
    const won = person([wait, END], { goals, exit_when: exits }, known).take().event("purchased");
    expect(won.journey.slice(-2)).toEqual([
      { step: "w", what: "goal", detail: { outcome: "won" } },
      { step: "w", what: "ended", detail: { outcome: "won", reason: "goal" } },
    ]);
    // Each alone, too: what is not there holds for nobody.
    const set = { id: "s", set: { status: '"cancelled"' } };
    const lost = person([set, END], { exit_when: exits }, known).take();
    expect(lost.journey.at(-2)).toMatchObject({ what: "exit_condition", detail: { outcome: "lost" } });
    expect(person([wait, END], { goals }).take().event("purchased").outcome).toBe("won");
    const failed = person([{ id: "s", set: { a: "variables.b" } }]).take();
    const problem = failed.position.ended?.reason;
    expect(problem).toBeTruthy();
    expect(failed.journey.at(-2)).toEqual({ step: "s", what: "problem", detail: { problem } });
    expect(failed.effects).toMatchObject([
      { about: "enrolment_stuck", summary: `Step s of sequence welcome failed: ${problem}` },
    ]);
  });

  it("of what is wrong with a condition, once, and of twenty of them at the most", () => {
    const goals = Array.from({ length: 20 }, (_, n) => ({
      when: `variables.v${n} == "x"`,
      outcome: `o${n}`,
    }));
    const exits = [{ when: 'variables.w == "x"', outcome: "one_too_many" }];
    const one = person([{ id: "w", wait: { for: "1d" } }], { goals, exit_when: exits })
      .take()
      .event("a");
    const problems = one.journey.filter(({ what }) => what === "problem");
    expect(problems).toHaveLength(20);
    expect(problems[0]).toEqual({
      step: "w",
      what: "problem",
      detail: { problem: expect.stringMatching(/^goal o0: .*v0/) },
    });
  });

  it("of a call that gave up, or is put off, or stays", () => {
    const late = person([{ id: "first", call: { give_up_after: "1d" } }, END])
      .take()
      .after(DAY_MS);
    expect(late.journey).toContainEqual({ step: "first", what: "call_gave_up", detail: { call: 1 } });
    expect(late.journey).toContainEqual({
      step: "first",
      what: "call_withdrawn",
      detail: { call: 1, reason: "give_up" },
    });
    expect(late.position.ended).toEqual({ outcome: "not_reached_in_time", reason: "not called within 1d" });
    const inbound = { do: "reschedule", delay: "2h", times: 1 };
    const one = person([FIRST, END], { inbound }).take().event(INBOUND);
    expect(one.journey.at(-1)).toEqual({
      step: "first",
      what: "call_rescheduled",
      detail: { until: at(START_MS + 2 * HOUR_MS) },
    });
    one.after(2 * HOUR_MS).event(INBOUND);
    expect(one.journey.at(-1)).toEqual({
      step: "first",
      what: "call_stays",
      detail: { call: 2, rescheduled: 1 },
    });
  });

  it("of a condition of an event that can't be asked", () => {
    const wait = { event: "e", when: 'event.data.word == "yes"', timeout: "1d" };
    const one = person([{ id: "w", wait_for: wait }, END])
      .take()
      .event("e", { word: "no" });
    expect(one.told.at(-1)).toBe("w: event");
    expect(one.event("e", {}).journey.at(-1)).toEqual({
      step: "w",
      what: "problem",
      detail: { problem: expect.stringMatching(/^wait_for\.when .*word/) },
    });
  });
});

describe("what somebody who calls us changes", () => {
  const inbound = { do: "reschedule", delay: "2h" };

  it("is nothing for an event of another name", () => {
    const one = person([FIRST, END], { inbound }).take().event("another");
    expect(one.position.waiting).toMatchObject({ for: "call", callNo: 1 });
    expect(one.asked).toHaveLength(1);
  });

  it("is nothing where the sequence only waits, or takes no notice", () => {
    const taken = person([FIRST, END]).take().event(INBOUND);
    expect([taken.asked.length, taken.outcome]).toEqual([1, undefined]);
    // A step that waits for it hears it, although the sequence would put a call off.
    const heard = person([{ id: "w", wait_for: { event: INBOUND, timeout: "1d" } }, END], { inbound });
    expect(heard.take().event(INBOUND).outcome).toBe("over");
  });

  it("ends it once, and is heard by no step behind that", () => {
    const closing = { do: "close" };
    const one = person([{ id: "w", wait_for: { event: INBOUND, timeout: "1d" } }, END], { inbound: closing });
    expect(one.take().event(INBOUND).position.ended).toEqual({
      outcome: "called_back",
      reason: "the person called",
    });
  });
});

describe("a skip", () => {
  it("of a call that is being withdrawn, or is in flight, is kept to it", () => {
    const ways = { ...FIRST, on: { answered: "good", otherwise: "bad", unknown: "bad" } };
    const ends = [
      { id: "good", exit: { outcome: "good" } },
      { id: "bad", exit: { outcome: "bad" } },
    ];
    const one = person([ways, ...ends], { inbound: { do: "reschedule", delay: "2h" } }).take();
    one.withdrawing = "in_flight";
    one.event(INBOUND).take({ kind: "skip", actor: "ada" });
    expect(one.position.waiting).toEqual({ for: "call_in_flight", callNo: 1, why: "skip" });
    expect(one.call("busy").outcome).toBe("bad");
  });
});

describe("a turn", () => {
  /** A round of 199 steps for each event. */
  const round = read([
    { id: "w", wait_for: { event: "go", timeout: "30d" }, on: { event: "s0", timeout: "end" } },
    ...Array.from({ length: 198 }, (_, n) => ({
      id: `s${n}`,
      set: { n: 'string(int(variables.?n.orValue("0")) + 1)' },
      ...(n === 197 && { next: "w" }),
    })),
    END,
  ]);
  const go = { kind: "event", name: "go", data: {}, atMs: START_MS } as const;
  const { facts } = new Person(round);

  it("begins a thousand steps at most, leaves what it had no time for, and goes on at once", () => {
    const waiting = new Person(round).take();
    const inputs = Array.from({ length: 7 }, () => go);
    const request = { definition: round, position: waiting.position, inputs, facts, nowMs: START_MS };
    const turn = takeTurn(request);
    expect(turn.taken).toBe(6);
    expect(turn.next).toEqual({ kind: "wait", untilMs: START_MS });
    expect(turn.position.counters.steps - waiting.position.counters.steps).toBe(1_000);
  });

  it("does nothing of what is left for whoever ends it, and skips the next of it for whoever skips", () => {
    const { position } = new Person(round).take();
    const request = { definition: round, facts, nowMs: START_MS };
    const left = takeTurn({ ...request, position, inputs: Array.from({ length: 6 }, () => go) });
    const { step, counters, variables } = left.position;
    expect([left.next, step, counters.steps]).toEqual([{ kind: "wait", untilMs: START_MS }, "s5", 1_001]);
    const exit = { kind: "exit", actor: "ada", reason: "asked to" } as const;
    const over = takeTurn({ ...request, position: left.position, inputs: [exit] });
    expect(over.position).toMatchObject({
      ended: { outcome: "exited", reason: "asked to" },
      counters: { steps: 1_001 },
      variables,
    });
    const skip = { kind: "skip", actor: "ada" } as const;
    const skipped = takeTurn({ ...request, position: left.position, inputs: [skip] });
    // All that is left of the round but for that one.
    expect(Number(skipped.position.variables["n"])).toBe(6 * 198 - 1);
  });

  it("comes to the same, whole, in as many turns as it takes", () => {
    const one = new Person(round).take().take(...Array.from({ length: 7 }, () => go));
    expect(one.next).toMatchObject({ kind: "wait" });
    expect(one.position.variables["n"]).toBe(String(7 * 198));
    expect(one.position.waiting).toMatchObject({ for: "event" });
  });
});
