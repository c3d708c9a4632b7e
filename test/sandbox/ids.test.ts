import fc from "fast-check";
import { expect, test } from "vitest";

import { IdSequence } from "../../src/sandbox/ids.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id leads back to its record, and to none of another kind or seed", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(10_000_000), (seed, index) => {
      const ids = new IdSequence(seed, "call");
      const id = ids.at(index);
      expect(id).toMatch(UUID_V4);
      expect(ids.indexOf(id)).toBe(index);
      expect(ids.indexOf(id.toUpperCase())).toBe(index);
      expect(new IdSequence(seed, "item").indexOf(id)).toBeNull();
      expect(new IdSequence(seed + 1, "call").indexOf(id)).toBeNull();
    }),
  );
});

test("ids are the same for the same seed and never repeat", () => {
  const ids = new IdSequence(7, "batch");
  const again = new IdSequence(7, "batch");
  const seen = new Set(Array.from({ length: 50_000 }, (_, index) => ids.at(index)));
  expect(seen.size).toBe(50_000);
  expect(again.at(1234)).toBe(ids.at(1234));
});

test("text that is no id of ours belongs to no record", () => {
  const ids = new IdSequence(1, "call");
  for (const text of ["", "1", "none", "../../etc/passwd", "00000000-0000-4000-8000-000000000000"]) {
    expect(ids.indexOf(text)).toBeNull();
  }
});
