import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  isEnough,
  nextInLine,
  PRIORITIES,
  shareLines,
  workWithin,
  type AccountLines,
  type LineClaim,
  type Waiting,
} from "../../../src/domain/campaigns/account-lines.ts";

const NOW_MS = 1_000_000;

let ids = 0;
const claim = (changes: Partial<Waiting> = {}): Waiting => ({
  id: `campaign-${(ids += 1)}`,
  brand: "default",
  weight: 1,
  priority: "normal",
  isUrgent: false,
  held: 0,
  waiting: 1_000,
  servedAtMs: undefined,
  isOffered: false,
  work: { due: 1_000, limit: 100, holdMs: 60_000 },
  ...changes,
});

const someClaim: fc.Arbitrary<LineClaim> = fc.record({
  id: fc.uuid(),
  brand: fc.constantFrom("acme", "beta", "default"),
  weight: fc.integer({ min: 1, max: 1_000 }),
  priority: fc.constant("normal" as const),
  isUrgent: fc.boolean(),
  held: fc.oneof(fc.nat(5), fc.nat(200)),
  waiting: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(500)),
  servedAtMs: fc.option(fc.nat(NOW_MS), { nil: undefined }),
});
const someClaims = fc.uniqueArray(someClaim, { selector: ({ id }) => id, maxLength: 30 });
const someLines: fc.Arbitrary<AccountLines> = fc
  .record({
    limit: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 })),
    part: fc.nat(99),
  })
  .map(({ limit, part }) => ({ limit, reserve: Math.floor((limit * part) / 100) }));

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);
const share = (lines: Partial<AccountLines>, claims: readonly LineClaim[]) => {
  const { shares } = shareLines({ limit: 70, reserve: 0, ...lines }, claims, NOW_MS);
  return claims.map(({ id }) => shares.get(id)?.share);
};
const free = (lines: Partial<AccountLines>, claims: readonly LineClaim[]) => {
  const { shares } = shareLines({ limit: 70, reserve: 0, ...lines }, claims, NOW_MS);
  return claims.map(({ id }) => shares.get(id)?.free);
};

describe("lines of an account, where lists have priorities", () => {
  const someMixed = someClaims.chain((claims) =>
    fc
      .array(fc.constantFrom(...PRIORITIES), { minLength: claims.length, maxLength: claims.length })
      .map((given) => claims.map((one, index) => ({ ...one, priority: given[index] ?? "normal" }))),
  );
  const level = (claims: readonly LineClaim[]) =>
    claims.map((one) => ({ ...one, priority: "normal" as const }));
  const isList = ({ isUrgent }: LineClaim) => !isUrgent;

  it("leave the urgent what they have, and the lists together what they have", () => {
    fc.assert(
      fc.property(someLines, someMixed, (lines, claims) => {
        const withThem = shareLines(lines, claims, NOW_MS).shares;
        const without = shareLines(lines, level(claims), NOW_MS).shares;
        const shareIn = (shares: typeof without) => (one: LineClaim) => shares.get(one.id)?.share ?? 0;
        for (const one of claims.filter(({ isUrgent }) => isUrgent))
          expect(shareIn(withThem)(one)).toBe(shareIn(without)(one));
        const lists = claims.filter(isList);
        expect(sum(lists.map(shareIn(withThem)))).toBe(sum(lists.map(shareIn(without))));
        for (const one of lists) expect(shareIn(withThem)(one)).toBeLessThanOrEqual(one.held + one.waiting);
      }),
    );
  });

  it("give those behind one line in twenty at least, and no more while one before them could use it", () => {
    fc.assert(
      fc.property(someLines, someMixed, (lines, claims) => {
        const { shares } = shareLines(lines, claims, NOW_MS);
        const lists = claims.filter(isList);
        const shareOf = ({ id }: LineClaim) => shares.get(id)?.share ?? 0;
        const demandOf = ({ held, waiting }: LineClaim) => held + waiting;
        const total = sum(lists.map(shareOf));
        const high = lists.filter(({ priority }) => priority === "high");
        const behind = lists.filter(({ priority }) => priority !== "high");
        const wanted = sum(behind.map(demandOf));
        // Parts of a line are given in turns: each may be one off.
        const off = lists.length;
        expect(sum(behind.map(shareOf))).toBeGreaterThanOrEqual(Math.min(wanted, total / 20) - off);
        if (high.some((one) => shareOf(one) < demandOf(one) - 1))
          expect(sum(behind.map(shareOf))).toBeLessThanOrEqual(total / 20 + off);
      }),
    );
  });

  it("are 95 of 100 for a high one and five for a normal one, whatever their weights", () => {
    const [high, normal] = [claim({ priority: "high" }), claim({ weight: 50 })];
    expect(share({ limit: 100 }, [high, normal])).toEqual([95, 5]);
  });

  it("are by weight among equals, and again nineteen of twenty for the higher of those behind", () => {
    const claims = [
      claim({ priority: "high", weight: 1 }),
      claim({ priority: "high", weight: 4 }),
      claim({ priority: "normal" }),
      claim({ priority: "low", weight: 100 }),
    ];
    expect(share({ limit: 2_000 }, claims)).toEqual([900, 1_000, 95, 5]);
    expect(share({ limit: 800 }, claims)).toEqual([152, 608, 38, 2]);
  });

  it("that a high one can't use are the others' at once, by their own priorities", () => {
    const claims = [
      claim({ priority: "high", waiting: 10 }),
      claim({ priority: "normal" }),
      claim({ priority: "low" }),
    ];
    expect(share({ limit: 110 }, claims)).toEqual([10, 95, 5]);
  });

  it("come to a low one in its turn where there are few", () => {
    const high = claim({ priority: "high", held: 3, servedAtMs: NOW_MS - 1_000 });
    expect(free({ limit: 4 }, [high, claim({ priority: "low", servedAtMs: 0 })])).toEqual([0, 1]);
    expect(free({ limit: 4 }, [high, claim({ priority: "low", servedAtMs: NOW_MS - 1_000 })])).toEqual([
      1, 0,
    ]);
  });

  it("put no list before callbacks and sequences", () => {
    const claims = [claim({ isUrgent: true, waiting: 30 }), claim({ priority: "high" })];
    expect(free({ limit: 40 }, claims)).toEqual(free({ limit: 40 }, level(claims)));
  });

  it("are of a brand's own lines the higher's first, too", () => {
    const brands = new Map([["acme", 20]]);
    const claims = [claim({ brand: "acme", priority: "high" }), claim({ brand: "acme", priority: "low" })];
    expect(share({ limit: 100, brands }, claims)).toEqual([19, 1]);
  });
});

describe("lines of an account, for any campaigns", () => {
  const forAll = (check: (lines: AccountLines, claims: readonly LineClaim[]) => void) =>
    fc.assert(fc.property(someLines, someClaims, check));

  it("are never given twice: whatever one campaign takes, all hold no more than there are", () => {
    forAll((lines, claims) => {
      const held = sum(claims.map((one) => one.held));
      const { shares } = shareLines(lines, claims, NOW_MS);
      for (const { free: taken } of shares.values()) {
        expect(taken).toBeGreaterThanOrEqual(0);
        expect(Number.isInteger(taken)).toBe(true);
        if (taken > 0) expect(held + taken).toBeLessThanOrEqual(lines.limit);
      }
    });
  });

  it("are shared whole and whole lines at a time: all of them, or all that is wanted", () => {
    forAll((lines, claims) => {
      const { shares } = shareLines({ ...lines, reserve: 0 }, claims, NOW_MS);
      const wanted = sum(claims.map(({ held, waiting }) => held + waiting));
      expect(sum([...shares.values()].map((one) => one.share))).toBe(Math.min(lines.limit, wanted));
    });
  });

  it("are never more than a campaign can use", () => {
    forAll((lines, claims) => {
      const { shares } = shareLines(lines, claims, NOW_MS);
      for (const { id, held, waiting } of claims) {
        expect(shares.get(id)?.share).toBeLessThanOrEqual(held + waiting);
        expect(shares.get(id)?.free).toBeLessThanOrEqual(waiting);
      }
    });
  });

  it("are not idle while somebody may have them: as long as some are idle beyond the reserve, somebody who waits may take some", () => {
    forAll((lines, claims) => {
      const { shares, idle } = shareLines(lines, claims, NOW_MS);
      const ofOthers = claims.filter((one) => !one.isUrgent);
      const urgentWaits = claims.some((one) => one.isUrgent && one.waiting > 0);
      const othersWait = ofOthers.some((one) => one.waiting > 0);
      const openToOthers = lines.limit - lines.reserve - sum(ofOthers.map((one) => one.held)) > 0;
      const taken = sum([...shares.values()].map((one) => one.free));
      if (idle > 0 && (urgentWaits || (othersWait && openToOthers))) expect(taken).toBeGreaterThan(0);
    });
  });

  it("are by weight: of two who could use more, none has more than a line beyond its part of the other's", () => {
    forAll((lines, all) => {
      const claims = all.map((one) => ({ ...one, isUrgent: false }));
      const { shares } = shareLines({ ...lines, reserve: 0 }, claims, NOW_MS);
      const of = (one: LineClaim) => shares.get(one.id)?.share ?? 0;
      const unsated = claims.filter((one) => of(one) < one.held + one.waiting);
      for (const one of unsated) {
        for (const other of claims)
          expect((of(other) - 1) / other.weight).toBeLessThanOrEqual((of(one) + 1) / one.weight + 1e-9);
      }
    });
  });

  it("that are kept for the urgent are not given to others", () => {
    forAll((lines, claims) => {
      const { shares } = shareLines(lines, claims, NOW_MS);
      const others = claims.filter((one) => !one.isUrgent);
      const held = sum(others.map((one) => one.held));
      expect(sum(others.map(({ id }) => shares.get(id)?.share ?? 0))).toBeLessThanOrEqual(
        Math.max(lines.limit - lines.reserve, 0),
      );
      for (const { id } of others) {
        const taken = shares.get(id)?.free ?? 0;
        if (taken > 0) expect(held + taken).toBeLessThanOrEqual(lines.limit - lines.reserve);
      }
    });
  });
});

describe("lines of brands that have limits of their own", () => {
  const someBrands = fc
    .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }))
    .map(([acme, beta]) => new Map(Object.entries({ acme, beta })));
  const forAll = (
    check: (lines: AccountLines & { brands: Map<string, number> }, claims: readonly LineClaim[]) => void,
  ) =>
    fc.assert(
      fc.property(someLines, someBrands, someClaims, (lines, brands, claims) =>
        check({ ...lines, brands }, claims),
      ),
    );

  it("are never more than these, and never given twice", () => {
    forAll((lines, claims) => {
      const { shares } = shareLines(lines, claims, NOW_MS);
      for (const [brand, limit] of lines.brands) {
        const own = claims.filter((one) => one.brand === brand);
        const held = sum(own.map((one) => one.held));
        expect(sum(own.map(({ id }) => shares.get(id)?.share ?? 0))).toBeLessThanOrEqual(limit);
        for (const { id } of own) {
          const taken = shares.get(id)?.free ?? 0;
          if (taken > 0) expect(held + taken).toBeLessThanOrEqual(limit);
        }
      }
      const all = sum(claims.map((one) => one.held));
      for (const { free: taken } of shares.values())
        if (taken > 0) expect(all + taken).toBeLessThanOrEqual(lines.limit);
    });
  });

  it("that a brand may not have are the others'", () => {
    forAll(({ brands, ...lines }, claims) => {
      const bounded = shareLines({ ...lines, brands }, claims, NOW_MS).shares;
      const free = shareLines(lines, claims, NOW_MS).shares;
      for (const { id, brand, isUrgent } of claims) {
        if (brands.has(brand) || isUrgent || lines.reserve > 0) continue;
        // A part of a line is somebody else's turn.
        expect(bounded.get(id)?.share ?? 0).toBeGreaterThanOrEqual((free.get(id)?.share ?? 0) - 1);
      }
    });
  });

  it("are idle only where nobody may take them", () => {
    forAll((lines, claims) => {
      const noReserve = { ...lines, reserve: 0 };
      const { shares, idle } = shareLines(noReserve, claims, NOW_MS);
      const heldOf = (brand: string) =>
        sum(claims.filter((one) => one.brand === brand).map((one) => one.held));
      const mayTake = claims.some(
        ({ brand, waiting }) => waiting > 0 && heldOf(brand) < (lines.brands.get(brand) ?? Infinity),
      );
      const taken = sum([...shares.values()].map((one) => one.free));
      if (idle > 0 && mayTake) expect(taken).toBeGreaterThan(0);
    });
  });

  it("are shared by weight within the brand first", () => {
    const brands = new Map([["acme", 12]]);
    const acme = { brand: "acme" };
    const claims = [claim(acme), claim({ ...acme, weight: 2 }), claim(), claim()];
    expect(share({ brands }, claims)).toEqual([4, 8, 29, 29]);
    expect(share({ brands, limit: 6 }, claims), "no more than its part of the account's").toEqual([
      1, 3, 1, 1,
    ]);
  });

  it("are set aside for the brand's own callbacks and sequences, of which those of others need none", () => {
    const brands = new Map([["acme", 10]]);
    const list = claim({ brand: "acme", held: 8 });
    const lead = claim({ brand: "acme", isUrgent: true, waiting: 2 });
    expect(free({ brands }, [list, lead, claim()])).toEqual([0, 2, 60]);
    const full = claim({ brand: "acme", held: 10 });
    // Two are left, and somebody holds more than its part: one is the lead's.
    const more = [claim({ ...list, id: "list" }), claim({ brand: "acme" })];
    expect(free({ brands }, [...more, claim({ brand: "acme", isUrgent: true, waiting: 1 })])).toEqual([
      0, 1, 1,
    ]);
    // No line is kept idle for whoever may not take it.
    expect(free({ brands, limit: 11 }, [full, claim({ ...lead, id: "lead" }), claim()])).toEqual([0, 0, 1]);
  });

  it("are bounded where the account's are not", () => {
    const brands = new Map([["acme", 3]]);
    expect(share({ brands, limit: 100_000 }, [claim({ brand: "acme" }), claim()])).toEqual([3, 1_000]);
  });
});

describe("lines of an account", () => {
  it("are 10, 20 and 40 of 70 for weights of 1, 2 and 4", () => {
    expect(
      share(
        {},
        [1, 2, 4].map((weight) => claim({ weight })),
      ),
    ).toEqual([10, 20, 40]);
  });

  it("that one can't use are the others', by their weights", () => {
    expect(share({}, [claim({ waiting: 4 }), claim({ weight: 2 }), claim({ weight: 4 })])).toEqual([
      4, 22, 44,
    ]);
    expect(share({}, [claim({ waiting: 0 }), claim({ weight: 1 })])).toEqual([0, 70]);
  });

  it("that one holds beyond its share are not taken from it, and it gets none until it has fewer", () => {
    const claims = [claim({ held: 60 }), claim({ held: 4 })];
    expect(share({}, claims)).toEqual([35, 35]);
    expect(free({}, claims)).toEqual([0, 6]);
  });

  it("that were made fewer are given to nobody until enough have come free", () => {
    expect(free({ limit: 50 }, [claim({ held: 60 }), claim()])).toEqual([0, 0]);
    expect(shareLines({ limit: 50, reserve: 0 }, [claim({ held: 60 })], NOW_MS).idle).toBe(0);
  });

  it("are set aside for the urgent up to their share, and no further", () => {
    const list = claim({ held: 60 });
    expect(free({}, [list, claim({ isUrgent: true, waiting: 8 })])).toEqual([2, 8]);
    const claims = [claim({ held: 30 }), claim({ isUrgent: true, held: 33, waiting: 500 })];
    expect(free({}, claims)).toEqual([5, 2]);
    // Ten are left, and more than these are wanted within their shares.
    const over = [claim({ held: 60 }), claim(), claim({ isUrgent: true, waiting: 5 })];
    expect(free({}, over)).toEqual([0, 5, 5]);
  });

  it("of the reserve are the urgent's alone, beside what they have of the others", () => {
    const reserve = { reserve: 10 };
    expect(free(reserve, [claim(), claim({ isUrgent: true, waiting: 0 })])).toEqual([60, 0]);
    expect(share(reserve, [claim({ weight: 6 }), claim({ isUrgent: true })])).toEqual([60, 10]);
    expect(share(reserve, [claim({ weight: 70 }), claim({ isUrgent: true })])).toEqual([60, 10]);
    expect(share(reserve, [claim(), claim({ isUrgent: true })])).toEqual([35, 35]);
    expect(share(reserve, [claim(), claim({ isUrgent: true, waiting: 3 })])).toEqual([60, 3]);
  });

  it.each([
    { limit: 1, weights: [2, 1], rounds: 300, expected: [200, 100] },
    { limit: 1, weights: [1, 1, 1], rounds: 300, expected: [100, 100, 100] },
    { limit: 2, weights: [4, 1, 1], rounds: 300, expected: [300, 150, 150] },
  ])(
    "fewer than campaigns are theirs in turns: $limit for weights $weights",
    ({ limit, weights, rounds, expected }) => {
      const claims = weights.map((weight) => claim({ weight }));
      const served = weights.map(() => 0);
      for (let round = 1; round <= rounds; round += 1) {
        const nowMs = round * 1_000;
        const { shares } = shareLines({ limit, reserve: 0 }, claims, nowMs);
        claims.forEach((one, index) => {
          const taken = shares.get(one.id)?.free ?? 0;
          served[index] = (served[index] ?? 0) + taken;
          if (taken > 0) one.servedAtMs = nowMs;
        });
      }
      served.forEach((times, index) =>
        expect(Math.abs(times - (expected[index] ?? 0))).toBeLessThanOrEqual(rounds / 20),
      );
      expect(sum(served)).toBe(limit * rounds);
    },
  );

  it("fewer than campaigns are the urgent's first, as many as their parts come to", () => {
    const lists = Array.from({ length: 200 }, () => claim());
    const lately = claim({ isUrgent: true, servedAtMs: NOW_MS });
    const [waits, ...others] = free({}, [
      lately,
      ...lists.map((list, at) => ({ ...list, held: at < 69 ? 1 : 0 })),
    ]);
    expect(waits).toBe(1);
    expect(sum(others.map((one) => one ?? 0))).toBe(0);
    // Five leads of five steps at a time: two lines are what they come to among two hundred and five.
    const leads = Array.from({ length: 5 }, () => claim({ isUrgent: true, waiting: 1 }));
    expect(
      sum(
        share({}, [...leads, ...lists])
          .slice(0, 5)
          .map((one) => one ?? 0),
      ),
    ).toBe(2);
  });

  it("fewer than campaigns are the others' beyond the urgent's parts, and nobody has two for one part", () => {
    const lists = [claim({ id: "c" }), claim({ id: "d" })];
    const leads = [claim({ id: "a", isUrgent: true }), claim({ id: "b", isUrgent: true })];
    expect(share({ limit: 2 }, [...leads.slice(0, 1), ...lists])).toEqual([1, 1, 0]);
    expect(share({ limit: 2 }, [...leads, ...lists])).toEqual([1, 0, 1, 0]);
  });

  it("fewer than campaigns stay with whoever has them, however long others have waited", () => {
    expect(share({ limit: 1 }, [claim(), claim({ held: 1, servedAtMs: NOW_MS }), claim()])).toEqual([
      0, 1, 0,
    ]);
  });

  it("fewer than campaigns go to the same ones, in whatever order these are read", () => {
    const claims = ["a", "b", "c"].map((id) => claim({ id }));
    expect(share({ limit: 2 }, claims)).toEqual([1, 1, 0]);
    expect(share({ limit: 2 }, claims.toReversed())).toEqual([0, 1, 1]);
  });

  it("bound what a campaign has still to do with them: one at least, and no more than it may have itself", () => {
    const work = { due: 1_000, limit: 100, holdMs: 60_000 };
    const limits = [undefined, 0, 40, 200].map((lines) => workWithin(work, lines).limit);
    expect(limits).toEqual([100, 1, 40, 100]);
    expect(workWithin(work, 40)).toEqual({ ...work, limit: 40 });
  });

  it("are enough to be taken where they are worth a batch, or nothing else is to come", () => {
    const enough = { free: 3, held: 20, waiting: 50, quantum: 3 };
    expect(isEnough(enough)).toBe(true);
    expect(isEnough({ ...enough, free: 2 })).toBe(false);
    expect(isEnough({ ...enough, free: 2, waiting: 2 })).toBe(true);
    expect(isEnough({ ...enough, free: 1, held: 0 })).toBe(true);
    expect(isEnough({ free: 0, held: 0, waiting: 0, quantum: 1 })).toBe(false);
  });

  describe("that are idle are offered", () => {
    const told = (claims: readonly Waiting[], lines: Partial<AccountLines> = {}) => {
      const sharing = shareLines({ limit: 70, reserve: 0, ...lines }, claims, NOW_MS);
      return nextInLine(sharing, claims).map(({ id }) => claims.findIndex((one) => one.id === id));
    };

    it("to nobody where none is idle, or nobody waits", () => {
      expect(told([claim({ held: 35 }), claim({ held: 35 })])).toEqual([]);
      expect(told([claim({ waiting: 0, held: 3 }), claim({ waiting: 0 })])).toEqual([]);
    });

    it("to the urgent first, then to whoever lacks most of its share", () => {
      expect(
        told([
          claim({ held: 20 }),
          claim({ held: 5 }),
          claim({ isUrgent: true, waiting: 3 }),
          claim({ held: 15 }),
        ]),
      ).toEqual([2, 1, 3, 0]);
    });

    it("to a small campaign that has none before a large one that has half of its own", () => {
      expect(told([claim({ weight: 6, held: 30 }), claim()])).toEqual([1, 0]);
    });

    it("to as many as there are lines for, those included who know already", () => {
      const claims = [claim({ held: 60 }), claim(), claim()];
      expect(told(claims)).toEqual([1]);
      expect(told([claim({ held: 60 }), claim({ isOffered: true }), claim()])).toEqual([]);
    });

    it("to as many others as there are lines beside those that are kept or set aside", () => {
      const reserve = { reserve: 10 };
      const waiting = [claim({ held: 59 }), claim(), claim()];
      expect(told(waiting, reserve)).toEqual([1]);
      expect(told([...waiting, claim({ isUrgent: true, waiting: 2 })], reserve)).toEqual([3, 1]);
      expect(told([claim({ held: 60 }), claim({ isUrgent: true, waiting: 2 }), claim()], reserve)).toEqual([
        1,
      ]);
    });

    it("where they are worth a batch to whom they are offered", () => {
      const busy = { held: 66, work: { due: 10_000, limit: 100, holdMs: 60_000 } };
      expect(told([claim({ ...busy, held: 69 })])).toEqual([]);
      expect(told([claim(busy)])).toEqual([0]);
      expect(told([claim({ ...busy, held: 69, isUrgent: true })])).toEqual([0]);
      // Lines of the reserve are none that it could wait for.
      expect(told([claim({ ...busy, held: 59 })], { reserve: 10 })).toEqual([]);
      expect(told([claim({ ...busy, held: 56 })], { reserve: 10 })).toEqual([0]);
    });
  });
});
