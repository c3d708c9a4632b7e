import { describe, expect, it } from "vitest";

import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import {
  policyOf,
  readCampaignSpec,
  type CampaignSpec,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import { specDifference } from "../../../src/domain/campaigns/spec-difference.ts";
import { callSpecsOf, readSequence } from "../../../src/domain/sequences/definition.ts";

const REQUIRED = { name: "spring", agent_id: "agent", from_numbers: ["+12025550100"], concurrency: 5 };

function read(changes: Record<string, unknown>): CampaignSpec {
  const reading = readCampaignSpec({ ...REQUIRED, ...changes });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

function problemsOf(changes: Record<string, unknown>) {
  const reading = readCampaignSpec({ ...REQUIRED, ...changes });
  return reading.ok ? [] : reading.problems;
}

const REASON = "reviewed by counsel";

describe("presets that a campaign names", () => {
  it("are kept with their versions, what they need, and careful for whoever no other speaks of", () => {
    expect(read({ presets: ["us-states", "fr"] }).presets).toEqual([
      "us-states@2026.1",
      "fr@2026.1",
      "us-federal@2026.1",
      "careful@2026.1",
    ]);
    expect(read({ presets: ["careful", "ca@2026.1"] }).presets).toEqual(["ca@2026.1", "careful@2026.1"]);
  });

  it("are the same when they are read again", () => {
    const spec = read({ presets: ["us-states"], override: [{ rule: "us-fl.calls", reason: REASON }] });
    expect(readCampaignSpec(JSON.parse(JSON.stringify(spec)))).toEqual({ ok: true, spec });
    expect(specDifference(spec, read({ presets: ["us-states"], override: spec.override }))).toEqual([]);
  });

  it("have the hours where the campaign names no window, and only tighten one that it names", () => {
    expect(read({ presets: ["us-federal"] }).window).toBe("always");
    expect(read({ presets: ["us-federal"], window: { weekdays: ["10:00-16:00"] } }).window).toEqual({
      weekdays: ["10:00-16:00"],
    });
  });

  it("are none where a window is all that is said", () => {
    expect(read({ window: "always" })).not.toHaveProperty("presets");
    expect(policyOf(read({ window: "always" }), 1)).toMatchObject({
      window: { kind: "always" },
      frequency: [],
    });
  });

  it("may be changed under way", () => {
    const [presets, override] = specDifference(
      read({ presets: ["us-states"] }),
      read({ presets: ["ca"], override: [{ rule: "ca.holidays", reason: REASON }] }),
    );
    expect(presets).toMatchObject({ field: "presets", amendable: true });
    expect(override).toMatchObject({ field: "override", amendable: true });
  });

  it("hold for its callbacks, too", () => {
    const spec = read({ presets: ["us-states"], override: [{ rule: "us-fl.calls", reason: REASON }] });
    expect(callbackSpecOf(spec)).toMatchObject({ presets: spec.presets, override: spec.override });
  });

  it("count calls beside the campaign's own caps, those that count alike as one", () => {
    const { frequency } = policyOf(
      read({ presets: ["us-states"], frequency: [{ conversations: 1, within: "30d" }] }),
      1,
    );
    expect(
      frequency.map(({ counts, atMost, withinMs, of }) => [counts, atMost, withinMs / 3_600_000, of?.length]),
    ).toEqual([
      ["conversations", 1, 720, undefined],
      ["attempts", 3, 24, 4],
      ["attempts", 1, 8, 1],
      ["attempts", 2, 24, 1],
    ]);
  });

  it.each([
    [
      ["us-state"],
      "presets[0]",
      "is no preset (is us-states meant?): us-federal, us-states, ca, uk, fr, de, careful are known",
    ],
    [["xyzzy-plugh"], "presets[0]", "is no preset: us-federal, us-states, ca, uk, fr, de, careful are known"],
    [["us-states@2020.1"], "presets[0]", "is no version of us-states that is known here: 2026.1"],
    [["fr", "fr@2026.1"], "presets", "names fr twice"],
    [[], "presets", "must have 1 or more"],
  ])("are refused where %s is named", (presets, field, problem) => {
    expect(problemsOf({ presets })).toEqual([{ field, problem }]);
  });
});

describe("a rule that a campaign lifts", () => {
  it("holds no more, and the others do", () => {
    const { window, frequency } = policyOf(
      read({ presets: ["us-states"], override: [{ rule: "us-fl.hours", reason: REASON }] }),
      1,
    );
    const texts = (window.presets ?? []).map(({ text }) => text).join("\n");
    expect(texts).not.toContain("us-fl.hours");
    expect(texts).toContain("us-ky.hours");
    expect(texts).toContain("us.hours");
    expect(
      frequency
        .flatMap(({ of = [] }) => of)
        .map(({ text }) => text)
        .join(),
    ).toContain("us-fl.calls");
  });

  it("may be one of careful where nothing else is said", () => {
    expect(read({ override: [{ rule: "careful.calls", reason: REASON }] })).toMatchObject({
      presets: ["careful@2026.1"],
    });
  });

  it("may be one of several", () => {
    const override = ["us-fl.hours", "us-fl.calls"].map((rule) => ({ rule, reason: REASON }));
    expect(problemsOf({ presets: ["us-states"], override })).toEqual([]);
  });

  it.each([
    ["a list", { presets: ["us-states"], override: "us-fl.hours" }, "override"],
    ["a list of rules", { presets: ["us-states"], override: ["us-fl.hours"] }, "override[0]"],
    ["named", { presets: ["us-states"], override: [{ reason: REASON }] }, "override[0].rule"],
    [
      "of a list of presets",
      { presets: "fr", override: [{ rule: "us-fl.hours", reason: REASON }] },
      "presets",
    ],
    [
      "of presets with names",
      { presets: ["fr", 5], override: [{ rule: "x", reason: REASON }] },
      "presets[1]",
    ],
    [
      "of presets there are",
      { presets: ["fr", "fx"], override: [{ rule: "x", reason: REASON }] },
      "presets[1]",
    ],
  ])("has to be %s, and nothing else is said before it is", (_what, changes, field) => {
    expect(problemsOf(changes).map((problem) => problem.field)).toEqual([field]);
  });

  it.each([
    [
      { presets: ["us-states"], override: [{ rule: "us-fl.hour", reason: REASON }] },
      "override[0].rule",
      "is no rule of a preset that is named (is us-fl.hours meant?): `outdial presets show <preset>` lists them",
    ],
    [
      { presets: ["us-federal"], override: [{ rule: "us-fl.hours", reason: REASON }] },
      "override[0].rule",
      "is a rule of us-states, which `presets` does not name: remove it, or name that preset",
    ],
    [
      { window: "always", override: [{ rule: "us-fl.hours", reason: REASON }] },
      "override[0].rule",
      "lifts a rule where `presets` names none: remove it",
    ],
    [
      { presets: ["fr"], override: [{ rule: "fr.hours", reason: "because" }] },
      "override[0].reason",
      "must say why in 10 characters or more",
    ],
    [
      {
        presets: ["fr"],
        override: [
          { rule: "fr.hours", reason: REASON },
          { rule: "fr.hours", reason: REASON },
        ],
      },
      "override",
      "names a rule twice",
    ],
  ])("is told what is wrong with it: %#", (changes, field, problem) => {
    expect(problemsOf(changes)).toEqual([{ field, problem }]);
  });
});

describe("a sequence", () => {
  const call = { agent_id: "agent", from_numbers: ["+12025550100"] };
  const sequence = (changes: Record<string, unknown>, ofStep: Record<string, unknown> = {}) =>
    readSequence({
      name: "journey",
      ...changes,
      steps: [{ id: "first", call: { ...call, ...ofStep } }],
    });

  it("gives its presets to its call steps, which may name their own", () => {
    const reading = sequence({ presets: ["us-states"] }, { presets: ["fr"] });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(callSpecsOf(reading.definition)[0]?.spec).toMatchObject({
      presets: ["fr@2026.1", "careful@2026.1"],
      window: "always",
    });
    const plain = sequence({ presets: ["us-states"] });
    if (!plain.ok) throw new Error(JSON.stringify(plain.problems));
    expect(callSpecsOf(plain.definition)[0]?.spec.presets).toContain("us-states@2026.1");
  });

  it("that names neither presets nor a window keeps to careful", () => {
    const reading = sequence({});
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    expect(callSpecsOf(reading.definition)[0]?.spec.presets).toEqual(["careful@2026.1"]);
  });

  it("is told of a rule that no preset of its step has", () => {
    const override = [{ rule: "us-fl.hours", reason: REASON }];
    expect(sequence({ presets: ["us-states"], override }, { presets: ["fr"] })).toMatchObject({
      ok: false,
      problems: [{ field: "override[0].rule", problem: expect.stringContaining("us-states") }],
    });
    expect(sequence({ presets: ["fr"] }, { override })).toMatchObject({
      ok: false,
      problems: [{ field: "steps[0].call.override[0].rule", problem: expect.stringContaining("us-states") }],
    });
  });
});
