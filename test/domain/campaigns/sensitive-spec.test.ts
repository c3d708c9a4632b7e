import { expect, it } from "vitest";

import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { splitSensitive, withoutSensitive } from "../../../src/domain/campaigns/sensitive-spec.ts";

const BASE = {
  name: "reminders",
  agent_id: "agent",
  from_numbers: ["+12025550100"],
  concurrency: 1,
  sensitive: ["account"],
};

function problems(changes: object): { field: string; problem: string }[] {
  const reading = readCampaignSpec({ ...BASE, ...changes });
  return reading.ok
    ? []
    : reading.problems.map((one) => JSON.parse(JSON.stringify(one)) as { field: string; problem: string });
}

it("takes columns that nothing else reads", () => {
  expect(problems({})).toEqual([]);
  expect(problems({ sensitive: ["a", "a"] })).not.toEqual([]);
  expect(problems({ sensitive: [] })).not.toEqual([]);
});

it("refuses who is called first by a sensitive column", () => {
  const found = JSON.stringify(problems({ contact_priority: { column: "account", first: 9, last: 1 } }));
  expect(found).toContain("contact_priority.column");
  expect(found).toContain("account is sensitive");
});

it("refuses rules that read one, with the rule's place, and no rule that reads another", () => {
  const ruled = (source: string) => ({
    follow_ups: [
      { id: "ok", on: ["answered"], actions: [{ tag: { tag: "reached" } }] },
      {
        id: "tell",
        on: ["answered"],
        actions: [{ webhook: { url: "https://crm.example.com/x", data: { it: source } } }],
      },
    ],
  });
  const found = JSON.stringify(problems(ruled("variables.account")));
  expect(found).toContain("follow_ups[1]");
  expect(found).toContain("variables.account");
  expect(problems(ruled("variables.first_name"))).toEqual([]);
  expect(JSON.stringify(problems(ruled('variables["account"]')))).toContain("sensitive");
  for (const source of ["call.dynamic_variables.account", 'call.dynamic_variables["account"]'])
    expect(problems(ruled(source))).toEqual([
      { field: "follow_ups[1]", problem: expect.stringContaining("call.dynamic_variables.account") },
    ]);
  expect(problems(ruled("call.dynamic_variables.first_name"))).toEqual([]);
  // An answer that has a column's name is none of its values.
  expect(problems(ruled("call.analysis.account"))).toEqual([]);
});

it("takes what is sensitive from what the platform's record of a call repeats, and nothing else", () => {
  const call = { call_id: "1", account: "open", dynamic_variables: { account: "4711", first_name: "Ada" } };
  expect(withoutSensitive(call, ["account", "birthday"])).toEqual({
    ...call,
    dynamic_variables: { first_name: "Ada" },
  });
  expect(withoutSensitive(call, [])).toEqual(call);
});

it.each([
  [{ call_id: "1" }, ["account"]],
  [{ dynamic_variables: null }, ["account"]],
  [{ dynamic_variables: "none" }, ["account"]],
  [{ dynamic_variables: ["none"] }, []],
])("leaves a record that repeats no variables as it came: %j", (call, sensitive) => {
  expect(withoutSensitive(call, sensitive)).toEqual(call);
});

it("seals a row's sensitive variables, those alone, whatever they are named", () => {
  const row = JSON.parse('{"account": "4711", "first_name": "Ada", "__proto__": "odd"}') as Record<
    string,
    string
  >;
  expect(splitSensitive(row, ["account", "__proto__", "birthday"])).toEqual({
    open: { first_name: "Ada" },
    secret: JSON.parse('{"account": "4711", "__proto__": "odd"}'),
  });
  expect(splitSensitive(row, [])).toEqual({ open: row, secret: {} });
});
