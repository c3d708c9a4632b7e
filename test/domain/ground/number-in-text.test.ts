import { expect, it } from "vitest";

import { numberIn, writingsOf } from "../../../src/domain/ground/number-in-text.ts";

it.each([
  ["+12025550143,Ann", "12025550143"],
  ['"(202) 555-0143";Ann', "2025550143"],
  ["Ann,0171 2345678", "01712345678"],
  ["0049-171.2345678", "00491712345678"],
  ["Ann,12 March", undefined],
  ["", undefined],
  ["001 12345678 90123 45", "001123456789012345"],
  // More than any number has.
  ["1234567890123456789", undefined],
])("the number that stands in %s", (text, digits) => {
  expect(numberIn(text)).toBe(digits);
});

it("people write a number with its country, as from abroad, and as at home", () => {
  expect(writingsOf("+491712345678")).toEqual([
    "491712345678",
    "00491712345678",
    "011491712345678",
    "1712345678",
    "01712345678",
  ]);
});
