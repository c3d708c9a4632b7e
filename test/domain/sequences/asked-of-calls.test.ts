import { expect, it } from "vitest";

import { MOST_KEPT_FIELDS } from "../../../src/domain/campaigns/kept-facts.ts";
import { keptForExpressions } from "../../../src/domain/sequences/asked-of-calls.ts";
import { read } from "./support.ts";

const END = { id: "end", exit: { outcome: "over" } };
const kept = (steps: readonly object[], changes: object = {}) =>
  keptForExpressions(read([...steps, END], changes)).toSorted();
const asks = (when: string) => kept([{ id: "b", branch: [{ when, to: "end" }, { otherwise: "end" }] }]);

it.each<[what: string, when: string, fields: string[]]>([
  ["nothing", "true", []],
  ["nothing that is there before a call is read", 'last_call.disposition == "answered"', []],
  ["one answer of the analysis", "last_call.analysis.interested == true", ["analysis.interested"]],
  [
    "two answers, one of them twice",
    "last_call.analysis.a == last_call.analysis.b && last_call.analysis.a == 1",
    ["analysis.a", "analysis.b"],
  ],
  ["the whole analysis", "size(last_call.analysis) > 0", ["analysis"]],
  ["an answer of a name that can't be one", 'last_call.analysis[""] == 1', ["analysis"]],
  ["an answer of a name that is too long", `last_call.analysis["${"x".repeat(120)}"] == 1`, ["analysis"]],
  [
    "an answer, and the whole of it, too",
    "last_call.analysis.a == 1 && size(last_call.analysis) > 0",
    ["analysis"],
  ],
  [
    "fields that the call is looked at for",
    'last_call.summary + last_call.status == "x"',
    ["status", "summary"],
  ],
])("of a call is kept what expressions ask for: %s", (_what, when, fields) => {
  expect(asks(when)).toEqual(fields);
});

it("more answers than may be named are all of them", () => {
  const each = (count: number) =>
    Array.from({ length: count }, (_, n) => `last_call.analysis.f${n} == 1`).join(" && ");
  expect(asks(each(MOST_KEPT_FIELDS))).toHaveLength(MOST_KEPT_FIELDS);
  expect(asks(each(MOST_KEPT_FIELDS + 1))).toEqual(["analysis"]);
});

it("the whole of a call is every field of it but its direction", () => {
  expect(asks("last_call == last_call")).toEqual([
    "analysis",
    "duration_seconds",
    "processed",
    "status",
    "summary",
    "transcript_length",
  ]);
});

it.each<[where: string, steps: object[], changes?: object]>([
  ["a goal", [], { goals: [{ when: "last_call.analysis.x == 1", outcome: "won" }] }],
  ["an exit condition", [], { exit_when: [{ when: "last_call.analysis.x == 1", outcome: "lost" }] }],
  ["a call's variables", [{ id: "c", call: { variables: { v: "last_call.analysis.x" } } }]],
  ["a wait until a date", [{ id: "w", wait: { until_date: "last_call.analysis.x" } }]],
  [
    "what is waited for",
    [{ id: "w", wait_for: { event: "e", when: "last_call.analysis.x == event.data.y", timeout: "1d" } }],
  ],
  [
    "a branch",
    [{ id: "b", branch: [{ when: "last_call.analysis.x == 1", to: "end" }, { otherwise: "end" }] }],
  ],
  [
    "an automation's data",
    [{ id: "a", automation: { workflow_id: "w", data: { d: "last_call.analysis.x" } } }],
  ],
  [
    "a webhook's data",
    [{ id: "h", webhook: { url: "https://example.com/", data: { d: "last_call.analysis.x" } } }],
  ],
  ["a variable that is set", [{ id: "s", set: { v: "last_call.analysis.x" } }]],
])("is asked for in %s", (_where, steps, changes) => {
  expect(kept(steps, changes)).toEqual(["analysis.x"]);
});
