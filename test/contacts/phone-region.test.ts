import { expect, it } from "vitest";
import { nationalHome } from "../../src/contacts/phone-region.ts";

it.each([
  ["DE", { region: "DE" }],
  ["gb", { region: "GB" }],
  ["USA", { region: "US" }],
  ["United States", { region: "US" }],
  ["UK", { region: "GB" }],
  ["Germany", { region: "DE" }],
  ["Deutschland", { region: "DE" }],
  ["ESPAÑA", { region: "ES" }],
  ["Türkiye", { region: "TR" }],
  ["Turkey", { region: "TR" }],
  ["Россия", { region: "RU" }],
  ["49", { callingCode: "49" }],
  ["+ 1", { callingCode: "1" }],
  ["0044", { callingCode: "44" }],
])("the country cell %j is understood", (cell, home) => {
  expect(nationalHome(cell)).toEqual(home);
});

it.each(["", "EMEA", "North", "999", "+4915112345678", "constructor"])(
  "the country cell %j is not guessed at",
  (cell) => {
    expect(nationalHome(cell)).toBeUndefined();
  },
);
