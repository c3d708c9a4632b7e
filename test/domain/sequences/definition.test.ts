import { readFileSync } from "node:fs";

import { parse } from "yaml";
import { describe, expect, it } from "vitest";

import type { SpecProblem } from "../../../src/domain/ground/spec-problems.ts";
import { callSpecsOf, readSequence, readStoredSequence } from "../../../src/domain/sequences/definition.ts";
import { AGENT, read, written } from "./support.ts";

const END = { id: "end", exit: { outcome: "over" } };
const CALL = { id: "first", call: {} };
const WAIT = { id: "first", wait: { for: "1d" } };
const HOOK = { url: "https://example.com/hook" };

function problems(steps: readonly object[], changes: object = {}): SpecProblem[] {
  const reading = readSequence(written(steps, changes));
  return reading.ok ? [] : reading.problems;
}

it("tells what fields say to each other beside what is wrong with others", () => {
  const told = problems(
    [
      { id: "a", call: { concurency: 1 } },
      { id: "a", wait: { for: "soon" } },
    ],
    {
      from_numbers: undefined,
      presets: ["us-states"],
      override: [{ rule: "us-fl.cals", reason: "short" }],
      concurrency: 0,
    },
  ).map(({ field }) => field);
  expect(told).toEqual(
    expect.arrayContaining([
      "concurrency",
      "override[0].reason",
      "override[0].rule",
      "steps[0].call.from_numbers",
      "steps[0].call.concurency",
      "steps[1].id",
      "steps[1].wait.for",
    ]),
  );
});

describe("every mistake is found once, and named where its author finds it", () => {
  it.each<[what: string, steps: readonly object[], changes: object, field: string, problem: RegExp]>([
    ["no steps", [], {}, "steps", /must have 1 or more/],
    ["no name", [END], { name: undefined }, "name", /is missing/],
    ["a name that no campaign may have", [END], { name: "a/b" }, "name", /may hold letters/],
    ["an unknown field", [END], { goal: [] }, "goal", /is not a field of a sequence/],
    [
      "an unknown field of a step",
      [{ ...END, afterwards: "x" }],
      {},
      "steps[0].afterwards",
      /is not a field of a step/,
    ],
    [
      "an unknown field of what a step does",
      [{ id: "a", call: { colour: "red" } }, END],
      {},
      "steps[0].call.colour",
      /is not a field of a call step/,
    ],
    ["an id with spaces", [{ ...END, id: "the end" }], {}, "steps[0].id", /lower-case letters/],
    ["a step that does nothing", [{ id: "a" }], {}, "steps[0]", /exactly one of call, wait/],
    [
      "a step that does two things",
      [{ ...WAIT, exit: { outcome: "x" } }],
      {},
      "steps[0]",
      /exactly one of .* not wait and exit/,
    ],
    ["the same id twice", [WAIT, { ...END, id: "first" }], {}, "steps[1].id", /is the id of steps\[0\], too/],
    [
      "an unknown next",
      [{ ...WAIT, next: "ned" }, END],
      {},
      "steps[0].next",
      /names ned, which is no step: there are first, end/,
    ],
    [
      "an unknown target",
      [{ id: "b", branch: [{ when: "true", to: "x" }, { otherwise: "end" }] }, END],
      {},
      "steps[0].branch[0].to",
      /names x/,
    ],
    [
      "a step that nothing leads to",
      [{ ...WAIT, next: "end" }, { id: "lost", wait: { for: "1h" } }, END],
      {},
      "steps[1]",
      /is never reached: no step leads to lost/,
    ],
    [
      "a next that is never taken",
      [{ ...END, next: "end" }],
      {},
      "steps[0].next",
      /is never taken after exit/,
    ],
    [
      "an `on` for a step without ways",
      [{ ...WAIT, on: { problem: "end" } }, END],
      {},
      "steps[0].on",
      /is not asked by this step: use next/,
    ],
    [
      "an `on` with a way that never comes",
      [{ ...CALL, on: { answerd: "end", unknown: "end", otherwise: "end" } }, END],
      {},
      "steps[0].on.answerd",
      /never happens here \(is answered meant\?\): there are answered/,
    ],
    [
      "a call that leaves outcomes open",
      [{ ...CALL, on: { answered: "end", unknown: "end" } }, END],
      {},
      "steps[0].on",
      /says nothing of voicemail, no_answer, .* otherwise/,
    ],
    [
      "an unknown outcome swept into otherwise",
      [{ ...CALL, on: { otherwise: "end" } }, END],
      {},
      "steps[0].on",
      /says nothing of unknown: name a step for it/,
    ],
    [
      "a wait for an event without a timeout",
      [{ id: "a", wait_for: { event: "x" } }],
      {},
      "steps[0].wait_for.timeout",
      /is missing/,
    ],
    [
      "an `on` that lacks the timeout",
      [{ id: "a", wait_for: { event: "x", timeout: "1d" }, on: { event: "end" } }, END],
      {},
      "steps[0].on",
      /says nothing of timeout/,
    ],
    [
      "an `on` of an automation that lacks ways",
      [{ id: "a", automation: { workflow_id: "w" }, on: { done: "end" } }, END],
      {},
      "steps[0].on",
      /says nothing of failed, unknown/,
    ],
    [
      "an `on` of a webhook with too many ways",
      [{ id: "a", webhook: HOOK, on: { done: "end", failed: "end", unknown: "end" } }, END],
      {},
      "steps[0].on.unknown",
      /never happens here: there are done, failed/,
    ],
    [
      "a branch without otherwise",
      [
        {
          id: "b",
          branch: [
            { when: "true", to: "end" },
            { when: "false", to: "end" },
          ],
        },
        END,
      ],
      {},
      "steps[0].branch",
      /has no otherwise/,
    ],
    [
      "an otherwise that is not last",
      [{ id: "b", branch: [{ otherwise: "end" }, { when: "true", to: "end" }, { otherwise: "end" }] }, END],
      {},
      "steps[0].branch[0].otherwise",
      /must come last/,
    ],
    [
      "a condition that is none",
      [{ id: "b", branch: [{ when: "1", to: "end" }, { otherwise: "end" }] }, END],
      {},
      "steps[0].branch[0].when",
      /is a whole number where a condition is wanted/,
    ],
    [
      "a weight of nothing",
      [
        {
          id: "s",
          split: [
            { weight: 0, to: "end" },
            { weight: 1, to: "end" },
          ],
        },
        END,
      ],
      {},
      "steps[0].split[0].weight",
      /must be more than 0/,
    ],
    [
      "a split with one way",
      [{ id: "s", split: [{ weight: 1, to: "end" }] }, END],
      {},
      "steps[0].split",
      /must have 2 or more/,
    ],
    [
      "a wait that says two things",
      [{ id: "w", wait: { for: "1d", until: "10:00" } }],
      {},
      "steps[0].wait",
      /exactly one of for, until, business_days and until_date/,
    ],
    ["a wait that says nothing", [{ id: "w", wait: {} }], {}, "steps[0].wait", /exactly one of/],
    [
      "days without a time",
      [{ id: "w", wait: { for: "1d", days: "weekdays" } }],
      {},
      "steps[0].wait.days",
      /goes with until only/,
    ],
    [
      "a time of day beside a duration",
      [{ id: "w", wait: { for: "1d", at: "10:00" } }],
      {},
      "steps[0].wait.at",
      /goes with until_date and business_days only/,
    ],
    [
      "a way for a problem that goes round without a wait",
      [{ id: "w", wait: { business_days: 1 }, on: { problem: "w" } }, END],
      {},
      "steps[0]",
      /goes round without a pause/,
    ],
    [
      "no business day",
      [{ id: "w", wait: { business_days: 0 } }],
      {},
      "steps[0].wait.business_days",
      /1 or more/,
    ],
    [
      "business days of more than a year",
      [{ id: "w", wait: { business_days: 251 } }],
      {},
      "steps[0].wait.business_days",
      /250/,
    ],
    [
      "a time that no day has",
      [{ id: "w", wait: { until: "24:30" } }],
      {},
      "steps[0].wait.until",
      /time of day/,
    ],
    [
      "no day at all",
      [{ id: "w", wait: { until: "10:00", days: [] } }],
      {},
      "steps[0].wait.days",
      /must have 1 or more|weekdays, weekend, or a list/,
    ],
    [
      "an offset that is none",
      [{ id: "w", wait: { until_date: "variables.d", offset: "soon" } }],
      {},
      "steps[0].wait.offset",
      /\+ or - before it/,
    ],
    ["a wait of no length", [{ id: "w", wait: { for: "0s" } }], {}, "steps[0].wait.for", /from 1s to 366d/],
    ["a wait for years", [{ id: "w", wait: { for: "400d" } }], {}, "steps[0].wait.for", /from 1s to 366d/],
    ["an exit without an outcome", [{ id: "e", exit: {} }], {}, "steps[0].exit.outcome", /is missing/],
    [
      "an outcome that is no word",
      [{ id: "e", exit: { outcome: "Won it!" } }],
      {},
      "steps[0].exit.outcome",
      /lower-case letters/,
    ],
    [
      "an expression that can't be read",
      [{ id: "x", set: { a: "1 +" } }],
      {},
      "steps[0].set.a",
      /can't be read/,
    ],
    [
      "a variable of another place",
      [{ id: "x", set: { a: "payload.x" } }],
      {},
      "steps[0].set.a",
      /knows no payload/,
    ],
    [
      "an event condition in the wrong words",
      [{ id: "a", wait_for: { event: "x", when: "event.datum == 1", timeout: "1d" } }],
      {},
      "steps[0].wait_for.when",
      /event has name, data, at/,
    ],
    [
      "a goal that is no condition",
      [END],
      { goals: [{ when: "variables.x", outcome: "won" }] },
      "goals[0].when",
      /is text where a condition is wanted/,
    ],
    [
      "an exit condition without an outcome",
      [END],
      { exit_when: [{ when: "true" }] },
      "exit_when[0].outcome",
      /is missing/,
    ],
    [
      "calls without an agent",
      [CALL],
      { agent_id: undefined },
      "steps[0].call.agent_id",
      /give it here, or once for the whole sequence/,
    ],
    [
      "calls without a number",
      [CALL],
      { from_numbers: undefined },
      "steps[0].call.from_numbers",
      /is missing: give it here/,
    ],
    ["a number that is none", [CALL], { from_numbers: ["0301234"] }, "from_numbers[0]", /E\.164/],
    [
      "a window that never opens",
      [{ id: "c", call: { window: { monday: [] } } }],
      {},
      "steps[0].call.window",
      /opens on no day/,
    ],
    [
      "a follow-up of a call that is none",
      [{ id: "c", call: { follow_ups: [{ id: "f", actions: [] }] } }],
      {},
      "steps[0].call.follow_ups[0].actions",
      /must have 1 or more/,
    ],
    ["a default that is no text", [END], { variables: { plan: 3 } }, "variables.plan", /must be text/],
    [
      "parallel without a key",
      [END],
      { re_enrolment: { policy: "parallel" } },
      "re_enrolment.key",
      /is missing/,
    ],
    [
      "a key without parallel",
      [END],
      { re_enrolment: { policy: "ignore", key: "contact.phone" } },
      "re_enrolment.key",
      /parallel only/,
    ],
    [
      "a delay without a reschedule",
      [END],
      { inbound: { do: "close", delay: "1h" } },
      "inbound.delay",
      /reschedule only/,
    ],
    [
      "times without a reschedule",
      [END],
      { inbound: { do: "ignore", times: 2 } },
      "inbound.times",
      /reschedule only/,
    ],
    [
      "an outcome without a close",
      [END],
      { inbound: { do: "reschedule", outcome: "spoke" } },
      "inbound.outcome",
      /do: close only/,
    ],
    [
      "an offset of more than a year",
      [{ id: "w", wait: { until_date: "variables.d", offset: "-367d" } }],
      {},
      "steps[0].wait.offset",
      /up to 366d/,
    ],
    [
      "an offset of no date",
      [{ id: "w", wait: { until: "10:00", offset: "+1d" } }],
      {},
      "steps[0].wait.offset",
      /goes with until_date only/,
    ],
    [
      "a step of more variables than a hundred",
      [{ id: "s", set: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`v${n}`, "'x'"])) }],
      {},
      "steps[0].set",
      /100 variables at most/,
    ],
    [
      "a next behind a branch",
      [{ id: "b", branch: [{ when: "true", to: "end" }, { otherwise: "end" }], next: "end" }, END],
      {},
      "steps[0].next",
      /never taken after branch/,
    ],
    [
      "a next behind a split",
      [
        {
          id: "s",
          split: [
            { weight: 1, to: "end" },
            { weight: 1, to: "end" },
          ],
          next: "end",
        },
        END,
      ],
      {},
      "steps[0].next",
      /never taken after split/,
    ],
    [
      "an `on` of a branch",
      [{ id: "b", branch: [{ when: "true", to: "end" }, { otherwise: "end" }], on: { problem: "end" } }, END],
      {},
      "steps[0].on",
      /its ways stand in it/,
    ],
    [
      "an `on` of a split",
      [
        {
          id: "s",
          split: [
            { weight: 1, to: "end" },
            { weight: 1, to: "end" },
          ],
          on: { problem: "end" },
        },
        END,
      ],
      {},
      "steps[0].on",
      /its ways stand in it/,
    ],
    [
      "an `on` that lacks several ways",
      [{ id: "a", automation: { workflow_id: "w" }, on: { done: "end" } }, END],
      {},
      "steps[0].on",
      /^says nothing of failed, unknown: name a step for each$/,
    ],
    [
      "an `on` of a webhook that lacks a way",
      [{ id: "a", webhook: HOOK, on: { done: "end" } }, END],
      {},
      "steps[0].on",
      /^says nothing of failed: name a step for it$/,
    ],
    [
      "a call's `on` that lacks an outcome alone",
      [{ ...CALL, on: { otherwise: "end", unknown: "end", nothing: "end" } }, END],
      {},
      "steps[0].on.nothing",
      /never happens here/,
    ],
    [
      "a way to no step among more than are named",
      [
        { ...WAIT, next: "x" },
        ...Array.from({ length: 13 }, (_, n) => ({ id: `w${n}`, wait: { for: "1d" } })),
      ],
      {},
      "steps[0].next",
      /^names x, which is no step.*: there are first, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10 and others$/,
    ],
    [
      "a way to no step among as many as are named",
      [
        { ...WAIT, next: "x" },
        ...Array.from({ length: 11 }, (_, n) => ({ id: `w${n}`, wait: { for: "1d" } })),
      ],
      {},
      "steps[0].next",
      /: there are first, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10$/,
    ],
    [
      "a round that does not begin with the first step",
      [
        { id: "a", set: { x: "'1'" } },
        { id: "b", set: { x: "'1'" } },
        { id: "c", set: { x: "'1'" }, next: "b" },
      ],
      {},
      "steps[2]",
      /goes round without a pause \(b → c → b\)/,
    ],
    [
      "a round that two ways lead into, once",
      [
        { id: "a", branch: [{ when: "true", to: "b" }, { otherwise: "c" }] },
        { id: "b", set: { x: "'1'" } },
        { id: "c", set: { x: "'1'" }, next: "b" },
      ],
      {},
      "steps[2]",
      /goes round without a pause/,
    ],
    [
      "an unknown next behind an `on` that speaks of everything",
      [{ ...CALL, on: { otherwise: "end", unknown: "end" }, next: "nowhere" }, END],
      {},
      "steps[0].next",
      /names nowhere/,
    ],
    [
      "a call that leaves unknown and other outcomes open",
      [{ ...CALL, on: { answered: "end" } }, END],
      {},
      "steps[0].on",
      /name a step for each, or one for otherwise and one for unknown$/,
    ],
    [
      "a webhook that goes nowhere",
      [{ id: "h", webhook: { url: "ftp://x" } }],
      {},
      "steps[0].webhook.url",
      /http/,
    ],
  ])("%s", (_, steps, changes, field, problem) => {
    const found = problems(steps, changes);
    expect(found).toEqual([{ field, problem: expect.stringMatching(problem) }]);
  });

  it("and all of them at once, those of the way included", () => {
    const found = problems(
      [
        { id: "a", wait: { for: "soon" }, next: "nowhere" },
        { id: "b", branch: [{ when: "1 +", to: "b" }, { otherwise: "b" }] },
        { id: "b", exit: { outcome: "x" }, why: 1 },
      ],
      { concurrency: 0, goals: [{ when: "true" }] },
    );
    expect(found.map(({ field }) => field).sort()).toEqual([
      "concurrency",
      "goals[0].outcome",
      "steps[0].next",
      "steps[0].wait.for",
      "steps[1].branch[0].when",
      "steps[2].id",
      "steps[2].why",
    ]);
  });

  it("a way to what is no text is told once", () => {
    const branch = [{ when: "true", to: 7 }, { otherwise: "end" }];
    expect(problems([{ id: "b", branch }, END]).filter(({ problem }) => problem.startsWith("names"))).toEqual(
      [],
    );
    const on = { answered: 7, otherwise: "end", unknown: "end" };
    expect(problems([{ ...CALL, on }, END]).filter(({ problem }) => problem.startsWith("names"))).toEqual([]);
  });

  it("the same id three times is told of the first", () => {
    const told = problems([WAIT, { ...END, id: "first" }, { ...END, id: "first" }]);
    expect(told.map(({ field, problem }) => [field, problem.slice(0, 24)])).toEqual([
      ["steps[1].id", "is the id of steps[0], t"],
      ["steps[2].id", "is the id of steps[0], t"],
    ]);
  });

  it("an offset and a hundred variables at their bounds are none", () => {
    const set = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`v${n}`, "'x'"]));
    expect(
      problems([
        { id: "w", wait: { until_date: "variables.d", offset: "-366d" } },
        { id: "s", set },
      ]),
    ).toEqual([]);
  });

  it("steps whose ids can't be told apart are told by themselves alone", () => {
    const told = problems([{ wait: { for: "1d" }, next: "nowhere" }, { ...WAIT, next: "nowhere" }, END]);
    expect(told.map(({ field }) => field)).toEqual(["steps[0].id"]);
  });

  it("a step's call that names an agent needs none of the sequence", () => {
    const call = { agent_id: AGENT, from_numbers: ["+12025550100"] };
    const without = { agent_id: undefined, from_numbers: undefined };
    expect(problems([{ id: "c", call }], without)).toEqual([]);
    expect(problems([{ id: "c", call: { ...call, agent_id: undefined } }], without)).toHaveLength(1);
    expect(problems([{ id: "c", call: null }], without).map(({ field }) => field)).toEqual(["steps[0].call"]);
  });

  it("an override is told where it stands, of what its own step comes to", () => {
    const override = [{ rule: "us-fl.nothing", reason: "a reason that is long enough" }];
    const presets = ["us-states"];
    expect(problems([CALL], { presets, override }).map(({ field }) => field)).toEqual(["override[0].rule"]);
    expect(problems([{ id: "first", call: { override } }], { presets }).map(({ field }) => field)).toEqual([
      "steps[0].call.override[0].rule",
    ]);
    expect(problems([{ id: "first", call: { presets } }], { override }).map(({ field }) => field)).toEqual([
      "override[0].rule",
    ]);
  });

  it.each([
    ["nothing", undefined],
    ["a text", "steps"],
    ["a list", []],
    ["steps that are no list", { name: "x", steps: {} }],
    ["steps of texts", { name: "x", steps: ["a"] }],
    ["steps of nothing", { name: "x", steps: [null] }],
    ["ways of texts", { name: "x", steps: [{ id: "b", branch: ["x"], split: ["y"] }] }],
  ])("%s is no sequence, and no crash", (_, value) => {
    expect(readSequence(value)).toMatchObject({ ok: false });
  });

  it("a definition that is too large, or goes round in a circle, is refused as a whole", () => {
    const large = written([END], {
      variables: Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`v${n}`, "x".repeat(900)])),
    });
    expect(readSequence(large)).toMatchObject({
      ok: false,
      problems: [{ field: "the sequence", problem: expect.stringMatching(/65536 at most/) }],
    });
    const round: Record<string, unknown> = { name: "x" };
    round["steps"] = [round];
    expect(readSequence(round)).toMatchObject({ problems: [{ problem: expect.stringMatching(/circle/) }] });
    const many = Array.from({ length: 201 }, (_, n) => ({ id: `s${n}`, wait: { for: "1h" } }));
    expect(problems(many)).toEqual([{ field: "steps", problem: "may have 200 at most" }]);
  });
});

describe("a round has to have a pause", () => {
  const back = { id: "again", branch: [{ when: 'variables.x == "y"', to: "first" }, { otherwise: "end" }] };

  it.each<[string, object]>([
    ["a variable", { id: "first", set: { x: '"y"' } }],
    ["a webhook", { id: "first", webhook: HOOK }],
    ["an automation", { id: "first", automation: { workflow_id: "w" } }],
    ["a date, which may be over already", { id: "first", wait: { until_date: "variables.d" } }],
    ["a call, which may be over at once", CALL],
    ["a call that was refused", { ...CALL, on: { refused: "again", unknown: "end", otherwise: "end" } }],
    ["a call of some outcome", { ...CALL, on: { answered: "end", unknown: "end", otherwise: "again" } }],
  ])("%s is none", (_, step) => {
    expect(problems([step, back, END])).toEqual([
      {
        field: expect.stringMatching(/^steps\[[01]\]$/),
        problem: expect.stringMatching(
          /goes round without a pause \(first.*→ first\): put a wait or a wait_for/,
        ),
      },
    ]);
  });

  it.each<[string, object]>([
    ["a wait", WAIT],
    ["a time of day", { id: "first", wait: { until: "10:00" } }],
    ["an event", { id: "first", wait_for: { event: "x", timeout: "1h" } }],
  ])("%s is one", (_, step) => {
    expect(problems([step, back, END])).toEqual([]);
  });

  it("also where a step leads to itself", () => {
    expect(problems([{ id: "a", set: { x: '"1"' }, next: "a" }])).toEqual([
      { field: "steps[0]", problem: expect.stringMatching(/\(a → a\)/) },
    ]);
    const on = { answered: "end", unknown: "end", otherwise: "first" };
    expect(problems([{ ...CALL, on }, END])).toEqual([
      { field: "steps[0]", problem: expect.stringMatching(/\(first → first\)/) },
    ]);
  });

  it("which one that is stored already need not have: it is read as it is", () => {
    const value = written([{ ...CALL, on: { answered: "end", unknown: "end", otherwise: "first" } }, END]);
    expect(readSequence(value)).toMatchObject({ ok: false });
    expect(readStoredSequence(value)).toMatchObject({ ok: true, definition: { steps: [CALL, END] } });
    expect(readStoredSequence({ ...value, goal: [] })).toMatchObject({ ok: false });
  });
});

describe("a definition that was read", () => {
  it("says everything that was left out, and reading it again changes nothing", () => {
    const definition = read([CALL]);
    expect(definition).toMatchObject({
      brand: "default",
      variables: {},
      re_enrolment: { policy: "ignore" },
      inbound: { do: "ignore" },
      goals: [],
      exit_when: [],
    });
    const again = readSequence(JSON.parse(JSON.stringify(definition)));
    expect(again).toEqual({ ok: true, definition });
  });

  it("asks for each call step as an ordinary campaign: what the step says, else the sequence, else the usual", () => {
    const definition = read(
      [
        {
          id: "a",
          call: {
            retry: { max_attempts: 3, delays: { no_answer: "1h" } },
            concurrency: 2,
            follow_ups: [{ id: "f", actions: [{ tag: { tag: "called" } }] }],
          },
        },
        { id: "b", call: { agent_id: "other", window: "always" } },
      ],
      {
        brand: "acme",
        window: { weekdays: ["10:00-11:00"] },
        default_region: "DE",
        retry: { max_attempts: 2, delays: { busy: "5m" } },
      },
    );
    expect(callSpecsOf(definition)).toMatchObject([
      {
        stepId: "a",
        spec: {
          name: "welcome.a",
          brand: "acme",
          agent_id: AGENT,
          from_numbers: ["+12025550100"],
          concurrency: 2,
          default_region: "DE",
          window: { weekdays: ["10:00-11:00"] },
          retry: { max_attempts: 3, delays: { no_answer: "1h" } },
          follow_ups: [{ id: "f" }],
        },
      },
      {
        stepId: "b",
        spec: {
          name: "welcome.b",
          agent_id: "other",
          concurrency: 5,
          window: "always",
          retry: { max_attempts: 2 },
        },
      },
    ]);
  });

  it("has calls go by those who take transfers, and by agents that change, as campaigns do", () => {
    const transfers = { capacity: 4, expect: 0.2, talk: "6m" };
    const definition = read(
      [
        { id: "a", call: {} },
        { id: "b", call: { on_agent_change: "tell", transfers: { ...transfers, team: "sales" } } },
      ],
      { transfers, on_agent_change: "pause" },
    );
    expect(callSpecsOf(definition)).toMatchObject([
      { spec: { transfers, on_agent_change: "pause" } },
      { spec: { transfers: { ...transfers, team: "sales" }, on_agent_change: "tell" } },
    ]);
  });

  it("names its campaigns within the bounds that campaigns have", () => {
    const definition = read([{ id: "a".repeat(50), call: {} }], {
      name: `${"n".repeat(48)} ${"n".repeat(51)}`,
    });
    expect(callSpecsOf(definition)[0]?.spec.name).toBe(`${"n".repeat(48)}.${"a".repeat(50)}`);
  });
});

describe("the examples", () => {
  it.each(["trial-welcome", "overdue-invoice", "hubspot-deal-follow-up"])("%s is a sequence", (name) => {
    const text = readFileSync(new URL(`../../../examples/sequences/${name}.yaml`, import.meta.url), "utf8");
    const reading = readSequence(parse(text));
    expect(reading).toMatchObject({ ok: true, definition: { name } });
  });
});
