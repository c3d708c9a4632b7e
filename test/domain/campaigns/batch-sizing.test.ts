import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  MAX_BATCH_SIZE,
  MAX_BATCHES_PER_PLAN,
  MAX_DRAIN_MS,
  sizeBatches,
  slotQuantum,
  slotsInOrder,
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
    ["a list of four calls a slot: five sixths of what is left", { due: 80 }, [{ contacts: 66, slots: 20 }]],
    ["a list of two and a half calls a slot", { due: 50 }, [{ contacts: 41, slots: 20 }]],
    ["a list of two calls a slot, to the contact", { due: 48 }, [{ contacts: 40, slots: 20 }]],
    ["a list of less: everybody who has a slot", { due: 47 }, [{ contacts: 20, slots: 20 }]],
    ["the end of a list: everybody at once", { due: 20 }, [{ contacts: 20, slots: 20 }]],
    [
      "the window closes within one call: everybody at once",
      { due: 100_000, leadMs: 60_000 },
      [{ contacts: 20, slots: 20 }],
    ],
    ["the window has closed", { due: 100_000, leadMs: -1 }, [{ contacts: 20, slots: 20 }]],
    ["calls are long", { due: 100_000, holdMs: 400_000 }, [{ contacts: 20, slots: 20 }]],
    [
      "calls begin with their batch, eight at once: each has a slot, however long the list",
      { due: 100_000, begunAtOnce: 8 },
      [
        { contacts: 8, slots: 8 },
        { contacts: 8, slots: 8 },
        { contacts: 4, slots: 4 },
      ],
    ],
  ])("%s", (_name, changes, sizes) => {
    expect(sizeBatches({ ...usual, ...changes })).toEqual(sizes);
  });

  it.each([1_000, 10_000])("keeps a campaign of %d lines to some hundred batches", (limit) => {
    const asked = { ...usual, due: 1_000_000, limit, freeSlots: limit, maxBatches: 1_000 };
    const sizes = sizeBatches(asked);
    expect(sizes).toHaveLength(100);
    expect(sum(sizes.map((size) => size.slots))).toBe(limit);
  });
});

describe("where some are called before others, slots take", () => {
  const brief = { due: 6, limit: 100, holdMs: 60_000, leadMs: MAX_DRAIN_MS };
  const long = { ...brief, due: 1_000, limit: 10 };

  it("the first of all groups, and nobody for sharing a batch with one of them", () => {
    expect(slotsInOrder([0, 1, 1, 0, 0, 1], [brief, brief], 3)).toEqual([
      { contacts: 1, slots: 1 },
      { contacts: 2, slots: 2 },
    ]);
  });

  it("as many of a group as each makes calls, one after the other", () => {
    const order = Array.from({ length: 40 }, (_, index) => index % 2);
    const next = slotsInOrder(order, [long, { ...long, holdMs: 2 * MAX_DRAIN_MS }], 4);
    expect(next).toEqual([
      { contacts: 4, slots: 1 },
      { contacts: 3, slots: 3 },
    ]);
  });

  it("everybody where there are enough", () => {
    expect(slotsInOrder([1, 0, 1], [brief, brief], 9)).toEqual([
      { contacts: 1, slots: 1 },
      { contacts: 2, slots: 2 },
    ]);
  });
});

describe("the slots that are worth a batch", () => {
  const holdMs = 60_000;
  it.each([
    ["a long list: two slots take twenty contacts in ten minutes", { due: 10_000, limit: 100 }, 2],
    ["calls are long: twenty contacts need more of them", { due: 10_000, limit: 100, holdMs: 150_000 }, 5],
    ["a thousand lines: a hundredth of them comes free in a moment", { due: 100_000, limit: 1_000 }, 10],
    ["the end of a list: a twentieth of the lines, though they take fewer", { due: 100, limit: 100 }, 5],
    ["few lines: one is a twentieth of them", { due: 1_000, limit: 20 }, 1],
    ["a line and a half are no less than two", { due: 1_000, limit: 30 }, 2],
    ["all that is left", { due: 3, limit: 100 }, 3],
    ["nobody is left", { due: 0, limit: 100 }, 1],
    ["one line", { due: 10_000, limit: 1 }, 1],
    ["never more than a batch can have", { due: 1_000_000, limit: 100_000 }, 100],
  ])("%s", (_name, work, slots) => {
    expect(slotQuantum({ holdMs, ...work })).toBe(slots);
  });
});
