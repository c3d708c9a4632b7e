import { expect, it } from "vitest";

import { callSpecsOf, readSequence } from "../../../src/domain/sequences/definition.ts";

const BASE = {
  name: "onboarding",
  agent_id: "agent",
  from_numbers: ["+12025550100"],
  sensitive: ["account"],
  steps: [
    { id: "call", call: {}, on: { unknown: "end", otherwise: "end" } },
    { id: "end", exit: { outcome: "through" } },
  ],
};

const END = { id: "end", exit: { outcome: "through" } };

function fieldsOf(changes: object): string[] {
  const reading = readSequence({ ...BASE, ...changes });
  return reading.ok ? [] : reading.problems.map(({ field }) => field);
}

it("takes variables that nothing but calls has, and says so to each call's campaign", () => {
  expect(fieldsOf({})).toEqual([]);
  expect(fieldsOf({ sensitive: [] })).not.toEqual([]);
  const reading = readSequence(BASE);
  expect(reading.ok && callSpecsOf(reading.definition).map(({ spec }) => spec.sensitive)).toEqual([
    ["account"],
  ]);
});

const call = (changes: object) => ({
  steps: [{ id: "call", call: changes, on: { unknown: "end", otherwise: "end" } }, END],
});

it.each<[string, object]>([
  ["variables.account", { variables: { account: "4711" } }],
  ["re_enrolment.key", { re_enrolment: { policy: "parallel", key: "variables.account" } }],
  ["goals[0].when", { goals: [{ when: 'variables.account == "x"', outcome: "paid" }] }],
  ["exit_when[0].when", { exit_when: [{ when: 'variables["account"] == "x"', outcome: "paid" }] }],
  ["steps[0].call.variables", call({ variables: { greeting: '"Hello " + variables.account' } })],
  ["steps[0].call.variables.account", call({ variables: { account: '"x"' } })],
  [
    "steps[0].call.follow_ups[0]",
    call({
      follow_ups: [
        { id: "tell", on: ["answered"], when: 'variables.account == "x"', actions: [{ tag: { tag: "a" } }] },
      ],
    }),
  ],
  [
    "steps[0].set.account",
    { steps: [{ id: "set", set: { account: '"x"' }, on: { problem: "end" }, next: "end" }, END] },
  ],
  ["steps[0].set", { steps: [{ id: "set", set: { copy: "variables.account" }, next: "end" }, END] }],
  [
    "steps[0].wait.until_date",
    { steps: [{ id: "until", wait: { until_date: "variables.account" }, next: "end" }, END] },
  ],
  [
    "steps[0].branch",
    {
      steps: [
        { id: "fork", branch: [{ when: 'variables.account == "x"', to: "end" }, { otherwise: "end" }] },
        END,
      ],
    },
  ],
  [
    "steps[0].wait_for.when",
    {
      steps: [
        {
          id: "listen",
          wait_for: { event: "paid", when: "event.data.account == variables.account", timeout: "1h" },
          on: { event: "end", timeout: "end" },
        },
        END,
      ],
    },
  ],
  [
    "steps[0].webhook.data",
    {
      steps: [
        {
          id: "tell",
          webhook: { url: "https://crm.example.com/x", data: { it: "variables.account" } },
          on: { done: "end", failed: "end" },
        },
        END,
      ],
    },
  ],
])("refuses %s where it would read, show or write one", (field, changes) => {
  expect(fieldsOf(changes)).toEqual([field]);
  const other = JSON.parse(JSON.stringify(changes).replaceAll("account", "plan")) as object;
  expect(fieldsOf(other)).toEqual([]);
});
