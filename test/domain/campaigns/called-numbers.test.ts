import { describe, expect, it } from "vitest";

import { listedDigits, mayBeAmong } from "../../../src/domain/campaigns/called-numbers.ts";

describe("a number in a listing of calls", () => {
  it.each([
    ["+12025550100", "12025550100"],
    ["12025550100", "12025550100"],
    ["0012025550100", "12025550100"],
    ["+1 (202) 555-0100", "12025550100"],
    ["tel:+1.202.555.0100", "12025550100"],
    ["sip:+12025550100@trunk5.example.com:5060", "12025550100"],
    ["+12025550100;ext=7", "12025550100"],
    ["202-555-0100", "2025550100"],
    [" \t+12025550100 \n", "12025550100"],
    [" tel:+12025550100", "12025550100"],
    ["5550100", "5550100"],
    ["+123456789012345", "123456789012345"],
  ])("%s is %s", (text, digits) => {
    expect(listedDigits(text)).toBe(digits);
  });

  it.each([
    undefined,
    "",
    "+1202***0100",
    "+1202XXX0100",
    "anonymous",
    "100",
    "123456",
    "1".repeat(16),
    "sip:ann@x",
    "ann2025550100",
    "+12025550100@trunk5\n7",
    "+12025550100x7",
    "2025550100 or 2025550101",
    "12025550100,tel:2",
    "+1tel:2025550100",
  ])("%s can't be told", (text) => {
    expect(listedDigits(text)).toBeUndefined();
  });
});

describe("whether somebody may have been called", () => {
  const among = (listed: readonly string[], phone: string) => mayBeAmong(new Set(listed), phone);

  it("by the same digits, without the country, or with a trunk's zero", () => {
    expect(among(["12025550100"], "+12025550100")).toBe(true);
    expect(among(["2025550100"], "+12025550100")).toBe(true);
    expect(among(["01701234567"], "+491701234567")).toBe(true);
    expect(among(["9912025550100"], "+12025550100")).toBe(true);
    // Two zeros are two zeros of a trunk, and what is left is long enough to be a number.
    expect(among(["005550100"], "+12025550100")).toBe(true);
  });

  it("not by another number, however alike", () => {
    expect(among([], "+12025550100")).toBe(false);
    expect(among(["12025550101", "442025550100"], "+12025550100")).toBe(false);
    expect(among(["0000000"], "+12025550100")).toBe(false);
  });
});
