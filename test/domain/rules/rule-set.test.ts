import { describe, expect, it } from "vitest";

import { readRuleSet } from "../../../src/domain/rules/rule-set.ts";
import { readStoredCall } from "../../../src/domain/rules/stored-call.ts";

const CAMPAIGN = { name: "spring", agent_id: "agent", from_numbers: ["+12025550100"], concurrency: 1 };
const SEQUENCE = {
  name: "welcome",
  agent_id: "agent",
  from_numbers: ["+12025550100"],
  steps: [
    { id: "first", call: {} },
    { id: "rest", wait: { for: "1d" } },
  ],
};

describe("rules that calls are held against", () => {
  const kindOf = (value: unknown) => {
    const reading = readRuleSet(value, undefined);
    return reading.ok ? (reading.definition.sequence ? "sequence" : "campaign") : "neither";
  };

  it.each<[string, unknown, string]>([
    ["a campaign", CAMPAIGN, "campaign"],
    ["one that says what it is", { kind: "campaign", ...CAMPAIGN }, "campaign"],
    ["a sequence", SEQUENCE, "sequence"],
    ["one that says what it is", { kind: "sequence", ...SEQUENCE }, "sequence"],
    ["a campaign by its word, with steps beside it", { kind: "campaign", ...SEQUENCE }, "neither"],
    ["a sequence by its word, without steps", { kind: "sequence", ...CAMPAIGN }, "neither"],
    ["nothing", null, "neither"],
    ["a text", "campaign", "neither"],
    ["a list", [CAMPAIGN], "neither"],
  ])("are those of %s", (_what, value, kind) => {
    expect(kindOf(value)).toBe(kind);
  });

  it("are those of the one step that makes calls, or of the one that is named", () => {
    const alone = readRuleSet(SEQUENCE, undefined);
    expect(alone).toMatchObject({ ok: true, definition: { sequence: { stepId: "first" } } });
    expect(readRuleSet(SEQUENCE, "first")).toEqual(alone);
    expect(readRuleSet(SEQUENCE, "rest")).toEqual({
      ok: false,
      problems: [{ field: "step", problem: '"rest" makes no call: there are first' }],
    });
    expect(readRuleSet(CAMPAIGN, "first")).toEqual({
      ok: false,
      problems: [{ field: "step", problem: "goes with a sequence only: leave it out" }],
    });
    expect(readRuleSet({ ...SEQUENCE, steps: SEQUENCE.steps.slice(1) }, undefined)).toEqual({
      ok: false,
      problems: [{ field: "steps", problem: "make no call: there are no rules over calls in it" }],
    });
  });

  it("are told with what is wrong in them", () => {
    for (const wrong of [
      { ...CAMPAIGN, concurrency: 0 },
      { ...SEQUENCE, agent_id: "" },
    ])
      expect(readRuleSet(wrong, undefined)).toMatchObject({ ok: false });
  });
});

describe("a stored call", () => {
  it("has what its batch's item said beside the platform's record of it", () => {
    const call = {
      call_id: "c",
      status: "ended",
      item_status: "voicemail",
      error_message: "SIP 486",
      attempt: 3,
    };
    expect(readStoredCall(call)).toEqual({
      ok: true,
      definition: {
        raw: { call_id: "c", status: "ended" },
        itemStatus: "voicemail",
        errorText: "SIP 486",
        attempt: 3,
      },
    });
    expect(readStoredCall({ call_id: "c", item_status: null, error_message: null, attempt: null })).toEqual({
      ok: true,
      definition: { raw: { call_id: "c" }, itemStatus: undefined, errorText: undefined, attempt: undefined },
    });
  });

  it("was to somebody, with the variables that are texts, where its record says so", () => {
    const contactOf = (fields: object) => {
      const reading = readStoredCall({ call_id: "c", ...fields });
      return reading.ok ? reading.definition.contact : reading.problems;
    };
    const phone = "+12025550143";
    const variables = { plan: "team", seats: 3, nothing: null };
    expect(contactOf({ to_number: phone, dynamic_variables: variables })).toEqual({
      phone,
      region: null,
      variables: { plan: "team" },
    });
    for (const none of [undefined, null, "team"])
      expect(contactOf({ to_number: phone, dynamic_variables: none })).toMatchObject({ variables: {} });
    expect(contactOf({ to_number: 12_025_550_143, dynamic_variables: variables })).toBeUndefined();
    expect(contactOf({})).toBeUndefined();
  });

  it.each([
    ["no id", {}],
    ["an empty one", { call_id: "" }],
    ["one that is too long", { call_id: "x".repeat(256) }],
    ["an attempt before the first", { call_id: "c", attempt: 0 }],
    ["an attempt beyond any", { call_id: "c", attempt: 1_001 }],
    ["a word that is none", { call_id: "c", item_status: "x".repeat(101) }],
  ])("is refused with %s", (_what, call) => {
    expect(readStoredCall(call)).toMatchObject({ ok: false });
  });

  it("that is none is told as such", () => {
    const reading = readStoredCall(7);
    expect(reading.ok ? "" : JSON.stringify(reading.problems)).toMatch(/the call|a call/);
    const more = readStoredCall({ call_id: 7 });
    expect(more.ok ? [] : more.problems.map(({ field }) => field)).toEqual(["call_id"]);
  });
});
