import { describe, expect, it } from "vitest";

import { isRowToBlame, shownVariables } from "../../../src/domain/ground/sealed.ts";

describe("variables as people may see them", () => {
  it("say of a sensitive one that it is there, and nothing of what it says", () => {
    const shown = shownVariables({ name: "Jane", ssn: "left here by mistake" }, ["ssn", "iban"]);
    expect(shown).toEqual({ name: "Jane", ssn: "(sensitive)", iban: "(sensitive)" });
  });

  it("are as they are where none is", () => {
    expect(shownVariables({ name: "Jane" }, [])).toEqual({ name: "Jane" });
  });
});

it("blames a row where those beside it open but for a few, and nobody where many do not", () => {
  const [yes, no] = [
    (n: number) => Array<boolean>(n).fill(true),
    (n: number) => Array<boolean>(n).fill(false),
  ];
  const blames = (before: boolean[], after: boolean[]) => isRowToBlame({ before, after });
  expect(blames([], [])).toBe(false);
  expect(blames([], yes(1))).toBe(true);
  // Two beside each other.
  expect(blames([], [...no(1), ...yes(3)])).toBe(true);
  expect(blames(no(1), yes(10))).toBe(true);
  expect(blames([], [...no(1), ...yes(2)])).toBe(false);
  // The last, and the first, that another key of the same id can't open.
  expect(blames(no(6), yes(10))).toBe(false);
  expect(blames([], [...no(6), ...yes(4)])).toBe(false);
  expect(blames(no(10), no(10))).toBe(false);
});
