import { describe, expect, it } from "vitest";

import {
  modelOf,
  modelOfPast,
  readOutcomeProfile,
  RunOutcomes,
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { Simulator } from "../../../../src/sandbox/simulator.ts";

const CALLS = 40_000;

function drawn(model: OutcomeModel, nth = 1) {
  const outcomes = new RunOutcomes({ ...model, uncertainty: 0 }, 3);
  const counts: Record<string, number> = {};
  let lengthMs = 0;
  let talkMs = 0;
  for (let person = 0; person < CALLS; person += 1) {
    outcomes.draw(person, nth);
    counts[outcomes.disposition] = (counts[outcomes.disposition] ?? 0) + 1 / CALLS;
    lengthMs += (outcomes.ringMs + outcomes.talkMs) / CALLS;
    talkMs += outcomes.talkMs / CALLS;
  }
  return { counts, lengthMs, talkMs };
}

describe("what calls come to where nothing is known", () => {
  it("is what the sandbox plays: the same shares, and calls as long", () => {
    const simulator = new Simulator(3);
    const played: Record<string, number> = {};
    let lengthMs = 0;
    for (let person = 0; person < CALLS; person += 1) {
      const { outcome, ringMs, talkMs } = simulator.plan(`+1202${person}`, 1);
      const word = outcome === "unreachable" ? "invalid_number" : outcome;
      played[word] = (played[word] ?? 0) + 1 / CALLS;
      lengthMs += (ringMs + talkMs) / CALLS;
    }
    const { counts, lengthMs: ours } = drawn(USUAL_OUTCOMES);
    expect(Object.keys(counts).sort()).toEqual(Object.keys(played).sort());
    for (const [word, share] of Object.entries(played))
      expect(Math.abs((counts[word] ?? 0) - share), word).toBeLessThan(0.01);
    expect(Math.abs(ours / lengthMs - 1)).toBeLessThan(0.02);
  });

  it("never reaches a number that does not exist, however often it is called", () => {
    const outcomes = new RunOutcomes(USUAL_OUTCOMES, 1);
    const invalid = (nth: number) => {
      const found = new Set<number>();
      for (let person = 0; person < 2_000; person += 1) {
        outcomes.draw(person, nth);
        if (outcomes.disposition === "invalid_number") found.add(person);
      }
      return found;
    };
    expect(invalid(2)).toEqual(invalid(1));
    expect(invalid(1).size).toBeGreaterThan(50);
  });
});

describe("a profile of outcomes", () => {
  it("says what it knows, and the rest is as usual", () => {
    const reading = readOutcomeProfile({
      shares: { answered: 1, voicemail: 3 },
      invalid_numbers: 0,
      talk_seconds: { answered: 120, voicemail: [10, 20] },
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { counts, talkMs } = drawn(modelOf(reading.definition));
    expect(counts.answered).toBeCloseTo(0.25, 1);
    expect(counts.voicemail).toBeCloseTo(0.75, 1);
    expect(Object.keys(counts)).toHaveLength(2);
    expect(talkMs / 1_000).toBeGreaterThan(0.25 * 120 + 0.75 * 15 - 2);
    expect(talkMs / 1_000).toBeLessThan(0.25 * 120 + 0.75 * 15 + 2);
  });

  it("is refused with every problem of it", () => {
    const reading = readOutcomeProfile({
      shares: { answered: 0, unknown: 3 },
      invalid_numbers: 5,
      ring_seconds: { answered: [9, 3] },
      mood: "good",
    });
    expect(reading.ok).toBe(false);
    const fields = reading.ok ? [] : reading.problems.map(({ field }) => field);
    expect(fields.join()).toMatch(/shares/);
    expect(fields.join()).toMatch(/invalid_numbers/);
    expect(fields.join()).toMatch(/ring_seconds/);
    expect(fields.join()).toMatch(/mood/);
  });
});

describe("outcomes of an earlier campaign", () => {
  it("are its shares, its numbers that do not exist, and the length of its talks", () => {
    const model = modelOfPast({
      dispositions: { answered: 300, no_answer: 600, voicemail: 100, invalid_number: 50, unknown: 2 },
      talkSeconds: 300 * 100 + 100 * 30,
      dialed: 500,
      invalid: 50,
    });
    if (!model) throw new Error("it called people");
    expect(model.invalidNumbers).toBe(0.1);
    const { counts, talkMs } = drawn({ ...model, invalidNumbers: 0 });
    expect(counts.answered).toBeCloseTo(0.3, 1);
    expect(counts.no_answer).toBeCloseTo(0.6, 1);
    // 30 seconds of each hundred calls that are talked to, and 3 of machines.
    expect(talkMs / 1_000).toBeGreaterThan(31);
    expect(talkMs / 1_000).toBeLessThan(35);
  });

  it("say nothing where it called nobody", () => {
    expect(modelOfPast({ dispositions: {}, talkSeconds: 0, dialed: 0, invalid: 0 })).toBeUndefined();
  });
});
