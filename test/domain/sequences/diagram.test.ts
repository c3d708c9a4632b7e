import { readFileSync } from "node:fs";

import { parse } from "yaml";
import { describe, expect, it } from "vitest";

import { readSequence } from "../../../src/domain/sequences/definition.ts";
import { mermaidOf } from "../../../src/domain/sequences/diagram.ts";
import { read } from "./support.ts";

/** Quoted text in which nothing is left that means something to Mermaid. */
const TEXT = /"(?:[^"#&<>|`[\]{}()\\;%\n]|#\d+;|<br\/>)*"/.source;
const SHAPES = [
  String.raw`\[${TEXT}\]`,
  String.raw`\(\[${TEXT}\]\)`,
  String.raw`\{${TEXT}\}`,
  String.raw`\[\[${TEXT}\]\]`,
].join("|");
const NODE = String.raw`(?:s\d+|start|completed)`;
/** The statements of the flowchart grammar that a drawing uses. */
const STATEMENT = new RegExp(String.raw`^  ${NODE}(?:${SHAPES})?(?: -->(?:\|${TEXT}\|)? ${NODE})?$`, "u");

function drawn(definition: ReturnType<typeof read>): string[] {
  const [head, ...lines] = mermaidOf(definition).trimEnd().split("\n");
  expect(head).toBe("flowchart TD");
  for (const line of lines) expect(line).toMatch(STATEMENT);
  return lines.map((line) => line.trim());
}

describe("a sequence is drawn", () => {
  it("with every step, every way and the end", () => {
    const lines = drawn(
      read([
        { id: "call", call: {}, on: { answered: "wait", unknown: "end", otherwise: "end" } },
        { id: "wait", wait: { until: "10:00", days: ["monday", "friday"] } },
        {
          id: "ab",
          split: [
            { weight: 1, to: "event" },
            { weight: 2.5, to: "hook" },
          ],
        },
        { id: "event", wait_for: { event: "replied", timeout: "2d" }, on: { event: "end", timeout: "hook" } },
        { id: "end", exit: { outcome: "over" } },
        { id: "hook", webhook: { url: "https://example.com/secret-path?page=abc" } },
      ]),
    );
    expect(lines).toEqual([
      'start(["welcome"]) --> s0',
      's0["call<br/>call"]',
      's0 -->|"answered"| s1',
      's0 -->|"unknown"| s4',
      's0 -->|"otherwise"| s4',
      's1(["wait<br/>wait until 10:00 #40;monday,friday#41;"])',
      "s1 --> s2",
      's2{"ab<br/>split"}',
      's2 -->|"1"| s3',
      's2 -->|"2.5"| s5',
      's3(["event<br/>wait for replied, 2d at most"])',
      's3 -->|"event"| s4',
      's3 -->|"timeout"| s5',
      's4[["end<br/>exit: over"]]',
      's5["hook<br/>webhook to example.com"]',
      "s5 --> completed",
      'completed(["completed"])',
    ]);
  });

  it("with conditions on the ways of a branch, blanks drawn together, and no end behind ways that say it all", () => {
    const lines = drawn(
      read([
        { id: "b", branch: [{ when: "variables.a  ==   'x'", to: "s" }, { otherwise: "c" }] },
        { id: "s", set: { a: "variables.b" }, on: { problem: "c" } },
        { id: "c", call: {}, on: { unknown: "b2", otherwise: "b2" } },
        { id: "b2", wait: { until_date: "variables.d" }, on: { problem: "w" } },
        { id: "w", wait_for: { event: "x", timeout: "1d" }, on: { event: "b2", timeout: "b2" } },
      ]),
    );
    expect(lines.filter((line) => line.includes("-->"))).toEqual([
      'start(["welcome"]) --> s0',
      "s0 -->|\"variables.a == 'x'\"| s1",
      's0 -->|"otherwise"| s2',
      's1 -->|"problem"| s2',
      "s1 --> s2",
      's2 -->|"unknown"| s3',
      's2 -->|"otherwise"| s3',
      's3 -->|"problem"| s4',
      "s3 --> s4",
      's4 -->|"event"| s3',
      's4 -->|"timeout"| s3',
    ]);
  });

  it.each<[what: string, last: object, ends: boolean]>([
    ["sets", { set: { a: "variables.b" }, on: { problem: "w" } }, true],
    ["waits for a date", { wait: { until_date: "variables.d" }, on: { problem: "w" } }, true],
    ["calls, and says where each outcome leads", { call: {}, on: { unknown: "w", otherwise: "w" } }, false],
  ])("to its end behind a last step that %s: %#", (_what, last, ends) => {
    const lines = drawn(
      read([
        { id: "w", wait: { for: "1d" } },
        { id: "last", ...last },
      ]),
    );
    expect(lines.includes("s1 --> completed")).toBe(ends);
  });

  it("with what each step does in words", () => {
    const wait = (wait: object) => ({ wait });
    const steps: [object, string][] = [
      [wait({ for: "2d" }), '(["a<br/>wait 2d"])'],
      [wait({ business_days: 1 }), '(["a<br/>wait 1 business day"])'],
      [wait({ business_days: 2, at: "09:30" }), '(["a<br/>wait 2 business days at 09:30"])'],
      [wait({ until: "10:00" }), '(["a<br/>wait until 10:00"])'],
      [wait({ until_date: "variables.due" }), '(["a<br/>wait until variables.due"])'],
      [
        wait({ until_date: "variables.due", offset: "-3d", at: "10:00" }),
        '(["a<br/>wait until variables.due -3d at 10:00"])',
      ],
      [{ automation: { workflow_id: "w7" } }, '["a<br/>automation w7"]'],
      [{ webhook: { url: { secret: "crm" } } }, '["a<br/>webhook to the address in secret crm"]'],
      [{ webhook: { url: "https://crm.example:8443/x" } }, '["a<br/>webhook to crm.example:8443"]'],
      [{ set: { plan: '"x"', step: '"y"' } }, '["a<br/>set plan, step"]'],
      [{ suppress: { scope: "global", reason: "asked" } }, '["a<br/>suppress #40;global#41;"]'],
      [{ exit: { outcome: "over" } }, '[["a<br/>exit: over"]]'],
    ];
    for (const [step, box] of steps) {
      const lines = drawn(read([{ id: "a", ...step }]));
      expect(lines[1]).toBe(`s0${box}`);
      const isExit = "exit" in step;
      expect(lines.slice(2)).toEqual(isExit ? [] : ["s0 --> completed", 'completed(["completed"])']);
    }
  });

  it("with its end behind whatever leads out of the list", () => {
    const END = { id: "end", exit: { outcome: "over" } };
    const hook = { id: "a", webhook: { url: "https://x.example" } };
    const on = { done: "end", failed: "end" };
    expect(drawn(read([{ ...hook, on }, END])).at(-1)).toBe('s1[["end<br/>exit: over"]]');
    const wait = { id: "w", wait: { business_days: 1 }, on: { problem: "end" } };
    expect(drawn(read([{ ...hook, next: "w" }, END, wait]))).toContain("s2 --> completed");
    const branch = { id: "b", branch: [{ when: "true", to: "end" }, { otherwise: "end" }] };
    expect(drawn(read([{ ...hook, next: "b" }, END, branch]))).not.toContain("s2 --> completed");
    expect(
      drawn(read([{ ...hook, next: "c" }, END, { id: "c", set: { x: '"1"' }, next: "end" }])),
    ).not.toContain("s2 --> completed");
  });

  it("with labels of 60 characters at most", () => {
    const name = (count: number) =>
      drawn(read([{ id: "a", wait: { for: "1d" } }], { name: "n".repeat(count) }))[0];
    expect(name(60)).toBe(`start(["${"n".repeat(60)}"]) --> s0`);
    expect(name(61)).toBe(`start(["${"n".repeat(59)}…"]) --> s0`);
  });

  it("and no text of its author's gets out of its label", () => {
    const nasty = '"] --> s0; click s0 "javascript:alert(1)" %% `x` | {y} <script>&#35; end\n  subgraph';
    const lines = drawn(
      read([
        { id: "first", wait_for: { event: nasty, timeout: "1d" } },
        {
          id: "b",
          branch: [
            { when: `variables.x == ${JSON.stringify(nasty.slice(0, 30))}`, to: "end" },
            { otherwise: "end" },
          ],
        },
        { id: "end", set: { [nasty.replace("\n", " ").slice(0, 80)]: '"1"' } },
      ]),
    );
    expect(lines).toHaveLength(9);
  });

  it.each(["trial-welcome", "overdue-invoice", "hubspot-deal-follow-up"])("%s, too", (name) => {
    const text = readFileSync(new URL(`../../../examples/sequences/${name}.yaml`, import.meta.url), "utf8");
    const reading = readSequence(parse(text));
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const lines = drawn(reading.definition);
    expect(lines.length).toBeGreaterThan(reading.definition.steps.length * 2);
  });
});
