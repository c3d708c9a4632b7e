import { describe, expect, it } from "vitest";

import {
  consentRulesOf,
  placedRulesOf,
  presetCapsOf,
} from "../../../../src/domain/policy/presets/in-force.ts";

/** Lifted from what nobody else asks for: what others asked for before is remembered, and not made here. */
const alone = (name: string) => [{ rule: `${name}, of this test`, reason: "there is no such rule" }];

describe("what the presets of a campaign come to", () => {
  it("says of each rule its preset, where it holds, what it says and where it is from", () => {
    const texts = placedRulesOf(["us-states"], alone("texts")).map(({ text }) => text);
    expect(texts).toContainEqual(
      expect.stringMatching(/^us-states 2026\.1: Florida, .* \(us-fl\.hours; .*\)$/),
    );
    // What holds for whoever no other speaks of is of no place.
    expect(texts.filter((text) => text.startsWith("careful"))).toEqual([
      expect.stringMatching(/^careful 2026\.1: Monday to Friday 09:00-18:00, not at weekends \(/),
      expect.stringMatching(/^careful 2026\.1: no calls on public holidays of the contact's country \(/),
    ]);
  });

  it("is the same lists again for the same presets, whatever was asked for meanwhile", () => {
    const [rules, caps, consents] = [placedRulesOf(["fr"]), presetCapsOf(["fr"]), consentRulesOf(["fr"])];
    expect(placedRulesOf(["de"])).not.toBe(rules);
    expect(placedRulesOf(["fr"])).toBe(rules);
    expect(presetCapsOf(["fr"], [])).toBe(caps);
    expect(consentRulesOf(["fr"])).toBe(consents);
    expect(placedRulesOf(["fr"], [{ rule: "fr.hours", reason: "counsel" }])).not.toBe(rules);
  });

  it("counts calls of a whole brand, as attempts, puts off and gives up nobody for it", () => {
    const caps = presetCapsOf(["us-states"], alone("caps"));
    expect(caps.length).toBeGreaterThan(0);
    for (const { counts, across, thenEnd, of = [] } of caps) {
      expect({ counts, across, thenEnd }).toEqual({ counts: "attempts", across: "brand", thenEnd: false });
      expect(of.length).toBeGreaterThan(0);
      for (const { text, territory } of of) {
        expect(text).toMatch(/calls? to a number within/);
        expect(territory.kind).toBe(text.startsWith("careful") ? "elsewhere" : "places");
      }
    }
  });

  it("is nothing where none is named", () => {
    expect([placedRulesOf(undefined), presetCapsOf(undefined), consentRulesOf(undefined)]).toEqual([
      [],
      [],
      [],
    ]);
  });
});
