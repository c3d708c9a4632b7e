import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { moneyDayAt } from "../../../src/domain/campaigns/money-day.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import {
  callsWithin,
  capText,
  costOfCall,
  expectedCallMicros,
  leftMicros,
  microsOf,
  toldMicrosOf,
  usdOf,
  usdText,
  type Cap,
} from "../../../src/domain/campaigns/money.ts";

const NOTHING_KNOWN = {
  calls: 0,
  spentMicros: 0,
  underWay: 0,
  saidMicros: undefined,
  perMinuteMicros: undefined,
  perCallMicros: undefined,
};

const cap = (changes: Partial<Cap>): Cap => ({
  of: "the campaign",
  day: undefined,
  limitMicros: 1_000_000,
  spentMicros: 0,
  heldMicros: 0,
  ...changes,
});

describe("money", () => {
  it.each([
    ["250", 250_000_000],
    ["0.000001", 1],
    ["0.1", 100_000],
    [0.1, 100_000],
    [250.07, 250_070_000],
  ] as const)("reads %s to the millionth", (amount, micros) => {
    expect(microsOf(amount)).toBe(micros);
  });

  it("is told in cents, and in more of them where cents say nothing", () => {
    expect([250_070_000, 0, 1_234].map(usdText)).toEqual(["USD 250.07", "USD 0.00", "USD 0.0012"]);
  });

  it("is a number of US dollars in answers", () => {
    expect([250_070_000, 0, 1].map(usdOf)).toEqual([250.07, 0, 0.000_001]);
  });

  it("is left as far as it is neither spent nor held", () => {
    const day = moneyDayAt(Date.UTC(2026, 10, 25));
    const all = cap({ limitMicros: 1_000_000, spentMicros: 300_000, heldMicros: 200_000 });
    expect(leftMicros(all)).toBe(500_000);
    expect(callsWithin([cap({ day }), all], 50_000)).toEqual({ calls: 10, by: all });
  });

  it("binds by the first of several limits that leave the same: by all of a campaign's before a day's", () => {
    const all = cap({ spentMicros: 1_000_000 });
    const today = cap({ day: moneyDayAt(Date.UTC(2026, 10, 25)), limitMicros: 500_000, heldMicros: 500_000 });
    expect(callsWithin([all, today], 50_000)).toEqual({ calls: 0, by: all });
  });

  it("leaves room for no call beyond any cap", () => {
    const micros = fc.integer({ min: 0, max: 1_000_000_000 });
    const caps = fc.array(
      fc.record({ limitMicros: micros, spentMicros: micros, heldMicros: micros }).map(cap),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(caps, fc.integer({ min: 1, max: 10_000_000 }), (all, callMicros) => {
        const { calls, by } = callsWithin(all, callMicros);
        if (all.length === 0) return calls === Number.POSITIVE_INFINITY;
        const fits = (count: number) => all.every((one) => leftMicros(one) >= count * callMicros);
        return by !== undefined && (calls === 0 || fits(calls)) && !fits(calls + 1);
      }),
    );
  });

  it("expects of a call what is said, else the price of a minute, until its own calls tell, and never nothing", () => {
    expect(expectedCallMicros(NOTHING_KNOWN)).toBe(200_000);
    const priced = { ...NOTHING_KNOWN, perMinuteMicros: 90_000, perCallMicros: 5_000 };
    expect(expectedCallMicros(priced)).toBe(95_000);
    const said = { ...NOTHING_KNOWN, saidMicros: 70_000 };
    expect(expectedCallMicros(said)).toBe(70_000);
    // Twenty calls at 0.05 beside what counts as eighteen at 0.07.
    expect(expectedCallMicros({ ...said, calls: 20, spentMicros: 1_000_000 })).toBe(59_474);
    expect(expectedCallMicros({ ...said, calls: 200, spentMicros: 10_000_001 })).toBe(50_001);
    expect(expectedCallMicros({ ...said, saidMicros: 1, spentMicros: 0, calls: 200 })).toBe(1);
  });

  it("takes the first calls for no measure of the others: they are over because nobody answered", () => {
    const unanswered = { ...NOTHING_KNOWN, calls: 25, spentMicros: 0 };
    expect(expectedCallMicros(unanswered)).toBe(82_353);
    expect(expectedCallMicros({ ...unanswered, underWay: 1_000 })).toBe(195_000);
    expect(expectedCallMicros({ ...unanswered, calls: 300, underWay: 1_000 })).toBe(140_000);
    expect(expectedCallMicros({ ...unanswered, calls: 1_000 }), "a tenth of the price").toBe(20_000);
  });

  it("expects of a call something between what is said and what calls cost", () => {
    const micros = fc.integer({ min: 1, max: 10_000_000 });
    const count = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(micros, micros, count, count, (saidMicros, meanMicros, calls, underWay) => {
        const past = { ...NOTHING_KNOWN, saidMicros, calls, underWay, spentMicros: calls * meanMicros };
        const expected = expectedCallMicros(past);
        const least = Math.min(saidMicros, Math.max(meanMicros, 20_000));
        const isOwn = calls >= Math.max(200, underWay) && meanMicros >= 20_000;
        return (
          expected >= Math.min(least, meanMicros) &&
          expected <= Math.max(saidMicros, meanMicros) + 1 &&
          (!isOwn || Math.abs(expected - meanMicros) <= 1)
        );
      }),
    );
  });

  it.each([
    ["its talk", { durationSeconds: 90 }, 300_000],
    ["no talk", { durationSeconds: 0 }, 0],
    ["its time on the line", { startedAtMs: 0 }, 100_000],
    ["its time on the line, from its beginning", { startedAtMs: 12_000 }, 60_000],
    ["a minute where it is over as it begins", { startedAtMs: 30_000 }, 200_000],
    ["a minute where it is over before it begins", { startedAtMs: 30_001 }, 200_000],
    ["nothing for whom nobody reached", { disposition: "no_answer", startedAtMs: 0 }, 0],
    ["a minute where nothing is known", {}, 200_000],
    ["what is told", { durationSeconds: 90, toldMicros: 7 }, 7, true],
    ["nothing, as is told, for whom nobody reached", { disposition: "busy", toldMicros: 0 }, 0, true],
    ["its talk, where nothing is told of it so far", { durationSeconds: 90, toldMicros: 0 }, 300_000],
  ])("takes a call to have cost %s", (_what, changes, micros, isTold = false) => {
    const call = {
      disposition: "answered",
      durationSeconds: undefined,
      startedAtMs: undefined,
      endedAtMs: 30_000,
      toldMicros: undefined,
      ...changes,
    };
    expect(costOfCall(call, { callMicros: 50_000, minuteMicros: 200_000 })).toEqual({
      micros,
      isTold,
    });
  });

  it("takes no word for a price that can't be one", () => {
    expect([1.5, 0, 10_000, 10_000.01, -1, Number.NaN, "3", null].map(toldMicrosOf)).toEqual([
      1_500_000,
      0,
      10_000_000_000,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
  });

  it("says of a cap of a day when it lets go, in the way in which holds say it", () => {
    const lateMs = Date.UTC(2026, 10, 25, 23, 59);
    expect(capText(cap({ day: moneyDayAt(lateMs), spentMicros: 990_000 }), 20_000)).toBe(
      "until 2026-11-26T00:00:00.000Z: the budget of USD 1.00 a day for the campaign (2026-11-25, UTC) has USD 0.01 left, and a call is expected to cost USD 0.02: USD 0.99 spent, USD 0.00 held for calls under way; sooner if it is raised",
    );
  });

  it.each([
    [{ total: "1,000" }, "budget.total", "amount in US dollars"],
    [{ per_day: 0 }, "budget.per_day", "amount in US dollars"],
    [{ per_day: -5 }, "budget.per_day", "amount in US dollars"],
    [{ total: "-5" }, "budget.total", "amount in US dollars"],
    [{ total: "999999999" }, "budget.total", "100000000 US dollars at most"],
    [{}, "budget", "must say total, per_day or expect_per_call"],
    [{ daily: 5 }, "budget", "daily"],
    [{ per_day: 5, zone: "New York" }, "budget.zone", "is no time zone: give an IANA name"],
    [{ total: 5, zone: "America/New_York" }, "budget.zone", "is of `per_day`, which is not said"],
    [{ zone: "America/New_York" }, "budget", "must say total, per_day or expect_per_call"],
  ])("is refused in a spec as %j, by the field and what is allowed", (budget, field, problem) => {
    const reading = readCampaignSpec({
      name: "spring",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      window: "always",
      budget,
    });
    expect(reading.ok).toBe(false);
    const problems = reading.ok ? [] : reading.problems.map((one) => `${one.field}: ${one.problem}`);
    expect(problems.join("\n")).toContain(field);
    expect(problems.join("\n")).toContain(problem);
    expect(problems, "each told once").toEqual([...new Set(problems)]);
  });
});
