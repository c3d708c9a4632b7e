import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readIsDue, slotsHeardFree, type FollowFacts } from "../../../src/domain/campaigns/follow-pacing.ts";

const PACE = { minGapMs: 2_000, hintStaleMs: 90_000, pollMs: 90_000, blindPollMs: 15_000 };

const QUIET: FollowFacts = {
  open: 100,
  slots: 10,
  size: 100,
  sinceReadMs: 10_000,
  hintedEnded: 0,
  hintedOver: false,
  streamOpen: true,
  countsMoved: false,
  slotsWanted: false,
  fruitless: 0,
};
const due = (facts: Partial<FollowFacts>) => readIsDue({ ...QUIET, ...facts }, PACE);

describe("a batch in its bulk", () => {
  it("is not read while nothing is heard of it, until its poll comes", () => {
    expect(due({})).toBe(false);
    expect(due({ sinceReadMs: 89_999 })).toBe(false);
    expect(due({ sinceReadMs: 90_000 })).toBe(true);
  });

  it("is read when a fifth of it is said to have ended, not for every single one", () => {
    expect(due({ hintedEnded: 19 })).toBe(false);
    expect(due({ hintedEnded: 20 })).toBe(true);
  });

  it("is read when few ends were heard of long enough ago", () => {
    expect(due({ hintedEnded: 1, sinceReadMs: 89_999 })).toBe(false);
    expect(due({ hintedEnded: 1, sinceReadMs: 90_000 })).toBe(true);
  });

  it("is read for few ends before its poll, where that comes later, and for none is not", () => {
    const later = { ...PACE, pollMs: 180_000 };
    const heard = (hintedEnded: number, more: Partial<FollowFacts> = {}) =>
      readIsDue({ ...QUIET, sinceReadMs: 90_000, hintedEnded, ...more }, later);
    expect(heard(1)).toBe(true);
    expect(heard(0)).toBe(false);
    expect(heard(0, { open: 0 }), "though nobody of it is open").toBe(false);
    expect(heard(0, { sinceReadMs: 180_000 })).toBe(true);
  });
});

describe("the last calls of a batch", () => {
  const tail = { open: 9, slots: 10 };

  it("are read by thirds of the slots, since each read frees some", () => {
    expect(due({ ...tail, hintedEnded: 3 })).toBe(false);
    expect(due({ ...tail, hintedEnded: 4 })).toBe(true);
    expect(due({ open: 10, slots: 10, hintedEnded: 4 }), "from when none waits for a slot").toBe(true);
  });

  it("are read when all of them are said to have ended", () => {
    expect(due({ open: 2, slots: 10, hintedEnded: 2 })).toBe(true);
    expect(due({ open: 0, slots: 10, hintedEnded: 1 })).toBe(true);
  });
});

describe("where somebody waits for slots", () => {
  const slotsWanted = true;

  it("the end of any call is read that leaves a slot free", () => {
    expect(due({ slotsWanted, open: 10, hintedEnded: 1 })).toBe(true);
    expect(due({ slotsWanted, open: 12, hintedEnded: 3 })).toBe(true);
  });

  it("none is where the next contact of the batch took it", () => {
    expect(due({ slotsWanted, open: 12, hintedEnded: 2 })).toBe(false);
    expect(due({ slotsWanted, hintedEnded: 1 })).toBe(false);
  });

  it("one is for whoever comes after somebody of a batch that takes no new dial", () => {
    expect(due({ slotsWanted, open: 96, slots: 10, held: 6, hintedEnded: 1 })).toBe(true);
    expect(due({ slotsWanted, open: 96, slots: 10, held: 0, hintedEnded: 1 })).toBe(false);
  });

  it("nor where nothing was heard", () => {
    expect(due({ slotsWanted, open: 3 })).toBe(false);
  });

  it.each([
    [{ open: 100, slots: 10, hintedEnded: 90 }, 0],
    [{ open: 100, slots: 10, hintedEnded: 91 }, 1],
    [{ open: 4, slots: 10, hintedEnded: 3 }, 3],
    [{ open: 4, slots: 10, hintedEnded: 9 }, 4],
    [{ open: 0, slots: 10, hintedEnded: 9 }, 0],
    // Of one that takes no new dial, whoever is left in it.
    [{ open: 96, slots: 10, held: 6, hintedEnded: 2 }, 2],
    [{ open: 96, slots: 10, held: 6, hintedEnded: 90 }, 6],
    [{ open: 90, slots: 10, held: 0, hintedEnded: 90 }, 0],
  ])("of %o came free: %d", (heard, slots) => {
    expect(slotsHeardFree(heard)).toBe(slots);
  });
});

describe("whatever else is heard", () => {
  it("the end of the batch, or counts that moved, are read at once", () => {
    expect(due({ hintedOver: true, sinceReadMs: 2_000 })).toBe(true);
    expect(due({ countsMoved: true, sinceReadMs: 2_000 })).toBe(true);
  });

  it("no two reads come closer than the shortest gap", () => {
    expect(due({ hintedOver: true, countsMoved: true, hintedEnded: 100, sinceReadMs: 1_999 })).toBe(false);
  });

  it("without a stream the counts tell, and a slow poll where they do not", () => {
    expect(due({ streamOpen: false, sinceReadMs: 59_999 })).toBe(false);
    expect(due({ streamOpen: false, sinceReadMs: 60_000 })).toBe(true);
  });
});

describe("hints that lie", () => {
  it.each([
    [0, 2_000],
    [1, 4_000],
    [3, 16_000],
    [6, 90_000],
    [1_000, 90_000],
  ])("after %d reads that found nothing new the next waits %d ms", (fruitless, gapMs) => {
    expect(due({ fruitless, hintedOver: true, sinceReadMs: gapMs - 1 })).toBe(false);
    expect(due({ fruitless, hintedOver: true, sinceReadMs: gapMs })).toBe(true);
  });

  it("however wild they are, a batch is read at its gap at most and within its poll at least", () => {
    const facts = fc.record({
      open: fc.nat(100),
      slots: fc.integer({ min: 1, max: 100 }),
      size: fc.integer({ min: 1, max: 100 }),
      sinceReadMs: fc.nat(400_000),
      hintedEnded: fc.nat(1_000),
      hintedOver: fc.boolean(),
      streamOpen: fc.boolean(),
      countsMoved: fc.boolean(),
      slotsWanted: fc.boolean(),
      fruitless: fc.nat(100),
    });
    fc.assert(
      fc.property(facts, (one) => {
        expect(readIsDue({ ...one, sinceReadMs: one.sinceReadMs % PACE.minGapMs }, PACE)).toBe(false);
        expect(readIsDue({ ...one, sinceReadMs: one.sinceReadMs + 90_000 }, PACE)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
