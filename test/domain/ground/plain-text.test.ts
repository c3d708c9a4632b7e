import { describe, expect, it } from "vitest";

import { valueFault } from "../../../src/domain/ground/plain-text.ts";

const NUL = /NUL character/;
const HALF = /half a character/;
const NAME = /a name with a control character/;

describe("what can't be stored", () => {
  it.each<[unknown, RegExp]>([
    ["a\0", NUL],
    ["\ud83d", HALF],
    [["fine", "a\0"], NUL],
    [{ first: "fine", second: { third: [1, "\ud83d"] } }, HALF],
    [{ "a\nb": 1 }, NAME],
    [{ fine: 1, "\ude00": 1 }, NAME],
  ])("is found in %j, wherever it stands", (value, fault) => {
    expect(valueFault(value)).toMatch(fault);
  });

  it.each([undefined, null, 7, true, "two\nlines\tand \u{1f4de}", { "a name": ["text", null, {}] }])(
    "is not in %j",
    (value) => {
      expect(valueFault(value)).toBeUndefined();
    },
  );
});
