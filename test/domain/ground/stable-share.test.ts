import { describe, expect, it } from "vitest";

import { stableShare } from "../../../src/domain/ground/stable-share.ts";

describe("a share that is the same whenever it is asked for", () => {
  const shares = Array.from({ length: 2_000 }, (_, n) => stableShare(["campaign", `${n}`]));

  it("is that of its texts, part by part", () => {
    expect(stableShare(["ab", "c"])).toBe(stableShare(["ab", "c"]));
    expect(stableShare(["ab", "c"])).not.toBe(stableShare(["a", "bc"]));
    // Whoever was put to a variant stays with it, in every version to come.
    expect(stableShare(["campaign", "+12025550100"])).toBeCloseTo(0.682175417860833, 12);
  });

  it("is even over many, from 0 to below 1", () => {
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...shares)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const within = shares.filter((share) => Math.floor(share * 10) === tenth).length;
      expect(Math.abs(within - 200), `${tenth}`).toBeLessThan(70);
    }
  });
});
