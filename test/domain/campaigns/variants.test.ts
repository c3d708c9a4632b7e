import { describe, expect, it } from "vitest";

import { callbackSpecOf } from "../../../src/domain/campaigns/callback-spec.ts";
import { readCampaignSpec, type CampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import {
  reachedDifference,
  reachedShare,
  variantOf,
  variantsSchema,
} from "../../../src/domain/campaigns/variants.ts";

const BASE = { name: "x", agent_id: "a", from_numbers: ["+12025550100"], concurrency: 1 };

function specWith(variants: unknown): CampaignSpec {
  const reading = readCampaignSpec({ ...BASE, variants });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

const phones = (count: number) => Array.from({ length: count }, (_, index) => `+1${2_125_550_000 + index}`);

describe("somebody's variant", () => {
  const spec = specWith([
    { name: "control", weight: 3 },
    { name: "warm", agent_id: "b" },
  ]);

  it("is the same each time, in callbacks and in another run", () => {
    for (const phone of phones(200)) {
      const { name } = variantOf(spec, phone) ?? {};
      expect(variantOf(callbackSpecOf(spec), phone)?.name).toBe(name);
      const again: CampaignSpec = { ...spec, name: "x again" };
      expect(variantOf(again, phone)?.name).toBe(name);
    }
  });

  it("is by the weights over many people", () => {
    const warm = phones(8_000).filter((phone) => variantOf(spec, phone)?.name === "warm").length;
    // A quarter of 8,000, and five standard deviations of chance: the numbers are always the same.
    expect(Math.abs(warm - 2_000)).toBeLessThan(200);
  });

  it("is drawn anew for variants of other names", () => {
    const other = specWith([{ name: "b", weight: 3 }, { name: "c" }]);
    const index = (of: CampaignSpec, phone: string) =>
      of.variants?.findIndex(({ name }) => name === variantOf(of, phone)?.name);
    const same = phones(1_000).filter((phone) => index(spec, phone) === index(other, phone)).length;
    // By chance it is 0.75 * 0.75 + 0.25 * 0.25 of them.
    expect(Math.abs(same - 625)).toBeLessThan(80);
  });

  it("is none in a campaign without", () => {
    expect(variantOf(specWith(undefined), "+12125550100")).toBeUndefined();
  });
});

describe("shares of people who were reached", () => {
  // R. G. Newcombe, Statistics in Medicine 17 (1998): 56 of 70 and 48 of 80; for single shares 857-872.
  const one = { contacts: 70, reached: 56 };
  const other = { contacts: 80, reached: 48 };

  it("have the intervals of the books", () => {
    expect(reachedShare({ contacts: 263, reached: 81 })).toEqual({
      share: 81 / 263,
      from: expect.closeTo(0.2553, 4) as number,
      to: expect.closeTo(0.3662, 4) as number,
    });
    expect(reachedShare({ contacts: 29, reached: 1 })).toEqual({
      share: 1 / 29,
      from: expect.closeTo(0.0061, 4) as number,
      to: expect.closeTo(0.1718, 4) as number,
    });
    expect(reachedDifference(one, other)).toEqual({
      share: expect.closeTo(0.2, 10) as number,
      from: expect.closeTo(0.0524, 4) as number,
      to: expect.closeTo(0.3339, 4) as number,
    });
  });

  it("stay within 0 and 1 where nobody or everybody was reached", () => {
    expect(reachedShare({ contacts: 20, reached: 0 })).toEqual({
      share: 0,
      from: expect.closeTo(0, 10) as number,
      to: expect.closeTo(0.1611, 4) as number,
    });
    expect(reachedShare({ contacts: 20, reached: 20 })).toMatchObject({
      share: 1,
      to: expect.closeTo(1, 10) as number,
    });
  });

  it("are none of nobody", () => {
    expect(reachedShare({ contacts: 0, reached: 0 })).toBeUndefined();
    expect(reachedDifference(one, { contacts: 0, reached: 0 })).toBeUndefined();
  });
});

describe("a spec's variants", () => {
  it.each([
    [[{ name: "a" }], /needs two variants or more/],
    [[{ name: "a" }, { name: "a" }], /names a variant twice/],
    [[{ name: "a" }, { name: "b", weight: 0 }], /must be 1 or more/],
    [[{ name: "a" }, { name: "" }], /variants\[1\]\.name|Too small|too short|characters/i],
  ])("are refused where they can't be meant: %j", (variants, problem) => {
    const reading = readCampaignSpec({ ...BASE, variants });
    const problems = reading.ok
      ? []
      : reading.problems.map(({ field, problem: said }) => `${field}: ${said}`);
    expect(problems.join("; ")).toMatch(problem);
  });

  it("have fifty variables at most", () => {
    const withVariables = (count: number) => [
      { name: "a" },
      { name: "b", variables: Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, "x"])) },
    ];
    expect(variantsSchema.safeParse(withVariables(50)).success).toBe(true);
    expect(variantsSchema.safeParse(withVariables(51)).error?.issues).toMatchObject([
      { path: [1, "variables"], message: "has more than 50 variables" },
    ]);
  });

  it("weigh alike where nothing is said", () => {
    expect(variantsSchema.parse([{ name: "a" }, { name: "b" }])).toEqual([
      { name: "a", weight: 1 },
      { name: "b", weight: 1 },
    ]);
  });
});
