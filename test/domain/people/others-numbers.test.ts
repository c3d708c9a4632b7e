import { expect, it } from "vitest";

import {
  factWithoutOthers,
  OTHERS_NUMBER,
  withoutOthers,
} from "../../../src/domain/people/others-numbers.ts";

const OURS = ["+12025550143", "+12025550100"];

it.each([
  ["call +1 (202) 555-0199 instead", `call ${OTHERS_NUMBER} instead`],
  ["of +12025550143, from +12025550100", "of +12025550143, from +12025550100"],
  ["+1 202 555 0143", "+1 202 555 0143"],
  [
    "until 2026-03-09T16:00:00.000Z, batch 12f68d2e-832b-4208-a151-aeea9e9a8d79",
    "until 2026-03-09T16:00:00.000Z, batch 12f68d2e-832b-4208-a151-aeea9e9a8d79",
  ],
  ["+491711234567,+491711234568", `${OTHERS_NUMBER},${OTHERS_NUMBER}`],
])("a text names nobody else by number: %s", (text, told) => {
  expect(withoutOthers(text, OURS)).toBe(told);
});

it.each([
  ["var_referred_by", "2025550199", OTHERS_NUMBER],
  ["var_mobile", "0171 2345678", OTHERS_NUMBER],
  ["var_mobile", "(202) 555-0143", "(202) 555-0143"],
  ["var_phone2", 12025550199, OTHERS_NUMBER],
  ["var_renewal", "2026-03-09", "2026-03-09"],
  ["var_since", "2026-03-09 16:00", "2026-03-09 16:00"],
  ["var_since", "2026-03-09 1600", "2026-03-09 1600"],
  ["var_amount", "1234.50", "1234.50"],
  // Few digits are a number under the name of one.
  ["var_phone", "555 0199", OTHERS_NUMBER],
  ["var_note", "555 0199", "555 0199"],
  ["var_phone", "ask Ann at +12025550199", OTHERS_NUMBER],
  ["var_note", "ask Ann at +12025550199", `ask Ann at ${OTHERS_NUMBER}`],
  ["var_phone_count", 5, 5],
  ["times", 12345678901, 12345678901],
  ["var_note", "ask for Ann", "ask for Ann"],
  ["reason", null, null],
  ["opted_out", true, true],
])("a value under %s: %s", (name, value, told) => {
  expect(factWithoutOthers(name, value, OURS)).toBe(told);
});

it("a list of words names nobody else", () => {
  expect(factWithoutOthers("rules", ["keep", "+12025550199"], OURS)).toEqual(["keep", OTHERS_NUMBER]);
});
