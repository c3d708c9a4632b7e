import { expect, it } from "vitest";
import { parse } from "yaml";

import { firstSequence } from "../../dashboard/src/pages/sequences/editor/first-sequence.ts";
import { firstBrand } from "../../dashboard/src/parts/first-brand.ts";

it("begins what is new with the brand that is looked at, or the only one there is", () => {
  expect(firstBrand("zenith", ["acme", "zenith"])).toBe("zenith");
  expect(firstBrand(undefined, ["acme"])).toBe("acme");
  expect(firstBrand(undefined, null)).toBe("default");
});

it("says the brand in the document of a new sequence, and keeps how it is written", () => {
  const text = firstSequence("2026");
  expect(parse(text)).toMatchObject({ name: "welcome", brand: "2026" });
  expect(text).toContain('brand: "2026"\n');
  expect(text).toContain("    call: {}\n    on: { answered: done, unknown: done, otherwise: later }\n");
});
