import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readFlowchart } from "../../dashboard/src/pages/sequences/flowchart.ts";
import { chartOf } from "../../dashboard/src/pages/sequences/editor/draft-chart.ts";
import {
  KINDS,
  stepOfField,
  stepsOf,
  stepText,
  withEntry,
  withField,
  withKey,
  withoutStep,
  withStepAfter,
  withStepCalled,
  withStepMoved,
  withStepText,
} from "../../dashboard/src/pages/sequences/editor/draft.ts";
import { redone, undone, written } from "../../dashboard/src/pages/sequences/editor/history.ts";
import { stepsOnWay, wholeWays } from "../../dashboard/src/pages/sequences/editor/rehearsed-ways.ts";
import { BY_TEXT, FIELDS, WAYS } from "../../dashboard/src/pages/sequences/editor/step-fields.ts";
import { readSequence } from "../../src/domain/sequences/definition.ts";
import { mermaidOf } from "../../src/domain/sequences/diagram.ts";
import { DISPOSITIONS } from "../../src/domain/policy/disposition.ts";

const ROOT = path.dirname(path.dirname(import.meta.dirname));
const EXAMPLES = path.join(ROOT, "examples/sequences");

const examples = fs
  .readdirSync(EXAMPLES)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, fs.readFileSync(path.join(EXAMPLES, name), "utf8")] as const);

/** What the sequence is to everybody else. @throws where it is none */
function readOf(text: string) {
  const reading = readSequence(parse(text));
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

const TEXT = `# Whoever is late.
name: late
agent_id: a
from_numbers: ["+12025550100"]
steps:
  - id: wait # a day of grace
    wait: { for: 1d }
  - id: call
    call: {}
    on: { answered: end, unknown: end, otherwise: which }
  - id: which
    branch:
      - { when: 'variables.tier == "gold"', to: wait }
      - { otherwise: end }
  - id: end
    exit: { outcome: done }
`;

const ids = (text: string) => stepsOf(parse(text)).map(({ id }) => id);

describe("a sequence that is being written", () => {
  it.each(examples)("is drawn as the API draws it: %s", (_, text) => {
    const { nodes, edges } = readFlowchart(mermaidOf(readOf(text)));
    const drawn = chartOf(parse(text));
    expect(drawn.nodes).toEqual(nodes);
    expect(new Set(drawn.edges.map((edge) => JSON.stringify(edge)))).toEqual(
      new Set(edges.map((edge) => JSON.stringify(edge))),
    );
  });

  it("is drawn as the API draws it, whichever kinds of steps it has", () => {
    const text = `name: all of them
agent_id: a
from_numbers: ["+12025550100"]
steps:
  - { id: a, wait: { business_days: 2, at: "09:00" }, on: { problem: g } }
  - { id: b, wait: { until_date: variables.due, offset: -3d, at: "10:00" } }
  - { id: c, wait: { until: "10:00", days: [monday, friday] }, next: d }
  - { id: d, set: { n: '"1"', m: '"2"' }, on: { problem: g } }
  - { id: e, webhook: { url: { secret: crm } }, on: { done: f, failed: g } }
  - { id: f, split: [{ weight: 1, to: g }, { weight: 2.5, to: h }] }
  - { id: g, suppress: { reason: "asked" } }
  - { id: h, automation: { workflow_id: w1 } }
`;
    const { nodes, edges } = readFlowchart(mermaidOf(readOf(text)));
    expect(chartOf(parse(text))).toEqual({ nodes, edges });
  });

  it("is drawn, whatever is wrong with it", () => {
    for (const wrong of ["", "steps: 3", "steps: [1, { id: a }, { id: a, wait: , call: {} }]", "name: [x]"])
      expect(() => chartOf(parse(wrong))).not.toThrow();
    expect(chartOf({ steps: [{ id: "a", exit: {}, wait: {} }] }).nodes[1]?.does).toBe("?");
  });

  it("keeps comments and everything that a change is not about", () => {
    const changed = withField(TEXT, ["steps", 0, "wait", "for"], "2d");
    expect(changed).toContain("# Whoever is late.");
    expect(changed).toContain("# a day of grace");
    expect(parse(changed)).toEqual({
      ...parse(TEXT),
      steps: [{ id: "wait", wait: { for: "2d" } }, ...parse(TEXT).steps.slice(1)],
    });
    expect(withField(TEXT, ["steps", 1, "call", "give_up_after"], "3d")).toContain("give_up_after: 3d");
    // What a step does stands there with nothing behind it.
    const bare = "steps:\n  - id: call\n    call:\n";
    expect(parse(withField(bare, ["steps", 0, "call", "give_up_after"], "3d"))).toEqual({
      steps: [{ id: "call", call: { give_up_after: "3d" } }],
    });
  });

  it("has no empty rest of what was taken out, and keeps what says something by being empty", () => {
    const on = "steps:\n  - id: a\n    wait_for: { event: x, timeout: 1d }\n    on: { event: b }\n";
    expect(parse(withField(on, ["steps", 0, "on", "event"], undefined)).steps[0]).toEqual({
      id: "a",
      wait_for: { event: "x", timeout: "1d" },
    });
    const call = "steps:\n  - id: a\n    call: { give_up_after: 1d }\n";
    expect(parse(withField(call, ["steps", 0, "call", "give_up_after"], undefined)).steps[0]).toEqual({
      id: "a",
      call: {},
    });
  });

  it.each(KINDS)("takes a new step in its midst, and every way goes through it: %s", (kind) => {
    const { text, index } = withStepAfter(TEXT, 0, kind);
    expect(index).toBe(1);
    const [, added] = stepsOf(parse(text));
    expect(added).toMatchObject({ kind });
    expect(new Set(ids(text)).size, "no two of one name").toBe(5);
    const { ok, ...reading } = readSequence(parse(text));
    // What only a person can say is left to be said.
    const problems = ok || !("problems" in reading) ? [] : reading.problems;
    expect(problems.filter(({ field }) => !/workflow_id|webhook\.url|is never reached/.test(field))).toEqual(
      problems.filter(({ problem }) => problem.includes("is never reached")),
    );
  });

  it("goes on to a new step from where it went on to another", () => {
    const text =
      "name: x\nsteps:\n  - { id: a, wait: { for: 1d }, next: c }\n  - { id: b, exit: { outcome: x } }\n  - { id: c, wait: { for: 1d }, next: b }\n";
    const { text: changed } = withStepAfter(text, 0, "set");
    expect(parse(changed).steps.slice(0, 2)).toEqual([
      { id: "a", wait: { for: "1d" }, next: "set" },
      { id: "set", set: { reminders: '"1"' }, next: "c" },
    ]);
  });

  it("leads past a step that was taken out", () => {
    const changed = withoutStep(TEXT, 0);
    expect(ids(changed)).toEqual(["call", "which", "end"]);
    expect(parse(changed).steps[1].branch[0]).toMatchObject({ to: "call" });
    // Where a step led to several, nobody can tell: it stays to be seen.
    expect(parse(withoutStep(TEXT, 2)).steps[1].on).toMatchObject({ otherwise: "which" });
  });

  it("calls a step otherwise wherever it is spoken of", () => {
    const changed = withStepCalled(TEXT, 3, "over");
    expect(ids(changed)).toEqual(["wait", "call", "which", "over"]);
    expect(parse(changed).steps[1].on).toEqual({ answered: "over", unknown: "over", otherwise: "which" });
    expect(parse(changed).steps[2].branch[1]).toEqual({ otherwise: "over" });
    expect(changed).not.toMatch(/\bend\b/);
    expect(() => withStepCalled(TEXT, 3, "wait")).toThrow("another step is called wait");
    expect(() => withStepCalled(TEXT, 3, "")).toThrow("a step has a name");
  });

  it("moves steps, and takes a step's own YAML with its comments", () => {
    expect(ids(withStepMoved(TEXT, 1, -1))).toEqual(["call", "wait", "which", "end"]);
    expect(ids(withStepMoved(TEXT, 1, 1))).toEqual(["wait", "which", "call", "end"]);
    expect(stepText(TEXT, 0)).toContain("# a day of grace");
    const changed = withStepText(TEXT, 0, "id: wait # two\nwait: { for: 2d }\n");
    expect(changed).toContain("# two");
    expect(parse(changed).steps[0]).toEqual({ id: "wait", wait: { for: "2d" } });
    expect(() => withStepText(TEXT, 0, "- a list")).toThrow("fields");
    expect(() => withStepText(TEXT, 0, "id: [")).toThrow();
  });

  it("changes lists and names of entries where they stand", () => {
    expect(parse(withEntry(TEXT, ["goals"], 0, { when: "true", outcome: "won" })).goals).toHaveLength(1);
    const way = { when: "false", to: "end" };
    expect(parse(withEntry(TEXT, ["steps", 2, "branch"], 1, way)).steps[2].branch[1]).toEqual(way);
    const named = "variables:\n  a: x # of a\n  b: y\n";
    expect(withKey(named, ["variables"], "a", "c")).toBe("variables:\n  c: x # of a\n  b: y\n");
    expect(withKey(named, ["variables"], "a", "b"), "no two of one name").toBe(named);
  });

  it("tells at which step a problem is", () => {
    expect(stepOfField("steps[12].wait.for")).toBe(12);
    expect(stepOfField("definition.steps[0]")).toBe(0);
    expect(stepOfField("goals[1].when")).toBeUndefined();
  });

  it("goes back to what it was, and forth, and takes quick changes for one", () => {
    let state = { text: "a", past: [] as readonly string[], future: [] as readonly string[], at: 0 };
    state = written(state, "ab", 10_000);
    state = written(state, "abc", 10_100);
    state = written(state, "abcd", 20_000);
    expect(undone(state).text).toBe("abc");
    expect(undone(undone(state)).text).toBe("a");
    expect(undone(undone(undone(state))).text).toBe("a");
    expect(redone(undone(undone(state))).text).toBe("abc");
    expect(written(undone(state), "x", 30_000).future).toEqual([]);
  });
});

describe("the forms of steps", () => {
  interface Schema {
    properties: {
      steps: { items: { properties: Record<string, { properties?: Record<string, unknown> }> } };
    };
  }
  const schema = JSON.parse(fs.readFileSync(path.join(ROOT, "schemas/sequence.json"), "utf8")) as Schema;
  const kinds = schema.properties.steps.items.properties;

  it("know every kind of step, and every field of each", () => {
    const other = new Set(["id", "on", "next"]);
    expect(new Set(Object.keys(kinds).filter((kind) => !other.has(kind)))).toEqual(new Set(KINDS));
    for (const kind of KINDS) {
      const { properties } = kinds[kind] ?? {};
      if (!properties) continue;
      const known = [...Object.keys(Reflect.get(FIELDS, kind) ?? {}), ...(BY_TEXT[kind] ?? [])];
      expect(new Set(known), kind).toEqual(new Set(Object.keys(properties)));
    }
  });

  it("offer every way that a step may speak of", () => {
    expect(WAYS.call).toEqual(expect.arrayContaining([...DISPOSITIONS]));
    const works: Readonly<Record<string, object>> = {
      call: {},
      set: { a: '"1"' },
      wait: { business_days: 1 },
      wait_for: { event: "paid", timeout: "1d" },
      automation: { workflow_id: "w" },
      webhook: { url: "https://crm.example.com" },
    };
    for (const [kind, ways] of Object.entries(WAYS)) {
      const steps = [{ id: "a", [kind]: works[kind], on: { never: "a" } }];
      const reading = readSequence({ name: "x", agent_id: "a", from_numbers: ["+12025550100"], steps });
      const told = reading.ok ? [] : reading.problems.map(({ problem }) => problem);
      const [named = ""] = told.flatMap((one) => /: there are (.*)$/.exec(one)?.[1] ?? []);
      expect(new Set(named.split(", ")), kind).toEqual(new Set(ways));
    }
  });
});

describe("the ways of a rehearsal", () => {
  it("are told from their beginning to each end", () => {
    const at = "2026-11-26T10:00:00Z";
    const end = (outcome: string) => ({ at, outcome, reason: "step bye" });
    const ways = wholeWays({
      points: [{ at, step: "grace", what: "waits" }],
      fork: {
        at,
        step: "call",
        about: "call",
        ways: [
          {
            when: ["answered"],
            tries: [at],
            points: [{ at, step: "thanks", what: "set" }],
            end: end("won"),
          },
          { when: ["busy", "failed"], tries: [], points: [], cut: { at, why: "too long" } },
        ],
      },
    });
    expect(ways.map((way) => [stepsOnWay(way).join(" "), way.end?.outcome, way.cut])).toEqual([
      ["grace call thanks bye", "won", undefined],
      ["grace call", undefined, "too long"],
    ]);
    expect(ways[1]?.forks).toEqual([{ step: "call", when: ["busy", "failed"], tries: [] }]);
  });
});
