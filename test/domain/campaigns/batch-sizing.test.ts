import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  MAX_BATCH_SIZE,
  MAX_BATCHES_PER_PLAN,
  MAX_DRAIN_MS,
  sizeBatches,
  slotQuantum,
  type SizingInput,
} from "../../../src/domain/campaigns/batch-sizing.ts";

const input: fc.Arbitrary<SizingInput> = fc.record({
  due: fc.oneof(fc.nat(300), fc.nat(2_000_000)),
  freeSlots: fc.oneof(fc.integer({ min: -5, max: 200 }), fc.nat(100_000)),
  limit: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 100_000 })),
  holdMs: fc.oneof(fc.nat(600_000), fc.double({ min: 0, max: 1e15, noNaN: true })),
  leadMs: fc.oneof(
    fc.integer({ min: -600_000, max: 3_600_000 }),
    fc.constantFrom(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  ),
  maxBatches: fc.integer({ min: 0, max: MAX_BATCHES_PER_PLAN }),
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe("sizes of the next batches, for any campaign", () => {
  it("never give away more slots than are free, nor more contacts than are due", () => {
    fc.assert(
      fc.property(input, (asked) => {
        const sizes = sizeBatches(asked);
        expect(sum(sizes.map((size) => size.slots))).toBeLessThanOrEqual(Math.max(0, asked.freeSlots));
        expect(sum(sizes.map((size) => size.contacts))).toBeLessThanOrEqual(asked.due);
      }),
      { numRuns: 2_000 },
    );
  });

  it("are whole numbers from 1 to 100, with a contact for each slot, in no more batches than asked", () => {
    fc.assert(
      fc.property(input, (asked) => {
        const sizes = sizeBatches(asked);
        expect(sizes.length).toBeLessThanOrEqual(asked.maxBatches);
        for (const { contacts, slots } of sizes) {
          expect(Number.isInteger(contacts) && Number.isInteger(slots)).toBe(true);
          expect(slots).toBeGreaterThanOrEqual(1);
          expect(contacts).toBeGreaterThanOrEqual(slots);
          expect(contacts).toBeLessThanOrEqual(MAX_BATCH_SIZE);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("drain in ten minutes, and before the window closes, as far as one call after another can", () => {
    fc.assert(
      fc.property(input, (asked) => {
        const boundMs = Math.max(asked.holdMs, Math.min(MAX_DRAIN_MS, asked.leadMs));
        for (const { contacts, slots } of sizeBatches(asked)) {
          expect(Math.ceil(contacts / slots) * asked.holdMs).toBeLessThanOrEqual(boundMs * (1 + 1e-9));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("leave no slot free while somebody is due and a batch may still be made", () => {
    fc.assert(
      fc.property(input, (asked) => {
        const sizes = sizeBatches(asked);
        const slotsLeft = asked.freeSlots - sum(sizes.map((size) => size.slots));
        const dueLeft = asked.due - sum(sizes.map((size) => size.contacts));
        expect(slotsLeft <= 0 || dueLeft <= 0 || sizes.length === asked.maxBatches).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("sizes in cases that people meet", () => {
  const usual: SizingInput = {
    due: 500,
    freeSlots: 20,
    limit: 20,
    holdMs: 60_000,
    leadMs: Number.POSITIVE_INFINITY,
    maxBatches: 20,
  };

  it.each([
    ["nobody is due", { due: 0 }, []],
    ["no slot is free", { freeSlots: 0 }, []],
    ["more is held than allowed, after the limit was lowered", { freeSlots: -3 }, []],
    ["one contact", { due: 1 }, [{ contacts: 1, slots: 1 }]],
    [
      "a long list: rounds of calls up to ten minutes",
      { due: 100_000 },
      [
        { contacts: 100, slots: 10 },
        { contacts: 100, slots: 10 },
      ],
    ],
    ["a list of four calls a slot: half of what is left", { due: 80 }, [{ contacts: 40, slots: 20 }]],
    ["the end of a list: everybody at once", { due: 20 }, [{ contacts: 20, slots: 20 }]],
    [
      "the window closes within one call: everybody at once",
      { due: 100_000, leadMs: 60_000 },
      [{ contacts: 20, slots: 20 }],
    ],
    ["the window has closed", { due: 100_000, leadMs: -1 }, [{ contacts: 20, slots: 20 }]],
    ["calls are long", { due: 100_000, holdMs: 400_000 }, [{ contacts: 20, slots: 20 }]],
  ])("%s", (_name, changes, sizes) => {
    expect(sizeBatches({ ...usual, ...changes })).toEqual(sizes);
  });

  it("keeps a big campaign to some twenty batches", () => {
    const sizes = sizeBatches({ ...usual, due: 1_000_000, limit: 1_000, freeSlots: 1_000 });
    expect(sizes).toHaveLength(20);
    expect(sum(sizes.map((size) => size.slots))).toBe(1_000);
  });
});

describe("the slots that are worth a batch", () => {
  it.each([
    [1, 1],
    [20, 1],
    [39, 1],
    [40, 2],
    [200, 10],
    [2_000, 100],
    [100_000, 100],
  ])("at a limit of %d: %d", (limit, slots) => {
    expect(slotQuantum(limit)).toBe(slots);
  });
});
