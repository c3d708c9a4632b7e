import { describe, expect, it } from "vitest";

import { closingRule } from "../../../../src/domain/policy/presets/closing-rule.ts";
import { placedRulesOf } from "../../../../src/domain/policy/presets/in-force.ts";
import { zoneOf } from "../../../../src/domain/time/zone-data.ts";

const CHICAGO = "America/Chicago";
const at = (local: string) => zoneOf(CHICAGO).instantMs(Date.parse(`${local}Z`), "later");
const closing = (places: readonly string[], local: string) =>
  closingRule(placedRulesOf(["us-states"]), [CHICAGO], places, at(local));

describe("the rule of a preset that keeps somebody from being called", () => {
  it("is the one that does, not one of holidays that stands before it on a day that is none", () => {
    // Alabama opens at eight and keeps holidays, Illinois opens at nine.
    expect(closing(["US-AL", "US-IL"], "2026-11-16T08:30")).toEqual({
      rule: expect.stringContaining("us-il.hours"),
    });
    expect(closing(["US-AL"], "2026-11-16T08:30")).toEqual({});
  });

  it("is named with the holiday, as a day off", () => {
    expect(closing(["US-AL", "US-IL"], "2026-04-27T12:00")).toEqual({
      dayOff: expect.stringMatching(/2026-04-27 .*: us-states 2026\.1: Alabama, .*us-al\.holidays/),
    });
  });
});
