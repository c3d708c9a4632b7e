import { describe, expect, it } from "vitest";

import { counted, money } from "../../dashboard/src/format.ts";

describe("money on pages", () => {
  it.each([
    [0, "000"],
    [0.0042, "00042"],
    [-0.0042, "00042"],
    [0.01, "001"],
    [1234.5, "123450"],
  ])("of %d dollars is told to the cent, and further where that says nothing", (usd, digits) => {
    // Whatever the machine's locale puts between them.
    expect(money(usd).replaceAll(/\D/g, "")).toBe(digits);
  });
});

describe("a count on pages", () => {
  it.each([
    [0, "0 calls"],
    [1, "1 call"],
    [2, "2 calls"],
  ])("of %d is told in words for as many", (n, words) => {
    expect(counted(n, "call")).toBe(words);
  });

  it("is told by another word where several are no such word with an s", () => {
    expect([1, 2].map((n) => counted(n, "person", "people"))).toEqual(["1 person", "2 people"]);
  });
});
