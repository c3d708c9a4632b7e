import { describe, expect, it } from "vitest";

import { budgetCapsOf, type BudgetCaps } from "../../../src/domain/campaigns/budget-spec.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";

function readBudget(budget: object) {
  return readCampaignSpec({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    budget,
  });
}

const NOTHING: BudgetCaps = {
  totalMicros: undefined,
  perDayMicros: undefined,
  zone: "UTC",
  expectPerCallMicros: undefined,
};

describe("a budget", () => {
  it.each<[object, Partial<BudgetCaps>]>([
    [{ total: "250.10" }, { totalMicros: 250_100_000 }],
    [{ total: 0.000_001 }, { totalMicros: 1 }],
    [{ total: 0.1 + 0.2 }, { totalMicros: 300_000 }],
    [{ total: 10_000_000.1 + 0.2 }, { totalMicros: 10_000_000_300_000 }],
    [{ total: 99_999_999.999_999 }, { totalMicros: 99_999_999_999_999 }],
    [{ total: 65_536.123_457 }, { totalMicros: 65_536_123_457 }],
    [{ total: 100_000_000 }, { totalMicros: 100_000_000_000_000 }],
    [{ per_day: 25 }, { perDayMicros: 25_000_000 }],
    [
      { per_day: "25", zone: "America/New_York" },
      { perDayMicros: 25_000_000, zone: "America/New_York" },
    ],
    [{ expect_per_call: "0.12" }, { expectPerCallMicros: 120_000 }],
    [
      { total: 9, per_day: 3, expect_per_call: 1 },
      { totalMicros: 9_000_000, perDayMicros: 3_000_000, expectPerCallMicros: 1_000_000 },
    ],
  ])(
    "of %j is taken for what it says, to the millionth, and of UTC where it names no zone",
    (budget, caps) => {
      const reading = readBudget(budget);
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      expect(budgetCapsOf(reading.spec.budget)).toEqual({ ...NOTHING, ...caps });
    },
  );

  it("that a campaign does not have caps nothing", () => {
    expect(budgetCapsOf(undefined)).toEqual(NOTHING);
  });

  it.each([
    [{ total: 0.000_000_1 }, /amount in US dollars above 0/],
    [{ total: 0.000_000_5 }, /six decimals at most/],
    [{ total: 0.123_456_7 }, /six decimals at most/],
    [{ total: 0.123_456_002 }, /six decimals at most/],
    [{ total: 99_999_999.999_999_9 }, /six decimals at most/],
    [{ total: 12_345_678.123_456_7 }, /six decimals at most/],
    [{ total: "0.000000" }, /amount in US dollars above 0/],
    [{ per_day: 100_000_000.01 }, /100000000 US dollars at most/],
  ])("of %j is refused", (budget, problem) => {
    const reading = readBudget(budget);
    expect(reading.ok ? [] : reading.problems).toEqual([
      expect.objectContaining({ problem: expect.stringMatching(problem) }),
    ]);
  });
});
