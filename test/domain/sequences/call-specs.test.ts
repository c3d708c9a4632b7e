import { describe, expect, it } from "vitest";

import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { MOST_KEPT_FIELDS } from "../../../src/domain/campaigns/kept-facts.ts";
import { asksForEvent, callSpecsOf } from "../../../src/domain/sequences/definition.ts";
import { AGENT, read } from "./support.ts";

const REASON = "counsel has looked at it, and says that it is so";

/* Every rule that a sequence or its call step gives is a rule of the campaign that makes the calls: none gets lost. */
const FIELDS: readonly (readonly [field: keyof CampaignSpec, ofSequence: unknown, ofStep: unknown])[] = [
  ["window", { monday: ["10:00-12:00"] }, { tuesday: ["10:00-12:00"] }],
  ["holidays", ["DE"], ["FR"]],
  ["exceptions", [{ date: "2026-12-24" }], [{ date: "2026-12-31" }]],
  ["presets", ["us-states"], ["us-federal"]],
  ["frequency", [{ attempts: 3, within: "7d" }], [{ attempts: 1, within: "1d" }]],
  ["numbers", { countries: ["DE"] }, { countries: ["US"] }],
  ["consent", { require: "express" }, { require: "express_written" }],
  ["requires_sources", ["dnc"], ["state"]],
  ["on_agent_change", "pause", "tell"],
  ["concurrency", 7, 3],
  ["weight", 4, 2],
  ["retry", { max_attempts: 3, delays: { busy: "10m" } }, { max_attempts: 2, delays: { busy: "20m" } }],
  ["least_gap", "3h", "5h"],
];
/** Of the sequence alone: whoever is enrolled has them. */
const OF_SEQUENCE: readonly (readonly [field: keyof CampaignSpec, value: unknown])[] = [
  ["zones", "strict"],
  ["sensitive", ["account"]],
  ["default_region", "DE"],
  ["brand", "acme"],
];

const specOf = (ofSequence: object, ofStep: object = {}) => {
  const [first] = callSpecsOf(read([{ id: "c", call: ofStep }], ofSequence));
  if (!first) throw new Error("there is no call");
  return first.spec;
};
/** The same field as a campaign reads it. */
const readAs = (field: keyof CampaignSpec, value: unknown) => {
  const reading = readCampaignSpec({
    name: "x",
    agent_id: AGENT,
    from_numbers: ["+12025550100"],
    concurrency: 1,
    [field]: value,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  expect(reading.spec[field]).toBeDefined();
  return reading.spec[field];
};

describe("a call step's campaign", () => {
  it.each(FIELDS)("has the sequence's %s, and the step's in its place", (field, ofSequence, ofStep) => {
    expect(specOf({ [field]: ofSequence })[field]).toEqual(readAs(field, ofSequence));
    expect(specOf({}, { [field]: ofStep })[field]).toEqual(readAs(field, ofStep));
    expect(specOf({ [field]: ofSequence }, { [field]: ofStep })[field]).toEqual(readAs(field, ofStep));
  });

  it.each(OF_SEQUENCE)("has the sequence's %s", (field, value) => {
    expect(specOf({ [field]: value })[field]).toEqual(readAs(field, value));
  });

  it("has none of those that nobody gives", () => {
    const optional = [...FIELDS, ...OF_SEQUENCE]
      .map(([field]) => field)
      .filter(
        (field) =>
          !["window", "presets", "concurrency", "weight", "retry", "least_gap", "brand"].includes(field),
      );
    expect(optional).toHaveLength(10);
    for (const field of optional) expect(specOf({})[field]).toBeUndefined();
  });

  it("has overrides of the rules that it goes by", () => {
    const override = [{ rule: "us-fl.calls", reason: REASON }];
    expect(specOf({ presets: ["us-states"], override }).override).toEqual(override);
    expect(specOf({ presets: ["us-states"] }, { override }).override).toEqual(override);
  });

  it("keeps of its calls what it says itself, and what the sequence's expressions ask for, within the bound", () => {
    const analysis = { keep: ["summary"] };
    const goals = [{ when: "last_call.analysis.interested == true", outcome: "won" }];
    expect(specOf({ goals }).analysis).toMatchObject({ keep: ["analysis.interested"] });
    expect(specOf({ goals, analysis }).analysis).toMatchObject({ keep: ["summary", "analysis.interested"] });
    expect(specOf({ analysis }).analysis).toMatchObject({ keep: ["summary"] });
    expect(specOf({}).analysis).toBeUndefined();
    const each = (count: number) =>
      Array.from({ length: count }, (_, n) => `last_call.analysis.f${n} == 1`).join(" && ");
    const many = [{ when: each(MOST_KEPT_FIELDS), outcome: "won" }];
    expect(specOf({ goals: many, analysis }).analysis?.keep).toHaveLength(MOST_KEPT_FIELDS);
  });

  it("is there for call steps alone", () => {
    const end = { id: "end", exit: { outcome: "over" } };
    const steps = [{ id: "a", call: {} }, { id: "w", wait: { for: "1d" } }, { id: "b", call: {} }, end];
    expect(callSpecsOf(read(steps)).map(({ stepId }) => stepId)).toEqual(["a", "b"]);
  });
});

describe("an event may change something", () => {
  const wait = { id: "w", wait_for: { event: "replied", timeout: "1d" } };
  const steps = [{ id: "first", wait: { for: "1d" } }, wait];

  it("where a step waits for it, or an expression looks at events, and else not", () => {
    expect(asksForEvent(read(steps), "replied")).toBe(true);
    expect(asksForEvent(read(steps), "opened")).toBe(false);
    const goals = [{ when: 'events.exists(e, e.name == "opened")', outcome: "won" }];
    expect(asksForEvent(read([steps[0] ?? {}], { goals }), "opened")).toBe(true);
    expect(asksForEvent(read([steps[0] ?? {}]), "replied")).toBe(false);
  });
});
