import { describe, expect, it } from "vitest";

import { ENDLESS_LINES, type AccountLines } from "../../../../src/domain/campaigns/account-lines.ts";
import {
  plannedLines,
  planOfSpec,
  withBlackouts,
} from "../../../../src/domain/campaigns/rehearsal/plan-of-spec.ts";
import { USUAL_OUTCOMES } from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { specWith } from "../spec-with.ts";
import { FROM_MS, people, planOf } from "./support.ts";

const account = (limit: number, changes: Partial<AccountLines> = {}): AccountLines => ({
  limit,
  reserve: 0,
  ...changes,
});

describe("the lines that a rehearsal goes by", () => {
  it("are the campaign's own, or those that were asked for", () => {
    expect(plannedLines(undefined, specWith({ concurrency: 10 }), undefined)).toEqual({
      lines: 10,
      linesOf: "campaign",
    });
    expect(plannedLines(undefined, specWith({ concurrency: 10 }), 70)).toEqual({
      lines: 70,
      linesOf: "option",
    });
    expect(plannedLines(account(10), specWith({ concurrency: 10 }), undefined)).toEqual({
      lines: 10,
      linesOf: "campaign",
    });
    expect(plannedLines(account(ENDLESS_LINES), specWith({ concurrency: 10 }), 3)).toEqual({
      lines: 3,
      linesOf: "option",
    });
  });

  it("are those of the account where it has fewer: without what is kept for others, and no more than its brand's", () => {
    expect(plannedLines(account(9), specWith({ concurrency: 10 }), undefined)).toEqual({
      lines: 9,
      linesOf: "account",
    });
    expect(plannedLines(account(12, { reserve: 4 }), specWith({ concurrency: 10 }), undefined)).toEqual({
      lines: 8,
      linesOf: "account",
    });
    expect(plannedLines(account(12, { reserve: 2 }), specWith({ concurrency: 10 }), undefined).linesOf).toBe(
      "campaign",
    );
    expect(plannedLines(account(50), specWith({ concurrency: 10 }), 60)).toEqual({
      lines: 50,
      linesOf: "account",
    });
    const brands = new Map([
      ["acme", 4],
      ["other", 1],
    ]);
    expect(
      plannedLines(account(50, { brands }), specWith({ concurrency: 10, brand: "acme" }), undefined),
    ).toEqual({
      lines: 4,
      linesOf: "account",
    });
    expect(
      plannedLines(account(7, { brands }), specWith({ concurrency: 10, brand: "third" }), undefined).lines,
    ).toBe(7);
  });
});

describe("what a rehearsal of a spec goes by", () => {
  const whom = people([["Europe/Rome"]], 3);
  const given = {
    people: whom,
    lines: 5,
    rate: { calls: 2, withinMs: 1_000 },
    model: USUAL_OUTCOMES,
    fromMs: FROM_MS,
    shownIn: "UTC",
  };

  it("is its policy without sources that only a ledger has, its order and its ramp", () => {
    const plan = planOfSpec(specWith({ ramp_up: "10m", order: "newest_first", requires_sources: ["dnc"] }), {
      ...given,
      blackouts: [],
    });
    expect(plan).toMatchObject({ ...given, rampMs: 600_000, isNewestFirst: true });
    expect(plan.policy.requiredSources).toEqual([]);
    expect(planOfSpec(specWith({ concurrency: 10 }), { ...given, blackouts: [] })).toMatchObject({
      rampMs: 0,
      isNewestFirst: false,
    });
  });

  it("is closed on blackouts, on its lanes, too", () => {
    const plan = planOfSpec(specWith({ window: "always" }), {
      ...given,
      blackouts: [{ fromDay: 0, lastDay: 50_000, name: "Outage" }],
    });
    expect(plan.windows.statusOf(["Europe/Rome"], FROM_MS).open).toBe(false);
    expect(plan.policy.window.dates?.blackouts).toHaveLength(1);
  });

  it("keeps the other dates of its window beside blackouts, and the window itself without any", () => {
    const { window } = planOf(whom, { window: "always" }).policy;
    expect(withBlackouts(window, [])).toBe(window);
    const dates = { blackouts: [], exceptions: [], holidays: ["DE-BY"] };
    const blackouts = [{ fromDay: 1, lastDay: 2, name: "Outage" }];
    expect(withBlackouts({ ...window, dates }, blackouts)).toEqual({
      ...window,
      dates: { ...dates, blackouts },
    });
  });
});
