import { describe, expect, it } from "vitest";

import { isNumberedCountry, numberKindOf } from "../../../src/domain/policy/number-kind.ts";

describe("what is known of a number by its digits", () => {
  it.each([
    ["+12025550143", "US", undefined],
    ["+442079460000", "GB", undefined],
    ["+4915112345678", "DE", undefined],
    ["+18005551234", "US", undefined],
    ["+19005550123", "US", "premium_rate"],
    ["+448712345678", "GB", "premium_rate"],
    ["+33892123456", "FR", "premium_rate"],
    ["+491801234567", "DE", "shared_cost"],
    ["+80812345678", undefined, "shared_cost"],
    ["+447012345678", "GB", "personal"],
    ["+878101234567890", undefined, "personal"],
    ["+870773111632", undefined, "satellite"],
    ["+881612345678", undefined, "satellite"],
    ["+88213300655", undefined, "satellite"],
    ["+883510012345", undefined, "satellite"],
    ["+12425551234", "BS", undefined],
    ["+80012345678", undefined, undefined],
    ["none", undefined, undefined],
  ])("%s: country %s, costly as %s", (phone, country, costly) => {
    expect(numberKindOf(phone)).toEqual({ country, costly });
  });
});

it("countries are those of numbering plans", () => {
  expect(["US", "DE", "GB", "XK"].every(isNumberedCountry)).toBe(true);
  for (const code of ["", "us", "XX", "USA", "toString"]) expect(isNumberedCountry(code)).toBe(false);
});
