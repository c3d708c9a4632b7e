import { describe, expect, it } from "vitest";

import {
  liftProblem,
  newestPresets,
  pinned,
  presetNamed,
  presetProblem,
  speaksOfStates,
} from "../../../../src/domain/policy/presets/registry.ts";

describe("the name of a preset", () => {
  it("is its id, or its id with a version that there is", () => {
    expect(presetProblem("us-states")).toBeUndefined();
    expect(presetProblem("us-states@2026.1")).toBeUndefined();
    expect(presetProblem("us-states@1999.1")).toBe("is no version of us-states that is known here: 2026.1");
    // Not a version of something that is no preset.
    expect(presetProblem("us-stales@2026.1")).toMatch(/^is no preset: us-federal, us-states, /);
  });

  it.each([
    ["us-state", "us-states"],
    ["us_states", "us-states"],
    ["carefull", "careful"],
    // As near to several of them.
    ["u", undefined],
    ["us-", undefined],
    ["us-s", "us-states"],
    ["caref", "careful"],
    ["us-stat123", "us-states"],
    ["us-stat1234", undefined],
    ["xxxxful", undefined],
    // The same letters elsewhere are others.
    ["states-us", undefined],
  ])("%s is told which may be meant, where one is near or begins like it: %s", (name, meant) => {
    const problem = presetProblem(name) ?? "";
    if (meant === undefined) expect(problem).toMatch(/^is no preset: /);
    else expect(problem).toContain(`(is ${meant} meant?)`);
  });
});

describe("presets as they are kept", () => {
  it("have their versions, what they need, and careful at the end, once each", () => {
    expect(pinned(["us-states"])).toEqual(["us-states@2026.1", "us-federal@2026.1", "careful@2026.1"]);
    expect(pinned(["careful", "us-federal", "us-states", "us-federal"])).toEqual([
      "us-federal@2026.1",
      "us-states@2026.1",
      "careful@2026.1",
    ]);
    expect(pinned(pinned(["fr", "us-states"]))).toEqual(pinned(["fr", "us-states"]));
  });

  it("leave out what is no preset, and keep the version that was named first", () => {
    expect(pinned(["no-such-preset", "uk@2026.1", "uk"])).toEqual(["uk@2026.1", "careful@2026.1"]);
  });
});

describe("lifting a rule", () => {
  it("is of a rule that is named, or that what is named needs", () => {
    expect(liftProblem("us-fl.hours", ["us-states"])).toBeUndefined();
    expect(liftProblem("us.hours", ["us-states"])).toBeUndefined();
  });

  it("of a preset that is not named says which one that is", () => {
    expect(liftProblem("fr.hours", ["us-states"])).toBe(
      "is a rule of fr, which `presets` does not name: remove it, or name that preset",
    );
  });

  it("of no rule at all says which one may be meant", () => {
    expect(liftProblem("us-fl.hour", ["us-states"])).toBe(
      "is no rule of a preset that is named (is us-fl.hours meant?): `outdial presets show <preset>` lists them",
    );
    expect(liftProblem("something else", ["us-states"])).not.toContain("meant");
  });
});

describe("rules of states", () => {
  it("are in the presets of the United States' states, and in no other", () => {
    const withStates = newestPresets()
      .map(({ id }) => id)
      .filter((id) => speaksOfStates([id]));
    expect(withStates).toEqual(["us-states"]);
    expect(speaksOfStates(["fr", "us-states"])).toBe(true);
    expect(speaksOfStates([])).toBe(false);
    expect(presetNamed("us-states")?.rules.some(({ places }) => places === "elsewhere")).toBe(false);
  });
});
