import { expect, it } from "vitest";

import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";

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
    expect(JSON.stringify(problems(ruled(source)))).toContain("call.dynamic_variables.account");
  expect(problems(ruled("call.dynamic_variables.first_name"))).toEqual([]);
});
