import fc from "fast-check";
import { expect, it } from "vitest";
import { NumberSet } from "../../src/contacts/number-set.ts";

it("a number is new once, whatever came between", () => {
  const phone = fc.bigInt({ min: 1n, max: 999_999_999_999_999n }).map((digits) => `+${digits}`);
  fc.assert(
    fc.property(fc.array(phone, { maxLength: 200 }), (phones) => {
      const set = new NumberSet();
      const model = new Set<string>();
      for (const number of [...phones, ...phones]) {
        expect(set.add(number)).toBe(!model.has(number));
        model.add(number);
      }
      expect(set.size).toBe(model.size);
    }),
  );
});

it("300,000 neighbouring numbers are told apart, in at most 32 bytes each", () => {
  const set = new NumberSet();
  let added = 0;
  for (let round = 0; round < 2; round += 1) {
    for (let tail = 0; tail < 300_000; tail += 1) if (set.add(`+4915${1_000_000 + tail}`)) added += 1;
  }
  expect(added).toBe(300_000);
  expect(set.size).toBe(300_000);
  expect(set.bytes).toBeLessThanOrEqual(300_000 * 32);
});
