import { describe, expect, it } from "vitest";

import { readCampaignSpec, policyOf } from "../../../src/domain/campaigns/campaign-spec.ts";
import { costRange, estimateCalls, isCovered } from "../../../src/domain/campaigns/cost-estimate.ts";
import {
  modelOf,
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../../../src/domain/campaigns/rehearsal/outcome-model.ts";

const policyWith = (retry: object) => {
  const reading = readCampaignSpec({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    window: "always",
    retry,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return policyOf(reading.spec, 1);
};

const THRICE = policyWith({ max_attempts: 3, delays: { no_answer: "1h" } });

/** Nothing about it is uncertain. */
const always = (word: "answered" | "no_answer", talkSeconds: number): OutcomeModel =>
  modelOf({
    shares: { [word]: 1 },
    invalid_numbers: 0,
    talk_seconds: { [word]: talkSeconds },
    uncertainty: 0,
  });

const flat = (value: number) => ({ low: value, median: value, high: value });

describe("what calls are likely to cost", () => {
  it("is to the cent where nothing is uncertain, whatever the length of the list", () => {
    for (const contacts of [3, 7_000]) {
      const estimate = estimateCalls(contacts, THRICE, always("answered", 90));
      expect(estimate).toMatchObject({ contacts, calls: flat(contacts), talkMs: flat(contacts * 90_000) });
      expect(estimate.byDisposition).toEqual({
        answered: {
          calls: expect.closeTo(contacts, 6) as number,
          talkMs: expect.closeTo(contacts * 90_000, 3) as number,
        },
      });
      expect(costRange(estimate, { minuteMicros: 100_000, perCallMicros: 10_000 })).toEqual(
        flat(contacts * 160_000),
      );
    }
  });

  it("is a matter of luck for one person, and hardly for thousands", () => {
    const once = policyWith({ max_attempts: 1 });
    const evenly = modelOf({
      shares: { answered: 1, no_answer: 1 },
      invalid_numbers: 0,
      talk_seconds: { answered: 60, no_answer: 0 },
      uncertainty: 0,
    });
    expect(estimateCalls(1, once, evenly).talkMs).toMatchObject({ low: 0, high: 60_000 });
    const { low, high } = estimateCalls(1_000, once, evenly).spoken;
    expect(low).toBeGreaterThan(450);
    expect(high).toBeLessThan(550);
  });

  it("counts retries as often as the campaign makes them, and what is said on none of them is free", () => {
    const estimate = estimateCalls(100, THRICE, always("no_answer", 0));
    expect(estimate.calls).toEqual(flat(300));
    expect(estimate.byDisposition).toEqual({ no_answer: { calls: 300, talkMs: 0 } });
    expect(costRange(estimate, { minuteMicros: 100_000, perCallMicros: 10_000 })).toEqual(flat(0));
    const noDelay = policyWith({
      max_attempts: 3,
      delays: { busy: "10m" },
      max_per_disposition: { no_answer: 1 },
    });
    expect(estimateCalls(100, noDelay, always("no_answer", 0)).calls).toEqual(flat(100));
  });

  it("is a range about what is likely, as wide as what is known is uncertain, and the same each time", () => {
    const { talkMs, calls } = estimateCalls(5_000, THRICE, USUAL_OUTCOMES);
    expect(talkMs.low).toBeLessThan(talkMs.median * 0.95);
    expect(talkMs.high).toBeGreaterThan(talkMs.median * 1.05);
    expect(calls.median).toBeGreaterThan(5_000);
    expect(estimateCalls(5_000, THRICE, USUAL_OUTCOMES).talkMs).toEqual(talkMs);
  });

  it("is nothing for nobody", () => {
    expect(estimateCalls(0, THRICE, USUAL_OUTCOMES)).toMatchObject({ calls: flat(0), talkMs: flat(0) });
  });

  it("is covered surely, likely, or not", () => {
    const cost = { low: 8, median: 10, high: 12 };
    expect([12, 11, 10, 9].map((left) => isCovered(left, cost))).toEqual(["yes", "likely", "likely", "no"]);
  });
});
