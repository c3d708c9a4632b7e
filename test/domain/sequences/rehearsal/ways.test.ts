import { describe, expect, it } from "vitest";

import type { Branch, Way, Ways, WaysQuestion } from "../../../../src/domain/sequences/rehearsal/ways.ts";
import { assumableAt, waysOf } from "../../../../src/domain/sequences/rehearsal/ways.ts";
import { DAY_MS, HOUR_MS, read, START_MS } from "../support.ts";

/** How often whoever walks it may do something else meanwhile, and what it came to. */
function finished(walk: Generator<void, Ways>): { pauses: number; ways: Ways } {
  for (let pauses = 0; ; pauses += 1) {
    const step = walk.next();
    if (step.done === true) return { pauses, ways: step.value };
  }
}

function walked(steps: readonly object[], changes: object = {}, question: Partial<WaysQuestion> = {}): Ways {
  return finished(walking(steps, changes, question)).ways;
}

function walking(steps: readonly object[], changes: object = {}, question: Partial<WaysQuestion> = {}) {
  return waysOf({
    definition: read(steps, changes),
    facts: {
      sequenceId: "s",
      enrolmentId: "e",
      phone: "+4930123456",
      region: "DE",
      zones: ["Europe/Berlin"],
      key: "",
    },
    variables: {},
    number: { country: "DE", costly: undefined },
    places: ["DE"],
    consents: [],
    windowOf: (window) => window,
    fromMs: START_MS,
    assumed: new Map(),
    ...question,
  });
}

function branchesOf({ end }: Way): Branch[] {
  if (end.kind !== "fork") throw new Error(`no fork: ${JSON.stringify(end)}`);
  return end.branches;
}

function branch(way: Way, when: string): Branch {
  const found = branchesOf(way).find((one) => one.when.includes(when));
  if (!found) throw new Error(`no way of ${when}: ${JSON.stringify(branchesOf(way).map((one) => one.when))}`);
  return found;
}

const exits = (...ids: string[]) => ids.map((id) => ({ id, exit: { outcome: id } }));
const times = (...texts: string[]) => texts.map((text) => Date.parse(text));

describe("a person's ways through a sequence", () => {
  it("are walked turn by turn, with a pause at each", () => {
    const way = { answered: "later", no_answer: "later", unknown: "later", otherwise: "later" };
    const steps = [
      { id: "first", call: {}, on: way },
      { id: "later", wait: { for: "1d" } },
      {
        id: "second",
        call: {},
        on: { ...way, answered: "end", otherwise: "end", no_answer: "end", unknown: "end" },
      },
      { id: "end", exit: { outcome: "over" } },
    ];
    const { pauses, ways } = finished(walking(steps));
    expect(ways.ends).toBeGreaterThan(3);
    expect(pauses).toBeGreaterThanOrEqual(ways.ends);
  });

  const ON = { answered: "good", unknown: "look", otherwise: "bad" };
  const CALL = {
    id: "first",
    call: { retry: { max_attempts: 3, delays: { no_answer: "2h", busy: "1d" } } },
    on: ON,
  };

  it("have the dates of their calls: in the hours of the person, retries included", () => {
    // Tuesday, 11:00 in Berlin; the window closes at 12.
    const { way } = walked([CALL, ...exits("good", "bad", "look")], {
      window: { weekdays: ["09:00-12:00"] },
    });
    const noAnswer = branch(way, "no_answer");
    expect(noAnswer.triedMs).toEqual(
      times("2026-12-01T10:00:00Z", "2026-12-02T08:00:00Z", "2026-12-02T10:00:30Z"),
    );
    expect(noAnswer.way.end).toMatchObject({ kind: "done", outcome: "bad" });
    expect(branch(way, "answered").way.end).toMatchObject({ outcome: "good", atMs: START_MS + 60_000 });
  });

  it("fork where a branch asks for the analysis of a call that somebody took, by every way that it may take", () => {
    const ask = (...ways: object[]) => [
      { id: "first", call: {}, on: { otherwise: "which", unknown: "cold" } },
      { id: "which", branch: [...ways, { otherwise: "cold" }] },
      ...exits("hot", "warm", "machine", "cold"),
    ];
    const steps = ask(
      { when: "!has(last_call.analysis.interested)", to: "warm" },
      { when: 'last_call.disposition == "voicemail"', to: "machine" },
      { when: 'last_call.analysis.?plan.orValue("") == "team"', to: "hot" },
    );
    const { way, ends } = walked(steps);
    const leads = (disposition: string) => {
      const found = branch(way, disposition).way;
      return found.end.kind === "fork"
        ? [found.end.about, found.end.step, ...branchesOf(found).flatMap(({ when }) => when)]
        : [found.end.kind, found.points.map(({ what, detail }) => [what, detail["to"]])];
    };
    expect(leads("answered")).toEqual(["branch", "which", "warm", "hot", "cold"]);
    expect(leads("voicemail"), "what is known decides before what is open").toEqual([
      "branch",
      "which",
      "warm",
      "machine",
    ]);
    // Of a call that nobody took there is no analysis, and conditions say by themselves what they make of that.
    expect(leads("no_answer")).toEqual(["done", [["branch", "warm"]]]);
    expect(branchesOf(branch(way, "answered").way).map(({ way: { end } }) => end)).toMatchObject([
      { kind: "done", outcome: "warm" },
      { kind: "done", outcome: "hot" },
      { kind: "done", outcome: "cold" },
    ]);
    expect(ends).toBe(7);
    // That a branch went so is what the fork says.
    const hot = branch(branch(way, "answered").way, "hot").way;
    expect(hot.points.filter(({ what }) => what === "branch")).toEqual([]);
    const assumed = walked(steps, {}, { assumed: new Map([["which", ["hot"]]]) });
    expect(branchesOf(branch(assumed.way, "answered").way).map(({ when }) => when)).toEqual([["hot"]]);
    expect(
      branchesOf(branch(assumed.way, "voicemail").way).map(({ when }) => when),
      "an assumption that can't be is none",
    ).toEqual([["warm"], ["machine"]]);
  });

  it("fork at no branch whose way is known, though conditions behind it ask for the analysis", () => {
    const { way } = walked([
      { id: "first", call: {}, on: { otherwise: "which", unknown: "cold" } },
      {
        id: "which",
        branch: [
          { when: 'last_call.disposition == "busy"', to: "cold" },
          { when: "last_call.attempts > 0", to: "cold" },
          { when: "last_call.analysis.interested == true", to: "hot" },
          { otherwise: "cold" },
        ],
      },
      ...exits("hot", "cold"),
    ]);
    expect(branch(way, "answered").way.end).toMatchObject({ kind: "done", outcome: "cold" });
    const twice = walked([
      { id: "first", call: {}, on: { otherwise: "one", unknown: "cold" } },
      { id: "one", branch: [{ when: "last_call.processed", to: "two" }, { otherwise: "two" }] },
      {
        id: "two",
        branch: [
          { when: "last_call.attempts > 5", to: "cold" },
          { when: 'last_call.summary != ""', to: "hot" },
          { otherwise: "cold" },
        ],
      },
      ...exits("hot", "cold"),
    ]);
    const { end } = branch(twice.way, "answered").way;
    expect(end).toMatchObject({
      kind: "fork",
      step: "two",
      branches: [{ when: ["hot"] }, { when: ["cold"] }],
    });
  });

  it("fork by what this branch asks, and no other one of the same turn", () => {
    const { way } = walked([
      { id: "first", call: {}, on: { otherwise: "one", unknown: "cold" } },
      { id: "one", branch: [{ when: "last_call.attempts < 5", to: "two" }, { otherwise: "two" }] },
      {
        id: "two",
        branch: [
          { when: 'last_call.summary != ""', to: "hot" },
          { when: "last_call.attempts > 0", to: "mild" },
          { when: "last_call.attempts < 5", to: "warm" },
          { otherwise: "cold" },
        ],
      },
      ...exits("hot", "mild", "warm", "cold"),
    ]);
    const [hot, mild] = branchesOf(branch(way, "answered").way);
    expect([hot?.when, mild?.when]).toEqual([["hot"], ["mild"]]);
    expect(branchesOf(branch(way, "answered").way)).toHaveLength(2);
  });

  it("are told apart where the sequence does, and what is not walked is named", () => {
    const { way, untold, ends } = walked([CALL, ...exits("good", "bad", "look")]);
    expect(branchesOf(way).flatMap(({ when }) => when)).toEqual(["answered", "no_answer", "unknown"]);
    expect(untold.get("first")).toEqual([
      "voicemail",
      "busy",
      "failed",
      "invalid_number",
      "opted_out",
      "callback_requested",
    ]);
    expect(ends).toBe(3);
    const assumed = walked(
      [CALL, ...exits("good", "bad", "look")],
      {},
      { assumed: new Map([["first", ["busy"]]]) },
    );
    expect(branchesOf(assumed.way).map(({ when }) => when)).toEqual([["busy"]]);
    expect(branch(assumed.way, "busy").triedMs[1]).toBe(START_MS + 30_000 + DAY_MS);
    const asked = walked([
      { id: "first", call: {} },
      {
        id: "which",
        branch: [{ when: 'last_call.disposition == "voicemail"', to: "machine" }, { otherwise: "good" }],
      },
      ...exits("machine", "good"),
    ]);
    expect(branch(asked.way, "voicemail").way.end).toMatchObject({ outcome: "machine" });
  });

  it("that are the same to the minute are one", () => {
    const { way, ends } = walked([
      {
        id: "tell",
        webhook: { url: "https://crm.example.com/x", secret: "crm" },
        on: { done: "good", failed: "good" },
      },
      ...exits("good"),
    ]);
    expect(branchesOf(way).map(({ when }) => when)).toEqual([["done", "failed"]]);
    expect(ends).toBe(2);
  });

  it("go on at an event at once, and without it at its timeout", () => {
    const { way } = walked([
      {
        id: "hears",
        wait_for: { event: "paid", when: "event.data.sum > 3", timeout: "3d" },
        on: { event: "good", timeout: "bad" },
      },
      ...exits("good", "bad"),
    ]);
    expect(branch(way, "event").way.end).toMatchObject({ outcome: "good", atMs: START_MS });
    expect(branch(way, "timeout").way.end).toMatchObject({ outcome: "bad", atMs: START_MS + 3 * DAY_MS });
  });

  it("take each way of a split, and no other where one is assumed", () => {
    const steps = [
      {
        id: "which",
        split: [
          { weight: 1, to: "good" },
          { weight: 9, to: "bad" },
        ],
      },
      ...exits("good", "bad"),
    ];
    expect(branchesOf(walked(steps).way).map(({ when, way }) => [when, way.end])).toMatchObject([
      [["good"], { outcome: "good" }],
      [["bad"], { outcome: "bad" }],
    ]);
    const assumed = walked(steps, {}, { assumed: new Map([["which", ["good"]]]) });
    expect(branchesOf(assumed.way)).toHaveLength(1);
  });

  it("keep the least gap between calls of different steps, and call nobody who was suppressed on the way", () => {
    const { way } = walked(
      [
        {
          id: "first",
          call: {},
          on: { answered: "second", unknown: "look", opted_out: "second", otherwise: "quiet" },
        },
        { id: "quiet", suppress: { reason: "enough" }, next: "second" },
        { id: "second", call: {}, on: { unknown: "look", refused: "bad", otherwise: "good" } },
        ...exits("good", "bad", "look"),
      ],
      { least_gap: "3h" },
      { assumed: new Map([["second", ["answered"]]]) },
    );
    const second = branch(branch(way, "answered").way, "answered");
    expect(second.triedMs).toEqual([START_MS + 60_000 + 3 * HOUR_MS]);
    for (const when of ["no_answer", "opted_out"]) {
      const [refused] = branchesOf(branch(way, when).way);
      expect(refused).toMatchObject({
        when: ["refused (suppressed)"],
        triedMs: [],
        way: { end: { outcome: "bad" } },
      });
    }
  });

  it("give a call up in time", () => {
    const { way } = walked([
      {
        id: "first",
        call: { give_up_after: "1h", retry: { max_attempts: 3, delays: { no_answer: "2h" } } },
        on: { unknown: "look", not_reached_in_time: "late", otherwise: "good" },
      },
      ...exits("good", "late", "look"),
    ]);
    const given = branch(way, "no_answer until it is given up");
    expect(given.triedMs).toEqual([START_MS]);
    expect(given.way.end).toMatchObject({ outcome: "late", atMs: START_MS + HOUR_MS });
  });

  it("end where they come round, and where nobody could read them all", () => {
    const round = walked([
      { id: "first", call: {}, on: { answered: "good", unknown: "good", otherwise: "later" } },
      { id: "later", wait: { for: "1d" }, next: "first" },
      ...exits("good"),
    ]);
    expect(branch(round.way, "no_answer").way.end).toMatchObject({
      kind: "cut",
      why: "comes to first again",
    });
    const forever = walked(
      [
        { id: "first", call: {}, on: { answered: "good", unknown: "good", otherwise: "later" } },
        { id: "later", wait: { for: "30d" }, next: "first" },
        ...exits("good"),
      ],
      {},
      { assumed: new Map([["first", ["no_answer"]]]) },
    );
    expect(JSON.stringify(forever.way)).toContain("more than 400 days");
    const many = walked([
      ...Array.from({ length: 8 }, (_, n) => ({ id: `c${n}`, wait_for: { event: "x", timeout: "1h" } })),
      ...exits("good"),
    ]);
    expect(many.ends).toBeLessThanOrEqual(80);
    expect(JSON.stringify(many.way)).toContain("more than 64 ends");
  });

  it("are cut where more happens on one than anybody reads, the fork before it included", () => {
    const daily = (first: object) =>
      walked([first, { id: "w", wait: { for: "1h" }, next: "w" }], {}, { assumed: new Map([["f", ["b"]]]) });
    const straight = daily({ id: "f", set: { a: "'x'" } }).way;
    expect(straight.end).toMatchObject({ kind: "cut", why: "more than 200 things on one way" });
    expect(straight.points).toHaveLength(201);
    // A turn of its own for each fork: what is before it counts.
    const split = {
      id: "f",
      split: [
        { weight: 1, to: "b" },
        { weight: 1, to: "w" },
      ],
    };
    const forked = walked(
      [
        { id: "s", set: { a: "'x'" } },
        split,
        { id: "b", wait: { for: "1h" }, next: "b" },
        { id: "w", wait: { for: "1h" }, next: "w" },
      ],
      {},
      { assumed: new Map([["f", ["b"]]]) },
    ).way;
    const [taken] = branchesOf(forked);
    expect(taken?.way.end).toMatchObject({ kind: "cut", why: "more than 200 things on one way" });
    expect([forked.points.length, taken?.way.points.length]).toEqual([0, 201]);
    const waits = (...ids: string[]) => ids.map((id) => ({ id, wait: { for: "1h" } }));
    const later = walked(
      [
        ...waits("p", "q", "r"),
        split,
        { id: "b", wait: { for: "1h" }, next: "b" },
        { id: "w", wait: { for: "1h" }, next: "w" },
      ],
      {},
      { assumed: new Map([["f", ["b"]]]) },
    ).way;
    const before = later.points.length;
    expect(before).toBeGreaterThan(2);
    expect(branchesOf(later)[0]?.way.points).toHaveLength(201 - before);
  });

  it("know how long a call took, and when it ended", () => {
    const long = { when: "last_call.duration_seconds == 60 && last_call.ended_at != ''", to: "good" };
    const { way } = walked([
      { id: "first", call: {}, on: { unknown: "which", otherwise: "which" } },
      { id: "which", branch: [long, { otherwise: "bad" }] },
      ...exits("good", "bad"),
    ]);
    expect(branch(way, "answered").way.end).toMatchObject({ outcome: "good" });
    expect(branch(way, "no_answer").way.end).toMatchObject({ outcome: "bad" });
  });

  it("end by the reason of a refusal where the sequence does not speak of it", () => {
    const { way } = walked([
      { id: "quiet", suppress: { reason: "enough" } },
      { id: "first", call: {}, on: { unknown: "good", otherwise: "good" } },
      ...exits("good"),
    ]);
    const refused = branch(way, "refused (suppressed)");
    expect(refused.way.end).toMatchObject({ kind: "done", outcome: "refused", reason: "suppressed" });
    expect(branchesOf(way)).toHaveLength(1);
  });

  it("are each taken by an automation, and by a webhook but for one that nobody knows of", () => {
    const words = (step: object) =>
      branchesOf(walked([{ id: "a", ...step }, ...exits("good")]).way).flatMap(({ when }) => when);
    expect(words({ automation: { workflow_id: "w" } })).toEqual(["done", "failed", "unknown"]);
    expect(words({ webhook: { url: "https://example.com/" } })).toEqual(["done", "failed"]);
  });

  it("lead where what an automation or a webhook came to leads", () => {
    const on = { done: "good", failed: "bad" };
    const webhook = walked([
      { id: "a", webhook: { url: "https://example.com/" }, on },
      ...exits("good", "bad"),
    ]);
    const led = branchesOf(webhook.way).map(({ when, way: { end } }) => [when, end]);
    expect(led).toMatchObject([
      [["done"], { kind: "done", outcome: "good", atMs: START_MS }],
      [["failed"], { kind: "done", outcome: "bad", atMs: START_MS }],
    ]);
  });

  it("keep nobody from a call for what only people are told of", () => {
    const { way } = walked(
      [{ id: "first", call: {}, on: { unknown: "good", otherwise: "good" } }, ...exits("good")],
      {
        goals: [{ when: "variables.nobody_has_it == 'x'", outcome: "won" }],
      },
    );
    expect(way.points.map(({ what }) => what)).toContain("problem");
    expect(branchesOf(way).flatMap(({ when }) => when)).toContain("answered");
  });

  it("remember the events on them", () => {
    const { way } = walked([
      { id: "hears", wait_for: { event: "paid", timeout: "3d" } },
      {
        id: "which",
        branch: [{ when: "events.exists(e, e.name == 'paid')", to: "good" }, { otherwise: "bad" }],
      },
      ...exits("good", "bad"),
    ]);
    expect(branch(way, "event").way.end).toMatchObject({ outcome: "good" });
    expect(branch(way, "timeout").way.end).toMatchObject({ outcome: "bad" });
  });

  it("are cut where more happens on one than anybody reads, round after round of calls", () => {
    const { way } = walked(
      [
        { id: "first", call: {}, on: { unknown: "noted", otherwise: "noted" } },
        { id: "noted", wait: { for: "1h" }, next: "first" },
      ],
      { window: "always", least_gap: "0s" },
      { assumed: new Map([["first", ["no_answer"]]]) },
    );
    expect(JSON.stringify(way)).toContain("more than 200 things on one way");
  });

  it("name what may be assumed at each step", () => {
    const assumable = (step: object) => {
      const both = "split" in step || "branch" in step;
      const [first] = read([{ id: "x", ...step }, ...exits("good", ...(both ? ["bad"] : []))]).steps;
      return first && assumableAt(first);
    };
    expect(assumable({ call: {} })).toEqual(expect.arrayContaining(["answered", "no_answer", "unknown"]));
    expect(assumable({ wait_for: { event: "x", timeout: "1h" } })).toEqual(["event", "timeout"]);
    expect(assumable({ automation: { workflow_id: "w" } })).toEqual(["done", "failed", "unknown"]);
    expect(assumable({ webhook: { url: "https://example.com/" } })).toEqual(["done", "failed"]);
    const split = [
      { weight: 1, to: "good" },
      { weight: 1, to: "bad" },
    ];
    expect(assumable({ split })).toEqual(["good", "bad"]);
    const open = { when: "last_call.analysis.x == 1", to: "good" };
    expect(assumable({ branch: [open, { otherwise: "bad" }] })).toEqual(["good", "bad"]);
    const closed = { when: "variables.x == '1'", to: "good" };
    expect(assumable({ branch: [closed, { otherwise: "bad" }] })).toBeUndefined();
    expect(assumable({ wait: { for: "1d" } })).toBeUndefined();
  });

  it("tell what the person lacks", () => {
    const { way } = walked([{ id: "grace", wait: { until_date: "variables.due" } }, ...exits("good")]);
    expect(way.end).toMatchObject({ kind: "done", outcome: "failed" });
    expect(way.end.kind === "done" && way.end.reason).toContain("due");
  });
});
