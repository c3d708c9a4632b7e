import { describe, expect, it } from "vitest";

import { money } from "../../dashboard/src/format.ts";

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
