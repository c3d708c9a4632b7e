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
const CALLBACK = { callback: { at: "analysis.when" } };

describe("the plan of a follow-up", () => {
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
    ["callback", CALLBACK],
    ["webhook", { webhook: { url: "https://crm.example/", data: { phone: "contact.phone" } } }],
    ["automation", { automation: { workflow_id: "w", data: { phone: "contact.phone" } } }],
    ["enroll", { enroll: { sequence: "s", variables: { phone: "contact.phone" }, key: "contact.phone" } }],
  ])("has the other actions where one of kind %s can't be planned", (kind, action) => {
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
    expect(JSON.stringify(first)).toContain("Invalid time value");
    expect(actionSpecSchema.safeParse(first).success).toBe(true);
  });
});
