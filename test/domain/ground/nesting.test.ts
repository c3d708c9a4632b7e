import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isDeeperThan } from "../../../src/domain/ground/nesting.ts";

describe("JSON that is nested", () => {
  it.each([
    ["7", 0],
    ["{}", 1],
    ['{"a": {"b": 1}}', 2],
    ["[[], [], [[]]]", 3],
    ['[{"a": [1, {}]}, {}]', 4],
    ['["]]]", [], "[[["]', 2],
    [String.raw`["\"[[", "\\", [], "\\\"[["]`, 2],
  ])("as %s is %d deep, whatever stands in its texts", (text, depth) => {
    expect(isDeeperThan(text, depth)).toBe(false);
    if (depth > 0) expect(isDeeperThan(text, depth - 1)).toBe(true);
  });

  it("is no deeper for being long", () => {
    expect(isDeeperThan(`[${'{"a":[1]},'.repeat(1_000)}0]`, 3)).toBe(false);
  });

  it("is told before its end, and where it has none", () => {
    expect(isDeeperThan("[".repeat(65), 64)).toBe(true);
    expect(isDeeperThan("[".repeat(64), 64)).toBe(false);
  });

  it("is as deep as it is once it is parsed", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
        : 0;
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', "\\", "[", "]", "{", "}") }));
    const { value: values } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        texts,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(texts, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(value);
        expect(isDeeperThan(text, depth)).toBe(false);
        expect(isDeeperThan(text, depth - 1)).toBe(depth > 0);
      }),
    );
  });
});
