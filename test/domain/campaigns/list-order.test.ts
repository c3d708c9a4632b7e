import { describe, expect, it } from "vitest";

import { PLACEMENT_PRIORITY, priorityOf, prioritySchema } from "../../../src/domain/campaigns/list-order.ts";

describe("the level at which somebody of a list is called first", () => {
  const UP = { column: "score", first: 100, last: 0 };
  const level = (score: string | undefined, spec = UP) =>
    priorityOf(spec, score === undefined ? {} : { score });

  it("spreads what lies between the two ends evenly over ten levels, all below a call that was placed", () => {
    expect(["0", "9", "10", "55", "89.9", "90", "99", "100"].map((score) => level(score))).toEqual([
      0, 0, 1, 5, 8, 9, 9, 9,
    ]);
    expect(PLACEMENT_PRIORITY).toBe(10);
  });

  it("may be the higher for the lower value", () => {
    const down = { column: "score", first: 1, last: 5 };
    expect(["1", "2", "3", "5"].map((score) => level(score, down))).toEqual([9, 7, 5, 0]);
  });

  it("of whatever lies beyond an end is that end's", () => {
    expect([level("-40"), level("1000")]).toEqual([0, 9]);
    const shifted = { column: "score", first: 30, last: 20 };
    expect([level("19", shifted), level("25", shifted), level("31", shifted)]).toEqual([0, 5, 9]);
  });

  it.each(["+95", " 95 ", "95.0", "95.25"])("reads %j as the number that it is", (score) => {
    expect(level(score)).toBe(9);
  });

  it.each([undefined, "", " ", "0x64", "1e2", "high", "95 points", "a95", "95.", ".5", "Infinity", "9,5"])(
    "of %j, which is no number, is the last",
    (score) => {
      expect(level(score)).toBe(0);
    },
  );

  it("is the last for everybody where none is asked for, and by a column that the row has not of its own", () => {
    expect(priorityOf(undefined, { score: "100" })).toBe(0);
    const row: Record<string, string> = Object.create({ score: "100" }) as Record<string, string>;
    expect(priorityOf(UP, row)).toBe(0);
  });

  it("needs a column, and two values that differ", () => {
    expect(prioritySchema.safeParse(UP).success).toBe(true);
    expect(prioritySchema.safeParse({ ...UP, last: 100 }).error?.issues).toMatchObject([
      { path: ["last"], message: expect.stringContaining("must not be the same as first") },
    ]);
    for (const column of ["", "c".repeat(101)])
      expect(prioritySchema.safeParse({ ...UP, column }).success).toBe(false);
    expect(prioritySchema.safeParse({ ...UP, column: "c".repeat(100) }).success).toBe(true);
    expect(prioritySchema.safeParse({ ...UP, colour: 1 }).success).toBe(false);
  });
});
