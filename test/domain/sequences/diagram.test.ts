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
