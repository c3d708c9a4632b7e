import { describe, expect, it } from "vitest";

import { actionSpecSchema } from "../../../src/domain/follow-ups/actions.ts";
import { planFollowUp, type FollowUpFacts } from "../../../src/domain/follow-ups/follow-up-plan.ts";
import { followUpRulesSchema } from "../../../src/domain/follow-ups/follow-up-rules.ts";

const NOW_MS = Date.parse("2026-11-22T20:30:00Z");

function facts(actions: readonly object[]): FollowUpFacts {
  return {
    rules: followUpRulesSchema.parse([{ id: "rule", actions }]),
    attempt: {
      number: 1,
      disposition: "answered",
      reason: null,
      call_id: "call",
      started_at: "2026-11-22T20:00:00Z",
      ended_at: "2026-11-22T20:10:00Z",
      duration_seconds: 60,
    },
    contact: { phone: "+12025550123", region: null },
    zones: ["America/New_York"],
    variables: {},
    campaign: { id: "campaign", name: "Autumn", brand: "default", run: 1 },
  };
}

function plan(of: FollowUpFacts, analysis: Record<string, unknown> = {}) {
  return planFollowUp({
    followUpId: "follow-up",
    contactId: 1,
    facts: of,
    call: { call_analysis: analysis },
    isUnprocessed: false,
    nowMs: NOW_MS,
  });
}

const SUPPRESS = { suppress: { scope: "brand", reason: "they said so" } };
/** What people are told of an action that could not be planned. */
const WHY = "it could not be planned: Invalid time value";
const CALLBACK = { callback: { at: "analysis.when" } };

describe("the plan of a follow-up", () => {
  it.each(["call", "call.dynamic_variables"])("tells nobody what is sensitive, in %s either", (source) => {
    const of = facts([{ webhook: { url: "https://crm.example/", data: { it: source } } }]);
    const told = (sensitive: string[]) =>
      JSON.stringify(
        planFollowUp({
          followUpId: "follow-up",
          contactId: 1,
          facts: { ...of, sensitive },
          call: { dynamic_variables: { account: "4711", first_name: "Ada" } },
          isUnprocessed: false,
          nowMs: NOW_MS,
        }).actions,
      );
    expect(told([])).toContain("4711");
    expect(told(["account"])).not.toContain("4711");
    expect(told(["account"])).toContain("Ada");
  });

  it.each(["99999999999h", "PT9999999999999H", "P99999999W", 9e15])(
    "suppresses although %j is no time for the callback, which is left to people",
    (when) => {
      const { actions } = plan(facts([CALLBACK, SUPPRESS]), { when });
      expect(actions.map(({ spec }) => spec)).toMatchObject([
        { kind: "callback", unreadable: expect.stringContaining("no certain time") },
        { kind: "suppress", phone: "+12025550123" },
      ]);
    },
  );

  it.each([
    ["callback", CALLBACK, { unreadable: WHY }],
    [
      "webhook",
      { webhook: { url: "https://crm.example/", data: { phone: "contact.phone" } } },
      { data: {}, unplanned: WHY },
    ],
    [
      "automation",
      { automation: { workflow_id: "w", data: { phone: "contact.phone" } } },
      { data: {}, unplanned: WHY },
    ],
    [
      "enroll",
      { enroll: { sequence: "s", variables: { phone: "contact.phone" }, key: "contact.phone" } },
      { variables: {}, unplanned: WHY },
    ],
  ])("has the other actions where one of kind %s can't be planned", (kind, action, told) => {
    const of = facts([action, SUPPRESS]);
    // What nobody has thought of: here, that something can't be read at all.
    const broken = Object.defineProperty({ ...of }, "variables", {
      get: () => {
        throw new RangeError("Invalid time value");
      },
    });
    const { actions } = plan(broken, { when: "tomorrow at 10" });
    const [first, second] = actions.map(({ spec }) => spec);
    expect(second).toMatchObject({ kind: "suppress" });
    expect(first?.kind).toBe(kind);
    expect(first).toMatchObject(told);
    // Nothing of what it could not be told stands in it: people see to all of that.
    for (const field of ["problems", "atMs", "personKey"]) expect(first).not.toHaveProperty(field);
    expect(actionSpecSchema.safeParse(first).success).toBe(true);
  });

  it("repeats of what kept an action from being planned as much as people read", () => {
    const of = facts([{ webhook: { url: "https://crm.example/", data: { a: "contact.phone" } } }]);
    const broken = Object.defineProperty({ ...of }, "variables", {
      get: () => {
        throw new Error("x".repeat(501));
      },
    });
    expect(plan(broken).actions[0]?.spec).toMatchObject({
      unplanned: `it could not be planned: ${"x".repeat(500)}`,
    });
  });

  it.each([
    ["analysis.when.at", { when: null }, "1h was taken"],
    [" analysis.when ", {}, "1h was taken"],
    ["analysis.deep.er.still", { deep: {} }, "1h was taken"],
    ["analysis.when.at", { when: "tomorrow" }, undefined],
    ["analysis.when.at", { when: ["tomorrow"] }, undefined],
    [" analysis.when.at ", { when: "tomorrow" }, undefined],
    ["analysis.when", { when: "x".repeat(70_000) }, undefined],
    ["'x' + analysis.when", {}, undefined],
    ["analysis.when + 'x'", {}, undefined],
    ["analysis.deep.er + 'x'", { deep: {} }, undefined],
  ])(
    "takes %s of %j for nothing that was said where it only asks for what is not there",
    (at, analysis, taken) => {
      const [action] = plan(facts([{ callback: { at } }]), analysis).actions;
      if (taken === undefined) expect(action?.spec).toMatchObject({ unreadable: expect.any(String) });
      else
        expect(action?.spec).toMatchObject({
          atMs: NOW_MS + 3_600_000,
          problems: [expect.stringContaining(taken)],
        });
    },
  );
});
