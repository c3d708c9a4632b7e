import { expect, it } from "vitest";

import { storedSpec } from "../../../src/ledger/campaigns/stored-spec.ts";

const WRITTEN = { name: "spring", agent_id: "agent", from_numbers: ["+12025550100"], concurrency: 3 };

/** As the driver reads it, anew each time. */
const read = (changes: object = {}): unknown => JSON.parse(JSON.stringify({ ...WRITTEN, ...changes }));

it("a spec that is read again is read once", () => {
  expect(storedSpec(read())).toBe(storedSpec(read()));
});

it("an amended spec is another one", () => {
  expect(storedSpec(read({ concurrency: 4 }))).toMatchObject({ concurrency: 4, least_gap: "5m" });
  expect(storedSpec(read())).toMatchObject({ concurrency: 3 });
});

it("nobody changes the spec of others", () => {
  const { from_numbers: numbers } = storedSpec(read());
  expect(() => numbers.push("+12025550101")).toThrow(TypeError);
});

it("a spec that this program does not know is refused each time", () => {
  for (const _ of [1, 2]) expect(() => storedSpec(read({ concurrency: "many" }))).toThrow(/concurrency/);
});

it("keeps the newest of them, and none that is long", () => {
  const first = storedSpec(read());
  for (let others = 0; others < 150; others += 1) storedSpec(read({ name: `other ${others}` }));
  expect(storedSpec(read())).toBe(first);
  for (let others = 0; others < 250; others += 1) storedSpec(read({ name: `later ${others}` }));
  expect(storedSpec(read())).not.toBe(first);
  expect(storedSpec(read())).toEqual(first);
  const long = { from_numbers: Array.from({ length: 1_000 }, (_, index) => `+1202555${1_000 + index}`) };
  expect(storedSpec(read(long))).not.toBe(storedSpec(read(long)));
});
